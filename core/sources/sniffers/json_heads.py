"""How files of JSON records begin: what formats of such files are known by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from stepscope.core.sources.look import Listing

SUFFIXES = (".json", ".jsonl", ".ndjson")

_BOM = b"\xef\xbb\xbf"
_PROBED = 8
_EACH = 256


def first_record(head: bytes) -> Mapping[str, Any] | None:
    """The first record of a file that begins with `head`; None when it is longer than that, or no object."""
    text = head.removeprefix(_BOM).decode("utf-8", errors="ignore").lstrip()
    text = text.removeprefix("[").lstrip()
    if not text.startswith("{"):
        return None
    try:
        form, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return form if isinstance(form, dict) else None


def locate_by_head(listing: Listing, suffixes: tuple[str, ...], known: Callable[[str], bool]) -> Iterator[Path]:
    """Files for whose names `known` says yes, told by their beginnings.

    In a folder where none of the first eight is known, the rest is not opened; in one with more than 256 files the rest
    counts as known once one of the eight is, so that thousands of files need not be opened to find them. Beside known
    ones an empty file counts too, so that it is told.
    """
    names = listing.files_ending(*suffixes)
    if not any(map(known, names[:_PROBED])):
        return
    for place, name in enumerate(names):
        if (place >= _PROBED and len(names) > _EACH) or known(name) or listing.is_empty(name):
            yield listing.folder / name
