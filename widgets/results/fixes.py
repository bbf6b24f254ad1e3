"""Two runs on the same items: how many both have right, who fixed and who broke which, and further runs' scores."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import EmptyState, PanelHeader, run_letter
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.results.breakdown_values import ItemPairRow, Key, PairCell, PairCounts, RunScore
from stepscope.widgets.results.card import mix
from stepscope.widgets.results.keyed_list import KeyedList
from stepscope.widgets.results.pair_items import PairDelegate, PairItemModel
from stepscope.widgets.results.run_scores import RunScores

GAP, SIDE, ABOVE = 6, 8, 6


class FixesView(QWidget):
    """The left side of a comparison, from top to bottom: runs, two by two, the items that differ."""

    chosen = Signal(object)
    """the key of one of the two by two cells"""
    run_chosen = Signal(object)
    """a run's key"""
    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: the person made it the current one"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""
    second_wanted = Signal()
    """the person wants another run to compare with"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(220)
        self._noun = "step"
        self.runs = RunScores()
        self._title, self._test = QLabel(), QLabel()
        self._title.setProperty("role", "heading")
        self._test.setProperty("role", "tiny")
        for label in (self._title, self._test):
            label.setWordWrap(True)
        self.cells = PairCells()
        self._delegate = PairDelegate()
        self.model = PairItemModel(self)
        self.list = KeyedList("Items on which the runs differ", self._delegate, self.model)
        self._header = PanelHeader("Who fixed, who broke")
        self._none = EmptyState("check", "None", "")
        self._second = EmptyState("results", "Pick a second run", "", [("second", "Choose a run")])
        self._lay_out()
        self._connect()
        self.set_runs(())
        self.set_counts(None)

    # what the owner tells

    def set_runs(self, runs: Sequence[RunScore]) -> None:
        """The baseline first, then the runs that are compared with it."""
        self.runs.set_runs(runs)
        self.runs.setVisible(bool(runs))

    def set_counts(self, counts: PairCounts | None) -> None:
        """Show other runs or newer numbers; None: there is no second run."""
        self._middle.setVisible(counts is not None)
        self._header.setVisible(counts is not None)
        if counts is None:
            self.set_total(0)
            self._stack.setCurrentWidget(self._second)
            return
        a, b = run_letter(counts.a), run_letter(counts.b)
        self._noun = counts.noun
        self._title.setText(straight(f"Same {formats.counted(2, counts.noun).partition(' ')[2]}, {a} and {b}"))
        self._test.setText(straight(counts.test))
        self._test.setVisible(bool(counts.test))
        self.cells.set_counts(counts)
        self.model.runs = self._delegate.runs = (counts.a, counts.b)
        self._show_total()

    def set_total(self, total: int) -> None:
        """Hold other rows, `total` of them, those that differ most first; none is current."""
        self.list.forget()
        self.model.set_total(total)
        self._show_total()

    def set_page(self, offset: int, rows: Sequence[ItemPairRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self.model.set_page(offset, rows, generation)

    def set_chosen(self, key: Key) -> None:
        """Outline the cell or the run with this key."""
        self.cells.set_chosen(key)
        self.runs.set_chosen(key)

    def choose(self, position: int) -> None:
        """Make a row current and visible without telling; out of range leaves none."""
        self.list.choose(position)

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # inside

    def _show_total(self) -> None:
        total = self.model.rowCount()
        self._header.set_detail(formats.counted(total, self._noun))
        self._none.set_words(f"No {self._noun} here", "Choose another of the four cells.")
        self._stack.setCurrentWidget(self.list if total else self._none)

    def _lay_out(self) -> None:
        self._middle = QWidget()
        middle = QVBoxLayout(self._middle)
        middle.setContentsMargins(12, 10, 12, 12)
        middle.setSpacing(4)
        for part in (self._title, self._test, self.cells):
            middle.addWidget(part)
        self._stack = QStackedWidget()
        for page in (self.list, self._none, self._second):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.runs)
        above.addWidget(self._middle)
        column.addWidget(ShrinkingScrollArea(upper))
        column.addWidget(self._header)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.cells.chosen.connect(self.chosen)
        self.runs.chosen.connect(self.run_chosen)
        self.model.page_wanted.connect(self.page_wanted)
        self.list.opened.connect(self.opened)
        self.list.shown.connect(self.shown)
        self._second.pressed.connect(lambda _button: self.second_wanted.emit())


class ShrinkingScrollArea(QScrollArea):
    """A scroll area as high as its content, and where that is too high, half as high as there is room; the rest
    scrolls."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(inside)
        inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return self._framed(self._inside.sizeHint())

    def minimumSizeHint(self) -> QSize:
        around, least = self.parent(), self._framed(self._inside.minimumSizeHint())
        room = around.height() if isinstance(around, QWidget) else 0
        return QSize(least.width(), min(least.height(), room // 2))

    def _framed(self, size: QSize) -> QSize:
        """The size with the border that shows the keyboard."""
        return size + QSize(2 * self.frameWidth(), 2 * self.frameWidth())


class PairCells(Tiles):
    """Both right, only A, only B, both wrong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._counts = PairCounts(PairCell(0), PairCell(0), PairCell(0), PairCell(0))
        super().__init__("Both runs on the same items", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_counts(self, counts: PairCounts) -> None:
        self._counts = counts
        self.tiles_changed()

    def shape(self) -> tuple[int, int]:
        return 2, 2

    def tile(self, row: int, column: int) -> QRectF:
        width, height = (self.width() - 2 - GAP) / 2, self._cell_height()
        return QRectF(QRectF(1 + column * (width + GAP), 1 + row * (height + GAP), width, height).toRect())

    def key(self, row: int, column: int) -> Key:
        return self._cell(row, column)[0].key

    def words(self, row: int, column: int) -> str:
        cell, words, _colour, _strength = self._cell(row, column)
        total = sum(self._cell(*place)[0].count for place in ((0, 0), (0, 1), (1, 0), (1, 1)))
        share = formats.share(cell.count / total if total else None)
        return f"{words}: {formats.count(cell.count)} of {formats.counted(total, self._counts.noun)} ({share})"

    def sizeHint(self) -> QSize:
        return QSize(200, round(2 * self._cell_height() + GAP + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, tile = theme.current(), self.tile(row, column)
        cell, words, colour, strength = self._cell(row, column)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mix(colour, strength + (0.06 if hovered else 0), colours.panel))
        painter.drawRoundedRect(tile, self.radius, self.radius)
        number, small = self._fonts()
        inside = tile.adjusted(SIDE, ABOVE, -SIDE, -ABOVE)
        painter.setPen(QColor(colours.text))
        painter.setFont(number)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignTop), formats.count(cell.count))
        painter.setFont(small)
        painter.setPen(mix(colours.text, 0.8, colours.secondary))
        cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, int(inside.width()))
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignBottom), cut)

    def _cell(self, row: int, column: int) -> tuple[PairCell, str, str, float]:
        """The cell, its words, its colour and how strong that is."""
        counts, colours = self._counts, theme.current()
        if row == column:
            if row == 0:
                return counts.both_right, "both right", colours.hit, 0.26
            return counts.both_wrong, "both wrong", colours.miss, 0.22
        run, cell = (counts.a, counts.only_a) if column else (counts.b, counts.only_b)
        return cell, f"only {run_letter(run)} right", colours.run_colour(run), 0.26 if column else 0.24

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 15, weight=QFont.Weight.DemiBold), derived(self.font(), 11)

    def _cell_height(self) -> float:
        number, small = self._fonts()
        return round(QFontMetricsF(number).height() + QFontMetricsF(small).height() + 2 * ABOVE + 2)
