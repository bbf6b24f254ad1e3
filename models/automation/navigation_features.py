"""A step as the two navigation models, `seq2seq` and `moca`, see it: goal and instruction in words, the screen as a map
of cells, and what was done before.

Source: MoTIF, section 5.1 (paper): language, the last convolution's map of the screen, the action before. Ours: words
are sums of hashed pieces (`seq2act_text`); every map is brought to 7 × 7 cells; the decoder runs over the last eight
actions, of which the last three are told with their screens, each by the mean of its map alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.action import Action
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.seq2act_text import GOAL, INSTRUCTION, LENGTH, PIECES, ReadText, pieces_of, read_text
from stepscope.models.automation.tower_features import KINDS, kind_of
from stepscope.models.encoders.registry import MOBILENET
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, EncoderNames
from stepscope.models.learned.recipe import Array, Example, PreparedRequest

ENCODERS = EncoderNames("", f"{MOBILENET}:map")
"""What looks at the screen where nothing else is chosen; no encoder reads the words."""
SIDE = 7
CELLS = SIDE * SIDE
"""Cells of a screen, row by row, as a ResNet-18's last map has them."""
EARLIER = 8
"""Actions before this one that the decoder runs over; of longer histories the last ones."""
SCREENS = 3
"""So many of these are told with the screen that they were done on."""
ACTIONS = len(KINDS) + 2
"""Actions before, by number: 0 none, then the kinds, last any other kind."""
_WORDS = ("goal", "instruction")
_LEAST = 1e-6
"""Shorter cells are as good as none, and are not brought to length 1."""


@dataclass(frozen=True, slots=True)
class NavigationWords:
    """The words of goal and instruction; `instruction` None where the step has none."""

    goal: ReadText
    instruction: ReadText | None


def prepare(request: StepRequest, features: Features) -> PreparedRequest:
    """The words, and the screens that the encoder is needed for: those before, the step's own last."""
    given = request.instruction if request.instruction and request.instruction.strip() else None
    words = NavigationWords(read_text(request.goal, GOAL), read_text(given, INSTRUCTION) if given else None)
    screens = (*request.past[-SCREENS:], request.observation)
    views = tuple(features.views_of(one.screenshot)[0] for one in screens)
    return PreparedRequest(request, views=views, rest=words)


def example(draft: PreparedRequest, vectors: Vectors) -> Example:
    """All of one length, so that nothing but the batch varies: `goal`, `instruction` (32 · 8,) codes of pieces, 0 for
    none; `earlier` (8,) numbers of the actions before, the last one last; in half precision `screens` (3 · view,) means
    of the maps before, the last one last, and `map` (49 · view,), zeros for no screen."""
    words: NavigationWords = draft.rest
    *before, now = (cells_of(vectors.view(view)) for view in draft.views)
    means = [np.zeros(now.shape[1], np.float32)] * (SCREENS - len(before)) + [one.mean(0) for one in before]
    return {
        "goal": _codes(words.goal),
        "instruction": _codes(words.instruction),
        "earlier": _numbers(draft.request.history),
        "screens": np.concatenate(means).astype(np.float16),
        "map": now.reshape(-1).astype(np.float16),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Goal, instruction (n, 32, 8); earlier (n, 8); screens (n, 3, view); map (n, 49, view)."""
    count = len(examples)
    words = [np.stack([one[name] for one in examples]).reshape(count, LENGTH, PIECES) for name in _WORDS]
    earlier = np.stack([one["earlier"] for one in examples])
    screens = np.stack([one["screens"] for one in examples]).astype(np.float32).reshape(count, SCREENS, -1)
    maps = np.stack([one["map"] for one in examples]).astype(np.float32).reshape(count, CELLS, -1)
    return *words, earlier, screens, maps


def cells_of(vector: Array) -> Array:
    """(49, view), each cell of length 1 or zeros: the encoder's squares of places as 7 × 7 cells. `vector` is (view,),
    one vector of the whole screen, or (places, view), row by row; what stands before the largest square of places (a
    Transformer's first tokens) is left out. Larger maps are averaged, smaller ones repeated."""
    places = vector.reshape(-1, vector.shape[-1]).astype(np.float32)
    side = int(len(places) ** 0.5)
    square = places[len(places) - side * side :].reshape(side, side, -1)
    spans = [(at * side // SIDE, -(-(at + 1) * side // SIDE)) for at in range(SIDE)]
    cells = np.stack([square[top:bottom, left:right].mean((0, 1)) for top, bottom in spans for left, right in spans])
    lengths = np.linalg.norm(cells, axis=1, keepdims=True)
    found: Array = cells / np.maximum(lengths, _LEAST)
    return found


def sees_whole_screens(config: Config) -> bool:
    """Whether its cells cover the whole screen: other encoders than MobileNetV2 may cut out the middle, and do not
    tell."""
    return str(config.get("encoders", {}).get("views", "")).partition(":")[0] == MOBILENET


def _codes(read: ReadText | None) -> Array:
    found = np.zeros((LENGTH, PIECES), np.int64)
    for place, word in enumerate(read.words if read else ()):
        found[place] = pieces_of(word)
    return found.reshape(-1)


def _numbers(history: Sequence[Action]) -> Array:
    found = np.zeros(EARLIER, np.int64)
    last = [kind_of(action) for action in history[-EARLIER:]]
    for place, kind in enumerate(last, EARLIER - len(last)):
        found[place] = KINDS.index(kind) + 1 if kind in KINDS else ACTIONS - 1
    return found
