"""SeeAct's files are known by the keys of questions, or by those of tasks without actions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_QUERY_KEYS = (b'"previous_actions"', b'"action_uid"', b'"confirmed_task"')
_TASK_KEYS = (b'"task_id"', b'"website"', b'"confirmed_task"')
_TASK_STRANGERS = (b'"actions"', b'"turns"', b'"action_uid"', b'"annotation_id"')


def locate(listing: Listing) -> Iterator[Path]:
    """Files of questions, and lists of tasks without actions."""
    for name in listing.files_ending(".jsonl"):
        if all(key in listing.head(name) for key in _QUERY_KEYS):
            yield listing.folder / name
    for name in listing.files_ending(".json"):
        if _lists_tasks(listing.head(name)):
            yield listing.folder / name


def _lists_tasks(head: bytes) -> bool:
    is_list = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    has_keys = all(key in head for key in _TASK_KEYS)
    return is_list and has_keys and not any(key in head for key in _TASK_STRANGERS)


FORMAT = Format(
    name="seeact",
    title="SeeAct examples and online task lists",
    platform=Platform.WEB,
    kind="episodes",
    checked="real",
    sniff=sniffer(locate),
    open=LateReader("seeact", "open_seeact"),
)
