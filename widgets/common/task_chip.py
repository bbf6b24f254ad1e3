"""Long work in the menu row: name, bar, how far, how long still, pause and cancel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import icon_button, name_button, paint_focus_ring
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.thin_bar import ThinBar

LEAST_BAR, MOST_BAR = 24, 88
"""Width of the bar, which gives way to words."""
LEAST_NAME, SPACING, LEFT, RIGHT = 48, 8, 10, 4


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """The progress of a piece of long work. `rate` is items a second; `silent` says that nothing came for a minute.

    `keeps`: what is done stays when the work is cancelled. `phase` says what it does before its first item.
    """

    id: str
    name: str
    done: int = 0
    total: int | None = None
    rate: float | None = None
    seconds_left: float | None = None
    paused: bool = False
    silent: bool = False
    can_pause: bool = True
    keeps: bool = True
    phase: str = ""


class TaskChip(QWidget):
    """Signals carry the task's id; `clicked` asks for the list of tasks. Hidden while there is no work."""

    clicked = Signal()
    pause_toggled = Signal(str)
    cancel_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: TaskProgress | None = None
        self._rows: tuple[TaskProgress, ...] = ()
        self._looks: tuple[bool, bool] | None = None
        self._name = ElidedLabel()
        self._name.setMaximumWidth(220)
        self._bar = ThinBar()
        self._bar.setMinimumWidth(LEAST_BAR)
        self._bar.setMaximumWidth(MOST_BAR)
        self._words = QLabel()
        self._words.setProperty("role", "secondary")
        self._words.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)  # never cut: the name is
        self.pause = icon_button("pause", "Pause")
        self.cancel = icon_button("cancel", "Cancel")
        for button in (self.pause, self.cancel):
            button.setFixedSize(22, 22)
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 1, RIGHT, 1)
        row.setSpacing(SPACING)
        row.addWidget(self._name, 3)
        row.addWidget(self._bar, 1)
        for part in (self._words, self.pause, self.cancel):
            row.addWidget(part)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.pause.clicked.connect(self._toggle)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(self._status.id if self._status else ""))
        self.hide()

    def set_tasks(self, tasks: Sequence[TaskProgress]) -> None:
        """All work under way: the first is shown, the others are counted; none hides the chip. The same again changes
        nothing."""
        if self._rows == (rows := tuple(tasks)):
            return
        self._rows = rows
        self._status = tasks[0] if tasks else None
        self.setVisible(bool(tasks))
        if tasks:
            self._show(tasks[0], len(tasks) - 1)

    def _show(self, status: TaskProgress, more: int) -> None:
        self._name.setText(status.name + (f" (+{more})" if more else ""))
        state = "silent" if status.silent else "stopped" if status.paused else ""
        self._bar.set_progress(status.done, status.total, state)
        self.pause.setVisible(status.can_pause)
        looks = status.paused, status.keeps
        if looks != self._looks:
            self._looks = looks
            self.pause.setIcon(icons.icon("play" if status.paused else "pause"))
            name_button(self.pause, "Resume" if status.paused else "Pause")
            if status.keeps:
                name_button(self.cancel, "Cancel: ends after the current item, keeps results", "Ctrl+.")
            else:
                name_button(self.cancel, "Cancel: nothing is kept")
        self._fit()
        words = status_words(status)
        self.setAccessibleName(f"{status.name}: {words}")
        self.setToolTip(
            tip_words("\n".join(filter(None, (f"{status.name}: {words}", "List of tasks", formats.rate(status.rate)))))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        """No word is cut: the bar goes first, then the name, how far, at last how long still; the tip tells all."""
        if self._status is None:
            return
        self._words.setText(status_words(self._status))
        self._words.ensurePolished()
        buttons = sum(button.width() + SPACING for button in (self.pause, self.cancel) if not button.isHidden())
        room = self.width() - buttons - LEFT - RIGHT
        left = formats.time_left(self._status.seconds_left)
        if left and self._words.sizeHint().width() > room:
            self._words.setText(left)
        needed = self._words.sizeHint().width()
        self._words.setVisible(needed <= room)
        self._bar.setVisible(needed + 2 * SPACING + LEAST_BAR + LEAST_NAME <= room)
        self._name.setVisible(needed + SPACING + LEAST_NAME <= room)

    def words(self) -> str:
        """All that is told, also where there is no room for it."""
        return f"{self._name.text()} {status_words(self._status)}" if self._status is not None else ""

    def _toggle(self) -> None:
        if self._status is not None:
            self.pause_toggled.emit(self._status.id)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.current().line), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()


def status_words(status: TaskProgress) -> str:
    """292 of 470 · 6 min left; or what it does before its first item, paused, or silent."""
    if status.phase and not status.paused and not status.silent:
        return status.phase
    done = formats.count(status.done)
    far = done if status.total is None else f"{done} of {formats.count(status.total)}"
    if status.paused:
        return f"{far} · paused"
    if status.silent:
        return f"{far} · no answer for 60 s"
    return " · ".join(filter(None, (far, formats.time_left(status.seconds_left))))
