"""Tables of Mind2Web actions, one row an action: Multimodal-Mind2Web and MC-Mind2Web.

Columns: `action_uid, annotation_id, website, domain, subdomain, confirmed_task, action_reprs, target_action_index
(text), operation (JSON text), pos_candidates, neg_candidates (lists of JSON text), cleaned_html, screenshot`;
MC-Mind2Web adds `vague_task, clarification_point, clarification_details (JSON text), crop_bbox (JSON text)`. Rows of a
task are brought together by its annotation id over all files of a split, and put in the order of their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Picture, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import probe_picture
from stepscope.core.json_bounds import bounded_loads
from stepscope.core.limits import hint, limit
from stepscope.core.sources.files import mapping_of, safe_join, shortened, text_of
from stepscope.core.sources.findings import Findings, told_reason
from stepscope.core.sources.mind2web_step import Operation, StepFrame, action_counts, operation_of, step_of

SMALL = (
    "action_uid", "annotation_id", "website", "confirmed_task", "action_reprs", "target_action_index", "operation",
    "vague_task", "clarification_point", "clarification_details",
)  # fmt: skip
"""Columns that an index row needs."""

WHOLE = (*SMALL, "pos_candidates", "neg_candidates", "cleaned_html", "crop_bbox")
"""Columns that a step needs, beside its screenshot."""

_MANY = 10_000
"""A task has 31 actions at most; farther numbers are slips."""

Spot = tuple[int, int]
"""Where a row lies in its file: offset and length of JSON, or row group and row of a table."""


@dataclass(frozen=True, slots=True)
class RowHead:
    """The part of a row that an index needs. `index` is the action's place in its task, None where the row does not
    tell."""

    task: str
    index: int | None
    goal: str
    app: str
    operation: Operation
    asks: bool
    shown: bool
    file: str
    spot: Spot


def head_of(row: Mapping[str, Any], file: str, spot: Spot, shown: bool) -> RowHead:
    """What an index needs of a row; `shown`: it is said to have a screenshot."""
    return RowHead(
        task=text_of(row.get("annotation_id")),
        index=index_of(row),
        goal=text_of(row.get("vague_task")) or text_of(row.get("confirmed_task")),
        app=text_of(row.get("website")),
        operation=operation_of(row.get("operation")),
        asks=_ask(row, 0) is not None,
        shown=shown,
        file=file,
        spot=spot,
    )


def _expected(row: Mapping[str, Any]) -> int:
    """How many actions the task has."""
    reprs = row.get("action_reprs")
    return min(len(reprs), _MANY) if isinstance(reprs, list) else 0


def index_of(row: Mapping[str, Any]) -> int | None:
    """The action's number, which is written as text; numbers as words would put 10 before 9."""
    value = row.get("target_action_index")
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        value = int(value)
    return value if type(value) is int and 0 <= value < _MANY else None


class Tasks:
    """Rows of one split, brought together by task, in order of first appearance."""

    def __init__(self, splits: tuple[str, ...]) -> None:
        self._splits = splits
        self._rows: dict[str, list[RowHead]] = {}
        self._most = limit("episode-steps")

    def add(self, head: RowHead, number: int) -> Problem | None:
        """Take row `number` (from 1) of its file; a problem when it names no task."""
        if not head.task:
            message = f"record {number}: it has no annotation_id and is left out"
            return Problem(message, field="annotation_id", file=head.file)
        rows = self._rows.setdefault(head.task, [])
        if len(rows) >= self._most:
            message = f"record {number}: its task has more than {self._most:,} and it is left out"
            return Problem(f"{message}. {hint('episode-steps')}", field="annotation_id", file=head.file)
        rows.append(head)
        return None

    def rows(self) -> Iterator[EpisodeSummary]:
        """An index row for each task."""
        for task, heads in self._rows.items():
            heads.sort(key=_order)
            own = list(_once(heads))
            yield EpisodeSummary(
                id=task,
                goal=next((head.goal for head in heads if head.goal), ""),
                app=next((head.app for head in heads if head.app), None),
                platform=Platform.WEB,
                steps=len(own),
                screens=sum(head.shown for head in own),
                actions=action_counts(head.operation for head in own),
                asks=sum(head.asks for head in own),
                splits=self._splits,
                place=_place(heads),
                checked=False,
            )


def _order(head: RowHead) -> int:
    return _MANY if head.index is None else head.index


def _once(heads: Sequence[RowHead]) -> Iterator[RowHead]:
    """The rows without those whose number another one has already."""
    seen: set[int] = set()
    for head in heads:
        if head.index is None or head.index not in seen:
            yield head
        if head.index is not None:
            seen.add(head.index)


def _place(heads: Sequence[RowHead]) -> str:
    """The rows' spots file by file, as JSON."""
    spots: dict[str, list[Spot]] = {}
    for head in heads:
        spots.setdefault(head.file, []).append(head.spot)
    return json.dumps(spots, separators=(",", ":"))


def spots_of(place: str) -> dict[str, list[Spot]] | None:
    """The spots that a note of an index names, None when it is none."""
    try:
        form = bounded_loads(place)
    except (ValueError, RecursionError):
        return None
    if not isinstance(form, dict) or not form or not all(isinstance(spots, list) for spots in form.values()):
        return None
    pairs = [pair for spots in form.values() for pair in spots]
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        return None
    if not all(type(number) is int and 0 <= number < 2**53 for pair in pairs for number in pair):
        return None
    return {name: [(pair[0], pair[1]) for pair in spots] for name, spots in form.items()}


@dataclass(frozen=True, slots=True)
class Mind2WebRow:
    """A row that was read, with its picture. `note` says why there is none, where that is a fault."""

    record: Mapping[str, Any]
    picture: Picture | None = None
    note: str = ""
    file: str = ""


def picture_beside(table: Path, name: str) -> tuple[Picture | None, str]:
    """The picture file that a row names, or why there is none."""
    try:
        file = safe_join(table.parent, name)
        return Picture(file, probe_picture(file).size), ""
    except SourceError as error:
        return None, told_reason(error)
    except OSError:
        return None, "the picture is not there"


def episode_of(
    rows: Iterable[Mind2WebRow], episode_id: str, name: str, splits: tuple[str, ...], found: Findings
) -> Episode:
    """The task whose rows are given, in any order; what goes wrong in them is told in `found`."""
    steps: dict[int, Step] = {}
    asks: list[Ask] = []
    first: Mapping[str, Any] = {}
    expected = 0
    later: list[Mind2WebRow] = []
    for row in rows:
        first = first or row.record
        expected = max(expected, _expected(row.record))
        index = index_of(row.record)
        if index is None:
            later.append(row)
        elif index in steps:
            found.add("a second row has this number and is left out", step=index, field="target_action_index")
        else:
            steps[index] = _step(index, row, asks, found)
    for index, row in enumerate(later, start=max(steps, default=-1) + 1):
        found.add("the row does not tell the action's number; it is put last", step=index, field="target_action_index")
        steps[index] = _step(index, row, asks, found)
    _tell_missing(steps, expected, found)
    full, vague = text_of(first.get("confirmed_task")), text_of(first.get("vague_task"))
    if not full and not vague:
        found.add("there is no confirmed_task", field="goal")
    return Episode(
        id=episode_id,
        format=name,
        platform=Platform.WEB,
        goal=vague or full,
        steps=tuple(steps[index] for index in sorted(steps)),
        app=text_of(first.get("website")) or None,
        asks=tuple(sorted(asks, key=lambda ask: ask.step)),
        splits=splits,
        original_goal=full or None if vague else None,
        problems=found.as_tuple(),
    )


def _step(index: int, row: Mind2WebRow, asks: list[Ask], found: Findings) -> Step:
    if row.note:
        found.add(row.note, step=index, field="screenshot", file=row.file)
    ask = _ask(row.record, index)
    if ask is not None:
        asks.append(ask)
    elif row.record.get("clarification_point") is True:
        found.add("a question is due here, but none is given", step=index, field="clarification_details")
    return step_of(index, row.record, StepFrame(row.picture, _told_size(row.record)), found)


def _ask(row: Mapping[str, Any], step: int) -> Ask | None:
    """The question of a row where one is due. A row with a question that says none is due has none."""
    if row.get("clarification_point") is False:
        return None
    details = _details(row.get("clarification_details"))
    question, answer = text_of(details.get("clarifying_question")), text_of(details.get("user_response"))
    return Ask(step, question, answer, text_of(details.get("modification_type"))) if question else None


def _details(value: object) -> Mapping[str, Any]:
    if isinstance(value, str):
        try:
            value = bounded_loads(value)
        except (ValueError, RecursionError):
            return {}
    return mapping_of(value)


def _told_size(row: Mapping[str, Any]) -> Size | None:
    """The screenshot's size as `crop_bbox` tells it: the frame of a step whose picture cannot be read."""
    crop = _details(row.get("crop_bbox"))
    width, height = crop.get("image_width"), crop.get("image_height")
    if type(width) is int and type(height) is int and 0 < width <= 100_000 and 0 < height <= 100_000:
        return Size(width, height)
    return None


def _tell_missing(steps: Mapping[int, Step], expected: int, found: Findings) -> None:
    """Say which of the task's actions have no row: releases with pictures leave out those that were badly drawn."""
    count = max(expected, max(steps, default=-1) + 1)
    missing = [str(index) for index in range(count) if index not in steps]
    if missing:
        told = f"{len(missing)} of its {count} actions are not in the data: {', '.join(missing)}"
        found.add(shortened(told, 200), field="target_action_index")
