"""What stands beside the tools of whoever orders blind: the time taken, how sure,
what helped, and orders that are right too."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import SegmentedControl, icon_button, text_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.plain_words import plain_label
from stepscope.widgets.icons import icon
from stepscope.widgets.ordering.ordering_rows import YourState

SURE = (("", "–"), *((str(level), str(level)) for level in range(1, 6)))
HELPED = (("", "–"), ("text", "Text"), ("picture", "Picture"), ("both", "Both"), ("neither", "Neither"))


class AnnotateBar(QObject):
    """`paused()`: the clock is to stop, or to go on; `confidence_chosen(str)`: "1" to "5", "" for nothing said;
    `helped_chosen(str)`; `alternative_kept()`: the order as it stands is right too; `alternative_taken(int)`: it comes
    back to the board; `alternatives_dropped()`. `groups` are its parts, which stand among the tools so that a narrow
    window has few rows of them."""

    paused = Signal()
    confidence_chosen = Signal(str)
    helped_chosen = Signal(str)
    alternative_kept = Signal()
    alternative_taken = Signal(int)
    alternatives_dropped = Signal()

    def __init__(self, tools: QWidget) -> None:
        super().__init__(tools)
        self._tools = tools
        self.groups: list[QWidget] = []
        self.clock = QLabel("0:00", tools)
        self.clock.setAccessibleName("Time that you took")
        self.pause = icon_button("pause", "Pause the clock", shortcut="Space")
        self.pause.clicked.connect(self.paused)
        self.sure = SegmentedControl(SURE, "How sure you are, from 1 (a guess) to 5 (certain): keys 1 to 5", tools)
        self.sure.chosen.connect(self.confidence_chosen)
        self.helped = SegmentedControl(HELPED, "Which input helped: Shift with T, I, B or N", tools)
        self.helped.chosen.connect(self.helped_chosen)
        self.also = text_button("Right too", tip="Keep this order as one that is right too (A), then go on ordering")
        self.also.clicked.connect(self.alternative_kept)
        self.others = QToolButton(tools)
        self.others.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu("", self.others)
        self.others.setMenu(self._menu)
        self._lay_out()
        self.show_state(YourState())

    def set_shown(self, shown: bool) -> None:
        for group in self.groups:
            group.setVisible(shown)

    def show_state(self, state: YourState) -> None:
        self.show_time(state.seconds)
        self.pause.setIcon(icon("play" if state.paused else "pause"))
        name_button(self.pause, "Let the clock run" if state.paused else "Pause the clock", "Space")
        self.sure.set_value("" if state.confidence is None else str(state.confidence))
        self.helped.set_value(state.helped)
        self.pause.setEnabled((state.can_order or state.paused) and not state.locked)
        for part in (self.sure, self.helped, self.also):
            part.setEnabled(state.can_order and not state.locked)
        self._show_alternatives(state)

    def show_time(self, seconds: float) -> None:
        self.clock.setText(formats.clock(seconds))

    def _show_alternatives(self, state: YourState) -> None:
        self.others.setText(formats.counted(len(state.alternatives), "other order"))
        self.others.setVisible(bool(state.alternatives))
        self.others.setEnabled(not state.locked)
        self._menu.clear()
        for place, words in enumerate(state.alternatives):
            action = self._menu.addAction(plain_label(f"Take {words}"))
            action.triggered.connect(lambda _checked=False, at=place: self.alternative_taken.emit(at))
        self._menu.addSeparator()
        self._menu.addAction("Forget Them").triggered.connect(lambda _checked=False: self.alternatives_dropped.emit())

    def _lay_out(self) -> None:
        for words, *parts in (
            ("", icon_label(self._tools), self.clock, self.pause),
            ("Sure", self.sure),
            ("", self.also, self.others),
            ("Helped", self.helped),
        ):
            group = QWidget(self._tools)
            row = QHBoxLayout(group)
            row.setContentsMargins(0, 0, 12, 0)
            row.setSpacing(6)
            if words:
                label = QLabel(words, group)
                label.setProperty("role", "secondary")
                row.addWidget(label)
            for part in parts:
                row.addWidget(part)
            self.groups.append(group)


def icon_label(parent: QWidget) -> QLabel:
    """The sign of the clock."""
    label = QLabel(parent)
    label.setPixmap(icon("clock").pixmap(15, 15))
    return label
