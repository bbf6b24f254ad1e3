"""`stepscope weights`: what encoders and models stand on, and whether it is here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import written_figure

if TYPE_CHECKING:
    from stepscope.app.services import weight_downloads, weights
    from stepscope.app.services.weights import WeightsRow
else:
    weights = lazy_module("stepscope.app.services.weights")
    weight_downloads = lazy_module("stepscope.app.services.weight_downloads")

COMMANDS = {
    "list": CommandRow("All weights that encoders and models want, one line each.", lambda: list_weights),
    "add": CommandRow("Add an encoder's weights: a file or a folder, which stays where it is.", lambda: add),
    "check": CommandRow(
        "Read the weights again and compare them with what they were; 1 when something is wrong.", lambda: check
    ),
    "where": CommandRow("Where the weights lie, one path a line.", lambda: where),
    "remove": CommandRow("Take an added encoder off the list; its files stay.", lambda: remove),
}

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="An encoder or a model [default: all].")]


def list_weights(json: JsonFlag = False) -> int:
    found = weights.rows()
    if json:
        print_json([one.form() for one in found])
    else:
        table(["name", "sort", "kind", "here", "size", "licence", "wanted by", "from"], [_line(one) for one in found])
    return DONE


def add(
    path: Annotated[Path | None, typer.Argument(metavar="PATH", help="File or folder of weights.")] = None,
    name: Annotated[str, typer.Option("--name", metavar="N", help="What to call it [default: as the file].")] = "",
    family: Annotated[
        str, typer.Option("--as", metavar="FAMILY", help="What it is [default: told by what lies there].")
    ] = "",
    architecture: Annotated[
        str, typer.Option("--architecture", metavar="A", help="Of a CLIP file: open_clip's name, such as ViT-B-32.")
    ] = "",
    tag: Annotated[
        str,
        typer.Option("--tag", metavar="T", help="Which published weights these are: openai, say, or IMAGENET1K_V2."),
    ] = "",
    download: Annotated[
        str,
        typer.Option(
            "--download",
            metavar="HUB/NAME",
            help="Fetch tensors, configs and tokenizer of a hub's model now, and add them.",
        ),
    ] = "",
    json: JsonFlag = False,
) -> int:
    if (path is None) == (not download):
        raise UsageError("Give either a PATH or --download HUB/NAME.", hint="See 'stepscope weights add --help'.")
    if download:
        tell(f"stepscope: fetching tensors, configs and tokenizer of {download} from its hub")
        path = weight_downloads.download(download)
        name = name or download.rpartition("/")[2].lower()
    assert path is not None
    found = weights.add(path, name, family, {"architecture": architecture, "tag": tag})
    if json:
        print_json({**weights.row_of(found.encoder.name).form(), "taken_for": found.taken_for})
    else:
        tell(f"stepscope: added {found.encoder.name}: {found.taken_for}")
    return DONE


def check(name: Name = None, json: JsonFlag = False) -> int:
    found = []
    for one in weights.check([name] if name else ()):
        found.append(one)
        if one.problem:
            tell(f"stepscope: {one.problem}")
    if json:
        print_json([{"name": one.name, "right": not one.problem, "problem": one.problem or None} for one in found])
    else:
        table(["name", "right"], [(one.name, not one.problem) for one in found])
    return SOME_FAILED if any(one.problem for one in found) else DONE


def where(name: Name = None, json: JsonFlag = False) -> int:
    found = [weights.row_of(name)] if name else weights.rows()
    if json:
        print_json({one.name: list(one.paths) for one in found})
    elif name:
        say(*(found[0].paths or (found[0].where_from,)))
    else:
        table(["name", "path"], [(one.name, path) for one in found for path in one.paths or ("",)])
    return DONE


def remove(name: Annotated[str, typer.Argument(metavar="NAME", help="The encoder's name.")]) -> int:
    weights.remove(name)
    tell(f"stepscope: {name} is off the list; its files are where they were")
    return DONE


def _line(one: WeightsRow) -> tuple[Any, ...]:
    size = written_figure("bytes", one.bytes) if one.bytes else ""
    return one.name, one.sort, one.kind, one.here, size, one.licence, ", ".join(one.wanted_by), one.where_from
