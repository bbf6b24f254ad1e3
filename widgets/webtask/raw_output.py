"""What the model said, word for word, with the piece lit that the current action came from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from stepscope.core.webtask.exchange import Exchange
from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, LinkButton
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.inspector.parts import DividerLine

FEW, MANY = 3, 14
"""Lines that are seen at first, and when all is asked for; longer texts scroll."""
FRAME = 8
"""Border and padding above and below, as the style sheet has them."""
MOST_LETTERS = 200_000
"""Of a longer output the beginning is shown."""
NOTHING = "No model said anything here."
WHOLE_PAGE = "whole page"
PARAGRAPH = chr(0x2029)
"""What Qt writes for a line break."""


class _OutputText(QPlainTextEdit):
    """Fixed-width letters that wrap; as high as the text, up to `lines` lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = FEW
        self._place = 0
        self.setReadOnly(True)
        self.setProperty("mono", True)
        self.setAccessibleName("Raw output")
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        return QSize(160, self.height_for(min(max(self.line_count(), 1), self.lines)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.height_for(min(max(self.line_count(), 1), FEW)))

    def height_for(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing() + FRAME + round(self.document().documentMargin()) * 2

    def line_count(self) -> int:
        """Lines as they wrap now, not more than one too many."""
        layout, block, lines = self.document().documentLayout(), self.document().begin(), 0
        while block.isValid() and lines <= MANY:
            layout.blockBoundingRect(block)
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()

    def go_to(self, place: int) -> None:
        """Scroll so that the line at this place of the text (in UTF-16) is the first that is seen, as far as there are
        lines below it; it stays so when the width changes."""
        self._place = place
        layout, block = self.document().documentLayout(), self.document().begin()
        found, line = self.document().findBlock(place), 0
        while block.isValid() and block != found:
            layout.blockBoundingRect(block)
            line += max(1, block.layout().lineCount())
            block = block.next()
        layout.blockBoundingRect(found)
        within = found.layout().lineForTextPosition(place - found.position())
        self.verticalScrollBar().setValue(line + (within.lineNumber() if within.isValid() else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self.go_to(self._place)


class RawOutputPanel(QWidget):
    """Several exchanges (one a field) are chosen from by hand, or by the action that came from one of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._exchanges: tuple[Exchange, ...] = ()
        self._raw, self._nth = "", 0
        self._whole = False
        self.choice = ElidedCombo(6)
        self.choice.setAccessibleName("Question to the model")
        self.all = LinkButton("Show all")
        self.output = _OutputText()
        self._facts = ElidedLabel("", "dim")
        self._nothing = ElidedLabel(NOTHING, "dim")
        self._lay_out()
        self.choice.hide()
        self.choice.activated.connect(lambda _place: self._show_exchange())
        self.all.clicked.connect(lambda: self.show_whole(not self._whole))
        theme.notifier().changed.connect(self._light)
        self.set_exchanges(())

    # what the owner tells

    def set_exchanges(self, exchanges: Sequence[Exchange]) -> None:
        """All that was said on this page, in its order; the one that was read stays."""
        new = tuple(exchanges)
        if new == self._exchanges and self.choice.count() == len(new):
            self._show_exchange()
            return
        kept = max(0, self.choice.currentIndex())
        self._exchanges = new
        self.choice.clear()
        for place, one in enumerate(new):
            self.choice.addItem(f"{place + 1} of {len(new)}: {one.field or WHOLE_PAGE}")
        self.choice.setCurrentIndex(min(kept, len(new) - 1))
        self.choice.setVisible(len(new) > 1)
        self._show_exchange()

    def set_current(self, raw: str, nth: int = 0) -> None:
        """Light the piece that the current action came from, the `nth` (from 0) of those that read the same, and go to
        the exchange that holds it; "" lights nothing."""
        self._raw, self._nth = raw, nth
        if raw:
            left = nth
            for place, one in enumerate(self._exchanges):
                found = one.output.count(raw)
                if found > left:
                    self.choice.setCurrentIndex(place)
                    break
                left -= found
        self._show_exchange()

    def show_whole(self, whole: bool) -> None:
        """Whether as many lines are seen as there is room for."""
        self._whole = whole
        self.output.lines = MANY if whole else FEW
        self.all.setText("Show less" if whole else "Show all")
        self.all.updateGeometry()
        self.output.updateGeometry()

    # what may be asked

    def lit(self) -> str:
        """The piece that is lit, for tests and screen readers."""
        return self._piece().selectedText().replace(PARAGRAPH, "\n")

    # inside

    def _lay_out(self) -> None:
        title = QLabel("Raw output")
        title.setProperty("role", "heading")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addWidget(title)
        head.addWidget(self.choice, 1)
        head.addStretch(0)
        head.addWidget(self.all)
        inside = QVBoxLayout()
        inside.setContentsMargins(12, 8, 12, 10)
        inside.setSpacing(6)
        inside.addLayout(head)
        inside.addWidget(self._nothing)
        inside.addWidget(self.output, 1)
        inside.addWidget(self._facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(DividerLine())
        column.addLayout(inside, 1)

    def _show_exchange(self) -> None:
        place = self.choice.currentIndex()
        one = self._exchanges[place] if 0 <= place < len(self._exchanges) else None
        text = one.output[:MOST_LETTERS] if one is not None else ""
        if text != self.output.toPlainText():
            self.output.setPlainText(text)
        facts = exchange_facts(one) if one is not None else ""
        self._facts.setText(facts)
        for part, shown in (
            (self._nothing, one is None),
            (self.output, one is not None),
            (self._facts, bool(facts)),
            (self.all, one is not None and self.output.line_count() > FEW),
        ):
            part.setVisible(shown)
        self.output.updateGeometry()
        self._light()

    def _light(self) -> None:
        cursor = self._piece()
        lights = []
        if cursor.hasSelection():
            light = QTextEdit.ExtraSelection()
            light.cursor = cursor
            form = QTextCharFormat()
            form.setBackground(QColor(theme.current().selection))
            form.setForeground(QColor(theme.current().text))
            light.format = form
            lights = [light]
        self.output.setExtraSelections(lights)
        self.output.go_to(cursor.selectionStart() if lights else 0)

    def _piece(self) -> QTextCursor:
        """Where the current action's piece stands in the exchange that is shown; without a selection: nowhere."""
        cursor = QTextCursor(self.output.document())
        text, left = self.output.toPlainText(), self._nth
        for one in self._exchanges[: max(0, self.choice.currentIndex())]:
            left -= one.output.count(self._raw) if self._raw else 0
        start = -1
        for _turn in range(max(0, left) + 1):
            start = text.find(self._raw, start + 1) if self._raw else -1
            if start < 0:
                return cursor
        cursor.setPosition(_units(text[:start]))
        cursor.setPosition(_units(text[: start + len(self._raw)]), QTextCursor.MoveMode.KeepAnchor)
        return cursor


def _units(text: str) -> int:
    """How long Qt takes the text to be: in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def exchange_facts(exchange: Exchange) -> str:
    """2,140 tokens in, 96 out · 512 cut · 1.2 s; whatever of it is known."""
    said = "" if exchange.tokens_out is None else formats.count(exchange.tokens_out)
    if exchange.tokens_in is not None:
        tokens = f"{formats.counted(exchange.tokens_in, 'token')} in" + (said and f", {said} out")
    else:
        tokens = "" if exchange.tokens_out is None else f"{formats.counted(exchange.tokens_out, 'token')} out"
    cut = f"{formats.count(exchange.cut)} cut" if exchange.cut else ""
    took = "" if exchange.ms is None else formats.duration(exchange.ms / 1000)
    return " · ".join(filter(None, (tokens, cut, took)))
