"""Kinds of values that a goal may hold or leave out, told by words: which of them a goal has, speaks of and is vague
about, and which one a question asks for.

Source: ours. Navi-plus, section 2.2 and appendix C, has informative steps, whose content is removed from a goal or put
vaguely; which kinds there are it does not say.
"""

from __future__ import annotations

import re

from stepscope.core.frozen import dataclass

SLOTS = ("item", "name", "text", "person", "place", "time", "date", "number", "option", "action")
"""One of the things that are there, a name for something, words to write or to look for, somebody, a place, a time of
day or how long, a day, how many or how much, one of a few values of a setting, what to do at all."""
VALUES = ("time", "date", "number", "quoted", "name", "said")
"""Kinds of values that are told from the goal's wording alone; `said` stands behind a colon."""
VAGUE = ("one", "some", "another", "this", "later", "several", "meant", "noun")
"""Ways of saying that leave open what is meant."""

_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred"
)
_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight weekend weekdays"
_VALUE = {
    "time": re.compile(
        r"\d{1,2}[:.]\d\d|\b\d{1,2} ?(?:am|pm|o'clock)\b|\b(?:noon|midnight|half past|quarter (?:past|to))\b"
        r"|\b(?:\d+|an?|half an|one|two|three|five|ten|fifteen|twenty|thirty) (?:seconds?|minutes?|hours?)\b",
        re.I,
    ),
    "date": re.compile(
        rf"\b(?:{_DAYS.replace(' ', '|')}|{_MONTHS.replace(' ', '|')})\b|\b\d{{1,2}}(?:st|nd|rd|th)\b"
        r"|\b(?:next|this|in a|in two|in three) (?:week|month|year)s?\b|\d{4}-\d\d-\d\d",
        re.I,
    ),
    "number": re.compile(rf"\b(?:\d+(?:[.,]\d+)?|{_NUMBERS.replace(' ', '|')})\b(?! of\b)", re.I),
    "quoted": re.compile(r"[\"“‘][^\"”’]+[\"”’]"),
    "name": re.compile(r"(?<=[a-z,:;] )[A-Z][\w'’-]*"),
    "said": re.compile(r"\w: ?\S"),
}
_OPEN = {
    "one": re.compile(r"\b(?:an?|one|any)\s+(?:of\s+(?:my|the|your|our|his|her|their)\s+)?[a-z]+", re.I),
    "some": re.compile(r"\bsome(?:thing|one|body|where|how|time|\s+[a-z]+)?\b|\bcertain\b|\bspecific\b", re.I),
    "another": re.compile(r"\b(?:another|other|different|new|else|more)\b", re.I),
    "this": re.compile(r"\b(?:that|this|these|those|it|them|him|her)\b", re.I),
    "later": re.compile(r"\b(?:later|earlier|sometime|soon|then|elsewhere|somewhere)\b", re.I),
    "several": re.compile(r"\b(?:few|several|couple|kind|sort|way)\b", re.I),
    "meant": re.compile(
        r"\b(?:i|we|you|they|he|she)\s+(?:\w+\s+)?(?:mean|meant|mentioned|said|know|want|need|like)", re.I
    ),
    "noun": re.compile(r"\b(?:its|whose|which|what|who|where|when)\b", re.I),
}
_SPOKEN = {
    "item": r"item|entry|event|note|task|mail|song|article|product|list|folder|file|alarm|timer|conversation|chat",
    "name": r"name|call|rename|title|label|subject|entitled|heading",
    "text": r"text|message|write|say|reply|answer|tell|word|search|look for|find|note|comment|description",
    "person": r"who|whom|person|friend|contact|guest|someone|somebody|people|send|invite|call|number of|tell",
    "place": r"where|place|address|city|folder|location|move|into|room|meet",
    "time": r"time|when|hour|minute|long|wake|ring|start|begin|last|until|reminder",
    "date": r"day|date|when|week|month|put off|postpone|due|repeat|each",
    "number": r"many|much|amount|number|count|pieces|times|quantity|size|price",
    "option": r"colou?r|sort|order|sound|theme|language|size|setting|value|mode|speed|quality|level|kind|option|view",
    "action": r"do something|deal with|sort out|change it|do it",
}
_MENTION = {kind: re.compile(rf"\b(?:{words})(?:s|ing|ed)?\b", re.I) for kind, words in _SPOKEN.items()}
_ASKED = (
    ("item", r"\bsay which\b"),
    ("person", r"\bwho(?:m|se)?\b|\bwhich (?:person|contact|guest|friend)\b"),
    ("place", r"\bwhere\b|\bwhich (?:place|address|city|town|room)\b|\bwhat is the (?:place|address)\b"),
    ("number", r"\bhow (?:many|much)\b|\bwhat (?:amount|number)\b|\bout of five\b"),
    (
        "time",
        r"\bwhat time\b|\bhow long\b|\bwhich time\b|\bnew time\b|\bwhen\b.*\b(?:start|begin|ring|stop|end|reminder)",
    ),
    ("date", r"\b(?:which|what|new) (?:day|date|week|month)s?\b|\bwhen\b"),
    ("name", r"\bcalled\b|\bname\b|\btitle\b|\bcall (?:it|them)\b|\bthe subject\b"),
    (
        "text",
        r"\b(?:should|shall) (?:\w+ )+say\b|\b(?:write|text|words?)\b|\bmessage be\b|\bis the message\b"
        r"|\b(?:search|look) for\b|\bgoes into\b",
    ),
    ("option", r"\bor\b.*\?|\bcolou?r\b|\border\b|\bsort(?:ed)?\b|\bvalue\b|\bsound\b|\btheme\b|\bfast\b|\bloud\b"),
    ("action", r"\bwhat (?:shall|should) (?:i|it) do\b|\bwhat exactly\b"),
)
_ASKED_FOR = tuple((SLOTS.index(kind), re.compile(words, re.I)) for kind, words in _ASKED)


@dataclass(frozen=True, slots=True)
class GoalWording:
    """What a goal's wording tells: how many `values` by the kinds of `VALUES`, how many `vague` words by those of
    `VAGUE`, and whether the kinds of `SLOTS` are `spoken` of."""

    values: tuple[int, ...]
    vague: tuple[int, ...]
    spoken: tuple[bool, ...]

    @property
    def lacking(self) -> tuple[bool, ...]:
        """By kind of slot: spoken of, and there is no value in the goal that could be one."""
        return tuple(
            said and not any(self.values[VALUES.index(one)] for one in _FITS[kind])
            for kind, said in zip(SLOTS, self.spoken, strict=True)
        )


_FITS = {
    "item": ("name", "quoted"),
    "name": ("name", "quoted", "said"),
    "text": ("name", "quoted", "said"),
    "person": ("name",),
    "place": ("name", "quoted", "said"),
    "time": ("time",),
    "date": ("date",),
    "number": ("number",),
    "option": ("name", "quoted", "said"),
    "action": ("name", "quoted", "said", "number", "time", "date"),
}


def wording_of(goal: str) -> GoalWording:
    """Reads the goal as it was told, its capitals included."""
    return GoalWording(
        tuple(len(_VALUE[kind].findall(goal)) for kind in VALUES),
        tuple(len(_OPEN[kind].findall(goal)) for kind in VAGUE),
        tuple(bool(_MENTION[kind].search(goal)) for kind in SLOTS),
    )


def slot_of(question: str) -> int:
    """The place in `SLOTS` of what a question asks for: one of the things that are there, where nothing else fits."""
    return next((slot for slot, words in _ASKED_FOR if words.search(question)), SLOTS.index("item"))
