"""What installed packages add to the program, by their entry points."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path

log = logging.getLogger("stepscope")


def entry_points_of(group: str) -> Iterator[EntryPoint]:
    """The entry points of a group, of each installed package that is found first under its name. A package whose facts
    cannot be read is passed over: `importlib.metadata.entry_points` would give nothing at all. What was found is known
    as long as nothing comes into, or leaves, the folders in which modules are looked for."""
    places = tuple((place, _changed(place)) for place in sys.path)
    known = _known.get(group)
    if known is None or known[0] != places:
        known = _known[group] = places, tuple(_found(group))
    yield from known[1]


_known: dict[str, tuple[tuple[tuple[str, int], ...], tuple[EntryPoint, ...]]] = {}
"""Entry points by group, with the folders in which they were found and when those were changed last."""


def _changed(place: str) -> int:
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0


def _found(group: str) -> Iterator[EntryPoint]:
    packages = [(package, points) for package in distributions() if (points := _points(package, group)) is not None]
    if not any(points for _, points in packages):
        return  # names need not be compared: reading the names of all packages takes ten times as long as the rest
    seen = set()
    for package, points in packages:
        try:
            name = re.sub(r"[-_.]+", "-", package.name or "").lower()
        except Exception as error:  # noqa: BLE001 - somebody else's files
            log.warning("a package's name cannot be read: %r", error)
            continue
        if name not in seen:
            seen.add(name)
            yield from points


def _points(package: Distribution, group: str) -> tuple[EntryPoint, ...] | None:
    """A package's entry points in the group; None where they cannot be read."""
    try:
        return tuple(package.entry_points.select(group=group))
    except Exception as error:  # noqa: BLE001 - somebody else's files
        log.warning("a package's entry points cannot be read: %r", error)
        return None
