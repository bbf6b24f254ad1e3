"""Goal and screens as the feasibility network sees them.

Source: MoTIF, section 4: the command and the app states that were visited; here the texts of the UI tree and the whole
screen, each screen on its own. That likeness of the goal's words to the screens' is told to the network as numbers is
ours: it carries over to apps that were never seen. In an episode in words, such as a plan, each step's words are the
only text of its state, and there is no picture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.models.features.cache import Vector
from stepscope.models.features.screens import shortened, state_texts
from stepscope.models.features.vectors import Features, ImageView, Vectors
from stepscope.models.learned.encoder_choice import VIEW_SIZE
from stepscope.models.learned.recipe import Array, Example, PreparedRequest

SCREENS = 20
"""The first so many (released code); the last is looked at besides."""
MATCH, COVER = 6, 45
PICTURES, LENGTHS = (38, 39), (43, 44)
"""Which of the numbers about the whole way tell of pictures, and which of how long way and goal are; the others tell of
the screens' texts."""
_FALLING = 0.45
"""A likeness of MiniLM below which two phrases have nothing to do with each other, roughly."""
_EMPTY = np.zeros(COVER, np.float32)

_WORD = re.compile(r"[^\W_]+(?:[:.'’][^\W_]+)*")
_COMMON = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "by",
        "and",
        "or",
        "my",
        "me",
        "i",
        "it",
        "its",
        "is",
        "are",
        "be",
        "please",
        "can",
        "could",
        "would",
        "you",
        "your",
        "this",
        "that",
        "some",
        "so",
        "as",
        "up",
        "out",
        "off",
        "into",
        "then",
        "there",
        "them",
        "those",
        "do",
        "does",
        "need",
        "want",
        "like",
        "let",
        "just",
        "now",
    ]
)


@dataclass(frozen=True, slots=True)
class FeasibilityInput:
    """A request taken apart: the goal, its phrases, and the texts of each screen that is looked at. `steps` are their
    places in the episode."""

    goal: str
    phrases: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    steps: tuple[int, ...]


def prepare(request: EpisodeRequest, features: Features) -> PreparedRequest:
    """Reads the screens that are looked at: the first 20 and the last."""
    goal = shortened(request.goal or "")
    steps = looked_at(len(request.observations))
    texts = tuple(state_texts(request, step) for step in steps)
    views = tuple(features.views_of(request.observations[step].screenshot)[0] for step in steps)
    seen = FeasibilityInput(goal, phrases_of(goal), texts, steps)
    return PreparedRequest(
        request, (goal, *seen.phrases, *dict.fromkeys(text for part in texts for text in part)), views, seen
    )


def looked_at(count: int) -> tuple[int, ...]:
    """The places of so many screens that are looked at: the first 20 and the last."""
    return tuple(range(min(count, SCREENS))) + ((count - 1,) if count > SCREENS else ())


def phrases_of(goal: str) -> tuple[str, ...]:
    """The goal's words that carry meaning, alone and in pairs of neighbours."""
    words = [word for word in _WORD.findall(goal) if word not in _COMMON]
    return tuple(dict.fromkeys([*words, *(f"{one} {other}" for one, other in pairwise(words))]))


@dataclass(frozen=True, slots=True)
class ScreenFeatures:
    """One screen as numbers: mean of its texts, picture, how much it has of the goal (6,), and of each
    of the goal's phrases."""

    text: Vector
    view: Vector
    match: Vector
    likeness: Vector


def screens_of(draft: PreparedRequest, vectors: Vectors) -> list[ScreenFeatures]:
    """All screens that are looked at, in order."""
    seen: FeasibilityInput = draft.rest
    return [screen_of(seen, texts, view, vectors) for texts, view in zip(seen.texts, draft.views, strict=True)]


def screen_of(seen: FeasibilityInput, texts: Sequence[str], view: ImageView | None, vectors: Vectors) -> ScreenFeatures:
    """One screen as numbers; `view` None (no picture) is told as zeros, no texts as a mean of zeros."""
    match, likeness = screen_numbers(seen, texts, vectors)
    return ScreenFeatures(vectors.mean_text(texts), vectors.view(view), match, likeness)


def example_of(goal: Vector, screens: Sequence[ScreenFeatures], view_size: int = VIEW_SIZE) -> Example:
    """`goal` (text size,), `texts` (screens, text size), `views` (screens, view size), `match` (screens, 6), `cover`
    (45,)."""
    return {
        "goal": goal,
        "texts": stacked([screen.text for screen in screens], len(goal)),
        "views": stacked([screen.view for screen in screens], view_size),
        "match": stacked([screen.match for screen in screens], MATCH),
        "cover": cover(goal, screens),
    }


def screen_numbers(seen: FeasibilityInput, texts: Sequence[str], vectors: Vectors) -> tuple[Vector, Vector]:
    """How much a screen has of the goal: six numbers about the goal as a whole, and for each of its phrases the
    likeness to the text that is most like it."""
    if not texts or not seen.goal:
        return np.zeros(MATCH, np.float32), np.zeros(len(seen.phrases), np.float32)
    matrix = np.stack([vectors.text(text) for text in texts])
    whole = np.sort(matrix @ vectors.text(seen.goal))[::-1]
    likeness = (
        (matrix @ np.stack([vectors.text(phrase) for phrase in seen.phrases]).T).max(axis=0)
        if seen.phrases
        else np.zeros(0, np.float32)
    )
    literal = np.array([any(phrase in text for text in texts) for phrase in seen.phrases], np.float32)
    likeness = np.maximum(likeness, literal)
    numbers = [
        whole[0],
        whole[:3].mean(),
        likeness.mean() if len(likeness) else 0.0,
        likeness.min() if len(likeness) else 0.0,
        float((likeness > _FALLING).mean()) if len(likeness) else 0.0,
        len(texts) / 50,
    ]
    return np.array(numbers, np.float32), np.asarray(likeness, np.float32)


def cover(goal: Vector, screens: Sequence[ScreenFeatures]) -> Vector:
    """The way as a whole, 45 numbers: how well the goal's phrases are covered by all screens together, by the first and
    by the last (each least, mean, greatest, share above the line) and how that grew; the six numbers of a screen as
    their greatest, mean, first and last; how much the picture changed in the end and on the whole; how like the goal
    the last and the first screen are; where on the way the goal was nearest; how long way and goal are."""
    if not screens:
        return _EMPTY.copy()
    likeness = [screen.likeness for screen in screens]
    if len(likeness[0]):
        best = np.max(likeness, axis=0)
        parts = [_four(best), _four(likeness[0]), _four(likeness[-1])]
        grown = [best.mean() - likeness[0].mean(), likeness[-1].mean() - best.mean()]
    else:
        best, parts, grown = likeness[0], [np.zeros(12, np.float32)], [0.0, 0.0]
    match = np.stack([screen.match for screen in screens])
    before = screens[-2] if len(screens) > 1 else screens[-1]
    rest = [
        *grown,
        float(np.linalg.norm(screens[-1].view - before.view)),
        float(np.linalg.norm(screens[-1].view - screens[0].view)),
        _cosine(screens[-1].text, goal),
        _cosine(screens[0].text, goal),
        match[:, 0].argmax() / len(screens),
        len(screens) / SCREENS,
        len(best) / 20,
    ]
    pooled = [match.max(axis=0), match.mean(axis=0), match[0], match[-1]]
    return np.concatenate([*parts, *pooled, np.array(rest)]).astype(np.float32)


def _cosine(text: Vector, goal: Vector) -> float:
    length = float(np.linalg.norm(text) * np.linalg.norm(goal))
    return float(text @ goal) / length if length else 0.0


def _four(likeness: Vector) -> Vector:
    found = (likeness.min(), likeness.mean(), likeness.max(), float((likeness > _FALLING).mean()))
    return np.array(found, np.float32)


def stacked(rows: Sequence[Array], width: int) -> Array:
    """(n, width), also for no rows."""
    return np.stack(rows).astype(np.float32) if rows else np.zeros((0, width), np.float32)
