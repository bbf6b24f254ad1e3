"""The status line: saved state and sources at the left, measurements at the right."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QMainWindow, QStatusBar

from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.format import duration

LEFT_PLACES = ("recording", "saved", "sources")
RIGHT_PLACES = ("mirror", "picture", "time", "cache", "sample")


class StatusLine(QStatusBar):
    """Named places, each one short text."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setSizeGripEnabled(False)
        self._labels = {name: QLabel() for name in (*LEFT_PLACES, *RIGHT_PLACES)}
        for name in LEFT_PLACES:
            self.addWidget(self._labels[name])
        for name in RIGHT_PLACES:
            self.addPermanentWidget(self._labels[name])
        for label in self._labels.values():
            label.hide()

    def put(self, name: str, text: str, tip: str = "") -> None:
        """Show `text` at a place; "" hides the place. Of the pictures' sizes the mirror's goes first: the step's is not
        in front then."""
        label = self._labels[name]
        label.setText(straight(text))
        label.setToolTip(tip_words(tip))
        label.setVisible(bool(text))
        self._labels["picture"].setVisible(bool(self.text("picture")) and not self.text("mirror"))

    def text(self, name: str) -> str:
        return self._labels[name].text()

    def put_time(self, seconds: float) -> None:
        """How long the last step change took, from key to painted."""
        self.put("time", f"step {duration(seconds)}", "From the key press to the painted picture")
