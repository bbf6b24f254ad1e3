"""Where an episode of Android in the Wild lies in its shard, as text for the index, and reading it there.

Nearly all of a step is its pixels: they are passed over, and only what lies between them is read. The splits stand in
the text too, one letter for each: this data set's split files have 700,000 ids each, and nobody should wait for them to
see one episode.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from stepscope.core.archives.tfrecord import read_span
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import limit
from stepscope.core.sources.aitw_steps import StepRecord

PARTITIONS = ("standard", "unseen_android_version", "unseen_subject", "unseen_verb", "unseen_domain")
_LABELS = ("train", "validation", "test")
_SPLITS = tuple(f"{partition}/{label}" for partition in PARTITIONS for label in _LABELS)
_LETTERS = "abcdefghijklmno"
_FRAMING = 16
"""Bytes between the data of one record and that of the next (TFRecord: two checksums and a length)."""

_GAP = 1 << 17
"""Fewer bytes than these are read along rather than passed over (ours)."""

_AT_ONCE = 1 << 26
"""More bytes than these are not read together (ours)."""


@dataclass(frozen=True, slots=True)
class StepPlace:
    """A record's data in the inflated shard; of it `pixels` bytes from `start` on are the screenshot."""

    offset: int
    length: int
    start: int = 0
    pixels: int = 0

    def parts(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The ranges of bytes in the shard that hold anything but pixels."""
        after = self.offset + self.start + self.pixels
        return (self.offset, self.offset + self.start), (after, self.offset + self.length)


@dataclass(frozen=True, slots=True)
class AitwPlace:
    """The places of an episode's steps, and the splits that it is in.

    As text: the splits' letters, then runs of records that follow on each other, with screenshots of one size:
    "offset:pixels:rest/start,rest/start,…", where rest is what is left of a record's length without the pixels.
    """

    steps: tuple[StepPlace, ...]
    splits: tuple[str, ...] = ()

    @classmethod
    def of(cls, records: Sequence[StepRecord], splits: Sequence[str]) -> AitwPlace:
        return cls(tuple(map(_step_place, records)), tuple(split for split in splits if split in _SPLITS))

    @classmethod
    def parse(cls, text: str, shard: Path) -> AitwPlace:
        """The place that `text` tells; SourceError when it is none."""
        letters, *runs = text.split(" ")
        try:
            steps = tuple(step for run in runs for step in _parse_run(run))
            splits = tuple(_SPLITS[_LETTERS.index(letter)] for letter in letters)
        except ValueError as error:
            raise SourceError("the index names no place in this shard", place=shard) from error
        if not steps:
            raise SourceError("the index names no place in this shard", place=shard)
        return cls(steps, splits)

    def text(self) -> str:
        runs: list[str] = []
        before = StepPlace(-_FRAMING - 1, 0)
        for step in self.steps:
            told = f"{step.length - step.pixels}/{step.start}"
            if step.offset == before.offset + before.length + _FRAMING and step.pixels == before.pixels:
                runs[-1] += f",{told}"
            else:
                runs.append(f"{step.offset}:{step.pixels}:{told}")
            before = step
        letters = "".join(_LETTERS[_SPLITS.index(split)] for split in self.splits)
        return " ".join((letters, *runs))


def _step_place(record: StepRecord) -> StepPlace:
    part = record.picture
    if part is None:
        return StepPlace(record.offset, record.length)
    return StepPlace(record.offset, record.length, part.offset - record.offset, part.length)


def _parse_run(run: str) -> Iterator[StepPlace]:
    first, size, rests = run.split(":")
    offset, pixels = int(first), int(size)
    for told in rests.split(","):
        rest, start = map(int, told.split("/"))
        if min(offset, pixels, start) < 0 or not start <= rest <= limit("record-bytes") - pixels:
            raise ValueError("no place in a shard")
        yield StepPlace(offset, rest + pixels, start, pixels)
        offset += rest + pixels + _FRAMING


def read_without_pixels(shard: Path, steps: Sequence[StepPlace]) -> Iterator[bytearray]:
    """Each step's data with zeros where its pixels are; SourceError when it is not all in the shard."""
    ranges = _ranges(steps)
    here, data = (0, 0), b""
    for step in steps:
        record = bytearray(step.length)
        for first, end in step.parts():
            if not here[0] <= first <= end <= here[1]:
                here = next(one for one in ranges if one[0] <= first <= end <= one[1])
                data = read_span(shard, here[0], here[1] - here[0])
            record[first - step.offset : end - step.offset] = data[first - here[0] : end - here[0]]
        yield record


def _ranges(steps: Sequence[StepPlace]) -> list[tuple[int, int]]:
    """The ranges of bytes that are read at once: what is not pixels, with the small gaps in it."""
    ranges: list[tuple[int, int]] = []
    for first, end in sorted(part for step in steps for part in step.parts()):
        if ranges and first - ranges[-1][1] <= _GAP and end - ranges[-1][0] <= _AT_ONCE:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], end))
        else:
            ranges.append((first, end))
    return ranges
