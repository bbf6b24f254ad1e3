"""Which episodes are kept by what the annotators of their task agree on.

Source: MoTIF, section 4 (paper): the test set has only (app, task) pairs on whose feasibility all annotators agreed.
Ours: a task is its words whatever their case and spaces; one annotator agrees with himself; the rule by majority.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from stepscope.core.domain.partitions import task_words
from stepscope.core.frozen import dataclass

AgreementRule = Literal["all", "majority"]
RULES: tuple[str, ...] = get_args(AgreementRule)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LabelledEpisode:
    """An annotator's episode of a task in an app; `label` "" where none was given."""

    id: str
    app: str
    goal: str
    label: str

    @property
    def pair(self) -> Pair:
        """App and task."""
        return self.app, task_words(self.goal)


def labels_by_pair(episodes: Iterable[LabelledEpisode]) -> Mapping[Pair, Counter[str]]:
    """How often each label was given to each pair."""
    found: dict[Pair, Counter[str]] = {}
    for one in episodes:
        if one.label:
            found.setdefault(one.pair, Counter())[one.label] += 1
    return found


def majority_labels(episodes: Iterable[LabelledEpisode]) -> Mapping[Pair, str]:
    """The label that more than half of a pair's annotators gave; pairs without one are left out."""
    by_pair = labels_by_pair(episodes)
    return {
        pair: label for pair, labels in by_pair.items() for label, count in labels.items() if 2 * count > labels.total()
    }


def agreed(episodes: Iterable[LabelledEpisode], rule: AgreementRule = "all") -> frozenset[str]:
    """Ids of the episodes whose pair has one label alone (`all`), or whose label is that of the majority of their pair
    (`majority`). Episodes without a label are never kept."""
    every = list(episodes)
    if rule == "all":
        by_pair = labels_by_pair(every)
        return frozenset(one.id for one in every if one.label and len(by_pair[one.pair]) == 1)
    most = majority_labels(every)
    return frozenset(one.id for one in every if one.label and most.get(one.pair) == one.label)
