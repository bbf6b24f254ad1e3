"""How one field of a web task is scored against the workers' answers. Knows neither files nor pages.

Sources: Xu et al. 2024, "TurkingBench", section 3.5 (paper) and the evaluation released with it (code). Where they
differ, `rules` says which counts. docs/protocols/fields.md has every rule with its mark.
"""

from __future__ import annotations

import math
import string
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from stepscope.core.domain.webtask import FieldType
from stepscope.core.scoring.rule import NO_PREDICTION
from stepscope.core.scoring.web_fields_rouge import rouge_l

Value = str | int | float | None
Answer = Value | Sequence[Value]
"""A field's value; several ticked boxes are a sequence, or one text with "|" between them. None is an empty text."""

OFFICIAL, PAPER = "official", "paper"

TEXTS = frozenset((FieldType.TEXT, FieldType.TEXTAREA, FieldType.HIDDEN))
CHOICES = frozenset((FieldType.RADIO, FieldType.SELECT))

_JOINED = "|"
_EMPTY_CELLS = frozenset({"nan", "{}", "'{}'"})
"""What tables of text answers write for an empty one: an empty answer, also beside real ones (code)."""

_CHOICES_KEPT = 1 << 12
_PUNCTUATION = str.maketrans("", "", string.punctuation)


class FieldScore(NamedTuple):
    """`value` is None when the field is unscored. It is 1 at most, and under `official` a range may be below 0."""

    value: float | None
    why: str


def score_field(kind: str, reference: Sequence[Answer], prediction: Answer, rules: str = OFFICIAL) -> FieldScore:
    """One field's score. `reference` has every worker's answer, an empty one where a worker left the field empty;
    `prediction` None: the model gave nothing usable."""
    write = _ticked_text if kind == FieldType.CHECKBOX else written
    answers = [write(answer) for answer in reference]
    if kind in TEXTS:
        answers = [_comparable(answer) for answer in answers if answer and answer not in _EMPTY_CELLS]
        if not answers:
            return FieldScore(None, "No worker wrote anything.")
    if kind == FieldType.RANGE and rules == PAPER and _without_scale(answers):
        return FieldScore(None, "No answer is above 0: there is nothing to divide by.")
    if prediction is None:
        return FieldScore(0.0, NO_PREDICTION)
    answer = write(prediction)
    if not any(answers):
        return _empty(answer)
    if kind in TEXTS:
        return _text(answers, _comparable(answer))
    if kind in CHOICES:
        return _choice(answers, answer)
    if kind == FieldType.CHECKBOX:
        return _overlap(answers, answer) if rules == PAPER else _best_equal(answers, answer)
    return _range(answers, answer, rules)


def written(value: Answer) -> str:
    """A value as text: a number as it is written, 3 as "3" and 3.0 as "3.0" (ours)."""
    if type(value) is str:
        return value
    return "" if value is None else str(value)


def ticked(value: Answer) -> list[str]:
    """The values of ticked boxes, sorted; an empty one is none, and "|" parts them in a list too (ours)."""
    if value is None or isinstance(value, (str, int, float)):
        parts = written(value).split(_JOINED)
    else:
        parts = [part for one in value for part in written(one).split(_JOINED)]
    return sorted(filter(None, parts))


def majority(answers: Sequence[str]) -> tuple[str, int]:
    """The answer that most workers gave, letter by letter, and how many did; of equally many the first seen."""
    votes: dict[str, int] = {}
    for answer in answers:
        votes[answer] = votes.get(answer, 0) + 1
    return max(votes.items(), key=lambda vote: vote[1])


def alike(first: str, second: str) -> bool:
    """Whether two choices are the same: numbers, case, ASCII punctuation and white space are evened out."""
    return first == second or _evened(first) == _evened(second)


@lru_cache(maxsize=_CHOICES_KEPT)
def _evened(text: str) -> str:
    return " ".join(_shortest(text).lower().translate(_PUNCTUATION).split())


def _comparable(text: str) -> str:
    """A text answer as it is compared: a number in its shortest form, "&amp;" as "&" (code). Whole numbers keep all
    their digits, so that long ids which differ in the last one stay unlike (ours)."""
    with suppress(ValueError):
        return str(int(text))
    return _shortest(text).replace("&amp;", "&")


def _shortest(text: str) -> str:
    """A number in its shortest form: "1.0", "01" and "1e0" as "1", "3.50" as "3.5"; any other text as it is (code)."""
    number = _number(text)
    if number is None:
        return text
    return str(int(number)) if number == int(number) else str(number)


def _number(text: str) -> float | None:
    """The finite number that the text stands for; "nan" is an ordinary word."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _numbers(texts: Iterable[str]) -> list[float]:
    """All texts as numbers; none at all when any is not one."""
    found: list[float] = []
    for text in texts:
        value = _number(text)
        if value is None:
            return []
        found.append(value)
    return found


def _ticked_text(value: Answer) -> str:
    return _JOINED.join(ticked(value))


def _without_scale(answers: Sequence[str]) -> bool:
    golds = _numbers(answers)
    return bool(golds) and max(golds) <= 0


def _verdict(value: float, why: str) -> FieldScore:
    """The sentences are few but come often: equal ones are kept once."""
    return FieldScore(value, sys.intern(why))


def _empty(answer: str) -> FieldScore:
    if answer:
        return FieldScore(0.0, "The workers left it empty, the prediction did not.")
    return FieldScore(1.0, "The workers left it empty, and so did the prediction.")


def _text(answers: Sequence[str], answer: str) -> FieldScore:
    if answer in answers:
        return FieldScore(1.0, "Identical to an answer.")
    best = max(rouge_l(gold, answer) for gold in answers)
    return _verdict(best, f"ROUGE-L {best:.2f} with the nearest of {_count(answers)}.")


def _choice(answers: Sequence[str], answer: str) -> FieldScore:
    wanted, votes = majority(answers)
    share = f"the majority answer ({votes} of {len(answers)})."
    if alike(wanted, answer):
        return _verdict(1.0, f"Equal to {share}")
    return _verdict(0.0, f"Differs from {share}")


def _best_equal(answers: Sequence[str], answer: str) -> FieldScore:
    if any(alike(gold, answer) for gold in answers):
        return _verdict(1.0, f"The same boxes as one of {_count(answers)}.")
    return _verdict(0.0, f"Other boxes than in {_count(answers)}.")


def _overlap(answers: Sequence[str], answer: str) -> FieldScore:
    chosen = set(ticked(answer))
    best = max(_intersection_over_union(chosen, set(ticked(gold))) for gold in answers)
    return _verdict(best, f"Boxes overlap by {best:.2f} with the nearest of {_count(answers)}.")


def _intersection_over_union(first: set[str], second: set[str]) -> float:
    """1 when neither has anything."""
    union = first | second
    return len(first & second) / len(union) if union else 1.0


def _range(answers: Sequence[str], answer: str, rules: str) -> FieldScore:
    golds, predicted = _numbers(answers), _number(answer)
    if not golds or predicted is None:
        equal = sum(alike(gold, answer) for gold in answers)
        return _verdict(equal / len(answers), f"Not all are numbers: equal to {equal} of {_count(answers)}.")
    score = _near_paper(golds, predicted) if rules == PAPER else _near(golds, predicted)
    return _verdict(score, f"Compared as a number with {_count(answers)}.")


def _near(golds: Sequence[float], predicted: float) -> float:
    """1 - mean |gold - predicted| / the largest absolute value among all of them; not floored (code)."""
    top = max(abs(predicted), *map(abs, golds))
    if top == 0:
        return 1.0
    # A power of two changes no digit and keeps huge numbers from overflowing.
    exponent = -math.frexp(top)[1]
    answer = math.ldexp(predicted, exponent)
    distance = sum(abs(math.ldexp(gold, exponent) - answer) for gold in golds) / len(golds)
    return 1.0 - distance / math.ldexp(top, exponent)


def _near_paper(golds: Sequence[float], predicted: float) -> float:
    """1 - mean |gold - predicted| / largest gold, which is above 0; at least 0 (paper)."""
    distance = sum(abs(gold - predicted) for gold in golds) / len(golds)
    return max(0.0, 1.0 - distance / max(golds))


def _count(answers: Sequence[str]) -> str:
    return "1 answer" if len(answers) == 1 else f"{len(answers)} answers"
