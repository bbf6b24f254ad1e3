"""Tools ▸ Judge ▸ Ask a Judge: rules, or a model behind a server, go through the pairs that are judged here."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from stepscope.app.gui.features.judge.judge_controller import JudgeController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.recordings_question import once_agreed
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.worker import JudgingJob, trying_worker
from stepscope.core.domain.judgement import REFERENCE, OriginKind, same_texts
from stepscope.core.domain.model_name import LOCAL, asks_server
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, then_result
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted
from stepscope.widgets.judge.ask_judge_dialog import AskJudgeDialog, JudgeChoice, JudgeWish

if TYPE_CHECKING:
    from stepscope.app.gui.features.judge.judge_reader import JudgingRead, Origins
    from stepscope.app.services import goal_judging
    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.models.chat import servers
    from stepscope.models.checkpoints import checkpoint
    from stepscope.models.goal.judges import asked_judge, named
    from stepscope.models.goal.judges.judge import GoalJudge
else:
    goal_judging = lazy_module("stepscope.app.services.goal_judging")
    servers = lazy_module("stepscope.models.chat.servers")
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")
    asked_judge = lazy_module("stepscope.models.goal.judges.asked_judge")
    named = lazy_module("stepscope.models.goal.judges.named")

Elsewhere = Callable[[JudgingJob, CancelToken], "Iterator[Progress | JudgingCount]"]
ROW = "judging"
RULES = "Words, acts, numbers and on or off by rules of this project: the baseline of every judge."
MODEL = (
    "Asked once for each direction, with requirements and a tagged verdict, and whether the trajectory fulfils a text."
)


class AskJudgeController(QObject):
    """One judge at a time; what it said stays when it is stopped."""

    def __init__(self, context: Context, judge: JudgeController) -> None:
        super().__init__(context)
        self._context, self._judge = context, judge
        self.dialog: AskJudgeDialog | None = None
        self._task: BackgroundTask | None = None
        self._count: JudgingCount | None = None
        self.elsewhere: Elsewhere = _in_a_process
        context.long_work.chip.cancel_requested.connect(lambda row: self.stop() if row == ROW else None)

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def open(self) -> None:
        """Choose the judge."""
        read, origins = self._judge.read, self._judge.origins
        if read is None or read.listed is None or origins is None:
            return
        if self.is_running:
            self._context.messages.info("A judge is at work. Stop it at the top of the window, or wait for its end.")
            return
        texts = f"{_capital(self._judge.name_of(origins[0]))} and {self._judge.name_of(origins[1])}"
        dialog = AskJudgeDialog(
            texts, len(read.listed.pairs), choices(), _known(read), _command(origins), self._context.dialog_parent,
        )  # fmt: skip
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.asked.connect(self._ask)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def stop(self) -> None:
        """End it; what was said stays."""
        if self._task is not None:
            self._task.cancel()

    def _closed(self) -> None:
        self.dialog = None

    def _ask(self, wish: JudgeWish) -> None:
        """What cannot be is told before anything begins, and a server is asked only once the person agrees that it gets
        what they recorded."""
        source = self._context.selection.source
        if source is not None and asks_server(wish.name):
            once_agreed(self._context, source.source, (wish.name,), lambda: self._load(wish))
        else:
            self._load(wish)

    def _load(self, wish: JudgeWish) -> None:
        apart = wish.name.startswith(LOCAL)  # its libraries would stall the window

        def load(_token: CancelToken) -> GoalJudge | None:
            if not apart:
                return named.judge_named(wish.name)
            named.check_judge(wish.name)
            return None

        self._context.start("load a judge", load, lambda judge: self._begin(wish, judge), failed=self._refused)

    def _refused(self, error: Exception) -> None:
        if self.dialog is not None and isinstance(error, UserError):
            self.dialog.set_trouble(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _begin(self, wish: JudgeWish, judge: GoalJudge | None) -> None:
        """Let it judge, one that is None in a process of its own."""
        source, database, origins = self._context.selection.source, self._context.database, self._judge.origins
        if source is None or database is None or origins is None or self.dialog is None or self.is_running:
            return  # the person thought better of it
        self.dialog.accept()
        known_as, files, elsewhere = self._judge.source, source.source, self.elsewhere
        job = JudgingJob(
            self._context.places.store_url, files.path, files.format, known_as, origins, wish.name, wish.again
        )

        def work(token: CancelToken) -> Generator[Progress, None, JudgingCount | None]:
            if judge is None:
                return (yield from then_result(elsewhere(job, token)))
            return (
                yield from goal_judging.ask_judge(
                    database, source.id, files, known_as, origins, judge, again=wish.again, token=token
                )
            )

        self._count = None
        self._task = task = self._context.start(f"Judging by {wish.name}", work, self._take, lane="index")
        task.progressed.connect(lambda found: self._show(wish, found))
        task.finished.connect(lambda: self._finished(wish, task))
        self._show(wish, Progress(0, None))

    def _take(self, found: JudgingCount | None) -> None:
        self._count = found

    def _show(self, wish: JudgeWish, progress: Progress) -> None:
        row = TaskProgress(
            ROW, f"Judging by {wish.name}", progress.done, progress.total, progress.rate, progress.seconds_left,
            can_pause=False,
        )  # fmt: skip
        self._context.long_work.show(ROW, (row,))

    def _finished(self, wish: JudgeWish, task: BackgroundTask) -> None:
        self._task = None
        self._context.long_work.show(ROW, ())
        self._judge.reload()
        count, messages = self._count, self._context.messages
        if task.token.cancelled:
            messages.info(f"{wish.name} was stopped; what it said stays, and asked again it goes on there.")
            return
        if count is None:
            return  # it failed, and that was told
        if count.failed:
            episode, why = count.failed[0]
            messages.warning(f"{counted(len(count.failed), 'pair')} could not be judged; {episode}: {why}")
        messages.done(words_of(wish, count))


def _in_a_process(job: JudgingJob, token: CancelToken) -> Iterator[Progress | JudgingCount]:
    """What the judge tells out of its process, which ends with it and gives back all memory."""
    worker = trying_worker()
    try:
        yield from worker.run(job, token)
    finally:
        worker.close()


def words_of(wish: JudgeWish, count: JudgingCount) -> str:
    """What came of it, in one line."""
    parts = [f"{wish.name} judged {counted(count.judged, 'pair')}"]
    parts += [f"{counted(count.malformed, 'answer')} had no verdict"] if count.malformed else []
    if count.swapped:
        parts.append(f"{count.same / count.swapped:.0%} of verdicts stayed with the texts swapped")
    return f"{', '.join(parts)}. See Agreement."


def choices() -> tuple[JudgeChoice, ...]:
    """Rules, the model of each server that has one, and checkpoints."""
    rules = JudgeChoice(named.RULES, "Rules", RULES)
    asked = [
        JudgeChoice(f"served:{one.name}/{one.model}", f"{one.model} at {one.name}", MODEL, asked_judge.OPTIONS)
        for one in servers.load()
        if one.model
    ]
    checkpoints = [
        JudgeChoice(f"{LOCAL}{one.name}", f"{one.name} (checkpoint)", MODEL, asked_judge.OPTIONS[1:])
        for one in checkpoint.load()
    ]
    return (rules, *asked, *checkpoints)


def _known(read: JudgingRead) -> Counter[str]:
    """How many pairs each model has judged in the words that they have."""
    pairs = {one.pair.key: one.pair for one in read.listed.pairs} if read.listed is not None else {}
    return Counter(
        one.judge.name
        for one in read.judgements
        if one.judge.by_model and one.pair.key in pairs and same_texts(one, pairs[one.pair.key])
    )


def _command(origins: Origins) -> str:
    """The equal command up to the judge's name; "" where neither text is a run's."""
    first, second = origins
    if second.kind is not OriginKind.RUN:
        return ""
    against = [] if first == REFERENCE else ["--against", first.code]
    return shlex.join(["stepscope", "judgements", "ask", second.name, *against])


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
