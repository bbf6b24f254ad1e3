"""As what results may be shown: data that this project made itself is a sample, models that only show the machinery are
stand-ins, and no score of either is a finding."""

from __future__ import annotations

from pathlib import Path

import models.registry
import resources
from core.domain.run import Run
from core.errors import UserError

SAMPLE = Path(resources.__file__).resolve().parent / "sample" / "episodes"
"""The sample that this project made."""


def is_sample(source: str | Path) -> bool:
    """Whether data lies in the sample's folder."""
    return Path(source) == SAMPLE or SAMPLE in Path(source).parents


def is_stand_in(run: Run) -> bool:
    """Whether the run's model only shows the machinery at work; predictions made elsewhere are no stand-in."""
    if run.spec.predictions:
        return False
    try:
        return models.registry.model_info(run.spec.model).stand_in
    except UserError:
        return False
