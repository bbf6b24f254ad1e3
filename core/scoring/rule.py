"""What a protocol is: options with defaults and marks, scoring of stored records, scoring of single steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from core.domain.episode import Step
from core.domain.geometry import Region
from core.domain.prediction import Prediction, Task
from core.domain.score import Metrics, Score

Mark = Literal["paper", "code", "ours"]
OptionValue = str | int | float
Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a protocol. `choices` empty: a number within `low`..`high`. `mark` says who the rule is from."""

    name: str
    default: OptionValue
    help: str
    mark: Mark
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = float("inf")


@dataclass(frozen=True, slots=True)
class ProtocolInfo:
    """`version` changes whenever the same input may score differently; it is stored with every score."""

    name: str
    title: str
    task: Task
    version: str
    source: str
    options: tuple[Option, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordResult:
    """Outcome of scoring a record file. `details` has one mapping per record, in order."""

    metrics: Metrics
    details: Sequence[Mapping[str, Any]]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """A step's score with the place it belongs to, as aggregation needs it."""

    episode: str
    step: int
    score: Score


class RecordScorer(Protocol):
    """Scores records of `stepscope score`; records come as (1-based line number, object)."""

    info: ProtocolInfo

    def score_records(
        self, records: Iterable[tuple[int, Mapping[str, Any]]], options: Options, *, bootstrap: int = 0, seed: int = 0
    ) -> RecordResult:
        """Raises UserError with the line number as `record` on bad input."""
        ...


class StepScorer(Protocol):
    """Scores action predictions of an evaluation step by step, by the same rule as the records."""

    info: ProtocolInfo

    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        """`step` carries observation and reference action."""
        ...

    def region(self, step: Step, options: Options) -> Region | None:
        """Where a tap counts as right on this step, clipped as the rule clips; None when the rule has no such place."""
        ...

    def aggregate(self, items: Sequence[ScoredItem], options: Options, *, bootstrap: int = 0, seed: int = 0) -> Metrics:
        """Metrics over stored scores of a run; `bootstrap` draws give 95 % intervals over episodes too."""
        ...
