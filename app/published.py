"""The papers' numbers beside a run's: which ones, and whether they are about the run's data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.provenance import is_sample
from core.domain.run import Run, RunState
from core.scoring.published import best

if TYPE_CHECKING:
    from core.evaluation.rules import Scoring


@dataclass(frozen=True, slots=True)
class Beside:
    """A paper's number as a fraction, its place in words, and whether it is about other data than the run."""

    value: float
    words: str
    elsewhere: bool


def beside_run(run: Run, scoring: Scoring, metrics: Iterable[str], *, left_out: bool = False) -> dict[str, Beside]:
    """The numbers to show beside the run's under that rule, by metric; those that no paper has are not in it.

    `left_out`: items were taken out of the run's numbers. Raises UsageError for a protocol that is not known here.
    """
    spec = run.spec
    # the sample is in formats of ours, and may call its splits as a data set does
    format, split = ("", "") if is_sample(spec.source) else (spec.format, spec.split)
    whole = spec.whole and run.state is RunState.DONE and not left_out
    options = dict(scoring.options)
    found = {metric: best(scoring.protocol, metric, options, format=format, split=split) for metric in metrics}
    return {
        metric: Beside(number.value, number.words(format, split, whole=whole),
                       not number.same_data(format, split, whole=whole))
        for metric, number in found.items() if number is not None
    }  # fmt: skip
