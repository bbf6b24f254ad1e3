"""Where the parts of an open block lie: measured when it comes into view, for a width, a text size and what is open in
it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.fonts import BASE_PIXELS, derived, monospace, pixel_size
from stepscope.widgets.transcript.text_pane import TextPane
from stepscope.widgets.transcript.transcript_values import BlockPart, PartKind, TranscriptBlock

INDENT, GAP, PADDING = 44, 8, 10
"""Pixels: left of the parts, between them, and around a text in its box."""
PICTURE_WIDTH, PICTURE_HEIGHT = 168, 250
"""The most that a picture as sent takes in its block."""
WIDE = 500
"""Pixels of width from which on pictures stand beside the texts."""
MOST_PICTURES_SHOWN = 24


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """`place` is the box of the text, in the block's own pixels; `pane` None: folded. `more`: the link that shows all
    of it, None where all of it is shown."""

    number: int
    part: BlockPart
    title: QRectF
    place: QRectF
    pane: TextPane | None
    more: QRectF | None = None
    fold: QRectF | None = None


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """Words that do something: `name` says what."""

    name: str
    words: str
    place: QRectF


@dataclass(slots=True)
class BlockLayout:
    """All that is painted of an open block below its head; `height` is what it takes with the head."""

    parts: list[PlacedPart] = field(default_factory=list)
    pictures: list[tuple[int, QRectF]] = field(default_factory=list)
    facts: list[tuple[str, QRectF]] = field(default_factory=list)
    attempts: list[tuple[int, QRectF]] = field(default_factory=list)
    links: list[PlacedLink] = field(default_factory=list)
    warnings: list[tuple[str, QRectF]] = field(default_factory=list)
    height: float = 0.0

    def part_at(self, number: int) -> PlacedPart | None:
        return next((one for one in self.parts if one.number == number), None)


def head_height(font: QFont) -> float:
    """What a folded block takes, the line below it included."""
    return QFontMetricsF(derived(font, 13)).height() + 20


def lay_out(
    block: TranscriptBlock, font: QFont, width: float, shown: frozenset[PartKind], whole: Collection[int]
) -> BlockLayout:
    """`whole` are the parts that are shown whole, or unfolded."""
    return _Layouter(block, font, width, shown, whole).made()


class _Layouter:
    def __init__(
        self, block: TranscriptBlock, font: QFont, width: float, shown: frozenset[PartKind], whole: Collection[int]
    ) -> None:
        self._block, self._font, self._shown, self._whole = block, font, shown, whole
        self._small = QFontMetricsF(derived(font, 11))
        self._line = QFontMetricsF(derived(font, 12)).height() + 4
        self._wide = PICTURE_WIDTH * max(1.0, pixel_size(font) / BASE_PIXELS)
        has_pictures = PartKind.PICTURE in shown and bool(block.pictures)
        self._beside = has_pictures and width >= WIDE
        self._below = has_pictures and not self._beside
        self._right = width - 12
        self._text_right = self._right - (self._wide + 2 * GAP if self._beside else 0)
        self._found = BlockLayout()
        self._top = head_height(font) + 2

    def made(self) -> BlockLayout:
        first = self._top
        for number, part in enumerate(self._block.parts):
            if part.kind in self._shown:
                self._put_part(number, part)
        if self._below:
            self._top = self._put_pictures(INDENT, self._top + GAP, row=True)
        elif self._beside:
            self._top = max(self._top, self._put_pictures(self._text_right + 2 * GAP, first, row=False))
        self._put_attempts()
        self._found.height = self._top + 12
        return self._found

    def _put_part(self, number: int, part: BlockPart) -> None:
        title = QRectF()
        if part.title:
            title = QRectF(INDENT, self._top + 4, self._text_right - INDENT, self._line)
            self._top += self._line + 6
        elif self._found.parts:
            self._top += 2
        width = self._text_right - INDENT
        fold = None
        if part.summary:
            fold = QRectF(INDENT, self._top, width, self._line + 6)
            self._top += self._line + 6
        if part.summary and number not in self._whole:
            self._found.parts.append(PlacedPart(number, part, title, QRectF(), None, fold=fold))
            return
        pane = TextPane(part.text, monospace(self._font), width - 2 * PADDING, whole=number in self._whole)
        place = QRectF(INDENT, self._top, width, pane.height + 2 * PADDING)
        self._top += place.height()
        more = None
        if pane.left_out and number not in self._whole:
            more = QRectF(INDENT + PADDING, self._top, width - 2 * PADDING, self._line)
            self._top += self._line
        self._found.parts.append(PlacedPart(number, part, title, place, pane, more, fold))
        if part.warning:
            self._found.warnings.append((part.warning, QRectF(INDENT, self._top, width, self._line + 6)))
            self._top += self._line + 6
        self._top += 4

    def _put_pictures(self, left: float, top: float, *, row: bool) -> float:
        """Pictures one below the other at the right, or in rows below the texts; gives the bottom."""
        pictures = self._block.pictures[:MOST_PICTURES_SHOWN]
        alone = len(pictures) == 1
        limit = PICTURE_HEIGHT if alone else PICTURE_HEIGHT / 2
        wide = self._wide if alone else self._wide / 2 - 2
        self._found.facts.append(
            ("Picture as sent" if alone else "Pictures as sent", QRectF(left, top, self._wide, self._line))
        )
        x, y, tallest = left, top + self._line + 4, 0.0
        end = self._right if row else left + self._wide + 1
        for number, one in enumerate(pictures):
            scale = min(wide / max(1, one.size[0]), limit / max(1, one.size[1]))
            size = max(8.0, one.size[0] * scale), max(8.0, one.size[1] * scale)
            if x + size[0] > end and x > left:
                x, y, tallest = left, y + tallest + 4, 0.0
            self._found.pictures.append((number, QRectF(x, y, *size)))
            x, tallest = x + size[0] + 4, max(tallest, size[1])
        y += tallest + 4
        facts: Sequence[str] = pictures[0].facts if alone else (f"{len(self._block.pictures)} pictures",)
        for fact in facts:
            self._found.facts.append((fact, QRectF(left, y, end - left, self._line)))
            y += self._line
        return y

    def _put_attempts(self) -> None:
        """The attempts one behind the other, copying at the right end, in another line where there is no room."""
        self._top += GAP
        metrics = QFontMetricsF(derived(self._font, 12))
        x = float(INDENT + PADDING)
        links = [("copy", "Copy"), *([("request", "Request")] if self._block.request else [])]
        left, right = x, self._right - PADDING
        for number, attempt in enumerate(self._block.attempts):
            width = metrics.horizontalAdvance(attempt.words) + 26
            if x + width > right and x > left:
                x, self._top = left, self._top + self._line
            self._found.attempts.append((number, QRectF(x, self._top + 4, min(width, right - x), self._line)))
            x += width + 12
        widths = [metrics.horizontalAdvance(words) + 4 for _name, words in links]
        if x + sum(widths) + 10 * len(widths) > right and x > left:
            self._top += self._line
        for (name, words), width in zip(links, widths, strict=True):
            self._found.links.append(PlacedLink(name, words, QRectF(right - width, self._top + 4, width, self._line)))
            right -= width + 10
        self._top += self._line + 8
