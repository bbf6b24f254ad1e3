"""Models that are there already: how the page of each begins, and how they are taken away. Nothing here may run on the
thread of the window."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from stepscope.app.gui.features.models import adding_presenter
from stepscope.app.gui.features.models.checkpoint_draft import CheckpointDraft
from stepscope.app.gui.features.models.removal import FILES_STAY
from stepscope.app.gui.features.models.server_draft import ServerDraft
from stepscope.core.domain.model_name import LOCAL, SERVED
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.models.adding import AddModelState

if TYPE_CHECKING:
    from stepscope.app.services import own_models
    from stepscope.models import registry
    from stepscope.models.chat import keys, servers
    from stepscope.models.checkpoints import checkpoint
else:
    own_models = lazy_module("stepscope.app.services.own_models")
    registry = lazy_module("stepscope.models.registry")
    keys = lazy_module("stepscope.models.chat.keys")
    servers = lazy_module("stepscope.models.chat.servers")
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")


def page_of(name: str) -> CheckpointDraft | ServerDraft | AddModelState:
    """A checkpoint or a server as it can be changed; the page of any other. A checkpoint whose folder is gone or broken
    has a page that says so. Raises UsageError for an unknown name."""
    if name.startswith(SERVED):
        return ServerDraft.of_kept(servers.find(_server_of(name)))
    if not name.startswith(LOCAL):
        return adding_presenter.known_state(registry.installed_model(name))
    kept = checkpoint.find(name.removeprefix(LOCAL))
    try:
        return CheckpointDraft.of_kept(kept)
    except UserError as error:
        return AddModelState(kept.folder, trouble=error.words_in_window, title=name, removal=FILES_STAY)


def take_away(name: str) -> None:
    """Forget a model of the person's own, a server with its key; files that were added stay. Raises UserError."""
    if not name.startswith(SERVED):
        own_models.remove(name)
        return
    server = _server_of(name)
    servers.remove(server)
    with suppress(UnavailableError):  # without a keyring there is no key in it
        keys.delete(server)


def _server_of(name: str) -> str:
    return name.removeprefix(SERVED).partition("/")[0]
