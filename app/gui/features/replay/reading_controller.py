"""UI trees for steps that have none: the words of their pictures, read once and kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.features.replay import text_reading
from stepscope.app.gui.features.replay.text_reading import Answers, ReadTexts
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture, Step
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import counted

ROW = "text"
STAYS_MS = 80
"""Milliseconds that a person must stay at a step before it is looked up: who hurries past does not read."""
OWN_TREE = "This step has a UI tree of its own."


class ReadingController(QObject):
    """`changed`: some step has a tree now, or reading has begun or ended."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.work: Answers = text_reading.elsewhere
        self._context = context
        self._trees: dict[Picture, UITree] = {}
        self._unread: set[Picture] = set()
        self._staying = QTimer(self)
        self._staying.setSingleShot(True)
        self._staying.setInterval(STAYS_MS)
        self._staying.timeout.connect(self._look_up)
        self._wanted: tuple[Picture, ...] = ()
        self._read = ReadTexts()
        self._task: BackgroundTask | None = None
        self._began = 0.0
        chip = context.long_work.chip
        chip.cancel_requested.connect(lambda row: self.stop() if row == ROW else None)
        chip.pause_toggled.connect(lambda row: self._toggle_pause() if row == ROW else None)
        context.selection.source_changed.connect(self._forget)
        context.selection.step_changed.connect(self._staying.stop)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"text.read": self.read_step, "text.read_episode": self.read_episode}

    def tree_of(self, step: Step) -> UITree | None:
        """The step's own tree, else what was read from its picture."""
        own, picture = step.observation.tree, step.observation.screenshot
        return own if own is not None or picture is None else self._trees.get(picture)

    def doing(self, step: Step) -> str:
        """What is being done about the step's picture, "" when nothing is."""
        picture = step.observation.screenshot
        if self._task is None or picture not in self._wanted:
            return ""
        return f"{self._read.done} of {counted(len(self._wanted), 'screen')} read" if len(self._wanted) > 1 else ""

    def is_reading(self, step: Step) -> bool:
        picture = step.observation.screenshot
        return self._task is not None and picture in self._wanted and picture not in self._trees

    def look_up(self) -> None:
        """Bring in, once the person stays at the step that is shown, what was read from its picture at another time."""
        self._staying.start()

    def _look_up(self) -> None:
        step = self._context.selection.step
        picture = step.observation.screenshot if step is not None else None
        if step is None or picture is None or self.tree_of(step) is not None or picture in self._unread:
            return
        self._unread.add(picture)
        cache = self._context.cache

        def look(_token: CancelToken) -> UITree | None:
            from stepscope.models.ocr.screens import kept_screen

            try:
                return kept_screen(cache.get(picture).levels[0])
            except UserError:
                return None  # told in the picture's place

        def found(tree: UITree | None) -> None:
            if tree is not None:
                self._trees[picture] = tree
                self.changed.emit()

        self._context.start("look up text", look, found)

    # Reading ---------------------------------------------------------------------------------------------------------

    def read_step(self) -> None:
        """Read the text of the step that is shown."""
        step = self._context.selection.step
        if step is not None and step.observation.tree is not None:
            self._context.messages.info(OWN_TREE)
        elif step is not None:
            self._begin([step])

    def read_episode(self) -> None:
        """Read the text of all steps of the episode that have a picture and no tree."""
        episode = self._context.selection.episode
        if episode is not None:
            self._begin(list(episode.steps))

    def _begin(self, steps: list[Step]) -> None:
        from stepscope.models.ocr.reader import lack

        bare = [step.observation.screenshot for step in steps if self.tree_of(step) is None]
        wanted = tuple(dict.fromkeys(picture for picture in bare if picture is not None))
        if self._task is not None:
            self._context.messages.info("Text is being read already. Cancel that first, or wait for it.")
        elif not wanted:
            self._context.messages.info("Nothing to read: no step here has a picture without a UI tree.")
        elif (why := lack()) and self.work is text_reading.elsewhere:
            self._context.messages.warning(why)
        else:
            self._start(wanted)

    def _start(self, wanted: tuple[Picture, ...]) -> None:
        from stepscope.app.services.worker import TextJob

        work, job = self.work, TextJob(wanted)

        def read(token: CancelToken) -> Iterator[ReadTexts]:
            yield from text_reading.reading(work(job, token))

        self._wanted, self._read, self._began = wanted, ReadTexts(), time.monotonic()
        task = self._task = self._context.start("read text", read, failed=self._context.messages.failure, lane="index")
        task.progressed.connect(self._progressed)
        task.finished.connect(self._finished)
        self._show()
        self.changed.emit()

    def stop(self) -> None:
        """End after the screen in hand; what was read stays."""
        if self._task is not None:
            self._task.cancel()

    def _toggle_pause(self) -> None:
        if self._task is not None:
            token = self._task.token
            if token.paused:
                token.resume()
            else:
                token.pause()
            self._show()

    def _progressed(self, read: ReadTexts) -> None:
        self._trees.update(read.trees)
        self._read = read
        self._show()
        self.changed.emit()

    def _finished(self) -> None:
        task, self._task = self._task, None
        self._context.long_work.show(ROW, ())
        if self._read.errors:
            many = counted(len(self._read.errors), "picture")
            self._context.messages.warning(f"{many} cannot be read. The first: {self._read.errors[0]}")
        elif task is not None and not task.token.cancelled and len(self._wanted) > 1 and self._read.done:
            self._context.messages.done(f"Read the text of {counted(self._read.done, 'screen')}.")
        self.changed.emit()

    def _show(self) -> None:
        task, done, total = self._task, self._read.done, len(self._wanted)
        if task is None:
            return
        left = (time.monotonic() - self._began) / done * (total - done) if done else None
        row = TaskProgress(ROW, "Reading text", done, total, seconds_left=left, paused=task.token.paused)
        self._context.long_work.show(ROW, (row,))

    def _forget(self) -> None:
        """Forget the trees of the source before: the kept file has them."""
        self.stop()
        self._trees.clear()
        self._unread.clear()
