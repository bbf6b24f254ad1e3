"""Multimodal-Mind2Web and MC-Mind2Web: parquet files `<split>-00000-of-00027.parquet`, or the same rows as JSON.

The screenshot is the whole page, a column `{bytes, path}`; its pixels are the page's CSS pixels. An index reads the
small columns only. MC-Mind2Web's goal is the task without what was taken out of it, its asks the questions due. Facts:
Zheng et al., "GPT-4V(ision) is a Generalist Web Agent, if Grounded", ICML 2024; the data sets' cards; MC-Mind2Web's
released loader. Checked on fixtures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from stepscope.core.archives.parquet import MARK
from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform, Problem
from stepscope.core.errors import SourceError
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.files import safe_join
from stepscope.core.sources.findings import Findings, problem_of
from stepscope.core.sources.json_records import SUFFIXES
from stepscope.core.sources.look import Listing, Locate, list_folder
from stepscope.core.sources.mind2web import split_of
from stepscope.core.sources.mind2web_json import json_heads, json_rows
from stepscope.core.sources.mind2web_parquet import column_names, parquet_heads, parquet_rows
from stepscope.core.sources.mind2web_rows import Row, RowHead, Spot, Tasks, episode_of, spots_of
from stepscope.core.sources.shards import ShardSource
from stepscope.core.sources.source import Format, Source, sniffer

MULTIMODAL, CLARIFIED = "multimodal_mind2web", "mc_mind2web"

_OF = re.compile(r"(.+)-\d{5}-of-\d{5}(?:-[0-9a-f]+)?\.parquet")
_NUMBER = re.compile(r"\d{4,5}\.parquet")
_COLUMNS = frozenset({"action_uid", "annotation_id", "confirmed_task", "pos_candidates", "cleaned_html"})
_VAGUE = "vague_task"
_ROW = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"')
_ROW_KEYS = (b'"action_uid"', b'"annotation_id"')
_OTHERS = (b'"actions"', b'"turns"', b'"previous_actions"')
_TAIL = 65_536


def _locate(clarified: bool, listing: Listing) -> Iterator[Path]:
    """The first file of each split of parquet files, and JSON files of rows."""
    met: set[str] = set()
    for name in listing.files_ending(".parquet"):
        if _split_name(name) not in met and _is_table(listing, name, clarified):
            met.add(_split_name(name))
            yield listing.folder / name
    for name in listing.files_ending(*SUFFIXES):
        if _is_json_rows(listing, name, clarified):
            yield listing.folder / name


def _split_name(name: str) -> str:
    """What the names of one split's files have in common; a file that is not numbered stands alone.

    Files that are called by a number only, as in converted sets, are one split, which their folder names.
    """
    numbered = _OF.fullmatch(name)
    return numbered[1] if numbered else _NUMBER.sub("0000.parquet", name)


def _is_table(listing: Listing, name: str, clarified: bool) -> bool:
    if not listing.head(name).startswith(MARK):
        return False
    columns = column_names(listing.folder / name, (*_COLUMNS, _VAGUE))
    return columns >= _COLUMNS and (_VAGUE in columns) == clarified


def _is_json_rows(listing: Listing, name: str, clarified: bool) -> bool:
    """Rows as JSON: the keys before the long texts stand in the file's beginning, those behind them at its end."""
    head = listing.head(name)
    if not _ROW.match(head) or _ROW_KEYS[0] not in head or any(key in head for key in _OTHERS):
        return False
    both = head + _tail(listing.folder / name)
    return all(key in both for key in _ROW_KEYS) and (b'"vague_task"' in both) == clarified


def _tail(path: Path) -> bytes:
    try:
        with open_regular(path) as stream:
            stream.seek(max(path.stat().st_size - _TAIL, 0))
            return stream.read(_TAIL)
    except OSError:
        return b""


locate_multimodal: Locate = partial(_locate, False)
locate_clarified: Locate = partial(_locate, True)


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
    return [path.parent / name for name in names if _split_name(name) == _split_name(path.name)]


def _split_of(path: Path) -> tuple[str, ...]:
    return split_of(path.with_name(_split_name(path.name)))


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


def _rows(folder: Path, files: dict[str, list[Spot]], found: Findings) -> Iterator[Row]:
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


open_multimodal_mind2web = _opener(MULTIMODAL, locate_multimodal)
open_mc_mind2web = _opener(CLARIFIED, locate_clarified)

MULTIMODAL_FORMAT = Format(
    name=MULTIMODAL,
    title="Multimodal-Mind2Web, pages with screenshots",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate_multimodal),
    open=open_multimodal_mind2web,
)

CLARIFIED_FORMAT = Format(
    name=CLARIFIED,
    title="MC-Mind2Web, tasks that need a question",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate_clarified),
    open=open_mc_mind2web,
)

FORMATS = (MULTIMODAL_FORMAT, CLARIFIED_FORMAT)
