"""The timeline: buttons that walk and play, and the filmstrip with its lanes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from stepscope.widgets import icons
from stepscope.widgets.common import KeyButton, SegmentedControl, icon_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.timeline.columns import has_times
from stepscope.widgets.timeline.filmstrip import Filmstrip
from stepscope.widgets.timeline.timeline_step import SPEEDS, Lane, TimelineStep

USUAL_SPEEDS = ("0.5", "1", "2")
"""Always offered beside the one that holds; keys and the menu have the others."""


class Timeline(QWidget):
    """Knows the steps and which is current; playing itself is the owner's."""

    step_chosen = Signal(int)
    play_toggled = Signal(bool)
    speed_changed = Signal(float)
    by_time_changed = Signal(bool)
    loop_changed = Signal(object)
    """(first, last) step of the range that is to be played over and over, None for no such range"""
    next_wrong_requested = Signal()
    next_unchecked_requested = Signal()
    thumbnails_wanted = Signal(list)
    """visible steps (indices) without a picture; answered by `set_thumbnail`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._playing = self._timed = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # no empty bands in a tall dock
        self.strip = Filmstrip()
        self._first = self._walker("first", "First step", "Home", lambda: 0)
        self._previous = self._walker("previous", "Previous step", "Left", lambda: self.strip.current() - 1)
        self._play = icon_button("play", "Play", shortcut="Space")
        self._next = self._walker("next", "Next step", "Right", lambda: self.strip.current() + 1)
        self._last = self._walker("last", "Last step", "End", lambda: self._count - 1)
        self._speed = SegmentedControl([(f"{speed:g}", f"{speed:g}×") for speed in SPEEDS], "Speed (, and .)")
        self.set_speed(1.0)
        self._by_time = icon_button("clock", "By recorded time", checkable=True)
        self._fold = icon_button("chevron_right", "A lane for each run", checkable=True)
        self._wrong = KeyButton("Next wrong step", "N", "warning")
        self._unchecked = KeyButton("Unchecked", "Shift+N", ghost=True)
        name_button(self._unchecked, "Next unchecked step", "Shift+N")
        self._lay_out()
        self._connect()
        self._enable()

    def set_steps(self, steps: Sequence[TimelineStep], lanes: Sequence[Lane] = ()) -> None:
        """Show another episode: no step is current until `set_current`."""
        self._count = len(steps)
        self._timed = has_times([step.time for step in steps])
        self.strip.set_lanes(lanes)
        self.strip.set_steps(steps)
        self._enable()

    def set_signs(self, signs: Mapping[int, Sequence[str]]) -> None:
        """Icons at steps about which something was said, by the step's place."""
        self.strip.set_signs(signs)

    def set_lanes(self, lanes: Sequence[Lane]) -> None:
        """Show other runs or verdicts for the same steps."""
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
        self._speed.offer(USUAL_SPEEDS)

    def set_by_time(self, by_time: bool) -> None:
        """Columns as wide as their steps took, where the episode says how long that was; tells nobody."""
        self._by_time.setChecked(by_time)
        self.strip.set_by_time(by_time)

    def set_loop(self, steps: tuple[int, int] | None) -> None:
        """The first and the last step of the range that is played over and over; tells nobody."""
        self.strip.set_loop(steps)

    def set_most_height(self, pixels: int) -> None:
        """Be no higher, so that the picture above has its room."""
        self.strip.set_most_height(pixels - self._bar.sizeHint().height())
        self._enable()

    def _wish_folded(self, wish: bool) -> None:
        self.strip.set_folded(wish)
        self._enable()

    def _walker(self, icon: str, words: str, keys: str, target: Callable[[], int]) -> QToolButton:
        button = icon_button(icon, words, shortcut=keys)
        button.clicked.connect(lambda: self._go(target()))
        return button

    def _go(self, step: int) -> None:
        if 0 <= step < self._count and step != self.strip.current():
            self.set_current(step)
            self.step_chosen.emit(step)

    def _lay_out(self) -> None:
        bar = self._bar = QWidget()
        bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = row = QHBoxLayout(bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(4)
        for button in (self._first, self._previous, self._play, self._next, self._last):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self._speed)
        row.addWidget(self._by_time)
        row.addWidget(self._fold)
        row.addStretch(1)
        row.addWidget(self._wrong)
        row.addWidget(self._unchecked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.strip, 1)

    def _connect(self) -> None:
        self.strip.step_chosen.connect(lambda _step: self._enable())
        self.strip.step_chosen.connect(self.step_chosen)
        self.strip.loop_changed.connect(self.loop_changed)
        self.strip.thumbnails_wanted.connect(self.thumbnails_wanted)
        self._play.clicked.connect(lambda: self.play_toggled.emit(not self._playing))
        self._speed.chosen.connect(lambda value: self.speed_changed.emit(float(value)))
        self._by_time.clicked.connect(self.by_time_changed)
        self._fold.clicked.connect(lambda unfolded: self._wish_folded(not unfolded))
        self.strip.fold_wished.connect(self._wish_folded)
        self._wrong.clicked.connect(self.next_wrong_requested)
        self._unchecked.clicked.connect(self.next_unchecked_requested)

    def _enable(self) -> None:
        current = self.strip.current()
        for button in (self._first, self._previous):
            button.setEnabled(current > 0)
        for button in (self._next, self._last):
            button.setEnabled(current < self._count - 1)
        for part in (self._play, self._wrong, self._unchecked):
            part.setEnabled(self._count > 0)
        self._fold.setVisible(self.strip.can_fold)
        self._fold.setChecked(not self.strip.is_folded)
        self._by_time.setEnabled(self._timed)
        name_button(self._by_time, "By recorded time" if self._timed else "By recorded time: none was recorded")

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._make_room(event.size().width())
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_room(self.width())

    def minimumSizeHint(self) -> QSize:
        """Room for all buttons without the words that can be left out."""
        least = self._beside(with_speed=False) + self._wrong.compact_width()
        return QSize(max(least, self.strip.minimumSizeHint().width()), super().minimumSizeHint().height())

    def _make_room(self, width: int) -> None:
        """Hide the last button in a narrow timeline, then the other one's words, then the speeds, which keys change."""
        has_speeds = self._beside() + self._wrong.compact_width() <= width
        self._speed.setVisible(has_speeds)
        room = width - self._beside(with_speed=has_speeds)
        both = self._wrong.full_width() + 4 + self._unchecked.full_width()
        self._unchecked.setVisible(both <= room)
        self._wrong.set_compact(self._wrong.full_width() > room)

    def _beside(self, *, with_speed: bool = True) -> int:
        """Width of everything in the row but the two buttons with words."""
        parts: tuple[QWidget, ...] = (
            self._first, self._previous, self._play, self._next, self._last, self._by_time, self._fold,
            *((self._speed,) if with_speed else ()),
        )  # fmt: skip
        widths = (max(part.sizeHint().width(), part.minimumWidth()) for part in parts)
        return sum(widths) + self._row.spacing() * len(parts) + 8 + 24
