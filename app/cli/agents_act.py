"""`stepscope agents act`: an agent acts on a device, and its questions are answered on stdin, by the data, or not."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, one_line, print_json, say, tell
from stepscope.app.cli.record import check_new
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.live import agent_events, agent_session, agent_words, data_answers
    from stepscope.app.services.live.agent_events import ActionProposed, AgentEvent, QuestionAsked
    from stepscope.app.services.live.agent_session import AgentReport, GivenAnswer
    from stepscope.app.services.live.data_answers import DataAnswers
    from stepscope.core.sources.source import Source
else:
    agent_events = lazy_module("stepscope.app.services.live.agent_events")
    agent_session = lazy_module("stepscope.app.services.live.agent_session")
    agent_words = lazy_module("stepscope.app.services.live.agent_words")
    data_answers = lazy_module("stepscope.app.services.live.data_answers")

FROM_DATA = "data"
"""The line on stdin that gives the data's answer."""
_ACTS_NOT = "Give it as --asker beside a model that acts, or with an actor: NAME?actor=MODEL."
_MOST_STEPS, _MOST_QUESTIONS = 500, 100


class AnswersFrom(StrEnum):
    """Who answers an agent's questions."""

    ASK = "ask"
    DATA = "data"
    NONE = "none"


def act(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model that acts, as 'stepscope models' lists it.")],
    serial: Annotated[str, typer.Argument(metavar="SERIAL", help="The device: simulated, replay:PATH, or adb's.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The recording's folder; new, or empty.")],
    goal: Annotated[str, typer.Option("--goal", metavar="TEXT", help="The goal; the episode's without it.")] = "",
    answers: Annotated[AnswersFrom, typer.Option(help="Who answers its questions.")] = AnswersFrom.ASK,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The data whose answers are given; the replayed one without.")
    ] = None,
    episode: Annotated[
        str, typer.Option(metavar="ID", help="The episode whose answers are given; else the first with this goal.")
    ] = "",
    asker: Annotated[
        str | None, typer.Option(metavar="NAME", help="A model beside it that says when a question is due.")
    ] = None,
    app: Annotated[str | None, typer.Option(metavar="PACKAGE", help="The app it is about.")] = None,
    steps: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST_STEPS, help="Pause after N actions.")] = 20,
    questions: Annotated[
        int, typer.Option(metavar="N", min=0, max=_MOST_QUESTIONS, help="Questions that are answered in the task.")
    ] = 5,
    ask_below: Annotated[
        float, typer.Option(metavar="P", min=0.0, max=1.0, help="Ask below this confidence, too.")
    ] = 0.0,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where the model computes.")] = "auto",
    json: JsonFlag = False,
) -> int:
    """Gives 0 where the agent ended by itself, 1 where it was stopped, paused or stuck, 130 when interrupted; whatever
    was done is in OUT. Raises UserError for models, devices, data and folders that cannot be used."""
    from stepscope.app.services.evaluation import check_device
    from stepscope.app.services.live.devices import open_device

    check_device(device)
    check_new(out)
    source = _source(serial, data)
    found = _answers(source, goal, episode, answers)
    goal = goal or _goal_of(source, episode)
    models = _models(serial, model, asker, device)
    company = _Person(found, json) if answers is AnswersFrom.ASK else (
        agent_session.DataCompany(found) if answers is AnswersFrom.DATA else agent_session.NoCompany()
    )  # fmt: skip
    settings = agent_events.AgentSettings(
        agent_events.Mode.OWN, ask_below=ask_below, step_limit=steps, question_limit=questions
    )
    with cancelled_by_signals() as token:
        report = agent_session.let_act(
            open_device(serial), models, goal, out, company, settings=settings, app=app,
            tell=lambda event: _heard(event, json), token=token,
        )  # fmt: skip
    return _told(report, token.cancelled, json)


def _source(serial: str, data: Path | None) -> Source | None:
    """The data that is named, or that the device replays."""
    from stepscope.core.sources.registry import open_source

    path = data
    if path is None and serial.startswith("replay:"):
        path = Path(serial.removeprefix("replay:").partition("#")[0])
    return None if path is None else open_source(path)


def _answers(source: Source | None, goal: str, episode: str, wanted: AnswersFrom) -> DataAnswers:
    if wanted is AnswersFrom.NONE or source is None or not (goal or episode):
        if wanted is AnswersFrom.DATA:
            hint = "Give --data PATH with --goal TEXT or --episode ID."
            raise UsageError("there is no data that could answer.", hint=hint)
        return data_answers.DataAnswers("", ())
    found = data_answers.answers_of_source(source, goal, episode)
    if wanted is AnswersFrom.DATA and not found.asks:
        raise UsageError(found.why_not(), hint="Name an episode with questions: 'stepscope asks' lists them.")
    return found


def _goal_of(source: Source | None, episode: str) -> str:
    if source is None or not episode:
        raise UsageError("the goal is missing.", hint="Give --goal TEXT, or --data PATH --episode ID.")
    return source.read(episode).goal


def _models(serial: str, model: str, asker: str | None, device: str) -> tuple[Any, Any]:
    """The models, not yet loaded. Screens that are replayed are data: a server gets them only where a person agreed."""
    from stepscope.app.services.live.agent_streams import NEVER_ACTS, acts_and_asks
    from stepscope.app.services.live.predicting import live_model
    from stepscope.app.services.live.replaying import check_replayed
    from stepscope.core.domain.prediction import Task
    from stepscope.models.registry import named_for

    names = [*filter(None, (named_for(model, Task.AUTOMATION), asker))]
    check_replayed(serial, names)
    found = [live_model(name, device=device) for name in names]
    acts = found[0].info
    if acts.task is not Task.AUTOMATION and not acts_and_asks(acts):
        raise UsageError(f"{model} cannot act: {NEVER_ACTS}.", hint=_ACTS_NOT)
    return found[0], found[1] if len(found) > 1 else None


class _Person:
    """Whoever is at stdin: a line is the answer, a number one of the elements that are offered, `data` the data's
    answer; an empty line and the end of stdin are none."""

    def __init__(self, data: DataAnswers, json: bool) -> None:
        self._data, self._json = data, json

    def answer(self, asked: QuestionAsked) -> GivenAnswer | str:
        offers = [agent_words.label_of(one.action) for one in asked.offers]
        for number, name in enumerate(offers, start=1):
            _line(f"{number}: {name}", self._json)
        known = self._data.nearest(asked.step, asked.question)
        if known is not None:
            _line(f"{FROM_DATA}: {known.answer}", self._json)
        line = sys.stdin.readline().strip()
        if line == FROM_DATA and known is not None:
            self._data = self._data.having_answered(asked.step, asked.question)
            return agent_session.GivenAnswer(known.answer, by=agent_events.AnswerOrigin.DATA)
        if line.isdecimal() and 1 <= int(line) <= len(offers):
            return agent_session.GivenAnswer("", int(line) - 1)
        return agent_session.GivenAnswer(line) if line else agent_session.NOBODY

    def confirm(self, proposed: ActionProposed) -> bool:
        """What always asks is asked here, too."""
        what = agent_words.said(proposed.choices[0].action)
        _line(f"{what}? {'. '.join(proposed.reasons)}. yes or no", self._json)
        return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _heard(event: AgentEvent, json: bool) -> None:
    """One line for what was done and said."""
    match event:
        case agent_events.QuestionAsked(step=step, question=question):
            _line(f"{step}: asks: {question}", json)
        case agent_events.QuestionAnswered(answer=answer, by=by, why=why):
            _line(f"answer ({by.value}): {answer} {why}".strip(), json)
        case agent_events.ActionPerformed(step, action, _by):
            _line(f"{step}: {agent_words.said(action)}", json)
        case agent_events.AgentPaused(why=why) | agent_events.AgentFinished(why=why) if json:
            _line(why, json)  # without JSON it stands beside the folder at the end
        case _:
            pass


def _line(text: str, json: bool) -> None:
    """Beside a JSON document it goes to stderr."""
    if json:
        tell(one_line(text))
    else:
        say(one_line(text))
        sys.stdout.flush()


def _told(report: AgentReport, interrupted: bool, json: bool) -> int:
    form = {
        "path": str(report.folder),
        "outcome": None if report.how is None else report.how.value,
        "why": report.why,
        "actions": report.steps,
        "questions": report.questions,
        "answered": report.answered,
    }
    if json:
        print_json(form)
    else:
        asked = f", {number_of(report.questions, 'questions')}" if report.questions else ""
        say(*filter(None, (one_line(report.why),)), f"{report.folder}: {number_of(report.steps, 'actions')}{asked}")
    if interrupted:
        return INTERRUPTED
    ended = (agent_events.AgentOutcome.COMPLETE, agent_events.AgentOutcome.IMPOSSIBLE)
    return DONE if report.how in ended else SOME_FAILED
