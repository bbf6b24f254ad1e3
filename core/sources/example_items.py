"""TFRecord shards in which every example stands for itself: where each lies, and finding it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.archives.tfrecord import Damage, read_records, read_span
from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.tfrecord_fields import refused_record

_PLACE = re.compile(r"(\d{1,15}) (\d{1,10}) (\d{1,10})(?: (\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class ExamplePlace:
    """An example's data in its shard, its number from 1, and which of several items in it is meant."""

    offset: int
    length: int
    number: int
    item: int = 0

    def text(self) -> str:
        return f"{self.offset} {self.length} {self.number}" + (f" {self.item}" if self.item else "")


def read_examples(shard: Path) -> Iterator[tuple[ExamplePlace, Example] | Problem]:
    """Every example of the shard in order, and a problem for each that cannot be read."""
    for record in read_records(shard):
        if isinstance(record, Damage):
            yield Problem(record.message)
            continue
        place = ExamplePlace(record.offset, len(record.data), record.number)
        try:
            yield place, Example.parse(record.data, place=shard, record=record.number)
        except SourceError as error:
            yield refused_record(record.number, error)


def example_at(shard: Path, text: str) -> tuple[ExamplePlace, Example]:
    """The example at a place that `read_examples` gave, as text; SourceError when there is none."""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise SourceError("the index row does not say where the example lies", place=shard, hint="Open the data again.")
    place = ExamplePlace(int(match[1]), int(match[2]), int(match[3]), int(match[4] or 0))
    data = read_span(shard, place.offset, place.length)
    return place, Example.parse(data, place=shard, record=place.number)
