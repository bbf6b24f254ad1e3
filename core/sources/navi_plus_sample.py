"""Navi-plus's samples in a file: which records belong to one episode, and the steps' own records.

A record is an episode with a list of steps (or lists of pictures and instructions beside it), or one step of an episode
whose other steps follow it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import check_json, check_steps, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, read_span, record_problem
from stepscope.core.sources.sniffers.navi_plus_keys import Keys, is_step

_LONGEST = 10_000
"""More records than this are not the steps of one episode (ours)."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """One episode's records and where they lie."""

    records: tuple[Record, ...]
    span: ByteSpan

    @property
    def first(self) -> Record:
        """The record in which the tasks are looked for."""
        return self.records[0]

    def steps(self, keys: Keys, file: Path) -> list[Record]:
        """The steps' own records; what lies in lists beside them is put into them."""
        if is_step(self.first, keys):
            return list(self.records)
        listed, images, lines = (keys.find(name, self.first) for name in ("steps", "images", "instructions"))
        items = listed if isinstance(listed, list) else [{}] * len(images) if isinstance(images, list) else []
        check_steps(len(items), file)
        return [_step(item, index, images, lines, keys) for index, item in enumerate(items)]


@dataclass(frozen=True, slots=True)
class Reading:
    """The state while a sample is read: its first record, its steps' records, and where problems go."""

    record: Record
    forms: tuple[Record, ...]
    keys: Keys
    file: Path
    findings: Findings


def _step(item: object, index: int, images: object, lines: object, keys: Keys) -> Record:
    """A step's record; an item that is no object is the step's action."""
    step = dict(item) if isinstance(item, dict) else {keys.names("step.action")[0]: item}
    for name, values in (("step.image", images), ("step.instruction", lines)):
        if isinstance(values, list) and index < len(values) and keys.find(name, step) is None:
            step[keys.names(name)[0]] = values[index]
    return step


def record_id(record: Record, keys: Keys) -> str:
    """The episode's id as text; "" where the record names none."""
    value = keys.find("id", record)
    return str(value) if type(value) is int else text_of(value)


def find_samples(file: Path, keys: Keys) -> Iterator[Sample | Problem]:
    """The file's episodes in order; steps belong together while they follow each other under one id."""
    spans: list[ByteSpan] = []
    records: list[Record] = []
    for found in _records(file):
        if isinstance(found, Problem) or (records and not _goes_on(records, found[1], keys)):
            yield from _sample(records, spans)
            spans, records = [], []
        if isinstance(found, Problem):
            yield found
            continue
        spans.append(found[0])
        records.append(found[1])
    yield from _sample(records, spans)


def _records(file: Path) -> Iterator[tuple[ByteSpan, Record] | Problem]:
    for span in find_records(file):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            yield span, read_record(file, span)
        except SourceError as error:
            yield record_problem(error, span, file)


def _goes_on(records: list[Record], record: Record, keys: Keys) -> bool:
    known = record_id(records[0], keys)
    if not known or known != record_id(record, keys) or len(records) >= _LONGEST:
        return False
    return is_step(records[0], keys) and is_step(record, keys)


def _sample(records: list[Record], spans: list[ByteSpan]) -> Iterator[Sample]:
    if records:
        first, last = spans[0], spans[-1]
        yield Sample(tuple(records), ByteSpan(first.number, first.offset, last.offset + last.length - first.offset))


def read_sample(file: Path, span: ByteSpan) -> Sample:
    """The sample that lies at `span`: one record, or some with commas or line ends between them."""
    data = read_span(file, span)
    check_json(data, file)
    text, place, records = _text(data, file), 0, []
    decoder = json.JSONDecoder()
    while place < len(text):
        try:
            form, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise SourceError("the records are no longer what they were when they were indexed", place=file) from error
        if not isinstance(form, dict):
            raise SourceError("a record is no JSON object", place=file)
        records.append(form)
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
    if not records:
        raise SourceError("there is no record any more", place=file)
    return Sample(tuple(records), span)


def _text(data: bytes, file: Path) -> str:
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 text (byte {error.start})", place=file) from error
