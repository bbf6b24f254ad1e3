"""Protocols by name, scoring a file under one, and the result object of `stepscope score --json`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.score import Metrics, ScoreStatus
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.bootstrap import check, intervals
from stepscope.core.scoring.named_rules import NAMED_RULES
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.scoring.records import Records, collector_paused, reading
from stepscope.core.scoring.rule import (
    AggregatingScorer,
    Options,
    ProtocolInfo,
    RecordResult,
    RecordScorer,
    RecordScores,
    ScoredItem,
    StepScorer,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.tally import IntArray

_WHERE = {
    "affordance": "affordance:AffordanceScorer",
    "aitw": "aitw:AitwScorer",
    "ask": "ask:AskScorer",
    "aitz": "aitz:AitzScorer",
    "early_goal": "early_goal:EarlyGoalScorer",
    "android_control": "android_control:AndroidControlScorer",
    "grounding": "grounding:GroundingScorer",
    "gui_odyssey": "gui_odyssey:GuiOdysseyScorer",
    "mind2web": "mind2web:Mind2WebScorer",
    "feasibility": "feasibility:FeasibilityScorer",
    "fields": "web_fields:WebFieldsScorer",
    "goal_text": "goal_text:GoalTextScorer",
    "intent": "intent:IntentScorer",
    "label_agreement": "label_agreement:LabelAgreementScorer",
    "motif": "motif:MotifScorer",
    "order_agreement": "order_agreement:OrderAgreementScorer",
    "ordering": "ordering:OrderingScorer",
    "rollout": "rollout:RolloutScorer",
}
"""Module and class of each protocol; a module is imported when its protocol is asked for."""


class _LazyScorers(Mapping[str, RecordScorer]):
    def __init__(self) -> None:
        self._loaded: dict[str, RecordScorer] = {}

    def __getitem__(self, name: str) -> RecordScorer:
        if name not in self._loaded:
            module, _, scorer = _WHERE[name].partition(":")
            self._loaded[name] = getattr(importlib.import_module(f"stepscope.core.scoring.{module}"), scorer)()
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_WHERE)

    def __len__(self) -> int:
        return len(_WHERE)


PROTOCOLS: Mapping[str, RecordScorer] = _LazyScorers()
"""Every protocol judges records; an `AggregatingScorer` judges evaluations too, a `StepScorer` those of steps."""


def record_scorer(name: str) -> RecordScorer:
    """Raises UsageError naming the nearest protocol."""
    if name in PROTOCOLS:
        return PROTOCOLS[name]
    rule = next((rule for rule in NAMED_RULES if rule.id == name), None)
    if rule is not None:
        settings = " ".join(f"{option}={value}" for option, value in rule.options.items())
        raise UsageError(f"{name} is a rule of {rule.protocol}.", hint=f"Give {rule.protocol} with --set {settings}.")
    raise UsageError(f"There is no protocol {name!r}.", hint=f"{did_you_mean(name, PROTOCOLS)}{_list()}")


def step_scorer(name: str) -> StepScorer:
    """The protocol as a judge of single steps. Raises UsageError for one that is unknown or judges records only."""
    scorer = record_scorer(name)
    if isinstance(scorer, StepScorer):
        return scorer
    judges = ", ".join(step_protocols())
    raise UsageError(f"{name} scores records only, not single steps.", hint=f"Protocols: {judges}.")


def run_scorer(name: str) -> AggregatingScorer:
    """The protocol as a judge of evaluations, of whatever task. Raises UsageError for one that is unknown or judges
    records only."""
    scorer = record_scorer(name)
    if isinstance(scorer, AggregatingScorer):
        return scorer
    raise UsageError(f"{name} scores records only, not runs.", hint=f"Protocols: {', '.join(run_protocols())}.")


def run_protocols(task: Task | None = None) -> tuple[str, ...]:
    """Names of the protocols that judge evaluations, of one task or of any."""
    return tuple(
        name
        for name, scorer in PROTOCOLS.items()
        if isinstance(scorer, AggregatingScorer) and (task is None or scorer.info.task is task)
    )


def step_protocols() -> tuple[str, ...]:
    """Names of the protocols that judge single steps."""
    return tuple(name for name, scorer in PROTOCOLS.items() if isinstance(scorer, StepScorer))


def score_records(
    scorer: RecordScorer, records: Records, options: Options, *, bootstrap: int = 0, seed: int = 0
) -> RecordResult:
    """Records under a protocol. Raises UserError with the line of the first bad record, unless they are skipped."""
    check(bootstrap, seed)
    with collector_paused():
        judged = scorer.judge(records, options)
    clusters = _clusters(judged, records, scorer.info.unit)
    metrics = Metrics(
        values=judged.tally.values(),
        n=judged.n,
        unscored=judged.unscored,
        malformed=judged.malformed,
        null=judged.null,
        errors=len(records.skipped),
        intervals=intervals(judged.tally, draws=bootstrap, seed=seed, cluster_of=clusters),
        counts=tuple(judged.counts.items()),
    )
    return RecordResult(metrics, judged.details, judged.extra, records.skipped if records.skips_bad else None)


def score_file(
    scorer: RecordScorer,
    path: Path,
    options: Options,
    *,
    bootstrap: int = 0,
    seed: int = 0,
    skip_bad: bool = False,
    cluster: str = "",
) -> RecordResult:
    """A file's records under a protocol. Errors name the file and the line."""

    def read(stream: BinaryIO) -> RecordResult:
        records = Records.from_stream(stream, path=path, skip_bad=skip_bad, cluster=cluster)
        return score_records(scorer, records, options, bootstrap=bootstrap, seed=seed)

    return reading(path, read)


def step_metrics(
    scorer: AggregatingScorer,
    items: list[ScoredItem],
    options: Options,
    *,
    bootstrap: int = 0,
    seed: int = 0,
    cluster_of: Mapping[str, str] | None = None,
) -> Metrics:
    """Metrics over the stored scores of a run. `cluster_of` names each episode's cluster for the intervals (its app,
    for example); without it episodes are resampled.

    Items that are unscored or in error are counted and left out of the metrics (ours).
    """
    scored = [item for item in items if item.score.status is ScoreStatus.SCORED]
    counts = ItemCounts(
        unscored=sum(item.score.status is ScoreStatus.UNSCORED for item in items),
        malformed=sum(item.score.malformed for item in scored),
        null=sum(item.score.null for item in scored),
        errors=sum(item.score.status is ScoreStatus.ERROR for item in items),
    )
    found = ScoredItems.of(scored)
    return item_metrics(scorer, found, counts, options, bootstrap=bootstrap, seed=seed, cluster_of=cluster_of)


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """Items that have no part in the metrics; and how many of those that do had no usable prediction (`malformed`), or
    none at all (`null`)."""

    unscored: int
    malformed: int
    null: int
    errors: int


def item_metrics(
    scorer: AggregatingScorer,
    scored: ScoredItems,
    counts: ItemCounts,
    options: Options,
    *,
    bootstrap: int = 0,
    seed: int = 0,
    cluster_of: Mapping[str, str] | None = None,
) -> Metrics:
    """Metrics over columns of stored scores, as `step_metrics` gives them over items."""
    tally, of_metrics = scorer.tally(scored, options)
    clusters = None if cluster_of is None else episode_clusters(tally.unit_of, scored, cluster_of)
    return Metrics(
        values=tally.values(),
        n=len(scored),
        unscored=counts.unscored,
        malformed=counts.malformed,
        null=counts.null,
        errors=counts.errors,
        intervals=intervals(tally, draws=bootstrap, seed=seed, cluster_of=clusters),
        counts=tuple(of_metrics.items()),
    )


def episode_clusters(unit_of: IntArray, scored: ScoredItems, cluster_of: Mapping[str, str]) -> IntArray:
    """Number of the cluster of each unit; an episode without a cluster is one of its own."""
    numbers: dict[tuple[str, str], int] = {}
    of_episode = []
    for episode in scored.names:
        name = cluster_of.get(episode)
        key = ("episode", episode) if not name else ("cluster", name)
        of_episode.append(numbers.setdefault(key, len(numbers)))
    found = np.zeros(int(unit_of.max(initial=-1)) + 1, dtype=np.int64)
    found[unit_of] = np.array(of_episode, dtype=np.int64)[scored.unit]
    return found


def result_json(info: ProtocolInfo, options: Options, result: RecordResult, *, bootstrap: int = 0) -> dict[str, Any]:
    """The result object; "ci" is there when intervals were drawn.

    `malformed` counts the scored records without a usable prediction, `null` those of them whose prediction is null;
    `errors` the records that could not be read and were skipped.
    """
    metrics = result.metrics
    form: dict[str, Any] = {
        "protocol": info.name,
        "options": dict(options),
        "n": metrics.n,
        "unscored": metrics.unscored,
        "malformed": metrics.malformed,
        "null": metrics.null,
        "errors": metrics.errors,
        "metrics": metrics.as_dict(),
        **result.extra,
    }
    if result.skipped is not None:
        form["skipped"] = len(result.skipped)
        form["bad_records"] = [{"record": bad.line, "message": bad.message} for bad in result.skipped]
    if bootstrap or metrics.intervals:
        drawn = dict(metrics.intervals)
        form["ci"] = {name: list(drawn[name]) if name in drawn else None for name in metrics.as_dict()}
    return form


def _clusters(judged: RecordScores, records: Records, unit: str) -> IntArray | None:
    """Number of the cluster of each unit; None when the units are the clusters."""
    of_records = records.cluster_of
    if of_records is None:
        return None
    units = judged.tally.unit_of
    found = np.full(judged.tally.units, -1, dtype=np.int64)
    part = units >= 0
    found[units[part][::-1]] = of_records[part][::-1]  # backwards: a unit's first record says where it belongs
    apart = np.flatnonzero(part & (found[units] != of_records))
    if len(apart):
        line = judged.details[int(apart[0])]["record"]
        raise UserError(
            f"the line belongs to another cluster than an earlier one of the same {unit}.",
            record=line,
            hint=f"Name a field with --cluster that all records of one {unit} share.",
        )
    numbers: IntArray = np.unique(found, return_inverse=True)[1].astype(np.int64)
    return numbers


def _list() -> str:
    return f"Protocols: {', '.join(PROTOCOLS)}."
