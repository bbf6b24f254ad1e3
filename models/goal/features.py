"""A trajectory, and a template, as numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.core.sources.procedures import action_words
from stepscope.models.automation.grounding import tokens
from stepscope.models.features.screens import screen_texts, shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.goal.pieces import ROLES, Pieces, done_pairs, name_of, pieces_of
from stepscope.models.goal.templates import literal, roles_of
from stepscope.models.learned.recipe import Example, PreparedRequest

Numbers = NDArray[np.float32]

WORDS = 512
"""Places that words are sorted into by a hash of their stem."""
STEPS, SCREENS, TEXTS = 40, 2, 40
"""Actions that are looked at (evenly out of a longer way), last screens, texts of each."""


@dataclass(frozen=True, slots=True)
class GoalInput:
    """A trajectory in words: what fills places, what was done (the last first), what the last screens say."""

    pieces: Pieces
    done: tuple[str, ...]
    shown: tuple[str, ...]


def prepare(request: EpisodeRequest, features: Features) -> PreparedRequest:
    """The way in words, at most 40 actions evenly out of it, and the picture of its last screen. Source: ours."""
    pairs = done_pairs(request)
    if len(pairs) > STEPS:
        pairs = [pairs[at] for at in np.linspace(0, len(pairs) - 1, STEPS).round().astype(int)]
    done = []
    for seen, action in reversed(pairs):
        words, name = action_words(action), name_of(seen, action)[0]
        done.append(shortened(words if name in words else f"{words}, {name}"))
    last = request.observations[-SCREENS:]
    shown = tuple(dict.fromkeys(text for seen in last for text in screen_texts(seen, TEXTS)))
    (view,) = features.views_of(last[-1].screenshot if last else None)
    way = GoalInput(pieces_of(request), tuple(done), shown)
    return PreparedRequest(request, (*way.done, *way.shown), (view,), way)


def example_of(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`actions` (steps, text size), `screen` (text size,), `view` (view size,), `words` (512,), `has` (7,)."""
    way: GoalInput = draft.rest
    actions = [vectors.text(text) for text in way.done]
    return {
        "actions": np.stack(actions) if actions else np.zeros((0, vectors.text_size), np.float32),
        "screen": vectors.mean_text(way.shown),
        "view": vectors.view(draft.views[0]),
        "words": bag((*way.done, *way.shown)),
        "has": np.array([role in way.pieces for role in ROLES], np.float32),
    }


def bag(texts: Iterable[str]) -> Numbers:
    """(512,): 1 where one of the texts' words belongs."""
    found = np.zeros(WORDS, np.float32)
    for text in texts:
        for word in tokens(text):
            found[_place(word)] = 1
    return found


def template_numbers(templates: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
    """Words (templates, 512) without the places, roles (templates, 7), lengths in tens of words (templates,)."""
    words = np.stack([bag([literal(template)]) for template in templates])
    roles = np.array([[role in roles_of(one) for role in ROLES] for one in templates], np.float32)
    lengths = np.array([len(literal(one).split()) + len(roles_of(one)) for one in templates], np.float32)
    return words, roles, lengths / np.float32(10)


def _place(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=2).digest(), "big") % WORDS
