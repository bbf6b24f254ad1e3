"""Processes that read the parts of a long file of records: as many as there are cores.

A child (`part_child`) is told which function is to read which part, and says what that made of it and which bad records
it left out. Where a bad record ends the reading it says nothing of that part: whoever asked reads it anew and finds the
record, its line and its words as in a file that is read by one process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, NamedTuple, cast

from stepscope.core.process import children, pickled
from stepscope.core.process.children import Child
from stepscope.core.process.cores import usable_cores
from stepscope.core.scoring.file_parts import PART, FilePart

_MOST_CHILDREN = 8
_LONGEST = 2 * PART
"""A part with a line that makes it longer is read by one process, so that memory holds one such line."""
_CHILD = "stepscope.core.scoring.part_child"


class PartQuestion(NamedTuple):
    """What a child is asked: what `read` makes of the part of the file at `path`, if that is still the one with this
    device and number."""

    read: Callable[[Any], Any]
    path: Path
    file: tuple[int, int]
    part: FilePart
    skip_bad: bool


class PartAnswer(NamedTuple):
    """How many lines the part has, what was made of them, and the number and message of each record that was left out.
    Lines have the numbers of `Records.of_part`."""

    lines: int
    found: Any
    skipped: Sequence[tuple[int, str]]


def read_by_children(
    read: Callable[[Any], Any], stream: BinaryIO, path: Path, parts: Sequence[FilePart], *, skip_bad: bool
) -> Generator[PartAnswer | None, None, None]:
    """What `read`, a function of a module, makes of the `Records` of each part, in the order of the parts. None for one
    that is to be read here: a record in it is bad, a line very long, or the child was lost."""
    about = os.fstat(stream.fileno())
    file = about.st_dev, about.st_ino
    count = min(usable_cores(), _MOST_CHILDREN, len(parts))
    idle: SimpleQueue[Child | None] = SimpleQueue()
    launched: list[Child] = []

    def answer(part: FilePart) -> PartAnswer | None:
        child = idle.get()
        found = None
        if child is not None and (part.size or 0) <= _LONGEST:
            try:
                found = _asked(child, PartQuestion(read, path, file, part, skip_bad))
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):  # it was killed
                child = None
        idle.put(child)
        return found

    pool = ThreadPoolExecutor(count, "file part")
    try:
        for _ in range(count):
            child = _launched()
            launched += [child] if child else []
            idle.put(child)
        yield from pool.map(answer, parts)
    finally:
        for child in launched:
            children.end(child)
        pool.shutdown()


def _launched() -> Child | None:
    """A child, or None where the system has no room for one. Ctrl+C in a terminal is not for it, and it is silent."""
    try:
        return children.launch(children.command(_CHILD), errors=subprocess.DEVNULL, own_session=True)
    except OSError:
        return None


def _asked(child: Child, question: PartQuestion) -> PartAnswer | None:
    pickled.send(child, question)
    return cast(PartAnswer | None, pickle.load(cast(BinaryIO, child.stdout)))
