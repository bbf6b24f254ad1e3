"""WebLINX's candidate elements: JSON Lines, one element of one turn a row, as the ranking models read and write them.

A row has the turn's dialogue as text (`query`), the element (`elem_dict`, `uid`), its demonstration and turn, and label
1 where it is the turn's target. The rows of a demonstration stand together; each becomes an episode, each turn a step
with the elements as its tree. What was done to the target is not told: it is given as a tap. Boxes are pixels of the
viewport that the query names. Checked on a fixture written after the published rows. Facts: arXiv:2402.05930;
github.com/McGill-NLP/weblinx (`tests/demonstrations/candidates_unittest.jsonl`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Tap, Target
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import (
    Episode,
    EpisodeSummary,
    Observation,
    Platform,
    Problem,
    Step,
    is_step_index,
    summarise,
)
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.limits import limit
from stepscope.core.sources.files import check_json, check_steps, mapping_of, shortened, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_span, record_problem, record_value, span_at
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.weblinx_candidates import FORMAT, locate
from stepscope.core.sources.split_files import SplitFile, split_table
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_SPLITS = (SplitFile("splits.json"),)
_VIEWPORT = re.compile(r"Viewport\(height=(\d{1,5}), width=(\d{1,5})\)")
_SAID, _PART = "Instructor Utterances: ", " ---- "
_BOX = re.compile(r"x=(-?[\d.]{1,20}) y=(-?[\d.]{1,20}) width=([\d.]{1,20}) height=([\d.]{1,20})")
_FALLBACK = Size(1366, 657)
_ROW_VALUES = 10
"""Values that a row has at the least, by which rows that are held at once are bounded."""

_CandidateRow = Mapping[str, Any]


def outline(path: Path) -> Iterator[EpisodeSummary | Problem]:
    """A row for each stretch of rows of one demonstration, whose place is the stretch's offset and length."""
    stretch: list[_CandidateRow] = []
    start = end = 0
    most = limit("json-nodes") // _ROW_VALUES
    for span in find_records(path):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            row = _row_of(record_value(read_span(path, span), path, span))
        except SourceError as error:
            yield record_problem(error, span, path)
            continue
        brief = {"demo_name": row.get("demo_name"), "turn_index": row.get("turn_index"), "query": row.get("query")}
        if row.get("label") == 1:
            brief |= {key: row.get(key) for key in ("label", "elem_dict", "uid")}
        if stretch and (row.get("demo_name") != stretch[0]["demo_name"] or len(stretch) == most):
            yield _row(stretch, path, start, end)
            stretch = []
        if not stretch:
            start = span.offset
        if stretch and row.get("turn_index") == stretch[-1]["turn_index"]:
            brief["query"] = ""
        stretch.append(brief)
        end = span.offset + span.length
    if stretch:
        yield _row(stretch, path, start, end)


def _row_of(value: object) -> _CandidateRow:
    if not isinstance(value, dict):
        raise SourceError("the record is no JSON object")
    return value


def _row(stretch: list[_CandidateRow], path: Path, start: int, end: int) -> EpisodeSummary:
    demo = text_of(stretch[0].get("demo_name"))
    check_steps(len({row["turn_index"] for row in stretch if type(row["turn_index"]) is int}), path, "turn_index")
    episode = _episode(stretch, path, demo or path.stem, Findings(demo, path.parent))
    return replace(summarise(episode, f"{start} {end - start}"), checked=False)


def load(path: Path, place: str, episode_id: str) -> Episode:
    """The demonstration whose rows stand at `place`."""
    span = span_at(place)
    findings = Findings(episode_id, path.parent)
    rows = []
    data = read_span(path, span)
    check_json(data, path)
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append(_row_of(record_value(line, path, ByteSpan(number, 0, 0))))
        except SourceError as error:
            findings.add_error(error, field="elem_dict")
    if not rows:
        raise SourceError("no rows where the index says there are some", place=path)
    return _episode(rows, path, episode_id, findings)


def _episode(rows: list[_CandidateRow], path: Path, episode_id: str, findings: Findings) -> Episode:
    turns: dict[int, list[_CandidateRow]] = {}
    for row in rows:
        number = row.get("turn_index")
        if is_step_index(number):
            turns.setdefault(number, []).append(row)
        elif not findings.problems:
            findings.add("a row has no turn's number", field="turn_index", file=path)
    steps = tuple(_step(number, turns[number], findings, path) for number in sorted(turns))
    queries = (_query(turns[number]) for number in sorted(turns))
    return Episode(
        id=episode_id,
        format=FORMAT.name,
        platform=Platform.WEB,
        goal=next((words for query in queries if (words := query.partition(_SAID)[2].partition(_PART)[0].strip())), ""),
        steps=steps,
        splits=split_table(path.parent, _SPLITS).of(text_of(rows[0].get("demo_name"))),
        problems=findings.as_tuple(),
    )


def _query(rows: list[_CandidateRow]) -> str:
    return next((query for row in rows if (query := text_of(row.get("query")))), "")


def _step(number: int, rows: list[_CandidateRow], findings: Findings, path: Path) -> Step:
    query = _query(rows)
    match = _VIEWPORT.search(query)
    size = Size(int(match[2]), int(match[1])) if match and int(match[1]) and int(match[2]) else _FALLBACK
    builder = TreeBuilder(TreeOrigin.DOM, Placement(size))
    places = [_add(builder, row) for row in rows]
    reading = builder.finish()
    tree = findings.tree(reading.tree, reading.notes if "elem_dict" in rows[0] else (), step=number, file=path)
    chosen = next((place for place, row in zip(places, rows, strict=True) if row.get("label") == 1), None)
    action = None
    if chosen is not None and chosen >= 0 and tree is not None:
        element = tree.elements[chosen]
        action = Tap(element.box.centre, Target(element.box, element.text, element.resource_id or None))
    return Step(number, Observation(size, None, tree), action, query or None)


def _add(builder: TreeBuilder, row: _CandidateRow) -> int:
    """The element as a root; -1 where it has no box. Rows without an element, as an outline has them, add nothing."""
    if "elem_dict" not in row:
        return -1
    element = mapping_of(row.get("elem_dict"))
    return builder.add(
        -1,
        _edges(text_of(element.get("bbox"))),
        text=text_of(element.get("text")),
        resource_id=text_of(row.get("uid")),
        class_name=shortened(text_of(element.get("tag"))),
    )


def _edges(told: str) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom; None where the text tells no four numbers."""
    match = _BOX.search(told)
    if match is None:
        return None
    try:
        x, y, width, height = map(float, match.groups())
    except ValueError:
        return None
    return x, y, x + width, y + height


def open_weblinx_candidates(path: Path) -> ShardSource:
    """A folder of candidate files or one file; ids are the demonstrations' names."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
