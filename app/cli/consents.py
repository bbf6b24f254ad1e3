"""`stepscope servers consent`: which recordings of people may go to which server on another machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.chat import consents, servers
    from stepscope.models.chat.servers import ChatServer
else:
    consents = lazy_module("stepscope.models.chat.consents")
    servers = lazy_module("stepscope.models.chat.servers")

HELP = "Agree that a data set of people's recordings goes to a server on another machine, once for both."


def consent(
    path: Annotated[Path | None, typer.Argument(metavar="[PATH]", help="The data set; none: list.")] = None,
    server: Annotated[
        str, typer.Option("--server", metavar="NAME", help="The server; the only one that is elsewhere else.")
    ] = "",
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take it back, for every server where none is named.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="What was agreed.")] = False,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    if listed or path is None:
        if withdraw or server or (listed and path is not None):
            raise UsageError("A list is of everything that was agreed.", hint="Give PATH without --list.")
        return _list(json)
    if withdraw:
        gone = consents.withdraw(path, server)
        if json:
            print_json([asdict(one) for one in gone])
        else:
            tell(*(f"stepscope: not sent any more: {one.name}" for one in gone))
        return DONE
    if not path.exists():
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling.")
    given = consents.give(path, _server(server))
    if json:
        print_json(asdict(given))
    else:
        tell(f"stepscope: agreed: {given.name}")
    return DONE


def _list(json: bool) -> int:
    found = consents.load()
    if json:
        print_json([asdict(one) for one in found])
    elif not found:
        say("Nothing was agreed: no recording of a person goes to another machine.")
    else:
        table(["data", "server", "url", "given"], [[one.data, one.server, one.url, one.given] for one in found])
    return DONE


def _server(name: str) -> ChatServer:
    """The named one, else the only one on another machine. Raises UsageError."""
    if name:
        found = servers.find(name)
        if found.is_here:
            raise UsageError(f"{name} runs on this machine.", hint="It needs no consent.")
        return found
    elsewhere = [one for one in servers.load() if not one.is_here]
    if len(elsewhere) != 1:
        names = ", ".join(one.name for one in elsewhere) or "there is none on another machine"
        raise UsageError("For which server is this?", hint=f"Name it with --server: {names}.")
    return elsewhere[0]
