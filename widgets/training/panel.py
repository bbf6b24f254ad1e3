"""The Train dock: the settings, and how the training goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, PanelHeader, SegmentedControl, icon_button, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.format import score
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.scores.card import ResultCard
from stepscope.widgets.training.drawn_batch import DrawnBatchView
from stepscope.widgets.training.form import TrainForm
from stepscope.widgets.training.pace import PaceView
from stepscope.widgets.training.training_choices import RecipeChoice, TrainRequest
from stepscope.widgets.training.training_status import TrainingStatus, best_of

if TYPE_CHECKING:
    from stepscope.widgets.training.curves import LossPlot, MeasurePlot

LEAST_WIDTH, MARGIN = 312, 12
SETTINGS, CURVES = "settings", "curves"


class TrainPanel(QWidget):
    """`form` has the settings; `set_status` shows how a training goes on the page of the curves."""

    pause_requested = Signal()
    """pause, or go on"""
    stop_requested = Signal()
    closed = Signal()

    def __init__(
        self,
        command_line: Callable[[TrainRequest, RecipeChoice | None], str],
        name_note: Callable[[str], str] = lambda _name: "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.form = TrainForm(command_line, name_note)
        self.curves = TrainingCurves()
        self.pages = SegmentedControl([(SETTINGS, "Settings"), (CURVES, "Curves")], "Settings or curves")
        close = icon_button("clear", "Close")
        close.clicked.connect(self.closed)
        self.form.closed.connect(self.closed)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.form)
        self._stack.addWidget(self.curves)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PanelHeader("Train", self.pages, close))
        column.addWidget(self._stack, 1)
        self.setFocusProxy(self.form)
        self.pages.chosen.connect(self.show_page)
        self.curves.pause.clicked.connect(self.pause_requested)
        self.curves.stop.clicked.connect(self.stop_requested)

    def show_page(self, page: str) -> None:
        """SETTINGS or CURVES."""
        self.pages.set_value(page)
        self._stack.setCurrentIndex((SETTINGS, CURVES).index(page))

    def page(self) -> str:
        return self.pages.value()

    def set_status(self, status: TrainingStatus | None) -> None:
        self.curves.set_status(status)


class TrainingCurves(QWidget):
    """A training's present work and its pace, losses and measure by epoch, and what went wrong; Pause and Stop while it
    is at work; at the end what it is worth."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: TrainingStatus | None = None
        self._plots: tuple[LossPlot, MeasurePlot] | None = None
        self._before: LossPlot | None = None
        self._empty = EmptyState("run", "Nothing is being trained", "Curves stand here while a model learns.")
        self._name, self._doing, self._best, self._results, self._notes = (QLabel() for _ in range(5))
        for label, role in (
            (self._name, "title"), (self._doing, "secondary"), (self._best, ""), (self._results, ""),
            (self._notes, "dim"),
        ):  # fmt: skip
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("role", role)
        self._doing.setAccessibleName("What is being done")
        self._results.setAccessibleName("What it is worth")
        self.pace = PaceView()
        self.pause, self.stop = text_button("Pause"), text_button("Stop")
        self.stop.setToolTip("Ends after the batch in hand; what was learned is kept")
        self.loss, self.measure = ResultCard("Loss"), ResultCard("Validation")
        self.before, self.masked = ResultCard("Pretraining"), ResultCard("Its last batch")
        self.before.detail.setText("loss, dashed: training")
        self.drawn = DrawnBatchView()
        self.masked.body.addWidget(self.drawn)
        self.loss.detail.setText("solid: validation, dashed: training")
        self._lay_out()
        plot_library().ready.connect(self._renew)
        self._renew()

    def set_status(self, status: TrainingStatus | None) -> None:
        """Show how the training goes; None before the first."""
        self._status = status
        self._renew()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.pause)
        buttons.addWidget(self.stop)
        buttons.addStretch(1)
        inside = self._inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        body.setSpacing(10)
        body.addWidget(self._name)
        body.addWidget(self._doing)
        body.addWidget(self.pace)
        body.addLayout(buttons)
        body.addWidget(self._results)
        body.addWidget(self.before)
        body.addWidget(self.masked)
        body.addWidget(self.loss)
        body.addWidget(self.measure)
        body.addWidget(self._best)
        body.addWidget(self._notes)
        body.addStretch(1)
        scroll = self._scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty)
        column.addWidget(scroll, 1)

    def _renew(self) -> None:
        status = self._status
        self._empty.setVisible(status is None)
        self._scroll.setVisible(status is not None)
        if status is None:
            return
        self._name.setText(straight(status.name))
        self._doing.setText(straight(status.doing))
        self.pause.setText("Go on" if status.paused else "Pause")
        self.pause.setVisible(status.running)
        self.stop.setVisible(status.running)
        self.measure.detail.setText(status.measured.replace("_", " "))
        best = best_of(status.points)
        words = f"Best so far: {score(best.measure)} with seed {best.seed} at epoch {best.epoch + 1}." if best else ""
        self._best.setText(straight(words if status.running else words.replace(" so far", "")))
        self._best.setVisible(best is not None)
        self.pace.set_pace(status.pace if status.running else None, paused=status.paused)
        self._results.setText(straight("\n".join(status.results)))
        self._results.setVisible(bool(status.results))
        self._notes.setText(straight("\n".join(status.notes)))
        self._notes.setVisible(bool(status.notes))
        for card in (self.loss, self.measure):
            card.setVisible(bool(status.points))
        self.before.setVisible(bool(status.pretraining))
        self.masked.setVisible(status.drawn is not None)
        if status.drawn is not None:
            self.masked.detail.setText(straight(status.drawn.asked))
            self.drawn.set_batch(status.drawn)
        if status.points or status.pretraining:
            self._draw(status)

    def _draw(self, status: TrainingStatus) -> None:
        """The plots, made when there is first something for them and their library is there."""
        if self._plots is None:
            if not plot_library().is_ready:
                plot_library().begin()
                return
            from stepscope.widgets.training.curves import LossPlot, MeasurePlot

            self._plots, self._before = (LossPlot(), MeasurePlot()), LossPlot()
            for card, plot in zip((self.loss, self.measure), self._plots, strict=True):
                card.body.addWidget(plot)
            self.before.body.addWidget(self._before)
        for plot in self._plots:
            plot.set_points(status.points)
        if self._before is not None:
            self._before.set_points(status.pretraining)
