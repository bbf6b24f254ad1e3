"""Paints headings and runs: letter or empty box, name, number of items and main metric, time."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QStyle, QStyleOptionViewItem, QWidget

from stepscope.core.domain.run import RunState
from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.doubt_sign import paint_doubt
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.results.result_rows import RunListRow
from stepscope.widgets.results.run_name_delegate import RunNameDelegate
from stepscope.widgets.results.runs_item_model import HeadingRole, RunRole

MARGIN, PADDING, BOX, GAP = 12, 6, 18, 8
ELSEWHERE = 0.4
"""How strong the glyphs of runs are that nothing shows now."""
NEW, BADGE_PADDING, PIN = "new", 10, 12
HEADING_HEIGHT = 32
Index = QModelIndex | QPersistentModelIndex
STATE_WORDS = {
    RunState.FAILED: ("failed", "miss"),
    RunState.CANCELLED: ("cancelled", "dim"),
    RunState.INTERRUPTED: ("interrupted", "warn"),
}


def box_place(row: QRect) -> QRect:
    """Where a run's letter or empty box stands in its row; a click there assigns or takes the letter."""
    return QRect(row.left() + MARGIN, row.center().y() - BOX // 2, BOX, BOX)


class RunsDelegate(RunNameDelegate):
    """Paints the rows; a run's name is edited in its line."""

    def name_line(self, row: QRect) -> QRect:
        return row.adjusted(MARGIN + BOX + GAP - 4, 2, -MARGIN, 0)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        name, small = derived(option.font, 13), derived(option.font, 11.5)
        if index.data(HeadingRole) is not None:
            return QSize(120, max(HEADING_HEIGHT, QFontMetrics(small).height() + 16))
        lines = 1 if option.widget is None or _side_by_side(index.data(RunRole), small, _room(option.widget)) else 2
        return QSize(
            160, 2 * theme.padding(PADDING) + QFontMetrics(name).height() + lines * QFontMetrics(small).height() + 2
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        heading = index.data(HeadingRole)
        if heading is not None:
            words, is_open, badge = heading
            _paint_heading(painter, option.rect, words, is_open, badge, option.font)
        else:
            _paint_run(painter, option, index.data(RunRole))
        painter.restore()


def _paint_heading(painter: QPainter, place: QRect, words: str, is_open: bool, badge: str, font: QFont) -> None:
    colours = theme.current()
    arrow = QRect(place.left() + 8, place.center().y() - 6, 12, 12)
    icons.icon("chevron_down" if is_open else "chevron_right").paint(painter, arrow)
    room = place.adjusted(24, 0, -8, 0)
    if badge:
        painter.setFont(derived(font, 11))
        left = room.right() - painter.fontMetrics().horizontalAdvance(badge) - BADGE_PADDING
        paint_badge(painter, left, place.center().y() + 0.5, badge, "warn")
        room.setRight(left - GAP)
    painter.setFont(derived(font, 11.5, weight=QFont.Weight.Medium))
    painter.setPen(QColor(colours.secondary))
    cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, cut)


def _paint_run(painter: QPainter, option: QStyleOptionViewItem, run: RunListRow) -> None:
    colours = theme.current()
    place = option.rect
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    box = QRectF(box_place(place))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(ELSEWHERE if run.elsewhere else 1.0)
    if run.letter is None:
        painter.setPen(QPen(QColor(colours.dim), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)
    else:
        paint_run_glyph(painter, box.adjusted(1, 1, -1, -1), run.letter, letter=True)
    painter.setOpacity(1.0)
    inside = place.adjusted(MARGIN + BOX + GAP, theme.padding(PADDING), -MARGIN, -theme.padding(PADDING))
    _paint_lines(painter, inside, run, option.font)


def _paint_lines(painter: QPainter, inside: QRect, run: RunListRow, font: QFont) -> None:
    colours = theme.current()
    elide = Qt.TextElideMode.ElideRight
    painter.setFont(derived(font, 13, weight=QFont.Weight.Medium))
    metrics = painter.fontMetrics()
    first = QRect(inside.left(), inside.top(), inside.width(), metrics.height())
    if run.pinned:
        sign = QRect(first.left(), first.center().y() - PIN // 2, PIN, PIN)
        icons.icon("pin").paint(painter, sign)
        first.setLeft(sign.right() + 5)
    if run.doubt:
        first = paint_doubt(painter, first)
    if run.is_new:
        first.setRight(_paint_new(painter, first, font) - GAP)
    painter.setPen(QColor(colours.dim if run.elsewhere else colours.text))
    painter.drawText(first, Qt.AlignmentFlag.AlignVCenter, cut_run_name(metrics, run.name, first.width()))
    painter.setFont(derived(font, 11.5))
    metrics = painter.fontMetrics()
    last = QRect(inside.left(), inside.bottom() - metrics.height() + 1, inside.width(), metrics.height())
    beside = _side_by_side(run, painter.font(), inside.width())
    words, colour = STATE_WORDS.get(run.state, (run.when, "dim"))
    painter.setPen(QColor(getattr(colours, colour)))
    side = Qt.AlignmentFlag.AlignRight if beside else Qt.AlignmentFlag.AlignLeft
    painter.drawText(last, Qt.AlignmentFlag.AlignVCenter | side, words)
    second = last if beside else last.translated(0, -metrics.height())
    painter.setPen(QColor(colours.dim))
    painter.drawText(
        second, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(straight(_facts(run)), elide, second.width())
    )


def _paint_new(painter: QPainter, line: QRect, font: QFont) -> int:
    """A badge at the end of the line; gives where it begins."""
    painter.save()
    painter.setFont(derived(font, 11))
    left = line.right() - painter.fontMetrics().horizontalAdvance(NEW) - BADGE_PADDING
    paint_badge(painter, left, line.center().y() + 0.5, NEW, "accent")
    painter.restore()
    return left


def _facts(run: RunListRow) -> str:
    return " · ".join(filter(None, (formats.count(run.done), run.metric, *(f"#{tag}" for tag in run.tags))))


def _side_by_side(run: RunListRow, font: QFont, width: int) -> bool:
    """Whether the facts and the time have room in one line."""
    metrics = QFontMetrics(font)
    words = STATE_WORDS.get(run.state, (run.when, ""))[0]
    return metrics.horizontalAdvance(_facts(run)) + GAP + metrics.horizontalAdvance(words) <= width


def _room(view: QWidget) -> int:
    """How wide the lines of a run are in the list."""
    width = view.viewport().width() if isinstance(view, QAbstractScrollArea) else view.width()
    return width - 2 * MARGIN - BOX - GAP
