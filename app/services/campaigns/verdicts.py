"""What annotators say together: the majority's label of each pair, how many agree with it, and how far beyond chance.

At least five labels of each pair, for the majority, are MoTIF's (section 3.2), and so is the histogram of agreement
(its supplementary). What the paper does not say is ours: a tie has no majority and is told; reasons are counted among
those who call the goal infeasible; a pair with fewer than two labels has no part in the histogram.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from stepscope.core.domain.campaign import CampaignContents, Demonstration, PairKey
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import pairwise_agreement

Word = TypeVar("Word", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """The verdict of one pair. `label` None: a `tied` vote, or nobody said anything; likewise `reason` among those who
    call it infeasible. `share` of the labels agree with the majority; of a tie with either side."""

    feasible: int
    infeasible: int
    label: FeasibilityLabel | None
    reason: InfeasibilityReason | None
    tied: bool
    share: float | None

    @property
    def labels(self) -> int:
        return self.feasible + self.infeasible


@dataclass(frozen=True, slots=True)
class ShareBar:
    """Number of `pairs` with this `share` of labels that agree with the majority; `tied`: with either side."""

    share: float
    pairs: int
    tied: bool


@dataclass(frozen=True, slots=True)
class CampaignAgreement:
    """Over a campaign. `few` pairs have fewer than two labels. `kappa` is Cohen's, mean over `annotator_pairs` pairs of
    annotators; None where nobody labelled the same pair."""

    bars: tuple[ShareBar, ...]
    few: int
    kappa: float | None
    observed: float | None
    annotator_pairs: int


def labels_of(contents: CampaignContents) -> dict[PairKey, list[Demonstration]]:
    """The demonstrations of each pair that say whether the goal can be reached; pairs without are in it too."""
    found: dict[PairKey, list[Demonstration]] = {pair.key: [] for pair in contents.pairs}
    for one in contents.demonstrations:
        if one.said.label is not None:
            found[one.assignment.pair].append(one)
    return found


def verdict(demonstrations: Iterable[Demonstration]) -> PairVerdict:
    """The majority of these labels; those that say nothing do not count."""
    said = [one.said for one in demonstrations if one.said.label is not None]
    counts = Counter(one.label for one in said)
    feasible, infeasible = counts[FeasibilityLabel.FEASIBLE], counts[FeasibilityLabel.INFEASIBLE]
    label = _most(Counter({FeasibilityLabel.FEASIBLE: feasible, FeasibilityLabel.INFEASIBLE: infeasible}))
    reasons = Counter(one.reason for one in said if one.reason is not None)
    reason = _most(reasons) if label is FeasibilityLabel.INFEASIBLE else None
    tied = feasible == infeasible > 0
    share = max(feasible, infeasible) / len(said) if said else None
    return PairVerdict(feasible, infeasible, label, reason, tied, share)


def agreement(contents: CampaignContents) -> CampaignAgreement:
    """The histogram, from the lowest share to all, and kappa."""
    by_pair = labels_of(contents)
    found = [verdict(labels) for labels in by_pair.values()]
    bars: dict[tuple[float, bool], int] = defaultdict(int)
    for one in found:
        if one.labels >= 2 and one.share is not None:
            bars[round(one.share, 12), one.tied] += 1
    items: list[Mapping[str, str]] = [
        {one.assignment.annotator: str(one.said.label) for one in labels} for labels in by_pair.values()
    ]
    together = pairwise_agreement(items)
    return CampaignAgreement(
        tuple(ShareBar(share, count, tied) for (share, tied), count in sorted(bars.items())),
        sum(one.labels < 2 for one in found),
        together.kappa,
        together.observed,
        together.pairs,
    )


def _most(counts: Counter[Word]) -> Word | None:
    """The most frequent; None for a tie and for nothing."""
    ranked = counts.most_common(2)
    if not ranked or not ranked[0][1] or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
