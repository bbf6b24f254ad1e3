"""What a page that somebody looks at tells of itself, and the hands and keys that go to it.

Places of the mouse are pixels of what is on the screen, as the page is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.page import BlockedRequest, PageLook, PageOption


@dataclass(frozen=True, slots=True)
class FrameDrawn:
    """A new picture was drawn: its number in the browser's ring."""

    number: int


@dataclass(frozen=True, slots=True)
class PageChanged:
    """Fields were filled in, moved or scrolled: the page as it is now, at most some 20 times a second."""

    look: PageLook


@dataclass(frozen=True, slots=True)
class PageSubmitted:
    """The person pressed the page's own submit button; nothing was sent anywhere and the page still stands."""

    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DropDownOpened:
    """A drop-down list was pressed: the window shows its items itself. `box` as in `PageLook`."""

    field: str
    options: tuple[PageOption, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class DialogShown:
    """alert, confirm or prompt; it was answered already."""

    words: str


@dataclass(frozen=True, slots=True)
class RequestBlocked:
    """A request was blocked."""

    request: BlockedRequest


@dataclass(frozen=True, slots=True)
class Pointing:
    """The mouse is over something that has a cursor of its own: Qt's name of the shape, such as "IBeamCursor"."""

    shape: str


@dataclass(frozen=True, slots=True)
class TextCopied:
    """The person copied or cut words in the page, which has a clipboard of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class PageProcessEnded:
    """The process is gone; `why` in words."""

    why: str


PageEvent = (
    FrameDrawn
    | PageChanged
    | PageSubmitted
    | DropDownOpened
    | DialogShown
    | RequestBlocked
    | Pointing
    | TextCopied
    | PageProcessEnded
)


@dataclass(frozen=True, slots=True)
class Mouse:
    what: Literal["press", "release", "move", "double"]
    x: float
    y: float
    button: Literal["left", "middle", "right", "none"] = "left"
    modifiers: int = 0
    """Qt.KeyboardModifier as a number."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """`dx`, `dy` in pixels, down and right positive."""

    x: float
    y: float
    dx: float
    dy: float
    modifiers: int = 0


@dataclass(frozen=True, slots=True)
class KeyPress:
    """`key` is Qt.Key as a number."""

    what: Literal["press", "release"]
    key: int
    text: str = ""
    modifiers: int = 0


@dataclass(frozen=True, slots=True)
class TextInput:
    """Text from an input method or the clipboard."""

    text: str


Hand = Mouse | Wheel | KeyPress | TextInput
