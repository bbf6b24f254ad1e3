"""`stepscope runs rescue`: what can be read of a damaged store, in a new one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.core.store.rescue import RescueReport, RescueUpdate


def rescue_store(
    store: Annotated[
        str | None, typer.Argument(metavar="[STORE]", help="The damaged store's file [default: your own store].")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT.db", help="The new store.")] = None,
    json: JsonFlag = False,
) -> int:
    """Prints what was copied and what was left out. Gives 0, 1 where something was lost, 130 when stopped, with
    nothing written. Raises UsageError for a store that is no file."""
    from stepscope.core.store.rescue import rescue

    if out is None:
        raise UsageError("no new store is named.", hint="Give -o OUT.db.")
    damaged = _file(store)
    with cancelled_by_signals() as token:
        updates = cast("Generator[RescueUpdate]", rescue(damaged, out, token=token))
        with closing(updates), bar(f"Reading {damaged.name}") as show:
            for update in updates:
                show(update.progress)
    if update.report is None:
        tell("stepscope: interrupted: nothing was written.")
        return INTERRUPTED
    if json:
        print_json(_form(damaged, out, update.report))
    else:
        _show(damaged, out, update.report)
    return DONE if update.report.whole else SOME_FAILED


def _file(store: str | None) -> Path:
    """The file of a path or an address. Raises UsageError."""
    from sqlalchemy.engine import make_url

    from stepscope.core.settings import default_store_url

    name = store or default_store_url()
    if "://" in name:
        from stepscope.core.store.server import shown_address

        address = make_url(name)
        if address.get_backend_name() != "sqlite" or not address.database:
            raise UsageError(f"{shown_address(address)} is no file.", hint="Only SQLite files can be rescued.")
        name = address.database
    path = Path(name).expanduser()
    if not path.is_file():
        raise UsageError("there is no such file.", place=path, hint="Name the damaged store.")
    return path


def _form(damaged: Path, out: Path, report: RescueReport) -> dict[str, Any]:
    return {
        "store": str(damaged),
        "out": str(out),
        "whole": report.whole,
        "copied": dict(report.copied),
        "skipped": [{"table": name, "why": why, "rows": n} for (name, why), n in report.skipped.most_common()],
        "lost_pages": report.pages,
        "lost_rows": report.cells,
        "runs": [
            {
                "run": run.run_id,
                "task": run.task,
                "model": run.model,
                "state": run.state.value,
                "items": run.items,
                "missing": run.missing,
                "message": run.message or None,
            }
            for run in report.runs
        ],
    }


def _show(damaged: Path, out: Path, report: RescueReport) -> None:
    say(f"{damaged} → {out}")
    table(["table", "rows copied"], list(report.copied.items()), numbers=["rows copied"])
    if report.runs:
        say("")
        rows = [
            [run.run_id, run.task, run.model, run.state.value, run.items, run.missing, run.message]
            for run in report.runs
        ]
        table(["run", "task", "model", "state", "items", "missing", ""], rows, numbers=["items", "missing"])
    if report.whole:
        say("", "All rows were read. The index of the data is made anew when it is opened.")
        return
    say("", "Left out:")
    for (name, why), count in report.skipped.most_common():
        say(f"  {name}: {number_of(count, 'rows')}: {why}")
    if report.pages or report.cells:
        pages, rows_lost = number_of(report.pages, "pages"), number_of(report.cells, "rows")
        say(f"  {pages} and {rows_lost} on others cannot be read at all: which tables' is not known.")
