"""Judgements as files, into the store and out of it, and sharing pairs out among people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.judge.judge_controller import JudgeController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import JudgeViews
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services import judging
    from stepscope.app.services.judging import JudgingFile
else:
    judging = lazy_module("stepscope.app.services.judging")

FILES = "JSON Lines (*.jsonl)"


class JudgingFilesController(QObject):
    """All act on the data that is open and the two texts that are judged."""

    def __init__(self, context: Context, views: JudgeViews, judge: JudgeController) -> None:
        super().__init__(context)
        self._context, self._panel, self._judge = context, views.pairs, judge
        self._panel.share_wanted.connect(self.share_out)
        self._panel.import_wanted.connect(self.import_)
        self._panel.export_wanted.connect(self.export)

    def open_share(self) -> None:
        """Show the form in which people are named."""
        self._panel.open_share()

    def share_out(self, people: Sequence[str], overlap: int) -> None:
        """Share the pairs out; who had which before is dropped, what they said stays."""
        read, origins = self._judge.read, self._judge.origins
        if read is None or read.listed is None or origins is None:
            return
        try:
            given = judging.share_out([one.pair for one in read.listed.pairs], people, overlap)
        except UserError as error:
            self._context.messages.failure(error)
            return
        names = {one.annotator for one in given}
        self._judge.make_lines(read.assignments, given, f"sharing out among {counted(len(names), 'person', 'people')}")

    def import_(self) -> None:
        """Take a file over: judgements of people and of models, written goals, who judges what."""
        source = self._judge.source
        chosen, _ = QFileDialog.getOpenFileName(
            self._context.dialog_parent, "Import Judgements", str(Path.home()), f"{FILES};;All files (*)"
        )
        if not chosen or not source:
            return
        path = Path(chosen)

        def arrived(found: JudgingFile) -> None:
            words = f"import of {counted(len(found.lines), 'line')} of {path.name}"
            if found.problems:
                first = found.problems[0]
                left = counted(len(found.problems), "line")
                self._context.messages.warning(
                    f"{left} of {path.name} kept out; line {first.line}: {first.message}.", title="Not all was taken."
                )
            if found.malformed:
                without = counted(found.malformed, "answer")
                self._context.messages.warning(f"{without} of models have no verdict, and count as not given.")
            if found.lines:
                self._judge.make_lines((), found.lines, words, over=True)
                self._context.messages.done(f"{counted(len(found.lines), 'line')} taken over from {path.name}.")

        self._context.start("read judgements", lambda _token: judging.read_judging(source, path), arrived)

    def export(self) -> None:
        """Write all that was said about the data, and who judges what."""
        database, source = self._context.database, self._judge.source
        if database is None or not source:
            return
        name = f"{Path(source).name}-judgements.jsonl"
        chosen, _ = QFileDialog.getSaveFileName(
            self._context.dialog_parent, "Export Judgements", str(Path.home() / name), FILES
        )
        if not chosen:
            return
        path = Path(chosen)

        def work(_token: object) -> int:
            return judging.export_file(database, source, path)

        def done(lines: int) -> None:
            self._context.messages.wrote(f"{counted(lines, 'line')} written to {path.name}.", path)

        self._context.start("export judgements", work, done)
