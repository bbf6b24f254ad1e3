"""`stepscope goals`: the words in which models are asked for goals, and exactly what they are sent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import FormatOption, JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import goal_preview
    from stepscope.app.services.goal_preview import GoalPreview
    from stepscope.models.goal import prompts
    from stepscope.models.goal.prompts import GoalPrompt
else:
    goal_preview = lazy_module("stepscope.app.services.goal_preview")
    prompts = lazy_module("stepscope.models.goal.prompts")

COMMANDS = {
    "prompts": CommandRow("The prompts that there are, one line each.", lambda: list_prompts),
    "prompt": CommandRow("The words of a prompt, its version and its file.", lambda: show_prompt),
    "copy": CommandRow("Copy a prompt among your own, to be changed.", lambda: copy_prompt),
    "preview": CommandRow("Exactly what a model would be sent of an episode.", lambda: show_preview),
}

_SAMPLE_HINT = "Name an episode with --episode; stepscope inspect PATH lists them."


def list_prompts(json: JsonFlag = False) -> int:
    """Gives 0."""
    known, problems = prompts.goal_prompts()
    for problem in problems:
        tell(f"stepscope: warning: {problem}")
    if json:
        print_json([_form(one) for one in known.values()])
    else:
        columns = ["name", "title", "version", "answer", "own"]
        table(columns, [[str(_form(one)[name]) for name in columns] for one in known.values()])
    return DONE


def show_prompt(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The prompt's name.")], json: JsonFlag = False
) -> int:
    """Gives 0."""
    found = prompts.goal_prompt(name)
    if json:
        print_json(_form(found) | {"words": prompts.words_of(found)})
        return DONE
    say(
        f"{found.title} ({found.name}), version {found.version}", f"Source: {found.source}", f"{prompts.file_of(found)}"
    )
    for place, words in prompts.words_of(found).items():
        say("", f"{place}:", *(words.splitlines() or ["(nothing)"]))
    return DONE


def copy_prompt(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The prompt that is copied.")],
    own: Annotated[str, typer.Argument(metavar="OWN", help="What your own is called.")],
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    kept = prompts.save_prompt(prompts.goal_prompt(name), own, {})
    if json:
        print_json(_form(kept))
    else:
        say(f"Change {prompts.file_of(kept)}, and ask with ?prompt={kept.name} behind a model's name.")
    return DONE


def show_preview(
    model: Annotated[str, typer.Argument(metavar="MODEL|PROMPT", help="A model with its settings, or a prompt.")],
    data: Annotated[Path, typer.Argument(metavar="PATH", help="The data.")],
    episode: Annotated[str | None, typer.Option(metavar="ID", help="The episode; the first else.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Write the pictures there as JPEG.")
    ] = None,
    format: FormatOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where there is nothing to send."""
    from stepscope.core.domain.model_name import is_asked

    settings = goal_preview.settings_of_model(model) if is_asked(model) else goal_preview.settings_of_prompt(model)
    found = goal_preview.preview(_episode(data, format, episode), settings, model if is_asked(model) else "")
    files = _written(found, output) if output is not None else []
    if json:
        print_json(_preview_form(found) | {"files": [str(one) for one in files]})
    else:
        _show(found)
    return DONE if not found.why else SOME_FAILED


def _episode(data: Path, format: str | None, name: str | None) -> Any:
    from stepscope.core.domain.episode import EpisodeSummary
    from stepscope.core.sources.registry import open_source

    source = open_source(data, format)
    if name is not None:
        return source.read(name)
    found = next((one for one in source.scan() if isinstance(one, EpisodeSummary)), None)
    if found is None:
        raise UserError("there is no episode.", place=data, hint=_SAMPLE_HINT)
    return source.read(found.id, found.place)


def _written(found: GoalPreview, folder: Path) -> list[Path]:
    """The files of the pictures, in the order in which they are sent."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, and not an empty folder.", hint="Name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [part for one in found.messages for part in one.parts if isinstance(part, bytes)]
    files = [folder / f"{number:03d}.jpg" for number in range(1, len(pictures) + 1)]
    for file, data in zip(files, pictures, strict=True):
        write_file(file, lambda stream, data=data: stream.write(data))  # type: ignore[misc]
    return files


def _show(found: GoalPreview) -> None:
    if found.why:
        say(f"{found.episode}: nothing is sent. {found.why}")
        return
    for message in found.messages:
        say(f"[{message.role}]")
        for part in message.parts:
            say(*(part.splitlines() if isinstance(part, str) else [_picture(part)]))
        say("")
    size = found.size
    say(
        f"{found.episode}, prompt {found.prompt}: {size.pictures} pictures, {size.letters:,} letters, about "
        f"{size.tokens:,} tokens."
    )


def _picture(data: bytes) -> str:
    from stepscope.core.imaging.probe import probe_bytes

    size = probe_bytes(data).size
    return f"<picture of {size.width} × {size.height}, {len(data):,} bytes>"


def _preview_form(found: GoalPreview) -> dict[str, Any]:
    return {
        "episode": found.episode,
        "model": found.model or None,
        "prompt": found.prompt,
        "why": found.why or None,
        "messages": [
            {
                "role": one.role,
                "parts": [{"text": part} if isinstance(part, str) else {"picture": _picture(part)[1:-1]}
                          for part in one.parts],
            }
            for one in found.messages
        ],
        "pictures": found.size.pictures,
        "letters": found.size.letters,
        "tokens": found.size.tokens,
    }  # fmt: skip


def _form(found: GoalPrompt) -> dict[str, Any]:
    return {
        "name": found.name,
        "title": found.title,
        "version": found.version,
        "answer": found.answer,
        "source": found.source,
        "examples": list(found.examples),
        "digest": found.digest,
        "own": prompts.is_own(found),
        "file": str(prompts.file_of(found)),
    }
