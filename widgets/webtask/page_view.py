"""The page of a web task in the window: picture, hands, its drop-down lists, and what stands there when it is lost."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from stepscope.core.domain.geometry import Box
from stepscope.widgets.common import ErrorCard
from stepscope.widgets.screen.painter import qrect
from stepscope.widgets.webtask.page_fields import ListItem
from stepscope.widgets.webtask.page_input import PageInput
from stepscope.widgets.webtask.page_list import PageList

_CARD_WIDTH, _CARD_MARGIN = 440, 16


class PageView(PageInput):
    """`list_chosen(str)`: the value of the item that was taken from a drop-down list; `list_closed()`: none was.
    `reload_wanted()`: the button over a lost page."""

    list_chosen = Signal(str)
    list_closed = Signal()
    reload_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listed = False
        self.list = PageList(self)
        self.list.taken.connect(self._took)
        self.list.closed.connect(self._closed)
        self.lost = ErrorCard(parent=self)
        self.lost.hide()
        self.lost.pressed.connect(lambda _button: self.reload_wanted.emit())
        self.lost.installEventFilter(self)

    # Drop-down lists

    def show_list(self, items: Sequence[ListItem], box: Box, name: str = "") -> None:
        """Open the list of a field under its box (in pixels of the document); it closes by itself."""
        self.list.hide()
        if not items or not self.takes_hands:
            return
        place = qrect(self.frame.rect_of(box)).toAlignedRect()
        self._listed = True
        self.list.open(items, name, QRect(self.mapToGlobal(place.topLeft()), place.size()))

    def _took(self, value: str) -> None:
        self._listed = False
        self.list_chosen.emit(value)

    def _closed(self) -> None:
        if self._listed:
            self._listed = False
            self.list_closed.emit()

    # A page that is no more

    def show_lost(self, why: str, title: str = "The page is lost.") -> None:
        """The picture goes grey, with the reason and a button; an empty reason: the page is there again."""
        self.set_grey(bool(why))
        if why:
            self.list.hide()
            self.lost.set_error(title, why, (("reload", "Reload"),))
        self.lost.setVisible(bool(why))
        self._place_card()

    @property
    def is_lost(self) -> bool:
        return not self.lost.isHidden()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Other words, or another text size, need another place."""
        if watched is self.lost and event.type() == QEvent.Type.LayoutRequest:
            self._place_card()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_card()

    def _place_card(self) -> None:
        width = max(1, min(_CARD_WIDTH, self.width() - 2 * _CARD_MARGIN))
        height = max(self.lost.heightForWidth(width), self.lost.sizeHint().height())
        size = QSize(width, min(height, max(1, self.height() - 2 * _CARD_MARGIN)))
        self.lost.setGeometry((self.width() - size.width()) // 2, (self.height() - size.height()) // 2, *size.toTuple())
