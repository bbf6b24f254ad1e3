"""Cells of a paper's table that are what people or a judge said of texts: shares with their intervals, who judged how
much, and what is to be done where nobody did. docs/protocols/intent.md has the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

from stepscope.app.services import judging
from stepscope.app.services.judging import JudgingResult, Origins
from stepscope.app.services.reproduction.judged_columns import WrittenRow
from stepscope.app.services.reproduction.planning import TableData
from stepscope.app.services.reproduction.tables import PaperColumn
from stepscope.core.domain.judgement import REFERENCE, JudgeId, OriginKind, TextOrigin
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.evaluation.judging import SECOND, JudgedRates
from stepscope.core.evaluation.report_numbers import Interval
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.intent_match import RELATIONS
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import judgements as judgement_rows

RATE_OF: Mapping[str, str] = MappingProxyType({"fulfillment": SECOND, **{name: name for name in RELATIONS}})
"""The metrics of `intent` and what they are called among the rates of a run's texts, which stand second."""


@dataclass(frozen=True, slots=True)
class CellNumber:
    """What one run, or what people wrote, comes to in a cell: a number over `n` items or pairs with its 95 % interval,
    each None where there is none. `missing` says why, or that there is more to judge; `remarks` who judged how many.
    `errors` are items of the run that failed, `run` is its id."""

    value: float | None = None
    interval: Interval | None = None
    n: int = 0
    missing: str = ""
    remarks: tuple[str, ...] = ()
    errors: int = 0
    run: str = ""

    @property
    def known(self) -> bool:
        """Whether it is shown: a metric over nothing is, with no value."""
        return self.value is not None or not self.missing


class JudgedCells:
    """Looks up what was said, the pairs of two origins once. `judge` is the name of the judge to show, "" for the only
    one that said something."""

    def __init__(self, database: Database, judge: str) -> None:
        self._database, self._judge = database, judge
        self._found: dict[tuple[int, Origins], JudgingResult] = {}

    def of_run(self, column: PaperColumn, data: TableData, run_id: str, episodes: int) -> CellNumber:
        """The column's share among the run's pairs; it was to answer so many episodes. Raises UserError where the data
        cannot be read."""
        found = self._pairs(data, (REFERENCE, TextOrigin(OriginKind.RUN, run_id)))
        if not found.listed.pairs:
            return CellNumber(missing=f"No answer of run {run_id} can be judged: it gave none.")
        people = _people(found.rates)
        if column.judged == "people" or (column.judged == "any" and people is not None):
            if people is None:
                return CellNumber(missing=_unjudged(run_id))
            return self._share(column, found, None, run_id, episodes)
        judge = self._judge_of(found, run_id)
        if isinstance(judge, str):
            return CellNumber(missing=judge)
        return self._share(column, found, judge, run_id, episodes)

    def of_written(self, column: PaperColumn, data: TableData, row: WrittenRow) -> CellNumber:
        """The column's share among what people wrote: the mean over people, or over each two of them. The interval is
        that of as many pairs. Raises UserError where the data cannot be read."""
        with self._database.reading() as db:
            names = judgement_rows.authors(db, str(data.source.path))
        people = [TextOrigin(OriginKind.PERSON, name) for name in names]
        every: list[Origins] = list(combinations(people, 2))
        if row.beside == "reference":
            every = [(REFERENCE, person) for person in people]
        if not every:
            return CellNumber(missing=_unwritten(len(people)))
        results = [self._pairs(data, origins) for origins in every]
        said = [rates for found in results if (rates := _people(found.rates)) is not None]
        shares = [one.rates[RATE_OF[column.metric]] for one in said]
        values = [one.value for one in shares if one.value is not None]
        if not values:
            beside = "the recorded goals" if row.beside == "reference" else "each other"
            what = f"Nobody has judged what people wrote against {beside} yet. Choose the two in Judge."
            return CellNumber(missing=f"{what} Or take judgements over: stepscope judgements import.")
        value, n = sum(values) / len(values), sum(one.n for one in shares)
        judged, pairs = sum(one.pairs for one in said), sum(len(found.listed.pairs) for found in results)
        remarks = (
            f"Written by {_counted(len(people))}: {judged:,} of {pairs:,} pairs judged.",
            *_rejected(sum(one.rejected for one in said)),
            *_papers(column, n),
        )
        return CellNumber(value, wilson(value * n, n), n, "", remarks)

    def _pairs(self, data: TableData, origins: Origins) -> JudgingResult:
        key = (data.source_id, origins)
        if key not in self._found:
            known_as = str(data.source.path)
            self._found[key] = judging.judged(self._database, data.source_id, data.source, known_as, origins)
        return self._found[key]

    def _judge_of(self, found: JudgingResult, run_id: str) -> JudgeId | str:
        """The judge whose judgements are shown, or what is to be done for one."""
        models = [one.judge for one in found.rates if one.judge is not None and one.judge.by_model]
        chosen = [one for one in models if self._judge in ("", one.name)]
        if len(chosen) == 1:
            return chosen[0]
        if len(chosen) > 1:
            names = ", ".join(one.name for one in chosen)
            what = f"Run {run_id} was judged by {names}: which is shown is named on the command line."
            return f"{what} Give --judge with one of them."
        what = f"Run {run_id} was not judged by {self._judge or 'a judge'} yet. Ask it in Judge."
        ask = f"stepscope judgements ask {run_id} --judge {self._judge or 'NAME'}"
        return f"{what} Give --judge NAME, such as rules. Or: {ask}."

    def _share(
        self, column: PaperColumn, found: JudgingResult, judge: JudgeId | None, run_id: str, episodes: int
    ) -> CellNumber:
        """What people (`judge` None) or a judge said of the column's pairs, among which there may be none."""
        every: Sequence[JudgedRates] = found.rates
        pairs = [one for one in found.listed.pairs if column.app is None or (one.app or "") == column.app]
        if column.app is not None:
            every = judging.rates_by(found.judgements, found.listed, "app").get(column.app, ())
        rates = _people(every) if judge is None else next((one for one in every if one.judge == judge), None)
        who = judge.name if judge is not None else _people_words(every)
        if rates is None:
            return CellNumber(missing=f"No pair of it was judged in run {run_id}. Judge some in Judge.")
        rate = rates.rates[RATE_OF[column.metric]]
        open_words = ""
        if judge is not None and rates.pairs < len(pairs):
            open_words = f"{who} has judged {rates.pairs:,} of {len(pairs):,} pairs of run {run_id}."
            open_words += f" Ask it again in Judge. Or run the table again with --judge {who}."
        if rate.value is None:
            open_words = open_words or f"Every judged pair of run {run_id} was rejected or has an answer open."
        remarks = (
            f"{rates.pairs:,} of {len(pairs):,} pairs judged, by {who}.",
            *_rejected(rates.rejected),
            *_unanswered(episodes - len(found.listed.pairs)),
            *_papers(column, rate.n),
        )
        interval = None if rate.value is None else (rate.low, rate.high)
        return CellNumber(rate.value, interval, rate.n, open_words, remarks)


def _people(every: Sequence[JudgedRates]) -> JudgedRates | None:
    """What people said together, or the only one who said something."""
    return next((one for one in every if one.judge is None or not one.judge.by_model), None)


def _people_words(every: Sequence[JudgedRates]) -> str:
    """How many people judged: they are counted, not named."""
    people = sum(one.judge is not None and not one.judge.by_model for one in every)
    return _counted(people) + " together" * (people > 1)


def _counted(people: int) -> str:
    return "1 person" if people == 1 else f"{people:,} people"


def _unjudged(run_id: str) -> str:
    return (
        f"Nobody has judged run {run_id} yet. Choose it in Judge. Or take judgements over: stepscope judgements import."
    )


def _unwritten(people: int) -> str:
    if people:
        return "Only one person has written goals. Two are needed: write some in Judge under another name."
    what = "Nobody has written goals for this data yet. Write some in Judge (W)."
    return f"{what} Or take them over: stepscope judgements import."


def _rejected(rejected: int) -> tuple[str, ...]:
    return (f"Rejected as bad data: {rejected:,}.",) if rejected else ()


def _unanswered(without: int) -> tuple[str, ...]:
    return (f"Without an answer or a recorded goal, so that they are no pairs: {without:,}.",) if without > 0 else ()


def _papers(column: PaperColumn, n: int) -> tuple[str, ...]:
    """Over how many pairs the paper's number is, where ours is over another number of them."""
    return (f"The paper has {column.pairs:,} pairs.",) if column.pairs not in (None, n) else ()
