"""Reading the words of pictures off the GUI thread, in a process of its own: its networks never come into the
window's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services.worker import TextJob

Answer = tuple[Picture, UITree | SourceError]
Answers = Callable[["TextJob", CancelToken], Iterator[Answer]]


@dataclass(frozen=True, slots=True)
class ReadTexts:
    """All that was read so far: newer values take the place of older ones on their way to the window."""

    trees: tuple[tuple[Picture, UITree], ...] = ()
    errors: tuple[SourceError, ...] = ()

    @property
    def done(self) -> int:
        return len(self.trees) + len(self.errors)


def elsewhere(job: TextJob, token: CancelToken) -> Iterator[Answer]:
    """The answers out of the process, which keeps its networks for the next time."""
    from stepscope.app.services.worker import reading_worker

    yield from reading_worker().run(job, token)


def here(job: TextJob, token: CancelToken) -> Iterator[Answer]:
    """The same in this thread."""
    from stepscope.models.ocr.screens import read_screens

    yield from read_screens(job.pictures, token)


def reading(answers: Iterator[Any]) -> Iterator[ReadTexts]:
    """What there is after each answer."""
    trees: list[tuple[Picture, UITree]] = []
    errors: list[SourceError] = []
    for picture, found in answers:
        if isinstance(found, UITree):
            trees.append((picture, found))
        else:
            errors.append(found)
        yield ReadTexts(tuple(trees), tuple(errors))
