"""Feasibility metrics: counts of the four outcomes, their ratios, and average precision over ranked records.

Sources: MoTIF section 4 (paper) for F1 with infeasible as the positive class; the released code for precision, recall,
accuracy and 0 where a denominator is 0; scikit-learn's definition for average precision. Knows no files.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stepscope.core.scoring.statistics import FloatArray, Statistic, quotient
from stepscope.core.scoring.tally import Weighted

Outcome = Literal["tp", "fp", "fn", "tn"]
OUTCOMES: tuple[Outcome, ...] = ("tp", "fp", "fn", "tn")
"""Columns of the sums that the ratios are functions of; positive is infeasible."""


def outcome(infeasible: bool, predicted: bool | None) -> Outcome:
    """`predicted` tells whether infeasible was predicted; no prediction counts as the wrong class."""
    wrong = predicted is None or predicted != infeasible
    if infeasible:
        return "fn" if wrong else "tp"
    return "fp" if wrong else "tn"


def f1(sums: FloatArray) -> FloatArray:
    """Harmonic mean of precision and recall."""
    tp, fp, fn, _ = sums.T
    return _or_nothing(quotient(2 * tp, 2 * tp + fp + fn, empty=0.0), sums)


def precision(sums: FloatArray) -> FloatArray:
    """TP / (TP + FP) for each row of sums (rows, 4): 0 without a predicted positive (code), NaN in a row without
    records."""
    tp, fp, _, _ = sums.T
    return _or_nothing(quotient(tp, tp + fp, empty=0.0), sums)


def recall(sums: FloatArray) -> FloatArray:
    """TP / (TP + FN) for each row of sums (rows, 4): 0 without a positive (code), NaN in a row without records."""
    tp, _, fn, _ = sums.T
    return _or_nothing(quotient(tp, tp + fn, empty=0.0), sums)


def accuracy(sums: FloatArray) -> FloatArray:
    """(TP + TN) / all for each row of sums (rows, 4), NaN in a row without records."""
    tp, _, _, tn = sums.T
    return quotient(tp + tn, sums.sum(axis=1))


RATIOS: dict[str, Statistic] = {"f1": f1, "precision": precision, "recall": recall, "accuracy": accuracy}


def average_precision(infeasible: NDArray[np.bool_], scores: FloatArray) -> Weighted:
    """Records ranked by P(infeasible); records with equal scores come in together, at one threshold.

    The sum over thresholds of precision times gained recall (code: scikit-learn's step-wise sum). Both arrays have one
    entry a record. No value where a score is NaN, or where no record that was drawn is infeasible.
    """
    order = np.argsort(-scores, kind="stable")
    ranked, positive = scores[order], np.flatnonzero(infeasible[order])
    # Recall grows only at thresholds that bring an infeasible record in: those after which the next positive is new.
    thresholds = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)])
    last = np.searchsorted(positive, thresholds, side="right")
    grows = np.diff(last, prepend=0) > 0
    thresholds, last = thresholds[grows], last[grows] - 1

    def of_draw(weights: FloatArray) -> float:
        drawn = weights[order]
        found = np.cumsum(drawn[positive])[last]
        if not found.size or not found[-1]:
            return np.nan
        come_in = np.cumsum(drawn)[thresholds]
        gained = np.diff(found, prepend=0.0)
        return float(quotient(found, come_in, empty=0.0) @ gained / found[-1])

    def metric(weights: FloatArray) -> FloatArray:
        if np.isnan(scores).any():
            return np.full(len(weights), np.nan)
        return np.array([of_draw(row) for row in weights])

    return metric


def _or_nothing(values: FloatArray, sums: FloatArray) -> FloatArray:
    """A ratio without a denominator is 0, but over no record at all there is no value."""
    return np.where(sums.sum(axis=1) == 0, np.nan, values)
