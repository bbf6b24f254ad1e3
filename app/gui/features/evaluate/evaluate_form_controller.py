"""The Evaluate dock: what it offers for the open data, the last choice of each task, presets, what would be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

import stepscope.models.registry
from stepscope.app.gui.features.evaluate import evaluation_work
from stepscope.app.gui.shell.compute_choices import compute_choices
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import EpisodesListed, ModelsChanged
from stepscope.app.gui.shell.ports import EvaluateViews, Library
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.cluster import choice as cluster_choice
from stepscope.app.services.presets import Preset, Presets, load_presets, save_presets
from stepscope.core.domain.model_name import INSTRUCTIONS, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted, duration
from stepscope.widgets.forms.evaluate_choices import (
    PREDICTIONS,
    ComputeChoice,
    DataChoice,
    EvaluateRequest,
    ModelChoice,
    TaskChoice,
)

if TYPE_CHECKING:
    from stepscope.app.gui.features.evaluate.goal_prompt_controller import GoalPromptController
    from stepscope.app.services import evaluation
    from stepscope.app.services.cluster.choice import ClusterChoice
    from stepscope.app.services.cost_estimates import CostEstimate
    from stepscope.app.services.evaluation import EvaluationRequest
    from stepscope.core.evaluation.predictor import ModelInfo
    from stepscope.core.store.engine import Database
    from stepscope.models.registry import InstalledModel, Registry
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")

PLAN_DELAY_MS = 150


@dataclass(frozen=True, slots=True)
class EvaluationChoices:
    """Choices that the open data allows: the reason against each task ("" for none), its splits."""

    why_not: dict[Task, str]
    splits: tuple[str, ...]


class EvaluateFormController(QObject):
    """Fills the form; `EvaluateController` runs what it says."""

    def __init__(self, context: Context, views: EvaluateViews, library: Library, known: Registry | None) -> None:
        super().__init__(context)
        self._context, self._views, self._library = context, views, library
        self._form = views.evaluate
        self._task = Task.AUTOMATION
        self._wanted: EvaluateRequest | None = None
        self._presets = Presets({}, {})
        self._saving = 0
        self._asked = 0
        self._shown = False
        self._known = known
        """the models as they were looked up last"""
        self._set_to = ""
        """the model's name with a prompt of which the form is about to know"""
        self._begun: tuple[Task, Preset | None, str, str] = (self._task, None, "", "")
        self._offer = EvaluationChoices({}, ())
        self._plan_timer = QTimer(self)
        self._plan_timer.setSingleShot(True)
        self._plan_timer.setInterval(PLAN_DELAY_MS)
        self._plan_timer.timeout.connect(self._count)
        self._form.data_chosen.connect(self._choose_data)
        self._form.task_chosen.connect(self.show)
        self._form.changed.connect(self._plan_again)
        self._form.preset_chosen.connect(self._apply_preset)
        self._form.preset_saved.connect(self._save_preset)
        self._form.preset_deleted.connect(self._delete_preset)
        self._form.prompt_requested.connect(self._show_prompt)
        context.selection.source_changed.connect(self._source_changed)
        context.events.on(ModelsChanged, lambda _: self.look_up_models())
        context.events.on(EpisodesListed, lambda _: self._fill_data() if self._shown else None)

    def show(self, task: Task = Task.AUTOMATION, model: str = "", protocol: str = "") -> None:
        """Open the form for a task, with the choice that was made last, or with this model or protocol."""
        if not self._saving:  # else what is here is newer than the file
            self._presets = self._read_presets()
        self._begin(task, self._presets.last.get(task), model, protocol)
        self.look_up_models()
        self._form.set_presets(list(self._presets.named))
        self._ask_offer()
        self._views.show_evaluate()
        self._form.setFocus()

    def remember(self, request: EvaluateRequest) -> None:
        """Keep a choice that was run for the next time."""
        self._presets = self._presets.with_last(preset_of(request))
        self._store(self._presets)

    # Filling ---------------------------------------------------------------------------------------------------------

    def _begin(self, task: Task, last: Preset | None, model: str = "", protocol: str = "") -> None:
        # the rules come with the first form, not with the window
        from stepscope.core.evaluation.tasks import task_kind
        from stepscope.core.scoring.registry import run_protocols, run_scorer

        source = self._context.selection.source
        if source is not None and not self._shown:  # it begins with all of the data, whatever the filter is
            self._form.set_data([DataChoice("all", source.title, source.episodes)])
        self._task, self._shown = task, True
        self._begun = (task, last, model, protocol)
        protocols = [run_scorer(name).info for name in run_protocols(task)]
        known = [info.name for info in protocols]
        chosen = protocol or (last.protocol if last and last.protocol in known else task_kind(task).protocol)
        self._form.set_task(task, TASK_TITLES[task].lower() if task is not Task.ASK else "ASK", protocols, chosen)
        self._form.set_models(self._models(task), model)
        self._fill_data()
        usual = self._context.preferences.device
        device = last.device if last is not None and last.device != "auto" else usual
        self._form.set_device(device)
        self._form.set_where(cluster_choice.why_none())
        self._context.start("devices", lambda _token: compute_choices(), partial(self._take_devices, device))
        if last is not None:
            request = _with(request_of(last), device=device)
            if model or protocol:
                request = _with(request, model=model or request.model, protocol=chosen)
            if model:  # what its name says counts, and not how another one was run last
                request = _with(request, instructions=split_name(model)[1].get(INSTRUCTIONS, "given"))
            self._form.fill(request)

    def _take_devices(self, device: str, found: tuple[tuple[ComputeChoice, ...], str]) -> None:
        is_new = self._form.device() == "auto"  # what the form begins with was perhaps not there to be chosen
        self._form.set_compute(*found)
        if is_new:
            self._form.set_device(device)

    def look_up_models(self) -> None:
        """What packages and weights are here may change while the window is open; it takes too long for its thread."""
        self._context.start("models", evaluation_work.look_up_models, self.take_models, priority=-9)

    def take_models(self, found: Registry) -> None:
        before, self._known = self._known, found
        if not self._shown:
            return
        for problem in found.problems:
            self._context.messages.warning(f"The model plug-in {problem.name} is broken: {problem.message}")
        if before is None:  # the form was opened without models
            self._begin(*self._begun)
        elif self._set_to and _infos(before) != _infos(found):
            self._form.set_models(self._models(self._task), self._set_to)
            self._set_to = ""
        elif _infos(before) != _infos(found):
            wanted = self._begun[2]  # of which nothing was known when the form was opened
            is_new = wanted in found.models and wanted not in before.models
            self._form.set_models(self._models(self._task), wanted if is_new else self._form.request().model)

    @cached_property
    def prompts(self) -> GoalPromptController:
        """Made when a prompt is first looked at."""
        from stepscope.app.gui.features.evaluate.goal_prompt_controller import GoalPromptController

        return GoalPromptController(self._context, self._library, self)

    def _show_prompt(self, model: str) -> None:
        self.prompts.open(model, self._form.window(), self._take_prompt)

    def _take_prompt(self, model: str) -> None:
        """The model with a prompt of one's own: a new one is among its settings once the models were looked up."""
        self._set_to = model
        self.look_up_models()

    def _models(self, task: Task) -> list[ModelChoice]:
        known = self._known.models.values() if self._known is not None else ()
        ordered = sorted(known, key=lambda model: model.info.needs_reference)  # those for tests come last
        return [model_choice(model) for model in ordered if model.info.serves(task)]

    def _fill_data(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._form.set_data([])
            return
        rows = [DataChoice("all", source.title, source.episodes)]
        if self._library.filter_text:
            filter_text = self._library.filter_text
            rows.insert(0, DataChoice("filter", "Current filter", len(self._library.ids), filter_text))
        rows += [DataChoice(one.key, one.title, one.episodes) for one in self._others()]
        self._form.set_data(rows, self._form.request().data)

    def _others(self) -> list[OpenSource]:
        """The open data besides that which is looked at, the latest first."""
        return [one for one in reversed(self._context.sources) if one.key != self._key()]

    def _key(self) -> str:
        source = self._context.selection.source
        return source.key if source is not None else ""

    def _choose_data(self, which: str) -> None:
        """Other data than that which is looked at is looked at from now on: filter, runs and splits are about it."""
        other = next((one for one in self._others() if one.key == which), None)
        if other is not None:
            self._library.choose_source(other)
        else:
            self._fill_data()  # it was closed meanwhile, or is what is looked at

    def _source_changed(self) -> None:
        if self._shown:
            self._fill_data()
            self._ask_offer()

    def _ask_offer(self) -> None:
        """What fits the open data, and its splits; asked in the background."""
        source = self._context.selection.source
        if source is None:
            self._take_offer(EvaluationChoices({}, ()))
            return

        others = self._others()

        def ask(database: Database) -> EvaluationChoices:
            from stepscope.app.services.splits import split_names

            with database.reading() as db:
                splits = split_names(db, source.id)
            found = {one.title: evaluation.fitting(database, one.id) for one in others}
            why_not = evaluation.fitting(database, source.id)
            return EvaluationChoices({task: _with_help(task, why, found) for task, why in why_not.items()}, splits)

        self._context.query("what fits the data", ask, self._take_offer)

    def _take_offer(self, offer: EvaluationChoices) -> None:
        self._offer = offer
        self._form.set_tasks(
            [TaskChoice(task, title, offer.why_not.get(task, "")) for task, title in TASK_TITLES.items()]
        )
        last = self._presets.last.get(self._task)
        self._form.set_splits(offer.splits, self._form.request().split or (last.split if last else ""))

    def _plan_again(self) -> None:
        self._form.set_plan("")  # what stood there is about another choice
        self._plan_timer.start()

    def _count(self) -> None:
        """How much the form's choice would be."""
        source, form = self._context.selection.source, self._form.request()
        if source is None or self._form.problem():
            self._form.set_plan("")
            return
        self._asked += 1
        asked, request = self._asked, self.request(form)

        def ask(database: Database) -> tuple[str, str, str]:
            try:
                found = evaluation.plan(database, source.id, request, source.source)
            except UserError as error:
                return str(error), "", ""
            items = "" if found.items is None else f", {counted(found.items, 'item')} to predict and score"
            times = ", in each of two runs" if form.instructions == "both" else ""
            words = f"{counted(found.episodes, 'episode')}{items}{times}.{_cost_words(found.cost)}"
            return words, found.warning, found.why_not

        self._context.query(
            "count items", ask, lambda told: self._form.set_plan(*told) if asked == self._asked else None
        )

    def request(self, form: EvaluateRequest) -> EvaluationRequest:
        """The form's choice as both faces run it."""
        return evaluation.EvaluationRequest(
            protocol=form.protocol,
            model="" if form.model == PREDICTIONS else form.model,
            predictions=Path(form.predictions) if form.predictions else None,
            options=tuple((name, str(value)) for name, value in form.options),
            episodes=tuple(self._library.ids) if form.data == "filter" else None,
            filter=form.filter if form.data == "filter" else "",
            split=form.split,
            limit=form.limit,
            per_app=form.per_app,
            seed=form.seed,
            device=form.device,
            runtime=form.runtime,
            task=form.task,
        )

    def cluster(self, form: EvaluateRequest) -> ClusterChoice | None:
        """The cluster that is to work on it, None for this computer."""
        return cluster_choice.ClusterChoice(form.cluster, form.workers) if form.cluster else None

    # Presets ---------------------------------------------------------------------------------------------------------

    def _read_presets(self) -> Presets:
        try:
            return load_presets()
        except UserError as error:
            self._context.messages.failure(error)
            return Presets({}, {})

    def _apply_preset(self, name: str) -> None:
        preset = self._presets.named.get(name)
        if preset is None:
            return
        why_not = self._offer.why_not.get(preset.task, "")
        if why_not:
            self._context.messages.warning(
                f"The preset “{name}” is about {TASK_TITLES[preset.task].lower()}. {why_not}"
            )
            return
        self._begin(preset.task, preset)
        self._form.set_splits(self._offer.splits, preset.split)
        self._form.set_presets(list(self._presets.named), name)
        model = preset.model or PREDICTIONS
        if self._form.request().model != model:
            self._context.messages.warning(f"The preset's model {preset.model} is not known here.")

    def _save_preset(self, name: str) -> None:
        self._keep(self._presets.with_named(name, preset_of(self._form.request())), name)
        self._context.messages.done(f"Saved as preset “{name}”.")

    def _delete_preset(self, name: str) -> None:
        self._keep(self._presets.without(name))
        self._context.messages.done(f"Deleted the preset “{name}”.")

    def _keep(self, presets: Presets, current: str = "") -> None:
        self._presets = presets
        self._form.set_presets(list(presets.named), current)
        self._store(presets)

    def _store(self, presets: Presets) -> None:
        self._saving += 1
        task = self._context.start("save presets", lambda _token: save_presets(presets), lane="writer")
        task.finished.connect(self._saved)

    def _saved(self) -> None:
        self._saving -= 1


def _cost_words(cost: CostEstimate | None) -> str:
    """What the run will take, as words behind the number of items."""
    if cost is None:
        return ""
    time = f" About {duration(cost.seconds)}." if cost.seconds is not None else ""
    return f"{time} {_capital(cost.words)}." if cost.words else time


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _with_help(task: Task, why_not: str, others: Mapping[str, Mapping[Task, str]]) -> str:
    """Why the data does not fit a task, and which of the other open data (what does not fit, by title) does."""
    fits = next((title for title, reasons in others.items() if not reasons.get(task)), "")
    return f"{why_not} {fits} fits: choose it at Data." if why_not and fits else why_not


def _infos(known: Registry | None) -> list[ModelInfo]:
    return [model.info for model in known.models.values()] if known is not None else []


def model_choice(model: InstalledModel) -> ModelChoice:
    """A model as the form shows it: one whose weights are absent cannot be taken."""
    info = model.info
    title = f"{info.title} (for tests)" if info.needs_reference else info.title
    absent = info.weights == "absent"
    return ModelChoice(
        name=info.name,
        title=title,
        tip=info.description,
        stand_in=info.stand_in,
        why_not=f"Its weights are not here. {info.weights_from}".strip() if absent else "",
        weights=f"Weights present: {info.weights_from}" if info.weights == "present" else "",
        devices=info.devices,
        for_tests=info.needs_reference,
        runtimes=stepscope.models.registry.RUNTIMES[1:] if model.trained is not None else (),
        settings=info.settings,
        against_rules=_against_rules(model),
    )


def _against_rules(model: InstalledModel) -> str:
    """What the card says of real data, the worse first."""
    from stepscope.models.learned.real_sets import below_words, level_words

    real = model.trained.card.real if model.trained is not None else ()
    return below_words(real) or level_words(real)


def preset_of(form: EvaluateRequest) -> Preset:
    return Preset(
        task=form.task,
        model="" if form.model == PREDICTIONS else form.model,
        protocol=form.protocol,
        options=tuple((name, str(value)) for name, value in form.options),
        predictions=form.predictions,
        split=form.split,
        filter=form.filter,
        limit=form.limit,
        per_app=form.per_app,
        seed=form.seed,
        device=form.device,
        runtime=form.runtime,
        instructions=form.instructions,
        cluster=form.cluster,
        workers=form.workers,
    )


def request_of(preset: Preset) -> EvaluateRequest:
    """What a preset says in the words of the form; the data are those that are open."""
    return EvaluateRequest(
        task=preset.task,
        data="",
        model=preset.model or PREDICTIONS,
        protocol=preset.protocol,
        options=preset.options,
        predictions=preset.predictions,
        seed=preset.seed,
        limit=preset.limit,
        per_app=preset.per_app,
        device=preset.device,
        runtime=preset.runtime,
        instructions=preset.instructions,
        cluster=preset.cluster,
        workers=preset.workers,
        split=preset.split,
        filter=preset.filter,
    )


def _with(request: EvaluateRequest, **changes: str) -> EvaluateRequest:
    return replace(request, **changes)  # type: ignore[arg-type]
