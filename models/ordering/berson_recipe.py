"""`berson`: the order of steps by an encoder that learns, over pairs of steps, and a recurrent pointer (Wu et al. 2022,
section 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stepscope.core import limits
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.encoder_choice import Config, without_of
from stepscope.models.learned.recipe import Array, Example, Hyper, PreparedRequest, Recipe, Run
from stepscope.models.ordering.order_recipe import mean_right_pairs
from stepscope.models.ordering.pair_steps import MATRIX, paired_answer
from stepscope.models.ordering.search_choice import ALL_ORDERS, BEAM_WIDTH, width_of
from stepscope.models.ordering.step_recipe import TEXTS, StepsRecipe, step_encoder

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

WEIGHT_OF_RELATIONS = 0.6
"""Of the loss of the relations beside that of the pointer (Cui et al. 2020, its code's for stories)."""


class BersonRecipe(StepsRecipe):
    """The recipe by which `berson` is trained and asked.

    Source: Wu et al. 2022, section 4 and appendix D (paper): BERSON over RoBERTa, or over one stream of words and
    patches (CLIP-ViL). What is measured on validation are pairs.
    """

    def __init__(self, search: int = 0) -> None:
        """`search`: the width of the beam, 0 the usual one, ALL_ORDERS for the exact search."""
        self.search = search

    def set_to(self, given: Mapping[str, str]) -> BersonRecipe:
        """With the search that the settings ask for."""
        return BersonRecipe(width_of(given))

    def network(self, config: Config) -> Module:
        from stepscope.models.learned.tuning import restricted
        from stepscope.models.ordering.berson_network import BersonOrdering

        words, dropped = TEXTS not in without_of(config), float(config.get("drop_texts", 0.0))
        return restricted(BersonOrdering(step_encoder(config), words=words, dropped=dropped), config, ("encoder",))

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
            _, _, *told = next(outputs)
            found.append(_answer(draft, told, self._words))
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
        pairs = zip(outputs, targets, strict=True)
        return mean_right_pairs([order[: len(one["order"])] for (*_, order, _, _), one in pairs], targets)

    def pretraining(self, hyper: Hyper, config: Config) -> Recipe:
        from stepscope.models.ordering.pretraining_recipe import pretraining_of

        return pretraining_of(hyper, config)

    def begun(self, state: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        return {name: one for name, one in state.items() if name.startswith("encoder.")}


def _too_long(draft: PreparedRequest) -> Prediction:
    why = f"It has {len(draft.request.steps)} steps. {limits.hint('order-steps')}"
    return Prediction(draft.request.procedure, None, None, PredictionStatus.FAILED, why=why)


def _answer(draft: PreparedRequest, told: Sequence[Array], search: str) -> Prediction:
    """`told`: what the network says behind its losses."""
    before, order, chance, attention = told
    places = [int(place) for place in order if place >= 0]
    found = paired_answer(draft.request, places, (before - before.T) / 2)
    ids = " ".join(draft.request.steps[place].id for place in places)
    raw: dict[str, object] = {"search": search, "order": ids, "log_chance": round(float(chance), 4)}
    if len(places) <= MATRIX:
        raw["step_attention"] = np.round(attention[np.ix_(places, places)].astype(np.float64), 4).tolist()
    return replace(found, raw=json.dumps(raw))


RECIPE = BersonRecipe()
