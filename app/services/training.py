"""Training a model for both faces: which episodes, which recipe, what came out on apps that it never saw.

A generator that yields events: closing it or cancelling its token keeps what was trained, and the same request goes on
from there. The trained model is measured by the engine of every evaluation, against its baselines.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.services.library import check_still_there
from stepscope.app.services.training_measures import PUT_BACK, HeldOutEvaluation
from stepscope.app.services.training_splits import (
    EpisodeSplits,
    SplitNames,
    further_split,
    no_episode,
    set_validation_aside,
    splits_of,
)
from stepscope.app.services.verified_index_source import as_indexed
from stepscope.app.services.version import VERSION
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import advice, ends_all, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.models.learned.card import MACHINERY, MIXED, NAME, ModelCard
from stepscope.models.learned.encoder_choice import (
    OWN_CHOICE,
    USUAL,
    WHOLE,
    ClassifierChoice,
    Config,
    EncoderNames,
    Tuning,
    VectorSizes,
)
from stepscope.models.learned.model_folders import TrainedModel, own_folder
from stepscope.models.learned.real_sets import ALL
from stepscope.models.learned.recipe import (
    Hyper,
    Recipe,
    can_export,
    can_pretrain,
    can_shorten,
    does_without_pictures,
    encoders_for,
    is_encoded,
    is_tuned,
    keeps_last,
    learner,
    left_out,
    reads_texts,
    takes_classifier,
)
from stepscope.models.learned.recipes import recipe as recipe_named
from stepscope.models.learned.recipes import recipes_of
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.runtimes.weights import first_line
from stepscope.models.training import distributed
from stepscope.models.training.batches import ALONE, Share
from stepscope.models.training.collect import TrainingData, collect
from stepscope.models.training.examples import Examples, JoinedExamples, StoredExamples
from stepscope.models.training.loop import TrainingWarning, fit, outputs_of, with_threads
from stepscope.models.training.pace import TrainingPace
from stepscope.models.training.save import save, shapes_of
from stepscope.models.training.side_by_side import SeedTraining, fit_side_by_side
from stepscope.models.training.state import Epoch, TrainingCheckpoint

if TYPE_CHECKING:
    from torch import Tensor

    from stepscope.models.features.vectors import Features

WORK = ".training"
"""The folder in the model's own that keeps what a stopped training needs; gone when it is done."""
DATA = "data"
"""The folder in it with the examples."""
PRETRAINING = "pretraining"
"""The folder in it with the state of a pretraining, and what its epochs are called."""
_IN_CONFIG = ("layers", "grid", "drop_texts")
"""Settings that the network itself has to know, where they say something."""
_LEAST = 2
"""Items without which nothing can be learned or chosen."""
_FREE = ("workers", "accumulate", "side_by_side", "seeds")
"""Settings that change how a training computes, not what; each seed's state is kept by itself."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """The request for a training. An empty `recipe` is the task's first, an empty `name` the recipe's, an empty
    `folder` the user's own under that name. `train`, `validation` and `held_out` name splits of the data; where it has
    no split of the first name, apps are dealt out to three parts by a hash of their names. An empty `validation`: a
    share of what would be learned from is chosen by, or what is learned from where nothing is chosen. With `each_seed`
    every seed's network is a model of its own (`seed_folder`), and none is chosen or measured. With `further_alone` it
    learns from further data only."""

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
    encoders: EncoderNames = USUAL
    tuning: Tuning = WHOLE
    choice: ClassifierChoice = OWN_CHOICE
    each_seed: bool = False
    further_alone: bool = False


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


Event = Stage | SkippedEpisodes | Epoch | TrainingPace | TrainingWarning | TrainingFinished | TrainingCancelled


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
    if request.tuning != WHOLE and not is_tuned(found):
        tuned = [name for name in known if is_tuned(recipe_named(name))]
        hint = f"Take a recipe that tunes its encoders: {', '.join(tuned)}." if tuned else "Leave freeze and lora out."
        raise UsageError(f"{found.info.name} leaves its encoders as they are.", hint=hint)
    if request.hyper is not None and request.hyper.prefixes and not can_shorten(found):
        hint = "Leave prefixes out."
        raise UsageError(f"{found.info.name} does not learn from items that are cut short.", hint=hint)
    left_out(found, request.hyper.without if request.hyper is not None else "")
    if request.hyper is not None and request.hyper.pretrain and not can_pretrain(found):
        raise UsageError(f"{found.info.name} has no pretraining.", hint="Leave pretrain and objectives out.")
    if request.hyper is not None and request.hyper.objectives and not request.hyper.pretrain:
        hint = "Give --pretrain 5, say."
        raise UsageError("The objectives are those of a pretraining, and there is none.", hint=hint)
    asked = request.hyper or found.hyper
    if asked.drop_texts and (not can_pretrain(found) or {"texts", "pictures"} & {*left_out(found, asked.without)}):
        raise UsageError("Words are left out at times only beside pictures.", hint="Leave drop-texts out.")
    if (asked.head_first or asked.encoder_rate != 1) and not is_tuned(found):
        hint = "Leave head-first and encoder-rate out."
        raise UsageError(f"{found.info.name} leaves its encoders as they are.", hint=hint)
    if request.encoders != USUAL and not is_encoded(found):
        raise UsageError(f"{found.info.name} asks no encoder.", hint="Leave texts and views out.")
    if request.encoders.texts != USUAL.texts and not reads_texts(found):
        raise UsageError(f"{found.info.name} asks no encoder of texts.", hint="Leave texts out.")
    if found.info.task is not request.task:
        raise UsageError(f"{request.recipe} is no recipe for {request.task}.", hint=f"Recipes: {', '.join(known)}.")
    if takes_classifier(found):
        return found.chosen(request.choice).resolved()
    if request.choice != OWN_CHOICE:
        hint = "Leave classifier and language out, or take the recipe motif-feasibility."
        raise UsageError(f"{found.info.name} has inputs of its own.", hint=hint)
    return found


def folder_of(request: TrainingRequest) -> Path:
    """Where the model will be."""
    return request.folder or own_folder() / (request.name or checked_recipe(request).info.name)


def seed_folder(folder: Path, seed: int) -> Path:
    """Where the model of a seed is whose request has `each_seed`."""
    return folder.with_name(f"{folder.name}-s{seed}")


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """Data to learn from, with its whole index in the store as `source_id`. Of its training split so large a share is
    learned from in each epoch (`weight`; 2: each item twice). All of `further` data is learned from, whatever splits it
    has, but for what the other data has and does not learn from (`further_split`)."""

    source: Source
    source_id: int
    weight: float = 1.0
    further: bool = False


def train(
    database: Database, sources: Sequence[TrainingSource], request: TrainingRequest, token: CancelToken | None = None
) -> Iterator[Event]:
    """Train, choose, measure, save. Raises UserError when the data does not do, UnavailableError without torch.

    Started by torchrun, the first process reads the data, measures and saves; the others compute their share of every
    batch and yield nothing.
    """
    share = distributed.joined()
    token = token or CancelToken()
    try:
        if share.rank:
            _follow(request, share, token)
            return
        training = _Training(database, sources, request, share, token)
        yield from training.events()
    except _EpochsCancelled as stop:
        yield TrainingCancelled(folder_of(request), stop.epochs)


class _EpochsCancelled(Exception):  # noqa: N818 - no error
    """The token was cancelled; so many epochs are kept."""

    def __init__(self, epochs: int = 0) -> None:
        super().__init__()
        self.epochs = epochs


@dataclass(frozen=True, slots=True)
class _Fitted:
    """All that a process needs to train along: the folders of the examples, by source."""

    config: Config
    train: tuple[Path, ...]
    validation: tuple[Path, ...]
    weights: tuple[float, ...]
    device: str


def _follow(request: TrainingRequest, share: Share, token: CancelToken) -> None:
    """Train along with the first process."""
    recipe = checked_recipe(request)
    told: _Fitted = distributed.agreed(None, share)
    for _ in _fits(recipe, request.hyper or recipe.hyper, told, folder_of(request) / WORK, share, token):
        pass


def _fits(
    recipe: Recipe, hyper: Hyper, told: _Fitted, work: Path, share: Share, token: CancelToken
) -> Iterator[Epoch | TrainingPace | TrainingWarning | TrainingCheckpoint]:
    """One training a seed."""
    learned, checked = (
        JoinedExamples([StoredExamples(one) for one in parts]) for parts in (told.train, told.validation)
    )
    device = distributed.own_device(told.device, share)
    hyper = with_threads(hyper)
    at_once = min(hyper.side_by_side, len(hyper.seeds))
    if at_once > 1 and share == ALONE and not hyper.pretrain:
        work_of_all = SeedTraining(recipe, told.config, hyper, learned, checked, told.weights, device, work)
        yield from fit_side_by_side(work_of_all, at_once, token)
        return
    for seed in hyper.seeds:
        begin = yield from _pretrained(recipe, hyper, seed, told, (learned, checked), device, work, token, share)
        if token.cancelled:
            break
        yield from fit(
            recipe,
            told.config,
            hyper,
            seed,
            learned,
            checked,
            weights=told.weights,
            device=device,
            folder=work,
            token=token,
            share=share,
            begin=begin,
        )
        if token.cancelled:
            break
    distributed.left(share)


def _pretrained(
    recipe: Recipe,
    hyper: Hyper,
    seed: int,
    told: _Fitted,
    data: tuple[Examples, Examples],
    device: str,
    work: Path,
    token: CancelToken,
    share: Share,
) -> Generator[Epoch | TrainingPace | TrainingWarning, None, Mapping[str, Tensor]]:
    """Pretrain where it is asked for; the tensors that the training begins with. It is gone on with as a training is,
    and its epochs are told under `stage` pretraining."""
    if not hyper.pretrain or not can_pretrain(recipe):
        return {}
    before = recipe.pretraining(hyper, told.config)
    own = replace(hyper, epochs=hyper.pretrain, seeds=(seed,), encoder_rate=1.0, head_first=0)
    state: Mapping[str, Tensor] = {}
    for event in fit(
        before,
        told.config,
        own,
        seed,
        *data,
        weights=told.weights,
        device=device,
        folder=work / PRETRAINING,
        token=token,
        share=share,
    ):
        if isinstance(event, TrainingCheckpoint):
            state = event.state
        elif isinstance(event, TrainingWarning):
            yield event
        else:
            yield replace(event, stage=PRETRAINING)
    return recipe.begun(state)


class _Training:
    """One training at work, in the process that reads and measures."""

    def __init__(
        self,
        database: Database,
        sources: Sequence[TrainingSource],
        request: TrainingRequest,
        share: Share,
        token: CancelToken,
    ) -> None:
        self.request, self.share, self.token = request, share, token
        self.recipe = self.learner = checked_recipe(request)
        self.hyper = request.hyper or self.recipe.hyper
        self.folder = folder_of(request)
        self.work = self.folder / WORK
        sources, self.splits = _splits(database, sources, request)
        if not any(one.validation for one in self.splits):
            self._without_validation(database, sources)
        if not any(one.validation for one in self.splits):
            raise no_episode("validation", sources[0].source, self.splits[0])
        self.sources = [as_indexed(database, one.source_id, one.source) for one in sources]
        self.weights = tuple(one.weight for one in sources)
        self.further = tuple(one.further for one in sources)
        self.learned: list[TrainingData] = []
        self.checked: list[TrainingData] = []

    def _without_validation(self, database: Database, sources: Sequence[TrainingSource]) -> None:
        """Where nothing is chosen by validation, what it learns from is looked at; else some of that is set aside, of
        the first data that is learned from, unless a split was named."""
        if keeps_last(self.recipe):
            self._look_at_training()
        elif not self.request.validation:
            source, splits = next((source, one) for source, one in zip(sources, self.splits, strict=True) if one.train)
            set_validation_aside(database, source.source_id, splits)

    def _look_at_training(self) -> None:
        self.request = replace(self.request, validation=self.request.train)
        for one in self.splits:
            one.validation = list(one.train)

    def events(self) -> Iterator[Event]:
        """The stages, one after the other. Raises _EpochsCancelled."""
        from stepscope.models.learned.predictor import load_inputs
        from stepscope.models.runtimes.torch_runtime import choose_device

        recipe = self.recipe
        device = str(choose_device(self.request.device))
        yield Stage("Loading the encoders")
        without = left_out(recipe, self.hyper.without)
        names = recipe.encoder_names if takes_classifier(recipe) else encoders_for(recipe, self.request.encoders)
        if does_without_pictures(recipe, without):
            names = replace(names, views="")
        features = load_inputs(recipe, names, device=self.request.device)
        self.learner = learner(recipe, without)
        yield from self._collect(features)
        yield Stage("Preparing the targets")
        learned = JoinedExamples([one.examples for one in self.learned])
        checked = JoinedExamples([one.examples for one in self.checked])
        config = {
            **recipe.config(learned.examples, learned.targets),
            "shapes": shapes_of(learned.examples, recipe),
            "encoders": asdict(names),
            **(asdict(self.request.tuning) if is_tuned(recipe) else {}),
            **({"without": list(without)} if without else {}),
            **{name: getattr(self.hyper, name) for name in _IN_CONFIG if getattr(self.hyper, name)},
            "sizes": asdict(VectorSizes(features.text_size, features.view_size)),
        }
        self._same_training(config)
        train, validation = (tuple(one.examples.folder for one in parts) for parts in (self.learned, self.checked))
        told = _Fitted(config, train, validation, self.weights, device)
        fits = yield from self._fitted(distributed.agreed(told, self.share))
        card = self._card(config, features.fingerprint)
        if self.request.each_seed:
            yield from self._each_saved(card, fits, checked)
            return
        yield Stage("Measuring")
        made = [self._seed_model(card, one, checked) for one in fits]
        best = max(range(len(fits)), key=lambda place: (fits[place].measure, -place))
        reached, held_out = yield from self._reached(made, fits, best)
        card = replace(card, config=made[best].card.config, seeds=tuple(reached), held_out=held_out)
        if self.request.onnx and can_export(recipe):
            yield Stage("Writing the ONNX file")
        trained = yield from self._saved(card, fits[best])
        shutil.rmtree(self.work, ignore_errors=True)
        yield TrainingFinished(trained)

    def _collect(self, features: Features) -> Iterator[Event]:
        """All splits as numbers. Raises UsageError when too little can be learned from them."""
        for word, kept in (("training", self.learned), ("validation", self.checked)):
            for place, (source, splits) in enumerate(zip(self.sources, self.splits, strict=True)):
                units = splits.train if word == "training" else splits.validation
                folder = self.work / DATA / f"{word}-{place}"
                kept.append((yield from self._collected(source, word, units, features, folder)))
            if sum(map(len, kept)) < _LEAST:
                raise UsageError(
                    f"The {word} split has {sum(map(len, kept))} items that tell {self.recipe.info.task}; that is too "
                    "few.",
                    place=self.sources[0].path,
                    hint="Choose other data or splits.",
                )

    def _collected(
        self, source: Source, word: str, units: Sequence[str], features: Features, folder: Path
    ) -> Generator[Event, None, TrainingData]:
        about = f"{word} split" if len(self.sources) == 1 else f"{word} split of {source.path.name}"
        copies = self.hyper.prefixes if word == "training" else 0  # what is measured is whole
        invents = word == "training"  # what is measured is real
        recipe = self.learner if word == "training" else self.recipe
        work = collect(recipe, source, units, features, folder, self.token, prefixes=copies, invents=invents)
        while True:
            try:
                yield Stage(f"Reading the {about}", next(work))
            except StopIteration as end:
                data: TrainingData = end.value
                break
        if data.left_out:
            check_still_there(source.path, PUT_BACK)
            yield SkippedEpisodes(word, data.left_out)
        if self.token.cancelled:
            raise _EpochsCancelled
        return data

    def _fitted(self, told: _Fitted) -> Generator[Event, None, list[TrainingCheckpoint]]:
        fits: list[TrainingCheckpoint] = []
        for event in _fits(self.recipe, self.hyper, told, self.work, self.share, self.token):
            if isinstance(event, TrainingCheckpoint):
                fits.append(event)
            else:
                yield event
        if self.token.cancelled:
            raise _EpochsCancelled(_epochs(fits))
        return fits

    def _reached(
        self, made: Sequence[TrainedModel], fits: Sequence[TrainingCheckpoint], best: int
    ) -> Generator[Event, None, tuple[list[dict[str, Any]], dict[str, Any]]]:
        """What each seed reached, and what the best one is worth on the held-out split: of the first source that has
        one, and under `also` of the others."""
        name = self.recipe.measured
        reached: list[dict[str, Any]] = [
            {"seed": one.seed, "epochs": len(one.history), "best_epoch": one.best + 1, name: one.measure}
            for one in fits
        ]
        found: list[dict[str, Any]] = []
        for place, (source, splits) in enumerate(zip(self.sources, self.splits, strict=True)):
            if not splits.held_out:
                continue
            file = self.work / f"held-out-{place}.db"
            measured = HeldOutEvaluation(self.recipe, source, splits.held_out, file, self.request.device)
            for words, progress in measured.run(made, self.token):
                yield Stage(words if len(self.sources) == 1 else f"{words} on {source.path.name}", progress)
            if self.token.cancelled:
                raise _EpochsCancelled(_epochs(fits))
            if not found:
                for one, values in zip(reached, measured.by_seed, strict=True):
                    one["held_out"] = values
            found.append({"source": source.path.name, **measured.summary(best)})
        if not found:
            return reached, {}
        return reached, found[0] if len(found) == 1 else {**found[0], "also": found[1:]}

    def _saved(self, card: ModelCard, fit: TrainingCheckpoint) -> Generator[Event, None, TrainedModel]:
        """The model in its folder; of a tuned recipe, whose encoders may be anybody's, without an ONNX file where the
        graph cannot be exported."""
        try:
            onnx = self.request.onnx and can_export(self.recipe)
            return save(self.recipe, card.name, fit.state, self.folder, card, onnx=onnx)
        except Exception as error:
            if not self.request.onnx or not is_tuned(self.recipe) or ends_all(error):
                raise
            why = first_line(error)
        yield TrainingWarning(fit.seed, f"There is no ONNX file, since the graph cannot be exported: {why}")
        return save(self.recipe, card.name, fit.state, self.folder, card, onnx=False)

    def _each_saved(self, card: ModelCard, fits: Sequence[TrainingCheckpoint], checked: Examples) -> Iterator[Event]:
        """Every seed's network as a model of its own."""
        saved = []
        for one in fits:
            module = self.recipe.network(card.config)
            take_state(module, one.state)
            outputs = outputs_of(self.recipe, module, checked.examples)
            folder = seed_folder(self.folder, one.seed)
            own = replace(
                card,
                config=self.recipe.finish(outputs, checked.targets, card.config),
                training={**card.training, "seeds": [one.seed]},
                seeds=({"seed": one.seed, "epochs": len(one.history), self.recipe.measured: one.measure},),
            )
            folder.mkdir(parents=True, exist_ok=True)
            onnx = self.request.onnx and can_export(self.recipe)
            saved.append(save(self.recipe, folder.name, one.state, folder, own, onnx=onnx))
        shutil.rmtree(self.folder, ignore_errors=True)
        for trained in saved:
            yield TrainingFinished(trained)

    def _card(self, config: Config, fingerprint: str) -> ModelCard:
        return ModelCard(
            name=self.request.name or self.recipe.info.name,
            task=self.recipe.info.task,
            recipe=self.recipe.info.name,
            recipe_version=self.recipe.version,
            config=config,
            features=fingerprint,
            weights="",
            code_version=VERSION,
            data=self._told(),
            training={**asdict(with_threads(self.hyper)), "seeds": list(self.hyper.seeds)},
            note=self._note(),
        )

    def _note(self) -> str:
        own = [one.sample for one in self.splits]
        return MACHINERY if all(own) else MIXED if any(own) else ""

    def _told(self) -> dict[str, Any]:
        """The data as the card tells it: the first source, and where there are more all of them."""
        request, digests = self.request, [one.digest for one in (*self.learned, *self.checked)]
        each = [
            {
                "source": source.path.name,
                "format": source.format,
                "weight": weight,
                "splits": {
                    "train": {
                        "name": ALL if further else request.train,
                        "episodes": len(splits.train),
                        "items": len(learned),
                    },
                    "validation": {
                        "name": request.validation,
                        "episodes": len(splits.validation),
                        "items": len(checked),
                    },
                    "held_out": {"name": request.held_out, "episodes": len(splits.held_out)},
                },
                "dealt": splits.dealt,
                "generated": splits.sample,
                **({"left_out": splits.left_out} if further else {}),
            }
            for source, splits, weight, further, learned, checked in zip(
                self.sources, self.splits, self.weights, self.further, self.learned, self.checked, strict=True
            )
        ]
        first = {name: value for name, value in each[0].items() if name not in ("weight", "generated")}
        first["hash"] = hashlib.sha256("".join(digests).encode()).hexdigest()
        return first if len(each) == 1 else {**first, "sources": each}

    def _same_training(self, config: Config) -> None:
        """What an earlier training of something else left is cleared away, so that only the same one is gone on
        with."""
        recipe, digests = self.recipe, [one.digest for one in (*self.learned, *self.checked)]
        fixed = {name: value for name, value in asdict(self.hyper).items() if name not in _FREE}
        told = json.dumps(
            [recipe.info.name, recipe.version, fixed, config, digests, self.weights], sort_keys=True, default=list
        )
        mark = self.work / "training.sha256"
        wanted = hashlib.sha256(told.encode()).hexdigest()
        try:
            if mark.is_file() and mark.read_text("utf-8") == wanted:
                return
            for file in self.work.iterdir():
                if file.name != DATA:
                    shutil.rmtree(file) if file.is_dir() else file.unlink()
            write_whole(mark, wanted.encode())
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}", place=self.work, hint=advice(error)) from error

    def _seed_model(self, card: ModelCard, fit: TrainingCheckpoint, checked: Examples) -> TrainedModel:
        """One seed's network as a model of its own, with what is chosen on the validation split."""
        module = self.recipe.network(card.config)
        take_state(module, fit.state)
        outputs = outputs_of(self.recipe, module, checked.examples)
        config = self.recipe.finish(outputs, checked.targets, card.config)
        own = replace(card, config=config, seeds=({"seed": fit.seed},))
        return save(self.recipe, f"seed-{fit.seed}", fit.state, self.work / f"seed-{fit.seed}", own, onnx=False)


def _splits(
    database: Database, sources: Sequence[TrainingSource], request: TrainingRequest
) -> tuple[list[TrainingSource], list[EpisodeSplits]]:
    """The data sets that are of use, with which episodes of each are for what. Raises UsageError where none is learned
    from."""
    names = SplitNames(request.train, request.validation, request.held_out)
    own = {
        one.source_id: splits_of(database, one.source, one.source_id, names, request.query)
        for one in sources
        if not one.further
    }
    further = {
        one.source_id: further_split(database, one.source_id, tuple(own.items()), request.query)
        for one in sources
        if one.further
    }
    used = [one for one in sources if one.further or not request.further_alone]
    found = [(further if one.further else own)[one.source_id] for one in used]
    if not any(one.train for one in found):
        raise UsageError("There is no episode for training.", place=sources[-1].source.path, hint="Name other data.")
    return used, found


def _epochs(fits: Sequence[TrainingCheckpoint]) -> int:
    return sum(len(one.history) for one in fits)
