"""The cards of the results' pages: where the run went wrong. Whatever is chosen on any of them is told by one signal.

A page takes what is to be shown when it comes into view, and while it is in view. The plots stand on pyqtgraph, which
is slow to import: a card with a plot is made when there is first something for it and the library is there; until then
the page shows its other cards.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.results.confusion import ConfusionView
from stepscope.widgets.results.reason_values import ReasonDetails
from stepscope.widgets.results.web_values import WebResults
from stepscope.widgets.scores.breakdown_values import (
    Bar,
    CalibrationDiagram,
    ConfusionTable,
    CurveDetails,
    Key,
    StepShares,
)
from stepscope.widgets.scores.shares import BarList

if TYPE_CHECKING:
    from stepscope.widgets.results.calibration import CalibrationCard
    from stepscope.widgets.results.curves import CurveCard
    from stepscope.widgets.results.step_plot import StepPlot

WIDE_ENOUGH = 820
"""From this width on cards stand side by side, with text as it is at first."""
CARD_HEIGHT, TALL_HEIGHT, CURVE_HEIGHT = 212, 330, 316
"""The least that a card needs to say something."""
FEW_ROWS, UNLIMITED = 2, 2**24 - 1


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All that the cards show of one run. `reasons`, `curve`, `reason_details` and `web` are there where the task has
    them; `place` is what `apps` are, in the singular."""

    confusion: ConfusionTable = field(default_factory=ConfusionTable)
    reasons: tuple[Bar, ...] = ()
    apps: tuple[Bar, ...] = ()
    kinds: tuple[Bar, ...] = ()
    kind_word: str = "kind of action"
    steps: StepShares = field(default_factory=StepShares)
    curve: CurveDetails | None = None
    calibration: CalibrationDiagram | None = None
    run: int = 0
    place: str = "app"
    web: WebResults | None = None
    reason_details: ReasonDetails | None = None


class BreakdownPage(QWidget):
    """Keeps what is to be shown until it is in view; subclasses show it in `renew`."""

    chosen = Signal(object)
    opened = Signal(object)
    """the key of a cell or bar: the first of its items is wanted in Replay"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = Breakdown()
        self._chosen: Key = None
        self._stale = False
        plot_library().ready.connect(self.renew_soon)

    def set_breakdown(self, found: Breakdown) -> None:
        self._found, self._stale = found, True
        if self.isVisible():
            self._bring_up_to_date()

    def renew_soon(self) -> None:
        """Show everything again in a later turn, or when the page comes into view."""
        self._stale = True
        if self.isVisible():
            QTimer.singleShot(0, self, self._bring_up_to_date)

    def renew(self, found: Breakdown) -> None:
        """Fill the cards."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        self._bring_up_to_date()
        super().showEvent(event)

    def _bring_up_to_date(self) -> None:
        if self._stale:
            self._stale = False
            self.renew(self._found)


def _share_title(found: Breakdown) -> str:
    """What is counted; of web pages too what counts as wrong."""
    words = "Share of pages scored below 1" if found.web is not None else "Wrong share"
    return f"{words} by {found.place}"


class SummaryCards(BreakdownPage):
    """Confusion and recall by reason, wrong shares per app, precision and recall."""

    threshold_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.confusion = ConfusionView()
        self.reasons = BarList("Recall by reason", stacked=True, sortable=False, hides_few=False, asks="found")
        self.kinds = BarList("Wrong share by kind of action", stacked=True, hides_few=False, asks="wrong")
        self.apps = BarList("Wrong share by app", asks="wrong")
        self.curve: CurveCard | None = None
        self._upper, self._lower = (
            QBoxLayout(QBoxLayout.Direction.LeftToRight),
            QBoxLayout(QBoxLayout.Direction.LeftToRight),
        )
        for row, parts in ((self._upper, ((self.confusion, 3), (self.reasons, 2), (self.kinds, 2))),
                           (self._lower, ((self.apps, 3),))):  # fmt: skip
            row.setSpacing(16)
            for part, stretch in parts:
                row.addWidget(part, stretch)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addLayout(self._upper, 2)
        column.addLayout(self._lower, 3)
        for card in (self.confusion, self.reasons, self.kinds, self.apps):
            card.chosen.connect(self.chosen)
            card.opened.connect(self.opened)
            card.setMinimumHeight(CARD_HEIGHT)

    def renew(self, found: Breakdown) -> None:
        cells = sum(len(row) for row in found.confusion.cells)
        self.confusion.set_confusion(found.confusion)
        self.confusion.setVisible(cells > 0)
        few = len(found.confusion.rows) <= FEW_ROWS
        for card in (self.confusion, self.reasons, self.kinds):
            card.setMinimumHeight(CARD_HEIGHT if few else TALL_HEIGHT)
            card.setMaximumHeight(CARD_HEIGHT if few else UNLIMITED)
        self.reasons.set_bars(found.reasons, run=found.run)
        self.reasons.setVisible(bool(found.reasons))
        self.kinds.set_title(f"Wrong share by {found.kind_word}")
        self.kinds.set_bars(found.kinds)
        self.kinds.setVisible(bool(found.kinds) and not found.reasons)
        upper = bool(cells or found.reasons or found.kinds)
        self._column.setStretch(0, 0 if not upper else 2 if few else 4)
        self.apps.set_title(_share_title(found))
        self.apps.set_bars(found.apps)
        self.apps.setVisible(bool(found.apps))
        if found.curve is not None and plot_library().is_ready:
            self._curve_card().set_curve(found.curve)
        elif found.curve is not None:
            plot_library().begin()
        if self.curve is not None:
            self.curve.setVisible(found.curve is not None)

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        for card in (self.confusion, self.reasons, self.kinds, self.apps, self.curve):
            if card is not None:
                card.set_chosen(key)

    def resizeEvent(self, event: object) -> None:
        wide = WIDE_ENOUGH * derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        way = QBoxLayout.Direction.LeftToRight if self.width() >= wide else QBoxLayout.Direction.TopToBottom
        for row in (self._upper, self._lower):
            row.setDirection(way)

    def _curve_card(self) -> CurveCard:
        if self.curve is None:
            from stepscope.widgets.results.curves import CurveCard

            self.curve = CurveCard()
            self.curve.chosen.connect(self.chosen)
            self.curve.threshold_changed.connect(self.threshold_changed)
            self.curve.setMinimumHeight(CURVE_HEIGHT)
            self.curve.set_chosen(self._chosen)
            self._lower.addWidget(self.curve, 2)
        return self.curve


class GroupsPage(BreakdownPage):
    """Wrong shares by app and by kind, all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.apps = BarList("Wrong share by app", hides_few=False, asks="wrong")
        self.kinds = BarList("Wrong share by kind", hides_few=False, asks="wrong")
        row = QGridLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        row.addWidget(self.apps, 0, 0)
        row.addWidget(self.kinds, 0, 1)
        row.setColumnStretch(0, 3)
        row.setColumnStretch(1, 2)
        for card in (self.apps, self.kinds):
            card.chosen.connect(self.chosen)
            card.opened.connect(self.opened)

    def renew(self, found: Breakdown) -> None:
        self.apps.set_title(_share_title(found))
        self.apps.set_bars(found.apps)
        self.kinds.set_bars(found.kinds)
        self.kinds.setVisible(bool(found.kinds))

    def set_chosen(self, key: Key) -> None:
        self.apps.set_chosen(key)
        self.kinds.set_chosen(key)


class StepsPage(BreakdownPage):
    """Wrong shares by step and by length, and how far confidence can be trusted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps: StepPlot | None = None
        self.calibration: CalibrationCard | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 16, 16, 16)
        self._column.setSpacing(16)

    def renew(self, found: Breakdown) -> None:
        if not plot_library().is_ready:
            plot_library().begin()
            return
        if self.steps is None:
            self._make_steps().set_shares(found.steps)
            if found.calibration is not None:
                self.renew_soon()  # each plot takes its time to be made
            return
        self.steps.set_shares(found.steps)
        if found.calibration is not None:
            (self.calibration or self._make_calibration()).set_calibration(found.calibration)
        if self.calibration is not None:
            self.calibration.setVisible(found.calibration is not None)

    def set_chosen(self, key: Key) -> None:
        self._chosen = key
        for card in (self.steps, self.calibration):
            if card is not None:
                card.set_chosen(key)

    def _make_steps(self) -> StepPlot:
        from stepscope.widgets.results.step_plot import StepPlot

        self.steps = StepPlot()
        self._add(self.steps)
        return self.steps

    def _make_calibration(self) -> CalibrationCard:
        from stepscope.widgets.results.calibration import CalibrationCard

        self.calibration = CalibrationCard()
        self._add(self.calibration)
        return self.calibration

    def _add(self, card: StepPlot | CalibrationCard) -> None:
        card.set_chosen(self._chosen)
        card.chosen.connect(self.chosen)
        self._column.addWidget(card, 1)
