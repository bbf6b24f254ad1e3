"""What filters the tasks: what became of the question, and the kind of the missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.lanes.lane_values import GROUP_ICONS, GROUP_TITLES, LanesGroup
from stepscope.widgets.scores.flow import Flow

ROW, NUMBER = 30, 44
ALL_KINDS = ""
MOST_KINDS = 12
"""Kinds that have a chip of their own; the most frequent come first."""


class LanesGroupRow(PaintedButton):
    """What became of the question, with its count; checked, only these tasks are listed."""

    def __init__(self, group: LanesGroup) -> None:
        super().__init__()
        self.of = group
        self.count = 0
        self.setCheckable(True)
        self.setText(GROUP_TITLES[group])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_count(self, count: int) -> None:
        self.count = count
        self.setAccessibleName(f"{GROUP_TITLES[self.of]}: {count:,}")
        self.setEnabled(count > 0 or self.isChecked())
        self.update()

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
        tints = {
            LanesGroup.WHEN_DUE: colours.hit, LanesGroup.NOT_WHEN_DUE: colours.warn, LanesGroup.MISSED: colours.miss,
            LanesGroup.NOT_NEEDED: colours.secondary,
        }  # fmt: skip
        tint = tints[self.of] if self.count else colours.dim
        icon = icons.icon(GROUP_ICONS[self.of], lambda: tint)
        icon.paint(painter, 12, round(self.height() / 2 - 7), 14, 14)
        painter.setFont(derived(self.font(), 13))
        painter.setPen(QColor(colours.text if self.count else colours.dim))
        room = QRectF(34, 0, self.width() - 34 - NUMBER - 16, self.height())
        cut = painter.fontMetrics().elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, cut)
        number = QRectF(self.width() - 12 - NUMBER, 0, NUMBER, self.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{self.count:,}")
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())


class _KindChip(PaintedButton):
    """A kind of missing value."""

    def __init__(self, kind: str, words: str, tip: str) -> None:
        super().__init__()
        self.kind = kind
        self.setCheckable(True)
        self.setText(words)
        self.setToolTip(tip_words(tip))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 11.5))
        return QSize(metrics.horizontalAdvance(self.text()) + 18, max(22, metrics.height() + 6))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chip = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QColor(colours.selection_line if self.isChecked() else colours.line))
        painter.setBrush(QColor(colours.selection if self.isChecked() else colours.raised))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setFont(derived(self.font(), 11.5))
        painter.setPen(QColor(colours.text))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())


class LanesFilters(QWidget):
    """`changed` fires when a person chooses; pressing what is chosen takes it back."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.group: LanesGroup | None = None
        self.kind = ALL_KINDS
        self.rows = {group: LanesGroupRow(group) for group in LanesGroup}
        self._kinds: tuple[tuple[str, int], ...] = ()
        self.chips: dict[str, _KindChip] = {}
        self._title, self._flow = QLabel("Missing"), Flow()
        self._title.setProperty("role", "tiny")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for row in self.rows.values():
            row.clicked.connect(lambda _checked, one=row.of: self._choose_group(one))
            column.addWidget(row)
        below = QVBoxLayout()
        below.setContentsMargins(12, 6, 12, 6)
        below.setSpacing(4)
        below.addWidget(self._title)
        below.addWidget(self._flow)
        column.addLayout(below)

    def set_counts(self, groups: Mapping[LanesGroup, int], kinds: Sequence[tuple[str, int]]) -> None:
        """How many tasks each group and each kind of missing value has; `kinds` by their count."""
        if self.group is not None and not groups.get(self.group):
            self.group = None
        for group, row in self.rows.items():
            row.setChecked(group is self.group)
            row.set_count(groups.get(group, 0))
        self._set_kinds(tuple(kinds))

    def clear(self) -> None:
        """Nothing is left out; tells nobody."""
        self.group, self.kind = None, ALL_KINDS
        self._mark()

    def _set_kinds(self, kinds: tuple[tuple[str, int], ...]) -> None:
        if kinds != self._kinds or not self.chips:
            self._kinds = kinds
            named = [(kind, number) for kind, number in kinds if kind][:MOST_KINDS]
            self.chips = {ALL_KINDS: _KindChip(ALL_KINDS, "all", "Tasks of every kind")}
            for kind, number in named:
                self.chips[kind] = _KindChip(kind, kind, f"{number:,} tasks")
            for chip in self.chips.values():
                chip.clicked.connect(lambda _checked, one=chip.kind: self._choose_kind(one))
            self._flow.set_parts(list(self.chips.values()))
            shown = bool(named)
            self._title.setVisible(shown)
            self._flow.setVisible(shown)
        if self.kind not in self.chips:
            self.kind = ALL_KINDS
        self._mark()

    def _choose_group(self, group: LanesGroup) -> None:
        self.group = None if self.group is group else group
        self._mark()
        self.changed.emit()

    def _choose_kind(self, kind: str) -> None:
        self.kind = ALL_KINDS if self.kind == kind else kind
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        for group, row in self.rows.items():
            row.setChecked(group is self.group)
        for kind, chip in self.chips.items():
            chip.setChecked(kind == self.kind)
