"""Options that say which cluster is to do a command's work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from stepscope.app.cli.arguments import finite
from stepscope.app.services.cluster.choice import MOST_WORKERS, ClusterChoice

if TYPE_CHECKING:
    from stepscope.app.services.cluster.choice import DataWay

ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="auto|ADDRESS", help="A Ray cluster works on it: HOST:PORT, or ray://HOST:PORT."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--cluster-workers",
        metavar="N",
        min=1,
        max=MOST_WORKERS,
        help="Its workers at the most; as many as there is room for.",
    ),
]
CoresOption = Annotated[
    float,
    typer.Option(
        "--cluster-cpus", metavar="N", min=0, max=MOST_WORKERS, callback=finite, help="Cores of each worker, above 0."
    ),
]
GpusOption = Annotated[
    float | None,
    typer.Option(
        "--cluster-gpus",
        metavar="N",
        min=0,
        max=MOST_WORKERS,
        callback=finite,
        help="GPUs of each worker, or a part of one; 1 where it can use one that is there.",
    ),
]
DataOption = Annotated[
    str,
    typer.Option(
        "--cluster-data", metavar="auto|shared|shipped", help="Read where it lies, sent to them, or as is possible."
    ),
]


def cluster_choice(
    address: str | None, workers: int | None, cpus: float, gpus: float | None, data: str
) -> ClusterChoice | None:
    """The cluster that is to work, None: this machine does. Raises UsageError for what makes no sense."""
    if address is None:
        return None
    return ClusterChoice(address, workers, cpus, gpus, cast("DataWay", data)).checked()
