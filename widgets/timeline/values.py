"""What the timeline shows, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from widgets.common.verdict import Verdict


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """A step's cell in the filmstrip. `time` in seconds since the start, None when it was not recorded.

    `icon`, `word` and `detail` tell the reference action; `ask` is "" (none), "asked" (a question came here) or "due".
    """

    index: int
    icon: str
    word: str
    detail: str = ""
    time: float | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class LaneCell:
    """What a run did at a step: the verdict, the confidence (0..1) and why, for the tooltip."""

    verdict: Verdict
    confidence: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """A run's lane: `run` 0 is A; a cell per step, None where the run has nothing."""

    run: int
    name: str
    cells: tuple[LaneCell | None, ...]
