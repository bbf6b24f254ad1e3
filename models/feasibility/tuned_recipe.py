"""`feasibility-tuned`: is the goal feasible, by encoders of one's own that learn too, from tokens and pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.catalog import FEASIBILITY_TUNED
from stepscope.models.feasibility.calibration import probability
from stepscope.models.feasibility.recipe import FeasibilityRecipe, prediction_of
from stepscope.models.features.screens import shortened, state_texts
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, sizes_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run, cuts, share_of

if TYPE_CHECKING:
    from torch.nn import Module

    from stepscope.models.features.tuned_inputs import TunedInputs

GOAL_TOKENS, SCREEN_TOKENS = 77, 128
"""Tokens of a goal and of a screen that are looked at, the special ones among them; CLIP's texts always have 77."""


class TunedFeasibilityRecipe(FeasibilityRecipe):
    """The recipe by which `feasibility-tuned` is trained, calibrated and asked.

    Source: MoTIF, section 4; of a longer way it looks at the first, the middle (n // 2) and the last state, which is
    the released code's alternative to the first twenty. Labels, loss, calibration and measures are those of
    `feasibility-mlp`.
    """

    info = FEASIBILITY_TUNED
    version = "1"
    hyper = Hyper(
        epochs=10, batch=16, rate=5e-5, weight_decay=1e-2, patience=4, schedule="linear", warmup=0.1, precision="auto"
    )
    came_with_weights = ("texts.", "views.")

    def prepare(self, request: EpisodeRequest, features_: Features) -> PreparedRequest:
        steps = looked_at(len(request.observations))
        screens = tuple(" . ".join(state_texts(request, step)) for step in steps)
        views = tuple(features_.views_of(request.observations[step].screenshot)[0] for step in steps)
        goal = shortened(request.goal or "")
        return PreparedRequest(request, (goal, *screens), views, cast("TunedInputs", features_).frame)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`goal` (tokens, inputs), `screens` (s, tokens, inputs) int64, `packed` (bytes,) of all pictures one behind
        the other, `ends` (s,) where each ends (of none where the one before does), `frame` their height and width."""
        goal, *screens = (vectors.texts[text] for text in draft.texts)
        pictures = [np.zeros(0, np.uint8) if one is None else vectors.views[one.key] for one in draft.views]
        return {
            "goal": goal[:GOAL_TOKENS],
            "screens": _rows([one[:SCREEN_TOKENS] for one in screens], goal[:1]),
            "packed": np.concatenate([*pictures, np.zeros(0, np.uint8)]).astype(np.uint8),
            "ends": np.cumsum([len(one) for one in pictures], dtype=np.int64),
            "frame": np.array(draft.rest, np.int64),
        }

    def shortened(self, draft: PreparedRequest, vectors: Vectors, copies: int) -> list[Example]:
        """Of the three states that are looked at, the first, and the first and the middle."""
        whole = self.example(draft, vectors)
        ends = whole["ends"]
        return [
            {**whole, "screens": whole["screens"][:end], "ends": ends[:end], "packed": whole["packed"][: ends[end - 1]]}
            for end in cuts(len(ends), copies)
        ]

    def loaded(self, example: Example) -> Example:
        """`pixels` (s, height, width, 3) bytes and `seen` (s, 1) in the place of the packed ones."""
        count = len(example["ends"])
        pixels, seen = np.zeros((count, *_frame(example), 3), np.uint8), np.zeros((count, 1), np.float32)
        _unpack(example, pixels, seen[:, 0])
        return {"goal": example["goal"], "screens": example["screens"], "pixels": pixels, "seen": seen}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """Goals, screens, pixels, mask, seen; a screen that is none reads the goal, so that its tokens are sound."""
        most = max(1, *(len(example["screens"]) for example in examples))
        tokens = max(
            *(len(example["goal"]) for example in examples), *(example["screens"].shape[1] for example in examples)
        )
        goals = np.stack([_padded(example["goal"], tokens) for example in examples])
        screens = np.repeat(goals[:, None], most, axis=1)
        pixels = np.empty((len(examples), most, *_frame(examples[0]), 3), np.uint8)
        mask, seen = (np.zeros((len(examples), most), np.float32) for _ in range(2))
        for row, example in enumerate(examples):
            count = len(example["screens"])
            if count:
                screens[row, :count] = [_padded(one, tokens) for one in example["screens"]]
            if "packed" in example:
                _unpack(example, pixels[row, :count], seen[row, :count])
            else:
                pixels[row, :count], seen[row, :count] = example["pixels"], example["seen"][:, 0]
            pixels[row, count:], mask[row, :count] = 0, 1
        return goals, screens, pixels, mask, seen

    def network(self, config: Config) -> Module:
        from stepscope.models.feasibility.tuned_network import TunedFeasibility
        from stepscope.models.learned.tuning import encoder_networks, restricted

        texts, views = encoder_networks(config)
        assert views is not None  # it looks at pictures
        return restricted(TunedFeasibility(texts, views, sizes_of(config)), config)

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        warmth, line = config.get("temperature", 1.0), config.get("threshold", 0.5)
        found = []
        for draft, (logit,) in zip(drafts, run(examples), strict=True):
            found.append(prediction_of(draft, probability(logit, warmth), line))
        return found

    def config(self, examples: Sequence[Example], targets: Sequence[Example]) -> Config:
        """The weight of the rarer class."""
        share = share_of([float(target["label"]) for target in targets], "infeasible", "feasible")
        return {"positive_weight": (1 - share) / share}


def looked_at(count: int) -> tuple[int, ...]:
    """The first, middle and last of so many states, each once (MoTIF, released code)."""
    return tuple(dict.fromkeys((0, count // 2, count - 1))) if count else ()


def _padded(tokens: Array, length: int) -> Array:
    if len(tokens) == length:
        return tokens
    found = np.zeros((length, tokens.shape[1]), tokens.dtype)
    found[: len(tokens)] = tokens
    return found


def _rows(parts: Sequence[Array], like: Array) -> Array:
    """Tokens of several texts as (texts, longest, inputs)."""
    longest = max((len(one) for one in parts), default=1)
    if not parts:
        return np.zeros((0, longest, like.shape[1]), np.int64)
    return np.stack([_padded(one, longest) for one in parts])


def _frame(example: Example) -> tuple[int, int]:
    """Height and width of its pictures."""
    height, width = example["frame"].tolist() if "packed" in example else example["pixels"].shape[1:3]
    return height, width


def _unpack(example: Example, pixels: Array, seen: Array) -> None:
    """Unpack its pictures into `pixels` (s, height, width, 3), and tell in `seen` (s,) where there is one."""
    from stepscope.models.features.tuned_inputs import unpacked

    begin = 0
    for place, end in enumerate(example["ends"].tolist()):
        seen[place] = end > begin
        pixels[place] = unpacked(example["packed"][begin:end]) if end > begin else 0
        begin = end


RECIPE = TunedFeasibilityRecipe()
