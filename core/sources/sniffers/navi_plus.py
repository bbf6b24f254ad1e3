"""Navi-plus's samples are known by both tasks of a record, under guessed keys or those of a keys file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import Platform
from stepscope.core.errors import SourceError
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import SUFFIXES, first_record, locate_by_head
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.sniffers.navi_plus_keys import KEYS_FILE, Keys, is_step, keys_for, plain_name
from stepscope.core.sources.source import Format, sniffer

_NAMED = re.compile(rb'"([^"\\]{1,60})"\s*:')


def locate(listing: Listing) -> Iterator[Path]:
    """JSON files whose first record has both tasks, and steps or what a step has.

    Beside a keys file every JSON file of objects counts: the person says that they are samples.
    """
    return locate_by_head(listing, SUFFIXES, _known(listing))


def _known(listing: Listing) -> Callable[[str], bool]:
    keys, own = Keys(), KEYS_FILE in listing.files or (listing.folder / KEYS_FILE).is_file()
    if any(name.lower().endswith(SUFFIXES) for name in listing.files):
        with suppress(SourceError):
            keys = keys_for(listing.folder)

    def known(name: str) -> bool:
        if name == KEYS_FILE:
            return False
        head = listing.head(name)
        form = first_record(head)
        return _is_sample(form, keys) or own if form is not None else _begins_as_sample(head, keys)

    return known


def _is_sample(record: Mapping[str, Any], keys: Keys) -> bool:
    tasks = all(keys.has(name, record) for name in ("original_task", "ambiguous_task"))
    listed = any(isinstance(keys.find(name, record), list) for name in ("steps", "images"))
    return tasks and (listed or is_step(record, keys))


def _begins_as_sample(head: bytes, keys: Keys) -> bool:
    """Whether a record that is longer than what was read of it begins as a sample, by the names of its keys."""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return False
    named = {plain_name(name.decode("utf-8", "replace")) for name in _NAMED.findall(head)}
    return all(
        any(plain_name(path.rpartition(".")[2]) in named for path in keys.names(name))
        for name in ("original_task", "ambiguous_task", "steps")
    )


FORMAT = Format(
    name="navi_plus",
    title="Navi-plus",
    platform=Platform.ANDROID,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("navi_plus", "open_navi_plus"),
)
