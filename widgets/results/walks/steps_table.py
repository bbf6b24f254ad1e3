"""Both ways side by side: a lane in each row, a step in each column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.core.domain.walk import StepCourse
from stepscope.widgets import theme
from stepscope.widgets.common.badge import badge_colours
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph
from stepscope.widgets.results.walks.walk_values import COURSE_BADGES, HUMAN, WalkLane, WalkMove

Index = QModelIndex | QPersistentModelIndex
LaneRole, MoveRole = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_NONE = QModelIndex()
_TITLE, _STEP = 168, 104


class StepsItemModel(QAbstractTableModel):
    """The first column names the lane."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lanes: tuple[WalkLane, ...] = ()

    def set_lanes(self, lanes: Sequence[WalkLane]) -> None:
        self.beginResetModel()
        self._lanes = tuple(lanes)
        self.endResetModel()

    @property
    def lanes(self) -> tuple[WalkLane, ...]:
        return self._lanes

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._lanes)

    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() or not self._lanes else 1 + max(len(lane.moves) for lane in self._lanes)

    def move(self, index: Index) -> WalkMove | None:
        moves = self._lanes[index.row()].moves
        return moves[index.column() - 1] if 0 < index.column() <= len(moves) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        lane, move = self._lanes[index.row()], self.move(index)
        if role == LaneRole:
            return lane
        if role == MoveRole:
            return move
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == 0:
                return f"{lane.title}, {sum(one.icon != 'finish' for one in lane.moves)}"
            return None if move is None else move.label
        if role == Qt.ItemDataRole.ToolTipRole and move is not None:
            course = "" if move.course is None else f" ({move.course})"
            return tip_words(f"{move.title} {move.detail}{course} {move.why}".strip())
        return None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and way is Qt.Orientation.Horizontal:
            return "Steps" if section == 0 else str(section)
        return None


class _StepDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, place = theme.current(), option.rect
        lane, move = index.data(LaneRole), index.data(MoveRole)
        painter.save()
        if move is not None:
            kind = "neutral" if move.course is None else COURSE_BADGES[move.course]
            ink, ground = badge_colours(kind)
            plain = kind == "neutral" and move.course is not StepCourse.DETOUR
            if plain:
                ink = QColor(colours.text)
            else:
                painter.fillRect(place.adjusted(0, 0, -1, -1), ground)
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setPen(QColor(colours.selection_line))
                painter.drawRect(place.adjusted(0, 0, -2, -2))
        else:
            ink = QColor(colours.text)
        painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
        painter.fillRect(QRect(place.right(), place.top(), 1, place.height()), QColor(colours.line2))
        inside = place.adjusted(8, 0, -6, 0)
        if index.column() == 0:
            glyph = QRect(place.left() + 10, place.center().y() - 6, 13, 13).toRectF()
            if lane.id == HUMAN:
                paint_reference_glyph(painter, glyph)
            elif lane.letter is not None:
                paint_run_glyph(painter, glyph, lane.letter)
            inside.setLeft(place.left() + 32)
        painter.setFont(derived(option.font, 12.5))
        painter.setPen(ink)
        cut = painter.fontMetrics().elidedText(
            straight(str(index.data() or "")), Qt.TextElideMode.ElideRight, inside.width()
        )
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, cut)
        painter.restore()


class StepsTable(RowTable):
    """Cells are chosen one by one."""

    move_chosen = Signal(str, int)
    """lane and step"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Steps of the ways", parent)
        self.steps = StepsItemModel(self)
        self.setModel(self.steps)
        self.setItemDelegate(_StepDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._tell)
        self._told = True

    def set_lanes(self, lanes: Sequence[WalkLane]) -> None:
        """The ways that are shown."""
        self._told = False
        self.steps.set_lanes(lanes)
        self._told = True
        for column in range(self.steps.columnCount()):
            self.setColumnWidth(column, _STEP if column else _TITLE)
        bar = self.horizontalScrollBar().sizeHint().height()
        rows = max(1, len(lanes)) * self.row_height()
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows + bar + 4)

    def choose(self, lane: str, number: int) -> None:
        """Mark a step; tells nobody."""
        for row, one in enumerate(self.steps.lanes):
            if one.id == lane:
                self._told = False
                index = self.steps.index(row, number + 1)
                self.setCurrentIndex(index)
                self.scrollTo(index)
                self._told = True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _tell(self, now: QModelIndex, _before: QModelIndex) -> None:
        if self._told and now.isValid() and self.steps.move(now) is not None:
            self.move_chosen.emit(self.steps.lanes[now.row()].id, now.column() - 1)
