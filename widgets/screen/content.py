"""What a screen view is given to show, and the colours around it. All frozen; marks bring their own colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.widgets.screen.picture import ScreenPicture
from stepscope.widgets.theme import Theme

if TYPE_CHECKING:
    from stepscope.core.domain.mark import Mark


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The step before or after: its number as people count, and its picture (None: no picture, or still loading)."""

    number: int
    picture: ScreenPicture | None = None


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """One step. `size` is the frame of its marks; `picture` None shows an empty screen of that size, with the step's
    `words` on it where it has some.

    `number` is the step's as people count it, of `total`. `previous` or `next` None: there is none.
    """

    size: Size
    picture: ScreenPicture | None = None
    marks: tuple[Mark, ...] = ()
    number: int = 1
    total: int = 1
    previous: Neighbour | None = None
    next: Neighbour | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class ScreenColors:
    """Colours of what lies around the picture, as hex text."""

    canvas: str
    dots: str
    ring: str
    card: str
    text: str
    dim: str
    accent: str
    is_dark: bool

    @classmethod
    def of(cls, theme: Theme) -> ScreenColors:
        return cls(
            canvas=theme.canvas,
            dots=theme.line2 if theme.is_dark else theme.line,
            ring=theme.line,
            card=theme.raised,
            text=theme.text,
            dim=theme.dim,
            accent=theme.accent,
            is_dark=theme.is_dark,
        )
