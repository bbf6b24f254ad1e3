"""Origin of results, which says as what they may be shown: data that this project made itself is a sample, models that
only show the machinery are stand-ins, and no score of either is a finding."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from stepscope import resources
from stepscope.core.domain.run import Run
from stepscope.core.errors import UserError

SAMPLE = Path(resources.__file__).resolve().parent / "sample" / "episodes"
"""The sample that this project made."""

SAMPLE_WEB = SAMPLE.with_name("webtasks")
"""The same of web tasks."""

_SAMPLES = {SAMPLE: "Sample", SAMPLE_WEB: "Sample web tasks"}

PROCEDURES = "#procedures"
"""Stands behind a source's path, in the store and in sessions, where its episodes are shown as procedures."""


def source_title(path: Path, as_procedures: bool = False) -> str:
    """What people call the data at a path."""
    name = _SAMPLES.get(path, path.name)
    return f"{name} (procedures)" if as_procedures else name


def title_of_key(key: str) -> str:
    """The same for what sessions and runs call the data: its path, perhaps with PROCEDURES behind."""
    return source_title(Path(key.removesuffix(PROCEDURES)), key.endswith(PROCEDURES))


def data_of(key: str) -> str:
    """The path of the data, whether or not its episodes are shown as procedures."""
    return key.removesuffix(PROCEDURES)


def is_sample(source: str | Path) -> bool:
    """Whether data lies in a sample's folder."""
    return any(sample in (Path(source), *Path(source).parents) for sample in _SAMPLES)


NO_FINDING = "not a finding"


def sample_badge(source: str | Path) -> str:
    """What stands beside every score over that data, in words for a badge; "" where it is no sample."""
    return f"sample, {NO_FINDING}" if is_sample(source) else ""


def shipped_run_id(model: str, source: str | Path) -> str:
    """The id of the run of this model that comes with the sample, where that lies at `source`. Each place has its own:
    several installations may share a store."""
    return hashlib.sha256(f"{model} on {source}".encode()).hexdigest()[:10]


def is_shipped(run: Run) -> bool:
    """Whether the run came with the sample: nobody made it here."""
    return run.id == shipped_run_id(run.spec.model, run.spec.source)


def is_stand_in(run: Run) -> bool:
    """Whether the run's model only shows the machinery at work; predictions made elsewhere are no stand-in."""
    return not run.spec.predictions and is_stand_in_model(run.spec.model)


def not_a_finding(run: Run) -> str:
    """Why no score of the run is a finding, in words for a badge; "" where it may be one."""
    sample, stand_in = sample_badge(run.spec.source), is_stand_in(run)
    if sample and stand_in:
        return f"stand-in model on the sample, {NO_FINDING}"
    return f"stand-in model, {NO_FINDING}" if stand_in else sample


@cache
def is_stand_in_model(name: str) -> bool:
    """What the model says of itself; one that is not known here is taken as real. Asked once a process: a model that is
    not in the catalogue is looked for in every installed package."""
    from stepscope.models.registry import model_info  # the window is shown without what knows models

    try:
        return model_info(name).stand_in
    except UserError:
        return False
