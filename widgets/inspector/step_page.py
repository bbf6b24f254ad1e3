"""The Step page: which rule counts, the reference, and what each run did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from stepscope.core.lazy import lazy_module
from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, LinkButton
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.inspector.parts import CardPage, words

if TYPE_CHECKING:
    from stepscope.core.domain.attention import AttentionPointer
    from stepscope.core.scoring.named_rules import MatchingRule
    from stepscope.widgets.inspector import cards
    from stepscope.widgets.inspector.cards import ReferenceCard, RunCardView
    from stepscope.widgets.inspector.step_details import RunCard, StepDetails
else:
    cards = lazy_module("stepscope.widgets.inspector.cards")


class StepPage(QWidget):
    """`rule_changed` names the rule that the person chose; `evidence_chosen` gives a run (0 is A) and the place of
    evidence in its answer; `attention_pointed` a run and what of its attention is pointed at (an AttentionPointer);
    `stream_chosen` the title of a stream of attention."""

    rule_changed = Signal(str)
    score_wanted = Signal()
    """the runs that were scored under another rule are to be scored under the chosen one"""
    evidence_chosen = Signal(int, int)
    attention_pointed = Signal(int, object)
    stream_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open_raw: set[int] = set()
        self._step: StepDetails | None = None
        self._stale = True
        self._stream = ""
        self._reference: tuple[StepDetails, ReferenceCard] | None = None
        self.cards: list[RunCardView] = []
        self._rules = ElidedCombo(parent=self)
        self._rules.setAccessibleName("Counts as right under")
        self._rules.setToolTip("Matching rule ([ and ])")
        self._rules.activated.connect(lambda place: self.rule_changed.emit(self._rules.itemData(place)))
        self._flips = Badge("", "warn")
        self._note = words("", "secondary")
        self._own_note = words("", "secondary")
        self.use_own = LinkButton("Use that rule")
        self.score_under = LinkButton("Score under this rule")
        self.use_own.clicked.connect(lambda: self.rule_changed.emit(self._step.own_rule if self._step else ""))
        self.score_under.clicked.connect(self.score_wanted)
        self._page = CardPage("Step")
        self._empty = EmptyState("replay", "No step is shown", "Choose an episode with steps in the list.")
        self._lay_out()
        self.set_step(None)

    def set_rules(self, rules: Sequence[MatchingRule], current: str) -> None:
        """Rules to choose from; tells nobody."""
        self._rules.clear()
        for rule in rules:
            self._rules.addItem(rule.title, rule.id)
        self.set_rule(current)
        self._rules.setEnabled(len(rules) > 1)

    def set_rule(self, name: str) -> None:
        self._rules.setCurrentIndex(self._rules.findData(name))

    def rule(self) -> str:
        return self._rules.currentData() or ""

    def set_step(self, step: StepDetails | None) -> None:
        """Show a step, once the page is in view; None shows that there is none. Raw outputs that were open stay open.
        Cards that say what they said before are kept."""
        if step == self._step and not self._stale:
            return
        self._step, self._stale = step, True
        if step is None or self.isVisible():
            self._renew()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._renew()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Make the cards anew at another text size: the layouts of the old ones remember heights."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.cards:
            QTimer.singleShot(0, self, self._make_anew)

    def _make_anew(self) -> None:
        self._remember_open()
        self.cards, self._reference, self._stale = [], None, True
        if self.isVisible():
            self._renew()

    def _renew(self) -> None:
        step, self._stale = self._step, False
        self._open_raw = {card.run for card in self.cards if card.raw_is_shown()} or self._open_raw
        self._empty.setVisible(step is None)
        self._shown.setVisible(step is not None)
        for card in (*self.cards, *([self._reference[1]] if self._reference else ())):
            card.set_chosen(False)
        if step is None:
            self.cards = []
            return
        self._flips.setVisible(bool(step.rule_flips))
        self._flips.set_words(f"flips {step.rule_flips}", "warn")
        self._note.setText(step.rule_note)
        self._note.setVisible(bool(step.rule_note))
        self._own_note.setText(step.scored_under)
        self._own_note.setVisible(bool(step.scored_under))
        self.score_under.setVisible(step.unscored)
        self.use_own.setVisible(bool(step.own_rule))
        known = {card.shown: card for card in self.cards}
        self.cards = [known.get(card) or self._make_card(card) for card in step.runs]
        self._page.show_parts([self._reference_card(step), *self.cards])

    def _make_card(self, run: RunCard) -> RunCardView:
        card = cards.RunCardView(run, raw_shown=run.run in self._open_raw, stream=self._stream)
        card.evidence_chosen.connect(lambda place, letter=run.run: self.evidence_chosen.emit(letter, place))
        if card.raw_link is not None:
            card.raw_link.clicked.connect(self._remember_open)
        if card.attention is not None:
            card.attention.pointed.connect(lambda what, letter=run.run: self.attention_pointed.emit(letter, what))
            card.attention.stream_chosen.connect(self.stream_chosen)
        return card

    def choose_stream(self, title: str) -> None:
        """Show this stream of attention on all cards that have it, on others their first."""
        self._stream = title
        for card in self.cards:
            if card.attention is not None:
                card.attention.choose(title)

    def light_attention(self, run: int, pointer: AttentionPointer) -> None:
        """Let words and elements that belong to `pointer` stand out on the card of a run (0 is A)."""
        for card in self.cards:
            if card.run == run and card.attention is not None:
                card.attention.show_pointer(pointer)

    def _reference_card(self, step: StepDetails) -> ReferenceCard:
        """The card of what the recording says, which the runs' cards do not change."""
        recorded = replace(step, runs=(), rule_note="", rule_flips="")
        if self._reference is None:
            self._reference = recorded, cards.ReferenceCard(step)
        elif self._reference[0] != recorded:
            self._reference[1].show_step(step)
            self._reference = recorded, self._reference[1]
        return self._reference[1]

    def show_card(self, run: int | None) -> None:
        """Bring the card of a run (0 is A) or of the reference (None) into view, with a frame until the next step."""
        reference = [self._reference[1]] if self._reference is not None else []
        wanted = reference if run is None else [card for card in self.cards if card.run == run]
        for card in (*reference, *self.cards):
            card.set_chosen(card in wanted)
        for card in wanted:
            self._page.ensureWidgetVisible(card, 0, 8)

    def _remember_open(self) -> None:
        self._open_raw = {card.run for card in self.cards if card.raw_is_shown()}

    def _lay_out(self) -> None:
        self._shown = QWidget()
        inside = QVBoxLayout(self._shown)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(12, 10, 12, 0)
        head.setSpacing(8)
        head.addWidget(ElidedLabel("Counts as right under", "heading"))
        head.addWidget(self._rules)
        note = QHBoxLayout()
        note.setSpacing(6)
        note.addWidget(self._flips)
        note.addWidget(self._note, 1)
        head.addLayout(note)
        head.addWidget(self._own_note)
        agree = QHBoxLayout()
        agree.setSpacing(16)
        agree.addWidget(self.use_own)
        agree.addWidget(self.score_under)
        agree.addStretch(1)
        head.addLayout(agree)
        inside.addLayout(head)
        inside.addWidget(self._page, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty)
        column.addWidget(self._shown)
