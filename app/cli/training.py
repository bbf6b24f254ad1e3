"""`stepscope models train` and `stepscope models export`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, StoreOption, finite
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.cli import evaluate
    from stepscope.app.services import training, training_config
    from stepscope.app.services.training import Event, TrainingSource
    from stepscope.core.domain.filter import Query
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.engine import Database
    from stepscope.models.learned.card import ModelCard
    from stepscope.models.training.pace import TrainingPace
else:
    evaluate = lazy_module("stepscope.app.cli.evaluate")
    training = lazy_module("stepscope.app.services.training")
    training_config = lazy_module("stepscope.app.services.training_config")

_SHOWN = 5
"""Episodes that are named of those from which nothing could be learned."""


def train(
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="automation, feasibility, goal, ordering, ask or affordance.")
    ],
    data: Annotated[
        list[str],
        typer.Option(
            "--data",
            metavar="PATH[:WEIGHT]",
            help="Episodes to learn from; several times for several, :0.3 for a third of one in each epoch.",
        ),
    ],
    train_data: Annotated[
        list[Path] | None,
        typer.Option(
            "--train-data", metavar="PATH", help="Further episodes, all learned from but for what is to be unseen."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Where the model goes.")] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What it is called; the recipe's name else.")
    ] = "",
    recipe: Annotated[str, typer.Option(metavar="NAME", help="What is trained; the task's first recipe else.")] = "",
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Published settings; see 'stepscope models presets'.")
    ] = "",
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings of your own, in TOML.")] = None,
    texts: Annotated[
        str, typer.Option(metavar="ENCODER", help="What reads texts; a+b for two. See 'stepscope weights list'.")
    ] = "",
    views: Annotated[str, typer.Option(metavar="ENCODER", help="What looks at pictures.")] = "",
    classifier: Annotated[
        str, typer.Option(metavar="NAME", help="Of motif-feasibility: what it reads, such as clip(screen,et,id)+cat.")
    ] = "",
    language: Annotated[
        str, typer.Option(metavar="goal|instruction|both", help="Of motif-feasibility: what its command is.")
    ] = "",
    freeze: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Of a tuned recipe: parameters of these names are not learned."),
    ] = None,
    lora: Annotated[
        int, typer.Option(metavar="RANK", min=0, max=1024, help="Of a tuned recipe: LoRA of this rank; 0 for none.")
    ] = 0,
    layers: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=1000, help="Of berson: the first layers of its text encoder; 0 all."),
    ] = None,
    grid: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=64, help="Of berson: patches a side of a picture; 0 as they come."),
    ] = None,
    encoder_rate: Annotated[
        float | None,
        typer.Option(
            metavar="X", min=0.0, callback=finite, help="Of a tuned recipe: its encoders move at X times the rate."
        ),
    ] = None,
    head_first: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=LARGEST_NUMBER, help="Of a tuned recipe: for N epochs its encoders rest first."
        ),
    ] = None,
    drop_texts: Annotated[
        float | None,
        typer.Option(
            metavar="X", min=0.0, max=1.0, callback=finite, help="Of berson: the chance that it learns without words."
        ),
    ] = None,
    pretrain: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Epochs of pretraining before; 0 none.")
    ] = None,
    objectives: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Of the pretraining: mlm,isp,pisp,smrm; all else.")
    ] = None,
    train_split: Annotated[str, typer.Option(metavar="S", help="The split to learn from.")] = "train",
    validation_split: Annotated[str, typer.Option(metavar="S", help="The split to stop and choose by.")] = "validation",
    held_out_split: Annotated[str, typer.Option(metavar="S", help="The split to measure on.")] = "app_unseen",
    filter: FilterOption = None,
    seed: Annotated[
        list[int] | None, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="Once for each training.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="At most so many.")] = None,
    rate: Annotated[
        float | None, typer.Option(metavar="X", min=0.0, callback=finite, help="The learning rate.")
    ] = None,
    batch: Annotated[int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Items a step.")] = None,
    patience: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Epochs without a better one.")
    ] = None,
    optimizer: Annotated[str | None, typer.Option(metavar="adamw|adam|sgd", help="How weights are moved.")] = None,
    momentum: Annotated[float | None, typer.Option(metavar="X", min=0.0, callback=finite, help="Of sgd.")] = None,
    weight_decay: Annotated[
        float | None, typer.Option(metavar="X", min=0.0, callback=finite, help="Pulls weights towards 0.")
    ] = None,
    schedule: Annotated[
        str | None, typer.Option(metavar="constant|linear|cosine", help="How the learning rate goes.")
    ] = None,
    warmup: Annotated[
        float | None, typer.Option(metavar="X", min=0.0, max=1.0, help="The share of all steps in which it rises.")
    ] = None,
    clip: Annotated[
        float | None, typer.Option(metavar="X", min=0.0, callback=finite, help="The longest gradient; 0 for any.")
    ] = None,
    accumulate: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Parts that a batch is computed in.")
    ] = None,
    precision: Annotated[
        str | None, typer.Option(metavar="auto|float32|bfloat16|float16", help="The numbers it computes with.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=-1, max=64, help="Processes that make batches ready; -1 chooses.")
    ] = None,
    side_by_side: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=64, help="So many seeds are trained at the same time.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=1024, help="Threads on a processor; 0 for all.")
    ] = None,
    prefixes: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=20, help="Copies of each item, cut after even shares of its steps."),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="What the recipe does without: pictures of feasibility-set, …"),
    ] = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it computes.")] = "auto",
    onnx: Annotated[bool, typer.Option("--onnx/--no-onnx", help="Write the ONNX file too.")] = True,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.core.domain.filter_parser import parse
    from stepscope.models.learned.encoder_choice import ClassifierChoice, Tuning

    given = [training_config.preset(preset)] if preset else []
    given += [training_config.read_config(config)] if config else []
    encoders = training_config.encoders_over(given, texts, views)
    wanted = training.TrainingRequest(
        evaluate.parse_task(task),
        recipe=recipe or next((one.recipe for one in reversed(given) if one.recipe), ""),
        name=name,
        folder=out.resolve() if out else None,
        train=train_split,
        validation=validation_split,
        held_out=held_out_split,
        query=parse(filter or ""),
        device=device,
        onnx=onnx,
        encoders=encoders,
        tuning=Tuning(tuple(freeze or ()), lora),
        choice=training_config.choice_over(given, ClassifierChoice(classifier, language)),
    )
    options = {
        "epochs": epochs, "rate": rate, "batch": batch, "patience": patience, "optimizer": optimizer,
        "momentum": momentum, "weight_decay": weight_decay, "schedule": schedule, "warmup": warmup, "clip": clip,
        "accumulate": accumulate, "precision": precision, "workers": workers, "side_by_side": side_by_side,
        "threads": threads, "prefixes": prefixes, "without": without,
        "pretrain": pretrain, "objectives": objectives, "layers": layers, "grid": grid,
        "encoder_rate": encoder_rate, "head_first": head_first, "drop_texts": drop_texts,
        "seeds": tuple(dict.fromkeys(seed)) if seed else None,
    }  # fmt: skip
    own = training.checked_recipe(wanted).hyper
    hyper = training_config.hyper_over(own, wanted.task, given, options)
    wanted = replace(wanted, hyper=hyper)
    parts = [(*training_config.weighted(one), False) for one in data]
    parts += [(one, 1.0, True) for one in train_data or []]
    with opened(store) as database, cancelled_by_signals() as token:
        sources = _sources(database, parts, format, token, wanted.query)
        if not sources:  # it trains along, and the first process tells
            _told(training.train(database, (), wanted, token))
            return DONE
        return _report(_told(training.train(database, sources, wanted, token)), json)


def _sources(
    database: Database, parts: Sequence[tuple[Path, float, bool]], format: str | None, token: CancelToken, query: Query
) -> list[TrainingSource]:
    """The data sets, indexed; in a process that trains along with another's data, none. Raises KeyboardInterrupt."""
    from stepscope.models.training.distributed import follows

    found: list[TrainingSource] = []
    for path, weight, further in () if follows() else parts:
        indexed = evaluate.index(database, path, None if further else format, token, query)
        if indexed is None:
            raise KeyboardInterrupt
        found.append(training.TrainingSource(indexed.source, indexed.source_id, weight, further))
    return found


def presets(json: JsonFlag = False) -> int:
    found = training_config.presets()
    if json:
        print_json([
            {"name": one.name, "task": one.task.value if one.task else None, "title": one.title, "source": one.source,
             "settings": dict(one.settings)}
            for one in found
        ])  # fmt: skip
    else:
        table(
            ["preset", "task", "title", "source"], [(one.name, one.task or "", one.title, one.source) for one in found]
        )
    return DONE


def _told(events: Iterator[Event]) -> Event | None:
    """Show what happens; the last event."""
    from stepscope.models.training.loop import TrainingWarning
    from stepscope.models.training.pace import TrainingPace
    from stepscope.models.training.state import Epoch

    last: Event | None = None
    with closing(cast("Generator[Event]", events)), bar("Training") as show:
        for last in events:
            match last:
                case training.Stage(doing, progress):
                    if progress is not None:
                        show(progress, doing)
                    else:
                        tell(f"stepscope: {doing} …")
                case training.SkippedEpisodes(split, reasons):
                    tell(f"stepscope: warning: nothing to learn from {number_of(len(reasons), 'items')} of {split}:")
                    for episode, why in reasons[:_SHOWN]:
                        tell(f"stepscope:   {episode}: {why}")
                case Epoch():
                    mark = " (best)" if last.best else ""
                    tell(
                        f"stepscope: {_stage(last.stage)}seed {last.seed}, epoch {last.epoch + 1} of {last.epochs}: "
                        f"loss {last.train_loss:.4f}, validation {last.validation_loss:.4f}, {last.measure:.4f}{mark}"
                    )
                case TrainingPace():
                    show(Progress(last.batch, last.batches, last.items_per_second), _pace(last))
                case TrainingWarning(seed, text):
                    tell(f"stepscope: warning: seed {seed}: {text}")
    return last


def _stage(stage: str) -> str:
    return f"{stage}, " if stage else ""


def _pace(pace: TrainingPace) -> str:
    """Where a training is in an epoch, where its time goes and what it takes."""
    shares = f"data {pace.data:.0%}, forward {pace.forward:.0%}, backward {pace.backward:.0%}"
    gpu = f", GPU {pace.gpu_memory / 1e9:.1f} GB" if pace.gpu_memory else ""
    where = f"{_stage(pace.stage)}seed {pace.seed}, epoch {pace.epoch + 1} of {pace.epochs}"
    return f"{where}: loss {pace.loss:.4f}; {shares}; {pace.memory / 1e9:.1f} GB{gpu}"


def _report(last: Event | None, json: bool) -> int:
    if isinstance(last, training.TrainingCancelled):
        tell(f"stepscope: stopped after {number_of(last.epochs, 'epochs')}; the same command goes on from there.")
        raise KeyboardInterrupt
    if not isinstance(last, training.TrainingFinished):
        return SOME_FAILED
    card = last.trained.card
    if json:
        print_json({"model": card.name, "folder": str(last.trained.folder), "task": card.task.value, **_numbers(card)})
        return DONE
    say(f"{card.name} is in {last.trained.folder}", "")
    held_out = card.held_out
    if held_out:
        ci = held_out["ci"]
        rows = [(name, value, _interval(ci.get(name))) for name, value in held_out["metrics"].items()]
        table([f"{card.data['splits']['held_out']['name']}, n {held_out['n']}", "value", "95 % interval"], rows)
        rows = [(name, one["difference"], _interval(one["ci"])) for name, one in held_out["against"].items()]
        table([f"{held_out['metric']} against", "difference", "95 % interval"], rows)
    if card.note:
        say("", card.note)
    return DONE


def _numbers(card: ModelCard) -> dict[str, Any]:
    return {"seeds": list(card.seeds), "held_out": dict(card.held_out), "data": dict(card.data), "note": card.note}


def _interval(found: list[float] | None) -> str:
    return "–" if found is None else f"{found[0]:.3f} – {found[1]:.3f}"


def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A trained model's name or folder.")],
    format: Annotated[str, typer.Option(metavar="onnx", help="What to write.")] = "onnx",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Beside the weights unless given.")] = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.models.learned.model_folders import find_trained
    from stepscope.models.learned.recipe import can_export
    from stepscope.models.learned.recipes import recipe_of
    from stepscope.models.training.save import export as write

    if format != "onnx":
        raise UsageError(f"there is no format {format!r}.", hint="Give --format onnx.")
    trained = find_trained(name)
    if trained is None:
        raise UsageError(f"{name!r} is no trained model.", hint="See 'stepscope models list', or name its folder.")
    recipe = recipe_of(trained.card)
    if not can_export(recipe):
        raise UsageError(f"{trained.card.recipe} searches, and is no one graph.", hint="It runs in torch alone.")
    file = write(trained, recipe, out.resolve() if out else None)
    if json:
        print_json({"model": trained.card.name, "file": str(file)})
    else:
        say(f"{trained.card.name} is in {file}; it agrees with torch.")
    return DONE
