"""The words that a goal shares with what was done at a step, and what kind of value they are.

The rule is ours. A step is informative for it where what was typed or chosen, the name of what was touched, or the app
that was opened stands in the goal as a value: a number, a name, quoted words, or all words of an element that is more
than a part of every program ("Search", "Settings").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from stepscope.core.domain.ambiguous_task import PieceKind
from stepscope.core.domain.goal_words import is_word, words_in


class TextSource(StrEnum):
    """Where a step's words come from: what was typed, the option that was chosen, the name of what was touched, the app
    that was opened."""

    TYPED = "typed"
    OPTION = "option"
    NAME = "name"
    APP = "app"


class StepText(NamedTuple):
    """Words of a step; `field` is the name of what they were put into, "" where it is not known."""

    words: str
    source: TextSource
    field: str = ""


class GoalWord(NamedTuple):
    """A word of a goal without what makes it another's ("Kenji's" is "kenji"), and where it stands, in characters."""

    plain: str
    start: int
    end: int

    def written(self, goal: str) -> str:
        return goal[self.start : self.end]


class SharedWords(NamedTuple):
    """The words `first` up to `last` of the goal, counted without punctuation, are those of a step's text."""

    first: int
    last: int
    text: StepText

    @property
    def length(self) -> int:
        return self.last - self.first


_SMALL = """
    a an the and or of to for in at by from with into onto on off my me i your you it its this that these those be is
    are was were am will please can could would should shall up out as so there then just only some any do does did have
    has had not no if but we our us he she his her him they their them what which who whose when where how one ones s t
    re ll ve d m
"""
SMALL = frozenset(_SMALL.split())
"""Words that are no value by themselves."""
_COMMON = """
    search settings setting add new delete remove edit save cancel ok okay done yes no next back close open menu more
    options option send share home start stop pause play resume create apply continue submit confirm select choose go
    turn enable disable switch set show view see find get check sort filter filters all cart account profile login log
    sign library timer alarm alarms clock calendar camera photos contacts phone messages message mail email inbox list
    lists item items page app apps tab button field text name title date time number today notifications notification
    display sound internet network song songs playlist playlists artist artists album albums news store shop map maps
    music video videos weather help about information info category categories results result products product
    download downloads order orders buy book books like follow comment reply write type enter tap click press screen
    password username website web site link details review reviews price location language lap connect disconnect
    forget call pay mute unmute pin unpin archive unlock lock stopwatch world video add to cart checkout install
    uninstall download upload update refresh change copy paste rename clear reset allow deny accept decline join leave
    book reserve rent invite subscribe unsubscribe first last new old popular recent favorites favourites favorite home
    device general account privacy security accessibility battery storage theme more less top bottom
"""
COMMON = frozenset(_COMMON.split())
"""Names of parts that every program has, and what is done with them: alone they are no value."""
UNITS = frozenset(
    ("min", "mins", "minute", "minutes", "sec", "secs", "second", "seconds", "hour", "hours", "h", "m", "s")
)
_MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec"
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"
_DATE_WORDS = frozenset((*_MONTHS.split(), *_DAYS.split(), "tomorrow", "tonight", "yesterday", "weekend"))
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d{2}\b|\b\d{1,2}\s*[ap]\.?\s?m\b|\bo'?clock\b|\bnoon\b|\bmidnight\b", re.IGNORECASE)
_CLOCK_WORDS = re.compile(r"\b(?:half|quarter) (?:past|to)\b", re.IGNORECASE)
_DAY = re.compile(r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\b\d{1,2}(?:st|nd|rd|th)\b", re.IGNORECASE)
_COUNTED = "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred"
NUMBER_WORDS = frozenset(_COUNTED.split())
_PLACE_FIELD = re.compile(r"\b(?:city|town|country|from|to|where|destination|departure|location|address|place|airport|"
                          r"station|street|zip|region|state)\b", re.IGNORECASE)  # fmt: skip
_PERSON_FIELD = re.compile(r"\b(?:name|contact|recipient|person|who|friend|receiver|to)\b", re.IGNORECASE)
_TOLD_PEOPLE = "tell ask call message invite email meet remind"
_PERSON_VERBS = frozenset(_TOLD_PEOPLE.split())
_BEFORE_PEOPLE = "with by to for from"
_PERSON_WORDS = frozenset(_BEFORE_PEOPLE.split()) | _PERSON_VERBS
_BEFORE_APPS = "open launch start use using in on with via from through the"
_APP_WORDS = frozenset(_BEFORE_APPS.split())
_SENTENCE = 3
SHORTEST_BEGINNING = 3
"""Letters of what was typed of a word's beginning, before a suggestion was taken (ours)."""


def goal_words(goal: str) -> list[GoalWord]:
    """The words of a goal, punctuation left out."""
    found = []
    for span in words_in(goal):
        if not is_word(span):
            continue
        end, text = span.end, span.text
        if text.lower().endswith(("'s", "’s")) and len(text) > 2:
            end, text = end - 2, text[:-2]
        found.append(GoalWord(text.casefold().replace("’", "'"), span.start, end))
    return found


def plain_words(text: str) -> list[str]:
    """The words of any text in the form of `GoalWord.plain`."""
    return [word.plain for word in goal_words(text)]


def value_words(words: Sequence[str]) -> list[str]:
    """Those that are a value by themselves."""
    return [word for word in words if word not in SMALL]


def holds(text: Sequence[str], words: Sequence[str]) -> int:
    """Where `words` stand in a row in `text`, -1 where they do not."""
    if not words:
        return -1
    size = len(words)
    return next((at for at in range(len(text) - size + 1) if list(text[at : at + size]) == list(words)), -1)


def shared(goal: str, text: StepText) -> SharedWords | None:
    """The longest run of the goal's words that is in the step's text, where it is a value there; None for none."""
    words, said = goal_words(goal), plain_words(text.words)
    run = _longest(words, said)
    if run is not None and _is_value(goal, words, run, said, text):
        return SharedWords(*run, text)
    return _begun(goal, words, said, text)


def _longest(words: Sequence[GoalWord], said: Sequence[str]) -> tuple[int, int] | None:
    """The run with the most words that count, the first of several; without small words at its ends, unless it is all
    that was said, or so many words of its end."""
    best: tuple[int, int, int] | None = None
    for first in range(len(words)):
        for start in range(len(said)):
            size = 0
            while (
                first + size < len(words)
                and start + size < len(said)
                and words[first + size].plain == said[start + size]
            ):
                size += 1
            if not size:
                continue
            low, high = first, first + size
            whole = start + size == len(said) and (size == len(said) or size >= _SENTENCE)
            if not whole:
                while low < high and words[low].plain in SMALL:
                    low += 1
                while low < high and words[high - 1].plain in SMALL:
                    high -= 1
            count = len(value_words([word.plain for word in words[low:high]]))
            if count and (best is None or (count, high - low) > (best[0], best[2] - best[1])):
                best = count, low, high
    return None if best is None else (best[1], best[2])


def _is_value(goal: str, words: Sequence[GoalWord], run: tuple[int, int], said: Sequence[str], text: StepText) -> bool:
    here = words[run[0] : run[1]]
    plain = [word.plain for word in here]
    counted = value_words(plain)
    if text.source is TextSource.APP:
        before = words[run[0] - 1].plain if run[0] else "open"
        return before in _APP_WORDS or any(word not in COMMON for word in counted)
    if all(word in COMMON for word in counted) and not _is_quoted(goal, here):
        return False
    if _is_quoted(goal, here) or any(_is_name(goal, words, place) for place in range(*run)):
        return True
    if run[0] == 0 and len(counted) == 1 and text.source is TextSource.NAME:
        return False  # the verb with which the goal begins
    if any(word[0].isdigit() for word in counted):
        return len(counted) > 1 or text.source is not TextSource.NAME or len(value_words(said)) == 1
    mine = [word for word in value_words(said) if word not in UNITS and not word[0].isdigit()]
    if text.source is TextSource.NAME:
        return set(mine) <= set(counted)
    return 2 * len(counted) >= len(mine)


def _begun(goal: str, words: Sequence[GoalWord], said: Sequence[str], text: StepText) -> SharedWords | None:
    """The goal's word of which the beginning was typed."""
    if text.source is not TextSource.TYPED or len(said) != 1 or len(said[0]) < SHORTEST_BEGINNING:
        return None
    for place, word in enumerate(words):
        long_enough = _is_name(goal, words, place) or len(said[0]) > SHORTEST_BEGINNING
        if word.plain.startswith(said[0]) and long_enough and word.plain not in COMMON | SMALL:
            return SharedWords(place, place + 1, text)
    return None


def _is_name(goal: str, words: Sequence[GoalWord], place: int) -> bool:
    """Whether the word has a capital that no sentence begins with."""
    word = words[place]
    if not word.written(goal)[:1].isupper() or word.plain in SMALL | COMMON:
        return False
    return not _begins(goal, word.start)


def _begins(goal: str, start: int) -> bool:
    before = goal[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?:"


def _is_quoted(goal: str, here: Sequence[GoalWord]) -> bool:
    before, after = goal[: here[0].start].rstrip(), goal[here[-1].end :].lstrip(" .,!?")
    return bool(before) and bool(after) and before[-1] in "\"'“‘«„" and after[0] in "\"'”’»“"


def kind_of_value(goal: str, value: str, text: StepText, before: str) -> PieceKind:
    """The kind of a value of the goal, by its words, by the field that it was put into and by the word `before` it."""
    words = plain_words(value)
    if text.source is TextSource.APP:
        return PieceKind.APP
    if _CLOCK.search(value) or _CLOCK_WORDS.search(value):
        return PieceKind.TIME if len(words) < 5 else PieceKind.TEXT
    if _DAY.search(value) or any(_is_date(word, value) for word in words):
        return PieceKind.DATE if len(words) < 6 else PieceKind.TEXT
    if any(word[0].isdigit() or word in NUMBER_WORDS for word in words) and len(words) < 4:
        return PieceKind.NUMBER
    capital = value[:1].isupper()
    if text.field and _PLACE_FIELD.search(text.field) and capital:
        return PieceKind.PLACE
    if text.field and _PERSON_FIELD.search(text.field) and capital and before in _PERSON_WORDS:
        return PieceKind.PERSON
    if text.source is TextSource.OPTION:
        return PieceKind.OPTION
    if capital and before in _PERSON_VERBS and len(words) < 4:
        return PieceKind.PERSON
    return PieceKind.TEXT if text.source is TextSource.TYPED else PieceKind.OTHER


def _is_date(word: str, value: str) -> bool:
    """May and March are other words too: they count with a capital."""
    if word in ("may", "march", "mar", "sat", "sun", "mon"):
        return word.capitalize() in value
    return word in _DATE_WORDS
