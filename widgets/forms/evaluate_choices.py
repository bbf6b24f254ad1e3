"""What may be chosen for an evaluation, and what was, as frozen values."""

from __future__ import annotations

from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option, OptionValue

PREDICTIONS = "predictions"
"""`EvaluateRequest.model` when predictions come from a file."""


@dataclass(frozen=True, slots=True)
class DataChoice:
    """Data to evaluate on: `id` such as "all" or "filter", words, how many episodes it has, the text of its filter."""

    id: str
    title: str
    episodes: int
    filter: str = ""


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """A task in words; `why_not` says why the open data does not fit it, "" when it does."""

    task: Task
    title: str
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model by name; `why_not` says why it cannot be taken now, "" when it can. `weights` are words about those that
    it needs, "" when it needs none; `devices` are the kinds that it can use. `runtimes` are what it may be run with
    besides "auto", none where there is no choice. `settings` can be set in its name. `for_tests`: it is shown the right
    answer, so its scores say nothing but that the machinery works. `against_rules` says in a line where it is
    below the rules, or no better than they are, "" where neither is known."""

    name: str
    title: str
    tip: str = ""
    stand_in: bool = False
    why_not: str = ""
    weights: str = ""
    devices: tuple[str, ...] = ("cpu",)
    runtimes: tuple[str, ...] = ()
    settings: tuple[Option, ...] = ()
    for_tests: bool = False
    against_rules: str = ""


@dataclass(frozen=True, slots=True)
class ComputeChoice:
    """A place to compute: auto, cpu, cuda:0, … with words such as "CUDA 0, 24 GB"."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class EvaluateRequest:
    """All that decides a run. `model` has in its name the settings that are not at their defaults. `predictions` is the
    file's path, "" for a model; `limit`, `per_app` None and `split` "" mean all; `filter` is the text of the data's
    filter. `instructions` of steps are given, hidden or both, which is two runs. `cluster` is the address of the Ray
    cluster that is to work on it, "" for this computer, and `workers` how many of it at the most."""

    task: Task
    data: str
    model: str
    protocol: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    predictions: str = ""
    seed: int = 0
    limit: int | None = None
    device: str = "auto"
    split: str = ""
    filter: str = ""
    runtime: str = "auto"
    per_app: int | None = None
    instructions: str = "given"
    cluster: str = ""
    workers: int | None = None
