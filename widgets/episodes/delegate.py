"""Paints an episode's two lines: the goal; app, steps, badge, and one row of verdict cells per run."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from widgets import icons, theme
from widgets.common.badge import paint_badge
from widgets.common.fonts import derived
from widgets.common.states import paint_skeleton_bar
from widgets.common.verdict import paint_verdict_cell
from widgets.episodes.values import EpisodeRow
from widgets.format import counted

MARGIN = 12
PADDING = 8
LINE_GAP = 4
CELL, CELL_GAP = 7, 2
APP_WIDTH, STEPS_WIDTH = 84, 56
ICON = 13
MOST_RUNS = 2
"""Rows of cells that fit beside the second line; more runs are told in Compare."""


class EpisodeDelegate(QStyledItemDelegate):
    """All rows are equally high, so the list need not measure them."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = _fonts(option.font)
        second = max(QFontMetrics(small).height(), MOST_RUNS * (CELL + CELL_GAP))
        return QSize(200, 2 * PADDING + QFontMetrics(goal).height() + LINE_GAP + second + 1)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        _paint_ground(painter, option)
        row = index.data(int(Qt.ItemDataRole.UserRole))
        inside = option.rect.adjusted(MARGIN, PADDING, -MARGIN, -PADDING)
        if row is None:
            _paint_placeholder(painter, inside, index.row())
        else:
            goal_font, small = _fonts(option.font)
            _paint_goal(painter, inside, row, goal_font)
            _paint_details(painter, inside, row, small)
        painter.restore()


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return derived(font, 13, weight=QFont.Weight.Medium), derived(font, 11.5)


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    colours = theme.current()
    place = option.rect
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))


def _paint_goal(painter: QPainter, inside: QRect, row: EpisodeRow, font: QFont) -> None:
    colours = theme.current()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    signs = [name for name, shown in (("ask", row.asks), ("warning", row.problems)) if shown]
    signs += row.signs
    width = inside.width() - len(signs) * (ICON + 4)
    painter.setPen(QColor(colours.text))
    text = metrics.elidedText(" ".join(row.goal.split()) or row.id, Qt.TextElideMode.ElideRight, width)
    painter.drawText(QRect(inside.left(), inside.top(), width, metrics.height()), Qt.AlignmentFlag.AlignVCenter, text)
    left = inside.right() - len(signs) * (ICON + 4) + 5
    for name in signs:
        place = QRect(left, inside.top() + (metrics.height() - ICON) // 2, ICON, ICON)
        icons.icon(name, colours.hit if name == "check" else colours.warn).paint(painter, place)
        left += ICON + 4


def _paint_details(painter: QPainter, inside: QRect, row: EpisodeRow, font: QFont) -> None:
    colours = theme.current()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    line = QRect(inside.left(), inside.bottom() - metrics.height() + 1, inside.width(), metrics.height())
    scale = metrics.height() / 14
    app_width, steps_width = round(APP_WIDTH * scale) if row.app else 0, round(STEPS_WIDTH * scale)
    painter.setPen(QColor(colours.secondary))
    app = metrics.elidedText(row.app, Qt.TextElideMode.ElideRight, app_width - 8)
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, app)
    steps = QRect(line.left() + app_width, line.top(), steps_width, line.height())
    painter.drawText(steps, Qt.AlignmentFlag.AlignVCenter, counted(row.steps, "step"))
    left = float(steps.right() + 4)
    if row.label == "infeasible":
        left = paint_badge(painter, left, line.center().y() + 0.5, "infeasible", "warn") + 8
    _paint_verdicts(painter, inside, left, line.center().y() + 0.5, row)


def _paint_verdicts(painter: QPainter, inside: QRect, left: float, middle: float, row: EpisodeRow) -> None:
    """Cells stand at the right; when there are more than fit, a dim + says so."""
    runs = row.verdicts[:MOST_RUNS]
    pitch = CELL + CELL_GAP
    longest = max(map(len, runs), default=0)
    fit = max(0, int((inside.right() + 1 - left) // pitch))
    if not longest or fit < 2:
        return
    shown, cut = (longest, False) if longest <= fit else (max(0, fit - 1), True)
    start = inside.right() + 1 - (shown + cut) * pitch + CELL_GAP
    top = middle - (len(runs) * pitch - CELL_GAP) / 2
    for verdicts in runs:
        for step, verdict in enumerate(verdicts[:shown]):
            paint_verdict_cell(painter, QRectF(start + step * pitch, top, CELL, CELL), verdict)
        top += pitch
    if cut:
        painter.setPen(QColor(theme.current().dim))
        place = QRectF(inside.right() - CELL, middle - CELL, CELL + 2, 2 * CELL)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "+")


def _paint_placeholder(painter: QPainter, inside: QRect, row: int) -> None:
    width = inside.width()
    first, second = inside.top() + 7, inside.bottom() - 6
    paint_skeleton_bar(painter, inside.left(), first, width * (0.62 - 0.1 * (row % 3)), 10)
    paint_skeleton_bar(painter, inside.left(), second, 64, 8)
    paint_skeleton_bar(painter, inside.left() + 72, second, 44, 8)
    paint_skeleton_bar(painter, inside.right() - 60, second, 60, 8)
