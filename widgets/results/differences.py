"""What two runs differ in: unequal settings, the paired difference, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import Badge, ElidedLabel, LinkButton, RunBadge, text_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.results.leaderboard_values import DifferenceDetails, DifferencePart
from stepscope.widgets.scores.card import ResultCard

NOTHING = "Tick two runs to see what differs."
USUAL = "–"


class DifferencesCard(ResultCard):
    """The card; without two ticked runs it says how to get there."""

    compare_wanted = Signal(object)
    """the RowKeys of the two"""

    def __init__(self, parent: QWidget | None = None) -> None:
        gap = QLabel()
        super().__init__("What differs", gap, parent=parent)
        self._gap, self._detail = gap, ElidedLabel("", "dim")
        self._details: DifferenceDetails | None = None
        self._shows_equal = False
        self._hint = QLabel(NOTHING)
        self._hint.setProperty("role", "secondary")
        self._hint.setWordWrap(True)
        self._gap.setProperty("role", "title")
        self._warning = Badge("", "warn")
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self.equal = LinkButton()
        self.copy = text_button(" Copy", icon="copy")
        self.open = text_button(" Open in Compare", icon="compare")
        self.where = DifferenceBars()
        self._where_head = QLabel()
        self._where_head.setProperty("role", "heading")
        self._lay_out()
        self.equal.clicked.connect(self._toggle_equal)
        self.copy.clicked.connect(self._copy)
        self.open.clicked.connect(lambda: self.compare_wanted.emit(self._details.keys) if self._details else None)
        self.set_details(None)

    def set_details(self, details: DifferenceDetails | None, hint: str = NOTHING) -> None:
        """Two runs, or what is to be done to see two."""
        before, self._details = self._details, details
        self._hint.setText(straight(hint))
        self._hint.setVisible(details is None)
        self.detail.setText("" if details is None else f"{details.names[0]} less {details.names[1]}")
        for part in (self._scroll, self._detail, self._gap):
            part.setVisible(details is not None)
        self._warning.setVisible(details is not None and bool(details.warning))
        if details is None or details == before:
            return
        self._gap.setText(details.gap)
        self._detail.setText(details.detail or details.why)
        self._detail.set_tip(details.tip)
        self._gap.setToolTip(tip_words(details.tip))
        if details.warning:
            self._warning.set_words(details.warning, "warn")
        self._shows_equal = False
        self._fill(details)

    def words(self) -> str:
        """All that it shows, for tests and screen readers."""
        return self._hint.text() if self._details is None else self._details.text()

    # inside

    def _lay_out(self) -> None:
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        for part in (self.equal, self.copy, self.open):
            foot.addWidget(part)
        foot.insertStretch(1, 1)
        line = QHBoxLayout()
        line.addWidget(self._detail, 1)
        line.addWidget(self._warning)
        self.body.addLayout(line)
        self.body.addWidget(self._hint)
        self.body.addStretch(0)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(8)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        for column_of_grid, stretch in ((0, 2), (1, 3), (2, 3), (3, 0)):
            self._grid.setColumnStretch(column_of_grid, stretch)
        column.addLayout(self._grid)
        column.addWidget(self._foot)
        column.addWidget(self._where_head)
        column.addWidget(self.where)
        column.addStretch(1)
        self._scroll.setWidget(self._inside)
        self.body.addWidget(self._scroll, 1)

    def _fill(self, details: DifferenceDetails) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self._grid.addWidget(_dim("Setting"), 0, 0)
        for place, (name, letter) in enumerate(zip(details.names, details.letters, strict=True)):
            self._grid.addWidget(_named(name, letter), 0, place + 1)
        rows = [(one.name, one.a, one.b, one.badge, one.kind, one.tip) for one in details.unequal]
        if self._shows_equal:
            rows += [(name, value, value, "", "", "") for name, value in details.equal]
        for row, (name, a, b, badge, kind, tip) in enumerate(rows, start=1):
            self._grid.addWidget(_dim(name), row, 0)
            for place, words in enumerate((a, b), start=1):
                label = ElidedLabel(words or USUAL)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                self._grid.addWidget(label, row, place)
            if badge:
                shown = Badge(badge, kind)
                shown.setToolTip(tip_words(tip))
                self._grid.addWidget(shown, row, 3)
        if not rows:
            self._grid.addWidget(_dim("No setting differs."), 1, 0, 1, 3)
        number = formats.counted(len(details.equal), "setting")
        verb = "is" if len(details.equal) == 1 else "are"
        self.equal.setText(f"Hide the equal ones, {number}" if self._shows_equal else f"{number} {verb} equal. Show")
        self.equal.updateGeometry()
        self.equal.setVisible(bool(details.equal))
        self._where_head.setText(f"Where the difference lies, {details.by}")
        self._where_head.setVisible(bool(details.parts))
        self.where.setVisible(bool(details.parts))
        self.where.set_parts(details.parts, details.letters, details.noun)

    def _toggle_equal(self) -> None:
        if self._details is not None:
            self._shows_equal = not self._shows_equal
            self._fill(self._details)

    def _copy(self) -> None:
        if self._details is not None:
            QGuiApplication.clipboard().setText(self._details.text())


class DifferenceBars(QWidget):
    """A line each: name, bar to the side of the better run in its colour, the difference, how many items."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[DifferencePart, ...] = ()
        self._letters: tuple[int | None, int | None] = (None, None)
        self._noun = "item"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Where the difference lies")

    def set_parts(self, parts: Sequence[DifferencePart], letters: tuple[int | None, int | None], noun: str) -> None:
        self._parts, self._letters, self._noun = tuple(parts), letters, noun
        said = (f"{one.name} {formats.signed(one.difference)} over {formats.count(one.n)}" for one in parts)
        self.setAccessibleDescription(", ".join(said))
        self.setToolTip("")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, self._line() * (len(self._parts) + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = derived(self.font(), 12)
        painter.setFont(font)
        metrics, line = QFontMetricsF(font), self._line()
        numbers = metrics.horizontalAdvance("+0.000 ")
        counts = max([metrics.horizontalAdvance(formats.count(one.n)) for one in self._parts] + [40.0]) + 8
        names = min(max([metrics.horizontalAdvance(one.name) for one in self._parts] + [40.0]) + 8, self.width() * 0.34)
        plot = QRectF(names, 0, max(self.width() - names - numbers - counts, 20), line)
        most = max((abs(one.difference) for one in self._parts), default=0.0) or 1.0
        left = max((-one.difference for one in self._parts), default=0.0)
        right = max((one.difference for one in self._parts), default=0.0)
        unit = plot.width() / ((max(left, 0.0) + max(right, 0.0)) or most)
        zero = plot.left() + max(left, 0.0) * unit
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.dim))
        painter.drawText(QRectF(0, 0, self.width(), line), end, f"{self._noun}s")
        for row, one in enumerate(self._parts, start=1):
            top = row * line
            painter.setPen(QColor(colours.text))
            name = metrics.elidedText(straight(one.name), Qt.TextElideMode.ElideRight, names - 6)
            painter.drawText(QRectF(0, top, names, line), Qt.AlignmentFlag.AlignVCenter, name)
            painter.drawText(QRectF(plot.right(), top, numbers, line), end, formats.signed(one.difference))
            painter.setPen(QColor(colours.dim))
            painter.drawText(QRectF(self.width() - counts, top, counts, line), end, formats.count(one.n))
            letter = self._letters[0 if one.difference >= 0 else 1]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.secondary if letter is None else colours.run_colour(letter)))
            width = max(abs(one.difference) * unit, 1.5)
            start = zero if one.difference >= 0 else zero - width
            painter.drawRoundedRect(QRectF(start, top + line / 2 - 4, width, 8), 2, 2)
        painter.end()

    def _line(self) -> int:
        return round(QFontMetricsF(derived(self.font(), 12)).height() + 7)


def _dim(words: str) -> ElidedLabel:
    return ElidedLabel(words, "dim")


def _named(name: str, letter: int | None) -> QWidget:
    """A run's mark and name at the head of its column."""
    held = QWidget()
    row = QHBoxLayout(held)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    if letter is not None:
        row.addWidget(RunBadge(letter, 16))
    row.addWidget(ElidedLabel(name), 1)
    return held
