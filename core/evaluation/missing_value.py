"""Which kind of value a goal leaves out: the data set's own word for it, else told by a rule (ours)."""

from __future__ import annotations

import re
from enum import StrEnum

from stepscope.core.domain.action import Action, Type
from stepscope.core.domain.episode import Ask


class MissingValue(StrEnum):
    """What the person's answer is."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    OPTION = "option"
    TEXT = "text"
    OTHER = "other"


_CLOCK = r"\d{1,2}[:.h]\d{2}|\d{1,2}\s*[ap]\.?m\b|\bo'?clock\b|\b(?:noon|midnight)\b"
_DAY = (
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|tomorrow|tonight|yesterday)\b"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\b|\bmay \d|\d{4}-\d{2}-\d{2}|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b"
)
_IS_TIME = re.compile(_CLOCK, re.IGNORECASE)
_IS_DATE = re.compile(_DAY, re.IGNORECASE)
_ASKS_TIME = re.compile(r"\bwhat time\b", re.IGNORECASE)
_ASKS_DATE = re.compile(r"\b(?:when|(?:which|what) (?:day|date|month|year))\b", re.IGNORECASE)
_ASKS_MANY = re.compile(r"\bhow (?:many|much|long|old|far|often|big)\b", re.IGNORECASE)
_ASKS_WHICH = re.compile(r"\b(?:which|whether|or|(?:do|would) you (?:want|like|prefer))\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_OF_ANSWER = ((_IS_TIME, MissingValue.TIME), (_IS_DATE, MissingValue.DATE), (_DIGIT, MissingValue.NUMBER))
_OF_QUESTION = (
    (_ASKS_TIME, MissingValue.TIME),
    (_ASKS_DATE, MissingValue.DATE),
    (_ASKS_MANY, MissingValue.NUMBER),
    (_ASKS_WHICH, MissingValue.OPTION),
)


def missing_value(ask: Ask, action: Action | None = None) -> str:
    """The data's own word for the kind (`Ask.kind`), else one of `MissingValue`: by the answer, then by the question,
    then text where `action`, what is done at the step where it is due, types it."""
    if ask.kind.strip():
        return ask.kind.strip()
    for words in filter(None, (ask.answer.strip(), ask.question.strip())):
        for pattern, kind in _OF_ANSWER if words == ask.answer.strip() else _OF_QUESTION:
            if pattern.search(words):
                return kind
    return MissingValue.TEXT if isinstance(action, Type) else MissingValue.OTHER
