"""What was done to the page, step by step; a click shows the page as it was after that action."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from stepscope.core.webtask.page import ExecutedCall
from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import EmptyState, PanelHeader, icon_button
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import monospace
from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.webtask.action_log_item_model import (
    ERROR,
    OK,
    ActionLogItemModel,
    LaterRole,
    LineRole,
    result_words,
)
from stepscope.widgets.webtask.action_words import argument_words, call_words

Index = QModelIndex | QPersistentModelIndex
MARGIN, GAP, ROOM = 12, 8, 9
PIXELS = 11.5
LATER = 0.5
"""How strong the words are of what the shown page has not seen yet."""
LONGEST = 300
"""Letters of the arguments that are looked at for their one line."""
LEAST_ROWS = 2
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NOTHING = ("Nothing was done yet", "What a model or you do on the page stands here.")


class ActionDelegate(QStyledItemDelegate):
    """Time, name and arguments of the action, what came of it."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(200, QFontMetrics(monospace(option.font, PIXELS)).height() + ROOM)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: ExecutedCall = index.data(LineRole)
        colours, place = theme.current(), option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(colours.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, QColor(colours.hover))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus_ring(painter, place)
        painter.setFont(monospace(option.font, PIXELS))
        if index.data(LaterRole):
            painter.setOpacity(LATER)
        inside = place.adjusted(MARGIN, 0, -MARGIN, 0)
        right = _paint_result(painter, inside, line)
        _paint_call(painter, QRect(inside.left(), inside.top(), right - inside.left(), inside.height()), line)
        painter.restore()


def _paint_result(painter: QPainter, inside: QRect, line: ExecutedCall) -> int:
    """Paint the result at the right; gives where the call must end."""
    colours, words = theme.current(), result_words(line)
    if not words:
        return inside.right()
    painter.setPen(QColor({OK: colours.hit, ERROR: colours.miss}.get(words, colours.dim)))
    cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, inside.width() // 3)
    painter.drawText(inside, RIGHT, cut)
    return inside.right() - painter.fontMetrics().horizontalAdvance(cut) - GAP


def _paint_call(painter: QPainter, room: QRect, line: ExecutedCall) -> None:
    colours, metrics = theme.current(), painter.fontMetrics()
    time = time_words(line.at)
    left = room.left() + max(map(metrics.horizontalAdvance, ("00.0", time))) + GAP
    painter.setPen(QColor(colours.dim))
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, time)
    for words, colour in (
        (line.action.name, colours.accent),
        (argument_words(line.action)[:LONGEST], colours.secondary),
    ):
        if left < room.right() and words:
            cut = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, room.right() - left)
            painter.setPen(QColor(colour))
            place = QRect(left, room.top(), room.right() - left + 1, room.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cut)
            left += metrics.horizontalAdvance(cut) + GAP


def time_words(seconds: float) -> str:
    """4.8; from a minute on 1:05."""
    return formats.moment(seconds).removesuffix(" s")


class _ActionList(PagedList):
    """Up in the first row goes to the page as it was loaded."""

    copy_wanted = Signal()
    left_upwards = Signal()

    def __init__(self) -> None:
        super().__init__("Action log", ActionDelegate())
        self.horizontalHeader().setStretchLastSection(False)  # it would leave out a frame of its own

    def minimumSizeHint(self) -> QSize:
        return QSize(160, LEAST_ROWS * self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)


class ActionLogPanel(QWidget):
    """`scrubbed` carries how many actions the page is to be shown after: 0 as it was loaded."""

    scrubbed = Signal(int)
    program_requested = Signal()
    """Copy the log as a program of actions."""
    export_requested = Signal()
    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._quiet = False
        self.program = icon_button("code", "Copy as a program of actions")
        self.export = icon_button("export", "Export the actions…")
        self.header = PanelHeader("Action log", self.program, self.export)
        self.model = ActionLogItemModel(self)
        self.list = _ActionList()
        self.list.setModel(self.model)
        self._empty = EmptyState("tap", *NOTHING)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._stack, 1)
        self._connect()
        self._show_state(0.0)

    def set_lines(
        self, lines: Sequence[ExecutedCall], seconds: float | None = None, position: int | None = None
    ) -> None:
        """All actions so far; `seconds` is how long the whole took, by default until the last one was done. `position`
        as in `set_position`: by default after the last one."""
        took = max((line.at + line.took for line in lines), default=0.0) if seconds is None else seconds
        self._quiet = True
        self.model.set_lines(lines)
        self._quiet = False
        self._show_state(took)
        self.set_position(len(lines) if position is None else position)

    def set_position(self, position: int) -> None:
        """The page is shown after so many actions; tells nobody."""
        self.model.set_position(position)
        row = self.model.position - 1
        self._quiet = True
        if row < 0:
            self.list.selectionModel().clear()
        else:
            index = self.model.index(row, 0)
            self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.list.scrollTo(index)
        self._quiet = False

    def hasHeightForWidth(self) -> bool:
        """No: for the sake of the words of its empty state a layout would give it more than its least, and cut what
        stands beside it."""
        return False

    def position(self) -> int:
        return self.model.position

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        return self._empty.words() if self._stack.currentWidget() is self._empty else ""

    # inside

    def _connect(self) -> None:
        self.program.clicked.connect(self.program_requested)
        self.export.clicked.connect(self.export_requested)
        self.list.selectionModel().selectionChanged.connect(lambda *_both: self._selection_came())
        self.list.left_upwards.connect(lambda: self._scrub(0))
        self.list.copy_wanted.connect(self._copy)

    def _selection_came(self) -> None:
        rows = [index.row() for index in self.list.selectionModel().selectedIndexes()]
        if rows and not self._quiet:
            self._scrub(rows[0] + 1)

    def _scrub(self, position: int) -> None:
        if position != self.model.position:
            self.set_position(position)
            self.scrubbed.emit(self.model.position)

    def _copy(self) -> None:
        """The current line; without one, all."""
        current = self.model.line(self.list.currentIndex().row())
        lines = [current] if current is not None else list(self.model.lines)
        QGuiApplication.clipboard().setText("".join(f"{call_words(line.action)}\n" for line in lines))
        self.copied.emit()

    def _show_state(self, seconds: float) -> None:
        count = len(self.model.lines)
        self.header.set_detail(f"{formats.counted(count, 'action')}, {formats.duration(seconds)}" if count else "")
        self._stack.setCurrentWidget(self.list if count else self._empty)
        for button in (self.program, self.export):
            button.setEnabled(count > 0)
