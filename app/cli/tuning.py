"""`stepscope models tune`: a checkpoint fine-tuned by LoRA on goals, on actions, or on when to ask."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, StoreOption, finite
from stepscope.app.cli.frame import DONE
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.stores import opened
from stepscope.core.domain.run import LARGEST_NUMBER
from stepscope.core.lazy import lazy_module
from stepscope.models.checkpoints.lora_settings import (
    MOST_BATCH,
    MOST_MOVES,
    MOST_RANK,
    PRESETS,
    LoraSettings,
    preset_values,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from stepscope.app.services import checkpoint_tuning, tuning_lessons
    from stepscope.app.services.checkpoint_tuning import TunedCheckpoint, TuningEvent, TuningRequest
    from stepscope.app.services.tuning_lessons import TuningData
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.engine import Database
else:
    checkpoint_tuning = lazy_module("stepscope.app.services.checkpoint_tuning")
    tuning_lessons = lazy_module("stepscope.app.services.tuning_lessons")

_USUAL = LoraSettings()
_SHOWN = 5
"""Examples that are named of those from which nothing could be learned."""


def register(group: typer.Typer) -> None:
    """Adds `tune` to the group."""
    group.command("tune", help="Fine-tune a checkpoint by LoRA on episodes; stopped, the command goes on.")(tune)


def tune(
    context: typer.Context,
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A checkpoint as it is to be asked: local:NAME for goals, local:NAME#automation, local:NAME#ask.",
        ),
    ],
    data: Annotated[list[Path], typer.Option("--data", metavar="PATH", help="Episodes to learn from; repeat it.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the tuned checkpoint is called.")],
    split: Annotated[str, typer.Option(metavar="S", help="Only episodes of this split.")] = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N of each data set.")
    ] = None,
    filter: FilterOption = None,
    mixture: Annotated[
        str,
        typer.Option(
            metavar="full,ambiguous",
            help="Of #ask: teach whole goals, goals that leave something out, or both; each episode as it is else.",
        ),
    ] = "",
    preset: Annotated[
        str,
        typer.Option(metavar="NAME", help=f"Settings as published, {' or '.join(PRESETS)}; what is given here counts."),
    ] = "",
    rank: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_RANK, help="Of the matrices.")] = _USUAL.rank,
    alpha: Annotated[
        int, typer.Option(metavar="N", min=0, max=2 * MOST_RANK, help="Their weight is alpha/rank; 0: alpha 2 × rank.")
    ] = _USUAL.alpha,
    dropout: Annotated[
        float, typer.Option(metavar="X", min=0.0, max=0.9, callback=finite, help="Share of inputs left out.")
    ] = _USUAL.dropout,
    rate: Annotated[
        float, typer.Option(metavar="X", min=0.0, max=1.0, callback=finite, help="The learning rate.")
    ] = _USUAL.rate,
    batch: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_BATCH, help="Examples a move, one after the other.")
    ] = _USUAL.batch,
    epochs: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Times that each example is seen.")
    ] = _USUAL.epochs,
    warmup: Annotated[
        float,
        typer.Option(metavar="X", min=0.0, max=1.0, callback=finite, help="Share of moves in which the rate rises."),
    ] = _USUAL.warmup,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Of order and weights.")] = 0,
    vision: Annotated[bool, typer.Option("--vision", help="Tune the layers that look at pictures too.")] = False,
    keep_every: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_MOVES, help="Moves after which the state is kept.")
    ] = _USUAL.keep_every,
    snapshots: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=MOST_MOVES, help="Keep the adapter after every N moves as local:NAME@MOVES; 0: no."
        ),
    ] = _USUAL.snapshots,
    merged: Annotated[
        Path | None, typer.Option("--merged", metavar="FOLDER", help="Write the whole model there, adapter and all.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Begin anew, in the place of what has that name.")] = False,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it computes.")] = "auto",
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
        sources = _data(database, data, format, request, token)
        tuned = _work(database, sources, request, token)
    if json:
        form = {"model": tuned.model, "folder": str(tuned.folder), "losses": list(tuned.losses)}
        print_json(form | {"merged": str(merged) if merged else None, "skipped": dict(tuned.skipped)})
        return DONE
    say(f"{tuned.model} is in {tuned.folder}", f"Loss {tuned.losses[0]:.4f} at first, {tuned.losses[-1]:.4f} at last.")
    evaluated = f"stepscope evaluate {tuned.task} DATA --model '{tuned.model}'"
    say(f"What it is worth: {evaluated}, on episodes that it has not seen.")
    return DONE


def with_preset(context: typer.Context, settings: LoraSettings, preset: str) -> LoraSettings:
    """The settings with what the preset says wherever the command does not. Raises UsageError for a preset that there
    is not."""
    values = preset_values(preset) if preset else {}
    usual = {name: value for name, value in values.items() if not _is_given(context, name)}
    return replace(settings, **usual)  # type: ignore[arg-type]


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _data(
    database: Database, paths: Sequence[Path], format: str | None, request: TuningRequest, token: CancelToken
) -> list[TuningData]:
    """The data sets with whole indexes. Raises KeyboardInterrupt."""
    from stepscope.app.cli.evaluate import index

    found = []
    for path in dict.fromkeys(paths):
        indexed = index(database, path, format, token, request.query)
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
            match event:
                case checkpoint_tuning.TuningRead(progress):
                    show(progress, "Reading")
                case checkpoint_tuning.TuningBegun():
                    left = f", {number_of(event.left_out, 'episodes')} have none" if event.left_out else ""
                    go_on = f"; goes on after move {event.done}" if event.done else ""
                    tell(f"stepscope: {number_of(event.examples, 'examples')}{left}; {event.steps:,} moves of "
                         f"{event.parameters:,} parameters{go_on}")  # fmt: skip
                case checkpoint_tuning.TuningMoved(move, progress):
                    loss = "nothing learned" if move.loss is None else f"loss {move.loss:.4f}"
                    show(progress, f"{loss}, rate {move.rate:.2g}")
                    for episode, why in move.skipped[:_SHOWN]:
                        tell(f"stepscope: warning: nothing to learn from {episode}: {why}")
                case checkpoint_tuning.TuningStopped(done):
                    tell(f"stepscope: stopped after {number_of(done, 'moves')}; the same command goes on from there.")
                    raise KeyboardInterrupt
                case checkpoint_tuning.TunedCheckpoint():
                    return event
    raise KeyboardInterrupt
