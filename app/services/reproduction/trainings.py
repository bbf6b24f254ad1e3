"""The trainings that rows of a paper's table need, planned: nothing is loaded and nothing is trained here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from stepscope.app.services import splits, training_config
from stepscope.app.services.reproduction.tables import PaperColumn, TrainedRun
from stepscope.app.services.training import WORK, TrainingRequest, TrainingSource, folder_of
from stepscope.core.domain.partitions import TRAIN, shares_unseen
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.models.encoders import registry
from stepscope.models.feasibility.classifier_name import parse_classifier
from stepscope.models.learned.encoder_choice import OWN_CHOICE, USUAL, ClassifierChoice, EncoderNames
from stepscope.models.learned.recipe import Hyper, Recipe, is_encoded, takes_classifier
from stepscope.models.learned.recipes import recipe as recipe_named
from stepscope.models.learned.recipes import recipes_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services.reproduction.planning import TableChoices, TableData


@dataclass(frozen=True, slots=True)
class PlannedTraining:
    """The training that makes the models of a cell, one a seed; `model_of` names them. What its name hangs on is all
    that decides about them but the seed, so that a model of that name is taken as it is. `further` data is learned from
    besides, or alone where the request says so."""

    data: TableData
    request: TrainingRequest
    further: tuple[TableData, ...] = ()

    @property
    def hyper(self) -> Hyper:
        """The settings, with all seeds."""
        assert self.request.hyper is not None
        return self.request.hyper

    @property
    def sources(self) -> list[TrainingSource]:
        """All that is learned from."""
        further = [TrainingSource(one.source, one.source_id, further=True) for one in self.further]
        return [TrainingSource(self.data.source, self.data.source_id), *further]

    @property
    def is_begun(self) -> bool:
        """Whether a training that is not over has kept something."""
        return (folder_of(self.request) / WORK).is_dir()

    def model_of(self, seed: int) -> str:
        return f"{self.request.name}-s{seed}"

    def of_seeds(self, seeds: tuple[int, ...]) -> PlannedTraining:
        """The same for these seeds alone."""
        return replace(self, request=replace(self.request, hyper=replace(self.hyper, seeds=seeds)))


def is_classifier(chosen: str) -> bool:
    """Whether what a person chose for a row names features (minilm(et,id)) rather than a model."""
    return "(" in chosen or "+" in chosen


def name_of_row(task: Task, run: TrainedRun, chosen: str, aggregation: str) -> str:
    """What a row's model is called, by its inputs where these are chosen by name. Raises UserError saying what is
    missing."""
    recipe, _ = _recipe_of(task, run, chosen, aggregation)
    return recipe.name_of_inputs.rpartition("+")[0] if takes_classifier(recipe) else recipe.info.name


def plan_training(
    database: Database,
    task: Task,
    run: TrainedRun,
    column: PaperColumn,
    data: TableData,
    choices: TableChoices,
    chosen: str,
    seeds: tuple[int, ...],
) -> PlannedTraining:
    """What makes a cell's models. Raises UserError where the recipe, an encoder or the split to learn from is
    missing."""
    recipe, encoders = _recipe_of(task, run, chosen, column.aggregation)
    further = choices.train_data if run.learns_from != "table" else ()
    hyper = replace(run.hyper(recipe.hyper), seeds=seeds)
    with database.reading() as db:
        learned = splits.in_split(db, data.source_id, column.train, TRAIN)
        if not learned:
            error = splits.no_split(db, data.source_id, column.train)
            raise UsageError(f"{error.message} Nothing can be learned from it.", place=data.path, hint=error.hint)
        alone = run.learns_from == "further" and bool(further)
        told = [] if alone else [_told(db, data, learned)]
        own = splits.demonstrations(db, data.source_id)
        for one in further:
            every = splits.demonstrations(db, one.source_id)
            told.append(_told(db, one, {each.id for each in every} - shares_unseen(own, learned, every)))
    choice = ClassifierChoice(recipe.name_of_inputs, run.language) if takes_classifier(recipe) else OWN_CHOICE
    request = TrainingRequest(
        task,
        run.recipe,
        f"{run.recipe}-{_digest(recipe, choice, encoders, hyper, told)}",
        train=column.train,
        validation="",
        held_out="",
        hyper=hyper,
        device=choices.device,
        onnx=False,
        encoders=encoders if is_encoded(recipe) and not takes_classifier(recipe) else USUAL,
        choice=choice,
        each_seed=True,
        further_alone=alone,
    )
    return PlannedTraining(data, request, further)


def _recipe_of(task: Task, run: TrainedRun, chosen: str, aggregation: str) -> tuple[Recipe, EncoderNames]:
    """The recipe of a row and its encoders, which are here. Raises UserError saying what is missing."""
    if run.recipe not in recipes_of(task):
        hint = f"Recipes for {task}: {', '.join(recipes_of(task)) or 'none'}."
        raise UsageError(f"The recipe {run.recipe} is not here.", hint=hint)
    recipe = recipe_named(run.recipe)
    if run.classifier and not takes_classifier(recipe):
        raise UsageError(f"{run.recipe} has inputs of its own.", hint="Name a recipe that takes a classifier.")
    if takes_classifier(recipe):
        name = str(parse_classifier(chosen or run.classifier, aggregation)) if chosen or run.classifier else ""
        resolved = recipe.chosen(ClassifierChoice(name, run.language)).resolved()
        return resolved, resolved.encoder_names
    if not is_encoded(recipe):
        return recipe, EncoderNames("", "")
    names = training_config.encoders_over(
        [training_config.preset(run.preset)] if run.preset else [], run.texts, run.views
    )
    registry.find(names.texts, names.views if recipe.pictures else "")
    return recipe, names


def _told(db: Session, data: TableData, learned: set[str]) -> Sequence[tuple[str, str, str, str]]:
    """What a training's name hangs on of a data set: what is learned from, with app, goal and label."""
    return [row for row in queries.labels_of(db, data.source_id) if row[0] in learned]


def _digest(
    recipe: Recipe,
    choice: ClassifierChoice,
    encoders: EncoderNames,
    hyper: Hyper,
    learned: Sequence[Sequence[tuple[str, str, str, str]]],
) -> str:
    known = registry.encoders()
    digests = {
        name: known[name].sha256
        for reference in (encoders.texts, encoders.views)
        for name in registry.names_in(reference)
        if name in known
    }
    told = [
        recipe.info.name, recipe.version, asdict(choice), asdict(encoders), asdict(replace(hyper, seeds=())),
        learned, digests,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=list).encode()).hexdigest()[:10]
