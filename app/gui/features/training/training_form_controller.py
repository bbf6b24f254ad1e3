"""Fills the Train form with what may be chosen, and keeps what was trained last for each task."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

import stepscope.models.registry
from stepscope.app.gui.features.training import training_work
from stepscope.app.gui.features.training.stored_form import restored, stored
from stepscope.app.gui.shell.compute_choices import compute_choices
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import EpisodesListed, ModelsChanged
from stepscope.app.gui.shell.ports import EpisodeList
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.forms.evaluate_choices import DataChoice, TaskChoice
from stepscope.widgets.training import PresetChoice, RecipeChoice, SourceChoice, TrainRequest
from stepscope.widgets.training.more_data import source_title

if TYPE_CHECKING:
    from stepscope.app.services import evaluation, splits
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sources
    from stepscope.widgets.training.form import TrainForm
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    queries = lazy_module("stepscope.core.store.queries")
    sources = lazy_module("stepscope.core.store.repositories.sources")
    splits = lazy_module("stepscope.app.services.splits")

MOST_OFFERED = 30
"""Of the data sets that the store knows, so many are offered, the last opened ones; any other by its folder."""


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A data set that the store knows, with the tasks that it fits."""

    choice: SourceChoice
    tasks: frozenset[Task]


class TrainingFormController(QObject):
    """Looks up what may be chosen when the form is shown; weights that are added later are offered too."""

    def __init__(self, context: Context, form: TrainForm, library: EpisodeList) -> None:
        super().__init__(context)
        self._context, self._form, self._library = context, form, library
        self._recipes: tuple[RecipeChoice, ...] = ()
        self._presets: tuple[PresetChoice, ...] = ()
        self._known: tuple[KnownSource, ...] = ()
        self._task = Task.FEASIBILITY
        self._shown = False
        form.task_chosen.connect(self.choose_task)
        form.fields.others.folder_wanted.connect(self._choose_folder)
        context.selection.source_changed.connect(self._source_changed)
        context.events.on(EpisodesListed, lambda _: self._fill_data())
        context.events.on(ModelsChanged, lambda _: self._ask_encoders() if self._shown else None)

    def show(self) -> None:
        """The form is opened: look up what may be chosen now."""
        if not self._shown:
            self._shown = True
            self._context.start("recipes", lambda _token: training_work.recipes(), self._take_recipes)
            self._context.start("devices", lambda _token: compute_choices()[0], self._take_devices)
        self._ask_encoders()
        self._context.start("models", lambda _token: _taken(), self._form.set_taken, priority=-9)
        self._fill_data()
        self._ask_offer()
        self._ask_known()

    def choose_task(self, task: Task) -> None:
        """The task's recipes, with what was trained last for it."""
        self._task = task
        recipes = [one for one in self._recipes if one.task is task]
        names = tuple(one.name for one in recipes)
        self._form.set_recipes(recipes, [one for one in self._presets if one.fits(task, names)])
        last = self._last(task)
        if last is not None:
            self._form.fill(last)
        self._offer_known()
        self._ask_offer()

    def keep(self, form: TrainRequest) -> None:
        """This is what was trained last for its task."""
        self._context.layout.setValue(_key(form.task), stored(form))

    def measured(self, recipe: str) -> str:
        """What the recipe looks at after each epoch."""
        return next((one.measured for one in self._recipes if one.name == recipe), "")

    def _last(self, task: Task) -> TrainRequest | None:
        """What was trained last for the task, so that it can be gone on with after a restart too."""
        return restored(str(self._context.layout.value(_key(task), "")), task, self._recipes)

    # What may be chosen ----------------------------------------------------------------------------------------------

    def _take_recipes(self, found: training_work.TrainingOffer) -> None:
        self._recipes, self._presets = found.recipes, found.presets
        self._form.set_lack(found.lack)
        self.choose_task(self._task)

    def _take_devices(self, found: tuple[Any, ...]) -> None:
        self._form.set_compute(found, self._context.preferences.device)

    def _ask_encoders(self) -> None:
        self._context.start("encoders", lambda _token: training_work.encoders(), self._form.set_encoders)

    def _fill_data(self) -> None:
        source = self._context.selection.source
        rows = [] if source is None else [DataChoice("all", source.title, source.episodes)]
        if source is not None and self._library.filter_text:
            rows.append(DataChoice("filter", "Current filter", len(self._library.ids), self._library.filter_text))
        self._form.set_data(rows, self._open_path())

    def _open_path(self) -> str:
        source = self._context.selection.source
        return "" if source is None else str(source.source.path)

    def _source_changed(self) -> None:
        self._fill_data()
        if self._shown:
            self._ask_offer()
            self._ask_known()

    def _ask_offer(self) -> None:
        """What fits the open data, and its splits."""
        source = self._context.selection.source
        if source is None:
            self._take_offer(({}, ()))
            return

        def ask(database: Database) -> tuple[dict[Task, str], tuple[str, ...]]:
            with database.reading() as db:
                names = splits.split_names(db, source.id)
            return evaluation.fitting(database, source.id), names

        self._context.query("what can be trained", ask, self._take_offer)

    def _take_offer(self, offer: tuple[dict[Task, str], tuple[str, ...]]) -> None:
        why_not, names = offer
        rows = [TaskChoice(task, TASK_TITLES[task], why_not.get(task, "")) for task in training_work.TRAINABLE]
        self._form.set_tasks(rows, self._task)
        self._form.set_splits(names)
        last = self._last(self._task)
        if last is not None and {last.train, last.validation, last.held_out} <= {*names, ""}:
            now = self._form.request()
            self._form.fill(replace(now, train=last.train, validation=last.validation, held_out=last.held_out))

    # Further data ----------------------------------------------------------------------------------------------------

    def _ask_known(self) -> None:
        self._context.query("data to learn from", known_sources, self._take_known)

    def _take_known(self, known: tuple[KnownSource, ...]) -> None:
        self._known = known
        self._offer_known()

    def _offer_known(self) -> None:
        """The data sets that fit the task, without the one that is open."""
        here = self._open_path()
        self._form.set_offered(
            [one.choice for one in self._known if self._task in one.tasks and one.choice.path != here]
        )

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self._context.dialog_parent, "Data to learn from", str(Path(self._open_path()).parent)
        )
        if chosen:
            self._form.fields.others.add(str(Path(chosen)))


def known_sources(database: Database) -> tuple[KnownSource, ...]:
    """The data sets that the store knows and that are still there, the last opened first."""
    with database.reading() as db:
        there = [one for one in sources.all_sources(db)[:MOST_OFFERED] if Path(one.path).exists()]
        names = {one.id: tuple(queries.splits(db, one.id)) for one in there}
    return tuple(
        KnownSource(
            SourceChoice(one.path, source_title(one.path), names[one.id]),
            frozenset(task for task, why_not in evaluation.fitting(database, one.id).items() if not why_not),
        )
        for one in there
    )


def _key(task: Task) -> str:
    """Where the layout keeps what was trained last."""
    return f"training/{task.value}"


def _taken() -> tuple[str, ...]:
    """Names of all models that are not the person's own."""
    known = stepscope.models.registry.registry().models.items()
    return tuple(name for name, model in known if model.trained is None or model.trained.shipped)
