"""How the walks came out: a row for each class with its share, which filters the goals."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.core.scoring.rollout import CLASSES, WalkClass
from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.results.walks.walk_values import CLASS_ICONS, CLASS_TITLES

ROW, BAR, NUMBER = 30, 52, 34


class ClassRow(PaintedButton):
    """A class with its bar and count; checked, only its goals are listed."""

    def __init__(self, kind: WalkClass) -> None:
        super().__init__()
        self.kind = kind
        self._count, self._of = 0, 0
        self.setCheckable(True)
        self.setText(CLASS_TITLES[kind])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_count(self, count: int, of: int) -> None:
        self._count, self._of = count, of
        self.setAccessibleName(f"{CLASS_TITLES[self.kind]}: {count} of {of}")
        self.setEnabled(count > 0 or self.isChecked())
        self.update()

    @property
    def count(self) -> int:
        return self._count

    def sizeHint(self) -> QSize:
        return QSize(220, max(ROW, QFontMetrics(derived(self.font(), 13)).height() + 10))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.fillRect(self.rect(), QColor(colours.selection))
            painter.fillRect(0, 0, 3, self.height(), QColor(colours.selection_line))
        elif self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), QColor(colours.hover))
        middle = self.height() / 2
        tint = colours.hit if self.kind.success else colours.warn if self.kind is WalkClass.LEFT_GRAPH else colours.miss
        icon = icons.icon(CLASS_ICONS[self.kind], lambda: tint if self._count else theme.current().dim)
        icon.paint(painter, 12, round(middle - 7), 14, 14)
        painter.setFont(derived(self.font(), 13))
        painter.setPen(QColor(colours.text if self._count else colours.dim))
        right = self.width() - 12
        room = QRectF(34, 0, right - NUMBER - BAR - 12 - 34, self.height())
        cut = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, cut)
        painter.drawText(
            QRectF(right - NUMBER, 0, NUMBER, self.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            f"{self._count:,}",
        )
        track = QRectF(right - NUMBER - BAR - 4, middle - 3, BAR, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.inset))
        painter.drawRoundedRect(track, 3, 3)
        if self._count and self._of:
            painter.setBrush(QColor(tint))
            track.setWidth(max(4.0, BAR * self._count / self._of))
            painter.drawRoundedRect(track, 3, 3)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())


class ClassBars(QWidget):
    """All classes; one may be chosen at a time."""

    chosen = Signal(object)
    """a `WalkClass`, None for all"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = {kind: ClassRow(kind) for kind in CLASSES}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        headings = {WalkClass.DIRECT: "Success", WalkClass.WRONG_ELEMENT: "Failure"}
        for kind, row in self.rows.items():
            if kind in headings:
                label = QLabel(headings[kind])
                label.setProperty("role", "secondary")
                label.setContentsMargins(12, 8, 12, 2)
                column.addWidget(label)
            column.addWidget(row)
            row.clicked.connect(lambda checked, one=kind: self._choose(one if checked else None))

    def set_counts(self, counts: Mapping[WalkClass, int], of: int) -> None:
        """How many walks of each class there are."""
        for kind, row in self.rows.items():
            row.set_count(counts.get(kind, 0), of)

    def set_chosen(self, chosen: WalkClass | None) -> None:
        """Show a class as chosen; tells nobody."""
        for kind, row in self.rows.items():
            row.setChecked(kind is chosen)

    def _choose(self, kind: WalkClass | None) -> None:
        self.set_chosen(kind)
        self.chosen.emit(kind)
