"""`stepscope servers`: the chat servers that models are asked from, and their keys."""

from __future__ import annotations

import getpass
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag, finite
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import consents, redactions
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.chat import keys, privacy, servers
    from stepscope.models.chat.servers import ChatServer
else:
    consents = lazy_module("stepscope.app.cli.consents")
    redactions = lazy_module("stepscope.app.cli.redactions")
    adapters = lazy_module("stepscope.models.agents.adapter")
    keys = lazy_module("stepscope.models.chat.keys")
    privacy = lazy_module("stepscope.models.chat.privacy")
    servers = lazy_module("stepscope.models.chat.servers")

COMMANDS = {
    "list": CommandRow("All servers, one line each. Keys are never shown, only where they are.", lambda: list_servers),
    "only-here": CommandRow(
        "Whether only servers on this machine may be asked; with on or off, choose it.", lambda: only_here
    ),
    "sent": CommandRow("What was sent to which server and when, the newest first.", lambda: sent),
    "add": CommandRow("Add a server that speaks as OpenAI's does; nothing is sent before one is added.", lambda: add),
    "remove": CommandRow("Forget a server and its key.", lambda: remove),
    "check": CommandRow("Ask a server which models it has.", lambda: check),
    "consent": CommandRow(
        "Agree that a data set of people's recordings goes to a server on another machine, once for both.",
        lambda: consents.consent,
    ),
    "redact": CommandRow("Elements that are never sent, as password fields never are.", lambda: redactions.COMMANDS),
}

Name = Annotated[str, typer.Argument(metavar="NAME", help="The server's name.")]


def list_servers(json: JsonFlag = False) -> int:
    found = servers.load()
    if json:
        print_json([_form(one) for one in found])
    elif not found:
        say("There are no servers. Add one: stepscope servers add NAME URL.")
    else:
        columns = ["name", "url", "model", "timeout", "parallel", "pictures", "key"]
        table(columns, [[_form(one)[name] for name in columns] for one in found])
    return DONE


def only_here(
    wanted: Annotated[str | None, typer.Argument(metavar="[on|off]", help="The choice; none: what it is.")] = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    if wanted not in (None, "on", "off"):
        raise typer.BadParameter(f"{wanted} is neither on nor off.")
    if wanted is not None:
        privacy.allow_only_here(wanted == "on")
    if json:
        print_json({"only_here": privacy.only_here()})
    elif privacy.only_here():
        say("Only servers on this machine are asked; every other is refused.")
    else:
        say("Every server that was added is asked.")
    return DONE


def sent(
    most: Annotated[int, typer.Option("--limit", metavar="N", min=1, max=LARGEST_NUMBER, help="So many at most.")] = 50,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    found = privacy.sent_requests(most)
    if json:
        print_json([asdict(one) for one in found])
    elif not found:
        say("Nothing was sent yet.")
    else:
        columns = ["time", "server", "model", "letters", "pictures", "bytes", "outcome"]
        table(columns, [[asdict(one)[name] for name in columns] for one in found], numbers=columns[3:6])
    return DONE


def add(
    name: Name,
    url: Annotated[str, typer.Argument(metavar="URL", help="What comes before /chat/completions.")],
    model: Annotated[str, typer.Option("--model", metavar="M", help="The model to ask where none is named.")] = "",
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", callback=finite, help="Seconds for one answer.")
    ] = 120.0,
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", min=1, max=LARGEST_NUMBER, help="Requests at once.")
    ] = 4,
    text_only: Annotated[bool, typer.Option("--text-only", help="Send no pictures: the model reads text.")] = False,
    adapter: Annotated[
        str, typer.Option("--adapter", metavar="A", help="How its models speak as agents; by their names else.")
    ] = "",
    key: Annotated[
        bool, typer.Option("--key", help="Ask for the key (or read it from a pipe) and keep it in the keyring.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of a server of that name.")] = False,
    json: JsonFlag = False,
) -> int:
    if adapter:
        adapters.adapter_named(adapter)
    server = servers.ChatServer(name, url, model, timeout, parallel, not text_only, adapter)
    keep(server, replace=replace)
    if key:
        keys.set(name, read_key(name))
    if json:
        print_json(_form(server))
    else:
        tell(f"stepscope: added the server {name!r}")
    return DONE


def keep(server: ChatServer, *, replace: bool) -> None:
    """Keep the server, and warn where others can read what is sent to it. Raises UsageError for a name in use."""
    servers.add(server, replace=replace)
    if server.in_the_clear:
        tell(f"stepscope: warning: {server.url} is not encrypted: what is sent, key included, can be read on the way.")


def remove(name: Name) -> int:
    from stepscope.core.errors import UnavailableError

    servers.remove(name)
    with suppress(UnavailableError):  # no keyring, so no key in it
        keys.delete(name)
    tell(f"stepscope: forgot the server {name!r}")
    return DONE


def check(name: Name, json: JsonFlag = False) -> int:
    from stepscope.models.chat import client

    server = servers.find(name)
    found = client.check(server)
    known = server.model in found.models if server.model else None
    if json:
        print_json({**_form(server), "models": list(found.models), "seconds": found.seconds, "has_model": known})
        return DONE
    say(f"{name} answered in {found.seconds:.2f} s.")
    if found.models:
        say("Models:", *(f"  {model}" for model in found.models))
    if known is False:
        say(f"It does not list {server.model}, its model here.")
    return DONE


def _form(server: ChatServer) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(server), "key": keys.place(server.name)}


def read_key(name: str) -> str:
    """The key as it is typed, or read from a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass(f"Key of {name}: ")
    return sys.stdin.readline()
