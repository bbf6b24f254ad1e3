"""What is other than on the step before, as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6 import QtWidgets
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLabel, QStyledItemDelegate, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import paint_row_ground

if TYPE_CHECKING:
    from stepscope.core.domain.mark import ChangeSign

Index = QModelIndex | QPersistentModelIndex
_SIGN = 14
_WAVE = ((-1.0, 0.25), (-0.5, -0.4), (0.0, 0.0), (0.5, 0.4), (1.0, -0.25))
_WORDS = {"appeared": "Appeared", "vanished": "Vanished", "changed": "Changed", "region": "Picture"}
"""By the value of the sign."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """`name` is the element in a line, `detail` what is other about it."""

    sign: ChangeSign
    name: str
    detail: str = ""


class _ChangesModel(QAbstractListModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ChangeRow, ...] = ()

    def set_rows(self, rows: Sequence[ChangeRow]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return ": ".join(filter(None, (f"{_WORDS[row.sign.value]} {row.name}".strip(), row.detail)))
        return "\n".join(filter(None, (row.name, row.detail))) if role == Qt.ItemDataRole.ToolTipRole else None


class _ChangeDelegate(QStyledItemDelegate):
    """The sign, the element, what is other about it in dim words."""

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(160, QFontMetrics(derived(option.font, 12)).height() + 9)

    def paint(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, _ChangesModel)
        row, colours, place = model.rows[index.row()], theme.current(), option.rect
        painter.save()
        paint_row_ground(painter, option)
        _paint_sign(painter, QRectF(place.left() + 12, place.center().y() - _SIGN / 2 + 0.5, _SIGN, _SIGN), row.sign)
        painter.setFont(derived(option.font, 12))
        metrics, left = painter.fontMetrics(), place.left() + 12 + _SIGN + 8
        room = QRect(left, place.top(), place.right() - left - 8, place.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        name = metrics.elidedText(straight(row.name), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(QColor(colours.text))
        painter.drawText(room, middle, name)
        beside = room.adjusted(metrics.horizontalAdvance(name) + 8, 0, 0, 0)
        if row.detail and beside.width() > 20:
            painter.setPen(QColor(colours.dim))
            cut = metrics.elidedText(straight(row.detail), Qt.TextElideMode.ElideRight, beside.width())
            painter.drawText(beside, middle | Qt.AlignmentFlag.AlignRight, cut)
        painter.restore()


def _paint_sign(painter: QPainter, place: QRectF, sign: ChangeSign) -> None:
    """A disc with plus, minus or wave as on the screen, in the theme's colour; a dotted square for the picture."""
    from stepscope.core.domain.mark import ChangeSign  # comes with the first change

    colours = theme.current()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour, ground = QColor(colours.change), QColor(colours.panel)
    gone = sign is ChangeSign.VANISHED
    painter.setPen(QPen(colour, 1.4))
    if sign is ChangeSign.REGION:
        painter.setPen(QPen(colour, 1.2, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(1.5, 1.5, -1.5, -1.5))
        return
    painter.setBrush(Qt.BrushStyle.NoBrush if gone else colour)
    painter.drawEllipse(place.adjusted(1, 1, -1, -1))
    painter.setPen(QPen(colour if gone else ground, 1.6))
    middle, arm = place.center(), _SIGN / 4

    def at(dx: float, dy: float) -> QPointF:
        return QPointF(middle.x() + dx * arm, middle.y() + dy * arm)

    if sign is ChangeSign.CHANGED:
        painter.drawPolyline([at(dx, dy) for dx, dy in _WAVE])
        return
    painter.drawLine(at(-1, 0), at(1, 0))
    if sign is ChangeSign.APPEARED:
        painter.drawLine(at(0, -1), at(0, 1))


class ChangesList(QWidget):
    """A line of words over the list. Rows are told by their place, -1 for none; what the program sets is not told."""

    row_hovered = Signal(int)
    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _ChangesModel(self)
        self._words = QLabel()
        self._words.setProperty("role", "secondary")
        self._words.setWordWrap(True)
        self._words.setContentsMargins(12, 0, 12, 8)
        self.list = PagedList("Changes since the step before", _ChangeDelegate())
        self.list.setModel(self._model)
        self.list.entered.connect(lambda index: self.row_hovered.emit(index.row()))
        self.list.viewportEntered.connect(lambda: self.row_hovered.emit(-1))
        self.list.viewport().installEventFilter(self)
        self.list.selectionModel().currentChanged.connect(self._current_came)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._words)
        column.addWidget(self.list, 1)

    def set_changes(self, words: str, rows: Sequence[ChangeRow]) -> None:
        """List other changes; none is chosen."""
        self._words.setText(straight(words))
        self._model.set_rows(rows)

    def words(self) -> str:
        return self._words.text()

    def rows(self) -> tuple[ChangeRow, ...]:
        return self._model.rows

    def _current_came(self, current: QModelIndex) -> None:
        if current.isValid():
            self.row_chosen.emit(current.row())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.row_hovered.emit(-1)
        return super().eventFilter(watched, event)
