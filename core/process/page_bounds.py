"""What the processes of browsers may take and say at once, and the words for one that took or said more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from stepscope.core.limits import hint, limit, written_figure
from stepscope.core.process.memory import MemoryWatch


class LineTooLong(Exception):  # noqa: N818 - it ends a talk and is told in other words
    """A line is longer than `page-answer-bytes`."""


def page_watch(process: int, over: Callable[[int], None]) -> MemoryWatch:
    """A watch over a browser's processes with the limit `page-memory`."""
    return MemoryWatch(process, limit("page-memory"), over)


def lines_of(stream: IO[str]) -> Iterator[str]:
    """What a process says in lines, each letter a byte (JSON's escapes are ASCII). Raises LineTooLong before it keeps
    more than `page-answer-bytes` of one."""
    most = limit("page-answer-bytes")
    while line := stream.readline(most):
        if len(line) == most:
            raise LineTooLong
        yield line


def grows(who: str, taken: int) -> str:
    """`who` took more than `page-memory`."""
    most = written_figure("bytes", limit("page-memory"))
    return (
        f"{who} took more than {most} of memory ({written_figure('bytes', taken)}) and was ended. {hint('page-memory')}"
    )


def speaks(who: str) -> str:
    """`who` passed by the bound that its own process keeps."""
    most = written_figure("bytes", limit("page-answer-bytes"))
    return f"{who} told more than {most} at once and was ended. {hint('page-answer-bytes')}"
