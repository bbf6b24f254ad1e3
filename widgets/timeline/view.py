"""The timeline: buttons that walk and play, and the filmstrip with its lanes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from widgets import icons
from widgets.common import Segmented, icon_button, text_button
from widgets.common.buttons import name_button
from widgets.timeline.filmstrip import Filmstrip
from widgets.timeline.values import Lane, TimelineStep

SPEEDS = (("0.5", "0.5×"), ("1", "1×"), ("2", "2×"))


class Timeline(QWidget):
    """Knows the steps and which is current; playing itself is the owner's."""

    step_chosen = Signal(int)
    play_toggled = Signal(bool)
    speed_changed = Signal(float)
    next_wrong_requested = Signal()
    thumbnails_wanted = Signal(list)
    """visible steps (indices) without a picture; answered by `set_thumbnail`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._playing = False
        self.strip = Filmstrip()
        self._first = self._walker("first", "First step", "Home", lambda: 0)
        self._previous = self._walker("previous", "Previous step", "Left", lambda: self.strip.current() - 1)
        self._play = icon_button("play", "Play", shortcut="Space")
        self._next = self._walker("next", "Next step", "Right", lambda: self.strip.current() + 1)
        self._last = self._walker("last", "Last step", "End", lambda: self._count - 1)
        self._speed = Segmented(SPEEDS, "Speed (, and .)")
        self._speed.set_value("1")
        self._wrong = text_button(" Next wrong step  N", icon="warning", tip="Next wrong step (N)")
        self._lay_out()
        self._connect()
        self._enable()

    def set_steps(self, steps: Sequence[TimelineStep], lanes: Sequence[Lane] = ()) -> None:
        """Another episode: no step is current until `set_current`."""
        self._count = len(steps)
        self.strip.set_lanes(lanes)
        self.strip.set_steps(steps)
        self._enable()

    def set_signs(self, signs: Mapping[int, Sequence[str]]) -> None:
        """Icons at steps about which something was said, by the step's place."""
        self.strip.set_signs(signs)

    def set_lanes(self, lanes: Sequence[Lane]) -> None:
        """Other runs or verdicts for the same steps."""
        self.strip.set_lanes(lanes)
        self._enable()

    def set_thumbnail(self, step: int, image: QImage) -> None:
        self.strip.set_thumbnail(step, image)

    def set_current(self, step: int) -> None:
        """Show the step as current; tells nobody."""
        self.strip.set_current(step)
        self._enable()

    def current(self) -> int:
        return self.strip.current()

    def set_playing(self, playing: bool) -> None:
        """Whether the episode is being played; tells nobody."""
        self._playing = playing
        self._play.setIcon(icons.icon("pause" if playing else "play"))
        name_button(self._play, "Pause" if playing else "Play", "Space")

    def set_speed(self, factor: float) -> None:
        self._speed.set_value(f"{factor:g}")

    def _walker(self, icon: str, words: str, keys: str, target: Callable[[], int]) -> QToolButton:
        button = icon_button(icon, words, shortcut=keys)
        button.clicked.connect(lambda: self._go(target()))
        return button

    def _go(self, step: int) -> None:
        if 0 <= step < self._count and step != self.strip.current():
            self.set_current(step)
            self.step_chosen.emit(step)

    def _lay_out(self) -> None:
        bar = QWidget()
        bar.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(4)
        for button in (self._first, self._previous, self._play, self._next, self._last):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self._speed)
        row.addStretch(1)
        row.addWidget(self._wrong)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.strip, 1)

    def _connect(self) -> None:
        self.strip.step_chosen.connect(lambda _step: self._enable())
        self.strip.step_chosen.connect(self.step_chosen)
        self.strip.thumbnails_wanted.connect(self.thumbnails_wanted)
        self._play.clicked.connect(lambda: self.play_toggled.emit(not self._playing))
        self._speed.chosen.connect(lambda value: self.speed_changed.emit(float(value)))
        self._wrong.clicked.connect(self.next_wrong_requested)

    def _enable(self) -> None:
        current = self.strip.current()
        for button in (self._first, self._previous):
            button.setEnabled(current > 0)
        for button in (self._next, self._last):
            button.setEnabled(current < self._count - 1)
        for part in (self._play, self._wrong):
            part.setEnabled(self._count > 0)
