"""The Mind2Web rule on columns: is each step's element right, and how far do the two operations share their words.

Source of the rule (code): the action evaluation released with Mind2Web. Knows neither files nor domain actions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.scoring.statistics import FloatArray

BoolArray = NDArray[np.bool_]

CLICK = "CLICK"

_PAIRS_KEPT = 1 << 16
"""So many pairs of unlike operations are remembered: they repeat, and counting words is what a step costs."""


class Mind2WebColumns(NamedTuple):
    """Steps to be judged, one entry each. Ids are text; operations are in words."""

    positives: Sequence[Collection[str]]
    references: Sequence[str]
    chosen: Sequence[str | None]
    """None where no element was chosen."""
    predictions: Sequence[str]


class Mind2WebVerdicts(NamedTuple):
    """`element` is 0 or 1, `f1` that of the operation. `named`: the reference has a positive; `chose`: the prediction
    has an element."""

    element: BoolArray
    f1: FloatArray
    named: BoolArray
    chose: BoolArray


def judge(columns: Mind2WebColumns) -> Mind2WebVerdicts:
    """The verdicts. Without a positive or without a chosen element both element and F1 are 0, whatever the operation
    is."""
    positives, references, chosen, predictions = columns
    count = len(positives)
    named = np.fromiter(map(bool, positives), np.bool_, count)
    chose = np.fromiter((one is not None for one in chosen), np.bool_, count)
    element = np.fromiter((one in ids for one, ids in zip(chosen, positives, strict=True)), np.bool_, count)
    f1 = np.fromiter(map(operation_f1, references, predictions), np.float64, count)
    return Mind2WebVerdicts(element, np.where(named & chose, f1, 0.0), named, chose)


def right(element: BoolArray, f1: FloatArray) -> BoolArray:
    """Whether each step is right: its element is, and the operations have the same words."""
    same: BoolArray = f1 == 1.0
    return element & same


def reference_text(operation: str, value: str) -> str:
    """The operation in words; a click's value is dropped."""
    return operation if operation == CLICK else predicted_text(operation, value)


def predicted_text(operation: str, value: str) -> str:
    """The operation in words; a value that was predicted with a click stays and costs precision."""
    return f"{operation} {value}" if value else operation


def operation_f1(reference: str, prediction: str) -> float:
    """F1 over the two sets of white-space tokens, case kept; both empty 1, one empty 0."""
    return 1.0 if reference == prediction else _token_f1(reference, prediction)


@lru_cache(_PAIRS_KEPT)
def _token_f1(reference: str, prediction: str) -> float:
    wanted, got = set(reference.split()), set(prediction.split())
    if not wanted and not got:
        return 1.0
    return 2 * len(wanted & got) / (len(wanted) + len(got))
