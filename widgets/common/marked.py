"""The few texts that have colours or headings; all others are plain (`plain_words`)."""

from __future__ import annotations

from html import escape
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.plain_words import straight


@dataclass(frozen=True, slots=True)
class StyledText:
    """Words in one look; "" is the label's own colour. `line` is underline, line-through or nothing."""

    words: str
    colour: str = ""
    bold: bool = False
    line: str = ""


class MarkedLabel(QLabel):
    """One text of several looks. What it says is escaped here and nowhere else."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)

    def set_pieces(self, *pieces: StyledText) -> None:
        """Show these side by side, spaces and all."""
        self.setText("".join(map(_html, pieces)))


class MarkedPage(QTextBrowser):
    """A page of HTML or Markdown that this program makes. It follows no link and loads nothing that is named in it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        return _nothing()  # where there is none, Qt opens the file itself


def _html(piece: StyledText) -> str:
    look = "white-space:pre-wrap;" + (f"color:{escape(piece.colour)};" if piece.colour else "")
    look += "font-weight:bold;" if piece.bold else ""
    look += f"text-decoration:{escape(piece.line)};" if piece.line else ""
    return f'<span style="{look}">{escape(straight(piece.words))}</span>'


def _nothing() -> QImage:
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    picture.fill(0)
    return picture
