"""`stepscope models measure`: a trained model on real data, beside the rules, into its card."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services import real_sets
    from stepscope.core.progress import Progress
    from stepscope.models.learned.model_folders import TrainedModel
    from stepscope.models.learned.real_sets import RealResult
else:
    real_sets = lazy_module("stepscope.app.services.real_sets")


def measure(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A trained model's name or folder.")],
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="The real data.")],
    title: Annotated[str, typer.Option(metavar="TEXT", help="What it is called; its folder's name else.")] = "",
    split: Annotated[str, typer.Option(metavar="S", help="Only episodes of this split.")] = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only N episodes, drawn by the seed.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Seed of that draw.")] = 0,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it computes.")] = "auto",
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.cli.evaluate import index

    trained = _trained(name)
    with opened(store) as database, cancelled_by_signals() as token:
        indexed = index(database, data, format, token)
        if indexed is None:
            raise KeyboardInterrupt
        called = " ".join(title.split()) or data.resolve().name
        wanted = real_sets.RealSet(called, indexed.source, indexed.source_id, split, limit, seed)
        result = _told(real_sets.measure(database, trained, wanted, token, device))
    if result is None:
        raise KeyboardInterrupt
    if trained.shipped:
        tell("stepscope: not kept: the model came with the program. Name its folder to write into its card.")
    else:
        real_sets.keep(trained, result)
    _report(trained, result, json)
    return DONE


def _trained(name: str) -> TrainedModel:
    from stepscope.models.learned.model_folders import find_trained

    trained = find_trained(name)
    if trained is None:
        raise UsageError(f"{name!r} is no trained model.", hint="See 'stepscope models list', or name its folder.")
    return trained


def _told(work: Generator[tuple[str, Progress | None], None, RealResult | None]) -> RealResult | None:
    """Show what is being done; what came out."""
    with closing(work), bar("Measuring") as show:
        while True:
            try:
                doing, progress = next(work)
            except StopIteration as end:
                found: RealResult | None = end.value
                return found
            if progress is not None:
                show(progress, doing)
            else:
                tell(f"stepscope: {doing} …")


def _report(trained: TrainedModel, result: RealResult, json: bool) -> None:
    from stepscope.models.learned.real_sets import as_form, below_words, interval, number

    if json:
        print_json({"model": trained.card.name, **as_form(result)})
        return
    size = f"{number_of(result.episodes, 'episodes')}, n {result.items}"
    say(f"{trained.card.name} on {result.set} ({result.split}): {size}", "")
    rows = [(trained.card.name, number(result.value), interval(result.ci), "")]
    rows += [
        (rule, number(one.value), "", f"{number(one.difference)} ({interval(one.ci)})")
        for rule, one in result.against.items()
    ]
    table([result.metric, "value", "95 % interval", "model less rule (95 %)"], rows)
    if words := below_words([result]):
        say("", f"{words}.")
