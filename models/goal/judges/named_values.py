"""Values of a few kinds that a text names, so that two can be told to differ: times, shares, numbers, weekdays, months,
colours, sizes. The kinds and their lists are ours.

Numbers are of one kind where both have one or two digits, longer ones where they have as many digits, and those with
decimals among each other: a postcode is no count. Words for numbers from two to twelve are numbers.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from stepscope.models.goal.judges.requirements import NUMBER_WORDS

_TIME = re.compile(r"\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b)?|\b(\d{1,2})\s*([ap])\.?m\b", re.IGNORECASE)
_SHARE = re.compile(r"\b(\d+(?:[.,]\d+)?)\s*%")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")
_LISTS = {
    "weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april may june july august september october november december",
    "colour": "black white red blue green yellow orange purple pink grey brown silver gold beige",
    "size": "small medium large",
}
_KINDS = {word: kind for kind, words in _LISTS.items() for word in words.split()}
_SAME = {"gray": "grey"}
_NAMES = frozenset(("may", "march"))
"""Months that are other words too: they count with a capital only."""


class NamedValue(NamedTuple):
    """`readings` are what it may mean: of "6:30" the minutes since midnight of the morning and of the evening."""

    kind: str
    readings: frozenset[str]

    def equals(self, other: NamedValue) -> bool:
        """Whether both can mean the same."""
        return self.kind == other.kind and not self.readings.isdisjoint(other.readings)


def values_of(text: str) -> tuple[NamedValue, ...]:
    """The values that a text names, each once, times first."""
    found: dict[NamedValue, None] = {}
    for match in _TIME.finditer(text):
        found.setdefault(_time(match))
    rest = _TIME.sub(" ", text)
    for match in _SHARE.finditer(rest):
        found.setdefault(NamedValue("share", frozenset((_plain(match[1]),))))
    rest = _SHARE.sub(" ", rest)
    for match in _NUMBER.finditer(rest):
        found.setdefault(_number(match[0]))
    for match in _WORD.finditer(rest):
        value = _word(match[0])
        if value is not None:
            found.setdefault(value)
    return tuple(found)


def is_value_alone(text: str) -> bool:
    """Whether the text is one word out of a list, a time or a share, and nothing besides."""
    values = values_of(text)
    if len(values) != 1 or values[0].kind.startswith(("number", "decimal")):
        return False
    rest = _SHARE.sub(" ", _TIME.sub(" ", text))
    return all(_word(word) is not None for word in re.findall(r"\w+", rest))


def _time(match: re.Match[str]) -> NamedValue:
    hour, minute = int(match[1] or match[4]), int(match[2] or 0)
    half = (match[3] or match[5] or "").lower()
    hours = [hour % 12, hour % 12 + 12] if 1 <= hour <= 12 else [hour]
    if half:
        hours = [hour % 12 + 12 * (half == "p")]
    return NamedValue("time", frozenset(str(60 * one + minute) for one in hours))


def _number(text: str) -> NamedValue:
    plain = _plain(text)
    kind = "decimal" if not plain.isdigit() else "number" if len(plain) < 3 else f"number of {len(plain)} digits"
    return NamedValue(kind, frozenset((plain,)))


def _plain(text: str) -> str:
    """Without thousands' commas and without decimals that are nought."""
    whole = re.sub(r",(?=\d{3}(?:\D|$))", "", text).replace(",", ".")
    return whole.rstrip("0").rstrip(".") if whole.count(".") == 1 else whole


def _word(word: str) -> NamedValue | None:
    plain = _SAME.get(word.lower(), word.lower())
    if plain in NUMBER_WORDS:
        return NamedValue("number", frozenset((NUMBER_WORDS[plain],))) if plain not in ("zero", "one") else None
    if plain not in _KINDS or (plain in _NAMES and not word[0].isupper()):
        return None
    return NamedValue(_KINDS[plain], frozenset((plain,)))
