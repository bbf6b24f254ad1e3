"""The values that the mirror shows and two small protocols; the owner of the device provides them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass

Pixels = NDArray[np.uint8]

SCREEN_OFF = "The screen is off"
SECURE_WINDOW = "This window forbids pictures"
MOST_CHOICES = 5
"""Choices of an agent that are numbered on the screen."""


class MirrorFrame(Protocol):
    """One picture of the live screen. `image` is height × width × 4 bytes (blue, green, red, unused), contiguous, never
    written to again; `size` is the device's screen, as it is turned now; `number` counts the frames."""

    @property
    def image(self) -> Pixels: ...

    @property
    def size(self) -> Size: ...

    @property
    def number(self) -> int: ...


class FrameSource(Protocol):
    """The slot in which the newest frame waits."""

    def take(self) -> Any | None:
        """The newest frame, once; None where it was taken already."""
        ...

    def painted(self, frame: Any) -> None:
        """Note that this frame is on the screen now."""
        ...


@dataclass(frozen=True, slots=True)
class ActionCandidate:
    """An action that the agent weighs: its words, its score (0..1), and where it would be (None: nowhere)."""

    label: str
    score: float
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The next action that run `run` (0 is A) would do. `instruction` tells it in words; the first of `choices` is its
    best. `target` is outlined. `question` not empty: it asks instead of acting, at step `step` as people count it.

    `limit`: below this score it asks. `waits`: a person has to approve.
    """

    run: int
    instruction: str = ""
    choices: tuple[ActionCandidate, ...] = ()
    limit: float | None = None
    target: Box | None = None
    question: str = ""
    step: int = 0
    waits: bool = True

    @property
    def outcome(self) -> str:
        """What becomes of it, in words."""
        best = self.choices[0].score if self.choices else None
        if self.question or (best is not None and self.limit is not None and best < self.limit):
            return "asks instead"
        return "Enter approves" if self.waits else "acts on its own"


def reconnecting(attempt: int) -> str:
    """The words over the picture of a device that was lost."""
    return f"Reconnecting, attempt {attempt}"


def starting(name: str) -> str:
    """The words until the first picture: "Starting the simulated phone"."""
    return f"Starting {name}"
