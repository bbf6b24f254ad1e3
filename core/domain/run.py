"""Runs: one predictor, one selection of data, one protocol, fixed settings, one version of the code."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.frozen import dataclass


class RunState(StrEnum):
    """The state of a run; interrupted: its process ended before it was done, or items are to be done again."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    DONE = "done"
    INTERRUPTED = "interrupted"

    @property
    def resumable(self) -> bool:
        return self in (RunState.CANCELLED, RunState.FAILED, RunState.INTERRUPTED, RunState.PAUSED)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """The settings that decide a run's outcome.

    `source` is the path of the data as it was opened, `format` its reader's name. `options` are the protocol's,
    as text. `predictions` is the path of an imported file, "" for a model that was run here. `split` "", `limit` None
    and `filter` "" (in the filter language) mean all; `chosen` counts episodes that were named one by one, None when
    none were. What they left when the run was made is its selection: a resumed run asks none of them again. `runtime`
    is what a trained model was asked to run with, "auto" for the faster one and for all other models.
    """

    task: Task
    model: str
    source: str
    format: str
    protocol: str
    options: tuple[tuple[str, str], ...] = ()
    split: str = ""
    limit: int | None = None
    seed: int = 0
    device: str = "auto"
    predictions: str = ""
    code_version: str = ""
    scorer_version: str = ""
    filter: str = ""
    chosen: int | None = None
    runtime: str = "auto"

    @property
    def whole(self) -> bool:
        """Whether nothing but the split says which episodes it is about."""
        return self.limit is None and self.chosen is None and not self.filter


@dataclass(frozen=True, slots=True)
class ItemKey:
    """The item that one outcome of a run is about; `step` is -1 when it is about the whole episode."""

    episode: str
    step: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item of a run done: the prediction and its score. `reference` is the kind of the reference action, "" when
    the item has none: with it confusions are counted without opening the episode again."""

    key: ItemKey
    prediction: Prediction
    score: Score
    reference: str = ""


LONGEST_NAME, LONGEST_TAG, LONGEST_REMARK, MOST_TAGS = 120, 40, 10_000, 20
"""Characters of a run's own name, of a tag and of a remark; tags of a run."""


@dataclass(frozen=True, slots=True)
class RunLabels:
    """What people say of a run: a name of its own ("": it is called by its settings), a remark, tags; whether it stands
    first among its like, and whether it is put away."""

    name: str = ""
    remark: str = ""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    archived: bool = False

    def tidied(self) -> RunLabels:
        """The same in one line of a name, tags without blanks at their ends and each once, all as long as they may be.
        Raises ValueError with what is too long."""
        name, remark = " ".join(self.name.split()), self.remark.strip()
        tags = tuple(dict.fromkeys(tag for tag in (" ".join(one.split()) for one in self.tags) if tag))
        for what, text, longest in (
            ("A name", name, LONGEST_NAME),
            ("A remark", remark, LONGEST_REMARK),
            *(("A tag", tag, LONGEST_TAG) for tag in tags),
        ):
            if len(text) > longest:
                raise ValueError(f"{what} has at most {longest:,} characters, this one has {len(text):,}.")
        if any("," in tag for tag in tags):
            raise ValueError("A tag has no comma.")
        if len(tags) > MOST_TAGS:
            raise ValueError(f"A run has at most {MOST_TAGS} tags, these are {len(tags)}.")
        return RunLabels(name, remark, tags, self.pinned, self.archived)


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run. `total` is the number of its items, None until it was counted; `done` counts stored outcomes.
    `note` is what the program says of how it went. `machines` worked on it, in their order; `weights` is the SHA-256 of
    the files that its model was loaded from, "" where it has none or they are not known; `worked_s` are the seconds
    that were worked on it, pauses left out, 0 where that is not known."""

    id: str
    spec: RunSpec
    state: RunState
    created: datetime
    total: int | None = None
    done: int = 0
    note: str = ""
    message: str = ""
    labels: RunLabels = RunLabels()
    machines: tuple[MachineFacts, ...] = ()
    weights: str = ""
    worked_s: float = 0.0
