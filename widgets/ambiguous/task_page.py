"""The task under review: goal, questions, checks, the steps as a strip, and the keys that say what one thinks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.domain.goal_words import GoalPart
from stepscope.widgets.ambiguous.review_values import ReviewEdit, ShownTask
from stepscope.widgets.ambiguous.task_cards import ChecksCard, GoalCard, PieceCard, RejectCard, ReviewField, SaidCard
from stepscope.widgets.common import ElidedLabel, KeyButton
from stepscope.widgets.timeline.filmstrip import Filmstrip

WIDEST = 860
"""Pixels beyond which the cards get no wider: lines would be too long to be read."""


class ReviewPage(QWidget):
    """`wanted` carries what the person presses: accept, edit, reject, undo, next, save, leave. `edited`: words have
    changed while they are edited."""

    wanted = Signal(str)
    edited = Signal()
    rejected = Signal(str)
    reject_left = Signal()
    step_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Task under review")
        self.goal, self.checks, self.said, self.reason = GoalCard(), ChecksCard(), SaidCard(), RejectCard()
        self.pieces: list[PieceCard] = []
        self.strip = Filmstrip()
        self._editing = False
        self._shown: ShownTask | None = None
        self.accept = KeyButton("Accept", "A", "check", primary=True)
        self.edit = KeyButton("Edit", "E", "note")
        self.reject = KeyButton("Reject", "R", "cross")
        self.undo = KeyButton("Undo", "U", "back", ghost=True)
        self.next = KeyButton("Next open", "N", "chevron_right", ghost=True)
        self.save = KeyButton("Save", "Enter", "check", primary=True)
        self.leave = KeyButton("Leave as it was", "Esc", "cancel")
        self._hint = ElidedLabel("", "dim")
        self._lay_out()
        self._connect()
        self._show_buttons()

    # what the owner tells

    def show_task(self, task: ShownTask) -> None:
        """Another task, or the same with other words; what is being edited is left."""
        self._shown = task
        self.set_editing(False)
        self._set_pieces(len(task.pieces))
        for card, piece in zip(self.pieces, task.pieces, strict=True):
            card.show_piece(piece)
        self.goal.state.set_words(task.state, task.kind)
        self.goal.show_goal(task.goal)
        self.goal.show_parts(task.parts)
        self.checks.show_checks(task.failed)
        self.said.show_said(task)

    def show_live(self, parts: Sequence[GoalPart], failed: Sequence[str]) -> None:
        """What the words come to that are being written."""
        self.goal.show_parts(parts)
        self.checks.show_checks(failed)

    def set_editing(self, editing: bool) -> None:
        """Words become fields, or the other way round."""
        shown = self._shown
        if editing and shown is not None:
            self.ask_for_reason(False)
        self._editing = editing
        self.goal.edit(shown.goal if editing and shown is not None else None)
        for card in self.pieces:
            card.edit(editing)
        self._show_buttons()
        if editing:
            self.goal.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_editing(self) -> bool:
        return self._editing

    def edit_values(self) -> ReviewEdit:
        """What is written now."""
        pieces = [
            (card.piece.step, card.question_field.text(), card.answer_field.text())
            for card in self.pieces
            if card.piece is not None
        ]
        return ReviewEdit(self.goal.field.text(), tuple(pieces))

    def ask_for_reason(self, asking: bool) -> None:
        self.reason.setVisible(asking)
        if asking:
            self.reason.line.show_text("")
            self.reason.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(self.reason)

    @property
    def is_asking_for_reason(self) -> bool:
        return not self.reason.isHidden()

    # inside

    def _set_pieces(self, count: int) -> None:
        while len(self.pieces) < count:
            card = PieceCard()
            card.step_wanted.connect(self.step_wanted)
            for field in card.fields():
                self._connect_field(field)
            self._cards.insertWidget(self._cards.indexOf(self.checks), card)
            self.pieces.append(card)
        while len(self.pieces) > count:
            card = self.pieces.pop()
            card.hide()
            card.deleteLater()

    def _lay_out(self) -> None:
        inside = QWidget()
        self._cards = QVBoxLayout()
        self._cards.setSpacing(8)
        for card in (self.goal, self.checks, self.reason, self.said):
            self._cards.addWidget(card)
        self._cards.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        middle.setLayout(self._cards)
        self._cards.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout(inside)
        row.setContentsMargins(16, 14, 16, 14)
        row.addWidget(middle, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll, 1)
        column.addWidget(self.strip)
        self.foot = self._make_foot()
        column.addWidget(self.foot)
        self.reason.hide()
        self.said.hide()

    def _make_foot(self) -> QWidget:
        foot = QWidget()
        foot.setProperty("bar", "foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        for button in (self.accept, self.edit, self.reject, self.save, self.leave):
            row.addWidget(button)
        row.addWidget(self._hint)
        row.addStretch(1)
        row.addWidget(self.undo)
        row.addWidget(self.next)
        return foot

    def _connect(self) -> None:
        for name in ("accept", "edit", "reject", "undo", "next", "save", "leave"):
            getattr(self, name).clicked.connect(lambda _checked=False, what=name: self.wanted.emit(what))
        self._connect_field(self.goal.field)
        self.reason.given.connect(self.rejected)
        self.reason.left.connect(self.reject_left)

    def _connect_field(self, field: ReviewField) -> None:
        field.edited.connect(lambda _text: self.edited.emit())
        field.submitted.connect(lambda: self.wanted.emit("save"))
        field.left.connect(lambda: self.wanted.emit("leave"))

    def _show_buttons(self) -> None:
        for button in (self.accept, self.edit, self.reject, self.undo, self.next):
            button.setVisible(not self._editing)
        for button in (self.save, self.leave):
            button.setVisible(self._editing)
        self._hint.setText("Tab goes from field to field" if self._editing else "J and K go through the list")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        buttons = (self.accept, self.edit, self.reject, self.undo, self.next)
        compact = self.width() < sum(button.full_width() + 8 for button in buttons) + 24
        for button in (self.undo, self.next):
            button.set_compact(compact)
        self._hint.setVisible(self.width() > sum(button.full_width() + 8 for button in buttons) + 160)
