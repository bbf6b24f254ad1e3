"""Mind2Web's tasks are known by a JSON list whose actions begin with a key of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_LIST = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*\[\s*\{")
_ACTIONS = re.compile(rb'(?<!\\)"actions"\s*:\s*\[\s*\{\s*')
_KEYS = re.compile(rb'(?<!\\)"(action_uid|raw_html|cleaned_html|pos_candidates|neg_candidates)"\s*:')


def locate(listing: Listing) -> Iterator[Path]:
    """JSON files that begin with a list of tasks: `actions` whose first key is one of a Mind2Web action."""
    for name in listing.files_ending(".json"):
        head = listing.head(name)
        if _LIST.match(head) and _holds_actions(head):
            yield listing.folder / name


def _holds_actions(head: bytes) -> bool:
    actions = _ACTIONS.search(head)
    return actions is not None and _KEYS.match(head, actions.end()) is not None


FORMAT = Format(
    name="mind2web",
    title="Mind2Web and MT-Mind2Web tasks",
    platform=Platform.WEB,
    kind="episodes",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("mind2web", "open_mind2web"),
)
