"""The `order_agreement` protocol: how far annotators agree on the order of steps, or on alternative orders.

Rules and their sources: `order_agreement_match` (paper, ours), docs/protocols/order_agreement.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.scoring import fields
from stepscope.core.scoring.order_agreement_match import AnnotatorAgreement, Turned, agreement, turned
from stepscope.core.scoring.ordering_records import numbered_items, numbers_of
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import LazyDetails, Options, ProtocolInfo, RecordScorer, RecordScores, Rule
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import Tally

INFO = ProtocolInfo(
    name="order_agreement",
    title="Agreement on orders",
    task=None,
    version="1",
    source="Wu et al. 2022, appendix B.3",
    options=(),
    metrics=("kappa",),
    main="kappa",
    rules=(
        Rule("An order is the 0/1 vector over all ordered pairs of items, 1 when the first precedes the second; two "
             "orders are compared by Cohen's kappa.", "paper"),
        Rule("An instance in which every annotator gave exactly one order: kappa over the full vectors, mean over the "
             "pairs of annotators.", "paper"),
        Rule("Otherwise: the best matching pair of two annotators' orders is taken again and again, each order used "
             "once; orders left over are compared with the original order.", "paper"),
        Rule("Kappa is then of the two orders' own vectors at the positions where either differs from the original. "
             "(The paper's example mixes this with vectors of differences.)", "ours"),
        Rule("Of pairs that match equally well the one with the earliest order of the first annotator, then of the "
             "second.", "ours"),
        Rule("An instance is the mean over all scores of all pairs of annotators; the whole is the mean over "
             "instances.", "paper"),
        Rule("No differing position, or vectors that agree everywhere: 1.", "ours"),
        Rule("A single annotator, or nobody with an order: unscored. A list that does not name each item once: bad "
             "input.", "ours"),
    ),
)  # fmt: skip

_STATISTICS = {"kappa": ratio(0, 1)}


class OrderAgreementRecord(NamedTuple):
    """`annotators` have the orders that each gave, by the pairs that they turn round against the original."""

    line: int
    id: fields.Identity
    items: int
    annotators: tuple[tuple[Turned, ...], ...]


class OrderAgreementScorer(RecordScorer):
    """Record scorer of `order_agreement`. Nothing is predicted, so nothing is malformed."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = [_judged(record) for record in records.each(read_record, exact=True)]
        kappas = np.array([one.found.kappa for one in found], dtype=np.float64)  # None becomes NaN
        scored = ~np.isnan(kappas)
        n = int(scored.sum())
        sums = np.stack([kappas[scored], np.ones(n)], axis=1)
        return RecordScores(
            tally=Tally(sums, _STATISTICS, np.where(scored, np.cumsum(scored) - 1, -1)),
            n=n,
            unscored=len(found) - n,
            malformed=0,
            null=0,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
        )


def read_record(line: int, record: Mapping[str, Any]) -> OrderAgreementRecord:
    """Raises UserError with the line and the bad field."""
    name = fields.identity(record, "id", line)
    numbers = numbered_items(fields.required(record, "original", line), "original", line)
    given = fields.mapping(fields.required(record, "annotators", line), "annotators", line)
    annotators = []
    for person, value in given.items():
        field = f"annotators.{fields.quoted_value(person)}"
        orders = fields.list_of(value, field, line)
        row = numbers_of(orders, numbers, field, line)
        size = len(numbers)
        annotators.append(tuple(turned(row[at * size : (at + 1) * size]) for at in range(len(orders))))
    return OrderAgreementRecord(line, name, len(numbers), tuple(annotators))


class _AgreementRecordVerdict(NamedTuple):
    line: int
    id: fields.Identity
    people: int
    found: AnnotatorAgreement


def _judged(record: OrderAgreementRecord) -> _AgreementRecordVerdict:
    people = len(record.annotators)
    return _AgreementRecordVerdict(record.line, record.id, people, agreement(record.annotators, record.items))


def _detail(one: _AgreementRecordVerdict) -> Mapping[str, Any]:
    return {
        "record": one.line,
        "id": one.id,
        "status": "unscored" if one.found.kappa is None else "scored",
        "malformed": False,
        "null": False,
        "kappa": one.found.kappa,
        "why": _why(one),
    }


def _why(one: _AgreementRecordVerdict) -> str:
    if one.people < 2:
        return "Fewer than two annotators."
    if one.found.kappa is None:
        return "Nobody gave an order."
    kind = "One order each" if one.found.standard else "Alternative orders"
    return f"{kind}: mean of {_counted(one.found.scores, 'score')} of {one.people} annotators."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
