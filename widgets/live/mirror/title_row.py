"""The title row over the mirror: the device, how its picture comes, recording, pause, reconnect."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel, text_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.marked import MarkedLabel, StyledText

COUNTS_FIT = 560
"""Pixels of width from which on there is room for the counts beside the buttons' words, at the usual text size."""
WORDS_FIT = 420
"""The same for the words of the buttons."""
LEAST = 240
SLOW = 15.0
"""Frames a second below which a moving picture is seen to jerk."""


class MirrorTitleRow(QWidget):
    """`record_clicked()`, `pause_toggled(bool)`, `reconnect_clicked()`."""

    record_clicked = Signal()
    pause_toggled = Signal(bool)
    reconnect_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._seconds: float | None = None
        self._record_paused = False
        self._name = ElidedLabel("No phone", "title")
        self._counts_label = MarkedLabel()
        self._counts_label.setProperty("role", "secondary")
        self._shown: tuple[float | None, float | None, int] | None = None
        self.record = text_button("Record", icon="record")
        self.record.setIconSize(QSize(9, 9))
        self.pause = text_button("Picture", icon="pause")
        self.pause.setCheckable(True)
        self.reconnect = text_button("Reconnect", icon="refresh")
        self.record.clicked.connect(self.record_clicked)
        self.pause.toggled.connect(self._pause)
        self.reconnect.clicked.connect(self.reconnect_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._name)
        row.addSpacing(4)
        row.addWidget(self._counts_label)
        row.addStretch(1)
        for button in (self.record, self.pause, self.reconnect):
            row.addWidget(button)
        theme.notifier().changed.connect(self._renew)
        self._renew()
        self.show_device("")

    def show_device(self, name: str) -> None:
        """The device that is shown; "" none."""
        self._name.setText(name or "No phone")
        for button in (self.record, self.pause, self.reconnect):
            button.setEnabled(bool(name))
        if not name:
            self.show_counts(None, None, 0)
            self.set_recording(None)
            self.set_paused(False)

    def show_counts(self, per_second: float | None, behind_ms: float | None, skipped: int) -> None:
        """Frames shown in the last second (None: no picture), how far behind the device they are, how many were left
        out for newer ones."""
        if (per_second, behind_ms, skipped) != self._shown:
            self._shown = (per_second, behind_ms, skipped)
            self._show_counts()

    def set_recording(self, seconds: float | None, *, paused: bool = False) -> None:
        """Show how long the recording is; None: none runs."""
        self._seconds, self._record_paused = seconds, paused
        name_button(self.record, "Record" if seconds is None else "Stop recording", "R")
        self._style_record()
        self._make_room()

    def set_paused(self, paused: bool) -> None:
        """Show whether the picture is paused, without telling."""
        self.pause.blockSignals(True)
        self.pause.setChecked(paused)
        self.pause.blockSignals(False)
        self._show_pause()

    def counts_words(self) -> str:
        """What the counts say, for tests and screen readers."""
        return self._counts_label.accessibleName()

    def _pause(self, paused: bool) -> None:
        self._show_pause()
        self.pause_toggled.emit(paused)

    def _show_pause(self) -> None:
        paused = self.pause.isChecked()
        self.pause.setIcon(icons.icon("play" if paused else "pause"))
        name_button(self.pause, "Go on with the picture" if paused else "Pause the picture")

    def _show_counts(self) -> None:
        per_second, behind, skipped = self._shown or (None, None, 0)
        if per_second is None:
            self._counts_label.set_pieces()
            self._counts_label.setAccessibleName("")
            return
        colours = theme.current()
        late = "–" if behind is None else f"{behind:.0f}"
        colour = colours.hit if per_second >= SLOW else colours.secondary
        self._counts_label.set_pieces(
            StyledText(f"{per_second:.0f}", colour, bold=True),
            StyledText(" fps   "),
            StyledText(late, bold=True),
            StyledText(f" ms behind   {formats.count(skipped)} skipped"),
        )
        words = f"{per_second:.0f} fps, {late} ms behind, {formats.count(skipped)} skipped"
        self._counts_label.setAccessibleName(words)
        self._counts_label.setToolTip(
            "Frames shown in the last second, from the picture's arrival until it is painted, frames left out for newer"
        )

    def _style_record(self) -> None:
        colours, runs = theme.current(), self._seconds is not None
        ink = colours.miss if runs else colours.text
        sheet = f"QPushButton:enabled {{ color: {ink}; }}"
        if runs:
            sheet += f" QPushButton:enabled:!focus {{ border-color: {ink}; }}"
        if sheet != self.record.styleSheet():
            self.record.setStyleSheet(sheet)

    def _renew(self) -> None:
        self.record.setIcon(icons.icon("record", lambda: theme.current().miss))
        self._style_record()
        self._show_counts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._make_room()

    def _make_room(self) -> None:
        """Hide the counts in a narrow window, then the words of the two buttons that have signs."""
        scale = pixel_size(self.font()) / BASE_PIXELS
        self._counts_label.setVisible(self.width() >= COUNTS_FIT * scale)
        tight = self.width() < WORDS_FIT * scale
        for button, words in (
            (self.record, self._record_words(tight)),
            (self.pause, "Picture"),
            (self.reconnect, "Reconnect"),
        ):
            button.setText("" if tight and button is not self.record else words)

    def _record_words(self, tight: bool) -> str:
        if self._seconds is None:
            return "" if tight else "Record"
        time = formats.clock(self._seconds)
        return time if tight else f"{'Paused' if self._record_paused else 'Recording'} {time}"

    def minimumSizeHint(self) -> QSize:
        """Room for the signs alone; words appear where there is more."""
        scale = pixel_size(self.font()) / BASE_PIXELS
        return QSize(round(LEAST * scale), super().minimumSizeHint().height())

    def buttons(self) -> tuple[QPushButton, ...]:
        return self.record, self.pause, self.reconnect
