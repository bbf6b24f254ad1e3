"""Assignment of pairs to annotators: at least k people each, all with about as much to do, nobody a pair twice.

MoTIF, section 3.2: at least five demonstrations of each pair; section 3.1: by other people than wrote the goals. All
else is ours: the author of a goal never demonstrates it, though others' goals they may; a pair that somebody skips is
given to somebody else; the pair with the fewest demonstrations comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from stepscope.core.domain.campaign import Assignment, AssignmentState, CampaignContents, Pair, PairKey
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PairProgress:
    """The progress of a pair: demonstrations `done`, assignments still `open` and `skipped`."""

    pair: Pair
    done: int = 0
    open: int = 0
    skipped: int = 0


def progress(contents: CampaignContents) -> tuple[PairProgress, ...]:
    """Every pair, in the campaign's order."""
    counts = Counter((one.pair, one.state) for one in contents.assignments)
    return tuple(
        PairProgress(
            pair,
            counts[pair.key, AssignmentState.DONE],
            counts[pair.key, AssignmentState.OPEN],
            counts[pair.key, AssignmentState.SKIPPED],
        )
        for pair in contents.pairs
    )


def may_demonstrate(pair: Pair, annotator: str, given: Iterable[tuple[PairKey, str]]) -> bool:
    """Whether the person did not write the goal and never had the pair. `given`: pairs with those who had them."""
    return annotator != pair.goal.author and (pair.key, annotator) not in given


def next_assignment(contents: CampaignContents, k: int, annotator: str) -> Assignment | None:
    """What the person is to do next: an open assignment of theirs, else a new one of the pair that needs it most, None
    where there is nothing for them."""
    mine = [one for one in contents.assignments if one.annotator == annotator and one.state is AssignmentState.OPEN]
    if mine:
        return mine[0]
    given = {(one.pair, one.annotator) for one in contents.assignments}
    wanting = [
        (one.done + one.open, place, one.pair)
        for place, one in enumerate(progress(contents))
        if one.done + one.open < k and may_demonstrate(one.pair, annotator, given)
    ]
    return Assignment(min(wanting)[2].key, annotator) if wanting else None


def plan(contents: CampaignContents, k: int) -> tuple[Assignment, ...]:
    """New assignments, so that every pair has k done or open, as far as there are people who may. Pairs for which the
    fewest may come first, and go to those who have the least to do: nobody has more than one pair more than another,
    where all may demonstrate all."""
    given = {(one.pair, one.annotator) for one in contents.assignments}
    load = Counter(dict.fromkeys(contents.annotators, 0))
    load.update(one.annotator for one in contents.assignments if one.state is not AssignmentState.SKIPPED)
    may = {
        one.pair.key: [name for name in contents.annotators if may_demonstrate(one.pair, name, given)]
        for one in progress(contents)
    }
    found: list[Assignment] = []
    for one in sorted(progress(contents), key=lambda one: len(may[one.pair.key])):
        needed = max(0, k - one.done - one.open)
        for name in sorted(may[one.pair.key], key=lambda name: (load[name], name))[:needed]:
            found.append(Assignment(one.pair.key, name))
            load[name] += 1
    return tuple(found)


def short_of(contents: CampaignContents, k: int) -> Mapping[PairKey, int]:
    """The pairs that k people cannot demonstrate, since too few may, and how many more annotators each needs."""
    given = {(one.pair, one.annotator) for one in contents.assignments}
    found = {}
    for one in progress(contents):
        people = sum(may_demonstrate(one.pair, name, given) for name in contents.annotators)
        missing = k - one.done - one.open - people
        if missing > 0:
            found[one.pair.key] = missing
    return found
