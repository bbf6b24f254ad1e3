"""One question to a model and what came back: the prompt as it was sent, pictures, tokens, time, attempts.

A prediction has one for each question that was put for it, in order; predictors that ask nothing have none. Keys and
headers are no part of it.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass

MOST_CALLS, MOST_MESSAGES, MOST_PARTS = 200, 400, 1_000
"""Calls of one prediction, messages of one call, and parts of one message that are kept."""
LONGEST_TEXT = 400_000
"""Letters of one text of a prompt, and of an output, that are kept."""
LARGEST_SENT_PICTURE = 4 << 20
"""Bytes of a picture's file that are kept where it cannot be made again."""
MOST_TOKENS = 2**31 - 1
MOST_POINTS = 300
_LEFT_OUT = "… [{:,} letters left out here]"


class CoordinateSpace(StrEnum):
    """What the numbers of a point as said are counted in. sent: pixels of the picture as sent; screen: pixels of the
    recorded screenshot; thousand: 0 to 1,000 on either side; nine99: 0 to 999; unit: 0 to 1."""

    SENT = "sent"
    SCREEN = "screen"
    THOUSAND = "thousand"
    NINE99 = "nine99"
    UNIT = "unit"


class PictureMaker(StrEnum):
    """How a picture as sent is made again of the step's recorded screen. none: it cannot be, and its file is kept;
    trajectory: with the action drawn (`models.chat.pictures`); screen: as it is, at the size sent
    (`models.agents.question`)."""

    NONE = ""
    TRAJECTORY = "trajectory"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as it was sent: its size in pixels, and the SHA-256 of its file in hex.

    `step` is the place, from 0, of the step among its episode's whose screen it shows, None where that is the
    prediction's own or no step at all.
    `maker` says how the file is made again; where it cannot be, `data` is the file, empty where it was too large to
    keep, and where it was not read from the store. `blocks`: the edge in pixels of the squares that the model cuts it
    into, where the predictor tells. `box` is the part of the recorded screen that it shows, in that screen's pixels;
    None: all of it.
    """

    digest: str
    width: int
    height: int
    media: str = "image/jpeg"
    step: int | None = None
    maker: PictureMaker = PictureMaker.NONE
    blocks: int | None = None
    box: Box | None = None
    data: bytes = field(default=b"", repr=False, compare=False)


SentPart = str | SentPicture


@dataclass(frozen=True, slots=True)
class SentMessage:
    """One message of a prompt: who speaks (system, user, assistant), and texts and pictures in their order."""

    role: str
    parts: tuple[SentPart, ...]


@dataclass(frozen=True, slots=True)
class CallAttempt:
    """One try at a call: `why` it did not do, "" for the one that was answered; `ms` until it ended, and `waited_ms`
    before the next."""

    why: str = ""
    ms: float | None = None
    waited_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class SaidPoint:
    """A place as the model said it, in its own numbers."""

    x: float
    y: float
    space: CoordinateSpace


@dataclass(frozen=True, slots=True)
class ModelCall:
    """`settings` are the request's other fields as text (model, temperature, max_tokens). `output` is what the model
    said, whole. Tokens are those that the server names, `first_ms` the time until the first of them came; None where
    nobody tells. `ms` is the time of the attempt that was answered. `stop` is the server's word for why the answer
    ended ("length": at its limit). `said` are the places in it. `remembered`: the answer was known from an earlier run,
    and nothing was asked this time.
    """

    messages: tuple[SentMessage, ...]
    output: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None
    first_ms: float | None = None
    ms: float | None = None
    attempts: tuple[CallAttempt, ...] = ()
    stop: str = ""
    said: tuple[SaidPoint, ...] = ()
    remembered: bool = False

    @property
    def retries(self) -> int:
        """How often it was asked again."""
        return max(0, len(self.attempts) - 1)

    @property
    def pictures(self) -> tuple[SentPicture, ...]:
        return tuple(part for one in self.messages for part in one.parts if isinstance(part, SentPicture))


def shortened(text: str) -> str:
    """The text as it is kept: of a longer one the beginning, and how much is left out."""
    over = len(text) - LONGEST_TEXT
    return text if over <= 0 else text[:LONGEST_TEXT] + _LEFT_OUT.format(over)


def digest_of(data: bytes) -> str:
    """The SHA-256 of a file or of a text in UTF-8, in hex."""
    import hashlib  # brings OpenSSL; a start has no call to keep

    return hashlib.sha256(data).hexdigest()
