"""Where a run is worked on, as a person chooses it, and what is told of its workers. Nothing here needs Ray."""

from __future__ import annotations

import importlib.util
from typing import Literal, get_args

from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.frozen import dataclass

AUTO = "auto"
"""The cluster that runs on this machine, or that RAY_ADDRESS names; where there is none, this machine alone."""

DataWay = Literal["auto", "shared", "shipped"]
"""How workers come by the data: where it lies, through Ray's object store, or whichever is possible."""

MOST_WORKERS = 10_000


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """`address` is `AUTO`, HOST:PORT of a cluster that this machine is part of, or ray://HOST:PORT of any other.

    `workers` bounds how many there are, None: as many as the cluster has room for. Each has so many `cpus` and `gpus`,
    parts of one too; None: a GPU where the model and the cluster have one.
    """

    address: str = AUTO
    workers: int | None = None
    cpus: float = 1.0
    gpus: float | None = None
    data: DataWay = "auto"

    def checked(self) -> ClusterChoice:
        """The same. Raises UsageError for what makes no sense."""
        if not self.address.strip():
            raise UsageError("The cluster has no address.", hint="Give auto, HOST:PORT or ray://HOST:PORT.")
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise UsageError(f"A cluster cannot work with {self.workers} workers.", hint="Give 1 or more.")
        if not 0 < self.cpus <= MOST_WORKERS:
            raise UsageError(f"A worker cannot have {self.cpus:g} cores.", hint="Give a number above 0, such as 1.")
        gpus = self.gpus or 0.0
        if not 0 <= gpus <= MOST_WORKERS or (gpus > 1 and gpus % 1):
            raise UsageError(f"A worker cannot have {gpus:g} GPUs.", hint="Give a part of one, or a whole number.")
        if self.data not in get_args(DataWay):
            raise UsageError(f"Data cannot be {self.data!r}.", hint=f"Give {', '.join(get_args(DataWay))}.")
        return self


def check_installed() -> None:
    """Raises UsageError where Ray is not there."""
    if importlib.util.find_spec("ray") is None:
        hint = 'Install it on every machine: pip install "stepscope[cluster]"'
        raise UsageError("Ray, which works on many machines, is not installed.", hint=hint)


def why_none() -> str:
    """Why no cluster can be taken from here, "" where Ray is installed."""
    try:
        check_installed()
    except UsageError as error:
        return str(error)
    return ""


def refusal(spec: RunSpec, model: ModelInfo) -> str:
    """Why a run cannot be worked on by a cluster, "" where it can."""
    if spec.predictions:
        return "Predictions from a file are only scored, which needs no cluster."
    if spec.task in (Task.WEBTASK, Task.ROLLOUT):
        return "Web tasks and walks alone have pages and phones of their own here."
    if is_asked(model.name) and model.runtime == "service":
        return "A model behind a server is asked from one place."
    return ""
