"""What the window looks at: one source, episode, step, up to eight runs and one matching rule, shared by all views.

Everything here is set on the GUI thread; whoever shows something of it listens.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from stepscope.app.services.provenance import PROCEDURES
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.core.sources.source import Source

LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that is open: its row in the store, the reader, and what a person calls it.

    `skipped` records could not be read at all, `problems` counts everything that could not be read. `as_procedures`:
    its episodes are shown as procedures.
    """

    id: int
    source: Source
    title: str
    episodes: int
    skipped: int
    problems: int
    as_procedures: bool = False

    @property
    def key(self) -> str:
        """What a session calls it: its path, and that its episodes are shown as procedures."""
        return f"{self.source.path}{PROCEDURES if self.as_procedures else ''}"


@dataclass(frozen=True, slots=True)
class NavigationPlace:
    """The user's place, for going back and forward and for links. `source` is the open source's key."""

    source: str
    episode: str
    step: int


class Selection(QObject):
    """Signals fire after the change, only on a change."""

    source_changed = Signal()
    episode_changed = Signal()
    step_changed = Signal()
    runs_changed = Signal()
    rule_changed = Signal()

    def __init__(self, rule: MatchingRule, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source: OpenSource | None = None
        self.episode: Episode | None = None
        self.step_index: int = 0
        self.runs: tuple[str, ...] = ()
        self.rule = rule

    @property
    def step(self) -> Step | None:
        if self.episode is None or not self.episode.steps:
            return None
        return self.episode.steps[self.step_index]

    @property
    def place(self) -> NavigationPlace | None:
        if self.source is None or self.episode is None:
            return None
        return NavigationPlace(self.source.key, self.episode.id, self.step_index)

    def letter_of(self, run: str) -> str:
        """The run's letter A..H, "" when it is not shown."""
        return LETTERS[self.runs.index(run)] if run in self.runs else ""

    def set_source(self, source: OpenSource | None) -> None:
        self.source = source
        self.episode, self.step_index = None, 0
        self.source_changed.emit()
        self.episode_changed.emit()

    def set_episode(self, episode: Episode, step: int = 0) -> None:
        """Show an episode that has been read, at the place `step` in its steps."""
        self.episode = episode
        self.step_index = min(max(step, 0), max(len(episode.steps) - 1, 0))
        self.episode_changed.emit()
        self.step_changed.emit()

    def set_step(self, index: int) -> None:
        if self.episode is None or not self.episode.steps:
            return
        index = min(max(index, 0), len(self.episode.steps) - 1)
        if index != self.step_index:
            self.step_index = index
            self.step_changed.emit()

    def set_runs(self, runs: tuple[str, ...]) -> None:
        if runs[: len(LETTERS)] != self.runs:
            self.runs = runs[: len(LETTERS)]
            self.runs_changed.emit()

    def toggle_run(self, run: str) -> None:
        """Show a run under the next letter, or take it away."""
        if run in self.runs:
            self.set_runs(tuple(other for other in self.runs if other != run))
        else:
            self.set_runs((*self.runs, run)[-len(LETTERS) :])

    def show_run(self, run: str) -> None:
        """Show a run unless it is shown already."""
        if run not in self.runs:
            self.toggle_run(run)

    def set_rule(self, rule: MatchingRule) -> None:
        if rule != self.rule:
            self.rule = rule
            self.rule_changed.emit()


class History:
    """Places visited, like a browser's: going somewhere new drops what lay ahead."""

    LIMIT = 200

    def __init__(self) -> None:
        self._places: list[NavigationPlace] = []
        self._at = -1

    def visit(self, place: NavigationPlace) -> None:
        """Remember a place; steps of one episode overwrite each other."""
        here = self._places[self._at] if self._at >= 0 else None
        if here and (here.source, here.episode) == (place.source, place.episode):
            self._places[self._at] = place
            return
        self._places = [*self._places[: self._at + 1], place][-self.LIMIT :]
        self._at = len(self._places) - 1

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at < len(self._places) - 1

    def back(self) -> NavigationPlace | None:
        if not self.can_go_back:
            return None
        self._at -= 1
        return self._places[self._at]

    def forward(self) -> NavigationPlace | None:
        if not self.can_go_forward:
            return None
        self._at += 1
        return self._places[self._at]
