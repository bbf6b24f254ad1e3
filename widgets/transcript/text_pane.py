"""A text of a block in lines: measured once for a width, painted where it is in view, with the search's hits in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight

SHORT_LETTERS, SHORT_LINES = 2_400, 14
"""What is shown of a longer text until the person asks for all of it."""
MOST_SHOWN = 60_000
"""Letters that are laid out at most; all of them can be copied."""


class TextPane:
    """`text` at `width` logical pixels. `whole`: not only its beginning. `height` is what it needs, `left_out` how many
    letters are not laid out."""

    def __init__(self, text: str, font: QFont, width: float, *, whole: bool) -> None:
        shown = _beginning(text, MOST_SHOWN if whole else SHORT_LETTERS, None if whole else SHORT_LINES)
        self.left_out = len(text) - len(shown)
        self._option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        self._option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self._starts: list[int] = []
        self._tops: list[float] = []
        self._layouts: list[QTextLayout] = []
        at, top = 0, 0.0
        for paragraph in shown.split("\n"):
            layout = QTextLayout(straight(paragraph), font)
            self._starts.append(at)
            self._tops.append(top)
            self._layouts.append(layout)
            top += self._lay_out(layout, max(8.0, width))
            at += len(paragraph) + 1
        self.shown = len(shown)
        self.height = top

    def paint(
        self,
        painter: QPainter,
        place: QPointF,
        clip: QRectF,
        colour: str,
        hits: Sequence[tuple[int, int]] = (),
        current: tuple[int, int] | None = None,
        stopped: int | None = None,
    ) -> None:
        """Paint the lines that lie in `clip`, its top left at `place`; `hits` are letters from and to."""
        first = max(0, bisect_right(self._tops, clip.top() - place.y()) - 1)
        painter.setPen(QColor(colour))
        for number in range(first, len(self._layouts)):
            top = place.y() + self._tops[number]
            if top > clip.bottom():
                return
            layout = self._layouts[number]
            ranges = [_range(one, self._starts[number], layout, _format(one == current)) for one in hits]
            if stopped is not None:
                ranges.append(_range((stopped, self.shown), self._starts[number], layout, _underlined()))
            wanted = [one for one in ranges if one.length > 0]
            layout.draw(painter, QPointF(place.x(), top), wanted, clip)

    def y_of(self, letter: int) -> float:
        """How far below its top the line with this letter begins."""
        number = max(0, bisect_right(self._starts, letter) - 1)
        line = self._layouts[number].lineForTextPosition(min(letter - self._starts[number], 1 << 30))
        return self._tops[number] + (line.y() if line.isValid() else 0.0)

    def _lay_out(self, layout: QTextLayout, width: float) -> float:
        layout.setTextOption(self._option)
        layout.beginLayout()
        high = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, high))
            high += line.height() + 1
        layout.endLayout()
        return max(high, 8.0)


def _beginning(text: str, letters: int, lines: int | None) -> str:
    """The first letters of a text, and of them the first lines."""
    shown = text[:letters]
    if lines is not None and shown.count("\n") >= lines:
        shown = "\n".join(shown.split("\n")[:lines])
    return shown


def _range(hit: tuple[int, int], start: int, layout: QTextLayout, form: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start = max(0, hit[0] - start)
    found.length = min(hit[1] - start, len(layout.text())) - found.start
    found.format = form
    return found


def _format(is_current: bool) -> QTextCharFormat:
    colours, form = theme.current(), QTextCharFormat()
    if is_current:
        form.setBackground(QBrush(QColor(colours.warn)))
        form.setForeground(QBrush(QColor(colours.panel)))
    else:
        form.setBackground(QBrush(QColor(colours.warn_background)))
        form.setForeground(QBrush(QColor(colours.warn)))
    return form


def _underlined() -> QTextCharFormat:
    form = QTextCharFormat()
    form.setForeground(QBrush(QColor(theme.current().warn)))
    form.setFontUnderline(True)
    return form
