"""A goal in a line, the words that the agent was not told struck through; and what the signs of the lanes mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.results.lanes.lane_painting import paint_ask_bubble
from stepscope.widgets.results.lanes.lane_values import GoalPiece

GAP = 16


class StruckGoal(QWidget):
    """Cut at the right where there is no room; the tooltip has all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pieces: tuple[GoalPiece, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def set_pieces(self, pieces: Sequence[GoalPiece]) -> None:
        self._pieces = tuple(pieces)
        whole = " ".join(piece.words for piece in pieces)
        gone = " ".join(piece.words for piece in pieces if piece.removed)
        said = f"{whole}\nRemoved: {gone}" if gone else whole
        self.setToolTip(tip_words(said))
        self.setAccessibleName(straight(said))
        self.update()

    @property
    def pieces(self) -> tuple[GoalPiece, ...]:
        return self._pieces

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font(False))
        return QSize(sum(metrics.horizontalAdvance(f"{one.words} ") for one in self._pieces), metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, left = theme.current(), 0
        painter = QPainter(self)
        for piece in self._pieces:
            painter.setFont(self._font(piece.removed))
            painter.setPen(QColor(colours.miss if piece.removed else colours.text))
            metrics = painter.fontMetrics()
            line = " ".join(piece.words.split())
            words = metrics.elidedText(straight(line), Qt.TextElideMode.ElideRight, self.width() - left)
            painter.drawText(QRectF(left, 0, self.width() - left, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += metrics.horizontalAdvance(words) + metrics.horizontalAdvance(" ")
            if left >= self.width() or words != line:
                break
        painter.end()

    def _font(self, removed: bool) -> QFont:
        font = derived(self.font(), 13.5, weight=QFont.Weight.Normal if removed else QFont.Weight.DemiBold)
        font.setStrikeOut(removed)
        return font


class LanesLegend(QWidget):
    """The signs of the lanes with their words."""

    WORDS = ("due", "asked", "hit", "miss", "rescued")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: int | None = None
        self.setAccessibleName("Hollow bubble: due. Filled bubble: asked. Filled: hit. Hollow: miss. Bar: rescued.")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def set_run(self, run: int | None) -> None:
        self._run = run
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 12))
        wide = sum(24 + metrics.horizontalAdvance(words) + GAP for words in self.WORDS)
        return QSize(wide, max(22, metrics.height() + 4))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, left = theme.current(), 0.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        for words in self.WORDS:
            if words in ("due", "asked"):
                paint_ask_bubble(painter, QRectF(left, middle - 8, 18, 16), filled=words == "asked")
            elif words == "rescued":
                painter.setPen(QColor(colours.hit))
                painter.setBrush(QColor(colours.hit_background))
                painter.drawRoundedRect(QRectF(left + 2, middle - 5.5, 14, 11), 3, 3)
            else:
                run = 0 if self._run is None else self._run
                glyph = QRectF(left + 2, middle - 7, 14, 14)
                paint_run_glyph(painter, glyph, run, filled=words == "hit", letter=self._run is not None)
            painter.setFont(derived(self.font(), 12))
            painter.setPen(QColor(colours.secondary))
            wide = painter.fontMetrics().horizontalAdvance(words)
            painter.drawText(QRectF(left + 24, 0, wide + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += 24 + wide + GAP
        painter.end()
