"""Models by name: the catalogue's, those that were trained here, a person's own files, those behind servers that were
added, and those that installed packages add.

Nothing is imported before it is loaded; whether weights are here is looked up each time when somebody asks.

A package adds a model by an entry point of the group `stepscope.models`. Its object is called without arguments and
returns (ModelInfo, loader); the loader is called with `seed` and `device` and returns the predictor. The task that its
ModelInfo names says which requests it gets (`core.evaluation.predictor`).
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import asdict, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from stepscope.core import limits
from stepscope.core.domain.model_name import (
    ACTOR,
    HIDDEN,
    INSTRUCTIONS,
    LOCAL,
    PAGES,
    SERVED,
    is_asked,
    split_name,
    with_settings,
    without_instructions,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.ask.actor_choice import NO_ACTOR, actor_setting
from stepscope.models.catalog import CATALOG, LM_PERPLEXITY, TRAINED, CatalogEntry
from stepscope.models.encoders.registry import find as find_encoders
from stepscope.models.history_choice import HISTORY, with_history
from stepscope.models.learned.card import CARD, info_of, sound_config
from stepscope.models.learned.encoder_choice import encoders_of
from stepscope.models.learned.model_folders import TrainedModel, find_trained, trained_models
from stepscope.models.learned.recipes import recipe, recipe_of
from stepscope.models.ordering.shown_steps import SHOWN, offered, shown_info, shown_steps
from stepscope.models.own.own_models import OwnModel, find_own, own_models
from stepscope.models.own.own_models import info_of as own_info

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from stepscope.core.scoring import options as scoring_options
    from stepscope.models.agents import asked
    from stepscope.models.ask import acting as ask_acting
    from stepscope.models.learned.head import RuntimeName
    from stepscope.models.ordering import language_models
    from stepscope.models.ordering.language_models import LanguageModel
else:
    scoring_options = lazy_module("stepscope.core.scoring.options")
    asked = lazy_module("stepscope.models.agents.asked")
    ask_acting = lazy_module("stepscope.models.ask.acting")
    language_models = lazy_module("stepscope.models.ordering.language_models")

GROUP = "stepscope.models"
_LONGEST_NAME = 100
"""Letters of the name of a plug-in's model."""


class Loader(Protocol):
    """Makes a predictor; may be slow and may need what is not installed."""

    def __call__(self, *, seed: int, device: str) -> Predictor[Any]: ...


RUNTIMES = ("auto", "torch", "onnx")
"""What a trained model may be run with; every other model has one way."""


@dataclass(frozen=True, slots=True)
class PlugInProblem:
    """A plug-in that cannot be used: `name` as its package declares it, `message` why."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """`trained` is there for one that was trained here, whose runtime can be chosen; `own` for a file that the person
    added; `asked` is what the name of one says that is asked in words, its server or checkpoint with it."""

    info: ModelInfo
    loader: Loader
    trained: TrainedModel | None = None
    own: OwnModel | None = None
    asked: object | None = None

    def is_same(self, other: InstalledModel) -> bool:
        """Whether a predictor of the one is one of the other: nothing was trained, changed or added anew."""
        return (self.info, self.trained, self.own, self.asked) == (other.info, other.trained, other.own, other.asked)


@dataclass(frozen=True, slots=True)
class Registry:
    """All models by name, and the entries that could not be taken over, each with why."""

    models: Mapping[str, InstalledModel]
    problems: tuple[PlugInProblem, ...] = ()


def registry(plug_ins: Iterable[EntryPoint] | None = None) -> Registry:
    """All models that can be named; `plug_ins` None means those of the installed packages.

    A plug-in that breaks, or takes a name that is in use, becomes a problem and harms nothing else.
    """
    from stepscope.core.process.packages import entry_points_of  # slow to import, and only plug-ins need it

    models = {entry.info.name: _model_of(entry) for entry in CATALOG}
    builtin = frozenset(models)
    problems = []
    for trained in trained_models():
        if isinstance(trained, UserError):
            problems.append(PlugInProblem("trained model", str(trained)))
            continue
        name = trained.card.name
        try:
            if name in builtin or (name in models and not _is_shipped(models[name])):
                raise UserError(
                    f"the name {name} is in use.", place=trained.folder, hint="Give it another in its card."
                )
            models[name] = _trained(trained)
        except UserError as error:
            problems.append(PlugInProblem(trained.card.name, str(error)))
    for added in own_models():
        if isinstance(added, UserError):
            problems.append(PlugInProblem("own model", str(added)))
        elif added.manifest.name in models:
            taken = UserError(f"the name {added.manifest.name} is in use.", place=added.place)
            problems.append(PlugInProblem(added.manifest.name, str(taken)))
        else:
            models[added.manifest.name] = _own(added)
    try:
        models.update(_asked_models())
        if named := _language_models():
            del models[LM_PERPLEXITY.name]  # each by its own name, in place of one that nothing can be asked of
            models.update(named)
    except UserError as error:
        problems.append(PlugInProblem("list of servers, checkpoints or weights", str(error)))
    for point in entry_points_of(GROUP) if plug_ins is None else plug_ins:
        try:
            model = _offered(_in_time(point))
            if model.info.name in models:
                raise UserError(f"the name {model.info.name} is in use.")
        except Exception as error:  # noqa: BLE001 - foreign code; told to the person, fatal to nothing
            problems.append(PlugInProblem(point.name, f"{type(error).__name__}: {error}"))
        else:
            models[model.info.name] = model
    return Registry(models, tuple(problems))


def _is_shipped(model: InstalledModel) -> bool:
    return model.trained is not None and model.trained.shipped


def model_info(name: str) -> ModelInfo:
    """What the model says of itself, without importing it. Raises UsageError naming the nearest model."""
    return _model(name).info


def installed_model(name: str) -> InstalledModel:
    """The same with its card where it was trained. Errors as those of `model_info`."""
    return _model(name)


def named_for(name: str, task: Task) -> str:
    """The name of the model as it is asked about this task, where it can be asked about several; else as it was."""
    return asked.for_task(name, Task.AUTOMATION if task is Task.ROLLOUT else task) if is_asked(name) else name


def check_runtime(name: str, runtime: str) -> None:
    """Raises UsageError for a model or a runtime that there is not, and for one that the model does not have."""
    _with_runtime(name, runtime)


def load(name: str, *, seed: int = 0, device: str = "auto", runtime: str = "auto") -> Predictor[Any]:
    """The predictor, ready to answer. `name` may be the folder of a trained model. Raises UsageError for an unknown
    name and for a runtime that the model does not have, UserError when it cannot be loaded."""
    model = _with_runtime(name, runtime)
    try:
        if model.trained is not None:
            given = {one: value for one, value in split_name(name)[1].items() if one != SHOWN.name}
            set_to = given if model.info.settings and HISTORY not in model.info.settings else {}
            predictor = _load_trained(model.trained, device=device, runtime=runtime, set_to=set_to)
        else:
            predictor = model.loader(seed=seed, device=device)
        if model.info.task is Task.ORDERING:
            return shown_steps(predictor, model.info)
        if actor_setting(model.info) is not None:
            return ask_acting.acting(predictor, model.info, lambda one: load(one, seed=seed, device=device))
        if not split_name(name)[1] or model.info.task is not Task.AUTOMATION:
            return predictor
        from stepscope.models.automation.shown import goal_alone, shown_history

        predictor = shown_history(predictor, model.info)
        return goal_alone(predictor, model.info) if _is_goal_alone(name) else predictor
    except ImportError as error:
        hint = "Install the extra: pip install stepscope[models]."
        raise UserError(f"{name} needs {error.name or 'a library'}, which is missing.", hint=hint) from error


def _with_runtime(name: str, runtime: str) -> InstalledModel:
    if runtime not in RUNTIMES:
        raise UsageError(f"There is no runtime {runtime!r}.", hint=f"Give {', '.join(RUNTIMES)}.")
    model = _model(name)
    if model.trained is None and runtime not in ("auto", model.info.runtime):
        raise UsageError(f"{name} does not run in {runtime}.", hint="Leave the runtime out.")
    return model


def _is_goal_alone(name: str) -> bool:
    return INSTRUCTIONS in split_name(name)[1]


def _goal_alone(name: str) -> InstalledModel:
    """Raises UsageError for a model of another task, which is shown no instructions, and for another value."""
    plain, given = split_name(name)
    if given.pop(INSTRUCTIONS) != HIDDEN:
        hint = f"Write {without_instructions(plain)}, or leave it out."
        raise UsageError(f"{INSTRUCTIONS} of a model can only be {HIDDEN}.", hint=hint)
    model = _model(with_settings(plain, given))
    if model.info.task is not Task.AUTOMATION:
        raise UsageError(f"{plain} is shown no step instructions.", hint="Only models for automation are.")
    title = f"{model.info.title}, goal alone"
    return replace(model, info=replace(model.info, name=without_instructions(model.info.name), title=title))


def _with_actor(name: str) -> InstalledModel:
    """A model that asks with the one that acts beside it. Raises UsageError for one that has none, and for an actor
    that there is not or that does not act."""
    plain, given = split_name(name)
    chosen = given.pop(ACTOR)
    model = _model(with_settings(plain, given))
    checked = scoring_options.checked(plain, model.info.settings, {ACTOR: chosen})
    if checked[ACTOR] == getattr(actor_setting(model.info), "default", None):
        return model
    if chosen == NO_ACTOR:
        return replace(model, info=ask_acting.without_actor(model.info))
    return replace(model, info=ask_acting.acting_info(model.info, _model(chosen).info))


def _with_steps(name: str) -> InstalledModel:
    """A model of ordering that is shown words or screens alone. Raises UsageError for one that does not look at both,
    and for another value."""
    plain, given = split_name(name)
    chosen = given.pop(SHOWN.name)
    model = _model(with_settings(plain, given))
    scoring_options.checked(plain, model.info.settings, {SHOWN.name: chosen})
    return replace(model, info=shown_info(model.info, chosen))


def _model(name: str) -> InstalledModel:
    if _is_goal_alone(name):
        return _goal_alone(name)
    if SHOWN.name in split_name(name)[1]:
        return _with_steps(name)
    if ACTOR in split_name(name)[1]:
        return _with_actor(name)
    for entry in CATALOG:  # without looking at plug-ins, whose import may be slow
        if entry.info.name == name:
            return _model_of(entry)
    if is_asked(name):
        return _asked(name)
    if name.startswith(PAGES):
        return _page_model(name)
    plain, given = split_name(name)
    if plain == LM_PERPLEXITY.name:
        return _language_model(given)
    if given:
        model = _model(plain)
        scoring_options.checked(plain, model.info.settings, given)  # raises: of these only the history can be set
        if HISTORY in model.info.settings:
            return replace(model, info=with_history(model.info, given[HISTORY.name]))
        if model.trained is not None:
            return replace(model, info=_set_info(model.info, given))
    trained = find_trained(name)
    if trained is not None:
        return _trained(trained)
    added = find_own(name)
    if added is not None:
        return _own(added)
    known = registry()
    if name in known.models:
        return known.models[name]
    broken = [f"The plug-in {problem.name} is broken: {problem.message}. " for problem in known.problems]
    hint = f"{''.join(broken)}{did_you_mean(name, known.models)}Models: {', '.join(known.models)}."
    raise UsageError(f"There is no model {name!r}.", hint=hint)


def _set_info(info: ModelInfo, given: Mapping[str, str]) -> ModelInfo:
    """What the model says of itself with these settings; those at their defaults are left out."""
    chosen = {
        one.name: given[one.name] for one in info.settings if given.get(one.name, str(one.default)) != str(one.default)
    }
    if not chosen:
        return info
    words = ", ".join(f"{name} {value}" for name, value in chosen.items())
    return replace(info, name=with_settings(info.name, chosen), title=f"{info.title}, {words}")


def _model_of(entry: CatalogEntry) -> InstalledModel:
    """The model with what is known of its weights on this machine."""
    info = entry.info
    if entry.find_weights:
        module, _, find = entry.find_weights.partition(":")
        try:
            found: str = getattr(importlib.import_module(module), find)()
            info = replace(info, weights="present", weights_from=found)
        except UnavailableError as error:
            info = replace(info, weights="absent", weights_from=str(error))
    return InstalledModel(info, cast(Loader, partial(_load, entry)))


def _trained(trained: TrainedModel) -> InstalledModel:
    """Raises UserError for a recipe that this version does not have."""
    plain = TRAINED.get(trained.card.recipe)
    if plain is None:
        plain = recipe(trained.card.recipe).info  # one that a package brought
    info = info_of(trained.card, plain)
    try:
        with sound_config(trained.folder / CARD):
            find_encoders(**asdict(encoders_of(trained.card.config)))
    except (UnavailableError, UsageError) as error:
        info = replace(info, weights="absent", weights_from=str(error))
    return _offered(InstalledModel(info, cast(Loader, partial(_load_trained, trained)), trained))


def _offered(model: InstalledModel) -> InstalledModel:
    """The model with what every one of its task can be set to."""
    return replace(model, info=offered(model.info)) if model.info.task is Task.ORDERING else model


def _own(added: OwnModel) -> InstalledModel:
    return _offered(InstalledModel(own_info(added), cast(Loader, partial(_load_own, added)), own=added))


def _load_own(added: OwnModel, *, seed: int, device: str) -> Predictor[Any]:
    from stepscope.models.own.predictor import load

    return load(added, device=device)


def _asked(name: str) -> InstalledModel:
    """Raises UsageError for a server or checkpoint that was not added, and for settings that cannot be."""
    found = asked.asked_model(name)
    return InstalledModel(asked.info_of_model(found), cast(Loader, partial(asked.load, name)), asked=found)


def _page_model(name: str) -> InstalledModel:
    """Raises UsageError for a server that was not added, and for settings that cannot be."""
    from stepscope.models.webtask import page_model

    found = page_model.page_model_name(name)
    return InstalledModel(page_model.info_of(name), cast(Loader, partial(page_model.load, name)), asked=found)


def _asked_models() -> dict[str, InstalledModel]:
    """The models of each server that has one of its own, and the checkpoints, for each task that they can be asked
    about."""
    from stepscope.models.chat import servers
    from stepscope.models.checkpoints import checkpoint

    served = [f"{one.name}/{one.model}" for one in servers.load() if one.model]
    names = [f"{SERVED}{name}" for name in served] + [f"{LOCAL}{one.name}" for one in checkpoint.load()]
    found = [_asked(asked.for_task(name, task)) for name in names for task in asked.TASKS]
    pages = {f"{PAGES}{name}": _page_model(f"{PAGES}{name}") for name in served}
    return {one.info.name: one for one in found} | pages


def _language_model(given: Mapping[str, str]) -> InstalledModel:
    """Raises UsageError for a language model that was not added."""
    return _likelihoods_of(language_models.chosen(given))


def _language_models() -> dict[str, InstalledModel]:
    """`lm-perplexity` with each language model that was added."""
    found = map(_likelihoods_of, language_models.language_models())
    return {one.info.name: one for one in found}


def _likelihoods_of(found: LanguageModel) -> InstalledModel:
    return InstalledModel(language_models.info_of(found), cast(Loader, partial(_load_likelihoods, found)))


def _load_likelihoods(found: LanguageModel, *, seed: int, device: str) -> Predictor[Any]:
    from stepscope.models.ordering.perplexity import load

    return load(found, seed=seed, device=device)


def _load_trained(
    trained: TrainedModel,
    *,
    device: str,
    seed: int = 0,
    runtime: str = "auto",
    set_to: Mapping[str, str] = MappingProxyType({}),
) -> Predictor[Any]:
    from stepscope.models.learned.predictor import load
    from stepscope.models.learned.recipe import is_settable

    found = recipe_of(trained.card)
    info = None
    if set_to and is_settable(found):
        found, info = found.set_to(set_to), _set_info(_trained(trained).info, set_to)
    return load(trained, found, device=device, runtime=cast("RuntimeName", runtime), info=info)


def _load(entry: CatalogEntry, *, seed: int, device: str) -> Predictor[Any]:
    factory: Callable[..., Predictor[Any]] = getattr(importlib.import_module(entry.module), entry.factory)
    return factory(seed=seed, device=device)


def _in_time(point: EntryPoint) -> InstalledModel:
    """The plug-in's model, loaded in a thread that is left to itself when it takes longer than `plugin-seconds`; what
    it prints goes to the error stream. Raises what the plug-in raises, always as an Exception, and UserError when it
    does not come back (it is not tried again then)."""
    found: Future[InstalledModel] = Future()

    def work() -> None:
        try:
            found.set_result(_plugged_in(point))
        except Exception as error:  # noqa: BLE001 - raised where the result is waited for
            found.set_exception(error)
        except BaseException as error:  # noqa: BLE001 - a plug-in that leaves, or worse, ends nothing but its loading
            found.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))

    key = (point.name, point.value)
    if key in _lost:
        raise UserError("it did not load in time.", hint="Restart the program to try it again.")
    try:
        with contextlib.redirect_stdout(sys.stderr):
            threading.Thread(target=work, name=f"plug-in {point.name}", daemon=True).start()
            return found.result(limits.limit("plugin-seconds"))
    except FutureTimeout:
        if found.done():
            raise  # the plug-in's own
        _lost.add(key)
        seconds = limits.written_figure(limits.SECONDS, limits.limit("plugin-seconds"))
        raise UserError(f"it did not load in {seconds}.", hint=limits.hint("plugin-seconds")) from None


_lost: set[tuple[str, str]] = set()
"""Plug-ins that did not come back from loading: a thread that waits for one is enough."""


def _plugged_in(point: EntryPoint) -> InstalledModel:
    info, loader = point.load()()
    if not isinstance(info, ModelInfo) or not callable(loader):
        raise TypeError("must return (ModelInfo, loader)")
    if not isinstance(info.name, str) or not info.name.isprintable() or not 0 < len(info.name) <= _LONGEST_NAME:
        raise TypeError(f"{str(info.name)[:_LONGEST_NAME]!r} cannot be a model's name")
    return InstalledModel(info, cast(Loader, loader))
