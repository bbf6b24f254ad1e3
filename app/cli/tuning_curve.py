"""`stepscope models tune-curve`: what fine-tuning brings, by rank and by moves, as numbers and as a drawing."""

from __future__ import annotations

import re
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, SetOption, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.app.cli.tuning import show_tuning, tuning_data
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
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.report_numbers import interval_words, number_words, title_of_metric
from stepscope.core.evaluation.tuning_curve import TuningCurve
from stepscope.core.lazy import lazy_module
from stepscope.models.checkpoints.lora_settings import MOST_MOVES, LoraSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from stepscope.app.services import checkpoint_tuning, tuning_curves, tuning_lessons
    from stepscope.app.services.tuning_curves import CurveEvent, CurveRequest
    from stepscope.app.services.tuning_lessons import TuningData
    from stepscope.core.progress import CancelToken, Progress
    from stepscope.core.store.engine import Database
else:
    checkpoint_tuning = lazy_module("stepscope.app.services.checkpoint_tuning")
    tuning_curves = lazy_module("stepscope.app.services.tuning_curves")
    tuning_lessons = lazy_module("stepscope.app.services.tuning_lessons")

_USUAL = LoraSettings(epochs=2)


def tune_curve(
    context: typer.Context,
    model: TunedModel,
    data: TuningPaths,
    test: Annotated[Path, typer.Option("--test", metavar="PATH", help="Episodes to measure on.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Stem of the tuned models: NAME-r16, NAME-r64.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="curve.svg, curve.csv and curve.json go there.")],
    ranks: Annotated[str, typer.Option(metavar="N,N,…", help="Of the matrices, one training each.")] = "16,64",
    every: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_MOVES, help="Moves between two measurements.")
    ] = 200,
    epochs: EpochsOption = _USUAL.epochs,
    split: LearnedSplit = "",
    test_split: Annotated[str, typer.Option(metavar="S", help="Measure on this split of the test data only.")] = "",
    limit: LearnedLimit = None,
    test_limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Measure on the first N episodes only.")
    ] = None,
    filter: FilterOption = None,
    mixture: MixtureOption = "",
    preset: PresetOption = "",
    alpha: AlphaOption = _USUAL.alpha,
    dropout: DropoutOption = _USUAL.dropout,
    rate: RateOption = _USUAL.rate,
    batch: BatchOption = _USUAL.batch,
    warmup: WarmupOption = _USUAL.warmup,
    seed: TuningSeed = 0,
    vision: VisionFlag = False,
    keep_every: KeepEveryOption = _USUAL.keep_every,
    protocol: Annotated[str, typer.Option(metavar="P", help="The rule; the task's own unless given.")] = "",
    set: SetOption = None,
    again: AgainFlag = False,
    device: DeviceOption = "auto",
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where items failed. Raises KeyboardInterrupt when stopped, with what was done kept."""
    from stepscope.core.domain.filter_parser import parse
    from stepscope.core.scoring.options import parse_assignments

    several = _ranks(ranks)
    settings = LoraSettings(
        several[0], alpha, dropout, rate, batch, epochs, warmup, vision=vision, seed=seed, keep_every=keep_every,
        snapshots=every,
    )  # fmt: skip
    if out.exists() and not out.is_dir():
        raise UsageError("this is no folder.", place=out, hint="Name a folder with --out.")
    chosen = with_preset(context, settings, preset, without=("rank", "epochs"))
    tuning = checkpoint_tuning.TuningRequest(
        model, name, split, limit, parse(filter or ""), chosen, device, again=again,
        mixture=tuning_lessons.mixture_of(mixture),
    )  # fmt: skip
    options = tuple(parse_assignments(set or ()).items())
    request = tuning_curves.CurveRequest(tuning, several, protocol, options, test_split, test_limit)
    tuning_curves.check_curve(request)
    with opened(store) as database, cancelled_by_signals() as token:
        learned = tuning_data(database, data, format, tuning.query, token)
        measured = tuning_data(database, [test], None, request.query, token)[0]
        curve = _work(database, learned, measured, request, token)
    files = tuning_curves.write_curve(curve, out)
    if json:
        print_json(curve.form() | {"files": [str(one) for one in files]})
    else:
        _show(curve)
        say("", *(str(one) for one in files))
    if curve.learned:
        tell(f"stepscope: warning: {curve.learned:,} of the {curve.episodes:,} episodes that are measured on were "
             "learned from: the curve says how well they are known by heart.")  # fmt: skip
    return SOME_FAILED if any(one.errors for one in curve.points) else DONE


def _ranks(text: str) -> tuple[int, ...]:
    """Numbers with commas between them. Raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,5}", part) for part in parts):
        raise UsageError(f"--ranks {text!r} are no ranks.", hint="Give whole numbers, such as 16,64.")
    return tuple(int(part) for part in parts)


def _work(
    database: Database, data: Sequence[TuningData], test: TuningData, request: CurveRequest, token: CancelToken
) -> TuningCurve:
    """Show what happens, to the end. Raises KeyboardInterrupt when stopped."""
    events = cast("Generator[CurveEvent]", tuning_curves.draw_curve(database, data, test, request, token))
    told = ""
    with closing(events), bar(f"Curve of {request.tuning.name}") as show:
        for event in events:
            match event:
                case tuning_curves.CurveTuning(rank, _, inner):
                    if isinstance(inner, checkpoint_tuning.TunedCheckpoint):
                        tell(f"stepscope: {inner.model} is in {inner.folder}")
                    else:
                        show_tuning(inner, partial(_show_at_rank, show, rank))
                case tuning_curves.CurveMeasuring():
                    if event.run != told:
                        told = event.run
                        of = f" of {event.total}" if event.total else ""
                        end = "is done already" if event.finished else "begins"
                        tell(f"stepscope: model {event.number}{of}: run {event.run}: {event.model}: {end}")
                    show(event.progress, event.model)
                case tuning_curves.CurveStopped():
                    tell("stepscope: stopped; the same command goes on from there.")
                    raise KeyboardInterrupt
                case TuningCurve():
                    return event
    raise KeyboardInterrupt


def _show_at_rank(show: Callable[[Progress, str], None], rank: int, progress: Progress, words: str) -> None:
    show(progress, f"Rank {rank}: {words}")


def _show(curve: TuningCurve) -> None:
    """The table for a reader."""
    say(f"{curve.model} fine-tuned, on {number_of(curve.episodes, 'episodes')} of {curve.data} under {curve.protocol}")
    titles = [title_of_metric(one) for one in curve.shown]
    columns = ["rank", "moves", "epochs", *(part for one in titles for part in (one, "95 %"))]
    rows = []
    for point in curve.points:
        cells: list[object] = [point.rank or "", f"{point.moves:,}", f"{point.epochs:.2f}"]
        for name in curve.shown:
            line = point.line(name)
            cells += ["", ""] if line is None else [number_words(line.value), interval_words(line.interval)]
        rows.append(cells)
    table(columns, rows, numbers=["rank", "moves", "epochs", *titles])
