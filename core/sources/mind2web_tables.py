"""Multimodal-Mind2Web and MC-Mind2Web: parquet files `<split>-00000-of-00027.parquet`, or the same rows as JSON.

The screenshot is the whole page, a column `{bytes, path}`; its pixels are the page's CSS pixels. An index reads the
small columns only. MC-Mind2Web's goal is the task without what was taken out of it, its asks the questions due. Facts:
Zheng et al., "GPT-4V(ision) is a Generalist Web Agent, if Grounded", ICML 2024; the data sets' cards; MC-Mind2Web's
released loader. Checked on fixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.findings import Findings, problem_of
from stepscope.core.sources.look import Locate, list_folder
from stepscope.core.sources.mind2web import split_of
from stepscope.core.sources.mind2web_json import json_heads, json_rows
from stepscope.core.sources.mind2web_parquet import parquet_heads, parquet_rows
from stepscope.core.sources.mind2web_rows import Mind2WebRow, RowHead, Spot, Tasks, episode_of, spots_of
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.sniffers.mind2web_tables import (
    CLARIFIED_FORMAT,
    MULTIMODAL_FORMAT,
    locate_clarified,
    locate_multimodal,
    split_name,
)
from stepscope.core.sources.source import Source


def _outline(alone: bool, path: Path) -> Iterator[EpisodeSummary | Problem]:
    """Index rows of a split: of all its files, or of the one that was opened by itself."""
    tasks = Tasks(_split_of(path))
    for file in (path,) if alone else _files_of(path):
        try:
            for number, head in enumerate(_heads(file), start=1):
                problem = head if isinstance(head, Problem) else tasks.add(head, number)
                if problem is not None:
                    yield replace(problem, file=str(file))
        except SourceError as error:
            yield replace(problem_of(error, path.parent), file=str(file))
    yield from tasks.rows()


def _files_of(path: Path) -> list[Path]:
    """The files of the split that `path` is the first of."""
    if path.suffix.lower() != ".parquet":
        return [path]
    names = list_folder(path.parent).files_ending(".parquet")
    return [path.parent / name for name in names if split_name(name) == split_name(path.name)]


def _split_of(path: Path) -> tuple[str, ...]:
    return split_of(path.with_name(split_name(path.name)))


def _heads(file: Path) -> Iterator[RowHead | Problem]:
    return parquet_heads(file) if file.suffix.lower() == ".parquet" else json_heads(file)


def _load(name: str, path: Path, place: str, episode_id: str) -> Episode:
    """The task at the spots that an index row names."""
    files = spots_of(place)
    if files is None:
        raise SourceError("the index's note of this task's place is not understood", place=path, record=episode_id)
    found = Findings(episode_id, path.parent)
    rows = _rows(path.parent, files, found)
    return episode_of(rows, episode_id, name, _split_of(path), found)


def _rows(folder: Path, files: dict[str, list[Spot]], found: Findings) -> Iterator[Mind2WebRow]:
    """Every row that can be read; SourceError when none can."""
    read, last = 0, None
    for name, spots in files.items():
        try:
            file = safe_join(folder, name)
            for row in parquet_rows(file, spots) if file.suffix.lower() == ".parquet" else json_rows(file, spots):
                read += 1
                yield row
        except SourceError as error:
            last = error
            found.add_error(error, file=name)
    if last is not None and not read:
        raise last


def _opener(name: str, locate: Locate) -> Callable[[Path], Source]:
    def open_tables(path: Path) -> Source:
        """The release's folder, or one of its files alone; ids are the annotation ids."""
        outline = partial(_outline, path.is_file())
        return ShardSource(name, path, locate=locate, outline=outline, load=partial(_load, name))

    return open_tables


open_multimodal_mind2web = _opener(MULTIMODAL_FORMAT.name, locate_multimodal)
open_mc_mind2web = _opener(CLARIFIED_FORMAT.name, locate_clarified)
