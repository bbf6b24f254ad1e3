"""The page with a keyboard: keys, input methods and the clipboard become values."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from stepscope.core.webtask.events import KeyPress, TextInput
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.webtask.page_canvas import field_words
from stepscope.widgets.webtask.page_keys import CONTROL, PLAIN, SHIFT, TABS, held, is_for_page, is_paste, key_value
from stepscope.widgets.webtask.page_painter import paint_composed
from stepscope.widgets.webtask.page_pointer import LINE, PagePointer

HINT = "Enter or a click: keys go to the page. Esc: they leave it. Ctrl+Tab goes on to the next part of the window."
READ_ONLY_HINT = "Up and Down go from field to field, Shift with them scrolls."
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PageInput(PagePointer):
    """`hand(KeyPress | TextInput)` besides what the pointer tells. Keys go to the page once somebody has clicked into
    it or pressed Enter, until Esc; Ctrl+Tab leaves it for the next part of the window. `inside_changed(bool)`. While
    keys are the window's, Up and Down choose fields.
    """

    inside_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._down: dict[int, KeyPress] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # Whose the keys are

    def set_live(self, live: bool) -> None:
        if not live:
            self.leave()
        super().set_live(live)

    def set_grey(self, lost: bool) -> None:
        super().set_grey(lost)
        if lost:
            self.leave()

    @property
    def is_inside(self) -> bool:
        """Whether keys go to the page."""
        return self._inside

    def enter(self) -> None:
        """From now on keys go to the page."""
        if self.takes_hands and not self._inside:
            self._inside = True
            self._input_method(on=True)
            self.update()
            self.inside_changed.emit(True)

    def leave(self) -> None:
        """Keys are the window's again; those that are down are let go."""
        self._let_go()
        if self._inside:
            self._inside, self._composed = False, ""
            self._input_method(on=False)
            self.update()
            self.inside_changed.emit(False)

    def _let_go(self) -> None:
        for key in self._down.values():
            self.hand.emit(KeyPress("release", key.key, key.text, key.modifiers))
        self._down.clear()

    def _input_method(self, *, on: bool) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on)
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._inside:
            if not self._own_key(event):
                super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif not is_for_page(event):
            event.ignore()
        elif self.takes_hands:
            self._key(event)

    def _key(self, event: QKeyEvent) -> None:
        """The clipboard is the window's, so that pasting sends its text."""
        if is_paste(event):
            text = QGuiApplication.clipboard().text()
            if text:
                self.hand.emit(TextInput(text))
            return
        value = key_value(event, pressed=True)
        self._down[value.key] = value
        self.hand.emit(value)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return
        if self._down.pop(event.key(), None) is not None:
            self.hand.emit(key_value(event, pressed=False))
        else:
            super().keyReleaseEvent(event)

    def _own_key(self, event: QKeyEvent) -> bool:
        """Keys of the view itself; whether this was one of them."""
        key, modifiers = event.key(), held(event)
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key), 0)
        if key in _ENTER and modifiers == PLAIN and self.takes_hands:
            self.enter()
        elif way and modifiers == PLAIN:
            self._walk(way)
        elif way and modifiers == SHIFT:
            self.scroll_by(0.0, way * self.notch)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and modifiers in (PLAIN, SHIFT):
            self.step_zoom(-1 if key == Qt.Key.Key_Minus else 1)
        elif key == Qt.Key.Key_F and modifiers == PLAIN:
            self.set_zoom(None)
        else:
            return False
        return True

    def _walk(self, way: int) -> None:
        """To the next field in the table's order, and scroll there."""
        names = [mark.name for mark in self._marks]
        if not names:
            return
        at = names.index(self._selected) if self._selected in names else (-1 if way > 0 else len(names))
        name = names[min(max(at + way, 0), len(names) - 1)]
        if name != self._selected:
            self._choose(name)
            self.show_field(name)

    def _keeps(self, event: QKeyEvent) -> bool:
        """Whether a key has its meaning here before any shortcut of the window."""
        if self._inside:
            return event.key() == Qt.Key.Key_Escape or is_for_page(event)
        if event.key() in _ENTER:
            return self.takes_hands and held(event) == PLAIN
        return event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and held(event) in (PLAIN, SHIFT)

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._keeps(event):
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in TABS and self._inside:
            return self._tab(event)
        if kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip_words(self._tip_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def _tab(self, event: QKeyEvent) -> bool:
        """To the page's next field; with Ctrl out of the page."""
        if event.modifiers() & CONTROL:
            self.leave()
            return self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
        self.keyPressEvent(event)
        return True

    def _tip_at(self, place: QPointF) -> str:
        mark = self.mark_of(self._tag_at(place))
        if mark is not None:
            return field_words(mark, len(self._marks), self._answer_source)
        if self._inside:
            return ""
        return HINT if self._live else READ_ONLY_HINT

    # Input methods

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if not self._inside:
            event.ignore()
            return
        self._composed = event.preeditString()
        if event.commitString():
            self.hand.emit(TextInput(event.commitString()))
        self.update(self._page_area())
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        if query == Qt.InputMethodQuery.ImEnabled:
            return self._inside
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return QRectF(self._pressed_at.x(), self._pressed_at.y(), 1, LINE)
        return super().inputMethodQuery(query)

    # Focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A list of the page, or another window, gives the keyboard back as it was."""
        self._let_go()
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.leave()
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._composed:
            painter = QPainter(self)
            paint_composed(painter, self._frame, self._composed, self.font())
            painter.end()
