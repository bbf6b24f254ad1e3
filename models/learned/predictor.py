"""A trained model as the engine asks it: a batch predictor out of a recipe and a folder of weights."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from stepscope.core.domain.prediction import Prediction
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.progress import CancelToken
from stepscope.models.features.vectors import Features, Vectors, load_features
from stepscope.models.learned.card import CARD, info_of, sound_config
from stepscope.models.learned.encoder_choice import EncoderNames, encoders_of
from stepscope.models.learned.head import RuntimeName, load_head
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.recipe import (
    Array,
    Example,
    PreparedRequest,
    Recipe,
    has_own_inputs,
    is_encoded,
    is_tuned,
    takes_classifier,
    takes_sequences,
)
from stepscope.models.runtimes.runtime import Runtime

BATCH_SIZE = 32

_RUN_IN = re.compile(r", onnxruntime \S+ on \w+")
"""What cards of earlier versions say of the runtime, which is no part of what an encoder is."""
_MOST_NUMBERS = 10_000_000
"""Of an example to measure with; screens of 1,000 elements with texts and pictures have 2 million."""


class LearnedPredictor:
    """See `BatchPredictor`. `runtime` is the name of the one in use."""

    def __init__(
        self,
        trained: TrainedModel,
        recipe: Recipe,
        features: Features,
        head: Runtime,
        runtime: str,
        info: ModelInfo | None = None,
    ) -> None:
        """`info` is what it says of itself where it is set to something. Raises UserError when the weights belong to
        vectors of other encoders."""
        if _RUN_IN.sub("", trained.card.features) != features.fingerprint:
            names = encoders_of(trained.card.config)
            raise UserError(
                f"was trained on vectors of other encoders ({trained.card.features}) than those that are called "
                f"{' and '.join(filter(None, asdict(names).values()))} here ({features.fingerprint}).",
                place=trained.folder,
                hint="Put those weights back (see: stepscope weights list), or train the model again.",
            )
        self.info: ModelInfo = info or info_of(trained.card, recipe.info)
        self.batch_size = BATCH_SIZE
        self.runtime = runtime
        self.device = head.device
        encoded = f"{features.fingerprint}; {features.computed_by}"
        self.fingerprint = f"{self.info.name} {recipe.version}; {encoded}; {head.fingerprint}"
        self._recipe, self._features, self._config = recipe, features, trained.card.config
        self._head: Runtime | None = head

    def predict(self, request: Any) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: Any) -> PreparedRequest:
        return self._recipe.prepare(request, self._features)

    def predict_batch(self, prepared: Sequence[PreparedRequest]) -> Sequence[Prediction]:
        vectors = vectors_of(self._features, prepared)
        examples = [self._recipe.example(draft, vectors) for draft in prepared]
        return self._recipe.answers(prepared, examples, vectors, self.run, self._config)

    def run(self, examples: Sequence[Example]) -> list[tuple[Array, ...]]:
        """Each example's outputs, in batches. Raises OutOfMemory."""
        if self._head is None:
            raise RuntimeError("the model was closed")
        found: list[tuple[Array, ...]] = []
        for at in range(0, len(examples), BATCH_SIZE):
            part = examples[at : at + BATCH_SIZE]
            outputs = self._head.run(*self._recipe.collate(part))
            found += [tuple(output[place] for output in outputs) for place in range(len(part))]
        return found

    def set_token(self, token: CancelToken) -> None:
        if self._head is not None:
            self._head.set_token(token)

    def warm_up(self) -> None:
        """The encoders wake with the first batch; the network is small."""

    def close(self) -> None:
        if self._head is not None:
            self._head.close()
        self._head = None


def vectors_of(features: Features, drafts: Sequence[PreparedRequest]) -> Vectors:
    """All that the drafts ask for, made in one call."""
    texts = dict.fromkeys(text for draft in drafts for text in draft.texts)
    return features.vectors(texts, (view for draft in drafts for view in draft.views))


def load(
    trained: TrainedModel,
    recipe: Recipe,
    *,
    device: str = "auto",
    runtime: RuntimeName = "auto",
    info: ModelInfo | None = None,
) -> LearnedPredictor:
    """The predictor, ready to answer; `info` as that of `LearnedPredictor`. Raises what `load_head` and
    `load_features` raise."""
    with sound_config(trained.folder / CARD):
        names = encoders_of(trained.card.config)
    features = load_inputs(recipe, names, device=device)
    with sound_config(trained.folder / CARD):
        example = recipe.collate([blank(recipe, trained)])
    head, name = load_head(trained, recipe, example, device=device, runtime=runtime)
    return LearnedPredictor(trained, recipe, features, head, name, info)


def load_inputs(recipe: Recipe, names: EncoderNames, *, device: str = "auto") -> Features:
    """What the recipe looks at the data through: encoders over one cache or, of a tuned recipe, tokens and pictures as
    its encoders take them; of one whose inputs are chosen by name, its own; of one that is not `encoded` nothing.
    Raises what `load_features` and `TunedInputs` raise, UsageError for encoders that give sequences where it takes
    none."""
    if takes_classifier(recipe):
        return recipe.inputs(device)
    if not is_encoded(recipe):
        return Features(())
    views = names.views if recipe.pictures else ""
    if has_own_inputs(recipe):
        return recipe.inputs_of(EncoderNames(names.texts, views), device)
    if is_tuned(recipe):
        from stepscope.models.features.tuned_inputs import load_tuned_inputs

        return load_tuned_inputs(names.texts, views)
    found = load_features(names.texts, views, device=device)
    if found.gives_sequences and not takes_sequences(recipe):
        named = " and ".join(filter(None, (names.texts, views)))
        raise UsageError(
            f"{recipe.info.name} takes one vector of each text and picture, and of {named} one gives several.",
            hint="Name its output with one vector, such as mobilenet-v2 without :map.",
        )
    return found


def blank(recipe: Recipe, trained: TrainedModel) -> Example:
    """Zeros in the shape of an example, to measure and warm up with; the card keeps the shapes. Raises what breaks on
    shapes that are none."""
    import numpy as np

    shapes = trained.card.config["shapes"]
    if sum(math.prod(shape) for shape, _ in shapes.values()) > _MOST_NUMBERS:
        raise ValueError(f"an example has more than {_MOST_NUMBERS:,} numbers")
    return {name: np.zeros(shape, kind) for name, (shape, kind) in shapes.items()}
