"""Android in the Wild: TFRecord shards of five sets, one example for each step, an episode's steps one after another.

Screenshots are raw pixels inside the shard, gestures and boxes are in fractions of the screen, (y, x) first. Checked on
a fixture only. Facts: Rawles et al., arXiv:2307.10088; github.com/google-research/google-research, folder
android_in_the_wild (README, `action_type.py`, `visualization_utils.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from stepscope.core.archives.example import Example
from stepscope.core.archives.tfrecord import Damage, is_gzip, read_records
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.errors import SourceError
from stepscope.core.sources.aitw_actions import feasibility_of, in_order
from stepscope.core.sources.aitw_place import PARTITIONS, AitwPlace, read_without_pixels
from stepscope.core.sources.aitw_steps import StepRecord, build_step, common_screen, read_step
from stepscope.core.sources.app_names import leading_app
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.aitw import FORMAT, locate
from stepscope.core.sources.split_files import SplitFile, split_table
from stepscope.core.sources.tfrecord_fields import refused_record

_SPLIT_FILES = tuple(SplitFile(f"{name}.json", name) for name in PARTITIONS)

SETS = ("general", "google_apps", "install", "single", "web_shopping")
"""The five sets: the published folders are called so, and the shards' names begin so."""

_MAX_STEPS = 1_000
"""More examples of one id on end are several episodes, so that memory stays flat (ours; the longest have some 100)."""


def outline(shard: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a shard, complete but for the pixels, which are left alone."""
    splits = split_table(shard.parent, _SPLIT_FILES)
    yield from splits.problems
    for records in _episodes(shard):
        if isinstance(records, Problem):
            yield records
            continue
        place = AitwPlace.of(records, splits.of(records[0].episode_id))
        episode = _episode(shard, records, records[0].episode_id, place.splits)
        yield summarise(episode, place.text())


def _episodes(shard: Path) -> Iterator[list[StepRecord] | Problem]:
    """Runs of examples with the same episode id."""
    gzip = is_gzip(shard)
    together: list[StepRecord] = []
    for record in read_records(shard):
        if isinstance(record, Damage):
            yield Problem(record.message)
            continue
        try:
            step = read_step(Example.parse(record.data), record.offset, len(record.data), gzip)
        except SourceError as error:
            yield refused_record(record.number, error)
            continue
        if not step.episode_id:
            yield Problem(f"record {record.number} has no episode_id", field="id")
            continue
        if together and (step.episode_id != together[0].episode_id or len(together) == _MAX_STEPS):
            yield together
            together = []
        together.append(step)
    if together:
        yield together


def load(shard: Path, place: str, episode_id: str) -> Episode:
    """The episode at a place that `outline` noted."""
    where = AitwPlace.parse(place, shard)
    gzip = is_gzip(shard)
    records = [
        read_step(Example.parse(memoryview(data)), step.offset, step.length, gzip)
        for step, data in zip(where.steps, read_without_pixels(shard, where.steps), strict=True)
    ]
    return _episode(shard, records, episode_id, where.splits)


def _episode(shard: Path, records: Sequence[StepRecord], episode_id: str, splits: tuple[str, ...]) -> Episode:
    findings = Findings(episode_id, shard.parent)
    ids = [record.step_id for record in records]
    ordered = in_order(records, ids, records[0].episode_length, findings, shard)
    default = common_screen(record for _, record in ordered)
    steps = tuple(build_step(index, record, default, shard, findings) for index, record in ordered)
    packages = [record.activity.partition("/")[0] if "/" in record.activity else "" for _, record in ordered]
    return Episode(
        id=episode_id,
        format="aitw",
        platform=Platform.ANDROID,
        goal=next((record.goal for _, record in ordered if record.goal), ""),
        steps=steps,
        app=leading_app(packages),
        feasibility=feasibility_of(steps),
        splits=(*_set_of(shard), *splits),
        problems=findings.as_tuple(),
    )


def _set_of(shard: Path) -> tuple[str, ...]:
    """Which of the five sets a shard is of, by its own name or its folder's."""
    names = (shard.name.partition("-")[0], shard.absolute().parent.name)
    return next(((f"set/{name}",) for name in names if name in SETS), ())


def open_aitw(path: Path) -> ShardSource:
    """All five sets, one of them or one shard; ids are the episodes' own."""
    return ShardSource(FORMAT.name, path, locate=locate, outline=outline, load=load)
