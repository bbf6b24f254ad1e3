"""RecipeQA is known by the keys in the beginning of a list of questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.domain.episode import Platform
from stepscope.core.sources.look import Listing
from stepscope.core.sources.sniffers.json_heads import locate_by_head
from stepscope.core.sources.sniffers.late_reader import LateReader
from stepscope.core.sources.source import Format, sniffer

_KEYS = (b'"recipe_id"', b'"context"', b'"body"')

_SCALAR = rb'\s*"[^"\\]{1,40}"\s*:\s*(?:"[^"\\]{0,200}"|[-+.eE\d]{1,20}|null)\s*,'
LIST = re.compile(rb"\s*\{(?:" + _SCALAR + rb'){0,9}\s*"data"\s*:\s*\[')
BOM = b"\xef\xbb\xbf"


def locate(listing: Listing) -> Iterator[Path]:
    """Files that begin with a list of questions about recipes."""

    def known(name: str) -> bool:
        head = listing.head(name)
        start = len(BOM) if head.startswith(BOM) else 0
        return LIST.match(head, start) is not None and all(key in head for key in _KEYS)

    yield from locate_by_head(listing, (".json",), known)


FORMAT = Format(
    name="recipeqa",
    title="RecipeQA",
    platform=Platform.TEXT,
    kind="procedures",
    checked="fixture",
    sniff=sniffer(locate),
    open=LateReader("recipeqa", "open_recipeqa"),
)
