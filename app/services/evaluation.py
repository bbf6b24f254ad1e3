"""Preparing evaluations for both faces: which episodes, which predictor, which rule; then one and the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import stepscope.models.registry
from stepscope.app.services import item_processes, splits
from stepscope.app.services.cluster import connection
from stepscope.app.services.cluster.choice import ClusterChoice, refusal
from stepscope.app.services.library import indexed_source, passing
from stepscope.app.services.made_with import note_made_with
from stepscope.app.services.model_inputs import missing_inputs
from stepscope.app.services.provenance import trained_on_words
from stepscope.app.services.recordings_consent import check_consent
from stepscope.app.services.scoring import with_measures
from stepscope.app.services.verified_index_source import as_indexed
from stepscope.app.services.version import VERSION
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.model_name import is_asked, without_instructions
from stepscope.core.domain.partitions import TEST, part_of_partition
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.imported_predictions import ANSWERS, ImportedPredictor
from stepscope.core.evaluation.prediction_cache import FILE_NAME, CachedPredictor, PredictionCache
from stepscope.core.evaluation.predictor import ModelInfo, Predictor, is_batching
from stepscope.core.evaluation.runner import words_of
from stepscope.core.evaluation.runs import EvaluationRun, RunUpdate, enqueue
from stepscope.core.evaluation.tasks import count_items, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.scoring import annotator_agreement
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.order_references import check_references
from stepscope.core.scoring.registry import run_protocols, run_scorer
from stepscope.core.scoring.rule import AggregatingScorer
from stepscope.core.settings import user_cache_dir
from stepscope.core.sources.predictions import LineProblem, iterate_predictions, read_predictions
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import index_claims, runs, sources
from stepscope.core.store.worker import WorkerClaim
from stepscope.models.runtimes.memory import bound_models

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services import cost_estimates, rollout, stored_answers
    from stepscope.app.services.cluster import items as cluster_items
    from stepscope.app.services.cluster.messages import WorkerReady
    from stepscope.app.services.cost_estimates import CostEstimate
    from stepscope.core.evaluation.rollout.walker import Watch
else:
    cluster_items = lazy_module("stepscope.app.services.cluster.items")
    cost_estimates = lazy_module("stepscope.app.services.cost_estimates")
    rollout = lazy_module("stepscope.app.services.rollout")
    stored_answers = lazy_module("stepscope.app.services.stored_answers")

Load = Callable[..., Predictor[Any]]
"""Makes a predictor by name, seed, device and runtime; the registry's, or one that keeps what it has loaded."""


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """The request for an evaluation. Exactly one of `model` and `predictions` is given. `limit` counts episodes,
    `per_app` those of each app, or pages of each web task: the first ones.

    `episodes` names them; None means all of the source that `query` and `split` leave, in the source's order. `filter`
    are the words of a filter that named them, which the run keeps. An empty `protocol` is the task's own. `agreement`
    keeps episodes on whose feasibility the annotators agree ("all", "majority"; `core.scoring.annotator_agreement`).
    """

    protocol: str = ""
    model: str = ""
    predictions: Path | None = None
    options: tuple[tuple[str, str], ...] = ()
    query: Query = EVERYTHING
    episodes: tuple[str, ...] | None = None
    filter: str = ""
    split: str = ""
    limit: int | None = None
    per_app: int | None = None
    seed: int = 0
    device: str = "auto"
    task: Task = Task.AUTOMATION
    runtime: str = "auto"
    agreement: str = ""


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run that is ready to go; `problems` are lines of the prediction file that were kept out, `warning` says what
    the model will miss, `cost` what a new one will take."""

    run: EvaluationRun
    problems: tuple[LineProblem, ...] = ()
    warning: str = ""
    cost: CostEstimate | None = None


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """The work that a request asks for, before it runs: `items` None where that is only known after reading. `warning`
    says what the model will miss, `why_not` that the episodes have no truth to score by; `cost` is what it will take,
    where something tells."""

    episodes: int
    items: int | None
    warning: str = ""
    why_not: str = ""
    cost: CostEstimate | None = None


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that is written down and waits for somebody to work on it, who shows `claim`."""

    run_id: str
    worker: WorkerClaim
    problems: tuple[LineProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class _CheckedRequest:
    """A request that fits together. `predictor` is there when it is a file's, which had to be read."""

    spec: RunSpec
    units: tuple[str, ...]
    model: ModelInfo
    scorer: AggregatingScorer
    predictor: Predictor[Any] | None
    problems: tuple[LineProblem, ...]


INSTRUCTIONS = ("given", "hidden", "both")
"""Whether models of task automation are shown the instruction of each step, the first unless another is asked for."""


def by_instructions(request: EvaluationRequest, instructions: str) -> tuple[EvaluationRequest, ...]:
    """The runs that this asks for: one, or for `both` one with instructions and one with the goal alone, which is told
    by the model's name. Raises UsageError where there are none to hide."""
    if instructions not in INSTRUCTIONS:
        raise UsageError(f"Instructions cannot be {instructions!r}.", hint=f"Give {', '.join(INSTRUCTIONS)}.")
    if instructions == INSTRUCTIONS[0]:
        return (request,)
    if request.task is not Task.AUTOMATION or not request.model:
        hint = "Leave --instructions out."
        raise UsageError("Step instructions are only shown to models for automation.", hint=hint)
    hidden = replace(request, model=without_instructions(request.model))
    return (hidden,) if instructions == "hidden" or hidden.model == request.model else (request, hidden)


def start(
    database: Database,
    source: Source,
    source_id: int,
    request: EvaluationRequest,
    token: CancelToken | None = None,
    load: Load | None = None,
    cluster: ClusterChoice | None = None,
) -> PreparedRun:
    """A new run over an indexed source, worked on by a `cluster` where one is named. Raises UserError when something
    does not fit together."""
    found = _checked(database, source, source_id, request)
    if cluster is not None:
        check_cluster(cluster, found.spec, found.model)
    predictor = found.predictor or _predictor(found.spec, found.model, source, load, cluster)
    cost = None
    asked = is_asked(found.model.name) and not found.spec.predictions
    if asked and request.task is not Task.ROLLOUT:  # no other costs anything, and agents take long to import
        items = _items_in(database, source_id, request, found.units)
        cost = cost_estimates.estimate(database, source, request.task, found.model.name, found.units, items)
    data = as_indexed(database, source_id, source)
    run = EvaluationRun.start(
        database, found.spec, data, found.units, predictor, found.scorer, source_id=source_id, token=token
    )
    _worked_by(database, run, predictor, cluster)
    return PreparedRun(run, found.problems, _warning(source, found.units, found.model, request), cost)


def queue(
    database: Database,
    source: Source,
    source_id: int,
    request: EvaluationRequest,
    cluster: ClusterChoice | None = None,
) -> QueuedRun:
    """The same run written down, for `work_on` to begin; its model is not loaded. Errors as those of `start`."""
    found = _checked(database, source, source_id, request)
    if cluster is not None:
        check_cluster(cluster, found.spec, found.model)
    run_id, worker = enqueue(database, found.spec, found.units, found.model, found.scorer, source_id=source_id)
    return QueuedRun(run_id, worker, found.problems)


def work_on(
    database: Database,
    run_id: str,
    claim: str = "",
    token: CancelToken | None = None,
    load: Load | None = None,
    watch: Watch | None = None,
    cluster: ClusterChoice | None = None,
) -> Iterator[RunUpdate]:
    """Begin a queued run, or go on with a stored one; `watch` is told how far a roll-out's walk is. One that cannot
    even begin is left failed, with the reason."""
    try:
        run = resume(database, run_id, token, load=load, handed_over=claim, watch=watch, cluster=cluster).run
    except (Exception, SystemExit) as error:  # what a model's loader raises may be anything
        if claim:
            with database.unit_of_work() as db:
                runs.set_state(db, run_id, RunState.FAILED, words_of(error))
        raise
    yield from run.updates()


def _checked(database: Database, source: Source, source_id: int, request: EvaluationRequest) -> _CheckedRequest:
    scorer = scorer_for(request.task, request.protocol)
    model = check_model(request)
    if model is not None:
        check_consent(source, request.model)
    if request.task is Task.ORDERING:
        check_references(dict(request.options))
    with database.reading() as db:
        index_claims.check_whole(db, source_id)
    units, chosen = _episodes(database, source_id, request)
    if not units:
        raise UsageError("No episode is left to evaluate.", place=source.path, hint="Loosen the filter or the split.")
    if _items_in(database, source_id, request, units) == 0:
        raise UsageError(
            "None of these episodes has a reference action, so there is nothing to evaluate.",
            place=source.path,
            hint="Choose data with recorded actions.",
        )
    why_not = fitting(database, source_id)[request.task] or unfit(database, source_id, request.task, units)
    if why_not:
        raise UsageError(why_not, place=source.path, hint="Choose other data, or another task.")
    imported: ImportedPredictor | None = None
    problems: tuple[LineProblem, ...] = ()
    if request.predictions is not None:
        if scorer.info.after_each_step:
            raise UsageError(
                f"{scorer.info.name} asks after every step, and a file of predictions answers about whole episodes.",
                place=request.predictions,
                hint=f"Write the guesses as records, and score them with stepscope score {scorer.info.name} FILE.",
            )
        imported, problems = imported_predictor(request.predictions, source, request.task)
        units, model = imported.covered(units), imported.info
        if not units:
            raise UserError(
                "None of its predictions is about an episode of this data.",
                place=request.predictions,
                hint="Check that the file's ids are those of the data: `stepscope inspect PATH --episodes` lists them.",
            )
    assert model is not None
    return _CheckedRequest(_spec(source, request, scorer, chosen), units, model, scorer, imported, problems)


def _spec(source: Source, request: EvaluationRequest, scorer: AggregatingScorer, chosen: int | None) -> RunSpec:
    return RunSpec(
        task=request.task,
        model=request.model,
        source=str(source.path),
        format=source.format,
        protocol=scorer.info.name,
        options=_as_checked(scorer, request.options),
        split=part_of_partition(request.split, TEST),
        limit=request.limit,
        seed=request.seed,
        device=request.device,
        runtime=request.runtime,
        predictions=str(request.predictions.resolve()) if request.predictions else "",
        code_version=VERSION,
        filter=request.filter or str(request.query),
        chosen=chosen,
    )


def _as_checked(scorer: AggregatingScorer, options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The options with whole paths of files, so that the run means the same files wherever it is gone on with."""
    known = parse_options(scorer.info, dict(options))
    return tuple((name, str(found) if isinstance(found := known[name], str) else text) for name, text in options)


def resume(
    database: Database,
    run_id: str,
    token: CancelToken | None = None,
    source: Source | None = None,
    load: Load | None = None,
    handed_over: str = "",
    watch: Watch | None = None,
    cluster: ClusterChoice | None = None,
) -> PreparedRun:
    """A stored run again, with its own settings; `source` saves opening the data once more. `handed_over` is the claim
    of the process that queued it, `watch` is told how far a roll-out's walk is. It may go on elsewhere than it was
    begun: by this `cluster`, or here."""
    with database.reading() as db:
        run = runs.get(db, run_id)
    data = source if source is not None and str(source.path) == run.spec.source else source_of(database, run)
    predictor: Predictor[Any]
    problems: tuple[LineProblem, ...] = ()
    if cluster is not None:
        model = stepscope.models.registry.model_info(run.spec.model)
        check_cluster(cluster, run.spec, model)
        check_consent(data, run.spec.model)
        predictor = _predictor(run.spec, model, data, load, cluster)
    elif run.spec.predictions:
        predictor, problems = imported_predictor(Path(run.spec.predictions), data, run.spec.task)
    else:
        predictor = stored_answers.answers_of(database, run) or _asked_again(run.spec, data, load, watch)
    scorer = with_measures(run_scorer(run.spec.protocol))
    data = _held_against_index(database, data)
    again = EvaluationRun.resume(database, run_id, data, predictor, scorer, handed_over=handed_over, token=token)
    _worked_by(database, again, predictor, cluster)
    return PreparedRun(again, problems)


def _held_against_index(database: Database, data: Source) -> Source:
    with database.reading() as db:
        known = sources.find(db, data.path)
    return data if known is None else as_indexed(database, known.id, data)


def check_cluster(cluster: ClusterChoice, spec: RunSpec, model: ModelInfo) -> None:
    """Raises UsageError where a cluster cannot work on this run or Ray is not there, UserError where nobody answers."""
    if why := refusal(spec, model):
        raise UsageError(why, place="--cluster", hint="Leave --cluster out.")
    cluster.checked()
    connection.check_there(cluster)


def _predictor(
    spec: RunSpec, model: ModelInfo, source: Source, load: Load | None, cluster: ClusterChoice | None
) -> Predictor[Any]:
    """The model, or what stands for it where a cluster has it."""
    return _asked(spec, source, load) if cluster is None else cluster_items.AwayPredictor(model)


def _worked_by(
    database: Database, run: EvaluationRun, predictor: Predictor[Any], cluster: ClusterChoice | None
) -> None:
    """Have the run's items worked on by the cluster; or else by several processes where that is possible, which begin
    once it takes long. What works on it is noted in the run."""
    if cluster is not None:
        items = cluster_items.ClusterItems(cluster, run.spec, _noting(database, run.run_id))
        run.evaluate, run.paces, run.batch_items = items, items.paces, cluster_items.COMMITTED_AT_ONCE
        return
    evaluate = item_processes.shared(database, run.run_id, run.spec, predictor)
    if evaluate is not None:
        run.evaluate = evaluate
    if not run.spec.predictions:
        note_made_with(database, run.run_id, run.spec.model, predictor)


def _noting(database: Database, run_id: str) -> Callable[[WorkerReady], None]:
    """Keeps in the run what a worker has it worked on with, each machine once."""
    noted = set[MachineFacts]()

    def met(worker: WorkerReady) -> None:
        if worker.machine not in noted:
            noted.add(worker.machine)
            with database.unit_of_work() as db:
                runs.set_made_with(db, run_id, worker.machine, worker.weights)

    return met


@dataclass(frozen=True, slots=True)
class RunParts:
    """All that the items of a stored run are made, answered and scored with."""

    spec: RunSpec
    source: Source
    predictor: Predictor[Any]
    scorer: AggregatingScorer


def run_parts(database: Database, run_id: str) -> RunParts:
    """What another process works on a run's items with, beside the one that stores them. Errors as those of `resume`;
    the run is no claim of its caller."""
    with database.reading() as db:
        run = runs.get(db, run_id)
    data = source_of(database, run)
    check_consent(data, run.spec.model)
    return parts_of(run.spec, _held_against_index(database, data))


def parts_of(spec: RunSpec, source: Source) -> RunParts:
    """The same of a run whose settings are known, over its data; whoever calls has asked for consent."""
    return RunParts(spec, source, _asked(spec, source), with_measures(run_scorer(spec.protocol)))


def _asked_again(spec: RunSpec, data: Source, load: Load | None, watch: Watch | None) -> Predictor[Any]:
    check_consent(data, spec.model)
    return _asked(spec, data, load, watch)


def _asked(spec: RunSpec, data: Source, load: Load | None = None, watch: Watch | None = None) -> Predictor[Any]:
    found = (load or loaded)(spec.model, seed=spec.seed, device=spec.device, runtime=spec.runtime)
    return _for_task(found, spec, data, watch)


def _for_task(predictor: Predictor[Any], spec: RunSpec, source: Source, watch: Watch | None = None) -> Predictor[Any]:
    """The model as the task wants it: one that walks, for roll-outs."""
    return rollout.walker(predictor, source, spec.options, watch) if spec.task is Task.ROLLOUT else predictor


def plan(
    database: Database, source_id: int, request: EvaluationRequest, source: Source | None = None
) -> EvaluationPlan:
    """How much the request is about, and with the source what its model will miss there. Raises UsageError for a split
    or a model that there is not."""
    episodes, _ = _episodes(database, source_id, request)
    model = check_model(request) if source is not None and request.model else None
    warning = "" if source is None or model is None else _warning(source, episodes, model, request)
    items = _items_in(database, source_id, request, episodes)
    why_not = unfit(database, source_id, request.task, episodes) if episodes else "No episode is left to evaluate."
    cost = None
    if source is not None and model is not None and episodes and request.task is not Task.ROLLOUT:
        cost = cost_estimates.estimate(database, source, request.task, model.name, episodes, items)
    return EvaluationPlan(len(episodes), items, warning, why_not, cost)


def selection(database: Database, source_id: int, request: EvaluationRequest) -> tuple[str, ...]:
    """The episodes that a run of this request would be about, in the source's order. Raises UsageError for a split that
    the data does not have."""
    return _episodes(database, source_id, request)[0]


def _warning(source: Source, units: Sequence[str], model: ModelInfo, request: EvaluationRequest) -> str:
    """What the model will miss in the data, and that it was trained on the apps there."""
    trained = trained_on_words(request.model, source.path, request.split)
    return " ".join(filter(None, (missing_inputs(source, units, model), trained)))


def fitting(database: Database, source_id: int) -> dict[Task, str]:
    """Every task with the reason why the data does not fit it, "" when it does."""
    with database.reading() as db:
        counts = sources.counts_by_use(db, source_id)
    return {task: "" if any(counts[use] for use in uses) else f"The data {why}" for task, (uses, why) in _USES.items()}


def unfit(database: Database, source_id: int, task: Task, episodes: Sequence[str]) -> str:
    """Why none of these episodes can be scored for the task, "" where one can."""
    with database.reading() as db:
        counts = sources.counts_by_use(db, source_id, episodes)
    uses, _why = _USES[task]
    return "" if any(counts[use] for use in uses) else f"None of the chosen episodes {_TRUTHS[task]}."


_USES = {
    Task.AUTOMATION: (("actions", "unchecked"), "has no recorded actions."),
    Task.FEASIBILITY: (("labels", "unchecked"), "labels no goal as feasible or infeasible."),
    Task.GOAL: (("goals", "unchecked"), "has no goals."),
    Task.ORDERING: (("orders",), "has neither procedures nor episodes with two steps to put in order."),
    Task.ASK: (("asks", "unchecked"), "has no questions that were due."),
    Task.WEBTASK: (("instances",), "has no web tasks."),
    Task.GROUNDING: (("actions", "unchecked"), "has no recorded actions that point at anything."),
    Task.ROLLOUT: (("actions", "unchecked"), "has no recorded actions, so there is no way to walk."),
    Task.AFFORDANCE: (("states", "unchecked"), "has no screens."),
}
_TRUTHS = {
    Task.AUTOMATION: "has a recorded action",
    Task.FEASIBILITY: "is labelled as feasible or infeasible",
    Task.GOAL: "has a goal",
    Task.ORDERING: "has two steps to put in order",
    Task.ASK: "has a question that was due",
    Task.WEBTASK: "is a page of a web task",
    Task.GROUNDING: "has a recorded action",
    Task.ROLLOUT: "has a recorded action",
    Task.AFFORDANCE: "has a screen",
}
"""What of `counts_by_use` a task needs, of which any will do: what is only known in outline may turn out to fit."""


def loaded(model: str, *, seed: int = 0, device: str = "auto", runtime: str = "auto") -> Predictor[Any]:
    """The model, ready to answer; what it was asked before it does not compute again."""
    bound_models()
    predictor = stepscope.models.registry.load(model, seed=seed, device=device, runtime=runtime)
    if is_batching(predictor) and predictor.fingerprint:
        return CachedPredictor(predictor, prediction_cache())
    return predictor


@cache
def prediction_cache() -> PredictionCache:
    """The user's own, one for the process."""
    return PredictionCache(user_cache_dir() / FILE_NAME)


def scorer_for(task: Task, protocol: str = "") -> AggregatingScorer:
    """The rule of that name, or the task's own. Raises UsageError for one that is about something else."""
    scorer = with_measures(run_scorer(protocol or task_kind(task).protocol))
    if scorer.info.task is not task:
        others = ", ".join(run_protocols(task))
        raise UsageError(f"{scorer.info.name} is no protocol for {task}.", hint=f"Protocols: {others}.")
    return scorer


UNREADABLE = 20
"""Answers after which it is told that none of them could be read."""


def unreadable_words(model: str, metrics: Metrics | None) -> str:
    """That none of a run's answers so far could be read, of models that are asked in words; "" where some could, or
    where there are too few to say."""
    if metrics is None or metrics.n < UNREADABLE or metrics.malformed - metrics.null < metrics.n:
        return ""
    if not is_asked(model):
        return ""
    return (
        f"None of the first {metrics.n} answers could be read. Its adapter may be another model's: look at one of them "
        "in the transcript, and choose another adapter."
    )


def check_model(request: EvaluationRequest) -> ModelInfo | None:
    """The request's model, None for predictions from a file. Raises UsageError for a model that there is not, one for
    another task, and a device or a runtime that it cannot use."""
    if request.predictions is not None:
        check_device(request.device)
        return None
    info = stepscope.models.registry.model_info(request.model)
    if not info.serves(request.task):
        raise UsageError(f"{info.name} is no model for {request.task}.", hint="See 'stepscope models list'.")
    check_device(request.device, info)
    if request.runtime != "auto":
        stepscope.models.registry.check_runtime(request.model, request.runtime)
    return info


def check_device(device: str, model: ModelInfo | None = None) -> None:
    """Raises UsageError for a device that there is not, or that the model cannot use. Whether this machine has it shows
    when the model is loaded."""
    kind, _, number = device.partition(":")
    if kind not in ("auto", "cpu", "cuda") or (number and not (kind == "cuda" and number.isdigit())):
        raise UsageError(f"There is no device {device!r}.", hint="Give auto, cpu, cuda or cuda:0.")
    if kind != "auto" and model is not None and kind not in model.devices:
        raise UsageError(
            f"{model.name} does not run on {device}.", hint=f"Leave --device out, or give auto or {model.devices[0]}."
        )


def imported_predictor(
    path: Path, source: Source, task: Task = Task.AUTOMATION
) -> tuple[ImportedPredictor, tuple[LineProblem, ...]]:
    """Predictions of another system as a predictor. Places are read in the size of the step's screenshot."""
    file = read_predictions(path, sizes_of(source))
    predictor = ImportedPredictor.of(file.predictions, task=task, model=file.model, note=file.note, path=path)
    if not len(predictor):
        raise UserError(
            f"No line of it predicts {_ANSWER_WORDS[task]}.",
            place=path,
            record=file.problems[0].line if file.problems else "",
            hint=file.problems[0].message if file.problems else "One JSON object a line is needed.",
        )
    return predictor, file.problems


_ANSWER_WORDS = {
    Task.AUTOMATION: "an action",
    Task.FEASIBILITY: "whether a goal is feasible",
    Task.GOAL: "a goal",
    Task.ORDERING: "an order",
    Task.ASK: "whether to ask",
    Task.WEBTASK: "values of fields",
    Task.GROUNDING: "a place",
    Task.ROLLOUT: "a walk",
    Task.AFFORDANCE: "what elements allow",
}


def task_of_predictions(path: Path) -> Task:
    """The task of a prediction file's first readable answer. Raises UserError when there is none."""
    first: LineProblem | None = None
    silent = False
    for found in iterate_predictions(path, lambda _episode, _step: Size(1, 1), pictures=False):
        if isinstance(found, Prediction):
            if found.answer is not None:
                return next(task for task, kind in ANSWERS.items() if isinstance(found.answer, kind))
            silent = True
        elif isinstance(found, LineProblem) and first is None:
            first = found
    if first is None and silent:
        return Task.AUTOMATION
    if first is None:
        hint = "It has a line for each item, as docs/formats/predictions.md says."
        raise UserError("There are no predictions in this file.", place=path, hint=hint)
    hint = f"Line {first.line}: {first.message}."
    raise UserError("No line of it is a prediction that can be read.", place=path, record=first.line, hint=hint)


def sizes_of(source: Source) -> Callable[[str, int], Size | None]:
    """Sizes of screenshots by episode and step, reading each episode once as long as its lines stand together."""

    @lru_cache(maxsize=64)
    def sizes(episode: str) -> dict[int, Size]:
        try:
            return {step.index: step.observation.size for step in source.read(episode).steps}
        except UserError:
            return {}

    return lambda episode, step: sizes(episode).get(step)


def source_of(database: Database, run: Run) -> Source:
    """The run's data, opened again. Raises UsageError when it is gone."""
    path = Path(run.spec.source)
    if not path.exists():
        raise UsageError("The run's data is not there any more.", place=path, hint="Put it back, then resume.")
    return indexed_source(database, path, run.spec.format)


def _episodes(database: Database, source_id: int, request: EvaluationRequest) -> tuple[tuple[str, ...], int | None]:
    """What the request is about; and how many of it were named one by one, if no filter did that and others were not
    named."""
    with database.reading() as db:
        found = passing(db, source_id, request.query)
        if request.split:
            split = splits.in_split(db, source_id, request.split)
            if not split:
                raise splits.no_split(db, source_id, request.split)
            found = [episode for episode in found if episode in split]
        if request.task is Task.ORDERING:
            fit = sources.with_order(db, source_id)
            found = [episode for episode in found if episode in fit]
    chosen = None
    if request.agreement:
        with database.reading() as db:
            kept = _agreed(db, source_id, request.agreement)
        part = [episode for episode in found if episode in kept]
        chosen = len(part) if len(part) < len(found) else None
        found = part
    if request.episodes is not None:
        wanted = set(request.episodes)
        named = [episode for episode in found if episode in wanted]
        if len(named) < len(found) and not request.filter:
            chosen = len(named)
        found = named
    if request.per_app is not None:
        with database.reading() as db:
            apps = queries.names_of(db, source_id, "app")
        first = _first_of_each(found, apps, request.per_app)
        chosen = len(first) if len(first) < len(found) else chosen
        found = first
    return tuple(found[: request.limit]), chosen


def _agreed(db: Session, source_id: int, rule: str) -> frozenset[str]:
    """Raises UsageError for a rule that there is not."""
    if rule not in annotator_agreement.RULES:
        raise UsageError(f"There is no agreement {rule!r}.", hint=f"Give {', '.join(annotator_agreement.RULES)}.")
    every = (annotator_agreement.LabelledEpisode(*row) for row in queries.labels_of(db, source_id))
    return annotator_agreement.agreed(every, cast("annotator_agreement.AgreementRule", rule))


def _first_of_each(episodes: Sequence[str], apps: Mapping[str, str], count: int) -> list[str]:
    """The first `count` episodes of each app; those without one are of one app."""
    seen: dict[str, int] = {}
    kept = []
    for episode in episodes:
        app = apps.get(episode, "")
        seen[app] = seen.get(app, 0) + 1
        if seen[app] <= count:
            kept.append(episode)
    return kept


def _items_in(database: Database, source_id: int, request: EvaluationRequest, episodes: Sequence[str]) -> int | None:
    with database.reading() as db:
        return count_items(db, request.task, source_id, episodes, dict(request.options), request.protocol)
