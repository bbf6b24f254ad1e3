"""How far people, or a person and a model, give the same labels: Cohen's, Fleiss' and Krippendorff's coefficients.

Sources: Cohen 1960, Fleiss 1971, Krippendorff 1970 (nominal). Labels that are all alike leave no room for chance, and
their coefficient counts 1 (ours). Labels come as whole numbers from 0; NaN stands for no value. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.statistics import FloatArray, group_sums, quotient
from stepscope.core.scoring.tally import IntArray

Label = str | int | float | bool


def observed_agreement(first: ArrayLike, second: ArrayLike) -> float:
    """Share of the items to which two annotators gave the same label; both arrays have one entry an item."""
    equal = np.asarray(first) == np.asarray(second)
    return float(equal.mean()) if equal.size else np.nan


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> float:
    """Two annotators' agreement beyond chance, chance being the product of their own shares of each label."""
    a, b = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    count = int(max(a.max(initial=0), b.max(initial=0))) + 1
    by_chance = int(np.bincount(a, minlength=count) @ np.bincount(b, minlength=count))
    return float(_kappa(_one(a.size), _one(int((a == b).sum())), _one(by_chance))[0])


def fleiss_kappa(item: ArrayLike, label: ArrayLike) -> float:
    """Agreement of interchangeable annotators. Both arrays have one entry a given label: its item, and what it is.

    No value unless every item has the same number of labels, two at least.
    """
    sizes, squares, totals = _label_counts(item, label)
    if not sizes.size or sizes.min() < 2 or sizes.min() != sizes.max():
        return np.nan
    if len(totals) == 1:
        return 1.0
    size = sizes[0]
    observed = ((squares - size) / (size * (size - 1))).mean()
    expected = ((totals / totals.sum()) ** 2).sum()
    return float((observed - expected) / (1 - expected))


def krippendorff_alpha(item: ArrayLike, label: ArrayLike) -> float:
    """Nominal alpha; arrays as for `fleiss_kappa`, but items may have any number of labels; one alone has no part."""
    items, labels = np.asarray(item, dtype=np.int64), np.asarray(label, dtype=np.int64)
    paired = np.bincount(items)[items] >= 2 if items.size else np.zeros(0, dtype=np.bool_)
    sizes, squares, totals = _label_counts(items[paired], labels[paired])
    if not sizes.size:
        return np.nan
    if len(totals) == 1:
        return 1.0
    everything = totals.sum()
    observed = ((sizes**2 - squares) / (sizes - 1)).sum()
    expected = (everything**2 - (totals**2).sum()) / (everything - 1)
    return float(1 - observed / expected)


@dataclass(frozen=True, slots=True)
class LabelPairs:
    """Every two labels that two annotators gave to one item, as arrays with one entry each.

    `pair` is a place in `names`, the pairs of annotators with an item in common. `first` and `second` number what the
    two gave among the labels of their pair: `pair_of_cell` tells each number's pair.
    """

    names: tuple[tuple[str, str], ...]
    item: IntArray
    pair: IntArray
    first: IntArray
    second: IntArray
    pair_of_cell: IntArray

    def sizes(self) -> IntArray:
        """How many items the annotators of each pair have in common."""
        return np.bincount(self.pair, minlength=len(self.names)).astype(np.int64, copy=False)

    def kappas(self, weights: FloatArray) -> FloatArray:
        """Cohen's kappa of each pair when each item counts as often as its weight says; NaN without items."""
        total, agreed, drawn = self._agreed(weights)
        cells = len(self.pair_of_cell)
        both = group_sums(self.first, drawn, cells) * group_sums(self.second, drawn, cells)
        return _kappa(total, agreed, group_sums(self.pair_of_cell, both, len(self.names)))

    def observed(self, weights: FloatArray) -> FloatArray:
        """Observed agreement of each pair, likewise."""
        total, agreed, _ = self._agreed(weights)
        return quotient(agreed, total)

    def _agreed(self, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weight of the common items of each pair, of those with equal labels, and of each entry."""
        drawn = weights[self.item]
        count = len(self.names)
        equal = drawn * (self.first == self.second)
        return group_sums(self.pair, drawn, count), group_sums(self.pair, equal, count), drawn


class PairwiseAgreement(NamedTuple):
    """Means over `pairs` pairs of annotators who labelled a common item; None when there are none."""

    kappa: float | None
    observed: float | None
    pairs: int


def pairwise_agreement(items: Sequence[Mapping[str, Label | None]]) -> PairwiseAgreement:
    """Agreement of people on labels, such as yes/no verdicts: each item has labels by annotator, None for none.

    Source: User goals from UI trajectories, section 3.2: Cohen's kappa, mean over the pairs of annotators (paper).
    """
    pairs = label_pairs(items)
    alike = np.ones(len(items))
    kappa, observed = mean_over_pairs(pairs.kappas(alike)), mean_over_pairs(pairs.observed(alike))
    return PairwiseAgreement(
        None if np.isnan(kappa) else kappa, None if np.isnan(observed) else observed, len(pairs.names)
    )


def label_pairs(items: Sequence[Mapping[str, Label | None]]) -> LabelPairs:
    """Labels are compared with their JSON type: "1", 1 and true differ, 1 and 1.0 do not."""
    names: dict[str, int] = {}
    places: dict[tuple[int, int], int] = {}
    codes: dict[tuple[bool, Label], int] = {}
    entries: list[tuple[int, int, int, int]] = []
    for number, labels in enumerate(items):
        given = sorted(
            (names.setdefault(name, len(names)), label_code(label, codes))
            for name, label in labels.items()
            if label is not None
        )
        for (one, first), (other, second) in combinations(given, 2):
            entries.append((number, places.setdefault((one, other), len(places)), first, second))
    item, pair, first_code, second_code = np.array(entries, dtype=np.int64).reshape(-1, 4).T
    keys = np.concatenate([pair, pair]) * max(len(codes), 1) + np.concatenate([first_code, second_code])
    found, cell = np.unique(keys, return_inverse=True)
    known = tuple(names)
    return LabelPairs(
        names=tuple((known[one], known[other]) for one, other in places),
        item=item,
        pair=pair,
        first=cell[: len(pair)],
        second=cell[len(pair) :],
        pair_of_cell=found // max(len(codes), 1),
    )


def label_code(label: Label, codes: dict[tuple[bool, Label], int]) -> int:
    """The label's number, new ones after the others. Python takes True for 1, JSON does not."""
    return codes.setdefault((isinstance(label, bool), label), len(codes))


def mean_over_pairs(values: FloatArray) -> float:
    """Pairs without a value are left out."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else np.nan


def _kappa(total: FloatArray, agreed: FloatArray, by_chance: FloatArray) -> FloatArray:
    """`by_chance` sums the products of both annotators' counts of each label. All are whole numbers, so that equality
    with `total`² is exact: it means that both gave one and the same label throughout."""
    found = quotient(total * agreed - by_chance, total**2 - by_chance, empty=1.0)
    return np.where(total == 0, np.nan, found)


def _one(value: float) -> FloatArray:
    return np.array([value], dtype=np.float64)


def _label_counts(item: ArrayLike, label: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Labels of each item; the sum of the squares of its counts of equal labels; how often each label was given."""
    items = np.unique(np.asarray(item, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    labels = np.unique(np.asarray(label, dtype=np.int64), return_inverse=True)[1].astype(np.int64)
    if not items.size:
        return np.empty(0), np.empty(0), np.empty(0)
    kinds = int(labels.max()) + 1
    cells, counts = np.unique(items * kinds + labels, return_counts=True)
    count = int(items.max()) + 1
    of_items = group_sums(cells // kinds, counts, count)
    return (
        of_items,
        group_sums(cells // kinds, counts.astype(np.float64) ** 2, count),
        group_sums(labels, np.ones(len(labels)), kinds),
    )
