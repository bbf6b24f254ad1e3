"""The trial of a model: which item, what went in, what came out, and what that was read as."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import Badge, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.forms.form_rows import choose_combo
from stepscope.widgets.models.adding.marked_picture import MarkedPicture
from stepscope.widgets.models.adding.values import ShownTensor, ShownTrial

MARGIN, GAP = 12, 8
ANSWERED = "answered"
NOT_TRIED = "What goes into the model and what comes out is shown here; nothing of it is kept."


class TrialPanel(QWidget):
    """`tried` asks for a trial, `other_item` for one on the next item, `stopped` for its end."""

    tried = Signal()
    other_item = Signal()
    stopped = Signal()
    data_chosen = Signal(str)
    goal_written = Signal(str)
    """another goal than the item's, "" for its own"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.try_it = text_button("Try it", icon="refresh", tip="Try the model on one item (Ctrl+T)")
        self.other = text_button("Another item", tip="Try the model on the next item of the data")
        self.stop = text_button("Stop")
        self.data = ElidedCombo()
        self.data.setAccessibleName("Data to try it on")
        self.goal = QLineEdit()
        self.goal.setAccessibleName("Goal")
        self.goal.setPlaceholderText("a goal of your own for this screen, in place of its episode's")
        self._verdict, self._item, self._answer, self._speed = (_words() for _ in range(4))
        self._answered = Badge(f"✓ {ANSWERED}", "hit")
        self._busy = QProgressBar()
        self._busy.setRange(0, 0)
        self._busy.setTextVisible(False)
        self._busy.setFixedHeight(4)
        self._pictures = [MarkedPicture(self), MarkedPicture(self)]
        self._titles = [_words("dim"), _words("dim")]
        self._inputs, self._outputs, self._texts = (_mono(name) for name in ("What went in", "What came out", "Texts"))
        self._lay_out()
        self.try_it.clicked.connect(self.tried)
        self.other.clicked.connect(self.other_item)
        self.stop.clicked.connect(self.stopped)
        self.data.activated.connect(lambda _place: self.data_chosen.emit(str(self.data.currentData())))
        self.goal.returnPressed.connect(lambda: self.goal_written.emit(self.goal.text().strip()))
        self.set_trial(None)
        self.set_busy("")
        self.set_possible(False)

    def set_data(self, choices: Sequence[tuple[str, str]], current: str) -> None:
        """What can be tried on: (path, words)."""
        choose_combo(self.data, [(path, words, path, True) for path, words in choices], current)

    def set_possible(self, possible: bool, *, goals: bool = False) -> None:
        """Whether the model can be tried as it is, and whether with any goal."""
        self.goal.setVisible(goals)
        self.goal.setEnabled(possible)
        self.try_it.setEnabled(possible)
        self.other.setEnabled(possible)

    def set_busy(self, words: str) -> None:
        """What is going on, "" for nothing."""
        self._busy.setVisible(bool(words))
        self.stop.setVisible(bool(words))
        if words:
            self._say(words)

    def set_trouble(self, words: str) -> None:
        """What went wrong."""
        self.set_trial(None)
        self._say(words, "miss")

    def verdict(self) -> str:
        """What is said of the trial."""
        return self._verdict.text()

    def set_trial(self, trial: ShownTrial | None) -> None:
        if trial is None:
            self._say(NOT_TRIED)
        else:
            self._say(trial.problem or ANSWERED, "warn" if trial.problem else "")
        self._item.setText(straight(f"{trial.item}: {trial.goal}") if trial else "")
        self._answer.setText(straight(f"Read as: {trial.answer}") if trial and trial.answer else "")
        self._speed.setText(trial.speed if trial else "")
        pictures = trial.pictures if trial else ()
        for place, (widget, title) in enumerate(zip(self._pictures, self._titles, strict=True)):
            shown = pictures[place] if place < len(pictures) else None
            widget.set_picture(shown)
            title.setText(straight(shown.title) if shown else "")
            widget.setVisible(shown is not None)
            title.setVisible(shown is not None)
        self._inputs.setText(_lines("in", trial.inputs) if trial else "")
        self._outputs.setText(_lines("out", trial.outputs) if trial else "")
        self._texts.setText("\n".join(straight(f"{source}: {text}") for source, text in trial.texts) if trial else "")
        for label in (self._item, self._answer, self._speed, self._inputs, self._outputs, self._texts):
            label.setVisible(bool(label.text()))

    def _say(self, words: str, badge: str = "") -> None:
        """Say how it stands: that it answered beside the heading, all else below it; `badge` marks what is wrong."""
        self._answered.setVisible(words == ANSWERED)
        self._verdict.setVisible(words != ANSWERED)
        self._verdict.setText(straight(words))
        self._verdict.setProperty("badge", badge or None)
        self._verdict.setProperty("role", "" if badge else "dim")
        restyle(self._verdict)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        title = QLabel("Try it")
        title.setProperty("role", "heading")
        head.addWidget(title)
        head.addWidget(self._answered)
        head.addStretch(1)
        for button in (self.stop, self.other, self.try_it):
            head.addWidget(button)
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAP)
        for place in range(2):
            grid.addWidget(self._titles[place], 0, place)
            grid.addWidget(self._pictures[place], 1, place)
        inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GAP)
        for part in (self._verdict, self._item, self._answer):
            body.addWidget(part)
        body.addLayout(grid)
        for part in (self._inputs, self._texts, self._outputs, self._speed):
            body.addWidget(part)
        body.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(GAP)
        column.addLayout(head)
        column.addWidget(self.data)
        column.addWidget(self.goal)
        column.addWidget(self._busy)
        column.addWidget(scroll, 1)


def _words(role: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label


def _mono(name: str) -> QLabel:
    label = _words()
    label.setProperty("mono", True)
    label.setAccessibleName(name)
    return label


def _lines(way: str, tensors: Sequence[ShownTensor]) -> str:
    """Each tensor in two lines."""
    return "\n".join(straight(f"{way}  {one.name}  {one.shape}  {one.spread}\n     {one.numbers}") for one in tensors)
