"""What the process that stores a run and the workers of a cluster say to each other. Errors are values: UserError."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from stepscope.app.services.cluster.choice import DataWay
from stepscope.app.services.item_processes import ItemShare
from stepscope.app.services.verified_index_source import IndexExcerpt
from stepscope.app.services.version import VERSION
from stepscope.core import limits
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.prediction import Prediction
from stepscope.core.domain.run import Outcome, RunSpec
from stepscope.core.frozen import dataclass

WORKER = "stepscope.app.services.cluster.share_worker", "ShareWorker"
"""Module and name of what works; it stands above the evaluation, which deals to it, so it is found by name."""


@dataclass(frozen=True, slots=True)
class ClusterOrder:
    """A run to be worked on: its settings, how its data comes here, what the files looked like ("": not known), the
    limits that hold, and the version of the program that stores the outcomes."""

    spec: RunSpec
    way: DataWay
    files: str
    limits: Mapping[str, int] = field(default_factory=limits.chosen_limits)
    version: str = VERSION


@dataclass(frozen=True, slots=True)
class ClusterShare:
    """Rows of the source, what the index says of them (None: there is none), and what was answered about those that
    were begun, by step."""

    rows: ItemShare
    index: IndexExcerpt | None
    answered: Mapping[str, Mapping[int, Prediction]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShareResult:
    """All outcomes of a share, in order, the seconds that it took, and how many answers were known from earlier
    runs."""

    outcomes: tuple[Outcome, ...]
    seconds: float
    remembered: int = 0


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """The model is loaded and the data open, on this machine."""

    name: str
    machine: MachineFacts
    weights: str


@dataclass(frozen=True, slots=True)
class DataNotHere:
    """The data is not here, or other than where the run was begun."""

    name: str
