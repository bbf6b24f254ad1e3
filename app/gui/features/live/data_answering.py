"""The data answers an agent's questions: the answers of an episode that has the goal, offered or given at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from stepscope.app.gui.shell.context import Context
from stepscope.app.services.live.agent import AgentRun
from stepscope.app.services.live.agent_events import AnswerOrigin, QuestionAsked
from stepscope.app.services.live.data_answers import DataAnswers, answers_in, answers_of_source
from stepscope.app.services.live.devices import REPLAY
from stepscope.core.errors import UserError
from stepscope.widgets.live.conversation import PendingQuestion

ROW = "In the data"


class DataAnswering:
    """`data` is what the episode of the present goal answers, None where no data is open."""

    def __init__(self) -> None:
        self.data: DataAnswers | None = None

    def offered(self, asked: QuestionAsked, asking: PendingQuestion) -> PendingQuestion:
        """The question with what the data answers to it, or that it answers nothing."""
        if self.data is None or asked.unsure:
            return asking
        found = self.data.nearest(asked.step, asked.question)
        words = self.data.why_not() if found is None else f"“{found.answer}”, due at step {found.step + 1}"
        answer = "" if found is None else found.answer
        return replace(asking, changes=(*asking.changes, (ROW, words)), from_data=answer)

    def give(self, run: AgentRun, asked: QuestionAsked) -> None:
        """Answer with the data; where it has no answer the agent is told to go on."""
        data = self.data or DataAnswers("", ())
        found = None if asked.unsure else data.nearest(asked.step, asked.question)
        if found is None:
            run.leave_unanswered(asked.number, data.why_not())
            return
        self.data = data.having_answered(asked.step, asked.question)
        run.answer(asked.number, found.answer, by=AnswerOrigin.DATA)


def search(context: Context, serial: str, goal: str) -> Callable[[], DataAnswers | None]:
    """What looks the answers up, off the GUI thread: in the recordings that the device `serial` replays, else in the
    open data."""
    chosen, database = context.selection.source, context.database

    def look() -> DataAnswers | None:
        if serial.startswith(REPLAY):
            from stepscope.core.sources.registry import open_source

            try:
                return answers_of_source(open_source(Path(serial.removeprefix(REPLAY).partition("#")[0])), goal)
            except UserError:
                return None  # what is replayed is told where it is opened
        if chosen is None or database is None:
            return None
        return answers_in(database, chosen.id, chosen.source, goal)

    return look
