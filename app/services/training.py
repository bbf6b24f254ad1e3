"""Training a model for both faces: which episodes, which recipe, what came out on apps that it never saw.

A generator that yields events: closing it or cancelling its token keeps what was trained, and the same request goes on
from there. The trained model is measured by the engine of every evaluation, against its baselines.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.services.library import check_still_there, passing
from stepscope.app.services.training_measures import PUT_BACK, HeldOutEvaluation
from stepscope.app.services.verified_index_source import as_indexed
from stepscope.app.services.version import VERSION
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.models.learned.card import MACHINERY, NAME, ModelCard
from stepscope.models.learned.model_folders import TrainedModel, own_folder
from stepscope.models.learned.recipe import Config, Hyper, Recipe
from stepscope.models.learned.recipes import recipe as recipe_named
from stepscope.models.learned.recipes import recipes_of
from stepscope.models.training.collect import TrainingData, collect
from stepscope.models.training.loop import Epoch, TrainingCheckpoint, TrainingWarning, fit, outputs_of
from stepscope.models.training.save import save, shapes_of

if TYPE_CHECKING:
    from stepscope.models.features.vectors import Features

WORK = ".training"
"""The folder in the model's own that keeps what a stopped training needs; gone when it is done."""
_LEAST = 2
"""Items without which nothing can be learned or chosen."""
_SAMPLE = "com.stepscope.sample."
_SHARES = (0.7, 0.15)
"""Of apps (or episodes) for training and validation, where the data names no splits."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """The request for a training. An empty `recipe` is the task's first, an empty `name` the recipe's, an empty
    `folder` the user's own under that name. `train`, `validation` and `held_out` name splits of the data; where it has
    no split of the first name, apps are dealt out to three parts by a hash of their names."""

    task: Task
    recipe: str = ""
    name: str = ""
    folder: Path | None = None
    train: str = "train"
    validation: str = "validation"
    held_out: str = "app_unseen"
    query: Query = EVERYTHING
    hyper: Hyper | None = None
    device: str = "auto"
    onnx: bool = True


@dataclass(frozen=True, slots=True)
class Stage:
    """Something long is under way."""

    doing: str
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class SkippedEpisodes:
    """Episodes from which nothing could be learned, each with why."""

    split: str
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TrainingFinished:
    """The model is in its folder."""

    trained: TrainedModel


@dataclass(frozen=True, slots=True)
class TrainingCancelled:
    """The training was cancelled; asked for again it goes on from here."""

    folder: Path
    epochs: int


Event = Stage | SkippedEpisodes | Epoch | TrainingWarning | TrainingFinished | TrainingCancelled


@dataclass(slots=True)
class _EpisodeSplits:
    """Ids of episodes. `dealt`: the data named no splits; `sample`: all are about this project's own apps."""

    train: list[str] = field(default_factory=list)
    validation: list[str] = field(default_factory=list)
    held_out: list[str] = field(default_factory=list)
    dealt: bool = False
    sample: bool = False


def checked_recipe(request: TrainingRequest) -> Recipe:
    """The recipe that is asked for. Raises UsageError when there is none, when it is for another task, and for a name
    that no model can have."""
    if request.name and NAME.fullmatch(request.name) is None:
        hint = "Use letters, digits, '.', '_' and '-', 100 at most."
        raise UsageError(f"A model cannot be called {request.name[:60]!r}.", hint=hint)
    known = recipes_of(request.task)
    if not known:
        raise UsageError(f"There is nothing to train for {request.task}.")
    found = recipe_named(request.recipe or known[0])
    if found.info.task is not request.task:
        raise UsageError(f"{request.recipe} is no recipe for {request.task}.", hint=f"Recipes: {', '.join(known)}.")
    return found


def folder_of(request: TrainingRequest) -> Path:
    """Where the model will be."""
    return request.folder or own_folder() / (request.name or checked_recipe(request).info.name)


def train(
    database: Database, source: Source, source_id: int, request: TrainingRequest, token: CancelToken | None = None
) -> Iterator[Event]:
    """Train, choose, measure, save. Raises UserError when the data does not do, UnavailableError without torch."""
    try:
        splits = _splits(database, source_id, request, source)
        yield from _train(as_indexed(database, source_id, source), splits, request, token or CancelToken())
    except _EpochsCancelled as stop:
        yield TrainingCancelled(folder_of(request), stop.epochs)


class _EpochsCancelled(Exception):  # noqa: N818 - no error
    """The token was cancelled; so many epochs are kept."""

    def __init__(self, epochs: int = 0) -> None:
        super().__init__()
        self.epochs = epochs


def _train(source: Source, splits: _EpisodeSplits, request: TrainingRequest, token: CancelToken) -> Iterator[Event]:
    """The stages, one after the other. Raises _Cancelled."""
    from stepscope.models.features.vectors import load_features
    from stepscope.models.runtimes.torch_runtime import choose_device

    recipe = checked_recipe(request)
    hyper = request.hyper or recipe.hyper
    device = str(choose_device(request.device))
    yield Stage("Loading the encoders")
    features = load_features(device=request.device, pictures=recipe.pictures)
    learned = yield from _collected(recipe, source, "training", splits.train, features, token)
    checked = yield from _collected(recipe, source, "validation", splits.validation, features, token)
    yield Stage("Preparing the targets")
    config = {**recipe.config(learned.examples, learned.targets, learned.items), "shapes": shapes_of(learned.examples)}
    work = folder_of(request) / WORK
    _same_training(work, recipe, hyper, config, learned.digest + checked.digest)
    fits = yield from _fitted(recipe, config, hyper, learned, checked, device, work, token)
    card = ModelCard(
        name=request.name or recipe.info.name,
        task=recipe.info.task,
        recipe=recipe.info.name,
        recipe_version=recipe.version,
        config=config,
        features=features.fingerprint,
        weights="",
        code_version=VERSION,
        data=_told(source, splits, request, learned, checked),
        training={**asdict(hyper), "seeds": list(hyper.seeds)},
        note=MACHINERY if splits.sample else "",
    )
    yield Stage("Measuring")
    made = [_seed_model(recipe, card, one, checked, work) for one in fits]
    best = max(range(len(fits)), key=lambda place: (fits[place].measure, -place))
    measured = HeldOutEvaluation(recipe, source, splits.held_out, work / "held-out.db", request.device)
    reached, held_out = yield from _reached(measured, made, fits, best, token)
    card = replace(card, config=made[best].card.config, seeds=tuple(reached), held_out=held_out)
    if request.onnx:
        yield Stage("Writing the ONNX file")
    trained = save(recipe, card.name, fits[best].state, folder_of(request), card, onnx=request.onnx)
    shutil.rmtree(work, ignore_errors=True)
    yield TrainingFinished(trained)


def _collected(
    recipe: Recipe, source: Source, word: str, units: Sequence[str], features: Features, token: CancelToken
) -> Generator[Event, None, TrainingData]:
    """A split as numbers. Raises UsageError when too little can be learned from it."""
    data = TrainingData()
    for progress in collect(recipe, source, units, features, data, token):
        yield Stage(f"Reading the {word} split", progress)
    if data.left_out:
        check_still_there(source.path, PUT_BACK)
        yield SkippedEpisodes(word, tuple(data.left_out))
    if token.cancelled:
        raise _EpochsCancelled
    if len(data) < _LEAST:
        raise UsageError(
            f"The {word} split has {len(data)} items that tell {recipe.info.task}; that is too few.",
            place=source.path,
            hint="Choose other data or splits.",
        )
    return data


def _fitted(
    recipe: Recipe,
    config: Config,
    hyper: Hyper,
    learned: TrainingData,
    checked: TrainingData,
    device: str,
    work: Path,
    token: CancelToken,
) -> Generator[Event, None, list[TrainingCheckpoint]]:
    """One training a seed."""
    fits: list[TrainingCheckpoint] = []
    for seed in hyper.seeds:
        for event in fit(recipe, config, hyper, seed, learned, checked, device=device, folder=work, token=token):
            if isinstance(event, TrainingCheckpoint):
                fits.append(event)
            else:
                yield event
        if token.cancelled:
            raise _EpochsCancelled(_epochs(fits))
    return fits


def _reached(
    measured: HeldOutEvaluation,
    made: Sequence[TrainedModel],
    fits: Sequence[TrainingCheckpoint],
    best: int,
    token: CancelToken,
) -> Generator[Event, None, tuple[list[dict[str, Any]], dict[str, Any]]]:
    """What each seed reached, and what the best one is worth on the held-out split, where there is one."""
    name = measured.recipe.measured
    reached: list[dict[str, Any]] = [
        {"seed": one.seed, "epochs": len(one.history), "best_epoch": one.best + 1, name: one.measure} for one in fits
    ]
    if not measured.units:
        return reached, {}
    for words, share in measured.run(made, token):
        yield Stage(words, share)
    if token.cancelled:
        raise _EpochsCancelled(_epochs(fits))
    for one, values in zip(reached, measured.by_seed, strict=True):
        one["held_out"] = values
    return reached, measured.summary(best)


def _epochs(fits: Sequence[TrainingCheckpoint]) -> int:
    return sum(len(one.history) for one in fits)


def _splits(database: Database, source_id: int, request: TrainingRequest, source: Source) -> _EpisodeSplits:
    """Which episodes are for what. Raises UsageError when a split has none."""
    with database.reading() as db:
        chosen = passing(db, source_id, request.query)
        names = queries.splits(db, source_id)
        app_of = queries.names_of(db, source_id, "app")
        if request.train in names:
            wanted = (request.train, request.validation, request.held_out)
            parts = [queries.in_split(db, source_id, name) if name in names else set() for name in wanted]
            train, validation, held_out = ([one for one in chosen if one in part] for part in parts)
            found = _EpisodeSplits(train, validation, held_out)
        else:
            found = _dealt(chosen, app_of)
    found.sample = all(app_of.get(unit, "").startswith(_SAMPLE) for unit in chosen)
    for word, units in (("training", found.train), ("validation", found.validation)):
        if not units:
            there = ", ".join(names) or "none"
            hint = f"Its splits: {there}. Name others, or open data with more apps."
            raise UsageError(f"There is no episode for {word}.", place=source.path, hint=hint)
    return found


def _dealt(units: Sequence[str], app_of: dict[str, str]) -> _EpisodeSplits:
    """Whole apps to the three parts, by a hash of their names; whole episodes where there are fewer than three apps."""
    groups = {app_of.get(unit, "") for unit in units}
    by_app = len(groups) >= 3
    keys = sorted(groups if by_app else set(units), key=lambda key: hashlib.sha256(key.encode()).digest())
    first = max(1, min(round(len(keys) * _SHARES[0]), len(keys) - 2))  # one at least for each of the others
    second = max(1, min(round(len(keys) * _SHARES[1]), len(keys) - first - 1))
    part_of = {key: 0 if place < first else 1 if place < first + second else 2 for place, key in enumerate(keys)}
    parts: tuple[list[str], list[str], list[str]] = ([], [], [])
    for unit in units:
        parts[part_of[app_of.get(unit, "") if by_app else unit]].append(unit)
    return _EpisodeSplits(*parts, dealt=True)


def _same_training(work: Path, recipe: Recipe, hyper: Hyper, config: Config, digest: str) -> None:
    """What an earlier training of something else left is cleared away, so that only the same one is gone on with."""
    told = json.dumps([recipe.info.name, recipe.version, asdict(hyper), config, digest], sort_keys=True, default=list)
    mark = work / "training.sha256"
    wanted = hashlib.sha256(told.encode()).hexdigest()
    try:
        if not mark.is_file() or mark.read_text("utf-8") != wanted:
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True, exist_ok=True)
            write_whole(mark, wanted.encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=work, hint=advice(error)) from error


def _told(
    source: Source, splits: _EpisodeSplits, request: TrainingRequest, learned: TrainingData, checked: TrainingData
) -> dict[str, Any]:
    """The data as the card tells it."""
    return {
        "source": source.path.name,
        "format": source.format,
        "hash": hashlib.sha256((learned.digest + checked.digest).encode()).hexdigest(),
        "splits": {
            "train": {"name": request.train, "episodes": len(splits.train), "items": len(learned)},
            "validation": {"name": request.validation, "episodes": len(splits.validation), "items": len(checked)},
            "held_out": {"name": request.held_out, "episodes": len(splits.held_out)},
        },
        "dealt": splits.dealt,
    }


def _seed_model(
    recipe: Recipe, card: ModelCard, fit: TrainingCheckpoint, checked: TrainingData, work: Path
) -> TrainedModel:
    """One seed's network as a model of its own, with what is chosen on the validation split."""
    module = recipe.network(card.config)
    module.load_state_dict(fit.state)
    outputs = outputs_of(recipe, module, checked.examples)
    config = recipe.finish(outputs, checked.targets, card.config)
    own = replace(card, config=config, seeds=({"seed": fit.seed},))
    return save(recipe, f"seed-{fit.seed}", fit.state, work / f"seed-{fit.seed}", own, onnx=False)
