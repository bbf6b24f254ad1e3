"""Beside the lanes: the screen of a step with what was done there, the talk, and what the model said."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, PanelHeader, text_button
from stepscope.widgets.common.fonts import monospace
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.results.lanes.lane_values import LanesState, LanesTalk
from stepscope.widgets.results.lanes.talk_view import TalkView

TALK, SCREEN, RAW = "talk", "screen", "raw"
TABS = {TALK: "Talk", SCREEN: "Screen", RAW: "Raw output"}
HIGH = 420
"""Pixels of the screen and of the talk, of which each gets its share."""
NOTHING_SAID = "The stored answer has no raw output."
NO_SCREEN = "This step has no screen."


class MarkedScreen(QWidget):
    """A screen with its marks, as large as there is room; a double click opens it."""

    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image, self._words = QImage(), ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 140)
        theme.notifier().changed.connect(self.update)

    def set_screen(self, image: QImage | None, words: str) -> None:
        """A picture, or words in its place."""
        self._image, self._words = image or QImage(), words
        self.update()

    @property
    def image(self) -> QImage:
        return self._image

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.canvas))
        if self._image.isNull():
            painter.setPen(QColor(colours.dim))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(12, 0, -12, 0), int(flags), straight(self._words))
            painter.end()
            return
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(self.size() - QSize(20, 16), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2, *size.toTuple())
        painter.drawImage(place, self._image)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(place)
        painter.end()


class AskPanel(QWidget):
    """Stands beside the lanes."""

    replay_requested = Signal()
    """open what is chosen in Replay"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: LanesState | None = None
        self._header = PanelHeader("Task")
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("Part of the task")
        for words in TABS.values():
            self.tabs.addTab(plain_label(words))
        self.small, self.large, self.talk, self.raw = MarkedScreen(), MarkedScreen(), TalkView(), QPlainTextEdit()
        self.raw.setReadOnly(True)
        self.raw.setAccessibleName("Raw output")
        self.raw.setFont(monospace(self.raw.font()))
        self.about = ElidedLabel("", "dim")
        self.replay = text_button("Open in Replay", icon="replay", tip="Open this step in Replay (Enter)")
        self._pages = QStackedWidget()
        self._lay_out()
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.replay.clicked.connect(self.replay_requested)
        for screen in (self.small, self.large):
            screen.opened.connect(self.replay_requested)
        self.set_state(None)

    def set_state(self, state: LanesState | None) -> None:
        """The task that is shown; its screens come with `show_screen`."""
        self._state = state
        self.talk.set_talk(LanesTalk() if state is None else state.talk)
        if state is None:
            self.show_screen(None, "")
            self.raw.setPlainText("")
        self.replay.setEnabled(state is not None)

    def show_step(self, column: int) -> None:
        """A step in words and with what was said there; its screen is on its way."""
        state = self._state
        if state is None or not 0 <= column < len(state.columns):
            return
        self._header.set_detail(f"step {state.columns[column].step + 1}")
        spoken = state.spoken[column] if column < len(state.spoken) else ""
        self.about.setText(spoken)
        for screen in (self.small, self.large):
            screen.setAccessibleName(straight(spoken))
        raw = state.raw[column] if column < len(state.raw) else ""
        self.raw.setPlainText(straight(raw) or NOTHING_SAID)

    def show_screen(self, image: QImage | None, words: str = NO_SCREEN) -> None:
        """The screen of the step with its marks, or why there is none."""
        for screen in (self.small, self.large):
            screen.set_screen(image, words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "raw"):
            self.raw.setFont(monospace(self.font()))

    def _lay_out(self) -> None:
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.small)
        split.addWidget(self.talk)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setSizes([HIGH, HIGH])
        for page in (split, self.large, self.raw):
            self._pages.addWidget(page)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 8, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(self.replay)
        foot.addWidget(self.about, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.tabs)
        column.addWidget(self._pages, 1)
        column.addLayout(foot)
