"""The `label_agreement` protocol: how far annotators label the same items alike, for record files.

The coefficients and their sources are in `agreement`; rules and marks in docs/protocols/label_agreement.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.scoring import fields
from stepscope.core.scoring.agreement import (
    Label,
    LabelPairs,
    fleiss_kappa,
    krippendorff_alpha,
    label_code,
    label_pairs,
    mean_over_pairs,
)
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import LazyDetails, Options, ProtocolInfo, RecordScorer, RecordScores, Rule
from stepscope.core.scoring.statistics import FloatArray, group_sums
from stepscope.core.scoring.tally import Tally, Weighted

INFO = ProtocolInfo(
    name="label_agreement",
    title="Agreement of annotators on labels",
    task=None,
    version="1",
    source="Cohen 1960, as mean over pairs in User goals from UI trajectories (2024), section 3.2",
    options=(),
    metrics=("kappa", "observed"),
    main="kappa",
    rules=(
        Rule("kappa is Cohen's kappa of each pair of annotators over the items that both labelled, mean over pairs.",
             "paper"),
        Rule("observed is the share of these items with equal labels, mean over pairs.", "ours"),
        Rule("Two annotators who gave one and the same label throughout have kappa 1.", "ours"),
        Rule("A pair without a common item is left out of the mean; an item with fewer than two labels is unscored.",
             "ours"),
        Rule('Labels are text, numbers, true or false, compared with their JSON type: "1", 1 and true differ, 1 and '
             "1.0 do not. A null label is no label.", "ours"),
        Rule("fleiss_kappa has a value when every scored item has equally many labels; krippendorff_alpha is the "
             "nominal one over all scored items.", "ours"),
    ),
)  # fmt: skip


class LabelRecord(NamedTuple):
    """`labels` by annotator, null ones left out."""

    line: int
    id: fields.Identity
    labels: dict[str, Label]


class LabelAgreementScorer(RecordScorer):
    """Record scorer of `label_agreement`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(read_record, exact=True))
        scored = np.array([len(record.labels) >= 2 for record in found], dtype=np.bool_)
        unit_of = np.where(scored, np.cumsum(scored) - 1, -1)
        items = [record.labels for record in found if len(record.labels) >= 2]
        pairs = label_pairs(items)
        tally = Tally(
            sums=np.zeros((len(items), 0)),
            statistics={},
            unit_of=unit_of,
            weighted={"kappa": _mean_of(pairs.kappas), "observed": _mean_of(pairs.observed)},
        )
        own = group_sums(pairs.item, pairs.first == pairs.second, len(items))
        return RecordScores(
            tally=tally,
            n=len(items),
            unscored=len(found) - len(items),
            malformed=0,
            null=0,
            details=LazyDetails(len(found), lambda row: _detail(found[row], unit_of[row], own)),
            extra={"agreement": _coefficients(items), "pairs": _by_pair(pairs, len(items))},
            counts=dict.fromkeys(INFO.metrics, len(pairs.names)),
        )


def read_record(line: int, record: Mapping[str, Any]) -> LabelRecord:
    """Raises UserError with the line and the bad field."""
    labels = fields.mapping(fields.required(record, "labels", line), "labels", line)
    return LabelRecord(
        line,
        fields.identity(record, "id", line),
        {name: _label(value, name, line) for name, value in labels.items() if value is not None},
    )


def _label(value: object, name: str, line: int) -> Label:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        fields.number(value, f"labels[{fields.quoted_value(name)}]", line)
        return value
    raise fields.bad_field(
        line,
        f"labels[{fields.quoted_value(name)}]",
        f"must be text, a number, true, false or null, not {fields.quoted_value(value)}",
    )


def _mean_of(values: Callable[[FloatArray], FloatArray]) -> Weighted:
    """The mean over pairs, draw by draw: each draw has items, and perhaps pairs, of its own."""

    def metric(weights: FloatArray) -> FloatArray:
        return np.array([mean_over_pairs(values(row)) for row in weights])

    return metric


def _coefficients(items: Sequence[Mapping[str, Label]]) -> dict[str, float | None]:
    codes: dict[tuple[bool, Label], int] = {}
    item = np.repeat(np.arange(len(items)), [len(labels) for labels in items])
    label = np.array([label_code(label, codes) for labels in items for label in labels.values()], dtype=np.int64)
    found = {"fleiss_kappa": fleiss_kappa(item, label), "krippendorff_alpha": krippendorff_alpha(item, label)}
    return {name: None if math.isnan(value) else value for name, value in found.items()}


def _by_pair(pairs: LabelPairs, items: int) -> list[dict[str, Any]]:
    """What the means are over, pair by pair."""
    alike = np.ones(items)
    rows = zip(pairs.names, pairs.sizes(), pairs.kappas(alike), pairs.observed(alike), strict=True)
    return [
        {"annotators": list(names), "n": int(n), "kappa": float(kappa), "observed": float(observed)}
        for names, n, kappa, observed in rows
    ]


def _detail(record: LabelRecord, unit: int, own: FloatArray) -> Mapping[str, Any]:
    """`observed` is the share of the item's own pairs of labels that are equal."""
    labels = len(record.labels)
    count = labels * (labels - 1) // 2
    row = {
        "record": record.line,
        "id": record.id,
        "status": "scored" if count else "unscored",
        "malformed": False,
        "null": False,
        "labels": labels,
    }
    if not count:
        return row | {"observed": None, "why": "Fewer than two labels."}
    agreed = int(own[unit])
    return row | {"observed": agreed / count, "why": f"{labels} labels; {agreed} of {count} pairs agree."}
