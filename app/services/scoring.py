"""Protocols with everything that they can use here: the models that some of them measure with are of no concern to the
rules themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring import registry
from stepscope.core.scoring.rule import AggregatingScorer, RecordScorer

if TYPE_CHECKING:
    from stepscope.core.scoring.ask import AskScorer
    from stepscope.core.scoring.ask_content import Embedder
    from stepscope.core.scoring.feasibility import FeasibilityScorer
    from stepscope.models.encoders import sentences
else:
    sentences = lazy_module("stepscope.models.encoders.sentences")

SENTENCE_MODEL_VARIABLE = "STEPSCOPE_SENTENCE_MODEL"
"""Names the folder of a sentence model that takes the place of the packaged one."""


def record_scorer(name: str) -> RecordScorer:
    """The protocol of this name. Raises UsageError naming the nearest."""
    return _measuring(name) or registry.record_scorer(name)


def with_measures(scorer: AggregatingScorer) -> AggregatingScorer:
    """The rule with the models that it measures with here."""
    return _measuring(scorer.info.name) or scorer


def _measuring(name: str) -> AskScorer | FeasibilityScorer | None:
    """A protocol that compares questions, with the sentence model of this machine, which is loaded when it is needed;
    None for every other."""
    if name == "ask":
        from stepscope.core.scoring.ask import AskScorer

        return AskScorer(sentence_encoder)
    if name == "feasibility":
        from stepscope.core.scoring.feasibility import FeasibilityScorer

        return FeasibilityScorer(sentence_encoder)
    return None


def sentence_encoder() -> Embedder:
    """The sentence model of this machine, loaded once. Raises UnavailableError where there is none, UserError when the
    one that was named cannot be loaded."""
    return _loaded(os.environ.get(SENTENCE_MODEL_VARIABLE, ""))


def measures() -> dict[str, str]:
    """What the measures of `ask` would be made with here, or what is missing for them. Looks only, loads nothing."""
    from stepscope.core.scoring.meteor import wordnet_here

    folder = os.environ.get(SENTENCE_MODEL_VARIABLE, "")
    return {
        "meteor": _found(lambda: f"WordNet from {wordnet_here()}"),
        "sentence_model": _found(
            lambda: (sentences.in_folder(Path(folder).expanduser()) if folder else sentences.packaged()).name
        ),
    }


def _found(what: Callable[[], str]) -> str:
    try:
        return what()
    except UserError as error:
        return f"missing: {error}"


@cache
def _loaded(folder: str) -> Embedder:
    return sentences.load(Path(folder).expanduser() if folder else None)
