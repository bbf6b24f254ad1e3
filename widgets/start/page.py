"""The start page: the sample, what can be done first, what was opened and run last, and the tour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from stepscope import resources
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.buttons import LinkButton
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.start.card_button import ActionCard, Sign
from stepscope.widgets.start.recent_lists import RecentDataList, RecentRunsList
from stepscope.widgets.start.sample_card import SampleCard
from stepscope.widgets.start.start_values import NOTHING_SENT, RecentDataRow, RecentRunRow
from stepscope.widgets.start.tour_card import TourCard

LOGO = Path(resources.__file__).resolve().parent / "icons" / "stepscope.svg"
WIDE = 1216
"""The least width at which the two columns stand side by side, at the usual text size: that of a window of 1280 less
the rail."""
WIDEST, SIDE = 1440, 480
"""Logical pixels of the whole page at most, and of its right column."""

ACTIONS = (
    ("open.folder", "folder", "Open a folder or a file", "Recordings, AndroidControl, AitW, MoTIF, predictions"),
    ("workspace.live", "device", "Connect a phone", "USB or Wi-Fi, or the simulated phone"),
    ("models.load", "code", "Add a model", "A trained model's folder; chat servers are in the Models menu"),
    ("evaluate.automation", "results", "Evaluate", "Pick a task, data and a model; time is told first"),
)


class _Content(QWidget):
    """As high as its words need at its width: a scroll area asks for no height by width."""

    def minimumSizeHint(self) -> QSize:
        layout, hint = self.layout(), super().minimumSizeHint()
        return hint if layout is None else QSize(hint.width(), layout.totalHeightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class StartPage(QWidget):
    """`action_wanted(id of a command)`; the lists, the sample and the tour have signals of their own. Enter presses
    what has the keyboard; N is the key of the next wrong step here too."""

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Start")
        self._scroll = QScrollArea(self)
        self._scroll.setProperty("page", True)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = _Content()
        self._scroll.setWidget(self._content)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)
        self.sample = SampleCard(self._content)
        self.data, self.runs = RecentDataList(self._content), RecentRunsList(self._content)
        self.tour = TourCard(self._content)
        self.cards: dict[str, ActionCard] = {}
        self._lay_out()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._show_focus)

    def _lay_out(self) -> None:
        middle = QHBoxLayout(self._content)
        middle.setContentsMargins(32, 24, 32, 24)
        column_room = QWidget(self._content)
        column_room.setMaximumWidth(WIDEST)
        middle.addStretch(1)
        middle.addWidget(column_room, 1000)
        middle.addStretch(1)
        column = QVBoxLayout(column_room)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(20)
        self._upper, self._lower = (
            QBoxLayout(QBoxLayout.Direction.LeftToRight),
            QBoxLayout(QBoxLayout.Direction.LeftToRight),
        )
        for row in (self._upper, self._lower):
            row.setSpacing(20)
        self._side = QWidget(column_room)
        self._fill_side(QVBoxLayout(self._side))
        self._upper.addWidget(self.sample, 1)
        self._upper.addWidget(self._side)
        self._lower.addWidget(self.data, 1)
        self._lower.addWidget(self.runs)
        column.addLayout(self._make_head(column_room))
        column.addLayout(self._upper)
        column.addLayout(self._lower)
        column.addWidget(self.tour)
        column.addWidget(self._make_foot(column_room))
        column.addStretch(1)

    def _make_foot(self, parent: QWidget) -> QLabel:
        words = QLabel(NOTHING_SENT, parent)
        words.setProperty("role", "dim")
        words.setWordWrap(True)
        return words

    def _make_head(self, parent: QWidget) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(16)
        logo = QLabel(parent)
        logo.setPixmap(QIcon(str(LOGO)).pixmap(QSize(38, 38)))
        title, words = QLabel("Stepscope", parent), QLabel(parent)
        title.setProperty("role", "page")
        words.setText("See what an agent saw, what it did, and why a step counts as wrong.")
        words.setProperty("role", "secondary")
        words.setWordWrap(True)
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(title)
        names.addWidget(words)
        self._ready_sign = Sign("clock", "dim", 15, parent)
        self._ready = ElidedLabel("Looking at this machine", "secondary", parent)
        check = LinkButton("Check", parent=parent)
        check.setToolTip("What this machine has")
        check.clicked.connect(lambda: self.action_wanted.emit("help.machine"))
        head.addWidget(logo)
        head.addLayout(names, 1)
        for part in (self._ready_sign, self._ready, check):
            head.addWidget(part)
        return head

    def _fill_side(self, column: QVBoxLayout) -> None:
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for command, sign, title, detail in ACTIONS:
            card = ActionCard(sign, title, detail, parent=self._side)
            card.clicked.connect(lambda _checked=False, chosen=command: self.action_wanted.emit(chosen))
            self.cards[command] = card
            column.addWidget(card)
        drop = QFrame(self._side)
        drop.setProperty("drop", True)
        drop.setMinimumHeight(52)
        row = QHBoxLayout(drop)
        row.addStretch(1)
        row.addWidget(Sign("install", "dim", 15, drop))
        words = QLabel("Drop a folder, zip, .jsonl or .apk anywhere", drop)
        words.setProperty("role", "secondary")
        row.addWidget(words)
        row.addStretch(1)
        column.addWidget(drop, 1)

    # What is shown ---------------------------------------------------------------------------------------------------

    def set_keys(self, keys: dict[str, str]) -> None:
        """The keys of the actions, by their commands."""
        for command, key in keys.items():
            self.cards[command].show_key(key)

    def set_ready(self, words: str, problem: str) -> None:
        """Say in one line what this machine has, or the one thing that is missing."""
        self._ready_sign.show_sign("warning" if problem else "check", "warn" if problem else "hit")
        self._ready.setText(problem or words)
        self._ready.setProperty("role", "warning" if problem else "secondary")
        self._ready.style().polish(self._ready)

    @property
    def ready_words(self) -> str:
        """What the line at the top says."""
        return self._ready.text()

    def set_recent(self, data: Sequence[RecentDataRow], runs: Sequence[RecentRunRow], *, own_runs: bool) -> None:
        """List what was opened and run last. Where a person did neither, the lists give way to the tour: `own_runs`
        tells whether any run is other than those that come with the sample."""
        self.data.set_rows(data)
        self.runs.set_rows(runs)
        anything = bool(data) or own_runs
        self.data.setVisible(anything)
        self.runs.setVisible(anything and bool(runs))
        self.tour.set_large(not anything)

    def begin_at_sample(self) -> None:
        """Give the keyboard to what a newcomer wants."""
        self.sample.open_button.setFocus()

    # Inside ----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def _arrange(self) -> None:
        """Two columns where there is the room, else one; larger text needs more."""
        scale = pixel_size(self.font()) / BASE_PIXELS
        wide = self.width() >= WIDE * scale
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        for row in (self._upper, self._lower):
            row.setDirection(direction)
        for side in (self._side, self.runs):
            side.setMinimumWidth(SIDE if wide else 0)
            side.setMaximumWidth(SIDE if wide else WIDEST)
        self.sample.set_narrow(not wide)
        self.tour.set_narrow(not wide)

    def _show_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """What has the keyboard is in view."""
        if now is not None and self._content.isAncestorOf(now):
            self._scroll.ensureWidgetVisible(now)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focus = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        elif event.key() == Qt.Key.Key_N and not event.modifiers():
            self.sample.next_wrong.emit()
        else:
            super().keyPressEvent(event)
