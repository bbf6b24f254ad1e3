"""The work of a training off the GUI thread, in a process of its own: torch never comes into the window's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.services.worker import TrainingJob, training_worker
from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.training import EncoderChoice, EpochPace, EpochPoint, PresetChoice, RecipeChoice, TrainRequest
from stepscope.widgets.training.training_choices import SETTINGS

if TYPE_CHECKING:
    from stepscope.app.services import training, training_config
    from stepscope.app.services.training import TrainingCancelled, TrainingFinished, TrainingRequest
    from stepscope.app.services.training_config import TrainingConfig
    from stepscope.models.learned import encoder_choice
    from stepscope.models.learned import recipe as learned_recipe
    from stepscope.models.learned import recipes as learned_recipes
    from stepscope.models.training.drawn_steps import DrawnSteps
    from stepscope.models.training.pace import TrainingPace
    from stepscope.models.training.state import Epoch
else:
    training = lazy_module("stepscope.app.services.training")
    training_config = lazy_module("stepscope.app.services.training_config")
    encoder_choice = lazy_module("stepscope.models.learned.encoder_choice")
    learned_recipe = lazy_module("stepscope.models.learned.recipe")
    learned_recipes = lazy_module("stepscope.models.learned.recipes")

TRAINABLE = (Task.FEASIBILITY, Task.AUTOMATION, Task.GOAL, Task.ORDERING, Task.ASK, Task.AFFORDANCE)
REASONS_TOLD = 3

Events = Callable[[TrainingJob, CancelToken], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class TrainingState:
    """A training as it stands: all epochs and the newest pace, since newer values take the place of older ones on their
    way to the window. `pretraining` are the epochs before, `drawn` what was done to its last batch, `in_pretraining`
    whether it was at these last. `doing` is what is under way, `in_epochs` whether that is an epoch, `epochs` how many
    a seed has at most; `pace` stays as it was told last while an epoch is looked at."""

    doing: str = "Starting"
    in_epochs: bool = False
    in_pretraining: bool = False
    progress: Progress | None = None
    pace: EpochPace | None = None
    points: tuple[EpochPoint, ...] = ()
    pretraining: tuple[EpochPoint, ...] = ()
    drawn: DrawnSteps | None = None
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


def states(events: Iterator[Any], batch: int = 1) -> Iterator[TrainingState]:
    """How the training stands after each of its events; a batch has so many items."""
    state = TrainingState()
    for event in events:
        state = _after(state, event, batch)
        yield state


def _after(state: TrainingState, event: Any, batch: int) -> TrainingState:
    from stepscope.models.training.loop import TrainingWarning
    from stepscope.models.training.pace import TrainingPace
    from stepscope.models.training.state import Epoch

    match event:
        case training.Stage(doing, progress):
            return replace(state, doing=doing, progress=progress, pace=None, in_epochs=False)
        case TrainingPace():
            known = replace(_at(state, event), drawn=event.drawn or state.drawn)
            return replace(known, progress=Progress(event.epoch, event.epochs), pace=_pace(event, batch))
        case Epoch():
            point = EpochPoint(
                event.seed, event.epoch, event.train_loss, event.validation_loss, event.measure, event.best
            )
            if event.stage:
                before = (*state.pretraining, replace(point, best=False))  # its last epoch is the one that counts
                known = replace(_at(state, event), pretraining=before)
            else:
                known = replace(_at(state, event), points=(*state.points, point), epochs=event.epochs)
            return replace(known, progress=Progress(event.epoch + 1, event.epochs))
        case TrainingWarning(seed, text):
            return replace(state, notes=(*state.notes, f"Seed {seed}: {text}"))
        case training.SkippedEpisodes(split, reasons):
            told = "; ".join(f"{episode}: {why}" for episode, why in reasons[:REASONS_TOLD])
            words = f"Nothing to learn from {len(reasons):,} of the {split} split: {told}"
            return replace(state, notes=(*state.notes, words + ("; …" if len(reasons) > REASONS_TOLD else "")))
        case training.TrainingFinished():
            return replace(state, done=event, doing="Done", progress=None, pace=None, in_epochs=False)
        case training.TrainingCancelled():
            return replace(state, stopped=event, doing="Stopped", progress=None, in_epochs=False)
    return state


def _at(state: TrainingState, event: TrainingPace | Epoch) -> TrainingState:
    """In the epoch of the event."""
    stage = "Pretraining, seed" if event.stage else "Seed"
    doing = f"{stage} {event.seed}, epoch {event.epoch + 1} of {event.epochs}"
    return replace(state, doing=doing, in_epochs=True, in_pretraining=bool(event.stage))


def _pace(event: TrainingPace, batch: int) -> EpochPace:
    left = (event.batches - event.batch) * batch / event.items_per_second if event.items_per_second > 0 else None
    return EpochPace(
        event.batch,
        event.batches,
        event.items_per_second,
        left,
        event.rate,
        event.loss,
        event.data,
        event.forward,
        event.backward,
        event.memory,
        event.gpu_memory,
        event.gpu_use,
    )


def job_of(store: str, path: Path, kind: str, form: TrainRequest) -> TrainingJob:
    """The form's choice for the data at `path`, of the format `kind`, as the worker takes it. Raises FilterError."""
    others = tuple((Path(one.path), one.weight) for one in form.others)
    return TrainingJob(store, path, kind, request_of(form), form.weight, others)


def request_of(form: TrainRequest) -> TrainingRequest:
    """The form's choice as both faces train it. Raises FilterError."""
    from stepscope.core.domain.filter_parser import parse

    own: learned_recipe.Hyper = learned_recipes.recipe(form.recipe).hyper
    usual = encoder_choice.USUAL
    return training.TrainingRequest(
        form.task,
        recipe=form.recipe,
        name=form.name,
        train=form.train,
        validation=form.validation,
        held_out=form.held_out,
        query=parse(form.filter),
        hyper=replace(own, **{name: getattr(form, name) for name in SETTINGS}),
        device=form.device,
        onnx=form.onnx,
        encoders=encoder_choice.EncoderNames(form.texts or usual.texts, form.views or usual.views),
        choice=encoder_choice.ClassifierChoice(form.classifier, form.language),
    )


# What the form offers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrainingOffer:
    """What can be trained and by which published settings; `lack` says why nothing can on this machine, "" when it
    can."""

    recipes: tuple[RecipeChoice, ...]
    presets: tuple[PresetChoice, ...]
    lack: str = ""


def recipes() -> TrainingOffer:
    """All recipes and presets. Looks only: torch stays out."""
    lack = "" if find_spec("torch") else "Training needs torch: pip install 'stepscope[models]'."
    known = tuple(_recipe(task, name) for task in TRAINABLE for name in learned_recipes.recipes_of(task))
    return TrainingOffer(known, tuple(map(_preset, training_config.presets())), lack)


def encoders() -> tuple[EncoderChoice, ...]:
    """The encoders that read texts or pictures, those that a person added too. Looks only."""
    from stepscope.models.encoders import registry

    return tuple(
        EncoderChoice(
            one.name,
            one.title,
            one.reads_texts,
            one.reads_pictures or one.gives_regions,
            one.outputs,
            one.weights_from if one.weights == "absent" else "",
            one.gives_regions,
        )
        for one in registry.encoders().values()
        if one.reads_texts or one.reads_pictures or one.gives_regions
    )


def _preset(config: TrainingConfig) -> PresetChoice:
    usual = encoder_choice.USUAL
    texts, views = config.encoders.texts, config.encoders.views
    return PresetChoice(
        config.name,
        config.task,
        config.title or config.name,
        config.source,
        tuple(config.settings.items()),
        config.recipe,
        "" if texts == usual.texts else texts,
        "" if views == usual.views else views,
        config.classifier,
        config.language,
    )


def _recipe(task: Task, name: str) -> RecipeChoice:
    try:
        found = learned_recipes.recipe(name)
    except ImportError as error:
        return RecipeChoice(name, task, name, why_not=f"{name} needs {error.name}, which is not installed.")
    info, usual = found.info, encoder_choice.USUAL
    return RecipeChoice(
        name,
        task,
        f"{info.title} ({name})",
        f"{info.description} {info.source}.",
        found.measured,
        found.pictures,
        usual.texts,
        learned_recipe.usual_encoders(found).views,
        shortens=hasattr(found, "shortened"),
        parts=tuple(getattr(found, "parts", ())),
        encoded=learned_recipe.reads_texts(found),
        classifier=str(getattr(found, "classifier", "")),
        language=str(getattr(found, "language", "")),
        pretrains=learned_recipe.can_pretrain(found),
        exports=learned_recipe.can_export(found),
        tunes=learned_recipe.is_tuned(found),
        regions=learned_recipe.takes_regions(found),
        **{one: getattr(found.hyper, one) for one in SETTINGS},
    )
