"""How well the kinds of action that elements allow were told, as counts of one screen that metrics are made from.

For each kind an element is right, missing or too many, as a class of a multi-label classification; average precision
is that of scikit-learn (`average_precision_score`: the sum of precision times gained recall, equal scores being one
threshold). All rules are ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from stepscope.core.domain.affordance import KINDS, Affordance
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.statistics import FloatArray, Statistic, quotient

LAST, FIRST = -1.0, 2.0
"""In the place of a score where nothing was said of an element: behind all others for one that allows the kind, before
all others for one that does not."""


@dataclass(frozen=True, slots=True)
class AllowedActions:
    """What is known of one screen: by element the kinds that it allows, of which the data tells those of `told`; `done`
    are element and kind of what the person did there, None where that is on none of these elements. `left_out`
    elements stand beyond the most that are looked at. `why` there is nothing to compare with, "" where there is."""

    allowed: Mapping[int, Collection[Affordance]]
    told: tuple[Affordance, ...] = KINDS
    done: tuple[int, Affordance] | None = None
    left_out: int = 0
    why: str = ""


def screen_parts(reference: AllowedActions, said: Mapping[int, Sequence[float]]) -> dict[str, float]:
    """The counts of a screen. `said` has by element P(allowed) for each of `KINDS`; an element that is not in it is
    wrong in every kind, and one that is not in the reference does not count.

    `elements`; for each told kind `right_KIND`, `missing_KIND`, `extra_KIND`, and, where an element allows it,
    `ap_KIND`; `done` 1 or 0 where the person did something on one of the elements.
    """
    parts = {"elements": float(len(reference.allowed))}
    for kind in reference.told:
        place = KINDS.index(kind)
        truth = np.array([kind in kinds for kinds in reference.allowed.values()], np.bool_)
        scores = np.array([
            said[element][place] if element in said else LAST if kind in kinds else FIRST
            for element, kinds in reference.allowed.items()
        ], np.float64)  # fmt: skip
        predicted = (scores >= 0.5).astype(np.bool_)
        parts |= {
            f"right_{kind}": float((truth & predicted).sum()),
            f"missing_{kind}": float((truth & ~predicted).sum()),
            f"extra_{kind}": float((~truth & predicted).sum()),
        }
        if truth.any():
            parts[f"ap_{kind}"] = average_precision(truth, scores)
    if reference.done is not None:
        element, kind = reference.done
        parts["done"] = float(element in said and said[element][KINDS.index(kind)] >= 0.5)
    return parts


def average_precision(truth: np.typing.NDArray[np.bool_], scores: FloatArray) -> float:
    """Over elements, of which one at least is true."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    found = np.cumsum(truth[order])[ends]
    gained = np.diff(found, prepend=0) / truth.sum()
    return float((gained * found / (ends + 1)).sum())


def screen_f1(parts: Mapping[str, float]) -> float:
    """F1 over all kinds of a screen together; 1 where nothing is allowed and nothing was said to be."""
    right, missing, extra = (
        sum(parts.get(f"{what}_{kind}", 0.0) for kind in KINDS) for what in ("right", "missing", "extra")
    )
    whole = 2 * right + missing + extra
    return 2 * right / whole if whole else 1.0


COLUMNS = (
    *(f"{what}_{kind}" for kind in KINDS for what in ("right", "missing", "extra", "ap", "ranked")),
    "done", "acted", "perfect", "screens",
)  # fmt: skip
"""Of the sums over screens: `ranked` are those with an `ap`, `acted` those with a `done`."""
_AT = {name: place for place, name in enumerate(COLUMNS)}


def sums_of(parts: Mapping[str, FloatArray], values: FloatArray) -> FloatArray:
    """(screens, columns) of parts by name, one number a screen, NaN where it has none; `values` are the F1 of each."""
    found = np.zeros((len(values), len(COLUMNS)))
    for name, column in parts.items():
        found[:, _AT[name]] = np.nan_to_num(column)
    for kind in KINDS:
        found[:, _AT[f"ranked_{kind}"]] = ~np.isnan(parts[f"ap_{kind}"])
    found[:, _AT["acted"]] = ~np.isnan(parts["done"])
    found[:, _AT["perfect"]] = values == 1.0
    found[:, _AT["screens"]] = 1.0
    return found


PARTS = (*(f"{what}_{kind}" for kind in KINDS for what in ("right", "missing", "extra", "ap")), "done")
"""Of a screen's parts those that are summed."""


def _f1(sums: FloatArray, kind: Affordance) -> FloatArray:
    right = 2 * _column(sums, "right", kind)
    return quotient(right, right + _column(sums, "missing", kind) + _column(sums, "extra", kind))


def _column(sums: FloatArray, what: str, kind: Affordance | None = None) -> FloatArray:
    found: FloatArray = sums[:, _AT[f"{what}_{kind}" if kind is not None else what]]
    return found


def _all(sums: FloatArray, what: str) -> FloatArray:
    found: FloatArray = np.sum([_column(sums, what, kind) for kind in KINDS], axis=0)
    return found


def _of_kind(kind: Affordance) -> dict[str, Statistic]:
    def precision(sums: FloatArray) -> FloatArray:
        right = _column(sums, "right", kind)
        return quotient(right, right + _column(sums, "extra", kind))

    def recall(sums: FloatArray) -> FloatArray:
        right = _column(sums, "right", kind)
        return quotient(right, right + _column(sums, "missing", kind))

    return {
        f"{kind}_precision": precision,
        f"{kind}_recall": recall,
        f"{kind}_f1": lambda sums: _f1(sums, kind),
        f"{kind}_ap": lambda sums: quotient(_column(sums, "ap", kind), _column(sums, "ranked", kind)),
    }


def _macro(of: Mapping[Affordance, Statistic]) -> Statistic:
    """The mean over the kinds that an element of the references allows."""

    def statistic(sums: FloatArray) -> FloatArray:
        occurs = np.stack([_column(sums, "right", kind) + _column(sums, "missing", kind) > 0 for kind in of], axis=1)
        values = np.stack([one(sums) for one in of.values()], axis=1)
        return quotient(np.where(occurs, values, 0.0).sum(axis=1), occurs.sum(axis=1).astype(np.float64))

    return statistic


def _micro_f1(sums: FloatArray) -> FloatArray:
    right = 2 * _all(sums, "right")
    return quotient(right, right + _all(sums, "missing") + _all(sums, "extra"))


_BY_KIND = {kind: _of_kind(kind) for kind in KINDS}

STATISTICS: dict[str, Statistic] = {
    "macro_f1": _macro({kind: _BY_KIND[kind][f"{kind}_f1"] for kind in KINDS}),
    "macro_ap": _macro({kind: _BY_KIND[kind][f"{kind}_ap"] for kind in KINDS}),
    "micro_f1": _micro_f1,
    "micro_precision": lambda sums: quotient(_all(sums, "right"), _all(sums, "right") + _all(sums, "extra")),
    "micro_recall": lambda sums: quotient(_all(sums, "right"), _all(sums, "right") + _all(sums, "missing")),
    "screen_accuracy": lambda sums: quotient(_column(sums, "perfect"), _column(sums, "screens")),
    "done_recall": lambda sums: quotient(_column(sums, "done"), _column(sums, "acted")),
    **{name: statistic for kind in KINDS for name, statistic in _BY_KIND[kind].items()},
}
"""Metrics as functions of sums whose columns are `COLUMNS`."""


def counts_of(sums: FloatArray) -> dict[str, int]:
    """Over how many elements, or screens, each metric is."""
    total = sums.sum(axis=0, keepdims=True)
    found = {"done_recall": _column(total, "acted"), "screen_accuracy": _column(total, "screens")}
    for kind in KINDS:
        positive = _column(total, "right", kind) + _column(total, "missing", kind)
        found |= {f"{kind}_recall": positive, f"{kind}_f1": positive, f"{kind}_ap": _column(total, "ranked", kind)}
        found[f"{kind}_precision"] = _column(total, "right", kind) + _column(total, "extra", kind)
    return {name: int(value[0]) for name, value in found.items()}


def why_words(parts: Mapping[str, float], left_out: int = 0) -> str:
    """The verdict on a screen in words: what is missing and what is too many, by kind."""
    elements = int(parts["elements"])
    wrong = [
        f"{int(count)} {str(kind).replace('_', ' ')} {word}"
        for kind in KINDS
        for what, word in (("missing", "missed"), ("extra", "too many"))
        if (count := parts.get(f"{what}_{kind}", 0.0))
    ]
    beyond = f" Only the first {elements:,} of {elements + left_out:,} elements are looked at." if left_out else ""
    noun = "element" if elements == 1 else "elements"
    return f"{elements:,} {noun}: {', '.join(wrong) if wrong else 'all right'}.{beyond}"
