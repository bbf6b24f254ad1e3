"""The sample as two phones of one step, with what its two runs did over the episode."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import Badge, ElidedLabel, RunBadge, RunNameLabel, ShownVerdict, text_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.key_button import KeyButton
from stepscope.widgets.common.verdict import paint_verdict_cell
from stepscope.widgets.screen import ScreenColors, ScreenView
from stepscope.widgets.start.start_values import SampleAnswer, SampleStep

PHONE_WIDTH, PHONE_HEIGHT = 188, 388
"""Logical pixels of a phone with the room that a screen keeps around its picture."""
CELL, GAP = 9, 3

TITLE = "Two runs, one step, two answers"
WORDS = (
    "Episodes recorded on a simulated phone, with two runs of simple rules that come with them. On this step A takes "
    "the right row, B the one below."
)


class VerdictCells(QWidget):
    """A cell for each step's verdict, in a row."""

    def __init__(self, verdicts: Sequence[ShownVerdict], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdicts = tuple(verdicts)
        self.setFixedSize(self.sizeHint())
        self.setAccessibleName(", ".join(f"step {n} {one.word}" for n, one in enumerate(verdicts, start=1)))
        theme.notifier().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(len(self._verdicts) * (CELL + GAP), CELL + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, verdict in enumerate(self._verdicts):
            paint_verdict_cell(painter, QRectF(place * (CELL + GAP), 1, CELL, CELL), verdict)
        painter.end()


class Phone(QWidget):
    """The step's screen with the marks of one run, and its verdict below."""

    def __init__(self, answer: SampleAnswer, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.view = ScreenView(self)
        self.view.set_beside(False)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.view.setFixedSize(PHONE_WIDTH, PHONE_HEIGHT)
        self.view.setAccessibleName(f"Screen with what run {answer.name} did")
        self.view.describe(answer.said)
        self.view.show_step(answer.screen)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addStretch(1)
        foot.addWidget(RunBadge(answer.letter, 16, self))
        name = RunNameLabel(answer.name, "", self)
        foot.addWidget(name)
        foot.addWidget(Badge(answer.verdict.words, answer.verdict.badge, self))
        foot.addStretch(1)
        column.addWidget(self.view, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(foot)
        theme.notifier().changed.connect(self._recolour)
        self._recolour()

    def _recolour(self) -> None:
        """Around the picture lies the card."""
        colours = theme.current()
        of = ScreenColors.of(colours)
        self.view.set_colors(
            ScreenColors(colours.panel, colours.panel, of.ring, of.card, of.text, of.dim, of.accent, of.is_dark)
        )


class SampleCard(QFrame):
    """`opened()`: open the sample; `next_wrong()`: and go on to the next wrong step."""

    opened = Signal()
    next_wrong = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._step: SampleStep | None = None
        self._narrow = False
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 18, 16, 18)
        row.setSpacing(24)
        self._words = QVBoxLayout()
        self._words.setSpacing(8)
        self._phones = QHBoxLayout()
        self._phones.setSpacing(0)
        self._shown: list[Phone] = []
        row.addLayout(self._words, 1)
        row.addLayout(self._phones)
        self._make_words()

    def _make_words(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        sample = QLabel("Sample", self)
        sample.setProperty("role", "link")
        head.addWidget(sample)
        head.addWidget(Badge("not a finding", "neutral", self))
        head.addStretch(1)
        title = _wrapped(TITLE, self)
        title.setProperty("role", "subtitle")
        self._words.addLayout(head)
        self._words.addWidget(title)
        self._words.addWidget(_wrapped(WORDS, self, "secondary"))
        self._facts = QFrame(self)
        self._facts.setProperty("inset", True)
        self._facts.hide()
        self._fact_column = QVBoxLayout(self._facts)
        self._fact_column.setContentsMargins(12, 10, 12, 10)
        self._fact_column.setSpacing(6)
        self._words.addWidget(self._facts)
        self._words.addStretch(1)
        self.open_button = text_button(" Open the sample", primary=True, icon="play")
        self.open_button.setAccessibleName("Open the sample")
        self.next_button = KeyButton("Go to the next wrong step", "N", "warning")
        self.open_button.clicked.connect(self.opened)
        self.next_button.clicked.connect(self.next_wrong)
        buttons = QWidget(self)
        flow = FlowLayout(8, buttons)
        flow.addWidget(self.open_button)
        flow.addWidget(self.next_button)
        self._words.addWidget(buttons)

    def show_step(self, step: SampleStep) -> None:
        """Show the step, once: the sample is what it is."""
        if self._step is not None:
            return
        self._step = step
        goal = _wrapped(f"“{step.goal}”", self._facts)
        goal.setProperty("role", "title")
        self._fact_column.addWidget(goal)
        self._fact_column.addWidget(ElidedLabel(step.place, "secondary", self._facts))
        for answer in step.answers:
            self._fact_column.addLayout(self._line(answer))
            phone = Phone(answer, self)
            self._phones.addWidget(phone)
            self._shown.append(phone)
        self._facts.show()
        self.set_narrow(self._narrow)

    def _line(self, answer: SampleAnswer) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(RunBadge(answer.letter, 16, self._facts))
        line.addWidget(RunNameLabel(answer.name, "", self._facts), 1)
        line.addWidget(VerdictCells(answer.verdicts, self._facts))
        score = QLabel(answer.score, self._facts)
        score.setProperty("role", "secondary")
        line.addWidget(score)
        return line

    def set_narrow(self, narrow: bool) -> None:
        """Where there is little room, only the phone of the wrong answer stays: it has the reference on it too."""
        self._narrow = narrow
        for phone in self._shown[:-1]:
            phone.setVisible(not narrow)

    def phones(self) -> int:
        """How many are shown."""
        return sum(not phone.isHidden() for phone in self._shown)


def _wrapped(text: str, parent: QWidget, role: str = "") -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label
