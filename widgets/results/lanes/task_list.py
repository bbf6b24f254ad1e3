"""The tasks of a run of asking: goal, app, how many steps the ask rescued, and both streams as a film of dots."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.lanes.lane_painting import PITCH, film_width, paint_film
from stepscope.widgets.results.lanes.lane_values import GROUP_TITLES, LanesTaskRow

Index = QModelIndex | QPersistentModelIndex
LanesTaskRole = Qt.ItemDataRole.UserRole
_NONE = QModelIndex()
_SIDE, _GAP = 12, 8
MOST_DOTS = 14
"""Steps of a film; of a longer one the part around its asks is shown."""


class LanesTaskItemModel(QAbstractListModel):
    """The tasks that are listed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[LanesTaskRow, ...] = ()

    def set_rows(self, rows: Sequence[LanesTaskRow]) -> None:
        """Other tasks, or the same with other outcomes, which leave the list as it is."""
        rows = tuple(rows)
        if [one.episode for one in rows] == [one.episode for one in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    @property
    def rows(self) -> tuple[LanesTaskRow, ...]:
        return self._rows

    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == LanesTaskRole:
            return row
        words = f"{row.goal}\n{task_words(row)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(words)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return words
        return None


def task_words(row: LanesTaskRow) -> str:
    """What became of the task's question, in a line."""
    group = "" if row.group is None else GROUP_TITLES[row.group]
    rescued = "" if row.rescued is None else f"{formats.counted(row.rescued, 'step')} rescued"
    return ". ".join(filter(None, (group, rescued, f"missing: {row.kind}" if row.kind else "", row.about)))


def cut_film(film: tuple[str, str], most: int = MOST_DOTS) -> tuple[str, str]:
    """At most so many steps, with the first ask among them where there is one."""
    long = max(map(len, film))
    if long <= most:
        return film
    ask = max(film[0].find("a"), 0)
    start = min(max(0, ask - most // 2), long - most)
    return film[0][start : start + most], film[1][start : start + most]


class LanesTaskDelegate(QStyledItemDelegate):
    """Goal above; app, rescued steps and film below."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        lines = QFontMetrics(derived(option.font, 13)).height() + QFontMetrics(derived(option.font, 11.5)).height()
        return QSize(200, lines + 2 * theme.padding(6) + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, colours, place = index.data(LanesTaskRole), theme.current(), option.rect
        painter.save()
        paint_row_ground(painter, option)
        inside = place.adjusted(_SIDE, theme.padding(6), -_SIDE, -theme.padding(6))
        painter.setFont(derived(option.font, 13))
        painter.setPen(QColor(colours.text))
        cut = painter.fontMetrics().elidedText(straight(row.goal), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignTop, cut)
        painter.setFont(derived(option.font, 11.5))
        metrics = painter.fontMetrics()
        line = inside.bottom() - metrics.height()
        room = max(1, int(inside.width() * 0.5 / PITCH))
        film = cut_film(row.film, min(MOST_DOTS, room))
        paint_film(painter, inside.right() - film_width(film) + 2, line + metrics.height() / 2, film)
        right = inside.right() - film_width(film) - _GAP
        app = metrics.elidedText(formats.app_name(row.app), Qt.TextElideMode.ElideRight, int(inside.width() * 0.26))
        painter.setPen(QColor(colours.secondary))
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom, straight(app))
        self._paint_rescued(painter, row, QRectF(
            inside.left() + metrics.horizontalAdvance(app) + (_GAP if app else 0), line - 1, right, metrics.height() + 3
        ))  # fmt: skip
        painter.restore()

    def _paint_rescued(self, painter: QPainter, row: LanesTaskRow, place: QRectF) -> None:
        """`place` ends where the film begins, and is as wide as that is far right."""
        colours = theme.current()
        words = row.kind if row.rescued is None else f"{row.rescued:,} rescued" if row.rescued else "none"
        if not words:
            return
        metrics = painter.fontMetrics()
        room = place.width() - place.left() - 10
        words = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, int(room))
        if words in ("", "…"):
            return
        chip = QRectF(place.left(), place.top(), metrics.horizontalAdvance(words) + 10, place.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.hit_background if row.rescued else colours.raised))
        painter.drawRoundedRect(chip, 4, 4)
        painter.setPen(QColor(colours.hit if row.rescued else colours.secondary))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)


class LanesTaskList(RowTable):
    """One task is current; J and K do not move here but along its steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Tasks", parent)
        self.tasks = LanesTaskItemModel(self)
        self.setModel(self.tasks)
        self.setItemDelegate(LanesTaskDelegate(self))
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def choose(self, episode: str) -> bool:
        """Make a task current; whether it is listed."""
        place = next((at for at, row in enumerate(self.tasks.rows) if row.episode == episode), -1)
        if place >= 0:
            self.setCurrentIndex(self.tasks.index(place, 0))
        return place >= 0

    def step(self, way: int) -> None:
        """The next or the previous task."""
        place = self.currentIndex().row() + way
        if 0 <= place < len(self.tasks.rows):
            self.setCurrentIndex(self.tasks.index(place, 0))

    def _measure(self) -> None:
        lines = QFontMetrics(derived(self.font(), 13)).height() + QFontMetrics(derived(self.font(), 11.5)).height()
        self.verticalHeader().setDefaultSectionSize(lines + 2 * theme.padding(6) + 6)
