"""What a description asks for, taken apart by rules: the kind of act, whether something goes on or off, and the words
that matter.

The relation is the paper's (Berkovitch et al. 2024, section 3.1 and figure 9): buying and adding to a cart are one act,
doing something includes finding out about it, and how one got there does not count. The lists are ours.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from stepscope.core.frozen import dataclass
from stepscope.models.automation.grounding import stem


class Act(StrEnum):
    """What is to be done. FIND asks to see something, the others change something."""

    FIND = "find"
    BUY = "buy"
    SEND = "send"
    ADD = "add"
    REMOVE = "remove"
    PLAY = "play"
    OPEN = "open"
    SET = "set"
    JOIN = "join"
    OTHER = "do"


_WORDS: dict[Act, str] = {
    Act.FIND: "find search look show check see view browse get read list what when where which who how tell know learn "
    "compare display explore locate",
    Act.BUY: "buy purchase order checkout cart basket pay book reserve rent",
    Act.SEND: "send write reply text message email mail share forward post answer",
    Act.ADD: "add create make new save put set-up insert",
    Act.REMOVE: "delete remove clear cancel erase forget archive uninstall",
    Act.PLAY: "play listen watch start resume",
    Act.OPEN: "open launch go navigate visit",
    Act.SET: "set turn switch enable disable activate deactivate change adjust increase decrease mute unmute toggle "
    "select choose pin rename",
    Act.JOIN: "join sign signup register subscribe enroll follow install download",
}
_ACTS = {word: act for act, words in _WORDS.items() for word in words.split()}
_ON = frozenset(("on", "enable", "activate", "unmute", "start", "resume"))
_OFF = frozenset(("off", "disable", "deactivate", "mute", "stop", "pause"))
_LITTLE = """
    a an the and or of to for in at by from with into onto my me i your you it its this that these those be is are was
    were will please can could would should up out as so there then just only some any one app application website site
    page screen via using about information info detail option menu tab button on off do does did have has
"""
_EMPTY = frozenset(_LITTLE.split())
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}  # fmt: skip
_HALVES = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.:,]\d+)*%?")
_LEADS = re.compile(
    r"^(?:(?:please|can you|could you) )?(?:open|go to|navigate to|launch|visit) [^,]+?"
    r"(?:,| and then| and| then| to) (?=\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Requirements:
    """`act`; `state` True on, False off, None neither; `terms` the stems that matter, in their order, with the words
    that they were made of."""

    act: Act
    state: bool | None
    terms: dict[str, str]


def requirements_of(text: str) -> Requirements:
    """What the description asks for."""
    plain = unicodedata.normalize("NFKC", text).strip()
    plain = _LEADS.sub("", plain)
    words = [word.lower() for word in _HALVES.findall(plain)]
    act = next((_ACTS[word] for word in words if word in _ACTS), Act.OTHER)
    on, off = any(word in _ON for word in words), any(word in _OFF for word in words)
    if "cart" in words or "basket" in words:
        act = Act.BUY
    terms: dict[str, str] = {}
    for word in words:
        plain_word = word.partition("'")[0].partition("’")[0]
        if plain_word in _EMPTY or plain_word in _ACTS or plain_word in _ON | _OFF:
            continue
        terms.setdefault(NUMBER_WORDS.get(plain_word, stem(plain_word)), word)
    state = on if on != off else None
    return Requirements(act, state, terms)


class GoalKind(StrEnum):
    """What a goal is after (section 3.1 of the paper): to know or to see something, or that something is done. UNKNOWN
    where no verb says it."""

    INFORMATION = "information-seeking"
    TRANSACTION = "transactional"
    UNKNOWN = "unknown"


def kind_of(text: str) -> GoalKind:
    """By the act that the text asks for (ours): finding and opening seek information, all others are transactions."""
    act = requirements_of(text).act
    if act is Act.OTHER:
        return GoalKind.UNKNOWN
    return GoalKind.INFORMATION if act in (Act.FIND, Act.OPEN) else GoalKind.TRANSACTION


def includes(one: Act, other: Act) -> bool:
    """Whether doing the first includes doing the other: whoever does something finds out about it before (figure 9,
    examples 6 and 7), and an act that nobody named includes and is included by any."""
    return one is other or other in (Act.FIND, Act.OPEN) or Act.OTHER in (one, other)


def is_number(term: str) -> bool:
    """Whether the term is a number, a time or a share: it is met by itself alone."""
    return term[:1].isdigit()
