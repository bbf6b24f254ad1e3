"""`stepscope rollout`: predictors walk alone, on the recorded screens of an app or on the simulated phone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.evaluate import indexed_for, report, start, work
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import print_json, say, table
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.walk import World
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stepscope.app.services import evaluation, rollout_reading
    from stepscope.app.services.evaluation import EvaluationRequest, PreparedRun
    from stepscope.core.store.engine import Database
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    rollout_reading = lazy_module("stepscope.app.services.rollout_reading")

_SHOWN = 40


def rollout(
    where: Annotated[
        str, typer.Argument(metavar="APP|PATH", help="An app of the sample by its name, or a data set's folder.")
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A model for automation; repeat it to let several walk the same goals."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(metavar="graph|phone", help="Where: recorded screens (of a PATH), the phone (of an APP)."),
    ] = None,
    goal: Annotated[
        list[str] | None, typer.Option(metavar="EPISODE", help="Only the goal of this episode; repeat it for more.")
    ] = None,
    ends: Annotated[
        str, typer.Option(metavar="said|reached", help="Must it say that it is done, or is the goal's screen enough?")
    ] = "said",
    stop_after: Annotated[
        float, typer.Option(metavar="X", min=1.0, max=100.0, help="Stop after X times the person's actions.")
    ] = 3.0,
    split: Annotated[str | None, typer.Option(metavar="S", help="Only episodes of this split.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N goals.")
    ] = None,
    filter: FilterOption = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where the model computes.")] = "auto",
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Seed of models that draw.")] = 0,
    format: FormatOption = None,
    store: StoreOption = None,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="Go on with this run.")] = None,
    json: JsonFlag = False,
) -> int:
    """Prints each run's result and its walks. Gives 0, 1 where goals could not be walked, 130 when stopped."""
    place = _place_of(where)
    if (resume is None) == (not model):
        raise UsageError("there is nothing that walks.", hint="Give --model NAME, or --resume RUN.")
    world = on or (World.PHONE if place.app else World.GRAPH)
    options = {"ends": ends, "world": str(world), "stop_after": f"{stop_after:g}"}
    with opened(store) as database, cancelled_by_signals() as token:
        if resume is not None:
            run = find_run(database, resume)
            if run.spec.task is not Task.ROLLOUT:
                raise UsageError(f"run {run.id} is no roll-out.", hint=f"See 'stepscope runs show {run.id}'.")
            return _walked(database, [evaluation.resume(database, run.id, token)], store, json)
        query = f"{place.filter} {filter or ''}".strip()
        requests = [_request(one, options, query, split, limit, device, seed, goal) for one in model or ()]
        indexed = indexed_for(database, place.path, format, requests, token)
        return _walked(database, (start(database, indexed, one, token) for one in requests), store, json)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where it is walked; `app` is the package of a sample app that was named, "" for data."""

    path: Path
    app: str = ""

    @property
    def filter(self) -> str:
        return f"app:{self.app}" if self.app else ""


def _place_of(where: str) -> _Place:
    """Data where there is such a file, else an app of the sample. Raises UsageError for neither."""
    from stepscope.app.services.provenance import SAMPLE

    path = Path(where)
    if path.exists():
        return _Place(path)
    known = rollout_reading.sample_apps()
    short = where.casefold().removeprefix("com.stepscope.sample.")
    if short not in known:
        hint = f"Give the path of a data set, or an app of the sample: {', '.join(known)}."
        raise UsageError(f"there is no data and no app {where!r}.", hint=hint)
    return _Place(SAMPLE, f"com.stepscope.sample.{short}")


def _request(
    model: str,
    options: dict[str, str],
    filter: str,
    split: str | None,
    limit: int | None,
    device: str,
    seed: int,
    goals: list[str] | None,
) -> EvaluationRequest:
    from stepscope.core.domain.filter_parser import parse
    from stepscope.models.registry import model_info, named_for

    return evaluation.EvaluationRequest(
        model=model_info(named_for(model, Task.ROLLOUT)).name,
        options=tuple(options.items()),
        query=parse(filter),
        episodes=tuple(goals) if goals else None,
        split=split or "",
        limit=limit,
        device=device,
        seed=seed,
        task=Task.ROLLOUT,
    )


def _walked(database: Database, runs: Iterable[PreparedRun], store: str | None, json: bool) -> int:
    """Work on these one after the other and tell of their walks; the exit status is the worst."""
    status, forms = DONE, []
    names: list[str] = []
    for prepared in runs:
        work(prepared)
        ended, form = report(database, prepared, store, json)
        names.append(prepared.run.spec.model)
        forms.append(form | {"walks": rollout_reading.walk_forms(database, prepared.run.run_id)})
        status = max(status, ended)
        if ended == INTERRUPTED:
            break
    if json:
        print_json(forms if len(forms) > 1 else forms[0])
    else:
        _show(forms, names)
    return status


def _show(forms: list[dict[str, Any]], names: list[str]) -> None:
    """The walks, a goal in each row and a run in each column."""
    by_goal: dict[str, dict[int, dict[str, Any]]] = {}
    for column, form in enumerate(forms):
        for walk in form["walks"]:
            by_goal.setdefault(walk["episode"], {})[column] = walk
    rows = []
    for episode, walks in list(by_goal.items())[:_SHOWN]:
        human = next((walk["human_actions"] for walk in walks.values() if walk["human_actions"] is not None), "–")
        rows.append([episode, human, *(_cell(walks.get(column)) for column in range(len(forms)))])
    say("")
    table(["goal", "person", *names], rows)
    if len(by_goal) > _SHOWN:
        say(f"… and {len(by_goal) - _SHOWN:,} more: --json has all of them.")


def _cell(walk: dict[str, Any] | None) -> str:
    if walk is None:
        return "–"
    return str(walk["class"]) if walk["actions"] is None else f"{walk['class']}, {walk['actions']}"
