"""What a live page says of itself, and what can be asked of it. `Browser` (`core.webtask.browser`) makes such pages.

Places are pixels of the page's whole picture: origin top left of the document, whatever is scrolled; a picture of the
viewport begins at `PageLook.scroll`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import PageAction

VIEWPORT = Size(1280, 800)
"""What a page is drawn at unless something else is asked for (ours)."""
MOST_PICTURE = Size(4096, 16_000)
"""The most that a picture of a page has (ours); what lies right of it or below is left out."""


class PageError(UserError):
    """An action could not be done; the page lives on. The message is for people and for models."""


class PageFault(RuntimeError):  # noqa: N818 - as its neighbours
    """The page's process failed where it should not have: a fault of the workbench, neither of the page nor of whoever
    asked. The page lives on."""


class PageGone(UserError):  # noqa: N818 - it is told like that
    """The page's process hung and was killed, crashed, or could not be started; its page is lost."""


@dataclass(frozen=True, slots=True)
class PageOption:
    """One button, box or item of a field. `box` covers it and its label; None where it is not drawn."""

    value: str
    label: str
    chosen: bool
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class PageField:
    """A field as it stands in the page at the moment. `value` is what it would be submitted with, ticked boxes joined
    by "|" in page order. `box` covers all its elements with their labels, None where nothing of it is drawn."""

    name: str
    type: FieldType
    value: str
    label: str = ""
    options: tuple[PageOption, ...] = ()
    box: Box | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class PageLook:
    """`missing` are the names that were asked for and that no element of the page has."""

    fields: tuple[PageField, ...]
    size: Size
    viewport: Size
    scroll: Point
    title: str = ""
    missing: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, str]:
        return {one.name: one.value for one in self.fields}


@dataclass(frozen=True, slots=True)
class BlockedRequest:
    """A request that would have left this machine, or read its files, and was refused. `times`: how often."""

    url: str
    kind: str
    """document, script, style, image, media, font, request, socket, file, popup or other"""
    host: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an action: `text` for get_html, `png` for capture_screen; `said` is in words for the log."""

    said: str = ""
    text: str = ""
    png: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """One call of the action library. `at` and `took` are seconds, `at` since the page was opened. `said` is the result
    in words ("12.4 KB", "2 of 4 ticked"), or why it failed. `raw` is the piece of a model's output it came from."""

    action: PageAction
    at: float
    took: float
    ok: bool = True
    said: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class PageSource:
    """A page to be opened. `names` are its answer fields in the task's order; other fields are left alone by solvers.
    `types` are the task's own types by name: the page's element decides where it differs."""

    title: str
    html: str
    names: tuple[str, ...]
    types: Mapping[str, FieldType] = field(default_factory=dict)


class Page(Protocol):
    """One open page. Every call returns when the page has taken it in; used from one thread at a time.

    Raises PageError when an action cannot be done, PageGone when the page is lost, PageFault for a fault of ours.
    """

    @property
    def log(self) -> tuple[ExecutedCall, ...]:
        """All calls of `do` so far, failed ones too."""
        ...

    @property
    def blocked(self) -> tuple[BlockedRequest, ...]: ...

    @property
    def dialogs(self) -> tuple[str, ...]:
        """What alert, confirm and prompt said; they were answered at once: OK, OK, and the prompt's default."""
        ...

    def do(self, action: PageAction, *, raw: str = "") -> Result: ...

    def look(self, names: Sequence[str] | None = None) -> PageLook:
        """The fields of these names, None: all that the page has."""
        ...

    def tree(self) -> UITree:
        """The elements that are drawn, in document order; places as in `look`."""
        ...
