"""Whether data has what a model looks at: said before a run, for without it all answers are malformed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.sources.source import Source

LOOKED_AT = 3
"""Episodes that are read to see whether a model will have what it looks at."""


def missing_inputs(source: Source, units: Sequence[str], model: ModelInfo) -> str:
    """What the model looks at and the first episodes do not have, in a sentence; "" when they have it, or none of them
    can be read."""
    seen: list[Observation] = []
    for unit in units[:LOOKED_AT]:
        with suppress(UserError):
            episode = source.read(unit)
            if not (episode.platform is Platform.TEXT and _reads_words(model)):
                seen += (step.observation for step in episode.steps)
    lacks = {
        "tree": ("UI trees", all(one.tree is None for one in seen)),
        "screens": ("screenshots", all(one.shown is None for one in seen)),
    }
    missing = [words for name, (words, lacking) in lacks.items() if lacking and name in model.inputs]
    if not seen or not missing:
        return ""
    looked = min(len(units), LOOKED_AT)
    where = "the episode has none" if looked == 1 else f"none of the first {looked} episodes has any"
    return f"{model.name} looks at {' and '.join(missing)}, and {where}."


def _reads_words(model: ModelInfo) -> bool:
    """Whether the model reads the steps of an episode in words in the place of screens (`EpisodeRequest.words`)."""
    return model.task is Task.FEASIBILITY and "text" in model.inputs
