"""Navi-plus: tasks with something left out, and the question and answer that give it back.

Files of JSON records (JSON Lines, one list, one object a file). The paper tells what a sample holds, but its keys are
not published: `sniffers.navi_plus_keys` guesses, and a small file beside the data corrects it. Facts: Cheng et al.,
"Navi-plus", arXiv:2503.24180. Checked on a fixture only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem, summarise
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import text_of, told
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import record_problem, span_at
from stepscope.core.sources.look import FolderScan, Listing
from stepscope.core.sources.navi_plus_asks import read_asks
from stepscope.core.sources.navi_plus_sample import Reading, Sample, find_samples, read_sample, record_id
from stepscope.core.sources.navi_plus_steps import read_steps
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.json_heads import SUFFIXES, first_record, locate_by_head
from stepscope.core.sources.sniffers.navi_plus import FORMAT, locate
from stepscope.core.sources.sniffers.navi_plus_keys import KEYS_FILE, Keys, keys_for, missing

_SPLIT = re.compile(r"(?:^|[_-])(train|val|validation|dev|test)$", re.IGNORECASE)


def read_episode(sample: Sample, keys: Keys, file: Path, episode_id: str, with_pictures: bool = True) -> Episode:
    """The sample's episode; SourceError when it has no original or no ambiguous task."""
    record = sample.first
    original, ambiguous = (_task(name, record, keys, file) for name in ("original_task", "ambiguous_task"))
    goal = ambiguous or original
    if not goal:
        raise SourceError("neither the original nor the ambiguous task has a text", place=file, field="original_task")
    reading = Reading(record, tuple(sample.steps(keys, file)), keys, file, Findings(episode_id, file.parent))
    platform = _platform(record, keys)
    steps = read_steps(reading, platform, with_pictures)
    return Episode(
        id=episode_id,
        format="navi_plus",
        platform=platform,
        goal=goal,
        steps=steps,
        app=text_of(keys.find("app", record)) or None,
        asks=read_asks(reading, steps),
        splits=_splits(record, keys, file),
        original_goal=original if original and original != goal else None,
        problems=reading.findings.as_tuple(),
    )


def _task(name: str, record: Mapping[str, Any], keys: Keys, file: Path) -> str:
    """A task's text; "" for null, which says that nothing is left out."""
    if not keys.has(name, record):
        raise missing(name, record, keys, file)
    value = keys.find(name, record)
    if value is not None and not isinstance(value, str):
        raise SourceError(f"{name} must be text, not {told(value)}", place=file, field=name)
    return text_of(value).strip()


def _platform(record: Mapping[str, Any], keys: Keys) -> Platform:
    """The person's word, else the record's, else the web where it names a website."""
    named = text_of(keys.find("platform", record)).lower()
    if keys.platform is not None:
        return keys.platform
    if named in tuple(Platform):
        return Platform(named)
    return Platform.WEB if "website" in record or "domain" in record else Platform.ANDROID


def _splits(record: Mapping[str, Any], keys: Keys, file: Path) -> tuple[str, ...]:
    """The record's own word, else the last one of the file's name."""
    named = text_of(keys.find("split", record))
    match = _SPLIT.search(file.stem)
    return (named,) if named else (match[1].lower(),) if match else ()


def _outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows from the records alone; screens are those that they name."""
    keys = keys_for(file.parent)
    for sample in find_samples(file, keys):
        if isinstance(sample, Problem):
            yield sample
            continue
        name = record_id(sample.first, keys) or f"{file.stem}-{sample.span.number}"
        try:
            row = summarise(read_episode(sample, keys, file, name, with_pictures=False), sample.span.place)
        except SourceError as error:
            yield record_problem(error, sample.span, file)
            continue
        named = sum(keys.find("step.image", form) is not None for form in sample.steps(keys, file))
        yield replace(row, screens=named, checked=False)


def _load(file: Path, place: str, episode_id: str) -> Episode:
    return read_episode(read_sample(file, span_at(place)), keys_for(file.parent), file, episode_id)


def _any_objects(listing: Listing) -> Iterator[Path]:
    """Every JSON file of objects: for when somebody says that Navi-plus is here and nothing is known by its keys."""

    def known(name: str) -> bool:
        return name != KEYS_FILE and first_record(listing.head(name)) is not None

    return locate_by_head(listing, SUFFIXES, known)


def open_navi_plus(path: Path) -> ShardSource:
    """A file of samples or a folder with such files.

    Where none is known by its keys, every JSON file of objects is taken for one, so that its problems tell the keys.
    Raises SourceError for a keys file that is not understood.
    """
    keys_for(path if path.is_dir() else path.parent)
    found = locate if FolderScan(path).holds(locate) else _any_objects
    return ShardSource(FORMAT.name, path, locate=found, outline=_outline, load=_load)
