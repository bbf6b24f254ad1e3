"""Multimodal-Mind2Web and MC-Mind2Web are known by the columns of parquet tables or the keys of JSON rows; the latter
has one more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from stepscope.core.archives.parquet import MARK, read_footer
from stepscope.core.domain.episode import Platform
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.look import Listing, Locate
from stepscope.core.sources.sniffers.json_heads import SUFFIXES
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

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
        if split_name(name) not in met and _is_table(listing, name, clarified):
            met.add(split_name(name))
            yield listing.folder / name
    for name in listing.files_ending(*SUFFIXES):
        if _is_json_rows(listing, name, clarified):
            yield listing.folder / name


def split_name(name: str) -> str:
    """What the names of one split's files have in common; a file that is not numbered stands alone.

    Files that are called by a number only, as in converted sets, are one split, which their folder names.
    """
    numbered = _OF.fullmatch(name)
    return numbered[1] if numbered else _NUMBER.sub("0000.parquet", name)


def _is_table(listing: Listing, name: str, clarified: bool) -> bool:
    if not listing.head(name).startswith(MARK):
        return False
    columns = _column_names(listing.folder / name, (*_COLUMNS, _VAGUE))
    return columns >= _COLUMNS and (_VAGUE in columns) == clarified


def _column_names(path: Path, wanted: Sequence[str]) -> frozenset[str]:
    """Which of the columns the file's footer names; none when it has no whole footer. Nothing else is read."""
    try:
        footer = read_footer(path)
    except OSError:
        return frozenset()
    return frozenset(name for name in wanted if bytes((len(name),)) + name.encode() in footer)


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

MULTIMODAL_FORMAT = Format(
    name="multimodal_mind2web",
    title="Multimodal-Mind2Web, pages with screenshots",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate_multimodal),
    open=LateReader("mind2web_tables", "open_multimodal_mind2web"),
)

CLARIFIED_FORMAT = Format(
    name="mc_mind2web",
    title="MC-Mind2Web, tasks that need a question",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate_clarified),
    open=LateReader("mind2web_tables", "open_mc_mind2web"),
)

FORMATS = (MULTIMODAL_FORMAT, CLARIFIED_FORMAT)
