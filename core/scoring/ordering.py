"""The `ordering` protocol: how near a predicted order of steps comes to the right ones.

Rules and their sources: `ordering_match` (paper, ours), docs/protocols/ordering.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.prediction import OrderAnswer, Prediction, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import UserError
from stepscope.core.scoring.fields import Identity
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.order_references import OF_DATA, References, references_of
from stepscope.core.scoring.ordering_match import METRICS, best_of, measure, scores, width_for
from stepscope.core.scoring.ordering_records import OrderingAnswerKind, OrderingRecord, read_record
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    AggregatingScorer,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, ratio
from stepscope.core.scoring.tally import IntArray, Tally

INFO = ProtocolInfo(
    name="ordering",
    title="Step ordering",
    task=Task.ORDERING,
    version="1",
    source="Wu et al. 2022, section 5.1, and the released evaluation",
    options=(
        Option("multi_reference", "joint", "with several right orders: all metrics against the one that is best, or "
               "each metric against its own best", "paper", ("joint", "per_metric")),
        Option("references", OF_DATA, "the right orders: those of the data, or those of a file in their place, as "
               "people voted them", "paper"),
    ),
    metrics=METRICS,
    main="accuracy",
    rules=(
        Rule("accuracy is the share of positions that hold the right item, pmr the share of documents that are right "
             "throughout; means over documents.", "paper"),
        Rule("distance is the mean over items of how far the predicted position is from the right one. (The released "
             "code reports the sum per document.)", "paper"),
        Rule("lcs_subsequence and lcs_substring are the lengths of the longest common subsequence and of the longest "
             "common stretch, in items.", "paper"),
        Rule("kendall_tau is 1 - 2 * inversions / (N * (N - 1) / 2).", "paper"),
        Rule("For a single item accuracy, pmr and kendall_tau of the right order are 1.", "code"),
        Rule("joint takes, for each document, the one reference that is best by accuracy, pmr, lcs_substring, "
             "lcs_subsequence, kendall_tau and the shorter distance, compared in that order. (The released code "
             "prefers the longer distance.)", "ours"),
        Rule("A prediction that does not name each item exactly once is malformed: every metric is 0, distance the "
             "number of items.", "ours"),
        Rule("Items are compared by JSON type and value: 1 and \"1\" and true are three items, 1 and 1.0 one.", "ours"),
        Rule("With a file of references the orders that it lists for a document take the place of the document's own. "
             "(People vote on alternative orders; the file is ours.)", "paper"),
        Rule("No reference, or one without items: unscored. References that are no permutations of one another, or "
             "name an item twice: bad input.", "ours"),
    ),
    lower_is_better=frozenset({"distance"}),
)  # fmt: skip

_STATISTICS = {name: ratio(column, len(METRICS)) for column, name in enumerate(METRICS)}
_DISTANCE, _PMR, _ACCURACY = METRICS.index("distance"), METRICS.index("pmr"), METRICS.index("accuracy")


@dataclass(slots=True)
class _OrderColumns:
    """All records by columns, one entry a record. Orders are kept by matrix width."""

    lines: array[int] = field(default_factory=lambda: array("q"))
    ids: list[Identity] = field(default_factory=list)
    words: array[int] = field(default_factory=lambda: array("b"))
    items: array[int] = field(default_factory=lambda: array("q"))
    references: array[int] = field(default_factory=lambda: array("q"))
    shelves: dict[int, _WidthGroup] = field(default_factory=dict)

    def add(self, record: OrderingRecord) -> None:
        if record.word is OrderingAnswerKind.ORDER:
            width = width_for(record.items)
            shelf = self.shelves.get(width) or self.shelves.setdefault(width, _WidthGroup())
            shelf.add(len(self.lines), record, width)
        self.lines.append(record.line)
        self.ids.append(record.id)
        self.words.append(record.word)
        self.items.append(record.items)
        self.references.append(len(record.orders) // record.items if record.items else 0)


@dataclass(slots=True)
class _WidthGroup:
    """Orders of one matrix width: `rows` are the records, `orders` and `predictions` their numbers in a row."""

    rows: array[int] = field(default_factory=lambda: array("q"))
    orders: array[int] = field(default_factory=lambda: array("i"))
    predictions: array[int] = field(default_factory=lambda: array("i"))

    def add(self, row: int, record: OrderingRecord, width: int) -> None:
        self.rows.append(row)
        if width == record.items:
            self.orders.extend(record.orders)
            self.predictions.extend(record.prediction)
            return
        tail = range(record.items, width)
        for start in range(0, len(record.orders), record.items):
            self.orders.extend(record.orders[start : start + record.items])
            self.orders.extend(tail)
        self.predictions.extend(record.prediction)
        self.predictions.extend(tail)


class OrderingScorer(RecordScorer, AggregatingScorer):
    """Scorer of `ordering`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        sheet, others = _OrderColumns(), references_of(options.get("references", OF_DATA))
        for record in records.each(lambda line, form: read_record(line, _with(form, others)), exact=True):
            sheet.add(record)
        words, items = np.array(sheet.words, dtype=np.int8), np.array(sheet.items, dtype=np.int64)
        values, taken = _scores(sheet, items, joint=options["multi_reference"] == "joint")
        scored = words != OrderingAnswerKind.UNSCORED
        values[~scored] = np.nan
        n, null = int(scored.sum()), int((words == OrderingAnswerKind.NULL).sum())
        details = _OrderDetails(sheet, values, taken, joint=options["multi_reference"] == "joint")
        return RecordScores(
            tally=_tally(values[scored], np.where(scored, np.cumsum(scored) - 1, -1)),
            n=n,
            unscored=len(words) - n,
            malformed=null + int((words == OrderingAnswerKind.NO_PERMUTATION).sum()),
            null=null,
            details=LazyDetails(len(words), details.row),
        )

    def score_item(self, reference: Procedure, prediction: Prediction, options: Options) -> Score:
        """The predicted order of a procedure's step ids, as a record of its own; the parts are the six metrics. The
        value is `accuracy`, which is 1 only when the order is right throughout."""
        if not reference.ordered:
            return Score.unscored("The data says that these steps have no order.")
        answer = prediction.answer
        order = list(answer.order) if isinstance(answer, OrderAnswer) else None
        orders = _orders_of(reference, references_of(options.get("references", OF_DATA)))
        sheet, joint = _OrderColumns(), options["multi_reference"] == "joint"
        sheet.add(read_record(1, {"id": reference.id, "references": orders, "prediction": order}))
        values, taken = _scores(sheet, np.array(sheet.items, dtype=np.int64), joint=joint)
        why = str(_OrderDetails(sheet, values, taken, joint=joint).row(0)["why"])
        parts = dict(zip(METRICS, values[0].tolist(), strict=True))
        match OrderingAnswerKind(sheet.words[0]):
            case OrderingAnswerKind.UNSCORED:
                return Score.unscored("The procedure has no steps.")
            case OrderingAnswerKind.NULL:
                return unusable(prediction, **parts)
            case OrderingAnswerKind.NO_PERMUTATION:
                return Score.unusable(why, null=False, **parts)
        return Score(ScoreStatus.SCORED, parts["accuracy"], why, parts=tuple(parts.items()))

    def reference_taken(self, reference: Procedure, order: Sequence[str]) -> int:
        """The place, in `reference.references`, of the order that `joint` holds this one against; 0 for an order that
        does not name each step once."""
        orders, sheet = [list(one) for one in reference.references], _OrderColumns()
        sheet.add(read_record(1, {"id": reference.id, "references": orders, "prediction": list(order)}))
        return int(_scores(sheet, np.array(sheet.items, dtype=np.int64), joint=True)[1][0])

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Every item is a unit."""
        return _tally(items.parts(*METRICS), np.arange(len(items))), {}


def _with(form: Mapping[str, Any], others: References) -> Mapping[str, Any]:
    """The record with the references that a file has for it."""
    name = form.get("id")
    return {**form, "references": others[name]} if isinstance(name, str | int) and name in others else form


def _orders_of(reference: Procedure, others: References) -> list[list[str]]:
    """The procedure's right orders, those of the file where it names it. Raises UserError for other steps."""
    mine = [list(one) for one in reference.references]
    given = [list(one) for one in others.get(reference.id, mine)]
    if sorted(map(str, given[0])) != sorted(mine[0]):
        hint = "Make the references from this data."
        raise UserError("the file of references has other steps for it.", record=reference.id, hint=hint)
    return given


def _scores(sheet: _OrderColumns, items: IntArray, *, joint: bool) -> tuple[FloatArray, NDArray[np.int32]]:
    """Each record's metrics, (records, 6), those of no use included, and the number of the reference it was held
    against."""
    values = np.zeros((len(items), len(METRICS)))
    values[:, _DISTANCE] = items
    taken = np.zeros(len(items), dtype=np.int32)
    counts = np.array(sheet.references, dtype=np.int64)
    for width, shelf in sheet.shelves.items():
        rows = np.array(shelf.rows, dtype=np.int64)
        owner = np.repeat(np.arange(len(rows)), counts[rows])
        orders = np.array(shelf.orders, dtype=np.int32).reshape(-1, width)
        predictions = np.array(shelf.predictions, dtype=np.int32).reshape(-1, width)
        measures = measure(_rankings(orders, predictions, owner), items[rows][owner])
        first = np.cumsum(counts[rows]) - counts[rows]
        best, reference = best_of(measures, first, owner, joint=joint)
        values[rows], taken[rows] = scores(best, items[rows]), reference
    return values, taken


def _rankings(orders: NDArray[np.int32], predictions: NDArray[np.int32], owner: IntArray) -> NDArray[np.int32]:
    """Predictions in their references' numbers; one row for each reference."""
    width = orders.shape[1]
    places = np.empty_like(orders)
    np.put_along_axis(places, orders, np.arange(width, dtype=np.int32)[None, :], axis=1)
    return np.take_along_axis(places, predictions[owner], axis=1)


def _tally(values: FloatArray, unit_of: IntArray) -> Tally:
    """Unweighted means over documents; the document is what intervals resample."""
    sums = np.ones((len(values), len(METRICS) + 1))
    sums[:, :-1] = values
    return Tally(sums, _STATISTICS, unit_of, yes_no={"pmr": values[:, _PMR]})


class _OrderDetails:
    """The lines of details, one a record."""

    def __init__(self, sheet: _OrderColumns, values: FloatArray, taken: NDArray[np.int32], *, joint: bool) -> None:
        self._sheet, self._values, self._taken, self._joint = sheet, values, taken, joint

    def row(self, row: int) -> Mapping[str, Any]:
        word = OrderingAnswerKind(self._sheet.words[row])
        scored = word is not OrderingAnswerKind.UNSCORED
        values: Sequence[float | None] = self._values[row].tolist() if scored else [None] * len(METRICS)
        return {
            "record": self._sheet.lines[row],
            "id": self._sheet.ids[row],
            "status": "scored" if scored else "unscored",
            "malformed": word in (OrderingAnswerKind.NO_PERMUTATION, OrderingAnswerKind.NULL),
            "null": word is OrderingAnswerKind.NULL,
            **dict(zip(METRICS, values, strict=True)),
            "why": self._why(row, word),
        }

    def _why(self, row: int, word: OrderingAnswerKind) -> str:
        match word:
            case OrderingAnswerKind.UNSCORED:
                return "No reference order."
            case OrderingAnswerKind.NULL:
                return NO_PREDICTION
            case OrderingAnswerKind.NO_PERMUTATION:
                return "The prediction does not name each item once."
        items, references = self._sheet.items[row], self._sheet.references[row]
        why = f"{round(self._values[row, _ACCURACY] * items)} of {items} positions right."
        if references == 1:
            return why
        if self._joint:
            return f"{why} Against reference {self._taken[row] + 1} of {references}."
        return f"{why} Each metric against its own best of {references} references."
