"""What the timeline shows, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.common.verdict import ShownVerdict

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second, or times the recorded speed."""


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
    """A run's outcome at a step: the verdict, the confidence (0..1) and why, for the tooltip.

    `ask` is "" (none), "came" (a question was put here) or "due" (none was put where one was due). `does` tells the
    run's action, `after` what it does there once its question has been answered: the second stream.
    """

    verdict: ShownVerdict
    confidence: float | None = None
    why: str = ""
    ask: str = ""
    does: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """A run's lane: `run` 0 is A; a cell per step, None where the run has nothing.

    A run that answers about the whole episode has no cells: `verdict` and `words` tell the answer, and `curve`, where
    there is one, a probability (0..1) after each step, as far as the run looked.
    """

    run: int
    name: str
    cells: tuple[LaneCell | None, ...] = ()
    curve: tuple[float, ...] = ()
    words: str = ""
    verdict: ShownVerdict | None = None
    doubt: str = ""
    """why its places may be misread, "" where they are not known to be"""

    @property
    def has_second_stream(self) -> bool:
        return any(cell is not None and cell.after for cell in self.cells)

    def tell(self, step: int) -> str:
        """What there is to say of a step, for tooltips."""
        if self.curve:
            return f"P(infeasible) after step {step + 1}: {self.curve[step]:.2f}" if step < len(self.curve) else ""
        if not self.cells:
            return self.words
        cell = self.cells[step] if step < len(self.cells) else None
        if cell is None:
            return "no prediction"
        after = f"after the answer: {cell.after}" if cell.after else ""
        return ". ".join(filter(None, (cell.verdict.value, cell.why.rstrip("."), cell.does, after)))


@dataclass(frozen=True, slots=True)
class FoldedLane:
    """The lanes of several runs in one row: a sign for each at every step."""

    lanes: tuple[Lane, ...]

    def tell(self, step: int) -> str:
        """What there is to say of a step, a line for each run."""
        return "\n".join(f"{run_letter(lane.run)} {lane.name}: {lane.tell(step)}" for lane in self.lanes)


def folded(lanes: tuple[Lane, ...]) -> tuple[Lane | FoldedLane, ...]:
    """The same lanes with those that have a verdict for each step in one row; curves and answers about the whole
    episode need rows of their own."""
    plain = tuple(lane for lane in lanes if lane.cells and not lane.curve)
    rest = tuple(lane for lane in lanes if lane not in plain)
    return (FoldedLane(plain), *rest) if len(plain) > 1 else lanes
