"""The filter of the list of web tasks (ours): words, split:test, score<0.5, each with - before it for its opposite."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from stepscope.widgets.webtask.side_values import WebTaskRow

TERM = re.compile(r'(-?)(?:(split):|(score)\s*(<=|>=|<|>|=|:))?\s*("[^"]*"?|\S*)', re.IGNORECASE)
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, ":": operator.eq,
}  # fmt: skip
Test = Callable[[WebTaskRow], bool]


def task_filter(text: str) -> Test:
    """Whether a task passes all terms of `text`, whatever their case. A bare word is searched in title, name and split;
    `split:train,test` means either. A term that is still being written passes everything; a task without a score
    passes no comparison of scores."""
    tests = [test for found in TERM.finditer(text) if (test := _term(*found.groups(""))) is not None]
    return lambda row: all(test(row) for test in tests)


def _term(sign: str, split: str, score: str, comparison: str, value: str) -> Test | None:
    word = value.strip('"').casefold()
    test: Test | None
    if split:
        test = _split(word)
    elif score:
        test = _score(comparison, word)
    else:
        test = _word(word) if word else None
    if test is None or not sign:
        return test
    asked = test
    return lambda row: not asked(row)


def _split(word: str) -> Test | None:
    wanted = [part for part in word.split(",") if part]
    if not wanted:
        return None
    return lambda row: any(split.casefold().startswith(part) for split in row.splits for part in wanted)


def _score(comparison: str, word: str) -> Test | None:
    try:
        bound = float(word)
    except ValueError:
        return None
    holds = COMPARISONS[comparison]
    return lambda row: row.score is not None and holds(row.score, bound)


def _word(word: str) -> Test:
    return lambda row: word in f"{row.title}\n{row.name}\n{row.detail}".casefold()
