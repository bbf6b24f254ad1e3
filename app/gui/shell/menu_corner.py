"""The right end of the menu row: the running task and the palette's field. They take the room that the menus leave."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMenuBar, QWidget

from stepscope.widgets.common import TaskChip
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.shell.palette.field import PaletteField

SPACING, MARGIN = 12, 8
MOST_CHIP, LEAST_CHIP = 400, 240
"""Room for a running task: name, bar, how far, how long still, pause, cancel. It has the least before the field has
words, at the usual text size."""
FIELDS = (("Search commands, episodes, apps", 300), ("Search", 130), ("", 0))
"""Words of the field and how wide it is with them at the least; the first that fits is shown, without words a sign."""


class MenuCorner(QWidget):
    """Fits itself whenever the row has another size, the text too, or a task comes or goes."""

    def __init__(
        self, bar: QMenuBar, chip: TaskChip, palette_key: str, open_palette: Callable[[], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._bar, self._chip = bar, chip
        self._field = PaletteField(palette_key, self)
        self._field.clicked.connect(lambda: open_palette())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, MARGIN, 0)
        row.setSpacing(SPACING)
        row.addWidget(chip)
        row.addWidget(self._field)
        chip.installEventFilter(self)
        bar.installEventFilter(self)
        bar.setCornerWidget(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The row asks for the size of its corner when it is resized itself, and at no other time."""
        if watched is self._bar and event.type() == QEvent.Type.Resize:
            self._fit()
        elif watched is self._chip and event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            QTimer.singleShot(0, self, self._lay_row_out)
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            QTimer.singleShot(0, self, self._lay_row_out)  # once the menus have their font too

    def _lay_row_out(self) -> None:
        QApplication.sendEvent(self._bar, QResizeEvent(self._bar.size(), self._bar.size()))

    def _fit(self) -> None:
        """Every menu has its room first, then the task, then words in the field."""
        menus = self._bar.sizeHint().width() - self.sizeHint().width()  # the row's hint has its corner in it
        room = self._bar.width() - menus - MARGIN
        scale = pixel_size(self.font()) / BASE_PIXELS
        least = 0 if self._chip.isHidden() else min(MOST_CHIP, round(LEAST_CHIP * scale)) + SPACING
        widths = [(words, max(width, self._field.width_with(words))) for words, width in FIELDS]
        words, width = next((one for one in widths if one[1] + least <= room), widths[-1])
        self._field.setText(words)
        self._field.setFixedWidth(width)
        self._chip.setFixedWidth(max(0, min(MOST_CHIP, room - width - SPACING)))
