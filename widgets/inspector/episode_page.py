"""The Episode page: what is known of the episode as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import Badge, EmptyState, LinkButton
from stepscope.widgets.inspector.parts import CardFrame, CardPage, pairs, plain_pairs, words

if TYPE_CHECKING:
    from stepscope.widgets.inspector.cards import RunCardView
    from stepscope.widgets.inspector.step_details import EpisodeDetails, RunCard


class EpisodePage(CardPage):
    """Goal, facts, feasibility, what runs answered about the whole, questions, problems. `step_chosen` fires for a
    question's step, `evidence_chosen` gives a run (0 is A) and the place of evidence in its answer."""

    step_chosen = Signal(int)
    evidence_chosen = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Episode", parent)
        self._above: list[QWidget] = []
        self._below: list[QWidget] = []
        self._episode: EpisodeDetails | None = None
        self._answers: tuple[RunCard, ...] = ()
        self._stale = self._is_told = False
        """other answers are to be shown; the episode's own cards are those of `_episode`"""
        self.answers: list[RunCardView] = []
        self.set_episode(None)

    def set_episode(self, episode: EpisodeDetails | None) -> None:
        """Show another episode, about which no run has said anything yet, once the page is in view."""
        self._episode, self._answers, self.answers = episode, (), []
        self._stale, self._is_told = True, False
        if self.isVisible():
            self._renew()

    def set_answers(self, answers: Sequence[RunCard]) -> None:
        """Show what runs answered about the whole episode, as cards once the page is in view."""
        if tuple(answers) != self._answers:
            self._answers, self._stale = tuple(answers), True
            if self.isVisible():
                self._renew()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._renew()
        super().showEvent(event)

    def _renew(self) -> None:
        if not self._is_told:
            self._tell(self._episode)
        known = {card.shown: card for card in self.answers}
        self.answers = [known.get(answer) or self._answer(answer) for answer in self._answers]
        self._stale = False
        self.show_parts([*self._above, *self.answers, *self._below])

    def _tell(self, episode: EpisodeDetails | None) -> None:
        """Make the cards of the episode itself."""
        self._is_told, self._below = True, []
        if episode is None:
            self._above = [EmptyState("replay", "No episode is shown", "Choose one in the list.")]
            return
        self._above = [self._facts(episode), self._feasibility(episode)]
        self._below += [self._asks(episode)] if episode.asks else []
        self._below += [self._problems(episode)] if episode.problems else []

    def _answer(self, answer: RunCard) -> RunCardView:
        from stepscope.widgets.inspector.cards import RunCardView  # comes with the first answer

        card = RunCardView(answer)
        card.evidence_chosen.connect(lambda place: self.evidence_chosen.emit(answer.run, place))
        return card

    def _facts(self, episode: EpisodeDetails) -> CardFrame:
        card = CardFrame()
        card.body.addWidget(words(episode.goal or "No goal was recorded", "title"))
        identifier = words(episode.id, mono=True)
        card.body.addLayout(pairs([("Id", identifier)]))
        rows = (
            ("App", episode.app),
            ("Steps", formats.count(episode.steps) if episode.steps else ""),
            ("Format", episode.format),
            ("Platform", episode.platform),
            ("Split", episode.split),
        )
        card.body.addLayout(plain_pairs(rows))
        return card

    def _feasibility(self, episode: EpisodeDetails) -> CardFrame:
        kind = {"feasible": "hit", "infeasible": "warn"}.get(episode.label, "neutral")
        badge = Badge(episode.label or "not labelled", kind)
        card = CardFrame(words("Feasibility", "title", selectable=False), QWidget(), badge)
        rows: list[tuple[str, str]] = [("Reason", episode.reason)]
        rows += [("Follow-up" if place == 0 else "", question) for place, question in enumerate(episode.follow_up)]
        if any(value for _name, value in rows):
            card.body.addLayout(plain_pairs(rows))
        return card

    def _asks(self, episode: EpisodeDetails) -> CardFrame:
        card = CardFrame(words("Questions", "title", selectable=False))
        for step, question, answer in episode.asks:
            link = LinkButton(f"Step {step + 1}")
            link.setAccessibleName(f"Go to step {step + 1}")
            link.clicked.connect(lambda _checked=False, step=step: self.step_chosen.emit(step))
            card.body.addWidget(link)
            card.body.addLayout(plain_pairs([("Ask", question), ("Say", answer or formats.NONE)]))
        return card

    def _problems(self, episode: EpisodeDetails) -> CardFrame:
        card = CardFrame(words("Could not be read", "title", selectable=False), QWidget(), self._count(episode))
        for problem in episode.problems:
            card.body.addWidget(words(problem, "secondary"))
        return card

    @staticmethod
    def _count(episode: EpisodeDetails) -> Badge:
        return Badge(f"⚠ {formats.counted(len(episode.problems), 'problem')}", "warn")
