"""An episode as the set network sees it: steps of screens of elements, each level kept apart.

Source: MoTIF, section 6 (paper) has hierarchical features of text and picture as future work; the parts of an element
(words, id and class, box, flags) are those of its view hierarchy (section 4). Ours: the numbers beside the vectors,
which say how much of the goal is on an element, on a screen and on the way so far, and which action was done. All of a
step is known once its action is done: nothing of it tells of a later one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.domain.action import Action, action_target, action_text
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.tower_elements import (
    FACTS,
    GOAL_NEAR,
    ElementFeatures,
    facts_of,
    near_goal,
    place_in,
    seen_elements,
)
from stepscope.models.automation.tower_features import KINDS, kind_of
from stepscope.models.feasibility import features
from stepscope.models.feasibility.features import (
    COVER,
    LENGTHS,
    MATCH,
    PICTURES,
    FeasibilityInput,
    ScreenFeatures,
    cover,
    stacked,
)
from stepscope.models.features.cache import Vector
from stepscope.models.features.screens import done_before, shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, PreparedRequest

MOST = 48
"""Elements of a screen that are looked at."""
ELEMENT = FACTS - 1 + GOAL_NEAR + 1
"""Numbers of an element: itself, without its place among the others; how like the goal it is; whether the action is on
it."""
_DONE = tuple(kind for kind in KINDS if not kind.startswith("finish"))
ACTION = len(_DONE) + 4
"""Numbers of an action: its kind, another kind, none; how like the goal its element and its text are."""
STEP = COVER + MATCH + ACTION
_TOUCHED = (18, 19, 20, 21, ELEMENT - 1)
"""Which of an element's numbers tell of actions: the first of them of those before."""


@dataclass(frozen=True, slots=True)
class SetInput:
    """A request taken apart: what `feasibility-mlp` reads, and of each screen that is looked at its elements and the
    action on it, with the words of that action's element and text."""

    seen: FeasibilityInput
    elements: tuple[tuple[ElementFeatures, ...], ...]
    actions: tuple[Action | None, ...]
    spoken: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SetScreen:
    """A step as numbers: the screen as `feasibility-mlp` has it; of its elements words and names, and `facts`
    (elements, 31); `action` (21,)."""

    screen: ScreenFeatures
    words: tuple[str, ...]
    names: tuple[str, ...]
    facts: Array
    action: Array


def prepare(request: EpisodeRequest, features_: Features) -> PreparedRequest:
    """Reads the first 20 screens and the last. Raises SourceError."""
    draft = features.prepare(request, features_)
    seen: FeasibilityInput = draft.rest
    elements = tuple(seen_elements(request.observations[step], MOST) for step in seen.steps)
    actions = tuple(_done(request.actions[step]) for step in seen.steps)
    spoken = tuple(map(_spoken, actions))
    words = (text for screen in elements for one in screen for text in (one.words, one.names))
    texts = dict.fromkeys((*draft.texts, *words, *(text for pair in spoken for text in pair)))
    return replace(draft, texts=tuple(texts), rest=SetInput(seen, elements, actions, spoken))


def screens_of(draft: PreparedRequest, vectors: Vectors) -> list[SetScreen]:
    """All steps that are looked at, in order."""
    read: SetInput = draft.rest
    request: EpisodeRequest = draft.request
    goal = vectors.text(read.seen.goal)
    found = []
    for place, (step, elements) in enumerate(zip(read.seen.steps, read.elements, strict=True)):
        seen = features.screen_of(read.seen, read.seen.texts[place], draft.views[place], vectors)
        action = _action_numbers(read, place, goal, vectors)
        if request.words:
            words = read.seen.texts[place]
            found.append(
                SetScreen(seen, words, ("",) * len(words), np.zeros((len(words), ELEMENT), np.float32), action)
            )
            continue
        observation = request.observations[step]
        alike = [(vectors.text(one.words) @ goal, vectors.text(one.names) @ goal) for one in elements]
        near = near_goal(elements, read.seen.goal, np.array(alike, np.float32).reshape(-1, 2))
        own = facts_of(elements, observation, done_before(request.actions[:step]))[:, :-1]
        touched = np.zeros((len(elements), 1), np.float32)
        done = read.actions[place]
        if done is not None and (at := place_in(elements, done, observation)) >= 0:
            touched[at] = 1
        facts = np.concatenate([own, near, touched], axis=1)
        words, names = tuple(one.words for one in elements), tuple(one.names for one in elements)
        found.append(SetScreen(seen, words, names, facts, action))
    return found


def example_of(goal: Vector, screens: Sequence[SetScreen], vectors: Vectors) -> Example:
    """`goal` (text size,); `texts` (distinct texts, text size) in half precision; by element `elements` (m, 3) the
    place of its screen, its words and its names in `texts` from 1 on, 0 for none, and `facts` (m, 31); by step `views`
    (s, view size) in half precision and `numbers` (s, 72)."""
    number: dict[str, int] = {}
    rows = []
    for place, screen in enumerate(screens):
        for pair in zip(screen.words, screen.names, strict=True):
            rows.append([place, *(number.setdefault(one, len(number) + 1) if one.strip() else 0 for one in pair)])
    seen = [screen.screen for screen in screens]
    numbers = [
        np.concatenate([cover(goal, seen[: place + 1]), screen.screen.match, screen.action])
        for place, screen in enumerate(screens)
    ]
    return {
        "goal": goal,
        "texts": stacked([vectors.text(one) for one in number], len(goal)).astype(np.float16),
        "elements": np.array(rows, np.int64).reshape(-1, 3),
        "facts": np.concatenate([*(screen.facts for screen in screens), np.zeros((0, ELEMENT), np.float32)]),
        "views": stacked([one.view for one in seen], vectors.view_size).astype(np.float16),
        "numbers": stacked(numbers, STEP),
    }


def kept_of_element(without: Collection[str]) -> Array:
    """(31,): 1 for what is looked at of an element, 0 for what tells of what is in `without`."""
    found = np.ones(ELEMENT, np.float32)
    if "actions" in without:
        found[list(_TOUCHED)] = 0
    return found


def kept_of_step(without: Collection[str]) -> Array:
    """(72,): the same of the numbers of a step."""
    found = np.ones(STEP, np.float32)
    if "elements" in without:
        found[[place for place in range(COVER + MATCH) if place not in (*PICTURES, *LENGTHS)]] = 0
        found[-2] = 0
    if "pictures" in without:
        found[list(PICTURES)] = 0
    if "actions" in without:
        found[COVER + MATCH :] = 0
    return found


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Goal (n, text); dictionary (n, t, text); by element words and names (n, s, e) as places in it from 1 on, facts
    (n, s, e, 31), there (n, s, e); by step views (n, s, view) and numbers (n, s, 72). The three lengths are never
    equal, so that whoever exports the network can tell them apart."""
    count = len(examples)
    counts = [np.bincount(one["elements"][:, 0], minlength=1) for one in examples]
    texts = _length([len(one["texts"]) for one in examples], 0)
    elements = _length([int(one.max()) for one in counts], 1)
    steps = _length([len(one["numbers"]) for one in examples], 2)
    goals = np.stack([one["goal"] for one in examples])
    found = {name: np.zeros((count, steps, elements), np.int64) for name in ("words", "names")}
    facts = np.zeros((count, steps, elements, ELEMENT), np.float32)
    there = np.zeros((count, steps, elements), np.float32)
    for row, (one, many) in enumerate(zip(examples, counts, strict=True)):
        step, words, names = one["elements"].T
        at = np.arange(len(step)) - np.repeat(np.cumsum(many) - many, many)
        found["words"][row, step, at], found["names"][row, step, at] = words, names
        facts[row, step, at], there[row, step, at] = one["facts"], 1
    dictionary = _behind([one["texts"] for one in examples], texts)
    views, numbers = (_behind([one[name] for one in examples], steps) for name in ("views", "numbers"))
    return goals, dictionary, found["words"], found["names"], facts, there, views, numbers


def _done(action: Action | None) -> Action | None:
    """What was done on the phone."""
    return next(iter(done_before((action,))), None)


def _spoken(action: Action | None) -> tuple[str, str]:
    """Words of the action's element and of its text."""
    if action is None:
        return "", ""
    target = action_target(action)
    return shortened(target.text) if target is not None else "", shortened(action_text(action) or "")


def _action_numbers(read: SetInput, place: int, goal: Vector, vectors: Vectors) -> Array:
    found = np.zeros(ACTION, np.float32)
    action = read.actions[place]
    kind = kind_of(action) if action is not None else ""
    known = len(_DONE)
    found[_DONE.index(kind) if kind in _DONE else known if kind else known + 1] = 1
    found[known + 2 :] = [vectors.text(one) @ goal for one in read.spoken[place]]
    return found


def _length(lengths: Sequence[int], rest: int) -> int:
    """The greatest of the lengths, and up to two more: divided by 3 it leaves `rest`, and is 2 at least."""
    longest = max(2, *lengths)
    return longest + (rest - longest) % 3


def _behind(rows: Sequence[Array], length: int) -> Array:
    """(n, length, width), zeros behind the last row of each."""
    found = np.zeros((len(rows), length, rows[0].shape[1]), np.float32)
    for place, one in enumerate(rows):
        found[place, : len(one)] = one
    return found
