"""A step as the two-tower network sees it: what is sought on one side, the elements on the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.action import Action, PressKey, Scroll, Swipe
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation import tower_elements
from stepscope.models.automation.phrases import Phrases, extract
from stepscope.models.automation.tower_elements import ElementFeatures
from stepscope.models.features.screens import done_before
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, padded

KINDS = (
    "tap", "long_press", "type", "swipe up", "swipe down", "swipe left", "swipe right", "scroll up", "scroll down",
    "scroll left", "scroll right", "press_key back", "press_key home", "press_key enter", "press_key recents",
    "open_app", "wait", "finish complete", "finish impossible",
)  # fmt: skip
"""What can be answered: the kind of the action with what it needs besides place and text."""
CROPS = 16
"""So many elements without words are looked at as pictures."""
HISTORY = 3
"""The last so many actions are told, each by its kind."""
TOLD = len(KINDS) + 4
STATE = HISTORY * (len(KINDS) + 1) + 6
_GOAL_WORDS = 96
"""Goal, question and answer together; MiniLM reads some 128 tokens."""


@dataclass(frozen=True, slots=True)
class ElementQuery:
    """A request taken apart. `instruction` is "" where there is none; `goal` holds question and answer too, where the
    person was asked; `place` are the words to look for."""

    instruction: str
    goal: str
    place: str
    phrases: Phrases
    elements: tuple[ElementFeatures, ...]
    history: tuple[Action, ...]


def prepare(request: StepRequest, features: Features) -> PreparedRequest:
    """The request taken apart, with the texts and the wordless elements' crops that the encoders are needed for."""
    instruction = first_words(request.instruction or "")
    phrases = extract(request.instruction or "")
    place = first_words(phrases.place) or instruction
    goal = first_words(" ".join((request.goal, *(request.reply or ()))))
    elements = tower_elements.seen_elements(request.observation)
    # Pictures only of what has no words: each costs a run of the encoder.
    wordless = tuple(one.box for one in elements if not one.words)[:CROPS]
    views = features.views_of(request.observation.screenshot, wordless) if wordless else ()
    words = (text for one in elements for text in (one.words, one.names))
    sought = ElementQuery(instruction, goal, place, phrases, elements, done_before(request.history))
    return PreparedRequest(request, (instruction, place, goal, *dict.fromkeys(words)), views, sought)


def example(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`instruction`, `place`, `goal` (text,), `instruction_features` (23,), `state`; by element `words`, `names`
    (n, text) in half precision, `crop` (n, 1) the place in `crops` (k, view) or −1, `near` (n, 25), `goal_near` (n, 6),
    `facts` (n, 25).
    """
    sought: ElementQuery = draft.rest
    seen, elements = draft.request.observation, sought.elements
    instruction, place, goal = (vectors.text(text) for text in (sought.instruction, sought.place, sought.goal))
    words = stacked([vectors.text(one.words) for one in elements], vectors.text_size)
    names = stacked([vectors.text(one.names) for one in elements], vectors.text_size)
    alike = tower_elements.cosines(words, names, instruction, place)
    return {
        "instruction": instruction,
        "place": place,
        "goal": goal,
        "told": instruction_features(sought),
        "state": state(sought, draft.request),
        "words": words.astype(np.float16),
        "names": names.astype(np.float16),
        "crop": _crop_places(elements),
        "crops": stacked([vectors.view(view) for view in draft.views], vectors.view_size).astype(np.float16),
        "near": tower_elements.near_instruction(elements, seen, sought.phrases, sought.instruction, alike),
        "goal_near": tower_elements.near_goal(
            elements, sought.goal, np.stack([words @ goal, names @ goal], 1) if elements else np.zeros((0, 2))
        ),
        "facts": tower_elements.facts_of(elements, seen, sought.history),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Instruction, place, goal, told, state; crops (n, 16, view); by element words, names, crop (which of them, from
    1; 0 none), near, near the goal, facts; mask."""
    whole = [np.stack([example[name] for example in examples]) for name in ("instruction", "place", "goal", "told")]
    whole += [np.stack([example["state"] for example in examples]), np.stack([_crops(one) for one in examples])]
    rows = [padded([example[name].astype(np.float32) for example in examples])[0] for name in ("words", "names")]
    rows.append(padded([example["crop"][:, 0] + 1 for example in examples])[0])
    rows += [padded([example[name] for example in examples])[0] for name in ("near", "goal_near")]
    facts, mask = padded([example["facts"] for example in examples])
    return (*whole, *rows, facts, mask)


def instruction_features(sought: ElementQuery) -> Array:
    """(23,): the kind of action that a grammar makes of the instruction, where it makes any; whether there is an
    instruction, whether the grammar knows it, whether it has a place and a text."""
    found = np.zeros(TOLD, np.float32)
    if sought.instruction:
        kind = f"{sought.phrases.verb} {sought.phrases.detail}".strip()
        if sought.phrases.found and kind in KINDS:
            found[KINDS.index(kind)] = 1
        rest = (1.0, float(sought.phrases.found), float(bool(sought.phrases.place)), float(bool(sought.phrases.text)))
        found[len(KINDS) :] = rest
    return found


def state(sought: ElementQuery, request: StepRequest) -> Array:
    """The kinds of the last three actions, the last first; how many there were; whether the screen has fields, a
    tree, how many elements."""
    found = np.zeros(STATE, np.float32)
    width = len(KINDS) + 1
    for place, action in enumerate(reversed(sought.history[-HISTORY:])):
        kind = kind_of(action)
        found[place * width + (KINDS.index(kind) if kind in KINDS else width - 1)] = 1
    field, cursor = tower_elements.has_field(request.observation)
    count = len(sought.history)
    rest = (count == 0, min(count, 20) / 20, field, cursor, request.observation.tree is not None)
    found[HISTORY * width :] = [*map(float, rest), len(sought.elements) / tower_elements.MOST]
    return found


def kind_of(action: Action) -> str:
    """The action in the words of `KINDS`, where it is one of them."""
    match action:
        case Swipe() | Scroll():
            return f"{action.kind} {action.direction.value}"
        case PressKey(key):
            return f"{action.kind} {key}"
        case _:
            status = getattr(action, "status", None)
            return f"{action.kind} {status.value}" if status is not None else action.kind


def quoted_text(text: str) -> str:
    """What stands in quotation marks, "" where nothing does."""
    found = re.search(r"[\"“‘]([^\"“”‘’]+)[\"”’]", text)
    return found[1].strip() if found else ""


def first_words(text: str) -> str:
    """Lower-cased, at most 96 words."""
    return " ".join(text.lower().split()[:_GOAL_WORDS])


def stacked(rows: Sequence[Array], width: int) -> Array:
    """(n, width), also for no rows."""
    return np.stack(rows).astype(np.float32) if rows else np.zeros((0, width), np.float32)


def _crop_places(elements: Sequence[ElementFeatures]) -> Array:
    """(elements, 1): which of the pictures is the element's, −1 for none."""
    wordless = np.array([not one.words for one in elements], np.int64)
    places = np.cumsum(wordless) - 1
    return np.where((wordless == 1) & (places < CROPS), places, -1).reshape(-1, 1).astype(np.int64)


def _crops(example: Example) -> Array:
    """(16, view size), zeros behind the last."""
    crops = example["crops"][:CROPS]
    found = np.zeros((CROPS, crops.shape[1]), np.float32)
    found[: len(crops)] = crops
    return found
