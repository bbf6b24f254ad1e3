"""What may be chosen for a training, what was, and how one goes, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.core.domain.prediction import Task


@dataclass(frozen=True, slots=True)
class RecipeChoice:
    """A way to train a model for a task, with its own settings. `measured` names what is looked at after each epoch,
    higher is better; `why_not` says why it cannot be taken now, "" when it can."""

    name: str
    task: Task
    title: str
    explained: str = ""
    measured: str = ""
    epochs: int = 50
    batch: int = 32
    rate: float = 1e-3
    patience: int = 10
    seeds: tuple[int, ...] = (0,)
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """All that decides a training. `data` is "all" or "filter", `filter` the text of that filter. An empty `train`
    means that the apps of the data are dealt out to three parts; an empty `held_out` that nothing is measured."""

    task: Task
    recipe: str
    data: str
    name: str
    train: str = ""
    validation: str = ""
    held_out: str = ""
    filter: str = ""
    seeds: tuple[int, ...] = (0,)
    epochs: int = 50
    batch: int = 32
    rate: float = 1e-3
    patience: int = 10
    device: str = "auto"
    onnx: bool = True


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
class TrainingStatus:
    """The state of a training: `doing` in words, its epochs so far, and `notes` about what went wrong or was left
    out."""

    name: str
    doing: str = ""
    measured: str = ""
    points: tuple[EpochPoint, ...] = ()
    notes: tuple[str, ...] = ()
    running: bool = True
    paused: bool = False


def best_of(points: tuple[EpochPoint, ...]) -> EpochPoint | None:
    """The epoch with the highest measure of all seeds, the first of equal ones."""
    return max((point for point in points if point.best), key=lambda point: point.measure, default=None)


def by_seed(points: tuple[EpochPoint, ...]) -> dict[int, list[EpochPoint]]:
    """The epochs of each seed, in the order in which they came."""
    found: dict[int, list[EpochPoint]] = {}
    for point in points:
        found.setdefault(point.seed, []).append(point)
    return found
