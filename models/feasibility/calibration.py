"""Calibration: probabilities from logits that mean what they say, and the line above which a goal is called
infeasible."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.bool_]

_WARMTHS = np.geomspace(0.25, 8.0, 141)
HALF = 0.5


def probability(logit: Any, warmth: float = 1.0) -> float:
    """The logistic of logit / temperature."""
    scaled = float(logit) / warmth
    return 1 / (1 + math.exp(-scaled)) if scaled >= 0 else math.exp(scaled) / (1 + math.exp(scaled))


def temperature(logits: Numbers, labels: Labels) -> float:
    """The temperature of least cross entropy (Guo et al. 2017), out of 141 between a quarter and eight."""
    signs = np.where(labels, -1.0, 1.0)
    costs = [np.logaddexp(0, signs * logits / warmth).mean() for warmth in _WARMTHS]
    return float(_WARMTHS[int(np.argmin(costs))])


def operating_point(scores: Numbers, labels: Labels) -> float:
    """The line of best F1 for the true labels: in the middle between the scores that it parts; a half where there is
    nothing to choose by."""
    if not labels.any() or labels.all():
        return HALF
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + labels.sum())
    last = np.append(scores[order][1:] != scores[order][:-1], True)  # equal scores are called the same
    best = int(np.argmax(np.where(last, f1, -1.0)))
    above = scores[order][best]
    below = scores[order][best + 1] if best + 1 < len(order) else 0.0
    return float((above + below) / 2)


def average_precision(scores: Numbers, labels: Labels) -> float:
    """The area under the steps of precision over recall, equal scores as one step; 0 where nothing is positive."""
    if not labels.any():
        return 0.0
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    last = np.append(scores[order][1:] != scores[order][:-1], True)
    found = hits[last]
    precision = found / (np.flatnonzero(last) + 1)
    return float((np.diff(found, prepend=0) * precision).sum() / labels.sum())
