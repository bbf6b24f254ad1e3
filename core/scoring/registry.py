"""Protocols by name, and the result object of `stepscope score --json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from core.errors import UsageError, UserError
from core.scoring.aitw import AitwScorer
from core.scoring.motif import MotifScorer
from core.scoring.names import did_you_mean
from core.scoring.options import parse_options
from core.scoring.records import read_records
from core.scoring.rule import Options, ProtocolInfo, RecordResult, RecordScorer, StepScorer

PROTOCOLS: Mapping[str, RecordScorer] = MappingProxyType(
    {scorer.info.name: scorer for scorer in (AitwScorer(), MotifScorer())}
)
"""Every protocol scores records; those that are step scorers too judge evaluations."""


def record_scorer(name: str) -> RecordScorer:
    """Raises UsageError naming the nearest protocol."""
    return _found(name, PROTOCOLS)


def step_scorer(name: str) -> StepScorer:
    """The protocol as a judge of single steps. Raises UsageError for one that is unknown or judges records only."""
    judges = {known: scorer for known, scorer in PROTOCOLS.items() if hasattr(scorer, "score_step")}
    if name in PROTOCOLS and name not in judges:
        raise UsageError(f"{name} scores records only, not single steps.", hint=_list(judges))
    return cast(StepScorer, _found(name, judges))


def score_file(
    name: str, path: Path, settings: Mapping[str, str], *, bootstrap: int = 0, seed: int = 0
) -> tuple[ProtocolInfo, Options, RecordResult]:
    """A record file under a protocol, with the options in force. Errors name the file and the line."""
    scorer = record_scorer(name)
    options = parse_options(scorer.info, settings)
    try:
        result = scorer.score_records(read_records(path), options, bootstrap=bootstrap, seed=seed)
    except UserError as error:
        if error.record and not error.place:
            raise UserError(error.message, place=path, record=error.record, hint=error.hint) from error
        raise
    return scorer.info, options, result


def result_json(info: ProtocolInfo, options: Options, result: RecordResult, *, bootstrap: int = 0) -> dict[str, Any]:
    """The result object; "ci" is there when intervals were drawn."""
    metrics = result.metrics
    form: dict[str, Any] = {
        "protocol": info.name,
        "options": dict(options),
        "n": metrics.n,
        "unscored": metrics.unscored,
        "malformed": metrics.malformed,
        "metrics": metrics.as_dict(),
        **result.extra,
    }
    if bootstrap or metrics.intervals:
        form["ci"] = {name: [low, high] for name, (low, high) in metrics.intervals}
    return form


def _found(name: str, known: Mapping[str, RecordScorer]) -> RecordScorer:
    if name in known:
        return known[name]
    raise UsageError(f"There is no protocol {name!r}.", hint=did_you_mean(name, known) + _list(known))


def _list(known: Mapping[str, RecordScorer]) -> str:
    return f"Protocols: {', '.join(known)}."
