"""What may be chosen for an evaluation, and what was, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.prediction import Task
from core.scoring.rule import OptionValue

PREDICTIONS = "predictions"
"""`EvaluateRequest.model` when predictions come from a file."""


@dataclass(frozen=True, slots=True)
class DataChoice:
    """Data to evaluate on: `id` such as "all" or "filter", words, and how many episodes it has."""

    id: str
    title: str
    episodes: int


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model by name; `why_not` says why it cannot be taken now, "" when it can."""

    name: str
    title: str
    tip: str = ""
    stand_in: bool = False
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class ComputeChoice:
    """A place to compute: auto, cpu, cuda:0, … with words such as "CUDA 0, 24 GB"."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class EvaluateRequest:
    """All that decides a run. `predictions` is the file's path, "" for a model; `limit` None means all."""

    task: Task
    data: str
    model: str
    protocol: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    predictions: str = ""
    seed: int = 0
    limit: int | None = None
    device: str = "auto"
