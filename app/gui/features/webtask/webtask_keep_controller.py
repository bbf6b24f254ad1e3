"""A page's actions kept as an episode, and templates opened one after the other to see what is amiss."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QHeaderView, QLabel, QVBoxLayout

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.features.webtask.webtask_list_controller import WebTaskListController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.gui.shell.ports import Library
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.settings import user_data_dir
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services.webtask import trajectories
    from stepscope.app.services.webtask.opening import OpenedTask
    from stepscope.app.services.webtask.tasks import PageResult
    from stepscope.app.services.webtask.trajectories import Attempt
else:
    trajectories = lazy_module("stepscope.app.services.webtask.trajectories")

FOLDER = "pages"
DIGEST_LETTERS = 8
WIDTH, HEIGHT = 860, 520
COLUMNS = ("Task", "Fields", "Refused", "What is amiss")


class WebTaskKeepController(QObject):
    """Both work in the background, in browsers of their own."""

    def __init__(
        self,
        context: Context,
        task: WebTaskController,
        tasks: WebTaskListController,
        library: Library,
        replay: EpisodeViewer,
        exports: ExportWork,
    ) -> None:
        super().__init__(context)
        self._context, self._task, self._tasks = context, task, tasks
        self._library, self._replay, self._exports = library, replay, exports
        self.dialog: QDialog | None = None

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"webtask.keep": self.keep, "webtask.check": self.check}

    # As an episode ---------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Do the shown actions once more, with a picture before each, and offer what comes of it."""
        selected, read = self._context.selection.source, self._task.read
        if selected is None or read is None:
            return
        if not self._task.log:
            self._context.messages.info("Nothing was done on this page yet: fill it in, or show a run's answers.")
            return
        who = next((one.name for one in self._task.runners() if one.key == self._task.who), self._task.who)
        run = self._task.who if self._task.run_place is not None else ""
        attempt = trajectories.Attempt(who, self._task.log, run, ended_well(self._task.filled))
        source, allowed = selected.source, self._task.page.allowed
        name = folder_name(source.path, read.instance.id, attempt)
        folder = user_data_dir() / FOLDER / safe_name(selected.title) / name

        def work(token: CancelToken) -> Iterator[Progress]:
            folder.parent.mkdir(parents=True, exist_ok=True)
            yield from trajectories.write_trajectory(
                source, read.instance.id, attempt, folder, overwrite=True, allowed=allowed, token=token
            )

        self._exports.start(
            f"Keep {read.instance.id}", work, lambda _: self._kept(read.instance.id, folder), total=len(attempt.log) + 1
        )

    def _kept(self, instance: str, folder: Path) -> None:
        def show() -> None:
            self._context.workspaces.set_workspace("replay")
            self._library.open_path(folder.parent, lambda: self._replay.open_episode(folder.name), again=True)

        if folder.is_dir():  # else it was cancelled
            self._context.workspaces.mark_workspace("replay")
            self._context.messages.done(f"Kept {instance} as an episode.", (show, "Show"))

    # Templates -------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Open the first page of every task."""
        selected = self._context.selection.source
        if selected is None:
            return
        source, allowed, found = selected.source, self._task.page.allowed, []
        total = len(self._tasks.names)

        def work(token: CancelToken) -> Iterator[Progress]:
            from stepscope.app.services.webtask.opening import open_tasks

            meter = ProgressMeter(total)
            for one in open_tasks(getattr(source, "inner", source), allowed=allowed, token=token):
                found.append(one)
                yield meter.advance()

        self._exports.start("Check templates", work, lambda _: self._checked(found), total=total)

    def _checked(self, found: list[OpenedTask]) -> None:
        if self.dialog is not None:
            self.dialog.close()
        dialog = self.dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Check Templates")
        dialog.resize(WIDTH, HEIGHT)
        model = QStandardItemModel(0, len(COLUMNS), dialog)
        model.setHorizontalHeaderLabels(COLUMNS)
        for one in found:
            model.appendRow([_cell(words) for words in row_words(one)])
        table = RowTable("Templates")
        table.setModel(model)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        table.opened.connect(lambda index: self._open(model, index))
        amiss = sum(bool(row_words(one)[-1]) for one in found)
        head = QLabel(f"{counted(len(found), 'task')} opened, something is amiss with {amiss}. Enter opens a task.")
        head.setContentsMargins(12, 10, 12, 6)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(head)
        column.addWidget(table)
        dialog.finished.connect(self._closed)
        dialog.show()

    def _closed(self) -> None:
        self.dialog = None

    def _open(self, model: QStandardItemModel, index: QModelIndex) -> None:
        name = model.index(index.row(), 0).data()
        if name:
            self._tasks.open_task(name)


def ended_well(filled: PageResult | None) -> bool:
    """Whether an attempt came to its end; a person's, and people's answers, always do."""
    return filled is None or filled.prediction.status is PredictionStatus.OK


def folder_name(source: Path, instance: str, attempt: Attempt) -> str:
    """The recording's folder: the page, who, and a digest of where the data are, of the run and of what was done. The
    same attempt kept again takes the place of the one before; no other does."""
    from stepscope.core.webtask.actions import action_to_json

    actions = [action_to_json(one.action) for one in attempt.log]
    told = json.dumps([str(source), instance, attempt.run, actions, attempt.finished])
    digest = hashlib.sha256(told.encode()).hexdigest()[:DIGEST_LETTERS]
    return f"{safe_name(instance)}-{safe_name(attempt.model)}-{digest}"


def row_words(one: OpenedTask) -> tuple[str, str, str, str]:
    """What the table says of a task."""
    refused = ", ".join(dict.fromkeys(request.host or "this machine's files" for request in one.blocked))
    amiss = [one.error] if one.error else [problem.words for problem in one.problems]
    amiss += [f"{name}: {why}" for name, why in one.missing.items()]
    return one.task, f"{one.found} of {one.fields}", refused, " ".join(amiss)


def _cell(words: str) -> QStandardItem:
    item = QStandardItem(words)
    item.setToolTip(tip_words(words))
    return item
