"""The page of reasons of a feasibility run: why goals are infeasible, which were missed, and what was asked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.breakdown_pages import WIDE_ENOUGH, Breakdown, BreakdownPage
from stepscope.widgets.results.confusion import ConfusionView
from stepscope.widgets.results.questions_card import QuestionsCard
from stepscope.widgets.results.reason_values import ReasonDetails
from stepscope.widgets.scores.breakdown_values import Key
from stepscope.widgets.scores.shares import PAD, BarList

MATRIX_HEIGHT, BARS_HEIGHT, QUESTIONS_HEIGHT = 268, 200, 230
"""The least that a row of cards needs to say something."""
MISSED = "False “feasible” by {}"


class ReasonsPage(BreakdownPage):
    """Confusion of reasons and the missed ones by reason; by app and by evidence; questions. Scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.confusion = ConfusionView()
        self.confusion.set_title("Confusion of reasons")
        self.note, self.evidence_note = _note(), _note()
        self.reasons, self.apps, self.evidence = (
            BarList(MISSED.format(by), hides_few=False, asks="called feasible") for by in ("reason", "app", "evidence")
        )
        self.evidence_note.setContentsMargins(PAD, 0, PAD, 0)
        self.evidence.body.insertWidget(1, self.evidence_note)
        self.questions = QuestionsCard()
        self._upper, self._middle = (QBoxLayout(QBoxLayout.Direction.LeftToRight) for _ in range(2))
        for row, parts in ((self._upper, ((self.confusion, 3), (self.reasons, 2))),
                           (self._middle, ((self.apps, 1), (self.evidence, 1)))):  # fmt: skip
            row.setSpacing(16)
            for part, stretch in parts:
                row.addWidget(part, stretch)
        self._lay_out()
        for card in (self.confusion, self.reasons, self.apps, self.evidence):
            card.chosen.connect(self.chosen)
            card.opened.connect(self.opened)

    def renew(self, found: Breakdown) -> None:
        details = found.reason_details or ReasonDetails()
        self.confusion.set_confusion(details.confusion)
        for note, words in ((self.note, details.note), (self.evidence_note, details.evidence_note)):
            note.setText(straight(words))
            note.setVisible(bool(words))
        for card, bars in (
            (self.reasons, details.reasons),
            (self.apps, details.apps),
            (self.evidence, details.evidence),
        ):
            card.set_bars(bars)
        self.evidence.rows.setVisible(not details.evidence_note)
        self.questions.set_total(details.questions, details.questions_note)

    def set_chosen(self, key: Key) -> None:
        for card in (self.confusion, self.reasons, self.apps, self.evidence):
            card.set_chosen(key)

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_middle"):
            self._fit()

    def _fit(self) -> None:
        """Cards side by side where there is room; what they need at least grows with the text."""
        scale = derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        wide = self.width() >= WIDE_ENOUGH * scale
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        for row in (self._upper, self._middle):
            row.setDirection(way)
        for card, least in (
            (self.confusion, MATRIX_HEIGHT),
            (self.reasons, BARS_HEIGHT),
            (self.apps, BARS_HEIGHT),
            (self.evidence, BARS_HEIGHT),
            (self.questions, QUESTIONS_HEIGHT),
        ):
            card.setMinimumHeight(round(least * scale))

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(16)
        column.addWidget(self.note)
        column.addLayout(self._upper, 4)
        column.addLayout(self._middle, 3)
        column.addWidget(self.questions, 4)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)


def _note() -> QLabel:
    label = QLabel()
    label.setProperty("role", "secondary")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setVisible(False)
    return label
