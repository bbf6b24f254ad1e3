"""`stepscope webtask`: pages of crowd work that models and people fill in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import DataPath, FormatOption, JsonFlag, SeedOption, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.progress import bar, counting
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import webtask_answers
    from stepscope.app.services.webtask import demonstrations as web_demonstrations
    from stepscope.app.services.webtask import solving, trajectories
    from stepscope.app.services.webtask.opening import OpenedTask
    from stepscope.app.services.webtask.solving import SolvedPage
    from stepscope.app.services.webtask.trajectories import Attempt
    from stepscope.core.progress import CancelToken
    from stepscope.core.sources import registry
    from stepscope.core.sources.source import Source
    from stepscope.models.webtask.page_settings import Ask, Html
else:
    webtask_answers = lazy_module("stepscope.app.cli.webtask_answers")
    solving = lazy_module("stepscope.app.services.webtask.solving")
    web_demonstrations = lazy_module("stepscope.app.services.webtask.demonstrations")
    trajectories = lazy_module("stepscope.app.services.webtask.trajectories")
    registry = lazy_module("stepscope.core.sources.registry")

COMMANDS = {
    "pages": CommandRow(
        "Open the first page of every task: which fields it has, and what it wanted to load.", lambda: pages
    ),
    "render": CommandRow("A page as it is shown: its picture, or its HTML with what was filled in.", lambda: render),
    "solve": CommandRow(
        "Let a model solve one page: what it did, what it left, and how that is scored.", lambda: solve
    ),
    "trajectory": CommandRow(
        "What a model or a run did on a page, as a recording: a step for each action.", lambda: trajectory
    ),
    "demonstrations": CommandRow(
        "Pages that people solved as a training set: conversations in JSON Lines.", lambda: demonstrations
    ),
    "answers": CommandRow("What people answered on the pages of web tasks.", lambda: webtask_answers.COMMANDS),
}

Instance = Annotated[str, typer.Argument(metavar="INSTANCE", help="The page's id, such as 'Task/0'.")]
HostOption = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="A host that pages may reach; repeat it for more."),
]
ModelOption = Annotated[str | None, typer.Option("--model", metavar="NAME", help="Let this model solve the page.")]
RunOption = Annotated[str | None, typer.Option("--run", metavar="RUN", help="What this stored run did on the page.")]
_SUFFIXES = (".png", ".html")
_MOST_PROCESSES = 64
_MOST_PAGES = 1_000_000


def pages(
    path: DataPath,
    allow_host: HostOption = None,
    processes: Annotated[
        int,
        typer.Option(
            "--processes", metavar="N", min=0, max=_MOST_PROCESSES, help="Pages at a time; 0: one a core, two at most."
        ),
    ] = 0,
    format: FormatOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where a page could not be opened, 130 when stopped."""
    from stepscope.app.services.webtask.opening import open_tasks

    hosts, source = solving.named_hosts(allow_host or ()), registry.open_source(path, format)
    found: list[OpenedTask] = []
    with cancelled_by_signals() as token, counting("Opening", "pages") as count:
        for one in open_tasks(source, processes=processes, allowed=hosts, token=token):
            found.append(one)
            count(len(found))
    if token.cancelled:
        raise KeyboardInterrupt
    if json:
        print_json([_page_form(one) for one in found])
    else:
        _show_pages(found)
    return SOME_FAILED if any(one.error for one in found) else DONE


def render(
    path: DataPath,
    instance: Instance,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="X.png|X.html", help="The file to write.")],
    model: ModelOption = None,
    run: RunOption = None,
    seed: SeedOption = 0,
    allow_host: HostOption = None,
    format: FormatOption = None,
    store: StoreOption = None,
) -> int:
    """Writes the page as it loads, or as the model or the run left it; gives 0."""
    from stepscope.app.services.webtask.showing import page_html, page_picture

    if output.suffix.lower() not in _SUFFIXES:
        raise UsageError("this is no kind of file that can be written.", place=output, hint="Name it .png or .html.")
    check_output(output)
    hosts, source = solving.named_hosts(allow_host or ()), registry.open_source(path, format)
    with cancelled_by_signals() as token:
        attempt = _attempt(source, instance, model, run, seed, store, hosts, token) if model or run else None
    log = attempt.log if attempt is not None else ()
    write = page_picture if output.suffix.lower() == ".png" else page_html
    data, problems = write(source, instance, log, allowed=hosts)
    for problem in problems:
        tell(f"stepscope: warning: {problem}")
    write_file(output, lambda stream: stream.write(data))
    say(str(output))
    return DONE


def solve(
    path: DataPath,
    instance: Instance,
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="A model of 'stepscope models list'.")],
    seed: SeedOption = 0,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where the model computes.")] = "auto",
    rules: Annotated[
        str, typer.Option("--rules", metavar="official|paper", help="How the fields are scored.")
    ] = "official",
    allow_host: HostOption = None,
    format: FormatOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where the model gave nothing usable. Nothing is stored."""
    from stepscope.core.scoring.web_fields_match import OFFICIAL, PAPER

    if rules not in (OFFICIAL, PAPER):
        raise UsageError(f"there are no rules {rules!r}.", hint=f"Give --rules {OFFICIAL} or {PAPER}.")
    hosts, source = solving.named_hosts(allow_host or ()), registry.open_source(path, format)
    with cancelled_by_signals() as token:
        found = solving.solve_page(
            source, instance, model, seed=seed, device=device, rules=rules, allowed=hosts, token=token
        )
    if token.cancelled:
        raise KeyboardInterrupt
    if json:
        print_json(_solved_form(found))
    else:
        _show_solved(found)
    return DONE if found.prediction.answer is not None else SOME_FAILED


def trajectory(
    path: DataPath,
    instance: Instance,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="The recording's folder.")],
    model: ModelOption = None,
    run: RunOption = None,
    seed: SeedOption = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is in the folder.")] = False,
    allow_host: HostOption = None,
    format: FormatOption = None,
    store: StoreOption = None,
) -> int:
    """Writes the folder whole or not at all; gives 0, 130 when stopped."""
    if not (model or run):
        raise UsageError("there is nothing to replay.", hint="Give --model NAME or --run RUN.")
    hosts, source = solving.named_hosts(allow_host or ()), registry.open_source(path, format)
    steps = 0
    with cancelled_by_signals() as token:
        attempt = _attempt(source, instance, model, run, seed, store, hosts, token)
        with bar("Replaying") as show:
            for progress in trajectories.write_trajectory(
                source, instance, attempt, output, overwrite=overwrite, allowed=hosts, token=token
            ):
                show(progress)
                steps = progress.done
    if token.cancelled:
        raise KeyboardInterrupt
    say(f"{output}: {number_of(steps, 'steps')} of {attempt.model} on {instance}")
    return DONE


def demonstrations(
    path: DataPath,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The JSON Lines file.")],
    split: Annotated[str, typer.Option("--split", metavar="NAME", help="Tasks of this split; '' for all.")] = "train",
    html: Annotated[str, typer.Option("--html", metavar="full|relevant", help="How much of a page is shown.")] = "full",
    ask: Annotated[str, typer.Option("--ask", metavar="page|field", help="A question a page, or a field.")] = "page",
    pages: Annotated[
        int, typer.Option("--pages", metavar="N", min=0, max=_MOST_PAGES, help="So many of each task; 0: all.")
    ] = 0,
    seed: SeedOption = 0,
    format: FormatOption = None,
    json: JsonFlag = False,
) -> int:
    """Writes the file whole or not at all. Gives 0, 1 where pages could not be read, 130 when stopped."""
    for name, value, choices in (("--html", html, ("full", "relevant")), ("--ask", ask, ("page", "field"))):
        if value not in choices:
            raise UsageError(f"{name} cannot be {value!r}.", hint=f"Give {' or '.join(choices)}.")
    source, count, problems = registry.open_source(path, format), 0, []
    with cancelled_by_signals() as token:

        def write(stream: IO[bytes]) -> None:
            nonlocal count
            with bar("Demonstrations") as show:
                for update in web_demonstrations.training_set(
                    source,
                    split=split,
                    html=cast("Html", html),
                    ask=cast("Ask", ask),
                    pages=pages,
                    seed=seed,
                    token=token,
                ):
                    show(update.progress)
                    problems.extend([update.problem] if update.problem else [])
                    json_lines(update.lines)(stream)
                    count += len(update.lines)
            if token.cancelled:
                raise KeyboardInterrupt

        write_file(output, write)
    if json:
        print_json({"file": str(output), "demonstrations": count, "unreadable": problems})
    else:
        say(f"{output}: {number_of(count, 'demonstrations')}")
    for problem in problems:
        tell(f"stepscope: warning: {problem}")
    return SOME_FAILED if problems else DONE


def _attempt(
    source: Source,
    instance: str,
    model: str | None,
    run: str | None,
    seed: int,
    store: str | None,
    hosts: Sequence[str],
    token: CancelToken,
) -> Attempt:
    """What the model does now, or what the run did."""
    if model and run:
        raise UsageError("--model and --run exclude each other.", hint="Give one of them.")
    if model:
        solved = solving.solve_page(source, instance, model, seed=seed, allowed=hosts, token=token)
        if token.cancelled:
            raise KeyboardInterrupt
        return trajectories.attempt_of(solved)
    with opened(store) as database:
        return trajectories.attempt_of_run(database, find_run(database, run or ""), instance)


def _page_form(one: OpenedTask) -> dict[str, Any]:
    return {
        "task": one.task,
        "instance": one.instance,
        "splits": list(one.splits),
        "instances": one.instances,
        "fields": one.fields,
        "found": one.found,
        "missing": dict(one.missing),
        "blocked": [
            {"url": request.url, "kind": request.kind, "host": request.host, "times": request.times}
            for request in one.blocked
        ],
        "dialogs": list(one.dialogs),
        "problems": [problem.words for problem in one.problems],
        "error": one.error or None,
    }


def _show_pages(found: Sequence[OpenedTask]) -> None:
    rows = [
        [one.task, ", ".join(one.splits), one.instances, one.fields, one.found, len(one.blocked), one.error]
        for one in found
    ]
    columns = ["task", "split", "instances", "fields", "found", "blocked", "error"]
    table(columns, rows, numbers=["instances", "fields", "found", "blocked"])
    for one in found:
        lines = [f"{name}: {why}" for name, why in one.missing.items()]
        lines += [f"blocked: {request.url} ({request.kind}, {request.times}×)" for request in one.blocked]
        lines += [f"the page said: {words}" for words in one.dialogs]
        lines += [problem.words for problem in one.problems]
        if lines:
            say("", one.task, *(f"  {line}" for line in lines))


def _solved_form(found: SolvedPage) -> dict[str, Any]:
    from stepscope.core.webtask.actions import action_to_json

    prediction, trace = found.prediction, found.trace
    return {
        "task": found.read.task.name,
        "instance": prediction.episode,
        "model": found.model,
        "status": prediction.status.value,
        "why": prediction.why,
        "score": found.page.score,
        "fields": [
            {
                "name": field.name,
                "type": field.type.value,
                "value": field.value,
                "people": [{"value": said.value, "workers": said.workers} for said in field.said],
                "score": field.score,
                "why": field.why,
            }
            for field in found.page.fields
        ],
        "log": [
            {"action": action_to_json(one.action), "at": one.at, "took": one.took, "ok": one.ok, "said": one.said}
            for one in found.log
        ],
        "seconds": None if trace is None else trace.seconds,
        "tokens": None if trace is None else list(trace.tokens),
        "raw": prediction.raw,
    }


def _show_solved(found: SolvedPage) -> None:
    from stepscope.core.webtask.program import as_program

    prediction = found.prediction
    score = "unscored" if found.page.score is None else f"score {found.page.score:.4f}"
    say(f"{found.model} on {prediction.episode}: {score}" if prediction.answer else f"{found.model}: {prediction.why}")
    if found.log:
        say("")
        rows = [[f"{one.at:.2f}", as_program(one.action), "" if one.ok else "failed", one.said] for one in found.log]
        table(["at", "action", "", "result"], rows, numbers=["at"])
    say("")
    shown = [
        [
            field.name,
            field.type.value,
            field.value,
            " | ".join(said.value for said in field.said),
            field.score,
            field.why,
        ]
        for field in found.page.fields
    ]
    table(["field", "type", "value", "people", "score", "why"], shown, numbers=["score"])
