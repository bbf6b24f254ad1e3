"""The turns one below the other. Only those in view are painted; of the others no more is known than their height."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.live.conversation.conversation_turns import TurnKind
from stepscope.widgets.live.conversation.turn_painting import paint_turn, turn_height
from stepscope.widgets.live.conversation.turns_item_model import TurnsItemModel

Index = QModelIndex | QPersistentModelIndex


class TurnDelegate(QStyledItemDelegate):
    """Paints a turn; `step` is the one that is shown elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.step: int | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, TurnsItemModel)
        turn = model.turn(index.row())
        if turn is None:
            return
        painter.save()
        lit = turn.step is not None and turn.step == self.step
        ring = bool(option.state & QStyle.StateFlag.State_HasFocus)
        paint_turn(painter, option.rect, turn, option.font, model.around(index.row()), lit=lit, ring=ring)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, 24)


class TurnList(PagedList):
    """`step_chosen` fires for a click and for Enter on a turn that has a step. Stays at its end while new turns come,
    unless the person has scrolled up."""

    step_chosen = Signal(int)

    def __init__(self) -> None:
        self._turns = TurnsItemModel()
        self._delegate = TurnDelegate()
        super().__init__("Conversation", self._delegate)
        self.setModel(self._turns)
        self.horizontalHeader().setStretchLastSection(False)  # it would leave out a frame of its own
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._turns.rowsInserted.connect(self._came)
        self._turns.rowsRemoved.connect(self._went)
        self._turns.dataChanged.connect(lambda first, last: self._measure_rows(first.row(), last.row()))
        self.taken.connect(self._take)

    def turns(self) -> TurnsItemModel:
        return self._turns

    def set_current_step(self, step: int | None) -> None:
        """Light the turns of this step and bring the first of them into view."""
        if step == self._delegate.step:
            return
        self._delegate.step = step
        place = next((i for i, turn in enumerate(self._turns.turns()) if step is not None and turn.step == step), -1)
        if place >= 0:
            self.scrollTo(self._turns.index(place))
        self.viewport().update()

    def at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - 4

    def sizeHint(self) -> QSize:
        return QSize(300, self.verticalHeader().length() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, min(self.verticalHeader().length(), 96) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        end = self.at_end()
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width())
        if event.size().width() != event.oldSize().width():
            self._measure_rows(0, self._turns.rowCount() - 1, wrapped=True)
        if end:
            self.scrollToBottom()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._take(self.indexAt(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def menu_for(self, place: int) -> QMenu:
        turn = self._turns.turn(place)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy, go = menu.addAction("Copy text"), menu.addAction("Go to step")
        copy.setEnabled(turn is not None)
        go.setEnabled(turn is not None and turn.step is not None)
        copy.triggered.connect(lambda: self._copy(place))
        go.triggered.connect(lambda: self._take(self._turns.index(place)))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu by mouse for the turn under it, by key for the current one."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            spot = self.visualRect(index).center() if by_key else event.pos()
            self.menu_for(index.row()).popup(self.viewport().mapToGlobal(spot))

    def _copy(self, place: int) -> None:
        turn = self._turns.turn(place)
        if turn is not None:
            QGuiApplication.clipboard().setText(turn.text)

    def _take(self, index: QModelIndex) -> None:
        turn = self._turns.turn(index.row())
        if turn is not None and turn.step is not None:
            self.step_chosen.emit(turn.step)

    # heights

    def _came(self, _parent: QModelIndex, first: int, last: int) -> None:
        """The row before the new ones may be the last of its card no more."""
        end = self.at_end()
        self._measure_rows(first - 1, last)
        if end:
            self.scrollToBottom()

    def _went(self, _parent: QModelIndex, first: int, _last: int) -> None:
        self._measure_rows(first - 1, first)

    def _measure(self) -> None:
        """All rows anew: another width or text size."""
        self._measure_rows(0, self._turns.rowCount() - 1)

    def _measure_rows(self, first: int, last: int, *, wrapped: bool = False) -> None:
        """`wrapped`: only those whose height depends on the width."""
        header, font, width = self.verticalHeader(), self.font(), self.viewport().width()
        for place in range(max(first, 0), min(last, self._turns.rowCount() - 1) + 1):
            turn = self._turns.turn(place)
            if turn is not None and not (wrapped and turn.kind is TurnKind.ACTION):
                high = turn_height(turn, font, width, self._turns.around(place))
                if header.sectionSize(place) != high:
                    header.resizeSection(place, high)
        self.updateGeometry()
