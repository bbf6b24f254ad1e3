"""The agent that acts beside the questions: the trained two-tower model, where there is one."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from stepscope.core.errors import UserError
from stepscope.models.automation.recipe import RECIPE as TOWER
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import read_card
from stepscope.models.learned.head import load_head
from stepscope.models.learned.model_folders import TrainedModel, find_trained
from stepscope.models.learned.predictor import LearnedPredictor, blank

log = logging.getLogger("stepscope")

ACTOR = TOWER.info.name


def actor_with(features: Features) -> LearnedPredictor | None:
    """The actor over these encoders; None where none was trained, or it cannot be used, which is logged."""
    try:
        trained = find_trained(ACTOR)
    except UserError as error:
        log.warning("questions are put without an actor: %s", error)
        return None
    return None if trained is None else _loaded(str(trained.folder), trained.card.weights, features)


@lru_cache(maxsize=2)
def _loaded(folder: str, weights: str, features: Features) -> LearnedPredictor | None:
    """The actor, loaded once for each file of weights; `weights` is its SHA-256."""
    trained = TrainedModel(Path(folder), read_card(Path(folder)))
    try:
        head, runtime = load_head(trained, TOWER, TOWER.collate([blank(TOWER, trained)]))
        return LearnedPredictor(trained, TOWER, features, head, runtime)
    except UserError as error:
        log.warning("questions are put without an actor: %s", error)
        return None
