"""What `berson` and its pretraining read: tokens of each step, and its picture as patches or pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.catalog import BERSON
from stepscope.models.encoders.registry import MINILM, MOBILENET, gives_regions, load_views
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import Config, EncoderNames, cut_of, encoders_of, sizes_of, without_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, padded
from stepscope.models.ordering.order_recipe import ORDER_LABELS, OrderRecipe

if TYPE_CHECKING:
    from stepscope.models.ordering import step_inputs
    from stepscope.models.ordering.step_encoder import StepEncoder
else:
    step_inputs = lazy_module("stepscope.models.ordering.step_inputs")

TEXTS, PICTURES = "texts", "pictures"
"""What can be left out."""


class StepsRecipe(OrderRecipe):
    """Source: Wu et al. 2022, section 5.2 (paper). A step's words are cut at 60 tokens; the goal is not shown. `search`
    as that of `BersonOrdering.forward`."""

    info = BERSON
    version = "2"
    pictures = True
    hyper = Hyper(
        epochs=10, batch=8, rate=5e-5, weight_decay=1e-2, patience=4, schedule="linear", warmup=0.1, precision="auto"
    )
    optional_pictures = True
    usual_encoders = EncoderNames(MINILM, f"{MOBILENET}:map")
    sequences = True
    takes_regions = True
    taught = True
    came_with_weights = ("encoder.model.", "encoder.views.")
    exports = False
    parts = (TEXTS, PICTURES, ORDER_LABELS)
    search = 0

    def inputs_of(self, names: EncoderNames, device: str) -> Features:
        """Tokens and patches; without `views` tokens alone."""
        return step_inputs.load_step_inputs(names.texts, names.views, device=device)

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        texts = tuple(shortened(step.text or step.title) for step in request.steps)
        inputs = cast("step_inputs.StepInputs", features)
        views = tuple(inputs.step_view(step) for step in request.steps)
        return PreparedRequest(request, texts, views, inputs.frame)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`ids` (steps, tokens), `lengths` (steps,), `patches` (steps, places, size) float16, `seen` (steps,) how many
        of its places there are, `search` (). Of pictures that are learned from in the place of patches `packed`
        (bytes,) of all, `ends` (steps,) where each ends, `frame` their height and width."""
        tokens = [vectors.texts[text] for text in draft.texts]
        pictures = [None if view is None else vectors.views[view.key] for view in draft.views]
        return {
            "ids": padded(tokens)[0] if tokens else np.zeros((0, 1), np.int64),
            "lengths": np.array([len(one) for one in tokens], np.int64),
            **(_patches(pictures, vectors.view_size) if draft.rest is None else _bytes(pictures, draft.rest)),
            "seen": np.array([_seen(one, draft.rest is not None) for one in pictures], np.float32),
            "search": np.array(self.search, np.int64),
        }

    def loaded(self, example: Example) -> Example:
        """`patches` (steps, height, width, 3) bytes in the place of packed ones."""
        if "packed" not in example:
            return example
        rest = {name: array for name, array in example.items() if name not in ("packed", "ends", "frame")}
        return {**rest, "patches": _unpacked(example)}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
        """The inputs of `BersonOrdering.forward` but for the order."""
        examples = [self.loaded(one) for one in examples]
        most = max(2, *(len(one["lengths"]) for one in examples))
        tokens = max(one["ids"].shape[1] for one in examples)
        kind, *shape = examples[0]["patches"].dtype, *examples[0]["patches"].shape[2:]
        places = max(one["patches"].shape[1] for one in examples)
        ids = np.zeros((len(examples), most, tokens), np.int64)
        lengths = np.zeros((len(examples), most), np.int64)
        patches = np.zeros((len(examples), most, places, *shape), kind)
        seen = np.zeros((len(examples), most), np.float32)
        for row, one in enumerate(examples):
            steps, length = one["ids"].shape
            ids[row, :steps, :length] = one["ids"]
            lengths[row, :steps], seen[row, :steps] = one["lengths"], one["seen"]
            patches[row, :steps, : one["patches"].shape[1]] = one["patches"]
        return ids, lengths, patches, seen, np.array([int(one["search"]) for one in examples], np.int64)


def step_encoder(config: Config) -> StepEncoder:
    """The encoder that a config describes, with the checkpoint's weights and what is new of it drawn."""
    from stepscope.models.ordering.step_encoder import EncoderShape, StepEncoder

    names, (layers, grid) = encoders_of(config), cut_of(config)
    size = sizes_of(config).view if names.views and PICTURES not in without_of(config) else 0
    regions = bool(size) and gives_regions(names.views)
    found = step_inputs.learning_views(load_views(names.views, device="cpu")) if size and not regions else None
    views = None if found is None else found.network.requires_grad_(True)
    return StepEncoder(names.texts, EncoderShape(layers, grid, size, regions), views)


def _seen(picture: Array | None, packed: bool) -> int:
    """How many places it has; of packed bytes as many as it may."""
    if picture is None:
        return 0
    return step_inputs.MOST_PLACES if packed else len(picture)


def _patches(pictures: Sequence[Array | None], size: int) -> Example:
    """`patches` (steps, places, size), zeros where there is no picture."""
    places = max((len(one) for one in pictures if one is not None), default=1)
    patches = np.zeros((len(pictures), places, size), np.float16)
    for step, one in enumerate(pictures):
        if one is not None:
            patches[step, : len(one)] = one
    return {"patches": patches}


def _bytes(pictures: Sequence[Array | None], frame: tuple[int, int]) -> Example:
    """Packed pictures one behind the other, and where each ends: of none where the one before does."""
    there = [np.zeros(0, np.uint8) if one is None else one for one in pictures]
    return {
        "packed": np.concatenate([*there, np.zeros(0, np.uint8)]).astype(np.uint8),
        "ends": np.cumsum([len(one) for one in there], dtype=np.int64),
        "frame": np.array(frame, np.int64),
    }


def _unpacked(example: Example) -> Array:
    """The pictures (steps, height, width, 3) bytes, black where there is none."""
    from stepscope.models.features.tuned_inputs import unpacked

    found = np.zeros((len(example["ends"]), *example["frame"].tolist(), 3), np.uint8)
    begin = 0
    for step, end in enumerate(example["ends"].tolist()):
        if end > begin:
            found[step] = unpacked(example["packed"][begin:end])
        begin = end
    return found
