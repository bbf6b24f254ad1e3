"""Messages that never stop anyone: bars across the view with words, buttons and a cross."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import LinkButton, icon_button, text_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import straight

ICONS = {"info": "info", "done": "check", "warn": "warning", "error": "warning"}
MOST_SHOWN, MOST_OPENED = 3, 8
"""Older messages wait behind "and 2 more"; a wall of bars helps nobody."""
BESIDE, BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
BESIDE_WORDS, LEAST_WORDS = 98, 220
"""Pixels of sign, cross and margins; and those that words need beside buttons, at the usual text size."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
OWN_KEYS = (*ENTER, Qt.Key.Key_Space, Qt.Key.Key_Escape)
MOST_KEPT = 30
"""Beyond this the oldest that is no error goes."""
MOVING = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
FLOATING_ROOM, FLOATING_GAP = 110, 12
"""Beside the words of a passing message, for its signs; and below it."""
DONE_STAYS_MS, OFFER_STAYS_MS = 6000, 15000
"""What says that something was done goes by itself, later where it has a button; it stays under the pointer and while
it has the keyboard."""


class MessageItem(QWidget):
    """One message: `kind` is info, done, warn or error; `title` stands bold before `text`; the first button leads."""

    pressed = Signal(str)
    closed = Signal()

    def __init__(
        self, kind: str, text: str, title: str, buttons: Sequence[tuple[str, str]], about: Hashable = None
    ) -> None:
        super().__init__()
        self.kind, self.text, self.title, self.about = kind, text, title, about
        self.buttons = tuple(identifier for identifier, _words in buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 10, 8)
        row.setSpacing(10)
        row.addWidget(self._sign())
        self._body = QBoxLayout(BESIDE)
        self._body.setSpacing(10)
        row.addLayout(self._body, 1)
        self._said = QBoxLayout(BESIDE)
        self._said.setSpacing(10)
        self._words = [_label(words, role) for words, role in ((title, "title"), (text, "")) if words]
        for label in self._words:
            self._said.addWidget(label, 1 if label is self._words[-1] and text else 0)
        self._body.addLayout(self._said, 1)
        self._actions = QWidget(self)
        self._flow = FlowLayout(10, self._actions)
        for place, (identifier, words) in enumerate(buttons):
            button = text_button(words, primary=place == 0 and kind in ("info", "done"))
            button.clicked.connect(lambda _checked=False, chosen=identifier: self.pressed.emit(chosen))
            self._flow.addWidget(button)
        self._actions.setVisible(bool(buttons))
        self._body.addWidget(self._actions)
        close = icon_button("clear", "Close message")
        close.clicked.connect(self.closed)
        row.addWidget(close)
        self.setAccessibleName(" ".join(filter(None, (f"{kind}:", title, text))))

    def _sign(self) -> QLabel:
        sign = QLabel()
        sign.setPixmap(icons.icon(ICONS[self.kind], lambda: _colour(self.kind)).pixmap(QSize(16, 16)))
        return sign

    def minimumSizeHint(self) -> QSize:
        """As narrow as the widest button: then the words stand above them."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), BESIDE_WORDS + self._flow.minimumSize().width()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the buttons would leave the words little room they stand below them, and the text below its title."""
        super().resizeEvent(event)
        room = event.size().width() - BESIDE_WORDS
        least = round(LEAST_WORDS * pixel_size(self.font()) / BASE_PIXELS)
        below = bool(self.buttons) and room - self.buttons_width() < least
        title = self._words[0].sizeHint().width() if len(self._words) > 1 else 0
        beside = room - title - (0 if below else self.buttons_width()) >= least
        self._said.setDirection(BESIDE if beside or not title else BELOW)
        self._said.setSpacing(10 if beside else 2)
        self._body.setDirection(BELOW if below else BESIDE)
        self._actions.setMinimumWidth(0 if below else self.buttons_width())

    def buttons_width(self) -> int:
        """What the buttons take side by side."""
        return sum(one.sizeHint().width() + 10 for one in self.findChildren(QPushButton))

    def event(self, event: QEvent) -> bool:
        """Enter, Space and Esc are meant for the message while one of its buttons has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and cast(QKeyEvent, event).key() in OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in ENTER and isinstance(button, QAbstractButton):
            button.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(_colour(self.kind))
        ground.setAlphaF(0.14)
        place = QRectF(self.rect()).adjusted(4.5, 2.5, -4.5, -2.5)
        painter.setPen(QPen(QColor(theme.current().line), 1))
        painter.setBrush(QColor(theme.current().panel))
        painter.drawRoundedRect(place, 8, 8)
        painter.setBrush(ground)
        painter.drawRoundedRect(place, 8, 8)
        painter.end()


class MessageBar(QWidget):
    """The newest messages, one under the other; nothing at all when there is none.

    At most three are shown, errors before others; a line below says how many more there are and opens the list. One
    that is told again while it is open stands there once. `button_pressed` gives the button's id; the message of the
    button then goes. What says that something was done lies over the foot of the widget that `float_over` names:
    nothing is laid out anew for it.
    """

    button_pressed = Signal(str)
    message_gone = Signal(object)
    """ids of its buttons; after `button_pressed`, where one was"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: dict[tuple[str, str], MessageItem] = {}
        self._opened = False
        self._came_from: QWidget | None = None
        """what had the keyboard before `enter`"""
        self._floor: QWidget | None = None
        self._clear: list[QWidget] = []
        self._more = LinkButton()
        self._more.clicked.connect(self._toggle)
        foot = QHBoxLayout()
        foot.setContentsMargins(40, 0, 10, 0)
        foot.addWidget(self._more)
        foot.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(foot)
        self._more.hide()
        self.hide()

    def float_over(self, floor: QWidget) -> None:
        """The widget at whose foot passing messages lie."""
        self._floor = floor
        floor.installEventFilter(self)

    def keep_clear(self, bar: QWidget) -> None:
        """A bar at the foot of the floor that passing messages lie above while it is shown."""
        self._clear.append(bar)
        bar.destroyed.connect(lambda: self._clear.remove(bar))
        bar.installEventFilter(self)

    def show_message(
        self, kind: str, text: str, title: str = "", buttons: Sequence[tuple[str, str]] = (), about: Hashable = None
    ) -> None:
        """Show a message on top; `kind` is info, done, warn or error, `buttons` are (id, words), `about` what it goes
        with."""
        key = (title, text)
        self._remove(key)
        item = MessageItem(kind, text, title, buttons, about)
        item.pressed.connect(lambda chosen: self._press(key, chosen))
        item.closed.connect(lambda: self._remove(key))
        passes = kind == "done"
        if passes:
            timer = QTimer(item)
            timer.timeout.connect(lambda: self._pass(key))
            timer.start(OFFER_STAYS_MS if buttons else DONE_STAYS_MS)
        self._items[key] = item
        if passes and self._floor is not None:
            item.setParent(self._floor)
        else:
            self._column.insertWidget(0, item)
        self._let_go_oldest()
        self._arrange()

    def enter(self) -> bool:
        """Give the keyboard to the first button of the newest message, or its cross; where the message goes, what had
        the keyboard has it again. False where there is no message."""
        if not self._items:
            return False
        self._place_floating()
        had = QApplication.focusWidget()
        if not any(item.isAncestorOf(had) for item in self._items.values() if had is not None):
            self._came_from = had
            if had is not None:
                had.destroyed.connect(self._forget_where_from)
        buttons = self.items()[0].findChildren(QAbstractButton)
        buttons[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def _forget_where_from(self) -> None:
        self._came_from = None

    def _give_back_keyboard(self) -> None:
        came_from, self._came_from = self._came_from, None
        if came_from is not None and came_from.isVisible():
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_messages(self) -> None:
        """Take all away."""
        for key in list(self._items):
            self._remove(key)

    def take_away(self, about: Hashable) -> None:
        """Take away all messages that are about this."""
        for key in [key for key, item in self._items.items() if item.about == about and about is not None]:
            self._remove(key)

    def items(self) -> list[MessageItem]:
        """All that are open, newest first."""
        return list(reversed(self._items.values()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVING and (watched is self._floor or watched in self._clear):
            self._place_floating()
        return super().eventFilter(watched, event)

    def _press(self, key: tuple[str, str], chosen: str) -> None:
        item = self._take_off(key)
        self.button_pressed.emit(chosen)
        if item is not None:
            self.message_gone.emit(item.buttons)

    def _pass(self, key: tuple[str, str]) -> None:
        item = self._items[key]
        focus = item.focusWidget()
        if not item.underMouse() and (focus is None or not focus.hasFocus()):
            self._remove(key)

    def _toggle(self) -> None:
        self._opened = not self._opened
        self._arrange()

    def _remove(self, key: tuple[str, str]) -> None:
        item = self._take_off(key)
        if item is not None:
            self.message_gone.emit(item.buttons)

    def _take_off(self, key: tuple[str, str]) -> MessageItem | None:
        item = self._items.pop(key, None)
        if item is not None:
            had = QApplication.focusWidget()
            if had is not None and item.isAncestorOf(had):
                self._give_back_keyboard()
            item.hide()
            item.deleteLater()
            self._arrange()
        return item

    def _let_go_oldest(self) -> None:
        passing = [key for key, item in self._items.items() if item.kind != "error"]
        for key in passing[: max(0, len(self._items) - MOST_KEPT)]:
            self._remove(key)

    def _floating(self) -> list[MessageItem]:
        return [item for item in self.items() if self._floor is not None and item.parent() is self._floor]

    def _arrange(self) -> None:
        floating = self._floating()
        laid_out = [item for item in self.items() if item not in floating]
        most = MOST_OPENED if self._opened else MOST_SHOWN
        shown = sorted(laid_out, key=lambda item: item.kind != "error")[:most]
        for item in laid_out:
            item.setVisible(item in shown)
        hidden = len(laid_out) - len(shown)
        self._opened = self._opened and len(laid_out) > MOST_SHOWN
        self._more.setVisible(hidden > 0 or self._opened)
        self._more.setText("Show fewer" if self._opened else f"and {hidden} more")
        self._more.setAccessibleName(f"{self._more.text()} messages")
        self._more.updateGeometry()
        self.setVisible(bool(laid_out))
        QTimer.singleShot(0, self, self._place_floating)  # what came before is laid out and painted first

    def _place_floating(self) -> None:
        """The newest at the foot of the floor, above the bars there; it has no more than one line to itself."""
        floating, floor = self._floating(), self._floor
        if floor is None:
            return
        bars = (bar for bar in self._clear if bar.isVisible() and floor.isAncestorOf(bar))
        foot = min((bar.mapTo(floor, QPoint()).y() for bar in bars), default=floor.height())
        for item in floating[1:]:
            item.hide()
        for item in floating[:1]:
            line = item.fontMetrics().horizontalAdvance(item.text) + FLOATING_ROOM + item.buttons_width()
            width = min(max(item.sizeHint().width(), line), floor.width())
            height = max(item.heightForWidth(width), item.minimumSizeHint().height())
            item.setGeometry((floor.width() - width) // 2, foot - height - FLOATING_GAP, width, height)
            item.show()
            item.raise_()


def _label(words: str, role: str) -> QLabel:
    label = QLabel(straight(words))
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    else:
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _colour(kind: str) -> str:
    colours = theme.current()
    return {"done": colours.hit, "warn": colours.warn, "error": colours.miss}.get(kind, colours.selection_line)
