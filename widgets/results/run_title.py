"""The row above everything about a run: its name and data, what was not scored, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats
from stepscope.widgets.common import Badge, ElidedLabel, RunBadge, RunNameLabel, SegmentedControl, text_button
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.results.result_rows import BELOW_RULES, ResultDetails
from stepscope.widgets.results.view_names import LEADERBOARD, RUN
from stepscope.widgets.scores.flow import SPACING, Flow

HEIGHT, SIDE, ABOVE = 44, 12, 8
COUNT_TIPS = {
    "unscored": "Items without a usable reference: they are in no metric",
    "malformed": "Answers that make no sense: they count as wrong",
    "null": "No answer at all: counts as wrong",
    "errors": "Items on which the model or the rule broke: they are in no metric",
}


def view_switch() -> SegmentedControl:
    """Which view of the results is shown: one run, or all runs of a task."""
    return SegmentedControl([(RUN, "Run"), (LEADERBOARD, "Leaderboard")], "View of the results")


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape that the width allows: the counts beside the name or below it, the counts of nothing, the data, and
    words on the buttons."""

    beside: bool = True
    zeros: bool = True
    data: bool = True
    words: bool = True


class RunTitle(QWidget):
    """Continued in a second line where one has no room."""

    again_requested = Signal()
    export_requested = Signal()
    view_chosen = Signal(str)
    """RUN or LEADERBOARD"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "titles")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._shape = Shape()
        self._letter = RunBadge(0)
        self.name, self._data = RunNameLabel("", "title"), ElidedLabel("", "dim")
        self.badges = {kind: Badge() for kind in (*COUNT_TIPS, "no_finding", "below_rules")}
        self.badges["below_rules"].set_words(BELOW_RULES, "warn")
        self.badges["below_rules"].hide()
        self.zeros = ElidedLabel("", "dim")
        self._facts = Flow()
        self._facts.set_parts([*self.badges.values(), self.zeros])
        again = text_button(" Run again…", icon="refresh", tip="Evaluate with the same settings")
        export = text_button(" Export", icon="export", tip="Export (Ctrl+E)")
        self.switch = view_switch()
        self._buttons = {again: again.text(), export: export.text()}
        for button, words in self._buttons.items():
            button.setAccessibleName(words.strip())
        self._row = QHBoxLayout()
        self._row.setSpacing(SPACING)
        for part in (self._letter, self.name, self._data, self._facts):
            self._row.addWidget(part)
        self._row.addStretch(1)
        self._row.addWidget(self.switch)
        self._row.addWidget(again)
        self._row.addWidget(export)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SIDE, ABOVE, SIDE, ABOVE)
        self._column.setSpacing(ABOVE)
        self._column.addLayout(self._row)
        self.switch.chosen.connect(self.view_chosen)
        again.clicked.connect(self.again_requested)
        export.clicked.connect(self.export_requested)

    def set_result(self, result: ResultDetails) -> None:
        """Show another run, or newer counts of the same."""
        self._letter.setVisible(result.letter is not None)
        if result.letter is not None:
            self._letter.set_run(result.letter)
        data = " · ".join(filter(None, (result.data, formats.counted(result.items, "item"))))
        self.name.setText(result.name)
        self.name.set_tip(data)
        self._data.setText(data)
        counts = {
            "unscored": (result.unscored, "unscored", "neutral"),
            "malformed": (result.malformed - result.null, "malformed", "warn"),
            "null": (result.null, "no answer", "warn"),
            "errors": (result.errors, "error" if result.errors == 1 else "errors", "miss"),
        }
        for kind, (number, word, colour) in counts.items():
            loud = number > 0 and kind != "unscored"
            sign = "⚠ " if loud else ""
            self.badges[kind].set_words(f"{sign}{formats.count(number)} {word}", colour if loud else "neutral")
            self.badges[kind].setToolTip(COUNT_TIPS[kind])
            self.badges[kind].setVisible(number > 0)
        self.zeros.setText(", ".join(f"0 {word}" for number, word, _ in counts.values() if not number))
        self.badges["no_finding"].set_words(result.no_finding, "warn")
        self.badges["no_finding"].setVisible(bool(result.no_finding))
        self.badges["below_rules"].setToolTip(tip_words(result.below_rules))
        self.badges["below_rules"].setVisible(bool(result.below_rules))
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Letter, the beginning of the name, and the buttons' pictures."""
        buttons = sum(self._button_width(button, "") for button in self._buttons)
        letter, switch = self._letter.sizeHint().width(), self.switch.sizeHint().width()
        width = 2 * SIDE + letter + self.name.minimumSizeHint().width() + switch + buttons + 5 * SPACING
        return QSize(width, self.sizeHint().height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width(), max(HEIGHT, hint.height()))

    # inside

    def _arrange(self) -> None:
        """Put the counts beside the name where all of it has room, else below."""
        shape = self._fitting()
        self.zeros.setVisible(shape.zeros and bool(self.zeros.text()))
        self._data.setVisible(shape.data)
        for button, words in self._buttons.items():
            button.setText(words if shape.words else "")
        self._facts.setVisible(any(not part.isHidden() for part in (*self.badges.values(), self.zeros)))
        self._facts.setMinimumWidth(self._facts_width(zeros=shape.zeros) if shape.beside else 0)
        if shape.beside != self._shape.beside:
            if shape.beside:
                self._column.removeWidget(self._facts)
                self._row.insertWidget(3, self._facts)
            else:
                self._row.removeWidget(self._facts)
                self._column.addWidget(self._facts)
        if shape != self._shape:
            self._shape = shape
            self.updateGeometry()
        self._facts.arrange()

    def _fitting(self) -> Shape:
        inside = self.width() - 2 * SIDE
        letter = 0 if self._letter.isHidden() else self._letter.sizeHint().width() + SPACING
        name, data = self.name.sizeHint().width(), self._data.sizeHint().width() + SPACING
        buttons = sum(self._button_width(button, words) + SPACING for button, words in self._buttons.items())
        room = inside - letter - buttons - self.switch.sizeHint().width() - 2 * SPACING
        for zeros in (True, False):
            if name + data + self._facts_width(zeros=zeros) + SPACING <= room:
                return Shape(zeros=zeros)
        zeros = self._facts_width(zeros=True) <= inside
        return Shape(False, zeros, name + data <= room, name <= room)

    def _facts_width(self, *, zeros: bool) -> int:
        parts: list[QWidget] = [badge for badge in self.badges.values() if not badge.isHidden()]
        if zeros and self.zeros.text():
            parts.append(self.zeros)
        return sum(part.sizeHint().width() + SPACING for part in parts)

    def _button_width(self, button: QPushButton, words: str) -> int:
        """How wide the button would be with these words."""
        metrics = button.fontMetrics()
        return button.sizeHint().width() + metrics.horizontalAdvance(words) - metrics.horizontalAdvance(button.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        result = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # other words, or another text size
            self._arrange()
        return result
