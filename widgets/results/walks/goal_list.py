"""The goals of a roll-out: each in two lines, with the sign of what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.walks.walk_values import CLASS_ICONS, CLASS_TITLES, GoalRow

Index = QModelIndex | QPersistentModelIndex
GoalRole = Qt.ItemDataRole.UserRole
_NONE = QModelIndex()


class GoalItemModel(QAbstractListModel):
    """The goals that are listed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[GoalRow, ...] = ()

    def set_rows(self, rows: Sequence[GoalRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    @property
    def rows(self) -> tuple[GoalRow, ...]:
        return self._rows

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == GoalRole:
            return row
        words = f"{row.goal}\n{outcome_words(row)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(f"{words}. {row.why}")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return words
        return None


def outcome_words(row: GoalRow) -> str:
    """What came of a goal's walk, in a line."""
    actions = formats.counted(row.actions or 0, "action")
    if row.under_way:
        return f"Under way: {actions}, the person {row.human}"
    if row.kind is None:
        return "could not be walked"
    return f"{CLASS_TITLES[row.kind]}: {actions}, the person {row.human}"


class GoalDelegate(QStyledItemDelegate):
    """Goal above; app, actions and the person's below."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        lines = QFontMetrics(derived(option.font, 13)).height() + QFontMetrics(derived(option.font, 11.5)).height()
        return QSize(200, lines + 2 * theme.padding(7))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, colours, place = index.data(GoalRole), theme.current(), option.rect
        painter.save()
        paint_row_ground(painter, option)
        tint = colours.miss if row.kind is None or not row.kind.success else colours.hit
        name = "error" if row.kind is None else CLASS_ICONS[row.kind]
        if row.under_way:
            name, tint = "walk", colours.accent
        icons.icon(name, lambda: tint).paint(painter, QRect(place.left() + 12, place.center().y() - 7, 14, 14))
        inside = place.adjusted(34, theme.padding(7), -12, -theme.padding(7))
        painter.setFont(derived(option.font, 13))
        painter.setPen(QColor(colours.text))
        cut = painter.fontMetrics().elidedText(straight(row.goal), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignTop, cut)
        painter.setFont(derived(option.font, 11.5))
        painter.setPen(QColor(colours.secondary))
        human = "" if row.human is None else f"person {row.human}"
        actions = "not walked" if row.actions is None else formats.counted(row.actions, "action")
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, human)
        left = "   ".join(filter(None, (formats.app_name(row.app), actions)))
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom, straight(left))
        painter.restore()


class GoalList(RowTable):
    """One goal is current; J and K do not move here but along the walk."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Goals", parent)
        self.goals = GoalItemModel(self)
        self.setModel(self.goals)
        self.setItemDelegate(GoalDelegate(self))
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _measure(self) -> None:
        lines = QFontMetrics(derived(self.font(), 13)).height() + QFontMetrics(derived(self.font(), 11.5)).height()
        self.verticalHeader().setDefaultSectionSize(lines + 2 * theme.padding(7) + 2)
