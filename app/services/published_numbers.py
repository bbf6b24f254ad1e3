"""The papers' numbers beside a run's: which ones, and whether they are about the run's data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from stepscope.app.services.provenance import is_made_here
from stepscope.core.domain.run import Run, RunState
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.published_numbers import best, of_protocol

if TYPE_CHECKING:
    from stepscope.core.evaluation.rules import Scoring


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """A paper's number as a fraction, its place in words, and whether it is about other data than the run."""

    value: float
    words: str
    elsewhere: bool


def beside_run(
    run: Run, scoring: Scoring, metrics: Iterable[str], *, left_out: bool = False
) -> dict[str, PublishedComparison]:
    """The numbers to show beside the run's under that rule, by metric; those that no paper has are not in it, and none
    is beside a score of the sample.

    `left_out`: items were taken out of the run's numbers. Raises UsageError for a protocol that is not known here.
    """
    if is_made_here(run.spec.source):
        return {}
    format, split, whole = _data_of(run, left_out)
    options = dict(scoring.options)
    found = {metric: best(scoring.protocol, metric, options, format=format, split=split) for metric in metrics}
    return {
        metric: PublishedComparison(number.value, number.words(format, split, whole=whole),
                       not number.same_data(format, split, whole=whole))
        for metric, number in found.items() if number is not None
    }  # fmt: skip


def all_beside(
    run: Run, scoring: Scoring, metric: str, *, left_out: bool = False
) -> list[tuple[str, PublishedComparison]]:
    """Every published number of the metric under that rule with its model, in the papers' order: what is easy or
    possible at all, too. Beside the sample there is none."""
    if is_made_here(run.spec.source):
        return []
    format, split, whole = _data_of(run, left_out)
    options = dict(scoring.options)
    return [
        (number.model, PublishedComparison(number.value, number.words(format, split, whole=whole),
                              not number.same_data(format, split, whole=whole)))
        for number in of_protocol(scoring.protocol) if number.metric == metric and number.fits(options)
    ]  # fmt: skip


def _data_of(run: Run, left_out: bool) -> tuple[str, str, bool]:
    """Format and split of the run's data, and whether it is about the whole of it."""
    spec = run.spec
    whole = spec.whole and run.state is RunState.DONE and not left_out
    return spec.format, spec.split, whole
