"""AndroidControl: TFRecord shards, one example for each episode, with PNG screenshots and accessibility forests.

There is one screen more than actions. Places and boxes are pixels of the screenshot. `android_interaction` reads the
same records with more in them. Checked on a fixture only (the sub-splits also on the real ids). Facts: Li et al.,
arXiv:2406.03679; github.com/google-research/google-research, folder android_control (README).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.archives.tfrecord import Damage, is_gzip, read_records, read_span
from stepscope.core.domain.action import OpenApp
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Feasibility, Platform, Problem
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.android_control_actions import decode_action
from stepscope.core.sources.android_control_steps import FALLBACK, build_steps, count_steps
from stepscope.core.sources.app_names import leading_app
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.android_control import FORMAT, locate
from stepscope.core.sources.split_files import SplitFile, SplitTable, split_table
from stepscope.core.sources.tfrecord_fields import Fields, refused_record

SPLIT_FILES = (SplitFile("splits.json"), SplitFile("test_subsplits.json", "test"))
"""An episode of the test split is also in one or more of its sub-splits, told as `test/app_unseen` and the like."""


@dataclass(frozen=True, slots=True)
class AndroidControlAnnotation:
    """The statements of a data set of this layout beyond the demonstration."""

    asks: tuple[Ask, ...]
    feasibility: Feasibility


@dataclass(frozen=True, slots=True)
class Dialect:
    """A data set of this layout. `annotate(fields, number of steps, note)` reads what it adds."""

    format: str
    annotate: Callable[[Fields, int, Callable[[str, str], None]], AndroidControlAnnotation]


PLAIN = Dialect(FORMAT.name, lambda fields, steps, note: AndroidControlAnnotation((), Feasibility()))


def outline(dialect: Dialect, shard: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a shard from names, counts and actions; screenshots and forests are left alone."""
    splits = split_table(shard.parent, SPLIT_FILES)
    yield from splits.problems
    for record in read_records(shard):
        if isinstance(record, Damage):
            yield Problem(record.message)
            continue
        try:
            place = f"{record.offset} {len(record.data)}"
            yield _row(dialect, Example.parse(record.data), place, splits)
        except SourceError as error:
            yield refused_record(record.number, error)


def _row(dialect: Dialect, example: Example, place: str, splits: SplitTable) -> EpisodeSummary:
    fields = Fields(example, _forget)
    episode_id = _identity(fields)
    counts: dict[str, int] = {}
    app = None
    for text in fields.texts("actions"):
        try:
            action = decode_action(text, FALLBACK, None)
        except ValueError:
            continue
        counts[action.kind] = counts.get(action.kind, 0) + 1
        if isinstance(action, OpenApp):
            app = app or action.text or None
    steps = count_steps(fields)
    added = dialect.annotate(fields, steps, _forget)
    return EpisodeSummary(
        id=episode_id,
        goal=fields.text("goal"),
        app=app,
        platform=Platform.ANDROID,
        steps=steps,
        screens=len(fields.spans("screenshots")),
        actions=tuple(counts.items()),
        feasibility=added.feasibility,
        asks=len(added.asks),
        splits=splits.of(episode_id),
        place=place,
        checked=False,
    )


def _identity(fields: Fields) -> str:
    number = fields.number("episode_id")
    if number is None:
        raise SourceError("the example has no episode_id", field="id")
    return str(number)


def _forget(field: str, message: str) -> None:
    """What is wrong with features is told when the whole episode is read."""


def load(dialect: Dialect, shard: Path, place: str, episode_id: str) -> Episode:
    """The episode at a place that `outline` noted."""
    offset, length = _span(place, shard)
    example = Example.parse(memoryview(read_span(shard, offset, length)))
    findings = Findings(episode_id, shard.parent)
    note = partial(_note, findings, shard)
    fields = Fields(example, note)
    screens = build_steps(fields, shard, offset, is_gzip(shard), findings)
    steps = tuple(screen.step for screen in screens)
    opened = (step.action.text for step in steps if isinstance(step.action, OpenApp))
    added = dialect.annotate(fields, len(steps), note)
    return Episode(
        id=episode_id,
        format=dialect.format,
        platform=Platform.ANDROID,
        goal=fields.text("goal"),
        steps=steps,
        app=next((name for name in opened if name), None) or leading_app([screen.package for screen in screens]),
        feasibility=added.feasibility,
        asks=added.asks,
        splits=split_table(shard.parent, SPLIT_FILES).of(_identity(fields)),
        problems=findings.as_tuple(),
    )


def _note(findings: Findings, shard: Path, field: str, message: str) -> None:
    findings.add(message, field=field, file=shard)


def _span(place: str, shard: Path) -> tuple[int, int]:
    try:
        offset, length = map(int, place.split(" "))
    except ValueError as error:
        raise SourceError("the index names no place in this shard", place=shard) from error
    if offset < 0 or length < 0:
        raise SourceError("the index names no place in this shard", place=shard)
    return offset, length


def open_android_control(path: Path) -> ShardSource:
    """All shards or one of them; ids are the episodes' numbers as text."""
    return ShardSource(PLAIN.format, path, locate=locate, outline=partial(outline, PLAIN), load=partial(load, PLAIN))
