"""Kinds of questions, by their question word. Source: ours."""

from __future__ import annotations

import re

KINDS = ("which", "what", "who", "when", "how much", "how", "where", "other")
_WORDS = (
    ("how much", r"how (?:many|much|long|far|large|big|loud|old)|what (?:time|amount|number)"),
    ("when", r"when|(?:on|for) (?:which|what) (?:day|date)"),
    ("who", r"who|whom|whose"),
    ("where", r"where|(?:to|into|in) (?:which|what) (?:place|folder|list)"),
    ("how", r"how"),
    ("which", r"which"),
    ("what", r"what"),
)
_PATTERN = re.compile("|".join(rf"(?P<k{place}>\b(?:{words})\b)" for place, (_, words) in enumerate(_WORDS)), re.I)


def kind_of(question: str) -> int:
    """The place in `KINDS` of the first question word's kind."""
    found = _PATTERN.search(question)
    if found is None or found.lastgroup is None:
        return KINDS.index("other")
    return KINDS.index(_WORDS[int(found.lastgroup[1:])][0])
