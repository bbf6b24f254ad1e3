"""The Episode page: what is known of the episode as a whole."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from widgets import format as formats
from widgets.common import Badge, EmptyState, LinkButton
from widgets.inspector.parts import Card, Page, pairs, plain_pairs, words
from widgets.inspector.values import EpisodeDetails


class EpisodePage(Page):
    """Goal, facts, feasibility, questions, problems. `step_chosen` fires for a question's step."""

    step_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Episode", parent)
        self.set_episode(None)

    def set_episode(self, episode: EpisodeDetails | None) -> None:
        if episode is None:
            self.show_parts([EmptyState("replay", "No episode is shown", "Choose one in the list.")])
            return
        parts = [self._facts(episode), self._feasibility(episode)]
        if episode.asks:
            parts.append(self._asks(episode))
        if episode.problems:
            parts.append(self._problems(episode))
        self.show_parts(parts)

    def _facts(self, episode: EpisodeDetails) -> Card:
        card = Card()
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

    def _feasibility(self, episode: EpisodeDetails) -> Card:
        kind = {"feasible": "hit", "infeasible": "warn"}.get(episode.label, "neutral")
        badge = Badge(episode.label or "not labelled", kind)
        card = Card(words("Feasibility", "title", selectable=False), QWidget(), badge)
        rows: list[tuple[str, str]] = [("Reason", episode.reason)]
        rows += [("Follow-up" if place == 0 else "", question) for place, question in enumerate(episode.follow_up)]
        if any(value for _name, value in rows):
            card.body.addLayout(plain_pairs(rows))
        return card

    def _asks(self, episode: EpisodeDetails) -> Card:
        card = Card(words("Questions", "title", selectable=False))
        for step, question, answer in episode.asks:
            link = LinkButton(f"Step {step + 1}")
            link.setAccessibleName(f"Go to step {step + 1}")
            link.clicked.connect(lambda _checked=False, step=step: self.step_chosen.emit(step))
            card.body.addWidget(link)
            card.body.addLayout(plain_pairs([("Ask", question), ("Say", answer or formats.NONE)]))
        return card

    def _problems(self, episode: EpisodeDetails) -> Card:
        card = Card(words("Could not be read", "title", selectable=False), QWidget(), self._count(episode))
        for problem in episode.problems:
            card.body.addWidget(words(problem, "secondary"))
        return card

    @staticmethod
    def _count(episode: EpisodeDetails) -> Badge:
        return Badge(f"⚠ {formats.counted(len(episode.problems), 'problem')}", "warn")
