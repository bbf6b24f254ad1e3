"""How a training goes, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.training.drawn_batch import DrawnBatch


@dataclass(frozen=True, slots=True)
class EpochPoint:
    """One epoch of one seed, counted from 0; `best`: better than all before it by `measure`."""

    seed: int
    epoch: int
    train_loss: float
    validation_loss: float
    measure: float
    best: bool = False


@dataclass(frozen=True, slots=True)
class EpochPace:
    """A training in the middle of an epoch: so many of its batches are done, `seconds_left` until all are, None where
    nobody can tell. `rate` is the learning rate, `loss` the mean of the epoch so far. `data`, `forward` and `backward`
    are shares of the time, 0 to 1, whose rest is bookkeeping. Memory in bytes, `gpu_memory` 0 without a GPU; `gpu_use`
    the share of time in which it was at work, None where nobody tells."""

    batch: int
    batches: int
    items_per_second: float
    seconds_left: float | None
    rate: float
    loss: float
    data: float
    forward: float
    backward: float
    memory: int
    gpu_memory: int = 0
    gpu_use: float | None = None

    @property
    def rest(self) -> float:
        return max(0.0, 1 - self.data - self.forward - self.backward)


@dataclass(frozen=True, slots=True)
class TrainingStatus:
    """The state of a training: `doing` in words, its epochs so far and those of the pretraining before, what that did
    to its last batch, the pace of the one under way (or of the one before it), `notes` about what went wrong or was
    left out, and once it is done its `results` on each data set."""

    name: str
    doing: str = ""
    measured: str = ""
    points: tuple[EpochPoint, ...] = ()
    notes: tuple[str, ...] = ()
    running: bool = True
    paused: bool = False
    pace: EpochPace | None = None
    results: tuple[str, ...] = ()
    pretraining: tuple[EpochPoint, ...] = ()
    drawn: DrawnBatch | None = None


def best_of(points: tuple[EpochPoint, ...]) -> EpochPoint | None:
    """The epoch with the highest measure of all seeds, the first of equal ones."""
    return max((point for point in points if point.best), key=lambda point: point.measure, default=None)


def by_seed(points: tuple[EpochPoint, ...]) -> dict[int, list[EpochPoint]]:
    """The epochs of each seed, in the order in which they came."""
    found: dict[int, list[EpochPoint]] = {}
    for point in points:
        found.setdefault(point.seed, []).append(point)
    return found
