"""What one person has before them: the ambiguous tasks, what was said of them, by what the list is filtered, and which
one is shown. No Qt, no store: the controllers read and write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from stepscope.core.domain.ambiguous_task import AmbiguousTask, AskReview, TaskSlot
from stepscope.core.frozen import dataclass

OPEN, FAILED, DIFFERS, ALL = "open", "failed", "differs", ""
"""Besides the verdicts, by what the list can be filtered: nothing said yet, a check that fails, people who say
different things."""


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """What the list shows; "" where it does not matter. `text`: words of goals, questions or answers."""

    state: str = ALL
    kind: str = ALL
    app: str = ALL
    text: str = ""


@dataclass(slots=True)
class ReviewSession:
    """`tasks` all leave something out; `reviews` are by slot and reviewer, as the store has them or is about to.
    `shown` are the places of those that the filter leaves, as they were when it was chosen; `at` is a place in it.
    `blind`: what others say is told once the person has said something."""

    person: str = ""
    tasks: Sequence[AmbiguousTask] = ()
    reviews: dict[TaskSlot, dict[str, AskReview]] = field(default_factory=dict)
    chosen: ReviewFilter = ReviewFilter()
    shown: list[int] = field(default_factory=list)
    at: int = -1
    blind: bool = True
    _wordings: list[str] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _places: dict[TaskSlot, int] = field(default_factory=dict)
    _states: list[str] = field(default_factory=list)
    _differing: set[int] = field(default_factory=set)
    _kinds: Counter[str] = field(default_factory=Counter)
    _apps: Counter[str] = field(default_factory=Counter)
    _failing: int = 0
    _makers: int = 0

    def __post_init__(self) -> None:
        """What is asked of all tasks again and again is worked out once: this may be done off the GUI thread."""
        self._places = {task.slot: place for place, task in enumerate(self.tasks)}
        self._wordings = [task.wording for task in self.tasks]
        self._texts = [_text_of(task) for task in self.tasks]
        self._states = [OPEN] * len(self.tasks)
        for slot in self.reviews:
            self._look_again(slot)
        self._kinds = Counter(kind for task in self.tasks for kind in {piece.kind.value for piece in task.pieces})
        self._apps = Counter(task.app for task in self.tasks if task.app)
        self._makers = len({task.slot.made_by for task in self.tasks})
        self._failing = sum(bool(task.failed) for task in self.tasks)
        self.shown = self.matching()

    @property
    def task(self) -> AmbiguousTask | None:
        return self.tasks[self.shown[self.at]] if 0 <= self.at < len(self.shown) else None

    def mine(self, task: AmbiguousTask) -> AskReview | None:
        """What the person said of the words that the task has now."""
        stored = self.stored(task)
        return stored if stored is not None and self._is_current(stored) else None

    def stored(self, task: AmbiguousTask) -> AskReview | None:
        """The same, of whatever words."""
        return self.reviews.get(task.slot, {}).get(self.person)

    def others(self, task: AmbiguousTask) -> list[AskReview]:
        """What other people said of its words of now, as far as the person may know."""
        if self.blind and self.mine(task) is None:
            return []
        found = self.reviews.get(task.slot, {}).items()
        return [one for name, one in sorted(found) if name != self.person and self._is_current(one)]

    def differs(self, task: AmbiguousTask) -> bool:
        """Whether another person lets stand what this one rejects, or the other way round; nothing before they have
        said something."""
        mine = self.mine(task)
        return mine is not None and any(stands(one) != stands(mine) for one in self.others(task))

    def put(self, slot: TaskSlot, reviewer: str, review: AskReview | None) -> None:
        """What somebody says of a task now; None: nothing any more."""
        said = self.reviews.setdefault(slot, {})
        if review is None:
            said.pop(reviewer, None)
        else:
            said[reviewer] = review
        self._look_again(slot)

    def state(self, place: int) -> str:
        """What the person said of the task at a place of `tasks`, else OPEN."""
        return self._states[place]

    # The list --------------------------------------------------------------------------------------------------------

    def choose(self, chosen: ReviewFilter) -> None:
        """Filter the list anew; who is at a task that is still in it stays there."""
        here = self.shown[self.at] if self.task is not None else -1
        self.chosen = chosen
        self.shown = self.matching()
        self.at = self.shown.index(here) if here in self.shown else -1

    def matching(self) -> list[int]:
        """Places of the tasks that the filter leaves now."""
        chosen, words = self.chosen, self.chosen.text.casefold().split()
        return [
            place
            for place, task in enumerate(self.tasks)
            if self._has_state(place, chosen.state)
            and (not chosen.kind or any(piece.kind == chosen.kind for piece in task.pieces))
            and (not chosen.app or task.app == chosen.app)
            and all(word in self._texts[place] for word in words)
        ]

    def state_counts(self) -> dict[str, int]:
        """How many tasks there are in each state, whatever else the list is filtered by."""
        counts = Counter(self._states)
        return {ALL: len(self.tasks), **counts, FAILED: self._failing, DIFFERS: len(self._differing)}

    def kind_counts(self) -> Counter[str]:
        """How many tasks leave out each kind of value."""
        return self._kinds

    def app_counts(self) -> Counter[str]:
        return self._apps

    @property
    def has_makers(self) -> bool:
        """Whether more than one made the tasks: then it is told who."""
        return self._makers > 1

    def reviewed(self) -> list[AskReview]:
        """What the person said, of the words that the tasks have now."""
        said = (by_name.get(self.person) for by_name in self.reviews.values())
        return [one for one in said if one is not None and self._is_current(one)]

    def done_count(self) -> int:
        return sum(state != OPEN for state in self._states)

    def next_open(self, after: int) -> int:
        """The first task of the list behind `after` of which nothing was said, then the first at all; -1 where all
        are."""
        count = len(self.shown)
        order = ((after + 1 + by) % count for by in range(count))
        return next((place for place in order if self._states[self.shown[place]] == OPEN), -1)

    def resume_at(self, episode: str) -> int:
        """Where to begin: at a task of the episode that all workspaces show, where it is open; else at the first that
        is open behind the last thing said; else at the first."""
        here = next((at for at, place in enumerate(self.shown) if self.tasks[place].slot.episode == episode), -1)
        if here >= 0 and self._states[self.shown[here]] == OPEN:
            return here
        said = [
            (mine.made, at) for at, place in enumerate(self.shown) if (mine := self.mine(self.tasks[place])) is not None
        ]
        found = self.next_open(max(said)[1] if said else -1)
        return found if found >= 0 else here if here >= 0 else 0 if self.shown else -1

    def place_of(self, slot: TaskSlot) -> int:
        """Where the list has a task, -1 for nowhere."""
        place = self._places.get(slot, -1)
        return self.shown.index(place) if place in self.shown else -1

    # Inside ----------------------------------------------------------------------------------------------------------

    def _look_again(self, slot: TaskSlot) -> None:
        """Somebody said something else of a task."""
        place = self._places.get(slot, -1)
        if place < 0:
            return
        mine = self.mine(self.tasks[place])
        self._states[place] = OPEN if mine is None else mine.verdict.value
        (self._differing.add if self.differs(self.tasks[place]) else self._differing.discard)(place)

    def _is_current(self, review: AskReview) -> bool:
        """Whether it is about the words that its task has now."""
        place = self._places.get(review.slot, -1)
        return place >= 0 and review.wording == self._wordings[place]

    def _has_state(self, place: int, state: str) -> bool:
        if state == FAILED:
            return bool(self.tasks[place].failed)
        if state == DIFFERS:
            return place in self._differing
        return not state or self._states[place] == state


def stands(review: AskReview) -> bool:
    """Whether the person lets the task stand, as it is or with other words."""
    return review.verdict != "rejected"


def by_slot(reviews: Iterable[AskReview]) -> dict[TaskSlot, dict[str, AskReview]]:
    """Reviews by the task and who gave them."""
    found: dict[TaskSlot, dict[str, AskReview]] = {}
    for one in reviews:
        found.setdefault(one.slot, {})[one.reviewer] = one
    return found


def _text_of(task: AmbiguousTask) -> str:
    """All words of a task in which one searches, in small letters."""
    texts = [task.original, task.goal, task.app]
    texts += [text for piece in task.pieces for text in (piece.question, piece.answer)]
    return "\n".join(texts).casefold()
