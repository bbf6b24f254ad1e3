"""`stepscope episode`: one episode in normalised form, or with `-o` as animation, page or picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import (
    DataPath,
    FormatOption,
    JsonFlag,
    SetOption,
    ShownAsOption,
    StoreOption,
    StrengthOption,
    finite,
)
from stepscope.app.cli.data import opened_as, read_episode, tell_problems
from stepscope.app.cli.output import print_json, say, table
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain import wire_other
    from stepscope.core.domain.episode import Episode
    from stepscope.core.sources.source import Source
else:
    wire_other = lazy_module("stepscope.core.domain.wire_other")


def episode(
    path: DataPath,
    id: Annotated[str, typer.Argument(metavar="ID", help="The episode's id.")],
    format: FormatOption = None,
    json: JsonFlag = False,
    view: ShownAsOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write .webp, .mp4, .html or .png instead.")
    ] = None,
    layer: Annotated[
        list[str] | None, typer.Option(metavar="gold,pred,tree,tolerance", help="Layers to draw, as for render (-o).")
    ] = None,
    strength: StrengthOption = None,
    predictions: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Show this file's predictions; repeat for more (-o).")
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option(metavar="RUN", help="Show a stored run's predictions; repeat for more (-o).")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(metavar="P", help="The rule to judge by; the run's, else aitw (-o).")
    ] = None,
    set: SetOption = None,
    size: Annotated[
        str | None, typer.Option(metavar="small|medium|large", help="How large pictures become at most (-o).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, max=60, callback=finite, help="How long a step stays, 1.5 without it (animations)."),
    ] = None,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Each step stays as long as it was recorded (animations).")
    ] = False,
    store: StoreOption = None,
) -> int:
    """Prints the episode, or writes the file of `output`; its exit status. Raises UsageError for options that do not go
    together and for an unknown id."""
    drawing = (layer, strength, predictions, run, protocol, set, size, seconds, recorded, store)
    if output is None and any(drawing):
        hint = "Name a file with -o, or leave them out."
        raise UsageError("options of a drawn episode mean nothing without a file to draw into.", hint=hint)
    if output is None:
        return _print_episode(path, id, format, json, view)
    if json or view is not None:
        raise UsageError("-o goes without --json and --as.", hint="Leave one of them out.")
    from stepscope.app.cli.episode_export import EpisodeExportOptions, export_episode

    given = (layer or [], strength or [], predictions or [], run or [])
    chosen = EpisodeExportOptions(*given, protocol, set or [], size, seconds, recorded, store)
    return export_episode(opened_as(path, format, None), id, output, chosen)


def _print_episode(path: Path, id: str, format: str | None, json: bool, view: str | None) -> int:
    from stepscope.core.domain.wire import episode_to_json

    source = opened_as(path, format, None if view == "asks" else view, ("procedures", "asks"))
    if json and view == "procedures":
        return _print_procedure(source, id)
    found = read_episode(source, id)
    tell_problems(found)
    if view == "asks":
        return _print_asks(found, json)
    form = episode_to_json(found)
    if json:
        print_json(form | _other_form(source, id))
    else:
        _show_episode(found, form)
    return 0


def _print_procedure(source: Source, id: str) -> int:
    from stepscope.core.sources.procedures import read_procedure

    print_json(wire_other.procedure_to_json(read_procedure(source, id)))
    return 0


def _print_asks(found: Episode, json: bool) -> int:
    from stepscope.core.sources.ask_records import ask_record_of

    record = ask_record_of(found)
    if json:
        print_json(record)
        return 0
    original, ambiguous = record["original_task"], record["ambiguous_task"]
    say(found.id, f"Original task: {original or '–'}", f"Ambiguous task: {ambiguous or '–'}")
    columns = ["step", "question", "answer", "kind"]
    table(columns, [[ask[name] for name in columns] for ask in record["asks"]], numbers=["step"])
    return 0


def _other_form(source: Source, id: str) -> dict[str, Any]:
    """What an episode that stands for a procedure or a web task's page is itself."""
    from stepscope.core.sources.source import ProcedureSource, WebTaskSource

    try:
        if isinstance(source, WebTaskSource):
            instance = source.read_instance(id)
            return {"instance": wire_other.instance_to_json(instance, source.read_task(instance.task))}
        if isinstance(source, ProcedureSource):
            return {"procedure": wire_other.procedure_to_json(source.read_procedure(id))}
    except UsageError:
        pass  # one of several formats in a folder: an episode after all
    return {}


def _show_episode(found: Episode, form: dict[str, Any]) -> None:
    say(
        f"{found.id} ({found.format}, {found.platform.value})", f"Goal: {found.goal or '–'}", f"App: {found.app or '–'}"
    )
    label = found.feasibility.label
    if label is not None:
        reason = found.feasibility.reason
        say(f"Feasibility: {label.value}{f' ({reason.value})' if reason else ''}")
    for question in found.feasibility.follow_up:
        say(f"Follow-up: {question}")
    for ask in found.asks:
        say(f"Ask at step {ask.step}: {ask.question} → {ask.answer}")
    rows = []
    for step in form["steps"]:
        seen = step["observation"]
        size = "{} × {}".format(*seen["size"])
        rows.append([step["index"], action_words(step["action"]), step["instruction"], size, seen["elements"]])
    table(["step", "action", "instruction", "size", "elements"], rows, numbers=["step", "elements"])


def action_words(form: dict[str, Any] | None) -> str:
    """An action's JSON form in one line."""
    if form is None:
        return ""
    words = [form["kind"]]
    for name in ("point", "to"):
        if form[name] is not None:
            words.append(f"{'→ ' if name == 'to' else ''}({form[name][0]:.0f}, {form[name][1]:.0f})")
    words += [str(form[name]) for name in ("direction", "key", "status") if form.get(name)]
    if form["text"] is not None:
        words.append(f"“{form['text']}”")
    if form["target"] and form["target"]["text"]:
        words.append(f"on “{form['target']['text']}”")
    return " ".join(words)
