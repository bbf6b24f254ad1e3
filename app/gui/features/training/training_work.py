"""The work of a training off the GUI thread, in a process of its own: torch never comes into the window's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from stepscope.app.services.worker import TrainingJob, training_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UnavailableError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.training import EpochPoint, RecipeChoice, TrainRequest

if TYPE_CHECKING:
    from stepscope.app.services import training
    from stepscope.app.services.training import TrainingCancelled, TrainingFinished, TrainingRequest
    from stepscope.models.learned import recipes as learned_recipes
else:
    training = lazy_module("stepscope.app.services.training")
    learned_recipes = lazy_module("stepscope.models.learned.recipes")

TRAINABLE = (Task.FEASIBILITY, Task.AUTOMATION, Task.GOAL, Task.ORDERING, Task.ASK)
REASONS_TOLD = 3

Events = Callable[[TrainingJob, CancelToken], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class TrainingState:
    """A training as it stands: all epochs, since newer values take the place of older ones on their way to the
    window. `doing` is what is under way, `epochs` how many a seed has at most."""

    doing: str = "Starting"
    progress: Progress | None = None
    points: tuple[EpochPoint, ...] = ()
    epochs: int = 0
    notes: tuple[str, ...] = ()
    done: TrainingFinished | None = None
    stopped: TrainingCancelled | None = None


def elsewhere(job: TrainingJob, token: CancelToken) -> Iterator[Any]:
    """The training's events out of its process, which ends with it and gives back all memory."""
    worker = training_worker()
    try:
        yield from worker.run(job, token)
    finally:
        worker.close()


def here(job: TrainingJob, token: CancelToken) -> Iterator[Any]:
    """The same in this thread."""
    from stepscope.app.services.worker_child import train_job

    yield from train_job(job, token)


def states(events: Iterator[Any]) -> Iterator[TrainingState]:
    """How the training stands after each of its events."""
    state = TrainingState()
    for event in events:
        state = _after(state, event)
        yield state


def _after(state: TrainingState, event: Any) -> TrainingState:
    from stepscope.models.training.loop import TrainingWarning
    from stepscope.models.training.state import Epoch

    match event:
        case training.Stage(doing, progress):
            return replace(state, doing=doing, progress=progress)
        case Epoch():
            point = EpochPoint(
                event.seed, event.epoch, event.train_loss, event.validation_loss, event.measure, event.best
            )
            doing = f"Seed {event.seed}, epoch {event.epoch + 1} of {event.epochs}"
            known = replace(state, points=(*state.points, point), epochs=event.epochs, doing=doing)
            return replace(known, progress=Progress(event.epoch + 1, event.epochs))
        case TrainingWarning(seed, text):
            return replace(state, notes=(*state.notes, f"Seed {seed}: {text}"))
        case training.SkippedEpisodes(split, reasons):
            told = "; ".join(f"{episode}: {why}" for episode, why in reasons[:REASONS_TOLD])
            words = f"Nothing to learn from {len(reasons):,} of the {split} split: {told}"
            return replace(state, notes=(*state.notes, words + ("; …" if len(reasons) > REASONS_TOLD else "")))
        case training.TrainingFinished():
            return replace(state, done=event, doing="Done", progress=None)
        case training.TrainingCancelled():
            return replace(state, stopped=event, doing="Stopped", progress=None)
    return state


def request_of(form: TrainRequest) -> TrainingRequest:
    """The form's choice as both faces train it. Raises FilterError."""
    from stepscope.core.domain.filter_parser import parse
    from stepscope.models.learned.recipe import Hyper

    own: Hyper = learned_recipes.recipe(form.recipe).hyper
    return training.TrainingRequest(
        form.task,
        recipe=form.recipe,
        name=form.name,
        train=form.train,
        validation=form.validation,
        held_out=form.held_out,
        query=parse(form.filter),
        hyper=replace(
            own, seeds=form.seeds, epochs=form.epochs, batch=form.batch, rate=form.rate, patience=form.patience
        ),
        device=form.device,
        onnx=form.onnx,
    )


def recipes() -> tuple[tuple[RecipeChoice, ...], str]:
    """All recipes, and why nothing can be trained on this machine ("" when it can). Looks only: torch stays out."""
    from stepscope.models.encoders.registry import find

    lack = "" if find_spec("torch") else "Training needs torch: pip install 'stepscope[models]'."
    try:
        find()
    except UnavailableError as error:
        lack = lack or str(error)
    return tuple(_recipe(task, name) for task in TRAINABLE for name in learned_recipes.recipes_of(task)), lack


def _recipe(task: Task, name: str) -> RecipeChoice:
    try:
        found = learned_recipes.recipe(name)
    except ImportError as error:
        return RecipeChoice(name, task, name, why_not=f"{name} needs {error.name}, which is not installed.")
    hyper, info = found.hyper, found.info
    return RecipeChoice(
        name,
        task,
        f"{info.title} ({name})",
        f"{info.description} {info.source}.",
        found.measured,
        hyper.epochs,
        hyper.batch,
        hyper.rate,
        hyper.patience,
        hyper.seeds,
    )
