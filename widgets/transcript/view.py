"""The transcript of an episode by one run: search, what it took, the scroll, and the screen at its right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, icon_button, text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.transcript.head import TranscriptHead
from stepscope.widgets.transcript.scroll import TranscriptScroll
from stepscope.widgets.transcript.search_row import SearchRow
from stepscope.widgets.transcript.sent_panel import SentPanel
from stepscope.widgets.transcript.transcript_values import TranscriptBlock

SCREEN_FITS = 820
"""Pixels of width from which on the screen stands beside the scroll, at the usual text size."""


class TranscriptView(QWidget):
    """`link_changed` tells whether scroll and step go together, `follow_changed` whether the view follows the run."""

    link_changed = Signal(bool)
    follow_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Transcript view")
        self.search, self.head = SearchRow(self), TranscriptHead(self)
        self._notice = QLabel("", self)
        self._notice.setWordWrap(True)
        self._notice.setProperty("role", "secondary")
        self._notice.setContentsMargins(16, 8, 16, 8)
        self.list = TranscriptScroll(self)
        self.side = SentPanel(self)
        self._empty = EmptyState("code", "No run is shown.", "", (), self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._stack)
        self._splitter.addWidget(self.side)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setSizes([560, 290])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.search, self.head, self._notice):
            column.addWidget(widget)
        column.addWidget(self._splitter, 1)
        self.foot = self._make_foot()
        column.addWidget(self.foot)
        self.list.follow_requested.connect(lambda: self.set_following(True, tell=True))
        self.list.at_end_changed.connect(self._end_reached)
        self.setFocusProxy(self.list)
        self.set_notice("")
        self.set_running(False)

    def _make_foot(self) -> QWidget:
        foot = QWidget(self)
        foot.setProperty("bar", "tools")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(foot)
        row.setContentsMargins(8, 4, 12, 4)
        row.setSpacing(6)
        self.chain = icon_button("link", "Scroll and step go together", checkable=True)
        self.chain.setChecked(True)
        self.chain.toggled.connect(self._chain_toggled)
        self._chain_words = QLabel("", foot)
        self._chain_words.setProperty("role", "secondary")
        self._newer = QLabel("Newer answers below", foot)
        self._newer.setProperty("role", "secondary")
        self.follow = text_button("Follow the Run", icon="chevron_down", tip="Stay at the newest answer (End)")
        self.follow.clicked.connect(lambda: self.set_following(True, tell=True))
        row.addWidget(self.chain)
        row.addWidget(self._chain_words)
        row.addStretch(1)
        row.addWidget(self._newer)
        row.addWidget(self.follow)
        self._say_linked()
        return foot

    # What is shown ---------------------------------------------------------------------------------------------------

    def set_blocks(self, blocks: Sequence[TranscriptBlock], *, anew: bool) -> None:
        self._stack.setCurrentWidget(self.list)
        self.list.set_blocks(blocks, anew=anew)
        self._say_newer()

    def show_nothing(self, title: str, detail: str = "") -> None:
        """There are no blocks: say why in their place."""
        self.list.set_blocks((), anew=True)
        self._empty.set_words(title, detail)
        self._stack.setCurrentWidget(self._empty)

    def set_notice(self, words: str) -> None:
        """A sentence above the blocks, "" for none."""
        self._notice.setText(straight(words))
        self._notice.setVisible(bool(words))

    def notice(self) -> str:
        return self._notice.text() or (self._empty.words() if self._stack.currentWidget() is self._empty else "")

    def set_running(self, running: bool) -> None:
        """The run is at work: its answers can be followed."""
        self._running = running
        self._following = running and getattr(self, "_following", False)
        self._say_newer()

    @property
    def is_linked(self) -> bool:
        return self.chain.isChecked()

    @property
    def is_following(self) -> bool:
        return self._following

    def set_following(self, following: bool, *, tell: bool = False) -> None:
        """Stay at the end while answers come; where nothing runs, End only goes there."""
        if following:
            self.list.to_end()
        changed = (following and self._running) != self._following
        self._following = following and self._running
        if changed and tell:
            self.follow_changed.emit(self._following)
        self._say_newer()

    def _end_reached(self, end: bool) -> None:
        """Who scrolls up from the end does not follow any more; who comes back to it does."""
        if self._running and end != self._following:
            self._following = end
            self.follow_changed.emit(end)
        self._say_newer()

    def _say_newer(self) -> None:
        offered = self._running and not self._following
        self._newer.setVisible(offered)
        self.follow.setVisible(offered)

    def _chain_toggled(self, linked: bool) -> None:
        self._say_linked()
        self.link_changed.emit(linked)

    def _say_linked(self) -> None:
        self._chain_words.setText("Follows the screen" if self.chain.isChecked() else "Stays where it is")

    # Keys and size ---------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Ctrl+F and F3 mean the transcript's search while the keyboard is somewhere in it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._finds(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._finds(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_F3:
            self.search.moved.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            self.search.search_for()

    @staticmethod
    def _finds(event: QKeyEvent) -> bool:
        return event.matches(QKeySequence.StandardKey.Find) or event.key() == Qt.Key.Key_F3

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """In a narrow window the screen is folded: pictures stand under the step that they belong to. What the episode
        took is one line then."""
        fits = self.width() >= SCREEN_FITS * pixel_size(self.font()) / BASE_PIXELS
        self.side.setVisible(fits)
        self.head.set_compact(not fits)
