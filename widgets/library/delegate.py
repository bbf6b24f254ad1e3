"""Paints an episode's two lines (the goal; app, steps, badge, one row of verdict cells per run), and headings."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6 import QtWidgets
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate

from stepscope.widgets import icons, theme
from stepscope.widgets.common.badge import paint_badge
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.common.verdict import ShownVerdict, paint_verdict_cell
from stepscope.widgets.format import confidence, count, counted
from stepscope.widgets.library.episode_list_rows import USUAL_PARTS, EpisodeListRow, RowPart
from stepscope.widgets.library.episodes_item_model import Heading

MARGIN = 12
PADDING = 8
NARROW = 240
"""Width of a line below which its words stand no farther apart than they need."""
GAP, LEAST_APP, CELLS_FIRST = 10, 24, 6
"""Pixels between words of a narrow line, the least room in which an app is named, and cells that come before words."""
LINE_GAP = 4
CELL, CELL_GAP = 7, 2
APP_WIDTH, STEPS_WIDTH = 84, 56
ICON = 13
MOST_RUNS = 2
"""Rows of cells that fit beside the second line; more runs are told in Compare."""


class EpisodeDelegate(QStyledItemDelegate):
    """All rows of episodes are equally high, so the list need not measure them; `parts` are what they show."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = frozenset(USUAL_PARTS)

    def heading_height(self, font: QFont) -> int:
        """How high a heading's row is."""
        return QFontMetrics(_fonts(font)[1]).height() + 2 * theme.padding(PADDING) - 2

    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        goal, small = _fonts(option.font)
        second = max(QFontMetrics(small).height(), MOST_RUNS * (CELL + CELL_GAP))
        return QSize(200, 2 * theme.padding(PADDING) + QFontMetrics(goal).height() + LINE_GAP + second + 1)

    def paint(
        self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        _paint_ground(painter, option)
        row = index.data(int(Qt.ItemDataRole.UserRole))
        inside = option.rect.adjusted(MARGIN, theme.padding(PADDING), -MARGIN, -theme.padding(PADDING))
        goal_font, small = _fonts(option.font)
        if row is None:
            _paint_placeholder(painter, inside, index.row())
        elif isinstance(row, Heading):
            _paint_heading(painter, option.rect, row, option.font)
        else:
            _paint_goal(painter, inside, row, goal_font, self.parts)
            _paint_details(painter, inside, row, small, self.parts)
        painter.restore()


def _fonts(font: QFont) -> tuple[QFont, QFont]:
    return derived(font, 13, weight=QFont.Weight.Medium), derived(font, 11.5)


def _paint_ground(painter: QPainter, option: QtWidgets.QStyleOptionViewItem) -> None:
    colours = theme.current()
    place = option.rect
    if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
        painter.fillRect(place, QColor(colours.selection))
        painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), QColor(colours.selection_line))
    elif option.state & QtWidgets.QStyle.StateFlag.State_MouseOver:
        painter.fillRect(place, QColor(colours.hover))
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))


def _paint_heading(painter: QPainter, place: QRect, heading: Heading, font: QFont) -> None:
    colours = theme.current()
    sign = "chevron_right" if heading.folded else "chevron_down"
    icons.icon(sign, colours.secondary).paint(painter, QRect(place.left() + 8, place.center().y() - 5, 11, 11))
    inside = place.adjusted(MARGIN + 12, 0, -MARGIN, -1)
    painter.setFont(derived(font, 11.5))
    painter.setPen(QColor(colours.dim))
    many = count(heading.group.count)
    painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), many)
    inside.setRight(inside.right() - painter.fontMetrics().horizontalAdvance(many) - 8)
    known = bool(heading.group.words)
    painter.setFont(derived(font, 12, weight=QFont.Weight.DemiBold if known else QFont.Weight.Normal))
    painter.setPen(QColor(colours.text if known else colours.secondary))
    words = painter.fontMetrics().elidedText(straight(heading.words), Qt.TextElideMode.ElideRight, inside.width())
    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)


def _paint_goal(painter: QPainter, inside: QRect, row: EpisodeListRow, font: QFont, parts: frozenset[RowPart]) -> None:
    colours = theme.current()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    signs = ["ask"] if row.asks and RowPart.ASKS in parts else []
    signs += ["warning"] if row.problems else []
    signs += row.signs if RowPart.NOTES in parts else ()
    width = inside.width() - len(signs) * (ICON + 4)
    painter.setPen(QColor(colours.text))
    text = metrics.elidedText(straight(" ".join(row.goal.split()) or row.id), Qt.TextElideMode.ElideRight, width)
    painter.drawText(QRect(inside.left(), inside.top(), width, metrics.height()), Qt.AlignmentFlag.AlignVCenter, text)
    left = inside.right() - len(signs) * (ICON + 4) + 5
    for name in signs:
        place = QRect(left, inside.top() + (metrics.height() - ICON) // 2, ICON, ICON)
        icons.icon(name, colours.hit if name == "check" else colours.warn).paint(painter, place)
        left += ICON + 4


def _paint_details(
    painter: QPainter, inside: QRect, row: EpisodeListRow, font: QFont, parts: frozenset[RowPart]
) -> None:
    colours = theme.current()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    line = QRect(inside.left(), inside.bottom() - metrics.height() + 1, inside.width(), metrics.height())
    painter.setPen(QColor(colours.secondary))
    left = float(line.left())
    for words, width in _app_and_steps(row, parts, metrics, line.width()):
        room = QRect(round(left), line.top(), width, line.height())
        elided = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, room.width() - GAP // 2)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, elided)
        left = room.right() + 1
    left += 3
    middle = line.center().y() + 0.5
    if row.label == "infeasible" and RowPart.LABEL in parts:
        left = paint_badge(painter, left, middle, "infeasible", "warn") + 8
    more = " · ".join(further(row, parts))
    verdicts = row.verdicts if RowPart.VERDICTS in parts else ()
    if more:
        room_for_cells = min(_width_of(verdicts), (inside.right() - left) / 2)
        rest = QRect(round(left), line.top(), round(inside.right() - left - room_for_cells) - 10, line.height())
        elided = metrics.elidedText(straight(more), Qt.TextElideMode.ElideRight, rest.width())
        painter.setPen(QColor(colours.dim))
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, elided)
        left += metrics.horizontalAdvance(elided) + 6
    _paint_verdicts(painter, inside, left, middle, verdicts)


def _app_and_steps(
    row: EpisodeListRow, parts: frozenset[RowPart], metrics: QFontMetrics, width: int
) -> list[tuple[str, int]]:
    """App and number of steps with their room in a line of this width. They stand in columns where there is room; in a
    narrow line badge and cells come first: the number is bare then, and the app has what is left."""
    scale = metrics.height() / 14
    app = row.app if RowPart.APP in parts else ""
    steps = counted(row.steps, "step") if RowPart.STEPS in parts else ""
    if width >= NARROW * scale:
        return [(words, round(usual * scale)) for words, usual in ((app, APP_WIDTH), (steps, STEPS_WIDTH)) if words]
    badge = metrics.horizontalAdvance("infeasible") + 21 if row.label == "infeasible" and RowPart.LABEL in parts else 0
    cells = min(_width_of(row.verdicts), CELLS_FIRST * (CELL + CELL_GAP)) if RowPart.VERDICTS in parts else 0
    left = width - badge - cells

    def needed(*words: str) -> int:
        return sum(metrics.horizontalAdvance(one) + GAP for one in words if one)

    if steps and needed(app, steps) > left:
        steps = count(row.steps)
    room = min(needed(app), left - needed(steps))
    found = [(app, room)] if app and room >= LEAST_APP * scale else []
    return [*found, *([(steps, needed(steps))] if steps else [])]


def further(row: EpisodeListRow, parts: Iterable[RowPart]) -> list[str]:
    """What the second line says beside app, steps and badge."""
    found: list[str] = []
    if RowPart.SPLIT in parts:
        found += row.splits
    if RowPart.FORMAT in parts and row.format:
        found.append(row.format)
    first = zip(row.runs, row.first_wrong, strict=False)
    wrong = [f"{run_letter(run)} {step}" for run, step in first if step is not None]
    if RowPart.FIRST_WRONG in parts and wrong:
        found.append(f"wrong at {', '.join(wrong)}")
    lowest = zip(row.runs, row.confidences, strict=False)
    sure = [f"{run_letter(run)} {confidence(low)}" for run, low in lowest if low is not None]
    if RowPart.CONFIDENCE in parts and sure:
        found.append(f"least {', '.join(sure)}")
    return found


def _width_of(verdicts: tuple[tuple[ShownVerdict, ...], ...]) -> int:
    return max(map(len, verdicts[:MOST_RUNS]), default=0) * (CELL + CELL_GAP)


def _paint_verdicts(
    painter: QPainter, inside: QRect, left: float, middle: float, verdicts: tuple[tuple[ShownVerdict, ...], ...]
) -> None:
    """Cells stand at the right; when there are more than fit, a dim + says so."""
    runs = verdicts[:MOST_RUNS]
    pitch = CELL + CELL_GAP
    longest = max(map(len, runs), default=0)
    fit = max(0, int((inside.right() + 1 - left) // pitch))
    if not longest or fit < 2:
        return
    shown, cut = (longest, False) if longest <= fit else (max(0, fit - 1), True)
    start = inside.right() + 1 - (shown + cut) * pitch + CELL_GAP
    top = middle - (len(runs) * pitch - CELL_GAP) / 2
    for row in runs:
        for step, verdict in enumerate(row[:shown]):
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
