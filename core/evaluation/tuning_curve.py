"""What a checkpoint gains while it is fine-tuned: its metrics before, and after every so many moves, by LoRA rank.

Source of the form: Navi-plus, appendix G.2, figure 4 (ranks 16 and 64, epochs 0 to 2, every 200 steps).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.report_numbers import MetricLine
from stepscope.core.frozen import dataclass
from stepscope.core.spreadsheet import write_rows

UNTUNED = 0
"""The rank of the checkpoint as it was before."""
_SHOWN: Mapping[Task, tuple[str, ...]] = {Task.ASK: ("ssr", "sr", "ask_f1")}
"""Metrics that are drawn, where the rule's main one is not enough."""


@dataclass(frozen=True, slots=True)
class TuningPoint:
    """A model after so many moves, which are so many epochs, as the stored run tells it; `n` items were scored and
    `errors` failed."""

    rank: int
    moves: int
    epochs: float
    model: str
    run: str
    n: int
    errors: int
    lines: tuple[MetricLine, ...]

    def line(self, metric: str) -> MetricLine | None:
        return next((one for one in self.lines if one.name == metric), None)


@dataclass(frozen=True, slots=True)
class TuningCurve:
    """`model` is the checkpoint that was tuned, `data` the name of what it is measured on under `protocol`. The first
    point is the untouched model's, those of each rank follow in their order. `learned`: so many of the `episodes` that
    are measured on were learned from."""

    model: str
    task: Task
    protocol: str
    data: str
    split: str
    episodes: int
    learned: int
    points: tuple[TuningPoint, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        """The metrics that are drawn and printed."""
        first = self.points[0]
        wanted = [name for name in _SHOWN.get(self.task, ()) if first.line(name) is not None]
        return tuple(wanted) or tuple(one.name for one in first.lines if one.main)

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(one.rank for one in self.points if one.rank != UNTUNED))

    def of_rank(self, rank: int) -> tuple[TuningPoint, ...]:
        """The rank's points from the untouched model on."""
        return tuple(one for one in self.points if one.rank in (UNTUNED, rank))

    def form(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "model": self.model,
            "task": self.task.value,
            "protocol": self.protocol,
            "data": self.data,
            "split": self.split,
            "episodes": self.episodes,
            "learned_from": self.learned,
            "points": [_form(one) for one in self.points],
        }

    def csv(self) -> str:
        """One row a point and metric."""
        columns = ("rank", "moves", "epochs", "model", "run", "n", "errors", "metric", "value", "low", "high")
        rows = [
            [one.rank or None, one.moves, round(one.epochs, 6), one.model, one.run, one.n, one.errors,
             line.name, line.value, *(line.interval or (None, None))]
            for one in self.points
            for line in one.lines
        ]  # fmt: skip
        text = io.StringIO()
        write_rows(text, [columns, *rows])
        return text.getvalue()


def _form(point: TuningPoint) -> dict[str, Any]:
    metrics = {
        one.name: {"value": one.value, "interval": list(one.interval) if one.interval else None, "n": one.n}
        for one in point.lines
    }
    return {
        "rank": point.rank or None,
        "moves": point.moves,
        "epochs": round(point.epochs, 6),
        "model": point.model,
        "run": point.run,
        "n": point.n,
        "errors": point.errors,
        "metrics": metrics,
    }
