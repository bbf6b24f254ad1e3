"""What installed packages add to the program, by their entry points."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions

log = logging.getLogger("stepscope")


def entry_points_of(group: str) -> Iterator[EntryPoint]:
    """The entry points of a group, of each installed package that is found first under its name. A package whose facts
    cannot be read is passed over: `importlib.metadata.entry_points` would give nothing at all."""
    seen = set()
    for package in distributions():
        try:
            name = re.sub(r"[-_.]+", "-", package.name or "").lower()
            points = tuple(package.entry_points.select(group=group)) if name not in seen else ()
        except Exception as error:  # noqa: BLE001 - somebody else's files
            log.warning("a package's entry points cannot be read: %r", error)
            continue
        seen.add(name)
        yield from points
