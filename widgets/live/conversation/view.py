"""A conversation of a person and an agent: what was said and done, and where the person answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.room_row import RoomRow
from stepscope.widgets.live.conversation.answer_box import AnswerBox
from stepscope.widgets.live.conversation.conversation_turns import PendingQuestion, Turn
from stepscope.widgets.live.conversation.offers import KEYS, OfferBar
from stepscope.widgets.live.conversation.turn_list import TurnList
from stepscope.widgets.live.conversation.turn_painting import spoken

SIDE = 16
ABOUT = "What the answer changes"
NOTHING = "The goal, what is done and what the agent asks stand here."


class ChangesCard(QFrame):
    """The changes that the answer makes, as names and values; hidden without any."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._rows: tuple[tuple[str, str], ...] = ()
        self._title = QLabel(ABOUT)
        self._title.setProperty("role", "heading")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, 104)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addLayout(self._grid)
        self.hide()

    def set_rows(self, rows: Sequence[tuple[str, str]], title: str = ABOUT) -> None:
        self._title.setText(straight(title))
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for place, pair in enumerate(rows):
            for column, (words, role) in enumerate(zip(pair, ("dim", "value"), strict=True)):
                label = QLabel(straight(words))
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setWordWrap(True)
                label.setProperty("role", role)
                self._grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
        self.setVisible(bool(rows))

    def rows(self) -> tuple[tuple[str, str], ...]:
        return self._rows


class ConversationView(QWidget):
    """Values in, signals out. `answering` False leaves out everything but the turns, where nobody can answer."""

    answered = Signal(str, int)
    """the words, and the place of the offer that they began with (-1 for none)"""
    data_answer_requested = Signal()
    offer_chosen = Signal(int)
    decide_requested = Signal()
    take_over_requested = Signal()
    not_feasible_requested = Signal()
    step_chosen = Signal(int)

    def __init__(self, *, answering: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asking: PendingQuestion | None = None
        self._chosen, self._running = -1, False
        self.turns, self.offers, self.changes = TurnList(), OfferBar(), ChangesCard()
        self.empty = EmptyState("ask", "Nothing was said yet", NOTHING)
        self.answer = AnswerBox()
        self.decide = _quiet("Let the agent decide")
        self.take_over = _quiet("Take over")
        self.not_feasible = _quiet("Not feasible…")
        self._lay_out(answering)
        self._connect()
        self._renew()

    # what the owner tells

    def set_turns(self, turns: Sequence[Turn]) -> None:
        """The whole conversation; what is there already stays as it is."""
        before = self.turns.turns().rowCount()
        self.turns.turns().set_turns(turns)
        self._renew()
        if len(turns) > before and turns[-1].waiting:
            self._announce(turns[-1])

    def add_turn(self, turn: Turn) -> None:
        self.turns.turns().add_turn(turn)
        self._renew()
        if turn.waiting:
            self._announce(turn)

    def set_turn(self, place: int, turn: Turn) -> None:
        """A turn anew, such as a question that waits no longer."""
        self.turns.turns().set_turn(place, turn)

    def set_asking(self, asking: PendingQuestion | None) -> None:
        """The question that waits for an answer; None where none does. Another one empties the field."""
        if asking == self._asking:
            return
        self._asking = asking
        self._chosen = -1
        self.offers.set_offers(asking.offers if asking else (), asking.title if asking else "")
        self.offers.light(-1)
        self._order_keyboard()
        self.changes.set_rows(asking.changes if asking else (), asking.about if asking else ABOUT)
        self.answer.field.show_text("")
        self.answer.set_asking(asking is not None, asking.note if asking else "", asking.from_data if asking else "")
        self._renew()

    def set_running(self, running: bool) -> None:
        """Whether an agent is at work: one can take over from it without being asked."""
        self._running = running
        self._renew()

    def set_current_step(self, step: int | None) -> None:
        """Light what was said and done at this step."""
        self.turns.set_current_step(step)

    def choose_offer(self, number: int) -> None:
        """Take the offer with this number (1..9), as its key does."""
        if self._asking is not None and self.offers.offer(number - 1) is not None:
            self.offers.choose(number - 1)

    def has_data_answer(self) -> bool:
        """Whether the question that waits has an answer in the data."""
        return self._asking is not None and bool(self._asking.from_data)

    def answer_text(self) -> str:
        return self.answer.field.text()

    def clear_answer(self) -> None:
        self.answer.field.show_text("")

    def focus_answer(self) -> None:
        self.answer.field.setFocus(Qt.FocusReason.OtherFocusReason)

    # what the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Number keys outside the answer field, or with Alt inside it; 0 is the answer of the data."""
        number = event.key() - Qt.Key.Key_0
        if self._asking is not None and 1 <= number <= KEYS and self.offers.offer(number - 1) is not None:
            self.choose_offer(number)
        elif number == 0 and self.has_data_answer():
            self.data_answer_requested.emit()
        else:
            super().keyPressEvent(event)

    # inside

    def _lay_out(self, answering: bool) -> None:
        self.foot = QWidget()
        foot = QVBoxLayout(self.foot)
        foot.setContentsMargins(SIDE, 0, SIDE, SIDE)
        foot.setSpacing(12)
        foot.addWidget(self.changes)
        foot.addWidget(self.answer)
        self.buttons = RoomRow(self.decide, self.take_over, self.not_feasible, pushed=2)
        foot.addWidget(self.buttons)
        offers = QVBoxLayout()
        offers.setContentsMargins(SIDE, 0, SIDE, 12)
        offers.addWidget(self.offers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.turns)
        column.addWidget(self.empty, 1)
        column.addLayout(offers)
        column.addStretch(1)
        column.addWidget(self.foot)
        self.foot.setVisible(answering)

    def _connect(self) -> None:
        self.turns.step_chosen.connect(self.step_chosen)
        self.offers.chosen.connect(self._take_offer)
        self.answer.answered.connect(lambda words: self.answered.emit(words, self._chosen))
        self.answer.edited.connect(self._typed)
        self.answer.data_wanted.connect(self.data_answer_requested)
        self.decide.clicked.connect(self.decide_requested)
        self.take_over.clicked.connect(self.take_over_requested)
        self.not_feasible.clicked.connect(self.not_feasible_requested)

    def _announce(self, turn: Turn) -> None:
        """A screen reader reads a question that waits, wherever the keyboard is."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, spoken(turn)))

    def _order_keyboard(self) -> None:
        """Offers come and go, and stand between the turns and the answer."""
        order = [self.turns, *self.offers.chips, self.answer.field]
        for before, behind in pairwise(order):
            QWidget.setTabOrder(before, behind)

    def _take_offer(self, place: int) -> None:
        """Its words go into the field, where more can be said before Enter sends them."""
        offer = self.offers.offer(place)
        if offer is not None:
            self._chosen = place
            self.answer.field.show_text(offer.text)
            self.focus_answer()
            self.offer_chosen.emit(place)

    def _typed(self, text: str) -> None:
        """Drop the chosen offer once the text no longer begins with its words: it is an answer of one's own."""
        offer = self.offers.offer(self._chosen)
        if offer is not None and not text.startswith(offer.text):
            self._chosen = -1
            self.offers.light(-1)

    def _renew(self) -> None:
        some = bool(self.turns.turns().rowCount())
        self.turns.setVisible(some)
        self.empty.setVisible(not some)
        asked = self._asking is not None and self._asking.of_agent
        self.decide.setVisible(asked)
        for button in (self.take_over, self.not_feasible):
            button.setVisible(asked or self._running)
        self.buttons.setVisible(asked or self._running)


def _quiet(words: str) -> QPushButton:
    button = text_button(words)
    button.setProperty("ghost", True)
    button.setProperty("small", True)
    button.setAccessibleName(words)
    return button
