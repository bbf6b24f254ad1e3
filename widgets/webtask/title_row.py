"""The title row over a page: which task and which of its pages, the network, whose answers are shown, what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QSpinBox, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel, text_button
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.webtask.answer_source_row import AnswerSourceRow
from stepscope.widgets.webtask.notices import HostsPanel, NetworkBadge
from stepscope.widgets.webtask.page_fields import YOU, BlockedHost, Runner

HEIGHT = 44
_GAP = 8
_LEAST_NAME = 96
"""Pixels of the task's name that are left before its row breaks in two."""


_WORDS = {"reset": "Reset", "submit": "Submit and next", "run": "Run"}
_SIGNS = {"reset": "", "submit": "Submit", "run": ""}
"""Words of the buttons where there is little room; their signs stay."""
_STAGES = ((True, True), (False, True), (False, False))
"""Whether runs have their names and buttons their words, the roomiest first."""


class InstanceSpin(QSpinBox):
    """The number of the page among those of its task, as people count; "4 of 32". Paging keys are the window's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        calm(self)
        self.setKeyboardTracking(False)
        self.setAccessibleName("Instance")
        self.setToolTip("Number of the page (PgDn and PgUp: next and previous)")
        self.lineEdit().setTextMargins(6, 0, 0, 0)

    def set_place(self, number: int, total: int) -> None:
        """Tells nothing."""
        self.blockSignals(True)
        self.setRange(min(1, total), total)
        self.setSuffix(f" of {total}")
        self.setValue(number)
        self.blockSignals(False)
        self.setEnabled(total > 1)
        self.setFixedWidth(self.wide())

    def wide(self) -> int:
        """Pixels that the largest number needs."""
        largest = f"{self.maximum()} of {self.maximum()}"
        return max(64, QFontMetrics(self.font()).horizontalAdvance(largest) + 26)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel that merely passes over changes nothing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFixedWidth(self.wide())


class PageTitleRow(QWidget):
    """In a narrow window it has two lines, and then signs without words.

    `instance_chosen(int)`: as people count, from 1. `runner_chosen(str)`: its key. `run_wanted()`, `submit_wanted()`,
    `reset_wanted()`. `host_allowed(host, bool)`.
    """

    instance_chosen = Signal(int)
    runner_chosen = Signal(str)
    run_wanted = Signal()
    submit_wanted = Signal()
    reset_wanted = Signal()
    host_allowed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "titles")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.name = ElidedLabel("", "title")
        self.spin, self.badge, self.answer_source = InstanceSpin(), NetworkBadge(), AnswerSourceRow()
        self._instance = QLabel("instance")
        self._instance.setProperty("role", "secondary")
        self.reset = text_button("Reset", icon="refresh")
        self.submit = text_button("Submit and next", primary=True, icon="check")
        self.run = text_button("Run", icon="run")
        name_button(self.reset, "Reset: open the page anew, your answers to it are taken back", "F5")
        name_button(self.submit, "Submit and next", "Ctrl+Enter")
        name_button(self.run, "Run: let a model or a baseline fill in this page", "R")
        self.hosts = HostsPanel(self)
        self._left, self._right = QWidget(), QWidget()
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._right)
        self._lay_out()
        self._connect()
        self.set_yours(True)

    def _lay_out(self) -> None:
        left = QHBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(_GAP)
        left.addWidget(self.name)
        for part in (self._instance, self.spin, self.badge):
            left.addWidget(part)
        left.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(_GAP)
        buttons.addStretch(1)
        for button in (self.reset, self.submit, self.run):
            buttons.addWidget(button)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(_GAP)
        self._parts.addWidget(self.answer_source)
        self._parts.addLayout(buttons, 1)
        self._lines.setContentsMargins(12, 6, 8, 6)
        self._lines.setSpacing(6)
        self._lines.addWidget(self._left, 1)
        self._lines.addWidget(self._right)
        self.setMinimumHeight(HEIGHT)

    def _connect(self) -> None:
        self.spin.valueChanged.connect(self.instance_chosen)
        self.answer_source.chosen.connect(self._choose)
        self.reset.clicked.connect(self.reset_wanted)
        self.submit.clicked.connect(self.submit_wanted)
        self.run.clicked.connect(self.run_wanted)
        self.badge.clicked.connect(lambda: self.hosts.open_under(self.badge))
        self.hosts.host_allowed.connect(self.host_allowed)

    # What it shows

    def set_task(self, name: str, number: int = 0, total: int = 0) -> None:
        """The task's name and which of its `total` pages is open, as people count; no pages: only the name."""
        self.name.setText(name)
        for part in (self._instance, self.spin):
            part.setVisible(total > 0)
        self.spin.set_place(number, total)
        self._make_room()

    def set_runners(self, runners: Sequence[Runner], current: str) -> None:
        """The runners to choose from, and the current one's key; Submit and Reset are for the person's own answers."""
        self.answer_source.set_runners(runners, current)
        self.set_yours(current == YOU)

    def set_hosts(self, hosts: Sequence[BlockedHost]) -> None:
        self.badge.set_hosts(hosts)
        self.hosts.set_hosts(hosts)
        self._make_room()

    def set_yours(self, yours: bool) -> None:
        """Whether the person fills in the page; then Submit is what the row is for, else Run."""
        for button in (self.reset, self.submit):
            button.setVisible(yours)
        self.run.setProperty("primary", not yours)
        self.run.setIcon(icons.icon("run", None if yours else lambda: theme.current().accent_text))
        restyle(self.run)
        self._make_room()

    def set_buttons(self, *, submit: bool = True, reset: bool = True, run: bool = True) -> None:
        """Which of the buttons can be pressed."""
        for button, on in ((self.submit, submit), (self.reset, reset), (self.run, run)):
            button.setEnabled(on)

    def _choose(self, key: str) -> None:
        self.set_yours(key == YOU)
        self.runner_chosen.emit(key)

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutRequest):
            self._make_room()
        return done

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self._lines.minimumSize().height())

    def _make_room(self) -> None:
        """One line with all words; with runs by their letters; with signs for the lesser buttons; two lines; three."""
        width, gap = self.width() - 20, _GAP
        left = self._left_width(compact=False)
        sizes = [(names, words, self._right_width(names=names, words=words)) for names, words in _STAGES]
        beside = next((one for one in sizes if left + gap + one[2] <= width), None)
        names, words, needed = beside or next((one for one in sizes if one[2] <= width), sizes[-1])
        _turn(self._lines, beside is not None)
        broken = needed > width
        words = self._buttons_width(words=True) <= width if broken else words
        _turn(self._parts, not broken)
        self._instance.setVisible(self.spin.maximum() > 0 and (beside is not None or left <= width))
        self.badge.set_compact(left > width)
        self.answer_source.set_compact(not names)
        for button, text in _WORDS.items():
            self._show_words(getattr(self, button), text if words else _SIGNS[button])

    @staticmethod
    def _show_words(button: QPushButton, text: str) -> None:
        if button.text() != text:
            button.setText(text)

    def _left_width(self, *, compact: bool) -> int:
        name = min(self.name.sizeHint().width(), max(_LEAST_NAME, self.name.fontMetrics().height() * 6))
        paged = 0 if self.spin.maximum() == 0 else self._instance.sizeHint().width() + self.spin.wide() + 2 * _GAP
        return name + paged + self.badge.width_for(compact=compact) + 2 * _GAP

    def _right_width(self, *, names: bool, words: bool) -> int:
        return self.answer_source.width_for(compact=not names) + self._buttons_width(words=words)

    def _buttons_width(self, *, words: bool) -> int:
        texts = _WORDS if words else _SIGNS
        shown = [button for button in _WORDS if not getattr(self, button).isHidden()]
        return _GAP + sum(_button_width(getattr(self, button), texts[button]) + _GAP for button in shown)


def _turn(box: QBoxLayout, beside: bool) -> None:
    """Parts side by side, or one below the other."""
    wanted = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
    if box.direction() is not wanted:
        box.setDirection(wanted)


def _button_width(button: QPushButton, text: str) -> int:
    """What the button would need with these words."""
    metrics = button.fontMetrics()
    return button.sizeHint().width() + metrics.horizontalAdvance(text) - metrics.horizontalAdvance(button.text())
