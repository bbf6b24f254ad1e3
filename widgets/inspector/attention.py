"""Where a run's model looked, on its card: words of the texts that it read, and the elements that it weighed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from stepscope.core.domain.attention import (
    NOWHERE,
    AttentionArea,
    AttentionPointer,
    AttentionStream,
    stream_titled,
)
from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words
from stepscope.widgets.inspector.attended_words import AttendedWords
from stepscope.widgets.inspector.evidence import SHOWN, WeightRow
from stepscope.widgets.inspector.parts import clear, words

UNNAMED = "An element without words"


class AttentionSection(QWidget):
    """A line of words for each stream; of the chosen one the elements too. Pointing at a word lights its elements,
    pointing at an element its words. `pointed(AttentionPointer)`, `stream_chosen(str)`: the title of a stream."""

    pointed = Signal(object)
    stream_chosen = Signal(str)

    def __init__(self, streams: Sequence[AttentionStream], run: int, chosen: str) -> None:
        super().__init__()
        self._streams, self._run = tuple(streams), run
        self._pointer = NOWHERE
        self.lines: list[AttendedWords] = []
        self.rows: list[WeighedElement] = []
        self.choices: list[StreamChoice] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(words("Where it looked", "dim", selectable=False))
        self._group = QButtonGroup(self)
        for place, stream in enumerate(self._streams):
            self._add_stream(column, place, stream)
        self._elements = QVBoxLayout()
        self._elements.setContentsMargins(0, 4, 0, 0)
        self._elements.setSpacing(1)
        column.addLayout(self._elements)
        self.stream = self._streams[0]
        self.choose(chosen)

    def _add_stream(self, column: QVBoxLayout, place: int, stream: AttentionStream) -> None:
        """What it is called (to be chosen, where there are several), and its words."""
        title = f"{stream.title[:1].upper()}{stream.title[1:]}"
        if len(self._streams) > 1:
            button = StreamChoice(title, self)
            button.clicked.connect(lambda _checked=False: self.stream_chosen.emit(stream.title))
            self._group.addButton(button)
            self.choices.append(button)
            column.addWidget(button)
        else:
            column.addWidget(words(title, "secondary", selectable=False))
        line = AttendedWords(f"{title}: words", stream.text, stream.words, self._run)
        line.pointed.connect(lambda word: self._point_at_word(place, word))
        if not stream.text.strip():
            line.hide()
        self.lines.append(line)
        column.addWidget(line)

    def choose(self, title: str) -> None:
        """Show the stream of this title, else the first; tells nobody."""
        stream = stream_titled(self._streams, title) or self._streams[0]
        self._pointer = NOWHERE
        if self.choices:
            self.choices[self._streams.index(stream)].setChecked(True)
        if stream != self.stream or (stream.elements and not self.rows):
            self.stream = stream
            self._show_elements()
        self.show_pointer(NOWHERE)

    def _show_elements(self) -> None:
        """The heaviest elements of the stream."""
        clear(self._elements)
        stream = self.stream
        order = sorted(range(len(stream.elements)), key=lambda place: -stream.elements[place].weight)
        most = max((one.weight for one in stream.elements), default=0.0) or 1.0
        self.rows = []
        for place in order[:SHOWN]:
            row = WeighedElement(place, stream.elements[place], stream.elements[place].weight / most, self._run)
            row.pointed.connect(self._point_at_element)
            self.rows.append(row)
            self._elements.addWidget(row)
        if len(order) > SHOWN:
            more = f"and {formats.counted(len(order) - SHOWN, 'lighter one')}"
            self._elements.addWidget(words(more, "dim"))

    def show_pointer(self, pointer: AttentionPointer) -> None:
        """Let what belongs to `pointer` stand out; tells nobody."""
        self._pointer = pointer
        light = self.stream.light(pointer)
        line = self.lines[self._streams.index(self.stream)]
        for other in self.lines:
            other.show_light(light.words if other is line else {}, only=other is line and pointer.element is not None)
        for row in self.rows:
            row.set_lit(row.place in light.elements)

    def _point_at_word(self, place: int, word: int) -> None:
        if self._streams[place] is self.stream:
            self._point(AttentionPointer(word=word) if word >= 0 else NOWHERE)

    def _point_at_element(self, place: int) -> None:
        self._point(AttentionPointer(element=place) if place >= 0 else NOWHERE)

    def _point(self, pointer: AttentionPointer) -> None:
        if pointer != self._pointer:
            self.show_pointer(pointer)
            self.pointed.emit(pointer)


class StreamChoice(QRadioButton):
    """The title of a stream, cut where there is no room for it."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(plain_label(title), parent)
        self._title = title
        self.setAccessibleName(f"{title}: show this stream")
        self.setToolTip(tip_words(f"{title}: show this stream on the screen. The next one: Ctrl+Shift+E"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(100, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics = self.fontMetrics()
        beside = self.sizeHint().width() - metrics.horizontalAdvance(self.text())
        room = event.size().width() - beside
        self.setText(plain_label(metrics.elidedText(straight(self._title), Qt.TextElideMode.ElideRight, room)))


class WeighedElement(WeightRow):
    """An element with its weight. `pointed(int)`: its place in the stream while the pointer or the keyboard is on it,
    else −1."""

    pointed = Signal(int)

    def __init__(self, place: int, element: AttentionArea, share: float, run: int) -> None:
        name = element.name or UNNAMED
        super().__init__("", name, element.weight, share, run)
        self.place = place
        self.is_lit = False
        self.setAccessibleName(f"Element {name}, weight {element.weight:.2f}")
        self.setToolTip(tip_words(f"{name}\nIts words and its place on the screen stand out while you point here."))

    def ground(self) -> str:
        return theme.current().selection if self.is_lit else ""

    def set_lit(self, lit: bool) -> None:
        """Let it stand out, or no longer."""
        if lit is not self.is_lit:
            self.is_lit = lit
            self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.pointed.emit(self.place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(self.place if self.hasFocus() else -1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.pointed.emit(self.place)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit(-1)
