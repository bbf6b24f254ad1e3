"""One run's column in a comparison: its header, its screen, and what it does there in words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import Badge, ElidedLabel, RunBadge, RunNameLabel, ShownVerdict, icon_button, run_letter
from stepscope.widgets.common.buttons import PaintedButton, name_button, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.compare.difference_items import paint_run_verdict, verdict_words
from stepscope.widgets.compare.run_comparison import RunAtStep
from stepscope.widgets.screen import ScreenView

THUMB_WIDTH, THUMB_HEIGHT, THUMB_GLYPH = 132, 28, 16


class RunScreen(QWidget):
    """`replay_wanted(int)`: open this run's step in Replay."""

    replay_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run = -1
        self.badge, self.name, self.verdict = RunBadge(0), RunNameLabel("", "title"), Badge()
        self.replay = icon_button("open", "Open in Replay")
        self.view = ScreenView()
        self.view.set_beside(False)
        self.action, self.confidence, self.why = ElidedLabel(), QLabel(), ElidedLabel("", "secondary")
        self.action.setProperty("mono", True)
        self.confidence.setProperty("role", "dim")
        self.replay.clicked.connect(lambda: self.replay_wanted.emit(self.run))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_header())
        column.addWidget(self.view, 1)
        column.addWidget(self._make_footer())

    def set_run(self, run: int, name: str) -> None:
        """The run that the column shows."""
        self.run = run
        self.badge.set_run(run)
        self.name.setText(name)
        name_button(self.replay, f"Open run {run_letter(run)} in Replay")
        self.view.setAccessibleName(f"Screen of run {run_letter(run)}")

    def show_run(self, one: RunAtStep) -> None:
        """Verdict, action and reason; the marks are the screen's."""
        self.verdict.setVisible(one.verdict is not None)
        if one.verdict is not None:
            self.verdict.set_words(one.verdict.words, one.verdict.badge)
        self.action.setText(one.action)
        self.confidence.setText("" if one.confidence is None else formats.confidence(one.confidence))
        self.confidence.setToolTip("Confidence" if one.confidence is not None else "")
        self.why.setText(one.why)

    def set_screen_shown(self, shown: bool) -> None:
        """Show or hide the screen; without it the column is header and words, for all runs are on one screen."""
        self.view.setVisible(shown)

    def _make_header(self) -> QWidget:
        header = QWidget()
        header.setProperty("bar", "tool")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(header)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(8)
        row.addWidget(self.badge)
        row.addWidget(self.name)
        row.addWidget(self.verdict)
        row.addStretch(1)
        row.addWidget(self.replay)
        return header

    def _make_footer(self) -> QWidget:
        footer = QWidget()
        footer.setProperty("bar", "tools")
        footer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        footer.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        above = QHBoxLayout()
        above.setSpacing(8)
        above.addWidget(self.action, 1)
        above.addWidget(self.confidence)
        column = QVBoxLayout(footer)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(2)
        column.addLayout(above)
        column.addWidget(self.why)
        return footer


class RunThumb(PaintedButton):
    """A run in the row of more than four; checked: it is one of those that are large."""

    def __init__(self, one: RunAtStep, large: bool) -> None:
        super().__init__()
        self.one = one
        self.setCheckable(True)
        self.setChecked(large)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        said = f"Run {run_letter(one.run)} {one.name}, {verdict_words(one.verdict)}"
        self.setAccessibleName(said)
        self.setToolTip(tip_words(f"{said}\n{'Shown large' if large else 'Show it large'}"))

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 12))
        scale = metrics.height() / 15
        return QSize(round(THUMB_WIDTH * max(1.0, scale)), max(THUMB_HEIGHT, metrics.height() + 8))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = colours.selection if self.isChecked() else colours.hover if self.underMouse() else colours.panel
        painter.setPen(QPen(QColor(colours.selection_line if self.isChecked() else colours.line), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        glyph = QRectF(8, (self.height() - THUMB_GLYPH) / 2, THUMB_GLYPH, THUMB_GLYPH)
        painter.setFont(derived(self.font(), 12))
        paint_run_verdict(painter, glyph, self.one.run, self.one.verdict or ShownVerdict.UNSCORED)
        text = self.rect().adjusted(8 + THUMB_GLYPH + 6, 0, -8, 0)
        painter.setPen(QColor(colours.text))
        letter = f"{run_letter(self.one.run)}  "
        room = text.width() - painter.fontMetrics().horizontalAdvance(letter)
        name = cut_run_name(painter.fontMetrics(), self.one.name, room)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, letter + name)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()
