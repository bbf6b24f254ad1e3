"""Runs with their scores, and how far each is from the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.doubt_sign import paint_doubt
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_run_glyph, run_letter
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.scores.breakdown_values import Key, RunScore

MARGIN, GAP, GLYPH = 12, 8, 18
BASELINE, CHANCE = "baseline", "95 %, p"
APART = 0.45
"""How strong the sign of a run stands that is not compared."""
LEAST_NAME = 72
"""With less room for the name, the numbers stand below it."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RunScores(Tiles):
    """A row a run; the first, without a difference, is the baseline."""

    radius = 4.0

    def __init__(self, parent: QWidget | None = None) -> None:
        self._runs: tuple[RunScore, ...] = ()
        super().__init__("Runs and their scores", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_runs(self, runs: Sequence[RunScore]) -> None:
        self._runs = tuple(runs)
        self.tiles_changed()

    def shape(self) -> tuple[int, int]:
        return len(self._runs), 1 if self._runs else 0

    def tile(self, row: int, column: int) -> QRectF:
        height = self._row_height()
        return QRectF(2, self._head_height() + row * height + 1, self.width() - 4, height - 2)

    def tile_at(self, place: QPointF) -> tuple[int, int] | None:
        row = int((place.y() - self._head_height()) // self._row_height())
        return (row, 0) if 0 <= row < len(self._runs) and self.tile(row, 0).contains(place) else None

    def key(self, row: int, column: int) -> Key:
        return self._runs[row].key

    def words(self, row: int, column: int) -> str:
        run = self._runs[row]
        words = f"{run_letter(run.run)} {run.name}: {formats.score(run.score)}"
        if run.difference is None:
            words += f", {BASELINE}" if self._is_base(run) else ""
        else:
            words += f", {formats.signed(run.difference)} to {self._base_letter()}"
        if run.interval is not None:
            low, high = map(formats.signed, run.interval)
            words += f", 95 % interval {low} to {high}"
        words += f", {_chance(run)}" if run.p is not None else ""
        return "\n".join(filter(None, (words, run.tip, run.doubt)))

    def sizeHint(self) -> QSize:
        return QSize(240, round(self._head_height() + len(self._runs) * self._row_height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def paint_rest(self, painter: QPainter) -> None:
        colours = theme.current()
        painter.setFont(self._head_font())
        painter.setPen(QColor(colours.dim))
        head = QRectF(0, 0, self.width(), self._head_height())
        name, score, difference, chance = self._places(head.adjusted(2, 0, -2, 0), head=True)
        room = head.width() if self._narrow() else name.right()
        painter.drawText(QRectF(MARGIN, head.top(), room - MARGIN, head.height()), LEFT, "Run")
        if not self._narrow():
            painter.drawText(score, RIGHT, "Score")
            painter.drawText(difference, RIGHT, f"Δ to {self._base_letter()}")
            painter.drawText(chance, RIGHT, CHANCE)
        painter.fillRect(QRectF(0, head.bottom() - 1, self.width(), 1), QColor(colours.line))

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, run, tile = theme.current(), self._runs[row], self.tile(row, column)
        painter.fillRect(QRectF(0, tile.bottom() + 1, self.width(), 1), QColor(colours.line2))
        if hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(tile, self.radius, self.radius)
        name, score, difference, chance = self._places(tile)
        glyph = QRectF(MARGIN, name.center().y() - GLYPH / 2, GLYPH, GLYPH)
        painter.setOpacity(APART if run.is_apart else 1.0)
        paint_run_glyph(painter, glyph.adjusted(1, 1, -1, -1), run.run, letter=True)
        painter.setOpacity(1.0)
        painter.setFont(derived(self.font(), 12.5))
        painter.setPen(QColor(colours.dim if run.is_apart else colours.text))
        if run.doubt:
            name = QRectF(paint_doubt(painter, name.toRect()))
        painter.drawText(name, LEFT, cut_run_name(painter.fontMetrics(), run.name, int(name.width())))
        painter.setFont(derived(self.font(), 12.5, weight=QFont.Weight.DemiBold))
        painter.drawText(score, RIGHT, formats.score(run.score))
        painter.setFont(derived(self.font(), 12.5))
        painter.setPen(QColor(_colour(run)))
        words = BASELINE if self._is_base(run) else formats.signed(run.difference)
        cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, int(difference.width()))
        painter.drawText(difference, RIGHT, cut)
        painter.setFont(derived(self.font(), 10))
        painter.setPen(QColor(colours.dim))
        painter.drawText(chance, RIGHT, (", " if self._narrow() else "\n").join(_chance_lines(run)))

    def _places(self, row: QRectF, *, head: bool = False) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Where name, score, difference and interval stand in a row."""
        score, difference, chance = self._widths()
        left, right = MARGIN + GLYPH + GAP, row.right() - MARGIN + 2
        if self._narrow() and not head:
            top, height = row.top(), row.height() / 3
            score_place = QRectF(left, top + height, score, height)
            room = right - score_place.right() - GAP
            difference_place = QRectF(score_place.right() + GAP, top + height, min(difference, room), height)
            chance_place = QRectF(MARGIN, top + 2 * height, right - MARGIN, height)
            return QRectF(left, top, max(0.0, right - left), height), score_place, difference_place, chance_place
        chance_place = QRectF(right - chance, row.top(), chance, row.height())
        difference_place = QRectF(chance_place.left() - GAP - difference, row.top(), difference, row.height())
        score_place = QRectF(difference_place.left() - GAP - score, row.top(), score, row.height())
        width = max(0.0, score_place.left() - GAP - left)
        return QRectF(left, row.top(), width, row.height()), score_place, difference_place, chance_place

    def _widths(self) -> tuple[float, float, float]:
        """Widths of scores, differences and intervals."""
        return self.measured("widths", self._measure_widths)

    def _measure_widths(self) -> tuple[float, float, float]:
        number, tiny = QFontMetricsF(self._number_font()), QFontMetricsF(derived(self.font(), 10))
        score = max(map(number.horizontalAdvance, ("Score", *(formats.score(run.score) for run in self._runs))))
        plain = QFontMetricsF(derived(self.font(), 12.5))
        difference = max(map(plain.horizontalAdvance, ("+0.000", BASELINE))) + 2
        lines = [tiny.horizontalAdvance(line) for run in self._runs for line in _chance_lines(run)]
        return score, difference, max(QFontMetricsF(self._head_font()).horizontalAdvance(CHANCE) + 2, *lines, 0.0)

    def _head_font(self) -> QFont:
        return derived(self.font(), 11.5, weight=QFont.Weight.Medium)

    def _number_font(self) -> QFont:
        return derived(self.font(), 12.5, weight=QFont.Weight.DemiBold)

    def _narrow(self) -> bool:
        scale = derived(self.font(), 13).pixelSize() / 13
        taken = sum(self._widths()) + 3 * GAP + 2 * MARGIN + GLYPH + GAP
        return self.width() - taken < LEAST_NAME * scale

    def _head_height(self) -> float:
        return round(max(28.0, QFontMetricsF(derived(self.font(), 11.5)).height() + 12))

    def _row_height(self) -> float:
        tiny = 2 * QFontMetricsF(derived(self.font(), 10)).height()
        line = QFontMetricsF(self._number_font()).height()
        return round(3 * (line + 4) if self._narrow() else max(32.0, max(line, tiny) + 6))

    def _is_base(self, run: RunScore) -> bool:
        return bool(self._runs) and run is self._runs[0] and run.difference is None

    def _base_letter(self) -> str:
        return run_letter(self._runs[0].run) if self._runs else "A"


def _chance(run: RunScore) -> str:
    return f"p {formats.p_value(run.p)}"


def _chance_lines(run: RunScore) -> list[str]:
    """The interval of the difference, and below it how likely chance alone makes it."""
    interval = [] if run.interval is None else [", ".join(map(formats.signed, run.interval))]
    return interval + ([] if run.p is None else [_chance(run)])


def _colour(run: RunScore) -> str:
    colours = theme.current()
    if not run.difference:
        return colours.dim
    return colours.hit if (run.difference < 0) is run.lower_is_better else colours.miss
