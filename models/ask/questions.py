"""What to ask: one sentence for each kind of value that can be missing, with the word for it that goal or screen have.

The kind comes from the network, the word from the goal where it is vague about a thing ("another day", "one of my
tasks"), else from the list or the field on the screen that the goal leaves open. Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.core.domain.elements import UIElement
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.features import choices
from stepscope.models.ask.slots import SLOTS
from stepscope.models.automation.grounding import stem, tokens
from stepscope.models.automation.tower_elements import ElementFeatures, stem_of

_SENTENCES = {
    "item": ("Which {} do you mean?", "Which one do you mean?"),
    "name": ("What should the {} be called?", "What should it be called?"),
    "text": ("What should the {} say?", "What should it say?"),
    "person": ("Who should get the {}?", "Who do you mean?"),
    "place": ("Where should the {} go?", "Which place do you mean?"),
    "time": ("At what time should the {} be?", "At what time?"),
    "date": ("On which day should the {} be?", "On which day?"),
    "number": ("How many {} do you need?", "How many do you need?"),
    "option": ("Which {} would you like?", "Which one would you like?"),
    "action": ("What should I do with the {}?", QUESTION),
}
"""By kind of value: with a word, and without one."""
_PARTS = (
    "row item card field input button text edit nav setting tab chip cell option title name new add open menu "
    "search bar content view container switch main page the one it is are body value image icon label list layout"
)
_GENERAL = frozenset(stem(word) for word in _PARTS.split())
"""Words of ids that name a part of the screen, not what it is about."""
_VAGUE = re.compile(
    r"\b(?:an?|another|some|any|that|this|which|one of (?:the|my|our|your|his|her|their)|a (?:different|certain|new)"
    r"|another|one)\s+(?P<noun>[a-z][a-z'-]+)",
    re.I,
)
_NO_NOUN = (
    "one of few lot bit way other more new different certain time thing something kind sort is was the that it to in "
    "on for and or with i you we they he she please first last next my your this these those only like usual what name "
    "function fun right wrong best out off up down again properly"
)
_NO_NOUNS = frozenset(_NO_NOUN.split())
_CHOSEN, _FEW, _SHORT = frozenset(("item", "option")), 5, 3
"""Kinds whose values are told where there are few, and each is short."""
_PLAIN_NOUN = frozenset(("time", "date", "number", "person", "place"))
"""Kinds that are asked for without a word for the thing: it would be another one."""


def question_of(slot: int, elements: Sequence[ElementFeatures], goal: str) -> str:
    """The question for a value of the kind at this place in `SLOTS`."""
    kind = SLOTS[slot]
    noun = "" if kind in _PLAIN_NOUN else vague_noun(goal) or asked_about(elements, goal)
    with_noun, without = _SENTENCES[kind]
    sentence = with_noun.format(noun) if noun else without
    few = few_choices(elements, goal) if kind in _CHOSEN else ()
    return f"{', '.join(few[:-1])} or {few[-1]}: {sentence[0].lower()}{sentence[1:]}" if few else sentence


def few_choices(elements: Sequence[ElementFeatures], goal: str) -> tuple[str, ...]:
    """The words of the only list on the screen, as they are written, where they are at most five, each short, and the
    goal names none of them; else none."""
    lists = [*choices(elements).values()]
    if len(lists) != 1 or len(lists[0]) > _FEW or _is_named(lists[0], frozenset(tokens(goal))):
        return ()
    words = tuple(dict.fromkeys(one.element.text or one.element.content_description or one.words for one in lists[0]))
    return words if all(0 < len(word.split()) <= _SHORT for word in words) else ()


def _is_named(group: Sequence[ElementFeatures], said: frozenset[str]) -> bool:
    """Whether the goal has a word of any of them."""
    return any(word in said for one in group for word in tokens(one.words))


def vague_noun(goal: str) -> str:
    """The thing that the goal is vague about: "task" of "one of my tasks", "" where it is about none."""
    for found in _VAGUE.finditer(goal):
        noun = found["noun"].lower()
        if noun in _NO_NOUNS or noun.endswith(("ing", "ed")):
            continue
        return singular(noun)
    return ""


def singular(noun: str) -> str:
    """One of them, by the regular endings."""
    if len(noun) > 4 and noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def asked_about(elements: Sequence[ElementFeatures], goal: str) -> str:
    """A word for what is missing: that of the longest list of which the goal names nothing, else of an empty field, the
    one with the cursor first; "" where there is none."""
    said = frozenset(tokens(goal))
    lists = [group for group in choices(elements).values() if not _is_named(group, said)]
    fields = [one for one in elements if one.element.editable and not one.element.text]
    fields.sort(key=lambda one: not one.element.focused)
    first = [group[0] for group in sorted(lists, key=len, reverse=True)]
    for one in (*first, *fields):
        nouns = _nouns(one.element)
        if nouns:
            return nouns[0]
    return ""


def _nouns(element: UIElement) -> tuple[str, ...]:
    """Stems of the words of the element's id that say what it is about."""
    return tuple(word for word in tokens(stem_of(element)) if word not in _GENERAL and len(word) > 2)
