"""`stepscope evaluate`: a model or a prediction file put to data under a protocol, stored item by item.

Stops at Ctrl-C with everything kept, and goes on with `--resume`.
"""

from __future__ import annotations

import shlex
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import DataPath, FilterOption, FormatOption, JsonFlag, SetOption, StoreOption
from stepscope.app.cli.asked_tables import show_settings
from stepscope.app.cli.cluster_options import (
    ClusterOption,
    CoresOption,
    DataOption,
    GpusOption,
    WorkersOption,
    cluster_choice,
)
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar, counting
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.domain.filter import EVERYTHING, Query, needs_details
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.model_name import is_asked, split_name, with_settings
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from stepscope.app.services import coordinate_doubts, evaluation, library, presets
    from stepscope.app.services.cluster.choice import ClusterChoice
    from stepscope.app.services.evaluation import EvaluationRequest, PreparedRun
    from stepscope.app.services.library import ExternalIndexProgress, IndexProgress
    from stepscope.core.evaluation import export
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.core.progress import WorkerPace
    from stepscope.core.scoring.rule import ProtocolInfo
    from stepscope.core.store.engine import Database
    from stepscope.models.goal.judges.judge import GoalJudge

    After = Callable[[PreparedRun], tuple[int, dict[str, Any]]]
else:
    coordinate_doubts = lazy_module("stepscope.app.services.coordinate_doubts")
    evaluation = lazy_module("stepscope.app.services.evaluation")
    library = lazy_module("stepscope.app.services.library")
    presets = lazy_module("stepscope.app.services.presets")
    export = lazy_module("stepscope.core.evaluation.export")

_ERRORS_SHOWN = 50
_PACES_SHOWN = 4
_ABSENCE_TOLD_SECONDS = 10.0
"""How often it is told that a store's server is waited for."""
INTENT = "intent"
"""The protocol that counts what judges say of goals."""


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """The options as given; None where one was left out."""

    model: str | None
    predictions: Path | None
    protocol: str | None
    split: str | None
    limit: int | None
    device: str | None
    seed: int | None
    settings: dict[str, str]
    filter: str | None
    runtime: str | None = None
    per_app: int | None = None
    instructions: str | None = None
    agreement: str | None = None
    cluster: str | None = None
    workers: int | None = None


def evaluate(
    task: Annotated[str, typer.Argument(metavar="TASK", help=", ".join(Task) + ".")],
    path: DataPath,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="A model of 'stepscope models list'.")] = None,
    set_model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A setting of the model ('stepscope models info' tells which); repeat it for more.",
        ),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Predictions of another system, JSON Lines.")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(metavar="P", help="The rule; the task's own unless given (automation: motif).")
    ] = None,
    set: SetOption = None,
    split: Annotated[str | None, typer.Option(metavar="S", help="Only episodes of this split.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N episodes.")
    ] = None,
    per_app: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N of each app, or of each web task."),
    ] = None,
    filter: FilterOption = None,
    device: Annotated[str | None, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where the model computes.")] = None,
    runtime: Annotated[
        str | None, typer.Option(metavar="auto|torch|onnx", help="What a trained model runs with; auto: the faster.")
    ] = None,
    agreement: Annotated[
        str | None,
        typer.Option(
            metavar="all|majority",
            help="Only goals of an app on whose feasibility all annotators, or most, agree with the label.",
        ),
    ] = None,
    instructions: Annotated[
        str | None,
        typer.Option(metavar="given|hidden|both", help="Show step instructions, the goal alone, or one run of each."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Seed of models that draw.")
    ] = None,
    format: FormatOption = None,
    store: StoreOption = None,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="Go on with this run.")] = None,
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Settings saved under this name; what is given here counts.")
    ] = None,
    save_preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Save these settings under a name, for here and the window.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of goals: rules, served:SERVER/MODEL or local:CHECKPOINT then judges them."),
    ] = None,
    cluster: ClusterOption = None,
    cluster_workers: WorkersOption = None,
    cluster_cpus: CoresOption = 1.0,
    cluster_gpus: GpusOption = None,
    cluster_data: DataOption = "auto",
    json: JsonFlag = False,
) -> int:
    """Prints the run's result. Gives 0, 1 where items or lines of predictions failed, 130 when stopped before the end.
    Raises UsageError before anything is stored for a choice that makes no sense."""
    from stepscope.core.scoring.options import parse_assignments

    chosen = parse_task(task)
    judging = None if judge is None and protocol != INTENT else _judge(chosen, judge, device or "auto")
    protocol = None if protocol == INTENT else protocol
    settings = parse_assignments(set or ())
    asked = EvaluateOptions(
        model,
        predictions,
        protocol,
        split,
        limit,
        device,
        seed,
        settings,
        filter,
        runtime,
        per_app,
        instructions,
        agreement,
        cluster,
        cluster_workers,
    )
    if preset is not None:
        asked = _with_preset(chosen, asked, preset)
    asked = _with_model_settings(chosen, asked, parse_assignments(set_model or (), "--set-model", "demos=3"))
    by = cluster_choice(asked.cluster, asked.workers, cluster_cpus, cluster_gpus, cluster_data)
    if resume is None:
        _check_predictor(asked)
        if save_preset is not None:
            _save_preset(chosen, asked, save_preset)
    with opened(store) as database, cancelled_by_signals() as token:
        if resume is not None:
            ready = [_resume(database, resume, chosen, path, asked, token, by)]
            return done_with(database, ready, store, json, _after(database, judging, token, json))
        requests = evaluation.by_instructions(_request(chosen, asked), asked.instructions or "given")
        indexed = indexed_for(database, path, format, requests, token)
        runs = (start(database, indexed, one, token, by) for one in requests)
        return done_with(database, runs, store, json, _after(database, judging, token, json))


def _judge(task: Task, name: str | None, device: str) -> GoalJudge:
    """Raises UsageError where no judge is named, or the task has no goals to be judged."""
    from stepscope.models.goal.judges.named import judge_named

    if task is not Task.GOAL:
        raise UsageError("only goals are judged.", hint="Evaluate the task goal, or leave --judge out.")
    if name is None:
        hint = "Give --judge rules, served:SERVER/MODEL or local:CHECKPOINT."
        raise UsageError(f"the protocol {INTENT} counts what a judge says, and none is named.", hint=hint)
    return judge_named(name, device=device)


def _after(database: Database, judge: GoalJudge | None, token: CancelToken, json: bool) -> After | None:
    """Lets the judge go through what a run has predicted."""
    if judge is None:
        return None

    def judged(prepared: PreparedRun) -> tuple[int, dict[str, Any]]:
        from stepscope.app.cli.judged_runs import judge_run

        asked = judge_run(database, prepared.run.run_id, judge, token, read_index)
        metrics = asked.metrics(judge)
        if not json:
            rows = [[name, "" if one["value"] is None else f"{one['value']:.3f}", one["n"]]
                    for name, one in metrics.items()]  # fmt: skip
            say("", f"{INTENT}, judged by {judge.name}:")
            table(["metric", "value", "n"], rows, numbers=["value", "n"])
        return asked.status, {"judge": asked.form(judge), INTENT: metrics}

    return judged


def done_with(
    database: Database, runs: Iterable[PreparedRun], store: str | None, json: bool, after: After | None = None
) -> int:
    """Work on these one after the other, each begun when the one before is done; none after one that was stopped.
    `after` is done with each that ended. With `json` two of them are one list. The exit status is the worst."""
    status, forms = DONE, []
    for prepared in runs:
        for problem in prepared.problems:
            tell(f"stepscope: {prepared.run.spec.predictions}:{problem.line}: {problem.message}")
        work(prepared)
        ended, form = report(database, prepared, store, json)
        if after is not None and ended != INTERRUPTED:
            told, more = after(prepared)
            ended, form = max(ended, told), form | more
        forms.append(form)
        status = max(status, ended)
        if ended == INTERRUPTED:
            break
    if json:
        print_json(forms if len(forms) > 1 else forms[0])
    return status


def parse_task(name: str) -> Task:
    """The task of this name. Raises UsageError for one that there is not."""
    try:
        return Task(name)
    except ValueError:
        raise UsageError(f"there is no task {name!r}.", hint=f"Tasks: {', '.join(Task)}.") from None


def _with_preset(task: Task, asked: EvaluateOptions, name: str) -> EvaluateOptions:
    """What was asked for, and what the preset says where nothing was."""
    saved = presets.load_presets().preset(name)
    if saved.task is not task:
        raise UsageError(f"the preset {name!r} is about {saved.task}, not {task}.", hint=f"Name the task {saved.task}.")
    own = asked.model is not None or asked.predictions is not None
    predictions = Path(saved.predictions) if saved.predictions else None
    same_rule = asked.protocol in (None, saved.protocol)
    return EvaluateOptions(
        model=asked.model if own else saved.model or None,
        predictions=asked.predictions if own else predictions,
        protocol=asked.protocol or saved.protocol or None,
        split=asked.split or saved.split or None,
        limit=asked.limit or saved.limit,
        device=asked.device or saved.device,
        seed=saved.seed if asked.seed is None else asked.seed,
        settings=(dict(saved.options) if same_rule else {}) | asked.settings,
        filter=asked.filter or saved.filter or None,
        runtime=asked.runtime or saved.runtime,
        per_app=asked.per_app or saved.per_app,
        instructions=asked.instructions or saved.instructions,
        agreement=asked.agreement,
        cluster=asked.cluster or saved.cluster or None,
        workers=asked.workers or saved.workers,
    )


def _with_model_settings(task: Task, asked: EvaluateOptions, given: dict[str, str]) -> EvaluateOptions:
    """The model under the name that it has for this task and with these settings, however they were written. Raises
    UsageError for what cannot be set."""
    if asked.model is not None:
        from stepscope.models.registry import model_info, named_for

        asked = replace(asked, model=named_for(asked.model, task))
    plain, named = split_name(asked.model or "")
    if not (given or named):
        return asked
    if asked.model is None:
        raise UsageError("--set-model sets a model, and none is named.", hint="Give --model NAME.")
    name = model_info(with_settings(plain, named | given)).name
    # A model out of a folder is found by its path, whatever it is called.
    return replace(asked, model=with_settings(plain, split_name(name)[1]) if Path(plain).is_dir() else name)


def _save_preset(task: Task, asked: EvaluateOptions, name: str) -> None:
    chosen = presets.Preset(
        task=task,
        model=asked.model or "",
        protocol=asked.protocol or "",
        options=tuple(asked.settings.items()),
        predictions=str(asked.predictions.resolve()) if asked.predictions else "",
        split=asked.split or "",
        filter=asked.filter or "",
        limit=asked.limit,
        seed=asked.seed or 0,
        device=asked.device or "auto",
        runtime=asked.runtime or "auto",
        per_app=asked.per_app,
        instructions=asked.instructions or "given",
        cluster=asked.cluster or "",
        workers=asked.workers,
    )
    presets.save_presets(presets.load_presets().with_named(name, chosen))
    tell(f"stepscope: saved as preset {name!r}")


def _check_predictor(asked: EvaluateOptions) -> None:
    if asked.model is None and asked.predictions is None:
        raise UsageError(
            "there is nothing to evaluate.", hint="Give --model NAME or --predictions FILE, or --resume RUN."
        )
    if asked.model is not None and asked.predictions is not None:
        raise UsageError("--model and --predictions exclude each other.", hint="Give one of them.")


def indexed_for(
    database: Database, path: Path, format: str | None, requests: Sequence[EvaluationRequest], token: CancelToken
) -> IndexProgress:
    """The data that new runs are over. Raises UsageError before it is read for what makes no sense, KeyboardInterrupt
    when cancelled while it was read."""
    for request in requests:
        evaluation.check_device(request.device)
        evaluation.scorer_for(request.task, request.protocol)
        evaluation.check_model(request)
    indexed = index(database, path, format, token, requests[0].query)
    if indexed is None:
        raise KeyboardInterrupt
    if indexed.problems:
        found = number_of(indexed.problems, "problems")
        tell(f"stepscope: warning: {path}: {found} in the data: 'stepscope inspect' tells more.")
    return indexed


def start(
    database: Database,
    indexed: IndexProgress,
    request: EvaluationRequest,
    token: CancelToken,
    cluster: ClusterChoice | None = None,
) -> PreparedRun:
    prepared = evaluation.start(database, indexed.source, indexed.source_id, request, token, cluster=cluster)
    if prepared.warning:
        tell(f"stepscope: warning: {prepared.warning}")
    if prepared.cost is not None and prepared.cost.words:
        tell(f"stepscope: {prepared.cost.words}")
    return prepared


def _request(task: Task, asked: EvaluateOptions) -> EvaluationRequest:
    from stepscope.core.domain.filter_parser import parse

    return evaluation.EvaluationRequest(
        protocol=asked.protocol or "",
        model=asked.model or "",
        predictions=asked.predictions,
        options=tuple(asked.settings.items()),
        query=parse(asked.filter or ""),
        split=asked.split or "",
        limit=asked.limit,
        seed=asked.seed or 0,
        device=asked.device or "auto",
        runtime=asked.runtime or "auto",
        task=task,
        per_app=asked.per_app,
        agreement=asked.agreement or "",
    )


def index(
    database: Database, path: Path, format: str | None, token: CancelToken, query: Query = EVERYTHING
) -> IndexProgress | None:
    """The data set with its whole index in the store, and every episode read whole where the query asks for what is in
    their steps; None when cancelled."""
    indexed = read_index(database, path, format, token)
    if indexed is None:
        return None
    if needs_details(query):
        with bar("Reading steps") as show:
            for checked in library.check_indexed(database, indexed.source_id, indexed.source, token):
                show(checked.progress)
    return None if token.cancelled else indexed


def read_index(
    database: Database, path: Path, format: str | None, token: CancelToken, *, as_procedures: bool = False
) -> IndexProgress | None:
    """The data set with its whole index in the store, telling how far reading it is; None when cancelled."""
    with counting("Reading", "episodes") as count:

        def told(how_far: IndexProgress | ExternalIndexProgress) -> None:
            if isinstance(how_far, library.ExternalIndexProgress):
                count(how_far.episodes, str(how_far))
            elif how_far.file is not None:
                count(how_far.episodes, f"Reading: {number_of(how_far.episodes, 'episodes')}, {how_far.file}")
            else:
                count(how_far.episodes)

        return library.whole_index(database, path, token, format, as_procedures=as_procedures, told=told)


def _resume(
    database: Database,
    beginning: str,
    task: Task,
    path: Path,
    asked: EvaluateOptions,
    token: CancelToken,
    cluster: ClusterChoice | None,
) -> PreparedRun:
    run = find_run(database, beginning)
    _check_same(run, task, path, asked)
    return evaluation.resume(database, run.id, token, cluster=cluster)


def _check_same(run: Run, task: Task, path: Path, asked: EvaluateOptions) -> None:
    """A resumed run keeps its settings: refuse others than it was begun with."""
    spec = run.spec
    chosen = (
        "settings",
        "filter",
        "per_app",
        "instructions",
        "agreement",
        "cluster",
        "workers",
    )  # which a run does not keep, or not as they were given
    given = {field.name: getattr(asked, field.name) for field in fields(asked) if field.name not in chosen}
    given |= {"task": task, "path": str(path.resolve())}
    if asked.predictions is not None:
        given["predictions"] = str(asked.predictions.resolve())
    begun: dict[str, Any] = {name: getattr(spec, name) for name in given if name != "path"} | {"path": spec.source}
    options = dict(spec.options)
    given |= {f"--set {name}": value for name, value in asked.settings.items()}
    begun |= {f"--set {name}": options.get(name) for name in asked.settings}
    kept = (
        ("--filter", asked.filter), ("--per-app", asked.per_app), ("--instructions", asked.instructions),
        ("--agreement", asked.agreement),
    )  # fmt: skip
    for option, value in kept:
        if value is not None:
            hint = "A resumed run keeps its episodes and its model: leave it out."
            raise UsageError(f"{option} cannot be given with --resume.", hint=hint)
    for name, value in given.items():
        if value is not None and value != begun[name]:
            raise UsageError(
                f"run {run.id} was begun with {name} {begun[name] or 'none'}, not {value}.",
                hint="Leave it out, or start a new run: results of two settings must not be mixed.",
            )


def work(prepared: PreparedRun) -> None:
    """Do the run, showing how far it is. A second Ctrl-C lands anywhere: the generator is closed, which keeps all."""
    from stepscope.core.scoring.registry import record_scorer

    run = prepared.run
    info = record_scorer(run.spec.protocol).info
    updates = cast("Generator[RunUpdate]", run.updates())
    with closing(updates), bar(f"Evaluating {run.spec.model}") as show:
        total = next(updates).progress.total
        of = "" if total is None else f", {number_of(total, 'items')}"
        tell(f"stepscope: run {run.run_id}: {run.spec.model} under {run.spec.protocol}{of}")
        told = False
        last: tuple[WorkerPace, ...] = ()
        for update in _telling_of_absence(updates):
            last = update.workers or last
            show(update.progress, ", ".join(filter(None, (_so_far(info, update), workers_words(update.workers)))))
            if not told and (words := evaluation.unreadable_words(run.spec.model, update.metrics)):
                told = True
                tell(f"stepscope: warning: {words} Ctrl-C stops, with everything kept.")
    for pace in last:
        lost = ", lost" if pace.lost else ""
        tell(f"stepscope: {pace.name}: {number_of(pace.items, 'items')}, {pace.rate:,.1f} a second{lost}")


def workers_words(workers: Sequence[WorkerPace]) -> str:
    """How many workers there are and what each does, "" for none."""
    alive = [pace for pace in workers if not pace.lost]
    if not workers:
        return ""
    rates = " + ".join(f"{pace.rate:,.0f}" for pace in alive[:_PACES_SHOWN]) + (" + …" * (len(alive) > _PACES_SHOWN))
    lost = len(workers) - len(alive)
    return number_of(len(alive), "workers") + (f" ({rates}/s)" if alive else "") + (f", {lost} lost" if lost else "")


def _telling_of_absence(updates: Iterable[RunUpdate]) -> Iterator[RunUpdate]:
    """The updates; while the store's server is away, it is told that it is waited for, now and then for how long."""
    from stepscope.core.store.absence import duration, words_of_absence

    seconds, due = None, 0.0
    for update in updates:
        if update.away is None and seconds is not None:
            tell(f"stepscope: the store's server is back after {duration(seconds)}.")
            due = 0.0
        elif update.away is not None and update.away >= due:
            tell(f"stepscope: {words_of_absence(update.away)}.")
            due = update.away + _ABSENCE_TOLD_SECONDS
        seconds = update.away
        yield update


def _so_far(info: ProtocolInfo, update: RunUpdate) -> str:
    """The running metric in a few characters, "" before there is one."""
    values = {} if update.metrics is None else update.metrics.as_dict()
    metric = info.main_of(values)
    value = values.get(metric)
    return "" if value is None else f"{metric} {value:.3f}"


def report(database: Database, prepared: PreparedRun, store: str | None, json: bool) -> tuple[int, dict[str, Any]]:
    """Say what the run came to unless it will be printed as `json`, list what failed; the exit status, and the run in
    numbers."""
    from stepscope.core.evaluation.completeness import uneven
    from stepscope.core.evaluation.summaries import field_means, means_by_feasibility, summary
    from stepscope.core.store.server import shown_address

    run = find_run(database, prepared.run.run_id)
    form = summary(database, run.id) | field_means(database, run) | means_by_feasibility(database, run)
    if not json:
        show_summary(form)
        if form["note"]:
            say(form["note"])
        if run.spec.task is Task.ASK:
            show_settings(database, run.id)
    if run.state is not RunState.DONE:
        of = "" if run.total is None else f" of {run.total}"
        again = ["stepscope", "evaluate", run.spec.task.value, run.spec.source, "--resume", run.id]
        again += ["--store", shown_address(store)] if store else []
        tell(f"stepscope: interrupted: {run.done}{of} items are kept. Go on with: {shlex.join(again)}")
        return INTERRUPTED, form
    lacking = uneven(run.done, run.done if run.total is None else run.total)
    if lacking:
        tell(f"stepscope: warning: {lacking}")
    if form["unscored"] and not form["n"]:
        why = next(export.items_json(database, run.id, "unscored"))["why"]
        tell(f"stepscope: warning: no item can be scored under {run.spec.protocol}: {why}")
    if form["errors"]:
        _list_errors(database, run.id, form["errors"])
    if is_asked(run.spec.model):
        _tell_misread(database, run)
    return (SOME_FAILED if form["errors"] or prepared.problems or lacking else DONE), form


def _tell_misread(database: Database, run: Run) -> None:
    """That a model's places would be right in another space, found from its stored answers; Ctrl+C leaves it out."""
    try:
        with cancelled_by_signals() as token:
            doubt = coordinate_doubts.look_into(database, run, None, token)
    except UserError as error:  # the run itself is done
        tell(f"stepscope: warning: the coordinates of run {run.id} were not checked: {error}")
        return
    if doubt is not None and doubt.is_open:
        words = coordinate_doubts.words_of(doubt, run)
        tell(f"stepscope: warning: run {run.id} {words}. See: stepscope agents diagnose {run.id}")


def _list_errors(database: Database, run_id: str, count: int) -> None:
    tell(f"stepscope: {number_of(count, 'items')} failed:")
    for shown, item in enumerate(export.items_json(database, run_id, "error")):
        if shown == _ERRORS_SHOWN:
            tell(f"… and {count - shown} more: stepscope runs show {run_id} --show error")
            return
        step = "" if item["step"] is None else f":{item['step']}"
        tell(f"{item['episode']}{step}: {item['why']}")


def show_summary(form: dict[str, Any]) -> None:
    """A run's counts and metrics for a reader."""
    say(f"Run {form['run']}: {form['model']} on {form['task']} under {form['protocol']}, {form['state']}")
    say_of_models(form["model"])
    counts = ", ".join(f"{name} {form[name]}" for name in ("n", "errors", "unscored", "malformed", "null"))
    say(counts, "")
    parts = form.get("by_feasibility", {})
    beside = [part["metrics"] for part in parts.values()]
    rows = [[name, value, *(part[name] for part in beside)] for name, value in form["metrics"].items()]
    heads = [f"{label} ({part['n']})" for label, part in parts.items()]
    table(["metric", "value", *heads], rows, numbers=["value", *heads])
    for name, title in (("by_type", "type of field"), ("by_task", "task")):
        if form.get(name):
            say("")
            table([title, "score"], list(form[name].items()), numbers=["score"])


def say_of_models(*models: str) -> None:
    """A line for each of these models that only shows the machinery at work, or is below a rule on real data."""
    from stepscope.app.services.provenance import below_rules_words, is_stand_in_model

    for model in dict.fromkeys(models):
        if is_stand_in_model(model):
            say(f"{model} is a stand-in without weights: its numbers are no finding.")
        if words := below_rules_words(model):
            say(f"{model}: {words[0].lower()}{words[1:]}.")
