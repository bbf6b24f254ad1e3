"""`stepscope runs import`, and bundles in `runs export`: whole runs on their way from one store to another."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation import bundle
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import runs
else:
    bundle = lazy_module("stepscope.core.evaluation.bundle")
    runs = lazy_module("stepscope.core.store.repositories.runs")


def import_runs(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="FILE ...", help="Bundles; with --from: runs, all when none is named.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Take the runs straight from this store.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the runs' data lies on this machine.")
    ] = None,
    as_new: Annotated[bool, typer.Option("--as-new", help="Enter each run under an id of its own.")] = False,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Enters the runs one after the other and prints each. Gives 0, or 130 when stopped. Raises UsageError where
    nothing is named."""
    if not names and origin is None:
        raise UsageError("no bundle is named.", hint="Name a file that 'runs export' made, or a store with --from.")
    rows: list[dict[str, Any]] = []
    with cancelled_by_signals() as token, opened(store) as database:
        bundles = _files(names or []) if origin is None else _from_store(origin, names or [], token)
        for path in bundles:
            row = _imported(database, path, data, as_new, token)
            if row is None:
                tell("stepscope: interrupted: this run was not imported. The same command goes on with it.")
                return INTERRUPTED
            rows.append(row)
            if not json:
                say(_line(row))
    if json:
        print_json({"runs": rows})
    elif not rows:
        say("There are no runs in that store.")
    return DONE


def write(database: Database, run: Run, stream: IO[bytes]) -> None:
    """Write the run's bundle, showing how far it is. Ctrl-C leaves no file."""
    with cancelled_by_signals() as token, bar(f"Writing run {run.id}") as show:
        for progress in bundle.write_bundle(database, run.id, stream, token=token):
            show(progress)
        if token.cancelled:
            raise KeyboardInterrupt


def _files(names: list[str]) -> Iterator[Path]:
    yield from map(Path, names)


def _from_store(url: str, names: list[str], token: CancelToken) -> Iterator[Path]:
    """Bundles of the runs in another store, oldest first, one after the other in a temporary file."""
    from stepscope.core.store import queries

    with opened(url) as database, _temporary() as path:
        if names:
            several = [find_run(database, name) for name in names]
        else:
            with database.reading() as db:
                several = [counts.run for counts in reversed(queries.run_list(db))]
        for run in several:
            with path.open("wb") as stream, bar(f"Reading run {run.id}") as show:
                for progress in bundle.write_bundle(database, run.id, stream, token=token):
                    show(progress)
            if token.cancelled:
                raise KeyboardInterrupt
            yield path


@contextmanager
def _temporary() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="stepscope-") as folder:
        yield Path(folder) / "run.bundle"


def _imported(
    database: Database, path: Path, data: Path | None, as_new: bool, token: CancelToken
) -> dict[str, Any] | None:
    """What became of a bundle, None when it was interrupted and nothing was written."""
    place = "" if data is None else str(data.resolve())
    with bar(f"Importing {path.name}") as show:
        run_id = runs.new_id() if as_new else ""
        for update in bundle.read_bundle(database, path, data=place, run_id=run_id, token=token):
            show(update.progress)
    if update.result == "cancelled":
        return None
    run = find_run(database, update.run_id)
    return {
        "run": run.id,
        "result": update.result,
        "state": run.state.value,
        "task": run.spec.task.value,
        "model": run.spec.model,
        "protocol": run.spec.protocol,
        "items": run.done,
        "annotations": update.annotations,
    }


def _line(row: dict[str, Any]) -> str:
    what = (
        f"{row['model']} on {row['task']} under {row['protocol']}, {number_of(row['items'], 'items')}, {row['state']}"
    )
    if row["result"] == "there already":
        return f"Run {row['run']} is there already: {what}"
    said = f", {number_of(row['annotations'], 'annotations')} on its data" if row["annotations"] else ""
    return f"Imported run {row['run']}: {what}{said}"
