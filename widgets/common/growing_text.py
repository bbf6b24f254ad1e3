"""A field for a few lines that is as high as what is written in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

FRAME = 8
"""Border and padding above and below, as the style sheet has them."""
MARGIN = 4
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class GrowingText(QPlainTextEdit):
    """`submitted` fires on Enter; Shift+Enter begins a new line where there may be several. What is pasted into a field
    of one paragraph loses its line ends. Longer texts than `most` lines scroll. Undo and Redo are the window's where
    the field itself has nothing of the kind."""

    submitted = Signal()
    edited = Signal(str)
    """by the person, not by `show_text`"""

    def __init__(self, name: str, placeholder: str = "", *, least: int = 1, most: int = 6, lines: bool = True) -> None:
        super().__init__()
        self._least, self._most, self._lines, self._quiet = least, most, lines, False
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(MARGIN)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._high = 0
        self.textChanged.connect(self._typed)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self._fit()

    def text(self) -> str:
        """What is written, without blanks around it."""
        return self.toPlainText().strip()

    def show_text(self, text: str) -> None:
        """Put this in; tells nobody. The same again leaves the cursor alone."""
        if text != self.toPlainText():
            self._quiet = True
            self.setPlainText(text)
            self._quiet = False
            self.moveCursor(QTextCursor.MoveOperation.End)

    def height_for(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing() + 2 * MARGIN + FRAME

    def sizeHint(self) -> QSize:
        return QSize(200, self._high)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._high)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            nothing_to_undo = event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable()
            nothing_to_redo = event.matches(QKeySequence.StandardKey.Redo) and not self.document().isRedoAvailable()
            if nothing_to_undo or nothing_to_redo:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not (self._lines and event.modifiers() & Qt.KeyboardModifier.ShiftModifier):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if self._line_count() <= self._most:  # it was scrolled to the cursor before it had grown
            self.verticalScrollBar().setValue(0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _typed(self) -> None:
        self._fit()
        if not self._quiet:
            self.edited.emit(self.text())

    def _fit(self) -> None:
        wanted = self._line_count()
        lines = min(max(wanted, self._least), self._most)
        scrolls = wanted > self._most
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if self.height_for(lines) != self._high:
            self._high = self.height_for(lines)
            self.updateGeometry()

    def _line_count(self) -> int:
        """Lines as they wrap now, not more than one too many: a paragraph is laid out when its place is asked for."""
        layout, block, lines = self.document().documentLayout(), self.document().begin(), 0
        while block.isValid() and lines <= self._most:
            layout.blockBoundingRect(block)
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines


def one_paragraph(text: str) -> str:
    return " ".join(text.split())


class GrowingLine(GrowingText):
    """One paragraph, however long."""

    def __init__(self, name: str, placeholder: str = "", *, most: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(name, placeholder, most=most, lines=False)
        self.setParent(parent)

    def insertFromMimeData(self, source: object) -> None:
        text = source.text() if hasattr(source, "text") else ""
        self.insertPlainText(one_paragraph(text))
