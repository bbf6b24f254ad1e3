"""The pretraining of `berson` as a recipe of the same examples: other targets, another network around the encoder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core.domain.prediction import Prediction
from stepscope.core.errors import UserError
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.encoder_choice import Config, encoders_of, without_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Run
from stepscope.models.ordering.pretraining_objectives import Objective, objectives_of
from stepscope.models.ordering.step_recipe import PICTURES, TEXTS, StepsRecipe, step_encoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class PretrainingRecipe(StepsRecipe):
    """Source: Wu et al. 2022, section 4.2 (paper). Validation is looked at by the same draws each time; the last
    epoch's network is kept, since what it is for comes later (ours)."""

    measured = "fit"
    keeps_last = True

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self.objectives = tuple(objectives)

    def network(self, config: Config) -> Module:
        from stepscope.models.encoders.transformers_folder import load_tokenizer
        from stepscope.models.learned.tuning import restricted
        from stepscope.models.ordering.berson_decoder import BersonDecoder
        from stepscope.models.ordering.pretraining_network import SequencePretraining
        from stepscope.models.ordering.step_inputs import text_checkpoint

        folder = text_checkpoint(encoders_of(config).texts).folder
        tokenizer = load_tokenizer(folder)
        if tokenizer.mask_token_id is None and Objective.MLM in self.objectives:
            hint = "Leave mlm out of the objectives, or take a checkpoint of BERT or RoBERTa."
            raise UserError("its tokenizer has no sign that masks a word.", place=folder, hint=hint)
        encoder = step_encoder(config)
        decoder = [f"decoder.{name}" for name, _ in BersonDecoder(encoder.width).named_parameters()]
        return restricted(
            SequencePretraining(encoder, tokenizer, self.objectives), config, ("encoder",), elsewhere=decoder
        )

    def answers(
        self, drafts: Sequence[PreparedRequest], examples: Sequence[Example], vectors: Vectors, run: Run, config: Config
    ) -> list[Prediction]:
        """A pretraining is followed by a training, and asked nothing. Raises TypeError."""
        raise TypeError("a pretraining answers nothing")

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Tensor], config: Config) -> Tensor:
        return outputs[0].mean()

    def measure(self, outputs: Sequence[tuple[Array, ...]], targets: Sequence[Example], config: Config) -> float:
        """e to the minus of the mean loss."""
        return math.exp(-float(np.mean([one[0] for one in outputs])))


def pretraining_of(hyper: Hyper, config: Config) -> PretrainingRecipe:
    """The pretraining that the settings ask for. Raises UsageError for objectives that there are not."""
    without = without_of(config)
    pictures = bool(encoders_of(config).views) and PICTURES not in without
    return PretrainingRecipe(objectives_of(hyper.objectives, texts=TEXTS not in without, pictures=pictures))
