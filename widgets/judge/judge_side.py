"""The right dock of Judge: two texts, four questions, a remark; or the page on which a goal is written."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import Badge, EmptyState, KeyButton, PanelHeader, text_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.growing_text import GrowingLine, GrowingText
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.judge.answer_rows import JudgeQuestionRow
from stepscope.widgets.judge.error_chips import ErrorChips
from stepscope.widgets.judge.judge_values import QUESTION_COUNT, REASONS, JudgedPair
from stepscope.widgets.judge.requirement_list import RequirementList
from stepscope.widgets.scores.figure_grid import FigureGrid
from stepscope.widgets.scores.figure_values import FigureTable

LEAST_WIDTH = 240


class DescriptionCard(QFrame):
    """One of the two texts, under A or B: nothing tells whose it is."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._sign = Badge(letter, "neutral")
        title = QLabel("Description")
        title.setProperty("role", "secondary")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setAccessibleName(f"Description {letter}")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._sign)
        head.addWidget(title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._text)

    def show_text(self, text: str) -> None:
        self._text.setText(straight(text))

    def text(self) -> str:
        return self._text.text()


class ReasonCard(QFrame):
    """Why a pair is bad data: one of the usual reasons, or other words. `given(reason)`; `left`: not bad after all."""

    given = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        title = QLabel("Why is this bad data?")
        title.setProperty("role", "heading")
        self.words = GrowingLine("Reason", "Other words, then Enter")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addWidget(title)
        self.buttons = []
        for reason in REASONS:
            button = text_button(reason)
            button.clicked.connect(lambda _checked=False, said=reason: self.given.emit(said))
            column.addWidget(button)
            self.buttons.append(button)
        column.addWidget(self.words)
        self.words.submitted.connect(lambda: self.given.emit(self.words.text()) if self.words.text() else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class AnswersPage(QWidget):
    """`answered(question, yes or None)`, `question_chosen(question)`, `remark_edited(text)`: by the person."""

    answered = Signal(int, object)
    question_chosen = Signal(int)
    remark_edited = Signal(str)
    remark_left = Signal()
    rejected = Signal(str)
    reject_left = Signal()
    taken_back = Signal()
    skip_wanted = Signal()
    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = DescriptionCard("A"), DescriptionCard("B")
        self.questions = [JudgeQuestionRow(number) for number in range(QUESTION_COUNT)]
        self.reason = ReasonCard()
        self.remark = GrowingLine("Remark", "Why? (optional)")
        self.skip = KeyButton("Skip", "S")
        self.on = KeyButton("Next pair", "Enter", primary=True)
        self._note, self._others = _words("dim"), _words("secondary")
        self.requirements, self.errors = RequirementList(), ErrorChips()
        self._rejected = QFrame()
        self.agreement = FigureGrid("Agreement")
        self._agreement_head = PanelHeader("Agreement")
        self._lay_out()
        self._connect()

    def show_pair(self, pair: JudgedPair) -> None:
        self.left.show_text(pair.left)
        self.right.show_text(pair.right)
        for number, (row, words) in enumerate(zip(self.questions, pair.questions, strict=True)):
            chosen = number == pair.chosen and not pair.rejected
            row.show_question(words, pair.answers[number], chosen=chosen, enabled=not pair.rejected)
        self._fit_width()
        self._say(self._note, pair.note)
        self._show_outlook(pair)
        self._rejected.setVisible(bool(pair.rejected))
        self._why.setText(straight(f"Bad data: {pair.rejected}"))
        if not self.remark.hasFocus():
            self.remark.show_text(pair.remark)
        self._say(self._others, "\n".join(pair.others))
        self.on.setEnabled(pair.done)

    def ask_for_reason(self, asking: bool) -> None:
        self.reason.setVisible(asking)
        if asking:
            self.reason.words.show_text("")
            self.reason.words.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_asking_for_reason(self) -> bool:
        return not self.reason.isHidden()

    def show_agreement(self, table: FigureTable) -> None:
        self._agreement_head.set_title(table.title)
        self.agreement.set_table(table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def _fit_width(self) -> None:
        """All questions look alike: where one has no room, all stand in two rows."""
        narrow = any(row.wide_width() > self.width() for row in self.questions)
        for row in self.questions:
            row.set_narrow(narrow)
        needed = self.skip.full_width() + self.on.full_width() + 32
        for button in (self.skip, self.on):
            button.set_compact(self.width() < needed)

    def outlook_words(self) -> list[str]:
        """The badges below the questions, for tests."""
        return [badge.text() for badge in self._badges if not badge.isHidden()]

    def others_words(self) -> str:
        """What models said, "" while that is hidden."""
        return "" if self._others.isHidden() else self._others.text()

    def _say(self, label: QLabel, words: str) -> None:
        label.setText(straight(words))
        label.setVisible(bool(words))

    def _show_outlook(self, pair: JudgedPair) -> None:
        for badge, said in zip(self._badges, (*pair.outlook, ("", ""), ("", "")), strict=False):
            badge.setVisible(bool(said[0]))
            if said[0]:
                badge.set_words(*said)
        self._so_far.setText("Verdict" if pair.done else "So far")
        self._so_far.setVisible(bool(pair.outlook))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        texts_head = PanelHeader("Two descriptions")
        texts_head.set_detail("of one trajectory")
        column.addWidget(texts_head)
        texts = QVBoxLayout()
        texts.setContentsMargins(12, 12, 12, 12)
        texts.setSpacing(8)
        for part in (self.left, self.right, self._note):
            texts.addWidget(part)
        column.addLayout(texts)
        answers = PanelHeader("Your answers")
        answers.set_detail("key, then Y or N")
        column.addWidget(answers)
        for row in self.questions:
            column.addWidget(row)
        below = QVBoxLayout()
        below.setContentsMargins(12, 12, 12, 12)
        below.setSpacing(10)
        self._so_far = QLabel("So far")
        self._so_far.setProperty("role", "secondary")
        self._badges = [Badge(), Badge()]
        verdicts = FlowLayout()
        for part in (self._so_far, *self._badges):
            verdicts.addWidget(part)
        below.addLayout(verdicts)
        self._make_rejected()
        for card in (self.errors, self._rejected, self.reason, self.remark):
            below.addWidget(card)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.skip, self.on):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            buttons.addWidget(button)
        below.addLayout(buttons)
        below.addWidget(self._others)
        column.addLayout(below)
        column.addWidget(self.requirements)
        column.addWidget(self._agreement_head)
        column.addWidget(self.agreement)
        column.addStretch(1)
        for hidden in (self.reason, self._rejected, self._others, self._note):
            hidden.hide()

    def _make_rejected(self) -> None:
        self._rejected.setProperty("card", "true")
        self._why = _words("")
        self.take_back = text_button("Take back")
        row = QHBoxLayout(self._rejected)
        row.setContentsMargins(12, 8, 8, 8)
        row.addWidget(self._why, 1)
        row.addWidget(self.take_back)

    def _connect(self) -> None:
        for number, row in enumerate(self.questions):
            row.answered.connect(lambda yes, at=number: self.answered.emit(at, yes))
            row.chosen.connect(lambda at=number: self.question_chosen.emit(at))
        self.remark.edited.connect(self.remark_edited)
        self.remark.submitted.connect(self.remark_left)
        self.reason.given.connect(self.rejected)
        self.reason.left.connect(self.reject_left)
        self.take_back.clicked.connect(self.taken_back)
        self.skip.clicked.connect(self.skip_wanted)
        self.on.clicked.connect(self.next_wanted)


class WritingPage(QWidget):
    """A goal in one's own words, after seeing the trajectory only."""

    edited = Signal(str)
    skip_wanted = Signal()
    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = GrowingText("Goal", "Set an alarm for nine", least=3, most=8, lines=False)
        self.skip = KeyButton("Skip", "S")
        self.on = KeyButton("Next", "Enter", primary=True)
        hint = _words("secondary")
        hint.setText(
            "What did the person want to reach? Write it as they would have said it to an assistant before. Keep every "
            "name, number and choice that the trajectory shows to matter, and nothing that it does not show."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PanelHeader("Your description"))
        inside = QVBoxLayout()
        inside.setContentsMargins(12, 12, 12, 12)
        inside.setSpacing(10)
        inside.addWidget(hint)
        inside.addWidget(self.text)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.skip, self.on):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            buttons.addWidget(button)
        inside.addLayout(buttons)
        column.addLayout(inside)
        column.addStretch(1)
        self.text.edited.connect(self.edited)
        self.text.submitted.connect(self.next_wanted)
        self.skip.clicked.connect(self.skip_wanted)
        self.on.clicked.connect(self.next_wanted)

    def show_text(self, text: str) -> None:
        self.text.show_text(text)
        self.on.setEnabled(bool(text.strip()))


class JudgeSide(QWidget):
    """Answers, writing, or nothing to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.answers, self.writing = AnswersPage(), WritingPage()
        self._nothing = EmptyState("judge", "No pair is shown", "Choose one in the list at the left.")
        self._scrolled = QScrollArea()
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scrolled.setWidget(self.answers)
        self._stack = QStackedWidget()
        for page in (self._nothing, self._scrolled, self.writing):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def show_pair(self, pair: JudgedPair) -> None:
        self.answers.show_pair(pair)
        self._stack.setCurrentWidget(self._scrolled)

    def show_writing(self, text: str) -> None:
        self.writing.show_text(text)
        self._stack.setCurrentWidget(self.writing)

    def show_nothing(self) -> None:
        self._stack.setCurrentWidget(self._nothing)

    def see_reason(self) -> None:
        """Bring the card that asks for a reason into view."""
        self._scrolled.ensureWidgetVisible(self.answers.reason)


def _words(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label
