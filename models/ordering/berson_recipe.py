"""`berson`: the order of steps by an encoder that learns, over pairs of steps, and a recurrent pointer (Wu et al. 2022,
section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from stepscope.core import limits
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.models.catalog import BERSON
from stepscope.models.encoders.registry import MINILM, MOBILENET
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.encoder_choice import (
    Config,
    EncoderNames,
    cut_of,
    encoders_of,
    sizes_of,
    without_of,
)
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Recipe, Run, padded
from stepscope.models.ordering.pair_steps import paired_answer
from stepscope.models.ordering.recipe import OrderingRecipe
from stepscope.models.ordering.recorded_orders import right_pairs
from stepscope.models.ordering.search_choice import ALL_ORDERS, BEAM_WIDTH, width_of

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from stepscope.models.ordering.step_encoder import StepEncoder
    from stepscope.models.ordering.step_inputs import StepInputs

WEIGHT_OF_RELATIONS = 0.6
"""Of the loss of the relations beside that of the pointer (Cui et al. 2020, its code's for stories)."""
TEXTS, PICTURES = "texts", "pictures"


class BersonRecipe(OrderingRecipe):
    """The recipe by which `berson` is trained and asked.

    Source: Wu et al. 2022, section 4 and appendix D (paper): BERSON over RoBERTa, or over one stream of words and
    patches (CLIP-ViL) or regions (VisualBERT). Pictures are vectors of a frozen encoder's places. A step's words are
    cut at 60 tokens; the goal is not shown, as in the paper. What is measured on validation are pairs.
    """

    info = BERSON
    version = "1"
    pictures = True
    optional_pictures = True
    hyper = Hyper(
        epochs=10, batch=8, rate=5e-5, weight_decay=1e-2, patience=4, schedule="linear", warmup=0.1, precision="auto"
    )
    usual_encoders = EncoderNames(MINILM, f"{MOBILENET}:map")
    sequences = True
    taught = True
    exports = False
    parts = (TEXTS, PICTURES)

    def __init__(self, search: int = 0) -> None:
        """`search`: the width of the beam, 0 the usual one, ALL_ORDERS for the exact search."""
        self.search = search

    def inputs_of(self, names: EncoderNames, device: str) -> Features:
        from stepscope.models.ordering.step_inputs import load_step_inputs

        return load_step_inputs(names.texts, names.views, device=device)

    def set_to(self, given: Mapping[str, str]) -> BersonRecipe:
        """With the search that the settings ask for."""
        return BersonRecipe(width_of(given))

    def prepare(self, request: OrderRequest, features: Features) -> PreparedRequest:
        texts = tuple(shortened(step.text or step.title) for step in request.steps)
        views = tuple(features.views_of(step.pictures[0] if step.pictures else None)[0] for step in request.steps)
        return PreparedRequest(request, texts, views, cast("StepInputs", features).frame)

    def example(self, draft: PreparedRequest, vectors: Vectors) -> Example:
        """`ids` (steps, tokens), `lengths` (steps,), `patches` (steps, places, size) float16, `seen` (steps,),
        `search` (). Of pictures that are learned from in the place of patches `packed` (bytes,) of all, `ends` (steps,)
        where each ends, `frame` their height and width."""
        tokens = [vectors.texts[text] for text in draft.texts]
        pictures = [None if view is None else vectors.views[view.key] for view in draft.views]
        return {
            "ids": padded(tokens)[0] if tokens else np.zeros((0, 1), np.int64),
            "lengths": np.array([len(one) for one in tokens], np.int64),
            **(_patches(pictures, vectors.view_size) if draft.rest is None else _bytes(pictures, draft.rest)),
            "seen": np.array([one is not None for one in pictures], np.float32),
            "search": np.array(self.search, np.int64),
        }

    def loaded(self, example: Example) -> Example:
        """`patches` (steps, height, width, 3) bytes in the place of packed ones."""
        if "packed" not in example:
            return example
        rest = {name: array for name, array in example.items() if name not in ("packed", "ends", "frame")}
        return {**rest, "patches": _unpacked(example)}

    def collate(self, examples: Sequence[Example]) -> tuple[Array, ...]:
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

    def network(self, config: Config) -> Module:
        from stepscope.models.learned.tuning import restricted
        from stepscope.models.ordering.berson_network import BersonOrdering

        words = TEXTS not in without_of(config)
        return restricted(BersonOrdering(step_encoder(config), words=words), config, ("encoder",))

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        """Raises nothing for a procedure of more steps than the limit `order-steps`: its answer says so."""
        most = limits.limit("order-steps")
        outputs = iter(run([one for one in examples if len(one["lengths"]) <= most]))
        found = []
        for draft, example in zip(drafts, examples, strict=True):
            if len(example["lengths"]) > most:
                found.append(_too_long(draft))
                continue
            _, _, before, order, chance = next(outputs)
            found.append(_answer(draft, before, order, chance, self._words))
        return found

    @property
    def _words(self) -> str:
        if self.search == ALL_ORDERS:
            return "exact search"
        return f"beam {self.search or BEAM_WIDTH.default}"

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return (WEIGHT_OF_RELATIONS * outputs[0] + outputs[1]).mean()

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """The mean share of pairs of steps in the right order."""
        shares = [
            right_pairs(order[: len(target["order"])], target["order"])
            for (*_, order, _), target in zip(outputs, targets, strict=True)
        ]
        return float(np.mean(shares))

    def pretraining(self, hyper: Hyper, config: Config) -> Recipe:
        from stepscope.models.ordering.pretraining_recipe import pretraining_of

        return pretraining_of(self, hyper, config)

    def begun(self, state: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        return {name: one for name, one in state.items() if name.startswith("encoder.")}


def step_encoder(config: Config) -> StepEncoder:
    """The encoder that a config describes, with the checkpoint's weights and what is new of it drawn."""
    from stepscope.models.encoders.registry import load_views
    from stepscope.models.ordering.step_encoder import EncoderShape, StepEncoder
    from stepscope.models.ordering.step_inputs import learning_views

    names, (layers, grid) = encoders_of(config), cut_of(config)
    size = sizes_of(config).view if names.views and PICTURES not in without_of(config) else 0
    found = learning_views(load_views(names.views, device="cpu")) if size else None
    views = None if found is None else found.network.requires_grad_(True)
    return StepEncoder(names.texts, EncoderShape(layers, grid, size), views)


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


def _too_long(draft: PreparedRequest) -> Prediction:
    why = f"It has {len(draft.request.steps)} steps. {limits.hint('order-steps')}"
    return Prediction(draft.request.procedure, None, None, PredictionStatus.FAILED, why=why)


def _answer(draft: PreparedRequest, before: Array, order: Array, chance: Array, search: str) -> Prediction:
    places = [int(place) for place in order if place >= 0]
    found = paired_answer(draft.request, places, (before - before.T) / 2)
    ids = " ".join(draft.request.steps[place].id for place in places)
    return replace(found, raw=f"{search}: {ids}, log of its chance {float(chance):.4f}")


RECIPE = BersonRecipe()
