"""`stepscope index`: a data set made ready before anybody opens it: read whole into the store's index, and its words
and screens given to encoders, on this machine or by a Ray cluster.

Stops at Ctrl-C with everything kept; the same command goes on.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import DataPath, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.cluster_options import (
    ClusterOption,
    CoresOption,
    DataOption,
    GpusOption,
    WorkersOption,
    cluster_choice,
)
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, ProgressMeter

if TYPE_CHECKING:
    from stepscope.app.cli import evaluate
    from stepscope.app.services import library
    from stepscope.app.services.cluster import connection, preparing
    from stepscope.app.services.cluster.choice import ClusterChoice
    from stepscope.app.services.cluster.connection import Cluster
    from stepscope.app.services.library import IndexProgress
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sources
else:
    evaluate = lazy_module("stepscope.app.cli.evaluate")
    connection = lazy_module("stepscope.app.services.cluster.connection")
    library = lazy_module("stepscope.app.services.library")
    preparing = lazy_module("stepscope.app.services.cluster.preparing")
    sources = lazy_module("stepscope.core.store.repositories.sources")


def index(
    path: DataPath,
    format: FormatOption = None,
    features: Annotated[
        bool, typer.Option("--features", help="Vectors of words and screens too, for models that stand on them.")
    ] = False,
    texts: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoder of words for --features ('stepscope weights list').")
    ] = None,
    views: Annotated[str | None, typer.Option(metavar="NAME", help="Encoder of screens for --features.")] = None,
    store: StoreOption = None,
    cluster: ClusterOption = None,
    cluster_workers: WorkersOption = None,
    cluster_cpus: CoresOption = 1.0,
    cluster_gpus: GpusOption = None,
    cluster_data: DataOption = "auto",
    json: JsonFlag = False,
) -> int:
    """Prints what is there. Gives 0, also where some of it cannot be read, and 130 when stopped before the end. Raises
    UsageError for what makes no sense."""
    choice = cluster_choice(cluster, cluster_workers, cluster_cpus, cluster_gpus, cluster_data)
    if (texts or views) and not features:
        raise UsageError("--texts and --views name encoders for --features.", hint="Give --features too.")
    if choice is not None:
        connection.check_there(choice)
    begun = time.monotonic()
    with opened(store) as database, cancelled_by_signals() as token:
        indexed = evaluate.read_index(database, path, format, token)
        if indexed is None:
            return INTERRUPTED
        with nullcontext() if choice is None else connection.connected(choice) as there:
            _read_whole(database, indexed, token, choice, there)
            vectors = _embed(database, indexed, token, choice, there, texts, views) if features else None
        if token.cancelled:
            return INTERRUPTED
        return _report(database, indexed, vectors, time.monotonic() - begun, json)


def _read_whole(
    database: Database, indexed: IndexProgress, token: CancelToken, choice: ClusterChoice | None, there: Cluster | None
) -> None:
    """Every episode whole of which only the outline is known."""
    more = {}
    if choice is not None and there is not None:
        more["read"] = partial(preparing.read_whole, there, choice)
    with bar("Reading steps") as show:
        for checked in library.check_indexed(database, indexed.source_id, indexed.source, token, **more):
            show(checked.progress)


def _embed(
    database: Database,
    indexed: IndexProgress,
    token: CancelToken,
    choice: ClusterChoice | None,
    there: Cluster | None,
    texts: str | None,
    views: str | None,
) -> int:
    """Vectors of all episodes into this machine's cache of vectors; how many different ones were made."""
    from stepscope.models.encoders.registry import TEXTS, VIEWS, find
    from stepscope.models.features.vectors import feature_cache

    encoders = preparing.Encoders(texts or TEXTS, views or VIEWS)
    find(encoders.texts, encoders.views)
    source, wanted, kept = indexed.source, library.places_of(database, indexed.source_id), feature_cache()
    if choice is None or there is None:
        found = preparing.vectors_here(source, wanted, encoders, kept, token)
    else:
        found = preparing.vectors_there(source, wanted, encoders, there, choice, token)
    made, meter = set[bytes](), ProgressMeter(total=len(wanted))
    with bar("Looking at words and screens") as show:
        for episodes, fresh in found:
            kept.put(fresh)
            made.update(fresh)
            show(meter.advance(episodes))
    return len(made)


def _report(database: Database, indexed: IndexProgress, vectors: int | None, seconds: float, json: bool) -> int:
    with database.reading() as db:
        stored = sources.get(db, indexed.source_id)
    assert stored is not None
    form = {
        "path": str(indexed.source.path), "format": stored.format, "episodes": stored.episodes, "steps": stored.steps,
        "problems": stored.problems, "vectors": vectors, "seconds": round(seconds, 3),
    }  # fmt: skip
    if json:
        print_json(form)
        return DONE
    parts = number_of(stored.episodes, "episodes"), number_of(stored.steps, "steps")
    problems = f", {number_of(stored.problems, 'problems')}: 'stepscope inspect' tells more" if stored.problems else ""
    say(f"{form['path']}: {', '.join(parts)}{problems}.")
    if vectors is not None:
        said = f"{number_of(vectors, 'vectors')} of words and screens made" if vectors else "No new words or screens"
        say(f"{said}.")
    return DONE
