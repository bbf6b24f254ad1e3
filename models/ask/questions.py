"""What to ask: the questions of the training data as templates, filled with the words of the screen.

A question's kind comes from its question word; the words of the screen's ids in it are left open. Source: ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from stepscope.core.domain.elements import UIElement
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.features import choices
from stepscope.models.ask.question_kinds import KINDS, kind_of
from stepscope.models.automation.grounding import stem, tokens
from stepscope.models.automation.tower_elements import ElementFeatures, stem_of

MOST = 300
"""Templates that are kept in all."""
ONE, SEVERAL = "{}", "{}s"
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = (
    "row item card field input button text edit nav setting tab chip cell option title name new add open menu "
    "search bar content view container switch main page the one it is are"
)
_GENERAL = frozenset(stem(word) for word in _PARTS.split())
"""Words of ids that name a part of the screen, not what it is about."""


def templates_of(asked: Iterable[str]) -> dict[str, list[str]]:
    """These templates of questions by kind, the most frequent first; at most 300."""
    counted = Counter(text for text in asked if text.strip())
    found: dict[str, list[str]] = {}
    for text, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]:
        found.setdefault(KINDS[kind_of(text)], []).append(text)
    return found


def template(question: str, elements: Sequence[ElementFeatures]) -> str:
    """The question with the first word that the screen's ids have left open."""
    nouns = {word for one in elements for word in _nouns(one.element)}

    def opened(word: re.Match[str]) -> str:
        return SEVERAL if word[0].lower().endswith("s") else ONE

    for word in _WORD.finditer(question):
        if stem(word[0].lower()) in nouns:
            return question[: word.start()] + opened(word) + question[word.end() :]
    return question


def question_of(
    kind: int, elements: Sequence[ElementFeatures], goal: str, templates: Mapping[str, Sequence[str]]
) -> str:
    """The most frequent question of the kind whose open word the screen can fill; else one without; else the plainest
    question there is."""
    known = templates.get(KINDS[kind], ())
    noun = asked_about(elements, goal)
    with_noun = next((text for text in known if ONE in text), "")
    if noun and with_noun:
        return with_noun.replace(ONE, noun)
    return next((text for text in known if ONE not in text), QUESTION)


def asked_about(elements: Sequence[ElementFeatures], goal: str) -> str:
    """A word for what is missing: that of the longest list of which the goal names nothing, else of an empty field, the
    one with the cursor first; "" where there is none."""
    said = frozenset(tokens(goal))
    lists = [
        group
        for group in choices(elements).values()
        if not any(word in said for one in group for word in tokens(one.words))
    ]
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
