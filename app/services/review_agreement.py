"""How far people agree on ambiguous tasks: each two of them, and the tasks on which they differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from stepscope.core.domain.ambiguous_task import AmbiguousTask, AskReview, ReviewVerdict, TaskSlot
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import cohen_kappa, observed_agreement


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two people over the `tasks` that both reviewed in the same words: the share on which both let the task stand or
    both reject it, Cohen's kappa of that (None without tasks, or where it is not defined), and on how many of those
    that both let stand both edited the words or neither did."""

    first: str
    second: str
    tasks: int
    same: float | None
    kappa: float | None
    same_words: int
    both_stand: int


@dataclass(frozen=True, slots=True)
class ReviewerCount:
    """What one person said, of tasks in the words that they have now."""

    name: str
    accepted: int
    edited: int
    rejected: int

    @property
    def total(self) -> int:
        return self.accepted + self.edited + self.rejected


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """Each two people, each person, and the tasks on which at least two differ, with what each said."""

    pairs: tuple[ReviewerPair, ...]
    people: tuple[ReviewerCount, ...]
    differing: tuple[tuple[AmbiguousTask, tuple[AskReview, ...]], ...]


def review_agreement(tasks: Iterable[AmbiguousTask], reviews: Iterable[AskReview]) -> ReviewAgreement:
    """Reviews of other words than a task has now count for nothing.

    Source: Cohen's kappa of each two people, as User goals from UI trajectories, section 3.2, has it for judges; that
    an edit counts as letting the task stand is ours.
    """
    wordings = {task.slot: (task.wording, task) for task in tasks}
    said: dict[TaskSlot, dict[str, AskReview]] = defaultdict(dict)
    for one in reviews:
        if one.slot in wordings and wordings[one.slot][0] == one.wording:
            said[one.slot][one.reviewer] = one
    names = sorted({name for one in said.values() for name in one}, key=lambda name: (name.casefold(), name))
    pairs = tuple(_pair(one, other, list(said.values())) for one, other in combinations(names, 2))
    differing = tuple(
        (wordings[slot][1], tuple(one[name] for name in sorted(one)))
        for slot, one in said.items()
        if len({_stands(review) for review in one.values()}) > 1
    )
    return ReviewAgreement(
        tuple(pair for pair in pairs if pair.tasks), tuple(_count(name, said.values()) for name in names), differing
    )


def _pair(first: str, second: str, said: Sequence[dict[str, AskReview]]) -> ReviewerPair:
    both = [(one[first], one[second]) for one in said if first in one and second in one]
    mine, others = ([int(_stands(each[place])) for each in both] for place in (0, 1))
    stand = [(one, other) for one, other in both if _stands(one) and _stands(other)]
    same_words = sum(one.verdict is other.verdict for one, other in stand)
    if not both:
        return ReviewerPair(first, second, 0, None, None, 0, 0)
    kappa = cohen_kappa(mine, others)
    return ReviewerPair(
        first,
        second,
        len(both),
        observed_agreement(mine, others),
        None if np.isnan(kappa) else kappa,
        same_words,
        len(stand),
    )


def _count(name: str, said: Iterable[dict[str, AskReview]]) -> ReviewerCount:
    verdicts = [one[name].verdict for one in said if name in one]
    return ReviewerCount(
        name,
        verdicts.count(ReviewVerdict.ACCEPTED),
        verdicts.count(ReviewVerdict.EDITED),
        verdicts.count(ReviewVerdict.REJECTED),
    )


def _stands(review: AskReview) -> bool:
    return review.verdict is not ReviewVerdict.REJECTED
