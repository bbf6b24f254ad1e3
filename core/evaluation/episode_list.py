"""A list of episodes as a file for other programs: CSV or JSON Lines, one row an episode.

The CSV is for spreadsheets (`core.spreadsheet`), as in exports of runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TextIO

from sqlalchemy.orm import Session

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.spreadsheet import Cell, write_rows
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import ItemVerdict, StepVerdict, verdicts
from stepscope.core.store.repositories import annotations as annotation_rows
from stepscope.core.store.repositories import sources

COLUMNS = (
    "episode", "goal", "app", "platform", "split", "steps", "screens", "label", "reason", "asks", "problems",
    "star", "checked", "note", "tags", "defect", "matching_steps",
)  # fmt: skip
RUN_COLUMNS = ("run", "model", "rule", "hits", "misses", "malformed", "unscored", "first_wrong", "lowest_confidence")
"""For each run, behind its letter: A_run, A_model, … `misses` includes what is malformed; `first_wrong` is the index of
a step, empty where none is wrong."""

_AT_ONCE = 500
_WRONG = (ItemVerdict.MISS, ItemVerdict.MALFORMED, ItemVerdict.NULL)
_MALFORMED = (ItemVerdict.MALFORMED, ItemVerdict.NULL)
_GREY = (ItemVerdict.UNSCORED, ItemVerdict.ERROR)


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run of which the list tells: by its letter, under its own rule or another scoring of it; `rule` says which."""

    letter: str
    id: str
    model: str
    rule: str
    scoring_id: int | None = None


@dataclass(frozen=True)
class EpisodeListContent:
    """The content of a written list: episodes of a source in order. `source` is what annotations call it; `steps_of`
    gives the indices of the steps that the filter meant; `filter` and `version` (of the program) stand in every row."""

    source_id: int
    source: str
    ids: Sequence[str]
    runs: Sequence[ListedRun] = ()
    steps_of: Callable[[str], Sequence[int]] = field(default=lambda _episode: ())
    filter: str = ""
    version: str = ""


def csv_list_steps(
    database: Database, wanted: EpisodeListContent, stream: TextIO, token: CancelToken
) -> Generator[Progress, None, int]:
    """Write CSV; returns how many rows, which a cancel makes fewer. Open `stream` with newline=""."""
    by_run = [f"{run.letter}_{name}" for run in wanted.runs for name in RUN_COLUMNS]
    write_rows(stream, [[*COLUMNS, *by_run, "filter", "version"]])

    def write(row: dict[str, Any]) -> None:
        cells = [_cell(row[name]) for name in COLUMNS]
        cells += [_cell(row["runs"][run.letter][name]) for run in wanted.runs for name in RUN_COLUMNS]
        write_rows(stream, [[*cells, row["filter"], row["version"]]])

    return (yield from _write_all(database, wanted, write, token))


def json_list_steps(
    database: Database, wanted: EpisodeListContent, stream: TextIO, token: CancelToken
) -> Generator[Progress, None, int]:
    """Write JSON Lines with the same keys; what a run did stands in `runs` under its letter. Returns how many."""

    def write(row: dict[str, Any]) -> None:
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")

    return (yield from _write_all(database, wanted, write, token))


def _write_all(
    database: Database, wanted: EpisodeListContent, write: Callable[[dict[str, Any]], object], token: CancelToken
) -> Generator[Progress, None, int]:
    meter = ProgressMeter(len(wanted.ids))
    with database.reading() as db:
        for first in range(0, len(wanted.ids), _AT_ONCE):
            if token.cancelled:
                break
            some = wanted.ids[first : first + _AT_ONCE]
            for row in _rows(db, wanted, some):
                write(row)
            yield meter.advance(len(some))
    return meter.done


def _rows(db: Session, wanted: EpisodeListContent, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    others = {run.id: run.scoring_id for run in wanted.runs if run.scoring_id is not None}
    judged = verdicts(db, [run.id for run in wanted.runs], ids, others) if wanted.runs else {}
    said = annotation_rows.of_episodes(db, wanted.source, ids)
    for entry in sources.summaries(db, wanted.source_id, ids):
        outcomes = judged.get(entry.id, {})
        yield {
            **_about(entry, said.get(entry.id, [])),
            "matching_steps": list(wanted.steps_of(entry.id)),
            "runs": {run.letter: _of_run(run, outcomes.get(run.id, ())) for run in wanted.runs},
            "filter": wanted.filter,
            "version": wanted.version,
        }


def _about(entry: EpisodeSummary, said: Sequence[Annotation]) -> dict[str, Any]:
    """What the index and people say of an episode and its steps."""
    by_kind = {kind: [one for one in said if one.kind is kind] for kind in AnnotationKind}
    feasibility = entry.feasibility
    return {
        "episode": entry.id,
        "goal": entry.goal,
        "app": entry.app,
        "platform": entry.platform.value,
        "split": list(entry.splits),
        "steps": entry.steps,
        "screens": entry.screens,
        "label": feasibility.label.value if feasibility.label else None,
        "reason": feasibility.reason.value if feasibility.reason else None,
        "asks": entry.asks,
        "problems": len(entry.problems),
        "star": bool(by_kind[AnnotationKind.STAR]),
        "checked": bool(by_kind[AnnotationKind.CHECKED]),
        "note": [one.value for one in by_kind[AnnotationKind.NOTE]],
        "tags": list(dict.fromkeys(one.value for one in by_kind[AnnotationKind.TAG])),
        "defect": list(dict.fromkeys(one.value for one in by_kind[AnnotationKind.DEFECT])),
    }


def _of_run(run: ListedRun, outcomes: Sequence[StepVerdict]) -> dict[str, Any]:
    found = [outcome.verdict for outcome in outcomes]
    sure = [outcome.confidence for outcome in outcomes if outcome.confidence is not None]
    return {
        "run": run.id,
        "model": run.model,
        "rule": run.rule,
        "hits": found.count(ItemVerdict.HIT),
        "misses": sum(verdict in _WRONG for verdict in found),
        "malformed": sum(verdict in _MALFORMED for verdict in found),
        "unscored": sum(verdict in _GREY for verdict in found),
        "first_wrong": next((one.step for one in outcomes if one.verdict in _WRONG), None),
        "lowest_confidence": min(sure, default=None),
    }


def _cell(value: Any) -> Cell:
    """Lists side by side."""
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def listed_runs(db: Session, runs: Mapping[str, str], scorings: Mapping[str, int], rule: str) -> tuple[ListedRun, ...]:
    """The runs of these letters; `scorings` names the scoring under the rule `rule` of those that have it, the others
    are under their own."""
    from stepscope.core.store.repositories import runs as run_rows

    found = []
    for letter, run_id in runs.items():
        spec = run_rows.get(db, run_id).spec
        other = scorings.get(run_id)
        found.append(ListedRun(letter, run_id, spec.model, spec.protocol if other is None else rule, other))
    return tuple(found)
