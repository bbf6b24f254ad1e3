"""What `stepscope models add` does with the URL of a server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.servers import keep, read_key
from stepscope.app.cli.statuses import DONE
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.chat import client, keys, servers
    from stepscope.models.chat.servers import ChatServer
else:
    adapters = lazy_module("stepscope.models.agents.adapter")
    client = lazy_module("stepscope.models.chat.client")
    keys = lazy_module("stepscope.models.chat.keys")
    servers = lazy_module("stepscope.models.chat.servers")

_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options as given. `key`: ask for one."""

    model: str = ""
    timeout: float = 120.0
    parallel: int = 4
    text_only: bool = False
    key: bool = False

    @property
    def is_any(self) -> bool:
        return self != ServerOptions()


def add_server_model(url: str, name: str, adapter: str, options: ServerOptions, *, replaces: bool, json: bool) -> int:
    """Asks the server for its models where none is named, and keeps it. Raises UsageError for what cannot be, and where
    it has several; ServerError where it does not answer."""
    name = name or servers.name_of(url)
    server = servers.ChatServer(
        name, url, options.model, options.timeout, options.parallel, not options.text_only, adapter
    )
    key = read_key(name).strip() if options.key else ""
    if not server.model:
        server = replace(server, model=_only_model(server, key or keys.of_environment(name)))
    adapter = adapters.adapter_named(adapter or adapters.adapter_for(server.model, adapters.adapters()[0])).name
    keep(server, replace=replaces)
    if key:
        keys.set(name, key)
    form = _form(server, adapter)
    if json:
        print_json(form)
        return DONE
    table(["what", "value"], [[what, value] for what, value in form.items()])
    say(f"Try it on one screen: stepscope agents try {form['model']}")
    tell(f"stepscope: added {form['model']}")
    return DONE


def _only_model(server: ChatServer, key: str) -> str:
    """The one model that the server has."""
    known = client.check(server, key=key).models
    if len(known) == 1:
        return known[0]
    listed = ", ".join(known[:_MOST_NAMED]) + (" and more" if len(known) > _MOST_NAMED else "")
    hint = f"Name it with --model. It has {listed}." if known else "Name it with --model."
    raise UsageError(f"{server.url} does not say which model is meant.", hint=hint)


def _form(server: ChatServer, adapter: str) -> dict[str, Any]:
    return {
        "model": f"served:{server.name}/{server.model}",
        "server": server.name,
        "url": server.url,
        "adapter": adapter,
        "timeout": server.timeout,
        "parallel": server.parallel,
        "pictures": server.pictures,
        "key": keys.place(server.name),
    }
