"""A screen's elements as the two-tower network sees them: words, kind, crop, place, state, and how they are like what
is sought.

Source: that an element is embedded from its words, class, id, box and picture and compared with the instruction is
after Seq2Act's grounding (MoTIF, section 5.1); likeness told as numbers, which carries over to apps that were never
seen, is ours.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.domain.action import Action, Type, action_end, action_point, action_target
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.frozen import dataclass
from stepscope.models.automation.grounding import likeness, tokens
from stepscope.models.automation.phrases import Phrases
from stepscope.models.automation.relations import RELATIONS, relation_features
from stepscope.models.automation.screen import shown_box, usable_elements
from stepscope.models.automation.text_match import rank
from stepscope.models.features.cache import Vector
from stepscope.models.features.screens import screen_elements, shortened
from stepscope.models.learned.recipe import Array

_SAME = 0.5
"""From so much intersection over union on the element of a box is the one that the data means (ours)."""
MOST = 64
"""Elements that are looked at."""
NEAR, GOAL_NEAR, FACTS = 10 + RELATIONS, 6, 25
"""Numbers of an element: about instruction, about the goal, about itself."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+")


@dataclass(frozen=True, slots=True)
class ElementFeatures:
    """An element with its words ("" where it has none of its own), class and id in words, and its box on the screen."""

    element: UIElement
    words: str
    names: str
    box: Box


def seen_elements(observation: Observation, most: int = MOST) -> tuple[ElementFeatures, ...]:
    """The elements that something can be done on, at most so many, in the tree's order."""
    found = []
    for element, words in screen_elements(observation, most):
        box = shown_box(element, observation)
        if box is None:
            continue
        own = element.text or element.content_description
        named = not own and words == shortened(element.label)  # the words are those of its id
        found.append(ElementFeatures(element, "" if named else words, names_of(element), box))
    return tuple(found)


def names_of(element: UIElement) -> str:
    """Class and id in words: "image button, add alarm"."""
    parts = (" ".join(_HUMP.sub(" ", name).lower().split()) for name in (element.short_class, element.short_id))
    return shortened(", ".join(part for part in parts if part))


def facts_of(elements: Sequence[ElementFeatures], observation: Observation, history: Sequence[Action]) -> Array:
    """(elements, 25): box, flags, whether it was touched before, how far it is from the last touch, how many are like
    it. Lengths in fractions of the screen."""
    touched = [_touch(action) for action in history]
    last = _last_place(history, observation)
    like = Counter(_shape(one) for one in elements)
    stems = Counter(stem_of(one.element) for one in elements)
    rows = [
        [
            *geometry_of(one.box),
            *_flags(one),
            float(_touch_of(one.element) in touched),
            float(bool(touched) and _touch_of(one.element) == touched[-1]),
            0.0 if last is None else _distance(one.box, last),
            float(last is not None),
            min(like[_shape(one)], 10) / 10,
            min(stems[stem_of(one.element)], 10) / 10,
            place / MOST,
        ]
        for place, one in enumerate(elements)
    ]
    return np.array(rows, np.float32).reshape(len(rows), FACTS)


@dataclass(frozen=True, slots=True)
class Cosines:
    """(elements, 2) each: of words and names with the instruction, and with the place in it."""

    instruction: Array
    place: Array


def cosines(words: Array, names: Array, instruction: Vector, place: Vector) -> Cosines:
    """`words`, `names` (elements, 384) and `instruction`, `place` (384,), all of length 1."""
    return Cosines(np.stack([words @ instruction, names @ instruction], 1), np.stack([words @ place, names @ place], 1))


def near_instruction(
    elements: Sequence[ElementFeatures], observation: Observation, phrases: Phrases, sentence: str, alike: Cosines
) -> Array:
    """(elements, 25): how like each is to the instruction and to the place in it, by meaning and by shared words, and
    how well it lies where the instruction says (`relations`)."""
    found = np.zeros((len(elements), NEAR), np.float32)
    if not sentence or not elements:
        return found
    found[:, 0:2] = alike.instruction
    found[:, 2:4] = alike.place
    found[:, 4] = found[:, 2] - found[:, 2].max()
    place = tokens(phrases.place or sentence)
    said = frozenset(tokens(sentence))
    shared = [likeness(place, _worded(one)).score for one in elements]
    found[:, 5] = shared
    found[:, 6] = found[:, 5] - found[:, 5].max()
    found[:, 7] = [_covered(one.words, said) for one in elements]
    found[:, 8] = [float(bool(one.words) and f" {one.words} " in f" {_plain(sentence)} ") for one in elements]
    found[:, 9] = _chosen_by_rules(elements, observation, phrases)
    found[:, 10:] = relation_features(
        [one.box for one in elements], [one.element for one in elements], observation, sentence
    )
    return found


def near_goal(elements: Sequence[ElementFeatures], goal: str, cosines: Array) -> Array:
    """(elements, 6): how like each is to the goal. `cosines` (elements, 2) of words and of names."""
    found = np.zeros((len(elements), GOAL_NEAR), np.float32)
    if not goal or not elements:
        return found
    said = frozenset(tokens(goal))
    found[:, 0:2] = cosines
    found[:, 2] = found[:, 0] - found[:, 0].max()
    found[:, 3] = [_covered(one.words, said) for one in elements]
    found[:, 4] = [_covered(one.names, said) for one in elements]
    found[:, 5] = [float(bool(one.words) and f" {one.words} " in f" {_plain(goal)} ") for one in elements]
    return found


def place_in(elements: Sequence[ElementFeatures], action: Action, observation: Observation) -> int:
    """Which element the action was done on; −1 where it is none of them, or none is known."""
    point, target = action_point(action), action_target(action)
    if point is None and target is not None and target.box is not None:
        point = target.box.centre
    if point is None:
        if isinstance(action, Type):
            return next(
                (place for place, one in enumerate(elements) if one.element.focused and one.element.editable), -1
            )
        return -1
    if target is not None and target.box is not None:
        wanted = target.box.rescaled(observation.size).clipped()
        alike = [one.box.intersection_over_union(wanted) if wanted is not None else 0.0 for one in elements]
        best = max(alike, default=0.0)
        if best >= _SAME:
            return max(place for place, share in enumerate(alike) if share == best)
    point = point.rescaled(observation.size)
    under = [place for place, one in enumerate(elements) if one.box.contains(point)]
    return min(under, key=lambda place: (elements[place].box.area, -place), default=-1)


def stem_of(element: UIElement) -> str:
    """The id without what tells one of a list from the next: note_3 and note_7 are both "note"."""
    return re.sub(r"[_\-]?\d+.*$", "", element.short_id)


def geometry_of(box: Box) -> list[float]:
    """Middle, width, height and the root of the area, in fractions of the screen."""
    width, height = box.size.width, box.size.height
    centre = box.centre
    return [
        centre.x / width,
        centre.y / height,
        box.width / width,
        box.height / height,
        math.sqrt(box.area / (width * height)),
    ]


def _flags(one: ElementFeatures) -> list[float]:
    element = one.element
    flags = (
        element.clickable, element.long_clickable, element.editable, element.checkable, element.checked,
        element.focused, element.selected, element.scrollable, element.password, bool(one.words),
        bool(element.text), bool(element.content_description), bool(element.short_id),
    )  # fmt: skip
    return [float(flag) for flag in flags]


def _touch(action: Action) -> tuple[str, str]:
    target = action_target(action)
    return ("", "") if target is None else (target.text.lower(), target.id or "")


def _touch_of(element: UIElement) -> tuple[str, str]:
    return element.label.lower(), element.resource_id


def _last_place(history: Sequence[Action], observation: Observation) -> Point | None:
    for action in reversed(history):
        place = action_end(action) or action_point(action)
        if place is not None:
            return place.rescaled(observation.size)
    return None


def _distance(box: Box, point: Point) -> float:
    x, y = box.centre.fraction
    other_x, other_y = point.fraction
    return math.hypot(x - other_x, y - other_y)


def _shape(one: ElementFeatures) -> tuple[str, int, int]:
    """Equal for the rows of a list."""
    return one.element.class_name, round(one.box.left), round(one.box.width)


def _worded(one: ElementFeatures) -> UIElement:
    """The element with the words of what lies in it as its own."""
    element = one.element
    return element if element.text or element.content_description else replace(element, text=one.words)


def _covered(words: str, said: frozenset[str]) -> float:
    """The share of the words that are said."""
    own = tokens(words)
    return sum(word in said for word in own) / len(own) if own else 0.0


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\"“”‘’'.,;!?]+(?=\s|$)|(?<!\S)[\"“”‘’']+", " ", text.lower()).split())


def _chosen_by_rules(elements: Sequence[ElementFeatures], observation: Observation, phrases: Phrases) -> list[float]:
    """1 for the smallest element around the one that counting shared words would take, where any word is shared."""
    found = [0.0] * len(elements)
    ranked = rank(phrases, observation) if phrases.place else []
    if not ranked or not ranked[0].likeness.words:
        return found
    box = shown_box(ranked[0].element, observation)
    if box is None:
        return found
    under = [place for place, one in enumerate(elements) if one.box.contains(box.centre)]
    if under:
        found[min(under, key=lambda place: elements[place].box.area)] = 1.0
    return found


def has_field(observation: Observation) -> tuple[bool, bool]:
    """Whether anything can be written into, and whether the cursor is in it."""
    fields = [one for one in usable_elements(observation) if one.editable]
    return bool(fields), any(one.focused for one in fields)
