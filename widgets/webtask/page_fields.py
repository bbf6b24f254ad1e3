"""What the page of a web task is given to show, and what hands and keys do to it. All frozen values.

Pixels of the page are those of its picture: of the whole document (origin top left, whatever is scrolled) for boxes,
of what is on the screen (the document from its scrolled place on) for hands.
"""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import ACCENT, REFERENCE, RUN_STYLES
from stepscope.widgets.common.run_glyph import run_letter

YOU, ORACLE = "you", "oracle"
"""Keys of the two whose answers are always to be had: the person at the window, and the people of the data."""


class FieldState(StrEnum):
    """The state of an answer in the page: `plain` while nobody has judged it."""

    PLAIN = "plain"
    RIGHT = "right"
    PARTLY = "right in part"
    WRONG = "wrong"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class PageFieldMark:
    """A field of the page by its number in the table beside it. `box` is where it lies in the document, None: nowhere.

    `words` are what is said of it besides number and name, such as "checkbox, 0.00, people: short | punct".
    """

    number: int
    name: str
    box: Box | None
    state: FieldState = FieldState.PLAIN
    words: str = ""


@dataclass(frozen=True, slots=True)
class Runner:
    """A source of answers that can be shown: `key` names it in signals, `run` is the number of a run (0 is A), None for
    the person (YOU) and for people's answers (ORACLE)."""

    key: str
    name: str
    run: int | None = None

    @property
    def colour(self) -> str:
        """Colour of its marks on the page, the same in every theme."""
        if self.run is not None:
            return RUN_STYLES[self.run % len(RUN_STYLES)].colour
        return REFERENCE if self.key == ORACLE else ACCENT

    @property
    def spoken(self) -> str:
        return self.name if self.run is None else f"Run {run_letter(self.run)}, {self.name}"


PERSON = Runner(YOU, "You")
PEOPLE = Runner(ORACLE, "Oracle")


@dataclass(frozen=True, slots=True)
class BlockedHost:
    """The requests of a page to one host. `host` empty: of this machine's own files, which no page ever gets.

    `kinds`: document, script, image, …; `url` is the last that was asked for; `times` how often anything was refused.
    """

    host: str
    kinds: tuple[str, ...] = ()
    times: int = 0
    url: str = ""
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class RenderSize:
    """The size in which the page is to be drawn: that of its picture in pixels, and how many of them a CSS pixel is."""

    viewport: Size
    scale: float


def field_words(mark: PageFieldMark, total: int, whose: Runner = PERSON) -> str:
    """What is said of a field: "Field 3 of 5, reasons. Run A, Northstar: wrong. checkbox, 0.00"."""
    state = "" if mark.state == "plain" else f": {mark.state}"
    nowhere = " It is nowhere to be seen on the page." if mark.box is None else ""
    words = f" {mark.words}." if mark.words else ""
    return f"Field {mark.number} of {total}, {mark.name}. {whose.spoken}{state}.{words}{nowhere}"
