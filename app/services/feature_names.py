"""What the models of runs read, by the names of their features: so that an ablation can be put side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from stepscope.core.domain.model_name import split_name
from stepscope.core.domain.run import Run
from stepscope.core.errors import UserError
from stepscope.core.evaluation.ablation import FeatureName
from stepscope.core.evaluation.leaderboard import model_title
from stepscope.models.feasibility.classifier_name import parse_classifier
from stepscope.models.learned.model_folders import find_trained

_WITHOUT = re.compile(r"(?P<whole>.*\S)[\s,_-]+without[\s_-]+(?P<part>\S.*)", re.IGNORECASE)
USUAL_LANGUAGE = "goal"
"""What a classifier of MoTIF reads as the command unless it says otherwise."""
WHOLE = "whole"
"""The variant of a model of which others are told without something."""


def feature_names(runs: Iterable[Run]) -> dict[str, FeatureName]:
    """By run id, those that say so: by the classifier in the card of a trained model, by a classifier's name
    (`clip(screen,et,id)+cat`), or as "… without …" beside the one that they are told against. A model that is gone is
    known by its name alone."""
    cards: dict[str, FeatureName | None] = {}
    found: dict[str, FeatureName] = {}
    titles = {run.id: (model_title(run), split_name(run.spec.model)[0]) for run in runs}
    for run, (title, model) in titles.items():
        if model not in cards:
            cards[model] = _of_card(model)
        name = cards[model] or _of_classifier(title) or _of_without(title)
        if name is not None:
            found[run] = name
    wholes = {name.features for name in found.values()}
    return {run: FeatureName(title, WHOLE) for run, (title, _model) in titles.items() if title in wholes} | found


def _of_card(model: str) -> FeatureName | None:
    try:
        trained = find_trained(model)
    except UserError:  # its card cannot be read: the list of models says so
        return None
    config: Mapping[str, object] = {} if trained is None else trained.card.config
    classifier = config.get("classifier")
    if not isinstance(classifier, str) or (found := _of_classifier(classifier)) is None:
        return None
    language = config.get("language")
    return found if language in (USUAL_LANGUAGE, None) else FeatureName(found.features, f"{found.variant}, {language}")


def _of_classifier(text: str) -> FeatureName | None:
    if "+" not in text:
        return None
    try:
        found = parse_classifier(text)
    except UserError:
        return None
    return FeatureName(found.features, found.aggregation)


def _of_without(title: str) -> FeatureName | None:
    match = _WITHOUT.fullmatch(title)
    return None if match is None else FeatureName(match["whole"], f"without {match['part']}")
