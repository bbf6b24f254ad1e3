"""Rows of Mind2Web actions as JSON Lines or one JSON list. A screenshot is named by its path beside the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, record_problem
from stepscope.core.sources.mind2web_rows import Mind2WebRow, RowHead, Spot, head_of, picture_beside


def json_heads(path: Path) -> Iterator[RowHead | Problem]:
    """What an index needs of every row."""
    for span in find_records(path):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            record = read_record(path, span)
        except SourceError as error:
            yield record_problem(error, span, path)
            continue
        yield head_of(record, path.name, (span.offset, span.length), bool(_picture_name(record)))


def json_rows(path: Path, spots: Sequence[Spot]) -> Iterator[Mind2WebRow]:
    """The rows at the spots, in their order."""
    for offset, length in spots:
        record = read_record(path, ByteSpan(0, offset, length))
        name = _picture_name(record)
        picture, note = picture_beside(path, name) if name else (None, "")
        yield Mind2WebRow(record, picture, note, path.name)


def _picture_name(record: Mapping[str, Any]) -> str:
    value = record.get("screenshot")
    return text_of(value) or text_of(mapping_of(value).get("path"))
