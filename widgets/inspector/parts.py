"""Pieces of the inspector's pages: cards, pairs of words, pages that scroll."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QLayout, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle

KEY_WIDTH = 84


class ScrolledColumn(QWidget):
    """The column that a page scrolls. A scroll area asks for its height before it lays itself out anew; when that is
    what it was, Qt believes that nothing has changed and leaves its parts as high as they were at another text size. So
    the layout is told that something has; that asks for a layout once more, which is not to be answered in the same
    way."""

    _told = False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and (layout := self.layout()) is not None:
            self._told = not self._told
            if self._told:
                layout.invalidate()
        return super().event(event)


class CardPage(QScrollArea):
    """A column of cards that scrolls; its contents are replaced as a whole."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = ScrolledColumn()
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(12, 12, 12, 12)
        self.column.setSpacing(8)
        self.setWidget(inside)

    def show_parts(self, parts: Iterable[QWidget]) -> None:
        """These from top to bottom, nothing else; those that were there already stay as they are."""
        wanted = list(parts)
        items = (self.column.itemAt(place) for place in range(self.column.count() - 1))
        if wanted and [item.widget() for item in items if item is not None] == wanted:
            return
        clear(self.column, wanted)
        for part in wanted:
            self.column.addWidget(part)
            part.show()  # now, not at the layout's next turn: the old contents are already gone
        self.column.addStretch(1)


def clear(layout: QLayout, kept: Sequence[QWidget] = ()) -> None:
    """Take everything out of a layout and let it go, but for what is `kept`."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None and widget not in kept:
            widget.hide()
            widget.deleteLater()


def words(text: str, role: str = "", *, mono: bool = False, selectable: bool = True) -> QLabel:
    """Plain text that wraps and can be copied."""
    label = QLabel(straight(text))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    if mono:
        label.setProperty("mono", True)
    if selectable:
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return label


def pairs(rows: Iterable[tuple[str, QWidget]]) -> QGridLayout:
    """Names at the left, values at the right."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(0, KEY_WIDTH)
    grid.setColumnStretch(1, 1)
    for place, (name, value) in enumerate(rows):
        label = QLabel(straight(name))
        label.setProperty("role", "dim")
        grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, place, 1)
    return grid


def plain_pairs(rows: Iterable[tuple[str, str]]) -> QGridLayout:
    """The same with plain values; empty ones are left out."""
    return pairs((name, value_label(value)) for name, value in rows if value)


def value_label(text: str) -> QLabel:
    """The value of a pair: words that wrap."""
    label = words(text, "secondary")
    label.setProperty("role", "value")
    return label


class CardFrame(QFrame):
    """A raised box with a head line and a body."""

    def __init__(self, *head: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 10, 12, 10)
        self.body.setSpacing(8)
        if head:
            row = QHBoxLayout()
            row.setSpacing(8)
            for place, widget in enumerate(head):
                row.addWidget(widget, 1 if place == 1 else 0)
            self.body.addLayout(row)

    def set_chosen(self, chosen: bool) -> None:
        """A frame around the card that was asked for."""
        if bool(self.property("chosen")) is not chosen:
            self.setProperty("chosen", chosen)
            restyle(self)

    def add_rule(self) -> None:
        """A thin line between head and reason."""
        self.body.addWidget(DividerLine())


class DividerLine(QWidget):
    """A thin line across."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.current().line))
        painter.end()
