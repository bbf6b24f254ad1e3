"""A step as the timing network sees it: what the goal says and leaves open, and what the screen wants to know.

The elements are those of the two-tower model, seen from the goal. Source: Navi-plus, section 2.3, asks an agent to find
out from goal, screen and history that something is missing; the numbers by which it is told here are ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stepscope.core.domain.action import Action, action_target, action_text
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation import tower_elements, tower_features
from stepscope.models.automation.grounding import tokens
from stepscope.models.automation.tower_elements import GOAL_NEAR, ElementFeatures, stem_of
from stepscope.models.automation.tower_features import ElementQuery
from stepscope.models.feasibility.features import FeasibilityInput as Read
from stepscope.models.feasibility.features import phrases_of, screen_numbers
from stepscope.models.features.screens import screen_texts, shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, padded

SAID, OPEN = 16, 6
"""Numbers about the whole step, and about what each element would have to be told."""
NUMBERS = GOAL_NEAR + tower_elements.FACTS + OPEN
"""All numbers of an element."""
_UNSAID = "a an some any one something someone somebody another certain which other"
_VAGUE = frozenset(_UNSAID.split())
_FALLING = 0.45
"""A likeness of MiniLM below which two phrases have nothing to do with each other, roughly."""
_LIST = 3
"""So many elements of one kind are a list to choose from."""


@dataclass(frozen=True, slots=True)
class AskInput:
    """A request taken apart: the goal's phrases and the screen's texts; and the drafts of the two-tower model, of the
    first stream and, where a reply is known, of the second, with the encoders that they are for."""

    read: Read
    first: PreparedRequest
    after: PreparedRequest | None
    features: Features

    @property
    def sought(self) -> ElementQuery:
        found: ElementQuery = self.first.rest
        return found


def prepare(request: StepRequest, features: Features) -> PreparedRequest:
    """The person's reply goes into the draft of the second stream and nowhere else."""
    plain = replace(request, instruction=None, reply=None)
    first = tower_features.prepare(plain, features)
    after = None
    if request.reply is not None:
        after = tower_features.prepare(replace(request, instruction=None), features)
    goal = shortened(request.goal)
    texts = screen_texts(request.observation)
    read = Read(goal, phrases_of(goal), (texts,), (0,))
    wanted = dict.fromkeys((*first.texts, goal, *read.phrases, *texts))
    return PreparedRequest(request, tuple(wanted), first.views, AskInput(read, first, after, features))


def example(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`goal` (384,), `goal_features` (16,), `state` (66,), `match` (6,); by element `words`, `names` (n, 384) in half
    precision and `numbers` (n, 37)."""
    asked: AskInput = draft.rest
    sought = asked.sought
    match, likeness = screen_numbers(asked.read, asked.read.texts[0], vectors)
    whole = tower_features.example(asked.first, vectors)
    numbers = np.concatenate(
        [whole["goal_near"], whole["facts"], left_open(sought, vectors, asked.read.phrases)], axis=1
    )
    return {
        "goal": whole["goal"],
        "said": goal_features(draft.request.goal, sought, likeness),
        "state": whole["state"],
        "match": match,
        "words": whole["words"],
        "names": whole["names"],
        "numbers": numbers.astype(np.float32),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Goal, said, state, match; words, names, numbers by element; mask."""
    whole = [np.stack([example[name] for example in examples]) for name in ("goal", "said", "state", "match")]
    words, names = (
        padded([example[name].astype(np.float32) for example in examples])[0] for name in ("words", "names")
    )
    numbers, mask = padded([example["numbers"] for example in examples])
    return (*whole, words, names, numbers, mask)


def left_open(sought: ElementQuery, vectors: Vectors, phrases: Sequence[str]) -> Array:
    """(elements, 6): part of a list; of one of which the goal names an element, of one of which it names none; an empty
    field; likeness of the element's words, and of its class and id, to the goal's nearest phrase."""
    found = np.zeros((len(sought.elements), OPEN), np.float32)
    named = frozenset(tokens(sought.goal))
    lists = choices(sought.elements)
    for place, one in enumerate(sought.elements):
        others = lists.get(stem_of(one.element), ())
        chosen = any(_named(other, named) for other in others)
        empty = one.element.editable and not one.element.text
        found[place, :4] = [
            float(bool(others)),
            float(bool(others) and chosen),
            float(bool(others) and not chosen),
            empty,
        ]
    if phrases and sought.elements:
        matrix = np.stack([vectors.text(phrase) for phrase in phrases]).T
        for column, texts in ((4, [one.words for one in sought.elements]), (5, [one.names for one in sought.elements])):
            found[:, column] = (np.stack([vectors.text(text) for text in texts]) @ matrix).max(axis=1)
    return found


def choices(elements: Sequence[ElementFeatures]) -> dict[str, tuple[ElementFeatures, ...]]:
    """The lists on a screen: elements whose ids differ only in what tells one from the next, by what they share.

    At least three must have words of their own: neither a keyboard nor the same button in every row is a choice.
    """
    groups: dict[str, list[ElementFeatures]] = {}
    for one in elements:
        stem = stem_of(one.element)
        if stem and stem != one.element.short_id:
            groups.setdefault(stem, []).append(one)
    return {stem: tuple(group) for stem, group in groups.items() if _different(group) >= _LIST}


def _different(group: Sequence[ElementFeatures]) -> int:
    """How many different words, longer than a letter, the elements have."""
    return len({one.words for one in group if len(one.words) > 1})


def goal_features(goal: str, sought: ElementQuery, likeness: Array) -> Array:
    """(16,): how definite the goal's words are, how well the screen covers them, and whether what was done already has
    words that the goal does not: these a person must have given."""
    words = re.findall(r"[^\W_]+", goal)
    named = frozenset(tokens(goal))
    done = [_given(action) for action in sought.history]
    strange = [_strange(text, named) for text in done if text]
    alike = likeness if len(likeness) else np.zeros(1, np.float32)
    lists = choices(sought.elements)
    numbers = [
        min(len(words), 30) / 30,
        sum(word.lower() in _VAGUE for word in words) / max(1, len(words)),
        float(any(word.lower() in _VAGUE for word in words)),
        float(any(word[0].isdigit() for word in words)),
        min(4, sum(word[0].isupper() for word in words[1:])) / 4,
        float(bool(tower_features.quoted_text(goal))),
        float("?" in goal),
        float(alike.min()),
        float(alike.mean()),
        float(alike.max()),
        float((alike > _FALLING).mean()),
        strange[-1] if strange else 0.0,
        max(strange, default=0.0),
        min(3, sum(one > 0.5 for one in strange)) / 3,
        min(3, sum(any(_named(one, named) for one in group) for group in lists.values())) / 3,
        min(3, sum(not any(_named(one, named) for one in group) for group in lists.values())) / 3,
    ]
    return np.array(numbers, np.float32)


def _named(one: ElementFeatures, said_: frozenset[str]) -> bool:
    """Whether the goal has at least half of the element's words."""
    own = tokens(one.words)
    return bool(own) and 2 * sum(word in said_ for word in own) >= len(own)


def _given(action: Action) -> str:
    """What the action was about: its text, else the words of what it was done on."""
    text = action_text(action)
    if text:
        return text
    target = action_target(action)
    return target.text if target is not None else ""


def _strange(text: str, said_: frozenset[str]) -> float:
    """The share of the words that the goal does not have."""
    own = tokens(text)
    return sum(word not in said_ for word in own) / len(own) if own else 0.0
