"""All rules over the shown runs: verdicts on this step, scores over all steps, flips against the current rule."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import run_letter
from stepscope.widgets.common.fonts import derived, monospace
from stepscope.widgets.common.item_painting import paint_cut
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.compare.difference_items import paint_run_verdict, verdict_words
from stepscope.widgets.compare.run_comparison import RuleVerdicts
from stepscope.widgets.scores.breakdown_values import Key

CURRENT, FLIPS = "current", "flips"
"""First part of a tile's key: make the rule the current one, or list what flips under it."""

RADIO, RADIO_WIDTH, INSET, GLYPH, GLYPH_PITCH, SCORE_GAP, SIDE = 13, 32, 4, 12, 18, 6, 12
LEAST_NAME = 88
"""With less room for the name, verdicts and scores stand below it, and flips beside it."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RuleTiles(Tiles):
    """Two tiles a row: the button that makes the rule the current one, and the rule with its numbers."""

    radius = 4.0

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rules: tuple[RuleVerdicts, ...] = ()
        self._current_rule = ""
        super().__init__("Rules over the shown runs", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_rules(self, rules: Sequence[RuleVerdicts], current: str) -> None:
        """`current` is the id of the rule under which marks and flips are shown."""
        self._rules, self._current_rule = tuple(rules), current
        self.tiles_changed()

    def rules(self) -> tuple[RuleVerdicts, ...]:
        return self._rules

    def shape(self) -> tuple[int, int]:
        return len(self._rules), 2

    def tile(self, row: int, column: int) -> QRectF:
        top = self._head_height() + row * self._row_height() + 1
        left, right = (2, RADIO_WIDTH) if column == 0 else (RADIO_WIDTH, self.width() - 2)
        return QRectF(left, top, right - left, self._row_height() - 2)

    def tile_at(self, place: QPointF) -> tuple[int, int] | None:
        row = int((place.y() - self._head_height()) // self._row_height())
        if 0 <= row < len(self._rules):
            return row, 0 if place.x() < RADIO_WIDTH else 1
        return None

    def key(self, row: int, column: int) -> Key:
        rule = self._rules[row]
        if rule.id == self._current_rule:
            return None
        return (CURRENT if column == 0 else FLIPS, rule.id)

    def words(self, row: int, column: int) -> str:
        rule = self._rules[row]
        is_current = rule.id == self._current_rule
        if column == 0:
            return f"{rule.title}, the current rule" if is_current else f"Take {rule.title} as the current rule"
        lines = [f"{rule.id}: {rule.title}"]
        if rule.here:
            pairs = zip(rule.runs, rule.here, strict=True)
            lines.append("This step: " + ", ".join(f"{run_letter(run)} {verdict_words(one)}" for run, one in pairs))
        lines += [rule.here_why] if rule.here_why else []
        if any(score is not None for score in rule.scores):
            pairs_of = zip(rule.runs, rule.scores, strict=True)
            named = ", ".join(f"{run_letter(run)} {formats.score(score)}" for run, score in pairs_of)
            lines.append(f"{rule.metric}: {named}")
        lines += [rule.why] if rule.why else []
        lines += [_flips(rule, is_current)] if _flips(rule, is_current) else []
        return "\n".join(lines)

    def sizeHint(self) -> QSize:
        return QSize(260, round(self._head_height() + len(self._rules) * self._row_height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paint_rest(self, painter: QPainter) -> None:
        colours, head = theme.current(), QRectF(0, 0, self.width(), self._head_height())
        painter.setFont(derived(self.font(), 11.5, weight=QFont.Weight.Medium))
        painter.setPen(QColor(colours.dim))
        painter.drawText(head.adjusted(SIDE, 0, 0, 0), LEFT, "Rule")
        if not self._narrow():
            glyphs, scores = self._right_places(head)
            painter.drawText(glyphs.adjusted(-40, 0, 0, 0), RIGHT, "This step")
            letters = " · ".join(run_letter(run) for run in self._runs())
            words = f"All steps {letters}"
            room = int(scores.width())
            if painter.fontMetrics().horizontalAdvance(words) > room:
                words = letters
            painter.drawText(scores, RIGHT, words)
        painter.fillRect(QRectF(0, head.bottom() - 1, self.width(), 1), QColor(colours.line))

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        rule, tile = self._rules[row], self.tile(row, column)
        current = rule.id == self._current_rule
        self._paint_ground(painter, tile, column, current=current, hovered=hovered)
        if column == 0:
            self._paint_radio(painter, tile, current)
            return
        top, line = tile.top() + 5, self._line()
        glyphs, _scores = self._right_places(QRectF(0, top, self.width(), line))
        right = self.width() - SIDE if self._narrow() else int(glyphs.left()) - 8
        name = QRect(RADIO_WIDTH + INSET, round(top), right - RADIO_WIDTH - INSET, line)
        below = name.translated(0, line)
        if self._narrow():
            name.setRight(right - self._flips_width(rule, current))
        paint_cut(painter, name, rule.id, monospace(self.font(), 12.5), theme.current().text)
        small = derived(self.font(), 11)
        known = any(score is not None for score in rule.scores)
        paint_cut(painter, below, rule.title if known or not rule.why else rule.why, small, theme.current().dim)
        self._paint_numbers(painter, row)
        painter.setFont(small)
        painter.setPen(QColor(theme.current().dim))
        flips = QRectF(RADIO_WIDTH, top if self._narrow() else top + line, self.width() - SIDE - RADIO_WIDTH, line)
        painter.drawText(flips, RIGHT, _flips(rule, current))

    def _paint_ground(self, painter: QPainter, tile: QRectF, column: int, *, current: bool, hovered: bool) -> None:
        colours, row = theme.current(), tile.adjusted(-2 if column == 0 else 0, -1, 2 if column else 0, 1)
        if current:
            painter.fillRect(row, QColor(colours.selection))
            if column == 0:
                painter.fillRect(QRectF(0, row.top(), 3, row.height()), QColor(colours.selection_line))
        elif hovered:
            painter.fillRect(row, QColor(colours.hover))
        painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), QColor(colours.line2))

    def _paint_radio(self, painter: QPainter, tile: QRectF, current: bool) -> None:
        colours = theme.current()
        ring = QRectF(SIDE, tile.center().y() - RADIO / 2, RADIO, RADIO)
        painter.setPen(QPen(QColor(colours.accent if current else colours.dim), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(ring)
        if current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawEllipse(ring.adjusted(3.5, 3.5, -3.5, -3.5))

    def _paint_numbers(self, painter: QPainter, row: int) -> None:
        """Verdicts here, and scores in the runs' colours."""
        colours, rule = theme.current(), self._rules[row]
        painter.setFont(self._number_font())
        places = self.number_places(row)
        for (glyph, _number), run, verdict in zip(places, rule.runs, rule.here, strict=False):
            paint_run_verdict(painter, glyph, run, verdict)
        for (_glyph, where), run, score in zip(places, rule.runs, rule.scores, strict=False):
            painter.setPen(QColor(colours.dim if score is None else colours.run_colour(run)))
            painter.drawText(where, LEFT if self._in_pairs() else RIGHT, formats.score(score))

    def number_places(self, row: int) -> list[tuple[QRectF, QRectF]]:
        """Where each run's verdict and score stand. All verdicts stand before all scores; where there is no room for
        that, each stands before its own, in as many lines as it takes."""
        line, width = self._line(), self._score_width()
        top = self.tile(row, 1).top() + 5 + (2 * line if self._narrow() else 0)
        glyphs, scores = self._right_places(QRectF(0, top, self.width(), line))
        found = []
        for place in range(len(self._rules[row].runs)):
            if self._in_pairs():
                down, along = divmod(place, self._pairs_a_line())
                left, above = float(RADIO_WIDTH + INSET + along * self._pair_width()), top + down * line
                number = left + GLYPH + SCORE_GAP
            else:
                left, above = glyphs.left() + place * GLYPH_PITCH + (GLYPH_PITCH - GLYPH), top
                number = scores.left() + place * (width + SCORE_GAP)
            glyph = QRectF(left, above + (line - GLYPH) / 2, GLYPH, GLYPH)
            found.append((glyph, QRectF(number, above, width, line)))
        return found

    def _in_pairs(self) -> bool:
        glyphs, _scores = self._right_places(QRectF(0, 0, self.width(), 10))
        return glyphs.left() + GLYPH_PITCH - GLYPH < RADIO_WIDTH + INSET

    def _pair_width(self) -> int:
        return GLYPH + SCORE_GAP + self._score_width() + SIDE

    def _pairs_a_line(self) -> int:
        return max(1, (self.width() - RADIO_WIDTH - INSET) // self._pair_width())

    def _right_places(self, row: QRectF) -> tuple[QRectF, QRectF]:
        """Where the verdicts and the scores stand in a row."""
        runs = len(self._runs())
        scores = runs * self._score_width() + max(0, runs - 1) * SCORE_GAP
        right = row.right() - SIDE
        place = QRectF(right - scores, row.top(), scores, row.height())
        glyphs = runs * GLYPH_PITCH
        return QRectF(place.left() - 12 - glyphs, row.top(), glyphs, row.height()), place

    def _runs(self) -> tuple[int, ...]:
        return self._rules[0].runs if self._rules else ()

    def _narrow(self) -> bool:
        glyphs, _scores = self._right_places(QRectF(0, 0, self.width(), 10))
        scale = derived(self.font(), 13).pixelSize() / 13
        return glyphs.left() - 8 - RADIO_WIDTH < LEAST_NAME * scale

    def _flips_width(self, rule: RuleVerdicts, current: bool) -> int:
        words = _flips(rule, current)
        return QFontMetrics(derived(self.font(), 11)).horizontalAdvance(words) + 8 if words else 0

    def _number_font(self) -> QFont:
        return derived(self.font(), 12, weight=QFont.Weight.Medium)

    def _score_width(self) -> int:
        return self.measured("score", lambda: QFontMetrics(self._number_font()).horizontalAdvance("0.000"))

    def _line(self) -> int:
        return self.measured("line", lambda: max(18, QFontMetrics(derived(self.font(), 12.5)).height() + 2))

    def _head_height(self) -> int:
        return round(max(28.0, self._line() + 10))

    def _row_height(self) -> int:
        lines = -(-len(self._runs()) // self._pairs_a_line()) if self._in_pairs() else 1
        return (2 + lines if self._narrow() else 2) * self._line() + 12


def _flips(rule: RuleVerdicts, current: bool) -> str:
    if current:
        return "current rule"
    return "" if rule.flips is None else formats.counted(rule.flips, "flip")
