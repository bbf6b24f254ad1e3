"""The card of runs as bars: which metric, which baseline, in which order."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QScrollArea, QWidget

from stepscope.widgets.common import SegmentedControl
from stepscope.widgets.common.elided_combo import ElidedCombo, RunNameCombo
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.leaderboard_values import RowKey
from stepscope.widgets.results.run_bars_plot import RunBarsPlot
from stepscope.widgets.results.run_bars_values import BY_NAME, BY_VALUE, RunBars
from stepscope.widgets.scores.card import ResultCard

NO_BASELINE = "No baseline"


class RunBarsCard(ResultCard):
    """Signals fire for what the person does."""

    metric_chosen = Signal(str)
    baseline_chosen = Signal(object)
    """a RowKey, None for no baseline"""
    order_chosen = Signal(str)
    """BY_VALUE or BY_NAME"""
    opened = Signal(object)
    """the RowKey of a bar: Enter or a double click"""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.metrics_box, self.baseline_box = ElidedCombo(10), RunNameCombo(14)
        for box, words in ((self.metrics_box, "Metric"), (self.baseline_box, "Baseline, which stands first")):
            box.setAccessibleName(words)
            box.setToolTip(tip_words(words))
        self.order = SegmentedControl([(BY_VALUE, "By value"), (BY_NAME, "By name")], "Order of the bars")
        super().__init__("Runs as bars", self.metrics_box, self.baseline_box, self.order, parent=parent)
        self._found = RunBars()
        self.plot = RunBarsPlot()
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.plot)
        scroll.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note = QLabel()
        self.note.setProperty("role", "tiny")
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.body.addWidget(scroll, 1)
        self.body.addWidget(self.note)
        self.metrics_box.activated.connect(lambda place: self.metric_chosen.emit(self.metrics_box.itemData(place)))
        self.baseline_box.activated.connect(lambda place: self.baseline_chosen.emit(self.baseline_box.itemData(place)))
        self.order.chosen.connect(self.order_chosen)
        self.plot.opened.connect(self.opened)
        self.plot.current_changed.connect(self._reveal)

    def set_bars(self, found: RunBars) -> None:
        """Show other bars, or newer numbers of the same."""
        if found == self._found:
            return
        self._found = found
        self.detail.setText(straight(found.title))
        _fill(self.metrics_box, [(title, name) for name, title in found.metrics], found.metric)
        _fill(self.baseline_box, [(NO_BASELINE, None), *((name, key) for key, name in found.baselines)], found.baseline)
        self.note.setText(straight(found.note))
        self.note.setVisible(bool(found.note))
        self.plot.set_bars(found)

    def picture(self) -> QImage:
        """All bars with their title, as a picture."""
        title = dict(self._found.metrics).get(self._found.metric, "")
        return self.plot.picture(", ".join(filter(None, (title, self._found.title))))

    def _reveal(self, number: int) -> None:
        place = self.plot.place(number)
        self._scroll.ensureVisible(0, round(place.center().y()), 0, round(place.height()))


def _fill(box: QComboBox, rows: list[tuple[str, object]], chosen: RowKey | str | None) -> None:
    box.clear()
    for words, data in rows:
        box.addItem(words, data)
    box.setCurrentIndex(next((place for place, (_words, data) in enumerate(rows) if data == chosen), 0))
