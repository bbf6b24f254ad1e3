"""What is asked before an animation is made, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class AnimationSubject:
    """The episode: `name` as people read it, its steps, what is drawn on them in words, and how many seconds it took
    when it was recorded (None: nobody knows)."""

    name: str
    steps: int
    drawn: str
    recorded: float | None = None


@dataclass(frozen=True, slots=True)
class AnimationChoice:
    """`kind` webp or mp4; `size` small, medium or large; `seconds` that a step stays, which with `recorded` holds only
    for steps without a time."""

    kind: str = "webp"
    size: str = "medium"
    seconds: float = 1.5
    recorded: bool = False
