"""`stepscope models train` and `stepscope models export`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import FilterOption, FormatOption, JsonFlag, StoreOption, finite
from stepscope.app.cli.frame import DONE, SOME_FAILED
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.stores import opened
from stepscope.core.domain.run import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services import training
    from stepscope.app.services.training import Event
    from stepscope.models.learned.card import ModelCard
    from stepscope.models.learned.recipe import Hyper
else:
    training = lazy_module("stepscope.app.services.training")

_SHOWN = 5
"""Episodes that are named of those from which nothing could be learned."""


def register(group: typer.Typer) -> None:
    """Adds `train` and `export` to the group."""
    group.command("train", help="Train a model on episodes; stopped, the same command goes on.")(train)
    group.command("export", help="Write a trained model for another runtime.")(export)


def train(
    task: Annotated[str, typer.Argument(metavar="TASK", help="automation, feasibility, goal, ordering or ask.")],
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="Episodes to learn from.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Where the model goes.")] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What it is called; the recipe's name else.")
    ] = "",
    recipe: Annotated[str, typer.Option(metavar="NAME", help="What is trained; the task's first recipe else.")] = "",
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
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where it computes.")] = "auto",
    onnx: Annotated[bool, typer.Option("--onnx/--no-onnx", help="Write the ONNX file too.")] = True,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.cli.evaluate import index, parse_task
    from stepscope.core.domain.filter_parser import parse

    wanted = training.TrainingRequest(
        parse_task(task),
        recipe=recipe,
        name=name,
        folder=out.resolve() if out else None,
        train=train_split,
        validation=validation_split,
        held_out=held_out_split,
        query=parse(filter or ""),
        device=device,
        onnx=onnx,
    )
    found = training.checked_recipe(wanted)
    wanted = replace(wanted, hyper=_hyper(found.hyper, epochs, rate, batch, patience, seed))
    with opened(store) as database, cancelled_by_signals() as token:
        indexed = index(database, data, format, token, wanted.query)
        if indexed is None:
            raise KeyboardInterrupt
        events = training.train(database, indexed.source, indexed.source_id, wanted, token)
        return _report(_told(events), json)


def _hyper(
    own: Hyper, epochs: int | None, rate: float | None, batch: int | None, patience: int | None, seeds: list[int] | None
) -> Hyper:
    """The recipe's settings with those that were given."""
    given = {"epochs": epochs, "rate": rate, "batch": batch, "patience": patience}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if seeds:
        changes["seeds"] = tuple(dict.fromkeys(seeds))
    return replace(own, **changes)


def _told(events: Iterator[Event]) -> Event | None:
    """Show what happens; the last event."""
    from stepscope.models.training.loop import TrainingWarning
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
                        f"stepscope: seed {last.seed}, epoch {last.epoch + 1} of {last.epochs}: loss "
                        f"{last.train_loss:.4f}, validation {last.validation_loss:.4f}, {last.measure:.4f}{mark}"
                    )
                case TrainingWarning(seed, text):
                    tell(f"stepscope: warning: seed {seed}: {text}")
    return last


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
    from stepscope.models.learned.recipes import recipe
    from stepscope.models.training.save import export as write

    if format != "onnx":
        raise UsageError(f"there is no format {format!r}.", hint="Give --format onnx.")
    trained = find_trained(name)
    if trained is None:
        raise UsageError(f"{name!r} is no trained model.", hint="See 'stepscope models list', or name its folder.")
    file = write(trained, recipe(trained.card.recipe), out.resolve() if out else None)
    if json:
        print_json({"model": trained.card.name, "file": str(file)})
    else:
        say(f"{trained.card.name} is in {file}; it agrees with torch.")
    return DONE
