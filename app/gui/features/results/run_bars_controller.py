"""Runs of the leaderboard as bars of one metric: an ablation at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter

from stepscope.app.gui.features.results import run_bars_presenter as presenter
from stepscope.app.gui.features.results.run_bars_presenter import BarsChoices
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.services.export.whole_files import whole_file, whole_text
from stepscope.core.evaluation.ablation import FeatureName, ablation_csv
from stepscope.core.evaluation.leaderboard import EntryKey, LeaderboardGroup
from stepscope.core.progress import CancelToken
from stepscope.widgets.results.leaderboard_view import BARS_CSV

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.run_bars_presenter import ShownBars
    from stepscope.widgets.results.leaderboard_view import LeaderboardView


class RunBarsController(QObject):
    """Told by the leaderboard what there is; keeps which metric, baseline and order a person wants."""

    opened = Signal(object)
    """the RowKey of a bar"""
    wanted = Signal()
    """the bars are wanted as they are now: `show` answers"""

    def __init__(self, context: Context, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._exports = context, exports
        self._choices = BarsChoices()
        self._view: LeaderboardView | None = None
        self.shown: ShownBars | None = None

    def connect_view(self, view: LeaderboardView) -> None:
        """The view is made."""
        self._view = view
        view.form_chosen.connect(lambda _form: self.wanted.emit())
        view.bars_made.connect(self._take_card)

    def _take_card(self) -> None:
        card = self._view.bars if self._view is not None else None
        assert card is not None
        card.metric_chosen.connect(lambda metric: self._choose(metric=metric))
        card.baseline_chosen.connect(lambda key: self._choose(baseline=key, chose_baseline=True))
        card.order_chosen.connect(lambda order: self._choose(order=order))
        card.opened.connect(self.opened)
        self.wanted.emit()

    def _choose(self, **changes: object) -> None:
        self._choices = presenter.changed(self._choices, **changes)
        self.wanted.emit()

    def show(
        self,
        groups: Sequence[LeaderboardGroup],
        ticked: Sequence[EntryKey],
        current: EntryKey | None,
        names: Mapping[str, FeatureName],
        letters: Callable[[str], RunLetters],
    ) -> None:
        """The ticked runs of one group, or all of the group that the keyboard's row is in."""
        card = self._view.bars if self._view is not None else None
        if card is None or self._view is None or not self._view.shows_bars:
            return
        self.shown = presenter.shown_bars(groups, ticked, current, names, letters, self._choices)
        card.set_bars(self.shown.content)

    def export(self, kind: str) -> None:
        """Write the bars as a picture, or as CSV."""
        card = self._view.bars if self._view is not None else None
        shown = self.shown
        if shown is None or shown.group is None or card is None or not shown.bars:
            self._context.messages.info("There is no bar to be exported.")
            return
        name = f"bars-{shown.content.metric}"
        if kind == BARS_CSV:
            text = ablation_csv(shown.group, shown.bars, shown.content.metric, shown.content.title)
            self._exports.choose(f"{name}.csv", "CSV (*.csv)", lambda path: self._write_text(path, text))
        else:
            image = card.picture()
            self._exports.choose(f"{name}.png", "PNG (*.png)", lambda path: self._write_picture(path, image))

    def _write_text(self, path: Path, text: str) -> None:
        def work(token: CancelToken) -> None:
            with whole_text(path, token) as stream:
                stream.write(text)

        self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path))

    def _write_picture(self, path: Path, image: QImage) -> None:
        def work(_token: CancelToken) -> None:
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            QImageWriter(buffer, QByteArray(b"png")).write(image)
            with whole_file(path) as stream:
                stream.write(bytes(buffer.data().data()))

        self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path))
