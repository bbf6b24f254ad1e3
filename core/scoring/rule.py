"""What a protocol is: options and rules with their marks, and scorers, whose base classes say what they can score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, overload

from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Region
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.domain.score import Metrics, Score
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Mark, Option, OptionValue
from stepscope.core.scoring.records import BadRecord, Records
from stepscope.core.scoring.tally import Tally

if TYPE_CHECKING:
    from stepscope.core.scoring.scored_items import ScoredItems

Options = Mapping[str, OptionValue]

LAST_SCREEN, FINISHES = "last_screen", "finish"
"""The option of a rule by which an evaluation asks about the screens that episodes end on, and what it is then."""
NO_PREDICTION = "No usable prediction."
NO_REFERENCE = "No reference action."


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of a protocol and who it is from: the paper's text, the released code, or ours where both are
    silent."""

    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class ProtocolInfo:
    """`version` changes whenever the same input may score differently; it is stored with every score.

    `unit` is what intervals resample: the name of the records' field that tells the units apart. `main` is the metric
    that stands for the protocol where there is room for one, `second` where that has no value. `task` is None for
    protocols about people's answers.
    """

    name: str
    title: str
    task: Task | None
    version: str
    source: str
    options: tuple[Option, ...]
    metrics: tuple[str, ...]
    unit: str = "id"
    main: str = ""
    rules: tuple[Rule, ...] = ()
    lower_is_better: frozenset[str] = frozenset()
    second: str = ""
    after_each_step: bool = False
    """An evaluation asks after every step about the trajectory up to it, where it is about trajectories."""
    early: tuple[str, ...] = ()
    """further metrics, which only answers with more in them have"""

    @property
    def every_metric(self) -> tuple[str, ...]:
        """Those that any score has, and those that some have besides."""
        return (*self.metrics, *self.early)

    def main_of(self, values: Mapping[str, float | None]) -> str:
        """The metric that stands for the protocol where there is room for one: `main` if it has a value here, else
        `second` if that has, else the first one that has, "" when there is no metric at all."""
        for name in (self.main, self.second):
            if values.get(name) is not None:
                return name
        return next((name for name, value in values.items() if value is not None), self.main or next(iter(values), ""))


@dataclass(frozen=True, slots=True)
class RecordScores:
    """The scores that a protocol makes of records, before any interval.

    `malformed` counts scored records without a usable prediction, `null` those of them whose prediction is null.
    `details` has one mapping for each accepted record, in order; it makes them when they are asked for. `extra` are
    further keys of the result object. `counts` says how many things a metric is a mean over where that is not `n`.
    """

    tally: Tally
    n: int
    unscored: int
    malformed: int
    null: int
    details: Sequence[Mapping[str, Any]]
    extra: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordResult:
    """Outcome of scoring records. `skipped` are the bad ones that were left out; None when none may be."""

    metrics: Metrics
    details: Sequence[Mapping[str, Any]]
    extra: Mapping[str, Any] = field(default_factory=dict)
    skipped: Sequence[BadRecord] | None = None


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """A step's score with the place it belongs to, as aggregation needs it."""

    episode: str
    step: int
    score: Score


class RecordScorer(ABC):
    """Judges records of `stepscope score`."""

    info: ProtocolInfo

    @abstractmethod
    def judge(self, records: Records, options: Options) -> RecordScores:
        """Raises UserError with the line number as `record` on bad input, unless `records` skips it."""


class AggregatingScorer(ABC):
    """Scores the predictions of an evaluation by the same rule as the records, and aggregates over the stored scores
    of a run."""

    info: ProtocolInfo

    @abstractmethod
    def score_item(self, reference: Any, prediction: Prediction, options: Options) -> Score:
        """`reference` is what the task's items carry (`core.evaluation.tasks`)."""

    @abstractmethod
    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """What the metrics over these items are computed from, and the counts of metrics that are no mean over items.

        Every item is scored. The tally's `unit_of` has an entry for each item, in order; where scores are about steps
        its units are the episodes, in order of first appearance.
        """


class StepScorer(AggregatingScorer):
    """Scores action predictions step by step: its items are steps."""

    def score_item(self, reference: Step, prediction: Prediction, options: Options) -> Score:
        return self.score_step(reference, prediction, options)

    @abstractmethod
    def score_step(self, step: Step, prediction: Prediction, options: Options) -> Score:
        """`step` carries observation and reference action."""

    @abstractmethod
    def region(self, step: Step, options: Options) -> Region | None:
        """Where a tap counts as right on this step, clipped as the rule clips; None when the rule has no such place."""


class LazyDetails(Sequence[Mapping[str, Any]]):
    """Details made when they are asked for: a million of them would cost more than the scoring."""

    def __init__(self, count: int, make: Callable[[int], Mapping[str, Any]]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        if isinstance(place, slice):
            return [self._make(row) for row in range(*place.indices(self._count))]
        return self._make(range(self._count)[place])


def unusable(prediction: Prediction, **parts: float) -> Score:
    """The score of a prediction without an action: wrong, and null when it is no answer at all."""
    null = prediction.status is not PredictionStatus.MALFORMED
    return Score.unusable(prediction.why or NO_PREDICTION, null=null, **parts)
