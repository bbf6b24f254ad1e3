"""Showing on stderr how far long work is: a live bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stepscope.app.cli.output import number_of, one_line, tell
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import Progress

if TYPE_CHECKING:
    from rich import console
    from rich import progress as rich_progress
else:
    console = lazy_module("rich.console")
    rich_progress = lazy_module("rich.progress")

_LINE_SECONDS = 10.0
"""How often work that is not watched in a terminal says how far it is."""


@contextmanager
def counting(doing: str, things: str) -> Iterator[Callable[..., None]]:
    """Show work of unknown length: call what is given with the count so far, and words to be shown in its place where
    it is another's. Quick work shows nothing."""
    if not sys.stderr.isatty():
        due = [time.monotonic() + _LINE_SECONDS]

        def now_and_then(count: int, words: str = "") -> None:
            if time.monotonic() >= due[0]:
                tell(words or f"{doing}: {number_of(count, things)}")
                due[0] = time.monotonic() + _LINE_SECONDS

        yield now_and_then
        return
    from rich.text import Text  # a status takes marks out of words that are no Text

    words = one_line(doing)
    with console.Console(stderr=True, file=sys.stderr, highlight=False, markup=False).status(
        Text(f"{words} …")
    ) as status:

        def live(count: int, instead: str = "") -> None:
            if instead or count % 50 == 1:
                status.update(Text(one_line(instead) or f"{words} … {number_of(count, things)}"))

        yield live


@contextmanager
def bar(doing: str) -> Iterator[Callable[..., None]]:
    """Show work that counts its items: call what is given with each `Progress`, and words to stand behind it."""
    if not sys.stderr.isatty():
        yield _lines(doing)
        return
    columns = (
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[speed]}", markup=False),
        rich_progress.TextColumn("{task.fields[words]}", markup=False),
    )
    with rich_progress.Progress(
        *columns, console=console.Console(file=sys.stderr, highlight=False), transient=True
    ) as display:
        task = display.add_task(one_line(doing), total=None, speed="", words="")

        def show(now: Progress, words: str = "") -> None:
            display.update(task, completed=now.done, total=now.total, speed=speed(now), words=one_line(words))

        yield show


def _lines(doing: str) -> Callable[..., None]:
    due = [time.monotonic() + _LINE_SECONDS]

    def show(now: Progress, words: str = "") -> None:
        if time.monotonic() >= due[0]:
            of = f" of {now.total}" if now.total is not None else ""
            tell(", ".join(filter(None, (f"{doing}: {now.done}{of} items", speed(now), words))))
            due[0] = time.monotonic() + _LINE_SECONDS

    return show


def speed(now: Progress) -> str:
    """ "12.3 items/s, 0:40 left" as far as it is known."""
    words = []
    if now.rate is not None:
        words.append(f"{now.rate:.1f} items/s" if now.rate < 100 else f"{now.rate:.0f} items/s")
    if now.seconds_left is not None:
        minutes, seconds = divmod(round(now.seconds_left), 60)
        hours, minutes = divmod(minutes, 60)
        words.append(f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left")
    return ", ".join(words)
