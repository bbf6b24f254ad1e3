"""What is wrong with a text that does not match: one of five classes, by click or key; the rule's proposal is framed in
dashes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.core.domain.goal_error import GOAL_ERRORS, GoalErrorClass
from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.search_field import paint_key_hint

FIRST_KEY, TAKE_KEY = 5, "E"
"""The key of the first class, the others follow; and that which takes the proposal."""
SIDE, GAP, HEIGHT = 9, 7, 26
MEANS = {
    GoalErrorClass.TOO_SPECIFIC: "Asks for more than was wanted",
    GoalErrorClass.TOO_GENERAL: "Leaves out what matters",
    GoalErrorClass.WRONG_DETAIL: "Right in the main, with another number, name, place or state",
    GoalErrorClass.INVENTED: "Has what no screen and no action shows",
    GoalErrorClass.NAVIGATIONAL: "Tells the way, not what was wanted",
}


@dataclass(frozen=True, slots=True)
class ErrorShown:
    """`letter` of the text that is held against the other; the class that was `chosen`, and that which the rule
    proposes."""

    letter: str
    chosen: GoalErrorClass | None = None
    proposed: GoalErrorClass | None = None


class ErrorChip(PaintedButton):
    """One class with its key."""

    def __init__(self, error: GoalErrorClass) -> None:
        super().__init__()
        self.error, self._proposed = error, False
        self._key = str(FIRST_KEY + GOAL_ERRORS.index(error))
        self.setText(error.value.capitalize())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_state(chosen=False, proposed=False)

    def show_state(self, *, chosen: bool, proposed: bool) -> None:
        self._proposed = proposed
        self.setChecked(chosen)
        said = f"{self.text()}{', proposed' if proposed else ''}"
        self.setAccessibleName(said)
        self.setToolTip(tip_words(f"{MEANS[self.error]} ({self._key}{f', or {TAKE_KEY}' if proposed else ''})"))
        self.update()

    def is_proposed(self) -> bool:
        return self._proposed

    def sizeHint(self) -> QSize:
        words = QFontMetrics(self._font())
        key = QFontMetrics(derived(self.font(), 10.5)).horizontalAdvance(self._key) + 8
        return QSize(2 * SIDE + words.horizontalAdvance(self.text()) + GAP + key, max(HEIGHT, words.height() + 8))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        ink, ground, line = colours.secondary, colours.inset, colours.line
        if self.isChecked():
            ink, ground, line = colours.warn, colours.warn_background, colours.warn
        elif self.underMouse():
            ink, ground = colours.text, colours.hover
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dashed = self._proposed and not self.isChecked()
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(colours.warn if dashed else line), 1, style))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(self._font())
        painter.setPen(QColor(ink))
        words = self.rect().adjusted(SIDE, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.setFont(self.font())
        paint_key_hint(painter, self.width() - SIDE + 2, self.height() / 2, self._key)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), 12, weight=QFont.Weight.Medium)


class ErrorChips(QWidget):
    """`chosen` carries the class that the person takes; the one that holds again takes it back."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._note = QLabel(), QLabel()
        self._title.setProperty("role", "secondary")
        self._note.setProperty("role", "tiny")
        for label in (self._title, self._note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.chips = [ErrorChip(error) for error in GOAL_ERRORS]
        flow = FlowLayout(6)
        for chip in self.chips:
            chip.clicked.connect(lambda _checked=False, error=chip.error: self.chosen.emit(error))
            flow.addWidget(chip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addLayout(flow)
        column.addWidget(self._note)
        self.hide()

    def show_error(self, shown: ErrorShown | None) -> None:
        """None: the pair is not finished, or it matches."""
        self.setVisible(shown is not None)
        if shown is None:
            return
        self._title.setText(straight(f"What is wrong with {shown.letter}?"))
        proposed = shown.proposed.value if shown.proposed is not None else ""
        self._note.setText(straight(f"The rule proposes “{proposed}”: {TAKE_KEY} takes it." if proposed else ""))
        self._note.setVisible(bool(proposed) and shown.chosen is None)
        for chip in self.chips:
            chip.show_state(chosen=chip.error is shown.chosen, proposed=chip.error is shown.proposed)
