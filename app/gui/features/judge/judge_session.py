"""What one person has before them: the items in their order, what was said of them, and which one is shown. No Qt, no
store: the controller reads and writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from stepscope.core.domain.judgement import (
    JudgeAssignment,
    JudgeId,
    Judgement,
    TextPair,
    TextPairKey,
    WrittenText,
    same_texts,
    side_seed,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.judged_pairs import differs

WRITE, JUDGE = "write", "judge"


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """A pair to judge, or (`pair` None) an episode for which to write."""

    episode: str
    step: int
    app: str | None
    steps: int
    pair: TextPair | None = None


@dataclass(slots=True)
class JudgeSession:
    """`judgements` by slot and `written` by slot are as the store has them or is about to. `only_given`: the items are
    those that were given to the person, not all that there are; `only_differing`: of these, on which a model judge
    differs from the person, as it was when they were read."""

    person: str = ""
    mode: str = JUDGE
    task: Task = Task.GOAL
    items: list[JudgeItem] = field(default_factory=list)
    judgements: dict[tuple[TextPairKey, JudgeId], Judgement] = field(default_factory=dict)
    written: dict[tuple[str, str, int, str], WrittenText] = field(default_factory=dict)
    at: int = -1
    only_given: bool = False
    only_differing: bool = False

    @property
    def item(self) -> JudgeItem | None:
        return self.items[self.at] if 0 <= self.at < len(self.items) else None

    def said(self, item: JudgeItem | None) -> Judgement | None:
        """What the person said of the pair as it is now; what was said of other words counts for nothing."""
        stored = self.stored(item)
        return stored if stored is not None and item and item.pair and same_texts(stored, item.pair) else None

    def stored(self, item: JudgeItem | None) -> Judgement | None:
        """The same, of whatever words."""
        return self.judgements.get((item.pair.key, JudgeId(self.person))) if item and item.pair else None

    def by_models(self, item: JudgeItem) -> list[Judgement]:
        """What models said of the pair as it is now."""
        pair = item.pair
        return [
            one
            for one in self.judgements.values()
            if pair is not None and one.judge.by_model and one.pair.key == pair.key and same_texts(one, pair)
        ]

    def differs(self, item: JudgeItem) -> bool:
        """Whether a model came to another verdict on a pair that the person has finished; before, nothing is told."""
        said = self.said(item)
        if said is None or not said.done or said.rejected:
            return False
        return any(differs(said.answers, one.answers) for one in self.by_models(item))

    def text(self, source: str, item: JudgeItem | None) -> WrittenText | None:
        """What the person wrote there."""
        return self.written.get((source, item.episode, item.step, self.person)) if item else None

    def seed(self, item: JudgeItem) -> int:
        """By which the pair's sides stand: as they stood when it was judged, else as they are drawn for the person."""
        assert item.pair is not None
        stored = self.stored(item)
        return stored.seed if stored is not None else side_seed(item.pair.key, self.person)

    def is_done(self, source: str, item: JudgeItem) -> bool:
        if self.mode == WRITE:
            return self.text(source, item) is not None
        said = self.said(item)
        return said is not None and said.done

    def done_count(self, source: str) -> int:
        return sum(self.is_done(source, item) for item in self.items)

    def next_open(self, source: str, after: int) -> int:
        """The first item behind `after` that is not done, then the first at all; -1 where all are."""
        count = len(self.items)
        order = [(after + 1 + by) % count for by in range(count)] if count else []
        return next((place for place in order if not self.is_done(source, self.items[place])), -1)

    def resume_at(self, source: str, episode: str) -> int:
        """Where to begin: the episode that all workspaces show, where it is not done; else what is open after the last
        thing said; else the first."""
        here = self.of_episode(episode)
        if here >= 0 and not self.is_done(source, self.items[here]):
            return here
        latest, last = None, -1
        for place, item in enumerate(self.items):
            one = self.text(source, item) if self.mode == WRITE else self.said(item)
            if one is not None and (latest is None or one.made > latest):
                latest, last = one.made, place
        if last >= 0 and not self.is_done(source, self.items[last]):
            return last
        found = self.next_open(source, last)
        return found if found >= 0 else here if here >= 0 else 0 if self.items else -1

    def place_of(self, item: JudgeItem) -> int:
        """Where an item about the same place stands, -1 for nowhere."""
        spots = [(one.episode, one.step) for one in self.items]
        return spots.index((item.episode, item.step)) if (item.episode, item.step) in spots else -1

    def of_episode(self, episode: str) -> int:
        """The first item of an episode, -1 for none."""
        return next((place for place, item in enumerate(self.items) if item.episode == episode), -1)


def in_order(items: Sequence[JudgeItem], given: Iterable[JudgeAssignment], person: str) -> list[JudgeItem]:
    """The items that are given to the person, in the order that was drawn for them."""
    places = {one.key: one.position for one in given if one.annotator == person}
    mine = [item for item in items if item.pair is not None and item.pair.key in places]
    return sorted(mine, key=lambda item: places[item.pair.key] if item.pair else 0)
