"""The page on which an agent's question is tried at the step that is shown: which agent, what it says, the answer, and
what it does then."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.forms.form_rows import choose_combo
from stepscope.widgets.live.conversation import ConversationView, PendingQuestion, Turn

SIDE = 16
TRY = "Try the agent's question here"
NOTE = "Goes to the agent, which is asked about this step once more"
BESIDE = "Beside what was recorded"
NO_MODEL = "No model here can ask. Models ▸ Add Model… adds one."


class QuestionTrialPage(QWidget):
    """Values in, signals out. Answers come from `talk`."""

    try_requested = Signal()
    model_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.models = ElidedCombo(10)
        self.models.setAccessibleName("Agent that is tried")
        self.button = text_button(TRY, primary=True, icon="ask", tip="Ask the agent about the step that is shown")
        self.talk = ConversationView()
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setProperty("role", "secondary")
        self._busy = False
        head = QVBoxLayout()
        head.setContentsMargins(SIDE, 12, SIDE, 8)
        head.setSpacing(8)
        for part in (self.models, self.button, self._words):
            head.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.talk, 1)
        self.models.activated.connect(lambda _place: self.model_chosen.emit(self.model()))
        self.button.clicked.connect(self.try_requested)
        self.set_words("")
        self._renew()

    def set_models(self, models: Sequence[tuple[str, str, str, bool]], current: str = "") -> None:
        """The agents to choose from: name, words, tip and whether it can be chosen."""
        choose_combo(self.models, models, current)
        self.set_words("" if self.model() else NO_MODEL)
        self._renew()

    def model(self) -> str:
        """Name of the chosen agent, "" for none."""
        return self.models.currentData() or ""

    def set_words(self, words: str) -> None:
        """What is going on, or why nothing came."""
        self._words.setText(straight(words))
        self._words.setVisible(bool(words))

    def words(self) -> str:
        return self._words.text()

    def set_busy(self, busy: bool) -> None:
        """Whether the agent is being asked."""
        self._busy = busy
        self._renew()

    def show_trial(
        self, turns: Sequence[Turn], asking: PendingQuestion | None, beside: Sequence[tuple[str, str]] = ()
    ) -> None:
        """What was said and done; `asking` waits for an answer, `beside` is what was recorded, where none waits."""
        self.talk.set_turns(turns)
        self.talk.set_asking(asking)
        if asking is None:
            self.talk.changes.set_rows(beside, BESIDE)

    def _renew(self) -> None:
        self.button.setEnabled(bool(self.model()) and not self._busy)
        self.models.setEnabled(not self._busy)
