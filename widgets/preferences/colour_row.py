"""The colours of runs A to D as four buttons, each of which opens the colour dialog."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QToolButton, QWidget

from stepscope.widgets.common.buttons import name_button

SIDE, LETTERS = 20, "ABCD"


class ColourRow(QWidget):
    """`changed` fires with all four colours ("#RRGGBB") when a person has chosen another one."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours: tuple[str, ...] = ()
        self._buttons: list[QToolButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for place, letter in enumerate(LETTERS):
            button = QToolButton()
            button.setIconSize(QSize(SIDE, SIDE))
            button.clicked.connect(partial(self._ask, place))
            name_button(button, f"Colour of run {letter}")
            row.addWidget(button)
            self._buttons.append(button)

    def set_colours(self, colours: tuple[str, ...]) -> None:
        """Show these four; nothing is told."""
        self._colours = colours
        for button, colour in zip(self._buttons, colours, strict=True):
            button.setIcon(_swatch(colour))

    def choose(self, place: int, colour: str) -> None:
        """Another colour for run A (0) to D (3), as the dialog gives it."""
        colours = list(self._colours)
        colours[place] = colour.upper()
        self.set_colours(tuple(colours))
        self.changed.emit(self._colours)

    def _ask(self, place: int, _checked: bool = False) -> None:
        chosen = QColorDialog.getColor(QColor(self._colours[place]), self, f"Colour of run {LETTERS[place]}")
        if chosen.isValid():
            self.choose(place, chosen.name())


def _swatch(colour: str) -> QIcon:
    picture = QPixmap(SIDE, SIDE)
    picture.fill(QColor(0, 0, 0, 0))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(colour))
    painter.setPen(QColor(128, 128, 128))
    painter.drawRoundedRect(picture.rect().adjusted(1, 1, -2, -2), 4, 4)
    painter.end()
    return QIcon(picture)
