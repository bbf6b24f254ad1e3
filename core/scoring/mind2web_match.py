"""The Mind2Web rule on one step: is the element right, and how far do the two operations share their words.

Source of the rule (code): the action evaluation released with Mind2Web. Knows neither files nor domain actions.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

CLICK = "CLICK"

_PAIRS_KEPT = 1 << 16
"""So many pairs of texts are remembered: operations repeat, and counting words is what a step costs."""


class StepVerdict(NamedTuple):
    """`f1` is that of the operation, 0..1."""

    element: bool
    f1: float

    @property
    def right(self) -> bool:
        return self.element and self.f1 == 1.0


NOTHING_RIGHT = StepVerdict(False, 0.0)


def reference_text(operation: str, value: str) -> str:
    """The operation in words; a click's value is dropped."""
    return operation if operation == CLICK else f"{operation} {value}"


def predicted_text(operation: str, value: str) -> str:
    """The operation in words; a value that was predicted with a click stays and costs precision."""
    return f"{operation} {value}"


@lru_cache(_PAIRS_KEPT)
def operation_f1(reference: str, prediction: str) -> float:
    """F1 over the two sets of white-space tokens, case kept; both empty 1, one empty 0."""
    wanted, got = set(reference.split()), set(prediction.split())
    if not wanted and not got:
        return 1.0
    return 2 * len(wanted & got) / (len(wanted) + len(got))


def judge_step(positives: Collection[str], chosen: Collection[str], reference: str, prediction: str) -> StepVerdict:
    """`chosen` are the ids that the prediction stands for, one for a chosen element, none when no element was chosen;
    `reference` and `prediction` are the operations in words."""
    if not positives or not chosen:
        return NOTHING_RIGHT
    return StepVerdict(any(one in positives for one in chosen), operation_f1(reference, prediction))
