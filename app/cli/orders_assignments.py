"""`stepscope orders assignments`: who is to order which procedure, and what of its steps they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import DataPath, FilterOption, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.evaluate import index, read_index
from stepscope.app.cli.output import check_output, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.campaign import MAX_DEMONSTRATIONS
from stepscope.core.domain.human_order import StepInput
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services import evaluation, human_orders, order_assignment_files, order_assignments
    from stepscope.app.services.order_assignments import OrderTask
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    human_orders = lazy_module("stepscope.app.services.human_orders")
    order_assignment_files = lazy_module("stepscope.app.services.order_assignment_files")
    order_assignments = lazy_module("stepscope.app.services.order_assignments")

COMMANDS = {
    "make": CommandRow("Give each procedure to several people under each condition, nobody one twice.", lambda: make),
    "import": CommandRow("Take over assignments from CSV or JSON Lines (annotator, procedure, shown).", lambda: take),
    "export": CommandRow("Write assignments as CSV or JSON Lines, by the file's ending.", lambda: export),
    "next": CommandRow("What somebody is to order next, and what of it they are to see.", lambda: following),
    "progress": CommandRow("How far everybody is.", lambda: progress),
    "drop": CommandRow("Take assignments back that are not done; orders that were made stay.", lambda: drop),
}

_CAMPAIGN = "Step ordering"
CampaignOption = Annotated[
    str, typer.Option("--campaign", metavar="NAME", help="The campaign that they are kept in; it is made if need be.")
]
SomeCampaign = Annotated[str | None, typer.Option("--campaign", metavar="NAME", help="Only of this campaign.")]
_COLUMNS = ("annotator", "open", "draft", "done", "seen otherwise")
_PROBLEMS_SHOWN = 20


def make(
    path: DataPath,
    people: Annotated[str, typer.Option("--people", metavar="A,B,…", help="Who orders, with commas between them.")],
    k: Annotated[
        int,
        typer.Option("--k", metavar="N", min=1, max=MAX_DEMONSTRATIONS, help="People a procedure and condition."),
    ] = 3,
    shown: Annotated[
        str, typer.Option("--shown", metavar="text,picture,both", help="The conditions, with commas between them.")
    ] = "both",
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, max=LARGEST_NUMBER)] = 0,
    filter: FilterOption = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N procedures.")
    ] = None,
    campaign: CampaignOption = _CAMPAIGN,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where there are too few people."""
    from stepscope.core.domain.filter_parser import parse

    names = tuple(dict.fromkeys(name for one in people.split(",") if (name := " ".join(one.split()))))
    request = order_assignments.AssignmentRequest(names, k, tuple(map(_shown, shown.split(","))), seed)
    query = parse(filter or "")
    with opened(store) as database:
        indexed = index(database, path, format, CancelToken(), query)
        assert indexed is not None  # nobody cancels
        wanted = evaluation.EvaluationRequest(task=Task.ORDERING, query=query, limit=limit)
        procedures = evaluation.selection(database, indexed.source_id, wanted)
        read = human_orders.cached_procedures(indexed.source)
        ordered, unordered = order_assignments.with_an_order(procedures, read)
        found = order_assignments.assign(database, _known_as(path), ordered, request, campaign)
    counts = {name: sum(one.annotator == name for one in found.given) for name in names}
    if json:
        short = [{"procedure": name, "shown": one.value, "missing": n} for (name, one), n in found.short.items()]
        made = {"campaign": campaign, "assigned": len(found.given), "people": counts, "short": short}
        print_json(made | {"without_order": unordered})
    else:
        say(f"{number_of(len(found.given), 'assignments')} of {number_of(len(ordered), 'procedures')} given.")
        table(("annotator", "new"), list(counts.items()), numbers=("new",))
    if unordered:
        tell(f"stepscope: left out: {number_of(unordered, 'procedures')} without an order in time, by the data.")
    if found.short:
        lack, most = len({name for name, _ in found.short}), max(found.short.values())
        tell(f"stepscope: warning: {number_of(lack, 'procedures')} need up to {most} more people for a condition.")
    return SOME_FAILED if found.short else DONE


def take(
    path: DataPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file with annotator, procedure and shown.")],
    campaign: CampaignOption = _CAMPAIGN,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where lines are kept out."""
    with opened(store) as database:
        indexed = read_index(database, path, format, CancelToken())
        assert indexed is not None  # nobody cancels
        procedures = human_orders.cached_procedures(indexed.source)
        found = order_assignment_files.import_assignments(database, _known_as(path), procedures, file, campaign)
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {file}:{problem.line}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more lines were kept out.")
    if json:
        bad = [{"line": problem.line, "message": problem.message} for problem in found.problems]
        print_json({"campaign": campaign, "imported": found.taken, "known": found.known, "bad_lines": bad})
    else:
        kept_out = f", {number_of(len(found.problems), 'lines')} kept out" if found.problems else ""
        say(f"{number_of(found.taken, 'assignments')} taken over, {found.known} there already{kept_out}.")
    return SOME_FAILED if found.problems else DONE


def export(
    path: DataPath,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A .csv or .jsonl file.")],
    annotator: Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="Only this person's.")] = None,
    left: Annotated[bool, typer.Option("--open", help="Only what is not done yet.")] = False,
    campaign: SomeCampaign = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError where nothing is assigned."""
    check_output(output)
    given = [one.assignment for one in _tasks(path, store, annotator, campaign) if not (left and one.is_done)]
    if not given:
        raise UsageError("nothing is assigned here.", place=path, hint="'stepscope orders assignments make' assigns.")
    write_file(output, order_assignment_files.write_assignments(output, given))
    if json:
        print_json({"file": str(output), "written": len(given)})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(len(given), 'assignments')}")
    return DONE


def following(
    path: DataPath,
    annotator: Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="[default: you]")] = None,
    campaign: SomeCampaign = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.services.annotations import user_name

    person = user_name() if annotator is None else annotator
    with opened(store) as database:
        task = order_assignments.next_task(database, _known_as(path), person, campaign)
    if json:
        form = task and {"campaign": task.campaign, "procedure": task.assignment.procedure,
                         "shown": task.assignment.shown.value}  # fmt: skip
        print_json({"annotator": person, "task": form})
    elif task is None:
        say(f"There is nothing for {person} to order.")
    else:
        say(f"{task.assignment.procedure} ({task.assignment.shown})")
    return DONE


def progress(path: DataPath, campaign: SomeCampaign = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    found = _tasks(path, store, None, campaign)
    names = sorted({one.assignment.annotator for one in found})
    rows = [_row(name, [one for one in found if one.assignment.annotator == name]) for name in names]
    if json:
        keys = ("annotator", "open", "draft", "done", "seen_otherwise")
        print_json({"source": _known_as(path), "people": [dict(zip(keys, row, strict=True)) for row in rows]})
    elif rows:
        table(_COLUMNS, rows, numbers=_COLUMNS[1:])
    else:
        say("Nothing is assigned here yet: 'stepscope orders assignments make' assigns.")
    return DONE


def drop(
    path: DataPath,
    annotator: Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="Only this person's.")] = None,
    campaign: CampaignOption = _CAMPAIGN,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    with opened(store) as database:
        found = order_assignments.tasks(database, _known_as(path), annotator=annotator, campaign=campaign)
        gone = [one.assignment for one in found if not one.is_done]
        order_assignments.drop(database, _known_as(path), gone, campaign)
    if json:
        print_json({"campaign": campaign, "dropped": len(gone)})
    else:
        say(f"{number_of(len(gone), 'assignments')} taken back.")
    return DONE


def _tasks(path: Path, store: str | None, annotator: str | None, campaign: str | None) -> list[OrderTask]:
    with opened(store) as database:
        return order_assignments.tasks(database, _known_as(path), annotator=annotator, campaign=campaign)


def _row(name: str, mine: Sequence[OrderTask]) -> Sequence[object]:
    done, draft = sum(one.is_done for one in mine), sum(one.order is not None and not one.is_done for one in mine)
    return [name, len(mine) - done - draft, draft, done, sum(one.elsewhere for one in mine)]


def _shown(word: str) -> StepInput:
    try:
        return StepInput(word.strip())
    except ValueError:
        hint = f"Give {', '.join(StepInput)}, with commas between them."
        raise UsageError(f"steps cannot be shown as {word.strip()!r}.", hint=hint) from None


def _known_as(path: Path) -> str:
    return str(path.resolve())
