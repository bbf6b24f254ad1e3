"""The grid of wrong steps: causes and tags at the left, tiles, and what is done with the chosen ones below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, SegmentedControl
from stepscope.widgets.common.elided_combo import ElidedCombo, RunNameCombo
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.grid.bulk_bar import BulkBar
from stepscope.widgets.grid.choices_list import ChoicesList
from stepscope.widgets.grid.grid_values import Choice, TileGroup
from stepscope.widgets.grid.large_tile import LargeTile
from stepscope.widgets.grid.tile_area import LARGEST, SMALLEST, USUAL, TileArea

BY_APP, BY_CAUSE, BY_ACTION = "app", "cause", "action"
IN_ORDER, LEAST_SURE, FARTHEST = "order", "confidence", "distance"
CUT, WHOLE = "marks", "whole"
SIDE_FITS = 640
"""Pixels of width from which on the lists stand beside the tiles."""
SLIDER_FITS, ORDER_FITS = 420, 380
"""Pixels of the tiles' width from which on their size, and their order, are chosen beside them, at the usual text
size; keys do what the slider does."""
LEAST_SIDE, _FOOT = 190, 12


class GridView(QWidget):
    """`grouping_chosen`, `order_chosen`, `run_chosen` carry the value that the person took."""

    grouping_chosen = Signal(str)
    order_chosen = Signal(str)
    run_chosen = Signal(str)
    empty_pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Grid of wrong steps")
        self.side = QWidget(self)
        self.causes, self.tags = ChoicesList("Causes", self.side), ChoicesList("Tags", self.side)
        self.explained = QLabel("", self.side)
        self.explained.setTextFormat(Qt.TextFormat.PlainText)
        self.explained.setWordWrap(True)
        self.explained.setProperty("role", "secondary")
        self.explained.setContentsMargins(14, 8, 14, 10)
        column = QVBoxLayout(self.side)
        column.setContentsMargins(0, 4, 0, 0)
        self.side.setMinimumWidth(LEAST_SIDE)
        column.setSpacing(4)
        column.addWidget(self.causes, 3)
        column.addWidget(self.tags, 2)
        column.addWidget(self.explained)
        self._centre = QWidget(self)
        self.area = TileArea(self._centre)
        self.bulk = BulkBar(self._centre)
        self.peek = LargeTile(self._centre)
        self.peek.is_over_others = True
        self.peek.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.peek.hide()
        self._empty: EmptyState | None = None
        self._stack = QStackedWidget(self._centre)
        self._stack.addWidget(self.area)
        rows = QVBoxLayout(self._centre)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self._make_head())
        rows.addWidget(self._stack, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.side)
        splitter.addWidget(self._centre)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([232, 560])
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(splitter)
        self.bulk.raise_()
        self.setFocusProxy(self.area)
        self.area.width_changed.connect(self._show_width)
        self.area.peeked.connect(self._peek)
        self._centre.installEventFilter(self)

    def _make_head(self) -> QWidget:
        head = QWidget(self._centre)
        head.setProperty("bar", "tools")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        rows = QVBoxLayout(head)
        rows.setContentsMargins(12, 4, 12, 4)
        rows.setSpacing(4)
        self.runs = RunNameCombo(16, head)
        self.runs.setAccessibleName("Run whose wrong steps are shown")
        self.runs.activated.connect(lambda place: self.run_chosen.emit(self.runs.itemData(place)))
        self.count = ElidedLabel("", "secondary", head)
        self.badge = Badge("", "warn")
        self.groups = ElidedCombo(parent=head)
        self.groups.setAccessibleName("Group by")
        for value, words in ((BY_APP, "By app"), (BY_CAUSE, "By cause"), (BY_ACTION, "By action")):
            self.groups.addItem(words, value)
        self.groups.activated.connect(lambda place: self.grouping_chosen.emit(self.groups.itemData(place)))
        self.cause_menu = ElidedCombo(12, head)
        self.cause_menu.setAccessibleName("Cause")
        self.cause_menu.activated.connect(lambda place: self.causes.picked.emit(self.cause_menu.itemData(place), False))
        self.cause_menu.hide()
        self.order = ElidedCombo(parent=head)
        self.order.setAccessibleName("Order of the tiles")
        orders = ((IN_ORDER, "Data order"), (LEAST_SURE, "Least confident first"), (FARTHEST, "Farthest first"))
        for value, words in orders:
            self.order.addItem(words, value)
        self.order.activated.connect(lambda place: self.order_chosen.emit(self.order.itemData(place)))
        self.cut = SegmentedControl(((CUT, "Marks"), (WHOLE, "Whole")), "Part of the screen", head)
        self.cut.chosen.connect(lambda value: self.area.set_whole(value == WHOLE))
        self.slider = QSlider(Qt.Orientation.Horizontal, head)
        self.slider.setAccessibleName("Size of the tiles")
        self.slider.setRange(SMALLEST, LARGEST)
        self.slider.setValue(USUAL)
        self.slider.setFixedWidth(72)
        self.slider.setToolTip("Size of the tiles (+, -, Ctrl+wheel)")
        self.slider.valueChanged.connect(self.area.set_tile_width)
        what, how = QHBoxLayout(), QHBoxLayout()
        for line in (what, how):
            line.setSpacing(8)
            rows.addLayout(line)
        what.addWidget(self.runs)
        what.addWidget(self.count, 1)
        what.addWidget(self.badge)
        how.addWidget(self.cause_menu)
        how.addWidget(self.groups)
        how.addWidget(self.order)
        how.addStretch(1)
        how.addWidget(self.cut)
        how.addWidget(self.slider)
        self.badge.hide()
        return head

    def set_runs(self, runs: Sequence[tuple[str, str]], chosen: str) -> None:
        """Runs as (id, letter and name), and the one whose wrong steps are shown."""
        self.runs.clear()
        for run, words in runs:
            self.runs.addItem(straight(words), run)
        self.runs.setCurrentIndex(max(self.runs.findData(chosen), 0))
        self.runs.setVisible(bool(runs))

    def set_groups(self, groups: Sequence[TileGroup]) -> None:
        self.area.set_groups(groups)
        self.show_chosen()

    def set_causes(self, causes: Sequence[Choice]) -> None:
        """All causes with their counts; in a narrow grid a menu has what the list has."""
        self.causes.set_choices(causes)
        self.cause_menu.clear()
        for one in causes:
            self.cause_menu.addItem(f"{one.title}, {one.count:,}", one.value)
        chosen = [one.value for one in causes if one.chosen]
        self.cause_menu.setCurrentIndex(self.cause_menu.findData(chosen[0]) if len(chosen) == 1 else 0)

    def set_count(self, words: str) -> None:
        self.count.setText(words)

    def set_badge(self, words: str) -> None:
        """Why no score of these is a finding, "" for none."""
        self.badge.set_words(words, "warn")
        self.badge.setVisible(bool(words))

    def set_empty(self, title: str, detail: str = "", button: tuple[str, str] | None = None) -> None:
        """In place of the tiles: why there are none; "" shows the tiles."""
        if self._empty is not None:
            self._stack.removeWidget(self._empty)
            self._empty.deleteLater()
            self._empty = None
        if title:
            self._empty = EmptyState("grid", title, detail, (button,) if button else (), self._stack)
            self._empty.pressed.connect(self.empty_pressed)
            self._stack.addWidget(self._empty)
            self._stack.setCurrentWidget(self._empty)
        else:
            self._stack.setCurrentWidget(self.area)

    def show_chosen(self) -> None:
        """The bar says how many are chosen, and how many of them are not seen."""
        chosen = self.area.chosen
        self.bulk.set_count(len(chosen), self.area.hidden(chosen))
        self._place_bulk()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < SIDE_FITS
        self.side.setVisible(not narrow)
        self.cause_menu.setVisible(narrow)
        self._place_bulk()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The middle has another size after the lists at the left came or went, too."""
        if watched is self._centre and event.type() == QEvent.Type.Resize:
            self._place_bulk()
            room = self._centre.width() / (pixel_size(self.font()) / BASE_PIXELS)
            self.slider.setVisible(room >= SLIDER_FITS)
            self.order.setVisible(room >= ORDER_FITS)
        return False

    def _place_bulk(self) -> None:
        width = self._centre.width() - 2 * _FOOT
        height = self.bulk.sizeHint().height()
        self.bulk.setGeometry(_FOOT, self._centre.height() - height - _FOOT, max(width, 0), height)
        self.bulk.raise_()

    def _peek(self, held: bool) -> None:
        """The current tile over all others, while its key is held."""
        if held:
            self.peek.setGeometry(self._stack.geometry())
            self.peek.raise_()
        self.peek.setVisible(held and self.peek.tile is not None)

    def _show_width(self, pixels: int) -> None:
        self.slider.setValue(pixels)
