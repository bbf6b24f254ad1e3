"""A step as the timing network sees it: what the goal says and leaves open, what the screen wants to know, and whether
the person has told it since.

The elements are those of the two-tower model, seen from the goal. Source: Navi-plus, section 2.3, asks an agent to find
out from goal, screen and history that something is missing; the numbers by which it is told here are ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.ask.given import GIVEN, given_numbers, is_named, strange_share
from stepscope.models.ask.slots import SLOTS, VAGUE, VALUES, GoalWording, wording_of
from stepscope.models.automation import tower_elements, tower_features
from stepscope.models.automation.grounding import tokens
from stepscope.models.automation.phrases import Phrases
from stepscope.models.automation.tower_elements import GOAL_NEAR, ElementFeatures, stem_of
from stepscope.models.automation.tower_features import ElementQuery, first_words, stacked
from stepscope.models.feasibility.features import FeasibilityInput as Read
from stepscope.models.feasibility.features import phrases_of, screen_numbers
from stepscope.models.features.screens import done_before, screen_texts, shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, padded

WORDING = 4 + len(VALUES) + len(VAGUE) + 2 * len(SLOTS)
"""Numbers about the goal's wording alone."""
SAID, OPEN = WORDING + 10 + GIVEN, 12
"""Numbers about the whole step, and about what each element would have to be told."""
NUMBERS = GOAL_NEAR + tower_elements.FACTS + OPEN
"""All numbers of an element."""
_FALLING = 0.45
"""A likeness of MiniLM below which two phrases have nothing to do with each other, roughly."""
_LIST = 3
"""So many elements of one kind are a list to choose from."""
_NO_WORDS = Phrases("", found=False)


@dataclass(frozen=True, slots=True)
class AskInput:
    """A request taken apart: the goal's wording, its phrases and the screen's texts; and the screen's elements."""

    read: Read
    wording: GoalWording
    sought: ElementQuery


def prepare(request: StepRequest, features: Features) -> PreparedRequest:
    """Neither the person's reply nor what the goal would be with nothing left out has any part in it."""
    request = replace(request, instruction=None, reply=None, whole=None)
    elements = tower_elements.seen_elements(request.observation)
    sought = ElementQuery("", first_words(request.goal), "", _NO_WORDS, elements, done_before(request.history))
    goal, texts = shortened(request.goal), screen_texts(request.observation)
    read = Read(goal, phrases_of(goal), (texts,), (0,))
    words = (text for one in elements for text in (one.words, one.names))
    wanted = dict.fromkeys((sought.goal, goal, *read.phrases, *texts, *words))
    return PreparedRequest(request, tuple(wanted), (), AskInput(read, wording_of(request.goal), sought))


def example(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`goal` (384,), `wording` (38,), `said` (66,), `state` (66,), `match` (6,); by element `numbers` (n, 43).
    The words of elements are told by their likeness to the goal alone: what an app calls its things would be learned by
    heart, and says nothing about another app."""
    asked: AskInput = draft.rest
    sought, seen = asked.sought, draft.request.observation
    goal = vectors.text(sought.goal)
    words = stacked([vectors.text(one.words) for one in sought.elements], vectors.text_size)
    names = stacked([vectors.text(one.names) for one in sought.elements], vectors.text_size)
    match, likeness = screen_numbers(asked.read, asked.read.texts[0], vectors)
    near = np.stack([words @ goal, names @ goal], 1) if sought.elements else np.zeros((0, 2))
    numbers = np.concatenate(
        [
            tower_elements.near_goal(sought.elements, sought.goal, near),
            tower_elements.facts_of(sought.elements, seen, sought.history),
            left_open(sought, vectors, asked.read.phrases),
        ],
        axis=1,
    )
    wording = wording_numbers(draft.request.goal, asked.wording)
    return {
        "goal": goal,
        "wording": wording,
        "said": np.concatenate([wording, screen_state(sought, likeness), given_numbers(sought)]),
        "state": tower_features.state(sought, draft.request),
        "match": match,
        "numbers": numbers.astype(np.float32),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Goal, wording, said, state, match; numbers by element; mask."""
    whole = [np.stack([one[name] for one in examples]) for name in ("goal", "wording", "said", "state", "match")]
    numbers, mask = padded([example["numbers"] for example in examples])
    return (*whole, numbers, mask)


def wording_numbers(goal: str, wording: GoalWording) -> Array:
    """(38,): how definite the goal's words are; which kinds of values it has, which vague words, which kinds it speaks
    of, and which of these it has no value for."""
    words = re.findall(r"[^\W_]+", goal)
    numbers = [
        min(len(words), 30) / 30,
        min(4, sum(word[0].isupper() for word in words[1:])) / 4,
        float("?" in goal),
        float(goal.islower()),  # whoever writes so has no names in capitals
        *(min(count, 3) / 3 for count in (*wording.values, *wording.vague)),
        *map(float, (*wording.spoken, *wording.lacking)),
    ]
    return np.array(numbers, np.float32)


def screen_state(sought: ElementQuery, likeness: Array) -> Array:
    """(10,): how well the screen covers the goal's phrases; the lists of which the goal names an element, and of which
    it names none; the fields that are empty, with the cursor, filled in as the goal says and otherwise."""
    named = frozenset(tokens(sought.goal))
    alike = likeness if len(likeness) else np.zeros(1, np.float32)
    chosen = [any(is_named(one.words, named) for one in group) for group in choices(sought.elements).values()]
    fields = [one.element for one in sought.elements if one.element.editable]
    filled = [strange_share(one.text, named) for one in fields if one.text]
    numbers = [
        float(alike.min()),
        float(alike.mean()),
        float(alike.max()),
        float((alike > _FALLING).mean()),
        min(3, sum(chosen)) / 3,
        min(3, len(chosen) - sum(chosen)) / 3,
        min(3, sum(not one.text for one in fields)) / 3,
        float(any(one.focused and not one.text for one in fields)),
        min(3, sum(share < 0.5 for share in filled)) / 3,
        min(3, sum(share >= 0.5 for share in filled)) / 3,
    ]
    return np.array(numbers, np.float32)


def left_open(sought: ElementQuery, vectors: Vectors, phrases: Sequence[str]) -> Array:
    """(elements, 12): in a list; of one of which the goal names an element, of one of which it names none; an empty
    field, one with the cursor, one with words that the goal does not have, one with words that it has; chosen and
    named, chosen and not named; likeness of the element's words, and of its class and id, to the goal's nearest phrase;
    whether the goal has most of its words."""
    found = np.zeros((len(sought.elements), OPEN), np.float32)
    named = frozenset(tokens(sought.goal))
    lists = choices(sought.elements)
    for place, one in enumerate(sought.elements):
        others, element = lists.get(stem_of(one.element), ()), one.element
        chosen = any(is_named(other.words, named) for other in others)
        filled, marked = element.editable and bool(element.text), element.checked or element.selected
        known = is_named(one.words, named)
        strange = filled and strange_share(element.text, named) >= 0.5
        told = (
            bool(others), bool(others) and chosen, bool(others) and not chosen,
            element.editable and not element.text, element.editable and element.focused,
            strange, filled and not strange, marked and known, marked and not known,
        )  # fmt: skip
        found[place, :9] = told
        found[place, 11] = known
    if phrases and sought.elements:
        matrix = np.stack([vectors.text(phrase) for phrase in phrases]).T
        columns = ((9, [one.words for one in sought.elements]), (10, [one.names for one in sought.elements]))
        for column, texts in columns:
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
