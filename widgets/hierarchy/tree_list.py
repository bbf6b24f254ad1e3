"""The tree itself: rows painted by hand, hovering told, arrows that open and close."""

from __future__ import annotations

from typing import cast

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyledItemDelegate, QTreeView

from stepscope.core.domain.elements import UIElement
from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph
from stepscope.widgets.hierarchy.ui_tree_item_model import ElementRole, MarksRole, UITreeItemModel

INDENT = 13
LEAST_INDENT = 8
INDENT_SHARE = 0.4
"""Of the width that the deepest row may be indented by: deep trees go in by smaller steps."""
ROW_PADDING = 7
GLYPH = 11
GAP = 4
Index = QModelIndex | QPersistentModelIndex


class ElementDelegate(QStyledItemDelegate):
    """Class, id in the accent colour; at the right words in quotes, or what the element is, and the marks on it. What
    has neither class nor id (a line of text that was read) has its words at the left."""

    def __init__(self, parent: QTreeView) -> None:
        super().__init__(parent)
        self._font: tuple[str, QFont] | None = None

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(160, QFontMetrics(self._font_of(option.font)).height() + ROW_PADDING)

    def paint(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        element: UIElement | None = index.data(ElementRole)
        if element is None:
            return
        painter.save()
        painter.setFont(self._font_of(option.font))
        place = option.rect.adjusted(GAP, 0, -8, 0)
        right = _paint_marks(painter, place, index.data(MarksRole))
        left = self._paint_name(painter, QRect(place.topLeft(), QPoint(right, place.bottom())), element)
        room = QRect(left + 8, place.top(), right - left - 8, place.height())
        _paint_words(painter, room, _aside(element, self._collapsed_children(index)))
        painter.restore()

    def _font_of(self, base: QFont) -> QFont:
        """The font of the rows; the last one is kept."""
        key = base.key()
        if self._font is None or self._font[0] != key:
            self._font = key, derived(base, 12)
        return self._font[1]

    @staticmethod
    def _paint_name(painter: QPainter, place: QRect, element: UIElement) -> int:
        colours = theme.current()
        name = element.short_class or ("" if element.short_id else _said(element) or "element")
        faded = not element.visible or not element.enabled
        left = _paint_left(painter, place, name, colours.dim if faded else colours.text)
        if element.short_id and left < place.right():
            rest = QRect(left + GAP, place.top(), place.right() - left - GAP, place.height())
            left = _paint_left(painter, rest, f"#{element.short_id}", colours.accent)
        return left

    def _collapsed_children(self, index: Index) -> int:
        view = self.parent()
        if not isinstance(view, QTreeView) or view.isExpanded(cast(QModelIndex, index)):
            return 0
        return index.model().rowCount(cast(QModelIndex, index))


def _said(element: UIElement) -> str:
    said = element.text or element.content_description
    return f"“{' '.join(said.split())}”" if said else ""


def _aside(element: UIElement, hidden_children: int) -> str:
    if said := _said(element):
        return said if element.short_class or element.short_id else ""
    if hidden_children:
        return str(hidden_children)
    return "clickable" if element.clickable else ""


def _paint_marks(painter: QPainter, place: QRect, marks: tuple[int, ...]) -> int:
    """Glyphs from the right; gives where the words must end."""
    right = place.right()
    for run in reversed(marks):
        glyph = QRectF(right - GLYPH, place.center().y() - GLYPH / 2 + 0.5, GLYPH, GLYPH)
        if run < 0:
            paint_reference_glyph(painter, glyph)
        else:
            paint_run_glyph(painter, glyph, run)
        right -= GLYPH + GAP
    return right


def _paint_left(painter: QPainter, place: QRect, text: str, colour: str) -> int:
    metrics = painter.fontMetrics()
    cut = metrics.elidedText(straight(text), Qt.TextElideMode.ElideRight, place.width())
    painter.setPen(QColor(colour))
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cut)
    return place.left() + metrics.horizontalAdvance(cut)


def _paint_words(painter: QPainter, place: QRect, text: str) -> None:
    if not text or place.width() < 20:
        return
    painter.setPen(QColor(theme.current().dim))
    cut = painter.fontMetrics().elidedText(straight(text), Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, cut)


class ElementTree(QTreeView):
    """`hovered` gives the element under the pointer, -1 when there is none."""

    hovered = Signal(int)

    def __init__(self, model: UITreeItemModel) -> None:
        super().__init__()
        self._elements = model
        self._lit = -1
        self._depth = 0
        self.setModel(model)
        self.setItemDelegate(ElementDelegate(self))
        self.setAccessibleName("UI tree")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setIndentation(INDENT)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setExpandsOnDoubleClick(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.entered.connect(lambda index: self._hover(model.element_of(index)))
        self.viewportEntered.connect(lambda: self._hover(-1))

    def light(self, element: int) -> None:
        """Show an element as hovered, from outside; tells nobody."""
        if element == self._lit:
            return
        self._lit = element
        self.viewport().update()

    def fit_depth(self, depth: int) -> None:
        """Indent so that rows this deep have room for their words."""
        self._depth = depth
        room = INDENT_SHARE * self.viewport().width() / depth if depth > 1 else INDENT
        self.setIndentation(round(min(max(room, LEAST_INDENT), INDENT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_depth(self._depth)

    def lit(self) -> int:
        return self._lit

    def drawRow(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        """The ground goes over the whole row, under the arrows too."""
        colours = theme.current()
        place = option.rect
        selected = self.selectionModel().isSelected(cast(QModelIndex, index))
        if selected:
            painter.fillRect(place, QColor(colours.selection))
        elif self._elements.element_of(index) == self._lit:
            painter.fillRect(place, QColor(colours.hover))
        super().drawRow(painter, option, index)
        if selected:
            painter.fillRect(QRect(0, place.top(), 3, place.height()), QColor(colours.selection_line))

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        if not self._elements.rowCount(index):
            return
        name = "chevron_down" if self.isExpanded(cast(QModelIndex, index)) else "chevron_right"
        place = QRect(rect.right() - 11, rect.center().y() - 5, 11, 11)
        icons.icon(name, theme.current().dim).paint(painter, place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text().isprintable() and event.text() and not event.modifiers() and event.text() not in "*+-":
            event.ignore()  # bare letters belong to the window
        else:
            super().keyPressEvent(event)

    def _hover(self, element: int) -> None:
        if element != self._lit:
            self.light(element)
            self.hovered.emit(element)
