"""The cards of a task under review: its goal, each question with its answer, what rules found, and why it is no
good."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.core.domain.goal_words import GoalPart, PartState
from stepscope.widgets import icons, theme
from stepscope.widgets.ambiguous.review_values import REASONS, ShownPiece, ShownTask
from stepscope.widgets.common import Badge, LinkButton, text_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.growing_text import GrowingLine
from stepscope.widgets.common.marked import MarkedLabel, StyledText
from stepscope.widgets.common.plain_words import straight

SIGN = 15
IN_FIELD = 7
"""Pixels between the top of a field and its words."""


class ReviewField(GrowingLine):
    """A line that the person edits in place; Esc leaves everything as it was."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class GoalCard(QFrame):
    """The goal with what was left out struck through and what was put in underlined; below it the field in which it is
    edited."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._parts: tuple[GoalPart, ...] = ()
        title = QLabel("Goal")
        title.setProperty("role", "heading")
        self.legend = MarkedLabel()
        self.legend.setProperty("role", "dim")
        self.state = Badge("open")
        self.goal = MarkedLabel()
        self.goal.setProperty("role", "title")
        self.goal.setWordWrap(True)
        self.goal.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.told = _said()
        self.told.setProperty("role", "secondary")
        self.field = ReviewField("The goal as the agent gets it", "The goal without what is left out", most=6)
        self.field.hide()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(title)
        head.addWidget(self.legend, 1)
        head.addWidget(self.state)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.goal)
        column.addWidget(self.told)
        column.addWidget(self.field)
        theme.notifier().changed.connect(self._paint)

    def show_goal(self, goal: str) -> None:
        """The goal as the agent gets it, in one piece."""
        self.told.setText(straight(f"The agent gets: {goal}"))

    def edit(self, goal: str | None) -> None:
        """Show the field with the goal in it; None: the words again."""
        if goal is not None:
            self.field.show_text(goal)
        self.field.setVisible(goal is not None)
        self.told.setVisible(goal is None)

    def show_parts(self, parts: Sequence[GoalPart]) -> None:
        """The words of the original goal: kept, left out, put in."""
        self._parts = tuple(parts)
        self._paint()

    def words(self, state: PartState) -> str:
        """Those of one kind, for tests and screen readers."""
        return " ".join(part.text.strip() for part in self._parts if part.state is state)

    def _paint(self) -> None:
        self.goal.set_pieces(*_pieces(self._parts))
        left_out, put_in = (self.words(state) or "nothing" for state in (PartState.REMOVED, PartState.ADDED))
        self.goal.setAccessibleName(f"Goal. Left out: {left_out}. Put in: {put_in}")
        dim = theme.current().dim
        named = ((PartState.REMOVED, "left out"), (PartState.ADDED, "put in"))
        there = [GoalPart(state, words) for state, words in named if self.words(state)]
        self.legend.set_pieces(*(piece for part in there for piece in (StyledText("   ", dim), *_pieces([part]))))


def _pieces(parts: Sequence[GoalPart]) -> list[StyledText]:
    """The parts in their looks; spaces at their ends have none, and what is put in stands apart from what was left
    out."""
    colours, pieces = theme.current(), list[StyledText]()
    looks = {PartState.REMOVED: (colours.miss, "line-through"), PartState.ADDED: (colours.hit, "underline")}
    for before, part in zip((None, *parts), parts, strict=False):
        colour, line = looks.get(part.state, (colours.text, ""))
        bare = part.text.strip()
        lead, _bare, trail = part.text.partition(bare) if bare else (part.text, "", "")
        touches = before is not None and before.state is not PartState.KEPT and not before.text[-1:].isspace()
        pieces.append(StyledText(" " if touches and not lead else lead, colours.text))
        pieces += [StyledText(bare, colour, line=line), StyledText(trail, colours.text)]
    return [piece for piece in pieces if piece.words]


class PieceCard(QFrame):
    """What was left out of one step, the question about it and the answer. `step_wanted`: the person wants to see that
    step."""

    step_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.piece: ShownPiece | None = None
        self.kind = Badge("", "warn")
        self._value = QLabel()
        self._value.setTextFormat(Qt.TextFormat.PlainText)
        self._value.setProperty("role", "secondary")
        self._value.setWordWrap(True)
        self.step = LinkButton()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.kind)
        head.addWidget(self._value, 1)
        head.addWidget(self.step)
        self.question, self.answer = _said(), _said()
        self.question_field = ReviewField("The question", "What would the agent ask?")
        self.answer_field = ReviewField("The answer", "What would the person answer?")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addLayout(head)
        self._names: list[QLabel] = []
        for sign, words, label, field in (
            ("ask", "Question", self.question, self.question_field),
            ("say", "Answer", self.answer, self.answer_field),
        ):
            column.addLayout(self._row(sign, words, label, field))
            field.hide()
        self.step.clicked.connect(lambda: self.step_wanted.emit(self.piece.step) if self.piece else None)

    def show_piece(self, piece: ShownPiece) -> None:
        self.piece = piece
        self.kind.set_words(piece.kind, "warn")
        self._value.setText(straight(f"“{piece.value}”" if piece.value else ""))
        self.step.setText(f"Step {piece.number}")
        self.question.setText(straight(piece.question))
        self.answer.setText(straight(piece.answer))

    def edit(self, editing: bool) -> None:
        """Show fields in place of words, filled with those; or the words again."""
        if editing and self.piece is not None:
            self.question_field.show_text(self.piece.question)
            self.answer_field.show_text(self.piece.answer)
        for label, field in ((self.question, self.question_field), (self.answer, self.answer_field)):
            label.setVisible(not editing)
            field.setVisible(editing)
        for name in self._names:
            name.setContentsMargins(0, IN_FIELD if editing else 0, 0, 0)

    def fields(self) -> tuple[ReviewField, ReviewField]:
        return self.question_field, self.answer_field

    def _row(self, sign: str, words: str, label: QLabel, field: QWidget) -> QHBoxLayout:
        icon, name = QLabel(), QLabel(words)
        icon.setPixmap(icons.icon(sign, lambda: theme.current().warn).pixmap(QSize(SIGN, SIGN)))
        name.setProperty("role", "dim")
        name.setMinimumWidth(64)
        label.setAccessibleName(words)
        self._names += [icon, name]
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(name, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        row.addWidget(field, 1)
        return row


def _said() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


class ChecksCard(QFrame):
    """What the rules found, each in a line; or that they found nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._sign, self._title, self._lines = QLabel(), QLabel(), QLabel()
        self._title.setProperty("role", "heading")
        self._lines.setTextFormat(Qt.TextFormat.PlainText)
        self._lines.setWordWrap(True)
        self._failed: tuple[str, ...] = ()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._sign)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._lines)
        theme.notifier().changed.connect(self._paint)
        self.show_checks(())

    def show_checks(self, failed: Sequence[str]) -> None:
        """The checks that it does not stand, in words."""
        self._failed = tuple(failed)
        self._paint()

    def lines(self) -> tuple[str, ...]:
        return self._failed

    def _paint(self) -> None:
        failed = self._failed
        name, colour = ("warning", theme.current().warn) if failed else ("check", theme.current().hit)
        self._sign.setPixmap(icons.icon(name, colour).pixmap(QSize(SIGN, SIGN)))
        word = "check fails" if len(failed) == 1 else "checks fail"
        self._title.setText(f"{len(failed)} {word}" if failed else "All checks pass")
        self._lines.setText(straight("\n".join(failed)))
        self._lines.setVisible(bool(failed))


class RejectCard(QFrame):
    """Why a task is no good: one of the usual reasons, other words, or none. `given(reason)`; `left`: it is not
    rejected after all."""

    given = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        title = QLabel("Why is it no good?")
        title.setProperty("role", "heading")
        hint = QLabel("Enter rejects it without a reason; Esc leaves it open.")
        hint.setProperty("role", "dim")
        hint.setWordWrap(True)
        self.line = ReviewField("Reason", "A reason, or nothing, then Enter")
        self.buttons = [text_button(reason) for reason in REASONS]
        reasons = FlowLayout(6)
        for reason, button in zip(REASONS, self.buttons, strict=True):
            button.clicked.connect(lambda _checked=False, said=reason: self.given.emit(said))
            reasons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addWidget(title)
        column.addLayout(reasons)
        column.addWidget(self.line)
        column.addWidget(hint)
        self.line.submitted.connect(lambda: self.given.emit(self.line.text()))
        self.line.left.connect(self.left)


class SaidCard(QFrame):
    """What the person has said of the task and why, what others say, and what is to be known besides."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._labels = [_said() for _ in range(3)]
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(4)
        for label in self._labels:
            column.addWidget(label)

    def show_said(self, task: ShownTask) -> None:
        mine = f"You rejected it: {task.reason}" if task.reason else ""
        told = (task.note, mine, "\n".join(task.others))
        for label, words in zip(self._labels, told, strict=True):
            label.setText(straight(words))
            label.setVisible(bool(words))
        self.setVisible(any(told))

    def words(self) -> str:
        """All that it says."""
        return "" if self.isHidden() else "\n".join(label.text() for label in self._labels if label.text())
