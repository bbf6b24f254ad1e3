"""Where MoTIF's tables lie: inside what was opened, in folders above it, or beside the folder of the apps.

In the releases the traces are `raw_data/<app>/<trace id>/` and the tables lie in a sibling of `raw_data` or deeper in
the repository, so that an opened trace finds them up to four folders above, and one folder down from the apps' folder
and its parent.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from stepscope.core.errors import SourceError
from stepscope.core.sources.look import Listing, list_folder, visible
from stepscope.core.sources.motif_tables import Tables
from stepscope.core.sources.sniffers.motif import ANNOTATIONS, TASK_NAMES, is_table, is_trace

_TRACE_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FOLDERS, _DEPTH, _ENTRIES = 1_000, 4, 2_000
"""How far tables are looked for below what was opened."""

_ABOVE, _ABOVE_WITH_FOLDERS, _FOLDERS_BESIDE = 4, 3, 300
"""How many folders above a trace are looked into, and of how many of those the folders too."""

_TRACES_BELOW_APPS = 2
"""A table that is opened alone stands beside the apps' folder or deeper: the other tables are looked for from there."""


def locate_trace(listing: Listing) -> Iterator[Path]:
    """The folder itself when it is a trace."""
    if is_trace(listing):
        yield listing.folder


def read_tables(path: Path) -> Tables:
    """All tables for what lies at `path`; of files with the same name the nearest counts."""
    base = path if path.is_dir() else path.parent
    below, depth = _below(path)
    depth = _TRACES_BELOW_APPS if path.is_file() else depth
    found: dict[str, tuple[Path, bool]] = {}
    for listing, own in (
        *((listing, True) for listing in below),
        *((listing, False) for listing in _above(base, depth)),
    ):
        for name in sorted(filter(is_table, listing.files)):
            found.setdefault(name, (listing.folder / name, own))
    tables = Tables(base)
    for name in sorted(found, key=_rank):
        table, own = found[name]
        tables.add(table, own and (path.is_dir() or table == path))
    return tables


def _rank(name: str) -> tuple[int, str]:
    """Goals first, then the annotations, the feasibility split with train before test, and the automation splits."""
    order = (TASK_NAMES, ANNOTATIONS, "train_traces.txt", "val_traces.txt", "test_traces.txt")
    return (order.index(name) if name in order else len(order), name)


def _below(path: Path) -> tuple[list[Listing], int | None]:
    """Folders at and below `path` that may hold tables, near ones first, and how deep the first trace lies."""
    start = path if path.is_dir() else path.parent
    queue = deque([(start, 0)])
    listings: list[Listing] = []
    depth: int | None = None
    for _ in range(_FOLDERS):
        if not queue:
            break
        folder, level = queue.popleft()
        listing = _listed(folder, _ENTRIES)
        if listing is None:
            continue
        listings.append(listing)
        if is_trace(listing):
            depth = level if depth is None else depth
            continue
        names = visible(listing.folders)
        traces = [name for name in names if _TRACE_ID.fullmatch(name)]
        if traces and depth is None:
            depth = level + 1
        if level < (_DEPTH if path.is_dir() else 1):
            queue.extend((folder / name, level + 1) for name in names if not _TRACE_ID.fullmatch(name))
    return listings, depth


def _above(base: Path, depth: int | None) -> Iterator[Listing]:
    """Folders above and beside `base`, whose traces lie `depth` folders below it; none where there are no traces."""
    if depth is None:
        return
    below = base.absolute()
    for level in range(depth + 1, _ABOVE + 1):
        folder = below.parent
        if folder == below:
            return
        listing = _listed(folder, _ENTRIES)
        if listing is not None:
            yield listing
            if level <= _ABOVE_WITH_FOLDERS:
                yield from _beside(listing, below)
        below = folder


def _beside(listing: Listing, known: Path) -> Iterator[Listing]:
    names = [name for name in visible(listing.folders) if not _TRACE_ID.fullmatch(name)]
    for name in names[:_FOLDERS_BESIDE]:
        folder = listing.folder / name
        inner = _listed(folder, _ENTRIES) if folder != known else None
        if inner is not None and not is_trace(inner):
            yield inner


def _listed(folder: Path, limit: int) -> Listing | None:
    try:
        return list_folder(folder, limit)
    except SourceError:
        return None
