"""Options that the commands of fine-tuning share, and presets behind them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from stepscope.app.cli.arguments import finite
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.models.checkpoints.lora_settings import (
    MOST_BATCH,
    MOST_MOVES,
    MOST_RANK,
    PRESETS,
    LoraSettings,
    preset_values,
)

TunedModel = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A checkpoint as it is to be asked: local:NAME for goals, local:NAME#automation, local:NAME#ask.",
    ),
]
TuningPaths = Annotated[list[Path], typer.Option("--data", metavar="PATH", help="Episodes to learn from; repeat it.")]
MixtureOption = Annotated[
    str,
    typer.Option(
        metavar="full,ambiguous",
        help="Of #ask: teach whole goals, goals that leave something out, or both; each episode as it is else.",
    ),
]
PresetOption = Annotated[
    str,
    typer.Option(metavar="NAME", help=f"Settings as published, {' or '.join(PRESETS)}; what is given here counts."),
]
AlphaOption = Annotated[
    int, typer.Option(metavar="N", min=0, max=2 * MOST_RANK, help="Their weight is alpha/rank; 0: alpha 2 × rank.")
]
DropoutOption = Annotated[
    float, typer.Option(metavar="X", min=0.0, max=0.9, callback=finite, help="Share of inputs left out.")
]
RateOption = Annotated[float, typer.Option(metavar="X", min=0.0, max=1.0, callback=finite, help="The learning rate.")]
BatchOption = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST_BATCH, help="Examples a move, one after the other.")
]
EpochsOption = Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Times that each example is seen.")]
WarmupOption = Annotated[
    float,
    typer.Option(metavar="X", min=0.0, max=1.0, callback=finite, help="Share of moves in which the rate rises."),
]
TuningSeed = Annotated[int, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Of order and weights.")]
VisionFlag = Annotated[bool, typer.Option("--vision", help="Tune the layers that look at pictures too.")]
KeepEveryOption = Annotated[
    int, typer.Option(metavar="N", min=1, max=MOST_MOVES, help="Moves after which the state is kept.")
]
AgainFlag = Annotated[bool, typer.Option("--again", help="Begin anew, in the place of what has that name.")]
DeviceOption = Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it computes.")]
LearnedSplit = Annotated[str, typer.Option(metavar="S", help="Only episodes of this split.")]
LearnedLimit = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N of each data set.")
]


def with_preset(
    context: typer.Context, settings: LoraSettings, preset: str, without: Collection[str] = ()
) -> LoraSettings:
    """The settings with what the preset says wherever the command does not, but for what is named in `without`. Raises
    UsageError for a preset that there is not."""
    values = preset_values(preset) if preset else {}
    usual = {name: value for name, value in values.items() if name not in without and not _is_given(context, name)}
    return replace(settings, **usual)  # type: ignore[arg-type]


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
