"""Columns of numbers compared with what a filter's term says."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.filter import Number, Range, Term, Value

_COMPARISONS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def compared_number(numbers: NDArray[Any], term: Term) -> NDArray[np.bool_]:
    """Which of the numbers are next to any of the term's values; NaN never is."""
    found = np.zeros(len(numbers), np.bool_)
    for value in term.values:
        found |= _compared(numbers, term.operator, value)
    return found


def _compared(numbers: NDArray[Any], operator: str, value: Value) -> NDArray[np.bool_]:
    match value:
        case Range(low, high):
            found = np.ones(len(numbers), np.bool_)
            if low is not None:
                found &= numbers >= low
            if high is not None:
                found &= numbers <= high
            return found
        case Number(number):
            compare = _COMPARISONS.get(operator, np.equal)
            return np.asarray(compare(numbers, number), np.bool_)
    raise AssertionError(value)
