"""What a pretraining masked and swapped in a batch, painted: a step's words, and its picture's patches beside them."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.format import counted
from stepscope.widgets.scores.card import mix

GRID = 64
"""Pixels of a picture's side."""
GAP, PAD, BETWEEN, LETTERS = 5.0, 3.0, 12.0, 12


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A piece of a step's words as it was read, and whether it stands in the place of a masked one."""

    text: str
    masked: bool = False


@dataclass(frozen=True, slots=True)
class DrawnPatch:
    """A patch of a step's picture: put out, or out of the picture of another place in the order, from 0; None where it
    stands where it stood."""

    masked: bool = False
    came_from: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A step's words, and its picture's patches row by row; none of a step without one."""

    pieces: tuple[DrawnPiece, ...] = ()
    patches: tuple[DrawnPatch, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnBatch:
    """The first procedure of a batch: what was asked, in words, and its steps in the order in which they were read."""

    asked: str
    steps: tuple[DrawnStep, ...]


class DrawnBatchView(QWidget):
    """One row a step; as high as it needs to be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._batch: DrawnBatch | None = None
        self._laid: list[tuple[float, float, list[tuple[QRectF, DrawnPiece]]]] = []
        self.setAccessibleName("What was masked and swapped")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def set_batch(self, batch: DrawnBatch | None) -> None:
        if batch == self._batch:
            return
        self._batch = batch
        self.setAccessibleDescription("" if batch is None else ". ".join((batch.asked, *map(_words, batch.steps))))
        self._lay_out()

    def sizeHint(self) -> QSize:
        bottom = max((top + height for top, height, _ in self._laid), default=0.0)
        return QSize(200, round(bottom) + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._batch is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._font()
        for place, (step, (top, _height, pieces)) in enumerate(zip(self._batch.steps, self._laid, strict=True)):
            painter.setFont(font)
            for box, piece in pieces:
                _paint_piece(painter, box, piece)
            if step.patches:
                _paint_patches(painter, QRectF(self.width() - GRID, top, GRID, GRID), step, place)
        painter.end()

    def _lay_out(self) -> None:
        self._laid = []
        metrics, top = QFontMetricsF(self._font()), 0.0
        for step in self._batch.steps if self._batch else ():
            room = self.width() - (GRID + BETWEEN if step.patches else 0)
            pieces = _flow(step, metrics, top, max(40.0, room))
            bottom = max((box.bottom() for box, _ in pieces), default=top + metrics.height())
            height = max(bottom - top, GRID if step.patches else 0.0)
            self._laid.append((top, height, pieces))
            top += height + BETWEEN
        self.updateGeometry()
        self.update()

    def _font(self) -> QFont:
        return derived(self.font(), LETTERS)


def _flow(step: DrawnStep, metrics: QFontMetricsF, top: float, room: float) -> list[tuple[QRectF, DrawnPiece]]:
    """The pieces one beside the other, in as many lines as they need."""
    found: list[tuple[QRectF, DrawnPiece]] = []
    left, height = 0.0, metrics.height() + 2 * PAD
    for piece in step.pieces:
        width = min(room, math.ceil(metrics.horizontalAdvance(straight(piece.text))) + 1 + 2 * PAD)
        if left and left + width > room:
            left, top = 0.0, top + height + GAP
        found.append((QRectF(left, top, width, height), piece))
        left += width + (GAP - PAD)
    return found


def _paint_piece(painter: QPainter, box: QRectF, piece: DrawnPiece) -> None:
    colours = theme.current()
    if piece.masked:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent_background))
        painter.drawRoundedRect(box, 3, 3)
    painter.setPen(QColor(colours.accent_text if piece.masked else colours.text))
    inside = box.adjusted(PAD, 0, -PAD, 0)
    cut = painter.fontMetrics().elidedText(straight(piece.text), Qt.TextElideMode.ElideRight, round(inside.width()))
    painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter), cut)


def _paint_patches(painter: QPainter, box: QRectF, step: DrawnStep, place: int) -> None:
    """The picture as a grid: a patch that was put out is hollow, one out of another picture has that one's number."""
    colours = theme.current()
    side = max(1, round(len(step.patches) ** 0.5))
    rows = -(-len(step.patches) // side)
    wide, high = box.width() / side, box.height() / rows
    font = derived(painter.font(), max(7, min(11, int(high) - 2)))
    painter.setFont(font)
    for at, patch in enumerate(step.patches):
        row, column = divmod(at, side)
        cell = QRectF(box.left() + column * wide, box.top() + row * high, wide, high).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        moved = patch.came_from is not None and patch.came_from != place
        if patch.masked:
            painter.setPen(QColor(colours.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setBrush(QColor(colours.accent_background) if moved else mix(colours.text, 0.12, colours.panel))
        painter.drawRect(cell)
        if moved and patch.came_from is not None and high >= 9:
            painter.setPen(QColor(colours.accent_text))
            painter.drawText(cell, int(Qt.AlignmentFlag.AlignCenter), str(patch.came_from + 1))


def _words(step: DrawnStep) -> str:
    """A step in words: what of it was masked, what came from elsewhere."""
    masked = sum(one.masked for one in step.pieces)
    out = sum(one.masked for one in step.patches)
    moved = sum(one.came_from is not None for one in step.patches)
    told = [f"{counted(masked, 'word')} masked"] if masked else []
    told += [f"{counted(out, 'patch', 'patches')} put out"] if out else []
    told += [f"{counted(moved, 'patch', 'patches')} from another picture"] if moved else []
    return ", ".join(told) or "as it was"
