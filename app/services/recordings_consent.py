"""People's recordings are sent to a server on another machine only where a person agreed: asked of every piece of work
that gives a data set to a model, before it begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.provenance import data_of, is_sample
from stepscope.core.domain.model_name import PAGES, SERVED, TASK_MARK, models_in, split_name
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.mixed_folder import MIXED
from stepscope.core.sources.sniffers.recording import FORMAT
from stepscope.core.sources.source import Source

if TYPE_CHECKING:
    from stepscope.models.chat import consents, servers
    from stepscope.models.chat.consents import ConsentNeededError
    from stepscope.models.chat.servers import ChatServer
else:
    consents = lazy_module("stepscope.models.chat.consents")
    servers = lazy_module("stepscope.models.chat.servers")


def holds_recordings(source: Source) -> bool:
    """Whether the data is of people who were recorded: recordings in this project's format, alone or among others, but
    for the sample, which nobody else is in. Published data sets need no consent of their reader."""
    return _has_recordings(source) and not is_sample(data_of(str(source.path)))


def _has_recordings(source: Source) -> bool:
    """Of several formats in one folder it is taken for granted where the source does not tell which they are."""
    if source.format != MIXED:
        return source.format == FORMAT.name
    parts: Mapping[str, object] = getattr(source, "parts", {FORMAT.name: source})
    return FORMAT.name in parts


def check_consent(source: Source, model: str) -> None:
    """Before anything of the data goes to the model or judge of that name. Raises ConsentNeededError where a person
    must agree first, UserError where the answers cannot be read, UsageError for a server that was not added."""
    server = server_of(model)
    if server is not None:
        check_server(source, server)


def needed(source: Source, models: Iterable[str]) -> tuple[ConsentNeededError, ...]:
    """What a person must agree to before these models or judges may have the data, each server once. Raises as
    `check_consent` otherwise."""
    found: dict[str, ConsentNeededError] = {}
    for model in models:
        try:
            check_consent(source, model)
        except consents.ConsentNeededError as error:
            found.setdefault(error.server.url, error)
    return tuple(found.values())


def check_server(source: Source, server: ChatServer) -> None:
    """The same for a server that need not have been added."""
    data = Path(data_of(str(source.path)))
    if holds_recordings(source) and consents.is_needed(data, server):
        raise consents.ConsentNeededError(data, server)


def server_of(model: str) -> ChatServer | None:
    """The server that is asked by a model or judge of that name, or by the actor beside it; None where none is. Raises
    UsageError for one that was not added."""
    return next(filter(None, map(_server_of, models_in(model))), None)


def _server_of(model: str) -> ChatServer | None:
    plain = split_name(model)[0].partition(TASK_MARK)[0]
    if plain.startswith(SERVED):
        return servers.server_and_model(plain)[0]
    known = {one.name: one for one in servers.load()} if plain.startswith(PAGES) else {}
    return known.get(plain.removeprefix(PAGES).partition("/")[0])
