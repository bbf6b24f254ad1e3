"""`stepscope models tune`: a checkpoint fine-tuned by LoRA on goals, on actions, or on when to ask."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import opened
from stepscope.app.cli.tuning_options import (
    AgainFlag,
    AlphaOption,
    BatchOption,
    DeviceOption,
    DropoutOption,
    EpochsOption,
    KeepEveryOption,
    LearnedLimit,
    LearnedSplit,
    MixtureOption,
    PresetOption,
    RateOption,
    TunedModel,
    TuningPaths,
    TuningSeed,
    VisionFlag,
    WarmupOption,
    with_preset,
)
from stepscope.core.lazy import lazy_module
from stepscope.models.checkpoints.lora_settings import MOST_MOVES, MOST_RANK, LoraSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from stepscope.app.services import checkpoint_tuning, tuning_lessons
    from stepscope.app.services.checkpoint_tuning import TunedCheckpoint, TuningEvent, TuningRequest
    from stepscope.app.services.tuning_lessons import TuningData
    from stepscope.core.domain.filter import Query
    from stepscope.core.progress import CancelToken, Progress
    from stepscope.core.store.engine import Database
else:
    checkpoint_tuning = lazy_module("stepscope.app.services.checkpoint_tuning")
    tuning_lessons = lazy_module("stepscope.app.services.tuning_lessons")

_USUAL = LoraSettings()
_SHOWN = 5
"""Examples that are named of those from which nothing could be learned."""


def tune(
    context: typer.Context,
    model: TunedModel,
    data: TuningPaths,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the tuned checkpoint is called.")],
    split: LearnedSplit = "",
    limit: LearnedLimit = None,
    filter: FilterOption = None,
    mixture: MixtureOption = "",
    preset: PresetOption = "",
    rank: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_RANK, help="Of the matrices.")] = _USUAL.rank,
    alpha: AlphaOption = _USUAL.alpha,
    dropout: DropoutOption = _USUAL.dropout,
    rate: RateOption = _USUAL.rate,
    batch: BatchOption = _USUAL.batch,
    epochs: EpochsOption = _USUAL.epochs,
    warmup: WarmupOption = _USUAL.warmup,
    seed: TuningSeed = 0,
    vision: VisionFlag = False,
    keep_every: KeepEveryOption = _USUAL.keep_every,
    snapshots: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=MOST_MOVES, help="Keep the adapter after every N moves as local:NAME@MOVES; 0: no."
        ),
    ] = _USUAL.snapshots,
    merged: Annotated[
        Path | None, typer.Option("--merged", metavar="FOLDER", help="Write the whole model there, adapter and all.")
    ] = None,
    again: AgainFlag = False,
    device: DeviceOption = "auto",
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises KeyboardInterrupt when stopped, with what was learned kept."""
    from stepscope.core.domain.filter_parser import parse

    settings = LoraSettings(
        rank, alpha, dropout, rate, batch, epochs, warmup, vision=vision, seed=seed, keep_every=keep_every,
        snapshots=snapshots,
    )  # fmt: skip
    request = checkpoint_tuning.TuningRequest(
        model, name, split, limit, parse(filter or ""), with_preset(context, settings, preset), device,
        merged.resolve() if merged else None, again, tuning_lessons.mixture_of(mixture),
    )  # fmt: skip
    checkpoint_tuning.check_request(request)
    with opened(store) as database, cancelled_by_signals() as token:
        sources = tuning_data(database, data, format, request.query, token)
        tuned = _work(database, sources, request, token)
    if json:
        form = {"model": tuned.model, "folder": str(tuned.folder), "losses": list(tuned.losses)}
        print_json(form | {"merged": str(merged) if merged else None, "skipped": dict(tuned.skipped)})
        return DONE
    say(f"{tuned.model} is in {tuned.folder}", f"Loss {tuned.losses[0]:.4f} at first, {tuned.losses[-1]:.4f} at last.")
    evaluated = f"stepscope evaluate {tuned.task} DATA --model '{tuned.model}'"
    say(f"What it is worth: {evaluated}, on episodes that it has not seen.")
    return DONE


def tuning_data(
    database: Database, paths: Sequence[Path], format: str | None, query: Query, token: CancelToken
) -> list[TuningData]:
    """The data sets with whole indexes. Raises KeyboardInterrupt."""
    from stepscope.app.cli.evaluate import index

    found = []
    for path in dict.fromkeys(paths):
        indexed = index(database, path, format, token, query)
        if indexed is None:
            raise KeyboardInterrupt
        found.append(tuning_lessons.TuningData(indexed.source, indexed.source_id))
    return found


def _work(
    database: Database, data: Sequence[TuningData], request: TuningRequest, token: CancelToken
) -> TunedCheckpoint:
    """Show what happens, to the end. Raises KeyboardInterrupt when stopped."""
    events = cast("Generator[TuningEvent]", checkpoint_tuning.tune(database, data, request, token))
    with closing(events), bar(f"Tuning {request.name}") as show:
        for event in events:
            show_tuning(event, show)
            if isinstance(event, checkpoint_tuning.TuningStopped):
                raise KeyboardInterrupt
            if isinstance(event, checkpoint_tuning.TunedCheckpoint):
                return event
    raise KeyboardInterrupt


def show_tuning(event: TuningEvent, show: Callable[[Progress, str], None]) -> None:
    """What happens, for the reader of stderr."""
    match event:
        case checkpoint_tuning.TuningRead(progress):
            show(progress, "Reading")
        case checkpoint_tuning.TuningBegun():
            left = f", {number_of(event.left_out, 'episodes')} have none" if event.left_out else ""
            go_on = f"; goes on after move {event.done}" if event.done else ""
            steps = f"{event.steps:,} {'move' if event.steps == 1 else 'moves'}"
            learned = f"{number_of(event.examples, 'examples')}{left}"
            tell(f"stepscope: {learned}; {steps} of {event.parameters:,} parameters{go_on}")
        case checkpoint_tuning.TuningPart(part, progress):
            show(progress, f"move {part.step:,} of {part.steps:,}")
        case checkpoint_tuning.TuningMoved(move, progress):
            loss = "nothing learned" if move.loss is None else f"loss {move.loss:.4f}"
            show(progress, f"move {move.step:,} of {move.steps:,}, {loss}, rate {move.rate:.2g}")
            for episode, why in move.skipped[:_SHOWN]:
                tell(f"stepscope: warning: nothing to learn from {episode}: {why}")
        case checkpoint_tuning.TuningStopped(done):
            tell(f"stepscope: stopped after {number_of(done, 'moves')}; the same command goes on from there.")
