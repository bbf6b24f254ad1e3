"""A run's coordinate check as its page shows it."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

Fraction = tuple[float, float]
"""A place on a screen: shares of its width and height, from the left and the top."""


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """A space in which the places were read: `right` of the run's `points` places, as a share with its interval, how
    many lie on the screen, the accuracy over all steps, and how much that is above the chosen space's. `note` is a word
    about it; `better` that its interval lies above the chosen one's. `gained` and `lost` are steps that would turn,
    `whole` episodes right in every step (None where there are no such), `malformed` answers that cannot be read."""

    id: str
    title: str
    right: int
    share: float | None
    interval: tuple[float, float] | None
    on_screen: float | None
    accuracy: float
    difference: float | None
    note: str = ""
    chosen: bool = False
    better: bool = False
    points: int = 0
    gained: int = 0
    lost: int = 0
    whole: int | None = None
    malformed: int = 0
    ends: tuple[float, float] | None = None
    """the largest x and y that the space has, None where it has none of its own"""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A step that would turn, in words; `better`: right then. `now_at` and `then_at` are the places as it is read now
    and would be, None for none; `target` is the reference's box: left, top, right, bottom, as shares. `about` says what
    the step is."""

    episode: str
    step: int
    better: bool
    said: str
    now: str
    then: str
    now_at: Fraction | None = None
    then_at: Fraction | None = None
    target: tuple[float, float, float, float] | None = None
    about: str = ""

    @property
    def whole(self) -> str:
        """All of it in a line."""
        turns = "right" if self.better else "wrong"
        said = f", said {self.said}" if self.said else ""
        return f"{self.about}{said}: {self.now} as read now, {self.then} then, {turns} then"


@dataclass(frozen=True, slots=True)
class CoordinatesState:
    """`headline` and `detail` say what was found; `winner` is the space to read again in, "" where there is none or the
    answers are not there. `footer` counts what was read, `command` is the equal command line. `kept`: a person says
    that it is right as it is. `said` are the numbers of x and of y as the model said them, `said_words` sum them up;
    `episodes` were scored. `turns` are the first of all `turning` steps."""

    headline: str
    detail: str
    rows: tuple[SpaceRow, ...]
    turns: tuple[TurnRow, ...]
    footer: str
    command: str
    winner: str = ""
    can_read: bool = False
    kept: bool = False
    said: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    said_words: str = ""
    episodes: int = 0
    turning: int = 0
