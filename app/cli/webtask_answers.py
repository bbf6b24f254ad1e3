"""`stepscope webtask answers`: what people answered on the pages of web tasks, kept in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, JsonFlag, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import check_output, number_of, print_json, say, table, tell
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.webtask import annotations as web_annotations
    from stepscope.app.services.webtask import people
    from stepscope.app.services.webtask.answer_imports import AnswerImport
    from stepscope.core.domain.web_answer import WebAnswer
    from stepscope.core.webtask.agreement import FieldAgreement, TaskAgreement
else:
    web_annotations = lazy_module("stepscope.app.services.webtask.annotations")
    people = lazy_module("stepscope.app.services.webtask.people")

COMMANDS = {
    "list": CommandRow("Who answered what, and how far everybody is.", lambda: listing),
    "agreement": CommandRow(
        "How far people agree with each other, and with the workers of the data.", lambda: agreement
    ),
    "export": CommandRow("Write submitted answers as the crowd platform's CSV.", lambda: export),
    "import": CommandRow(
        "Take over answers from the crowd platform's CSV, or from a folder of exported ones.", lambda: take
    ),
}

TaskOption = Annotated[str | None, typer.Option("--task", metavar="NAME", help="Only this task.")]
_PROBLEMS_SHOWN = 20
_LISTED = ("instance", "annotator", "state", "fields", "seconds", "submitted")
_PROGRESS = ("task", "annotator", "submitted", "drafts", "of", "seconds each")
_AGREEMENT = ("task", "field", "type", "measure", "value", "equal", "alpha", "instances", "pairs", "n")
_WORKERS = ("task", "annotator", "score against the workers", "fields", "instances")


def listing(
    path: DataPath,
    task: TaskOption = None,
    annotator: Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="Only this person.")] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    source = web_annotations.known_as(path)
    with opened(store) as database:
        found = web_annotations.listed(database, source, task=task, annotator=annotator)
        everybody = web_annotations.progress(database, source, _instances(path, found))
    shown = [one for one in everybody if task in (None, one.task) and annotator in (None, one.annotator)]
    if json:
        answers = [_answer_form(one) for one in found]
        print_json({"source": source, "progress": [asdict(one) for one in shown], "answers": answers})
        return DONE
    if not found:
        say("Nobody answered anything here yet: open a task in the window, or import answers.")
        return DONE
    numbers = ["submitted", "drafts", "of", "seconds each"]
    rows = [[one.task, one.annotator, one.submitted, one.drafts, one.instances, _tenths(one.each)] for one in shown]
    table(_PROGRESS, rows, numbers=numbers)
    say("")
    table(_LISTED, [_answer_row(one) for one in found], numbers=["fields", "seconds"])
    return DONE


def agreement(
    path: DataPath,
    task: TaskOption = None,
    rules: Annotated[
        str, typer.Option("--rules", metavar="official|paper", help="How answers are scored against the workers'.")
    ] = "official",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError for other rules, and a task that the data does not have."""
    from stepscope.core.scoring.web_fields_match import OFFICIAL, PAPER

    if rules not in (OFFICIAL, PAPER):
        raise UsageError(f"there are no rules {rules!r}.", hint=f"Give --rules {OFFICIAL} or {PAPER}.")
    with opened(store) as database:
        found = web_annotations.listed(database, web_annotations.known_as(path), task=task, drafts=False)
    tasks = [people.agreement_of(path, name, found, rules) for name in web_annotations.tasks_of(found)]
    if json:
        print_json(
            {"source": web_annotations.known_as(path), "rules": rules, "tasks": [_task_form(one) for one in tasks]}
        )
    elif tasks:
        _show_agreement(tasks)
    else:
        say("Nobody submitted anything here yet.")
    return DONE


def export(
    path: DataPath,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE|FOLDER", help="With --task a file, else a folder of a folder for each task."
        ),
    ],
    task: TaskOption = None,
    layout: Annotated[
        str,
        typer.Option("--layout", metavar="mturk|turkingbench", help="The platform's columns, or those of the data."),
    ] = "mturk",
    exploded: Annotated[
        bool | None,
        typer.Option(
            "--exploded/--joined",
            help="Radio buttons and checkboxes in a column for each option [default: as the data].",
        ),
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError for a layout that there is not and where nothing was submitted."""
    from stepscope.app.services.webtask.answer_files import AnswerTableLayout, export_file, export_folder

    if layout not in tuple(AnswerTableLayout):
        raise UsageError(f"there is no layout {layout!r}.", hint=f"Give --layout {' or '.join(AnswerTableLayout)}.")
    with opened(store) as database:
        found = web_annotations.listed(database, web_annotations.known_as(path), task=task, drafts=False)
    if not found:
        raise UsageError("nothing was submitted here.", place=path, hint="'stepscope webtask answers list' tells.")
    if task is not None:
        check_output(output)
        written = {task: export_file(path, task, found, output, AnswerTableLayout(layout), exploded)}
    else:
        written = export_folder(path, found, output, AnswerTableLayout(layout), exploded)
    if json:
        print_json({"place": str(output), "written": written})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(sum(written.values()), 'answers')} to {number_of(len(written), 'tasks')}")
    return DONE


def take(
    path: DataPath,
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="A table of answers, or a folder of them.")],
    task: Annotated[
        str | None, typer.Option("--task", metavar="NAME", help="The task of the file; data of one task needs none.")
    ] = None,
    annotator: Annotated[
        str, typer.Option("--annotator", metavar="WHO", help="Whose answers they are where the table names nobody.")
    ] = "",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where rows are kept out. Raises UsageError where the task is not known."""
    from stepscope.app.services.webtask.answer_imports import import_file, import_folder

    names = people.task_names(path)
    with opened(store) as database:
        if file.is_dir():
            found = import_folder(database, path, file, [task] if task else names, annotator)
        elif task is None and len(names) != 1:
            raise UsageError("the data has several tasks.", place=path, hint="Say whose the table is with --task.")
        else:
            found = import_file(database, path, task or names[0], file, annotator)
    _told_imported(found, json)
    return SOME_FAILED if found.problems else DONE


def _told_imported(found: AnswerImport, json: bool) -> None:
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {problem.file}: row {problem.row}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more rows were kept out.")
    taken, replaced = len(found.change.after), len(found.change.before)
    if json:
        bad = [{"file": str(one.file), "row": one.row, "message": one.message} for one in found.problems]
        print_json({"imported": taken, "replaced": replaced, "bad_rows": bad})
    else:
        kept_out = f", {number_of(len(found.problems), 'rows')} kept out" if found.problems else ""
        say(f"{number_of(taken, 'answers')} taken over, {replaced} of them in place of others{kept_out}.")


def _instances(path: Path, found: Sequence[WebAnswer]) -> dict[str, int]:
    """How many instances the answered tasks have; tasks that are not there (any more) have none."""
    return {task: people.instance_count(path, task) for task in dict.fromkeys(one.task for one in found)}


def _tenths(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds:.1f}"


def _answer_form(answer: WebAnswer) -> dict[str, Any]:
    return {
        "task": answer.task,
        "instance": answer.instance,
        "annotator": answer.annotator,
        "state": answer.state.value,
        "fields": dict(answer.fields),
        "seconds": answer.seconds,
        "changed": answer.changed.isoformat(),
        "submitted": answer.submitted.isoformat() if answer.submitted else None,
    }


def _answer_row(answer: WebAnswer) -> list[object]:
    submitted = f"{answer.submitted:%Y-%m-%d %H:%M}" if answer.submitted else None
    return [
        answer.instance, answer.annotator, answer.state.value, len(answer.fields), round(answer.seconds), submitted,
    ]  # fmt: skip


def _task_form(found: TaskAgreement) -> dict[str, Any]:
    form = asdict(found)
    for measure in dict.fromkeys(one.measure for one in found.fields):
        mean, count = found.mean(measure)
        form.setdefault("means", {})[measure] = {"value": mean, "fields": count}
    return form


def _show_agreement(tasks: Sequence[TaskAgreement]) -> None:
    rows = [[one.task, *_field_row(field)] for one in tasks for field in one.fields]
    table(_AGREEMENT, rows, numbers=_AGREEMENT[4:])
    say("")
    against = [[one.task, row.annotator, row.score, row.n, row.instances] for one in tasks for row in one.workers]
    table(_WORKERS, against, numbers=_WORKERS[2:])


def _field_row(field: FieldAgreement) -> list[object]:
    return [
        field.field, field.type.value, field.measure, field.value, field.observed, field.alpha, field.instances,
        field.pairs, field.n,
    ]  # fmt: skip
