"""`stepscope ambiguous`: tasks from which something is left out on purpose, made, checked, reviewed and exported."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, FilterOption, FormatOption, JsonFlag, StoreOption, finite
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.evaluate import index
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.ambiguous_task import RULES
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import Progress

if TYPE_CHECKING:
    from stepscope.app.cli import ambiguous_reviews as reviews
    from stepscope.app.services import ambiguous_estimate, ambiguous_export, ambiguous_reviews, ambiguous_tasks
    from stepscope.app.services.ambiguous_export import TaskExport
    from stepscope.app.services.ambiguous_tasks import MakingCount, MakingRequest
    from stepscope.models.ask.making import ask_prompts
else:
    reviews = lazy_module("stepscope.app.cli.ambiguous_reviews")
    ambiguous_estimate = lazy_module("stepscope.app.services.ambiguous_estimate")
    ambiguous_export = lazy_module("stepscope.app.services.ambiguous_export")
    ambiguous_reviews = lazy_module("stepscope.app.services.ambiguous_reviews")
    ambiguous_tasks = lazy_module("stepscope.app.services.ambiguous_tasks")
    ask_prompts = lazy_module("stepscope.models.ask.making.ask_prompts")

COMMANDS = {
    "make": CommandRow("Make tasks that leave something out; stopped, the same command goes on.", lambda: make),
    "list": CommandRow(
        "The tasks that were made, one line each, those that fail a check last.", lambda: reviews.list_tasks
    ),
    "show": CommandRow(
        "The tasks of an episode: goal, what is gone, question and answer, checks, reviews.", lambda: reviews.show_tasks
    ),
    "review": CommandRow("Accept, reject or edit a task, or take a review back.", lambda: reviews.review_task),
    "agreement": CommandRow("How far reviewers agree on which tasks stand.", lambda: reviews.show_agreement),
    "statistics": CommandRow(
        "Lengths, informative steps, and how many tasks have enough of them.", lambda: reviews.show_statistics
    ),
    "export": CommandRow("Write tasks as recordings, as ask records or in Navi-plus's layout.", lambda: export),
    "prompts": CommandRow("The words in which a model is asked; --copy makes your own of them.", lambda: prompts),
}
_TOLD = 20
"""So many failures are told one by one."""


def make(
    path: DataPath,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="rules, served:SERVER/MODEL or local:CHECKPOINT.")
    ] = RULES,
    removed: Annotated[
        str, typer.Option("--removed", metavar="N[,N]", help="Steps to leave out; a task for each number.")
    ] = "1",
    prompt: Annotated[
        str | None, typer.Option("--prompt", metavar="NAME", help="The words in which a model is asked.")
    ] = None,
    filter: FilterOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N episodes.")
    ] = None,
    most_questions: Annotated[
        int | None,
        typer.Option("--most-questions", metavar="N", min=1, max=LARGEST_NUMBER, help="Ask a model no more than this."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", metavar="COST", min=0, max=1e9, callback=finite,
                     help="End when this much is paid, where the model's price is known."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=LARGEST_NUMBER, help="Decides which steps are left out.")
    ] = 0,
    again: Annotated[bool, typer.Option("--again", help="Make anew, and ask anew, what is there already.")] = False,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where a checkpoint runs.")] = "auto",
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:  # fmt: skip
    """Gives 0, 1 where an episode could not be made, an answer could not be read, or the budget is spent."""
    from stepscope.core.domain.filter_parser import parse

    request = ambiguous_tasks.MakingRequest(
        _with_prompt(model, prompt), numbers_of(removed), parse(filter or ""), limit, most_questions, budget, seed,
        again, device,
    )  # fmt: skip
    with opened(store) as database, cancelled_by_signals() as token:
        indexed = index(database, path, format, token, request.query)
        if indexed is None:
            raise KeyboardInterrupt
        told = ambiguous_estimate.making_estimate(database, indexed.source_id, indexed.source, request)
        if told is not None and told.cost is not None:
            tell(f"stepscope: {told.cost.words}")
        work = ambiguous_tasks.make_tasks(
            database, indexed.source_id, indexed.source, str(path.resolve()), request, token
        )
        with bar(f"Making tasks by {request.model}") as show:
            count = _gone_through(work, show)
    if token.cancelled:
        tell("stepscope: stopped; what was made is kept, and the same command goes on from there.")
        raise KeyboardInterrupt
    if json:
        print_json(_count_form(request, count))
    else:
        _show_count(request, count)
    return SOME_FAILED if count.failed or count.problems or count.over else DONE


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers between commas, each once. Raises UsageError for anything else."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
        hint = "Give whole numbers with commas between them, such as --removed 1,2."
        raise UsageError(f"{text!r} is no list of numbers.", hint=hint)
    return tuple(dict.fromkeys(map(int, parts)))


def _with_prompt(model: str, prompt: str | None) -> str:
    from stepscope.core.domain.model_name import split_name, with_settings

    if prompt is None:
        return model
    if model == RULES:
        raise UsageError("rules are asked in no words.", hint="Leave --prompt out, or give another --model.")
    plain, given = split_name(model)
    return with_settings(plain, {**given, "prompt": prompt})


def _gone_through(work: Generator[Progress, None, Any], show: Any) -> Any:
    """Do the work, showing how far it is; what it returns."""
    while True:
        try:
            show(next(work))
        except StopIteration as ended:
            return ended.value


def _count_form(request: MakingRequest, count: MakingCount) -> dict[str, Any]:
    return {
        "made_by": request.model,
        "removed": list(request.removed),
        "episodes": count.episodes,
        "known": count.known,
        "made": count.made,
        "tasks": count.tasks,
        "failing": count.failing,
        "not_enough": count.not_enough,
        "without_goal_or_actions": count.without,
        "asking_already": count.asking,
        "infeasible": count.infeasible,
        "questions": count.asked,
        "remembered": count.remembered,
        "tokens_in": count.tokens_in,
        "tokens_out": count.tokens_out,
        "cost": count.cost,
        "over": count.over,
        "failed": [{"episode": episode, "why": why} for episode, why in count.failed],
        "problems": [{"episode": episode, "step": step, "why": why} for episode, step, why in count.problems],
    }


def _show_count(request: MakingRequest, count: MakingCount) -> None:
    for episode, why in count.failed[:_TOLD]:
        tell(f"stepscope: warning: {episode}: {why}")
    for episode, step, why in count.problems[:_TOLD]:
        tell(f"stepscope: warning: {episode}, step {step}: {why}")
    made = f"{number_of(count.tasks, 'tasks')} of {number_of(count.made, 'episodes')} by {request.model}"
    say(made + (f", {count.known} made before" if count.known else ""))
    others = (
        (count.failing, "fail a check; they come last"),
        (count.not_enough, "not made: not enough informative steps"),
        (count.asking, "episodes ask already"),
        (count.infeasible, "episodes cannot reach their goal"),
        (count.without, "episodes have no goal or no actions"),
    )
    say(*(f"{number} {words}" for number, words in others if number))
    if count.asked or count.remembered:
        paid = "" if count.cost is None else f", cost {count.cost:.2f}"
        tokens = f", {count.tokens_in:,} tokens in, {count.tokens_out:,} out" if count.tokens_in else ""
        say(f"{number_of(count.asked, 'questions')} asked, {count.remembered} remembered{tokens}{paid}")
    if count.over:
        tell("stepscope: the questions or the budget are spent; the same command goes on from there.")


def export(
    path: DataPath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="A new folder; of ask records the file.")
    ],
    layout: Annotated[
        str, typer.Option("--as", metavar="recordings|asks|naviplus", help="What to write.")
    ] = "recordings",
    made_by: Annotated[str | None, typer.Option("--made-by", metavar="NAME", help="Only tasks of this maker.")] = None,
    all: Annotated[
        bool, typer.Option("--all/--accepted", help="Also what nobody reviewed and no check refuses [default].")
    ] = True,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where an episode could not be written."""
    layouts = list(ambiguous_export.TaskLayout)
    if layout not in layouts:
        raise UsageError(f"there is no layout {layout!r}.", hint=f"Give {', '.join(layouts)}.")
    kind = ambiguous_export.TaskLayout(layout)
    with opened(store) as database, cancelled_by_signals() as token:
        listed = ambiguous_reviews.listed_tasks(database, str(path.resolve()), made_by=made_by)
        tasks = ambiguous_export.wanted_tasks(listed, accepted=not all)
        indexed = index(database, path, format, token)
        if indexed is None:
            raise KeyboardInterrupt
        with bar("Exporting") as show:
            found: TaskExport | None = _gone_through(
                ambiguous_export.export_tasks(indexed.source, tasks, kind, output, token), show
            )
    if found is None:
        raise KeyboardInterrupt
    for episode, why in found.failed[:_TOLD]:
        tell(f"stepscope: warning: {episode}: {why}")
    if json:
        failed = [{"episode": episode, "why": why} for episode, why in found.failed]
        print_json({"path": str(output), "as": layout, "written": found.written, "failed": failed})
    else:
        say(f"{output}: {number_of(found.written, 'tasks')} as {layout}")
    return SOME_FAILED if found.failed else DONE


def prompts(
    copy: Annotated[str | None, typer.Option("--copy", metavar="NAME", help="The prompt that is copied.")] = None,
    own: Annotated[str | None, typer.Option("--to", metavar="OWN", help="What your own is called.")] = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    if (copy is None) != (own is None):
        raise UsageError("--copy and --to go together.", hint="Give the prompt and what your own is called.")
    if copy is not None and own is not None:
        file = ask_prompts.copy_ask_prompt(copy, own)
        if json:
            print_json({"name": own, "file": str(file)})
        else:
            say(f"Change {file}, and make tasks with --prompt {own}.")
        return DONE
    known, problems = ask_prompts.ask_prompts()
    for problem in problems:
        tell(f"stepscope: warning: {problem}")
    columns = ("name", "title", "version", "file")
    rows = [[one.name, one.title, one.version, str(ask_prompts.file_of(one.name))] for one in known.values()]
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        table(columns, rows)
    return DONE
