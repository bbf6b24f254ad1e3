"""Scores: a rule's value for one item, and metrics over many."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from stepscope.core.frozen import dataclass


class ScoreStatus(StrEnum):
    """scored: has a value; unscored: no usable reference; error: the rule or the predictor broke on this item."""

    SCORED = "scored"
    UNSCORED = "unscored"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Score:
    """`value` is 0..1 (1 is right), None unless scored; `why` says in words and numbers how it came about.

    `malformed`: there was no usable prediction, which is wrong; `null` tells that it was none at all rather than one
    that makes no sense. `parts` holds the rule's own intermediate values by name (for example action and grounding).
    """

    status: ScoreStatus
    value: float | None
    why: str
    malformed: bool = False
    parts: tuple[tuple[str, float], ...] = ()
    null: bool = False

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status is ScoreStatus.SCORED):
            raise ValueError(f"a score that is {self.status} cannot have the value {self.value}")

    @classmethod
    def scored(cls, value: float, why: str, *, malformed: bool = False, **parts: float) -> Score:
        return cls(ScoreStatus.SCORED, float(value), why, malformed, tuple(parts.items()))

    @classmethod
    def unusable(cls, why: str, *, null: bool, **parts: float) -> Score:
        """Wrong for want of a usable prediction; `null`: there was none at all."""
        return cls(ScoreStatus.SCORED, 0.0, why, True, tuple(parts.items()), null)

    @classmethod
    def unscored(cls, why: str) -> Score:
        return cls(ScoreStatus.UNSCORED, None, why)

    @classmethod
    def error(cls, why: str) -> Score:
        return cls(ScoreStatus.ERROR, None, why)

    @property
    def right(self) -> bool:
        return self.value == 1.0


@dataclass(frozen=True, slots=True)
class Metrics:
    """Aggregates over a run or a record file. A metric over nothing is None, never 0.

    `malformed` of the `n` scored things had no usable prediction, `null` of these none at all.
    """

    values: tuple[tuple[str, float | None], ...]
    n: int
    unscored: int = 0
    malformed: int = 0
    null: int = 0
    errors: int = 0
    intervals: tuple[tuple[str, tuple[float, float]], ...] = field(default=())
    counts: tuple[tuple[str, int], ...] = field(default=())
    """How many things (episodes) those metrics average over that are no mean over the n items."""

    def n_of(self, metric: str) -> int:
        """How many things the metric is a mean over."""
        return dict(self.counts).get(metric, self.n)

    def as_dict(self) -> dict[str, float | None]:
        return dict(self.values)
