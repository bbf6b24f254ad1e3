"""Paints the lanes of runs: verdicts with confidences, curves, questions, and words about the whole episode."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.doubt_sign import paint_doubt
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.timeline.cells import CellFonts, paint_text
from stepscope.widgets.timeline.timeline_step import FoldedLane, Lane, LaneCell

LANE_HEIGHT, CURVE_HEIGHT, THIN_HEIGHT = 24, 48, 18
GLYPH = 12
CURVE_MARGIN = 6
"""Pixels above 1 and below 0 of a curve."""
LEFT = 10


def lane_height(lane: Lane | FoldedLane, fonts: CellFonts) -> int:
    """A curve is as high as two lanes; a second stream is a thin lane more."""
    if isinstance(lane, FoldedLane):
        return round(LANE_HEIGHT * fonts.scale)
    height = CURVE_HEIGHT if lane.curve else LANE_HEIGHT
    return round((height + THIN_HEIGHT * lane.has_second_stream) * fonts.scale)


def lane_tops(lanes: tuple[Lane | FoldedLane, ...], fonts: CellFonts) -> list[int]:
    """Where each lane begins below the filmstrip's top, and where the last one ends."""
    tops = [fonts.film_height]
    for lane in lanes:
        tops.append(tops[-1] + lane_height(lane, fonts))
    return tops


def paint_lane(
    painter: QPainter, place: QRect, lane: Lane | FoldedLane, step: int, fonts: CellFonts, *, told: bool
) -> None:
    """One column of a lane; `told`: the value of a curve stands beside its point."""
    painter.fillRect(QRect(place.left() + 1, place.top(), place.width() - 1, 1), QColor(theme.current().line2))
    painter.setFont(fonts.small)
    if isinstance(lane, FoldedLane):
        _paint_folded(painter, place, lane, step)
    elif lane.curve:
        _paint_curve(painter, place, lane, step, told)
    elif lane.cells:
        cell = lane.cells[step] if step < len(lane.cells) else None
        first = QRect(place.left(), place.top(), place.width(), round(LANE_HEIGHT * fonts.scale))
        _paint_cell(painter, first, lane.run, cell)
        if lane.has_second_stream and cell is not None:
            second = QRect(place.left(), first.bottom() + 1, place.width(), place.bottom() - first.bottom())
            _paint_second(painter, second, lane.run, cell.after)


def paint_whole(painter: QPainter, place: QRect, lane: Lane, fonts: CellFonts) -> None:
    """Paint what a run says of the whole episode, across its lane."""
    painter.setFont(fonts.small)
    inside = place.adjusted(LEFT, 0, -6, 0)
    if lane.verdict is not None:
        _paint_verdict(painter, inside, lane.run, lane.verdict)
    paint_text(painter, inside.adjusted(20, 0, 0, 0), lane.words, theme.current().secondary)


def paint_labels(
    painter: QPainter, place: QRect, lanes: tuple[Lane | FoldedLane, ...], fonts: CellFonts, scrolled: int
) -> None:
    """The column at the left that stays while the steps scroll; lanes are `scrolled` upwards by so many pixels."""
    colours = theme.current()
    painter.fillRect(place, QColor(colours.panel))
    painter.setFont(derived(fonts.small, 12))
    middle = place.top() + fonts.film_height / 2
    paint_reference_glyph(painter, QRectF(place.left() + 13, middle - 6, 12, 12))
    left, room = place.left() + 33, place.width() - 38
    paint_text(painter, QRect(left, place.top(), room, fonts.film_height), "Reference", colours.secondary)
    tops = [top - scrolled for top in lane_tops(lanes, fonts)]
    line = round(LANE_HEIGHT * fonts.scale)
    painter.setClipRect(place.adjusted(0, fonts.film_height, 0, 0))
    for lane, top, bottom in zip(lanes, tops, tops[1:], strict=False):
        painter.fillRect(QRect(place.left(), place.top() + top, place.width(), 1), QColor(colours.line2))
        if isinstance(lane, FoldedLane):
            icons.icon("chevron_right", colours.dim).paint(
                painter, QRect(place.left() + 12, top + line // 2 - 7, 14, 14)
            )
            painter.setFont(derived(fonts.small, 12))
            paint_text(painter, QRect(left, top, room, line), f"{len(lane.lanes)} runs", colours.text)
            continue
        glyph = QRectF(place.left() + 12, place.top() + top + line / 2 - 7, 14, 14)
        paint_run_glyph(painter, glyph, lane.run, letter=True)
        painter.setFont(derived(fonts.small, 12))
        named = QRect(left, place.top() + top, room, line)
        if lane.doubt:
            named = paint_doubt(painter, named)
        name = cut_run_name(painter.fontMetrics(), lane.name, named.width())
        paint_text(painter, named, name, colours.text)
        second = lane.words if lane.curve else "after the answer" if lane.has_second_stream else ""
        if second:
            painter.setFont(fonts.small)
            below = QRect(left, place.top() + top + line - 4, room, bottom - top - line)
            paint_text(painter, below, second, colours.dim)


def _paint_folded(painter: QPainter, place: QRect, folded: FoldedLane, step: int) -> None:
    """A sign for each run beside the next, closer where the column is narrow."""
    room = place.width() - 2 * LEFT
    pitch = min(GLYPH + 4, room / len(folded.lanes))
    for number, lane in enumerate(folded.lanes):
        cell = lane.cells[step] if step < len(lane.cells) else None
        if cell is not None:
            inside = QRect(round(place.left() + LEFT + number * pitch), place.top(), GLYPH, place.height())
            _paint_verdict(painter, inside, lane.run, cell.verdict)


def _paint_curve(painter: QPainter, place: QRect, lane: Lane, step: int, told: bool) -> None:
    """The curve's part in this column: to the middle of its neighbours, with a dot at its own value."""
    if step >= len(lane.curve):
        return
    colour = QColor(theme.current().run_colour(lane.run))
    here = _point(place, lane.curve[step])
    ends = [here]
    if step > 0:
        ends.insert(0, _between(place, place.left(), lane.curve[step - 1], lane.curve[step]))
    if step + 1 < len(lane.curve):
        ends.append(_between(place, place.right() + 1, lane.curve[step + 1], lane.curve[step]))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_ground(painter, place, ends, colour)
    painter.setPen(QPen(colour, 1.8))
    for start, end in pairwise(ends):
        painter.drawLine(QLineF(start, end))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    radius = 4.0 if told else 2.5
    painter.drawEllipse(here, radius, radius)
    painter.restore()
    if told:
        _paint_value(painter, place, here, formats.confidence(lane.curve[step]))


def _paint_value(painter: QPainter, place: QRect, here: QPointF, text: str) -> None:
    """The value above its point, below where there is no room."""
    metrics = painter.fontMetrics()
    height = metrics.height()
    top = here.y() - 5 - height
    if top < place.top():
        top = here.y() + 5
    painter.setPen(QColor(theme.current().text))
    painter.drawText(QRectF(here.x() - 40, top, 80, height), Qt.AlignmentFlag.AlignCenter, text)


def _paint_ground(painter: QPainter, place: QRect, ends: list[QPointF], colour: QColor) -> None:
    """A weak fill below the curve, and a dotted line at one half."""
    half = _point(place, 0.5).y()
    painter.setPen(QPen(QColor(theme.current().line), 1, Qt.PenStyle.DotLine))
    painter.drawLine(QLineF(place.left() + 1, half, place.right(), half))
    if len(ends) < 2:
        return
    floor = _point(place, 0.0).y()
    weak = QColor(colour)
    weak.setAlphaF(0.16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(weak)
    painter.drawPolygon(QPolygonF([*ends, QPointF(ends[-1].x(), floor), QPointF(ends[0].x(), floor)]))


def _point(place: QRect, value: float) -> QPointF:
    room = place.height() - 2 * CURVE_MARGIN
    return QPointF(place.center().x() + 0.5, place.bottom() - CURVE_MARGIN - room * min(max(value, 0.0), 1.0))


def _between(place: QRect, x: int, one: float, other: float) -> QPointF:
    """Where the line to a neighbour crosses the column's edge."""
    return QPointF(x, _point(place, (one + other) / 2).y())


def _paint_cell(painter: QPainter, place: QRect, run: int, cell: LaneCell | None) -> None:
    """Glyph and confidence; what cannot be right or wrong says so in words."""
    colours = theme.current()
    inside = place.adjusted(LEFT, 0, -6, 0)
    words = QRect(inside.left() + 20, place.top(), inside.width() - 20, place.height())
    if cell is None:
        paint_text(painter, inside, formats.NONE, colours.dim)
        return
    _paint_verdict(painter, inside, run, cell.verdict)
    if cell.ask:
        _paint_bubble(painter, QRectF(words.left(), place.center().y() - 6, 14, 11), run, filled=cell.ask != "due")
        words.setLeft(words.left() + 20)
    if cell.verdict in (ShownVerdict.MALFORMED, ShownVerdict.NULL, ShownVerdict.ERROR):
        colour = colours.miss if cell.verdict is ShownVerdict.ERROR else colours.warn
        paint_text(painter, words, "failed" if cell.verdict is ShownVerdict.ERROR else cell.verdict.word, colour)
        return
    unsaid = "unscored" if cell.verdict is ShownVerdict.UNSCORED else ""
    sure = unsaid if cell.confidence is None else formats.confidence(cell.confidence)
    paint_text(painter, words, " ".join(filter(None, (sure, cell.does))), colours.secondary)


def _paint_second(painter: QPainter, place: QRect, run: int, words: str) -> None:
    """Paint what the run does once its question was answered, on a weak ground in its colour."""
    if not words:
        return
    weak = QColor(theme.current().run_colour(run))
    weak.setAlphaF(0.14)
    bar = QRectF(place.adjusted(6, 0, -6, -3))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(weak)
    painter.drawRoundedRect(bar, 4, 4)
    paint_text(painter, bar.toRect().adjusted(6, 0, -4, 0), words, theme.current().secondary)


def _paint_verdict(painter: QPainter, inside: QRect, run: int, verdict: ShownVerdict) -> None:
    """The run's glyph: filled a hit, crossed a miss, hollow unscored; a triangle for what could not be judged."""
    middle = inside.center().y()
    if verdict in (ShownVerdict.MALFORMED, ShownVerdict.NULL, ShownVerdict.ERROR):
        colours = theme.current()
        colour = colours.miss if verdict is ShownVerdict.ERROR else colours.warn
        icons.icon("warning", colour).paint(painter, QRect(inside.left() - 1, middle - 6, 14, 14))
        return
    glyph = QRectF(inside.left(), middle - GLYPH / 2 + 0.5, GLYPH, GLYPH)
    paint_run_glyph(painter, glyph, run, filled=verdict is ShownVerdict.HIT, crossed=verdict is ShownVerdict.MISS)


def _paint_bubble(painter: QPainter, place: QRectF, run: int, *, filled: bool) -> None:
    """A question: filled where it came, hollow where it was due and did not come."""
    colour = QColor(theme.current().run_colour(run))
    bubble, tail = QPainterPath(), QPainterPath()
    bubble.addRoundedRect(place, 3.5, 3.5)
    foot = place.bottom() - 1
    corners = (QPointF(place.left() + 3, foot), QPointF(place.left() + 7, foot), QPointF(place.left() + 3, foot + 4.5))
    tail.addPolygon(QPolygonF([*corners, corners[0]]))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.4))
    painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
    painter.drawPath(bubble.united(tail))
    painter.restore()
