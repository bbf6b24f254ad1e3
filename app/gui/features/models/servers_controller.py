"""Chat servers: listed, added, changed, checked, removed. Keys go to the keyring and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.features.models.removal import KEY_GOES
from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.models.chat import keys, servers
    from stepscope.widgets.models import servers as server_views
    from stepscope.widgets.models.servers import ServerEdit, ServerRow, ServersView
else:
    keys = lazy_module("stepscope.models.chat.keys")
    servers = lazy_module("stepscope.models.chat.servers")
    server_views = lazy_module("stepscope.widgets.models.servers")

WIDTH, HEIGHT = 720, 560
MODELS_TOLD = 5
IN_THE_CLEAR = "What is sent to it, key included, can be read on the way: its URL is plain http to another machine."


class ServersController(QObject):
    """`changed` fires when there is a server more or less, or another."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._view: ServersView | None = None

    def show(self) -> None:
        """The servers in a window of their own."""
        if self._view is None:
            self._open()
        assert self._view is not None
        self._view.window().show()
        self._view.window().raise_()
        self.refresh()

    def refresh(self, current: str = "") -> None:
        """Look the servers up again."""

        def take(rows: tuple[ServerRow, ...]) -> None:
            self._on_view(lambda view: view.set_servers(rows, current))

        self._do("servers", lambda _token: server_rows(), take)

    def _open(self) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Chat servers")
        dialog.resize(WIDTH, HEIGHT)
        view = self._view = server_views.ServersView()
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        dialog.finished.connect(self._closed)
        view.saved.connect(self.save)
        view.check_requested.connect(self.check)
        view.remove_requested.connect(self.remove)
        view.forget_requested.connect(self.forget)

    def _closed(self) -> None:
        self._view = None

    def save(self, edit: ServerEdit) -> None:
        """Keep a new or a changed server, and its key where one was written."""

        def keep(_token: object) -> str:
            row = edit.server
            spoken = next((one.adapter for one in servers.load() if one.name == row.name), "")
            server = servers.ChatServer(row.name, row.url, row.model, row.timeout, row.parallel, row.pictures, spoken)
            servers.add(server, replace=not edit.is_new)
            if edit.new_key:
                keys.set(server.name, edit.new_key)
            return server.name

        self._do("save server", keep, self._kept)

    def _kept(self, name: str) -> None:
        self.changed.emit()
        self.refresh(name)

    def check(self, name: str) -> None:
        """Ask the server which models it has."""
        self._on_view(lambda view: view.tell(f"Asking {name} …"))

        def ask(token: CancelToken) -> str:
            from stepscope.models.chat import client

            server = servers.find(name)
            try:
                found = client.check(server, token=token)
            except client.Cancelled:
                return ""
            if server.model and found.models and server.model not in found.models:
                has = ", ".join(found.models[:MODELS_TOLD])
                raise UserError(f"{name} answers, but has no model {server.model}.", hint=f"It has {has}.")
            models = f" and has {counted(len(found.models), 'model')}" if found.models else ""
            return f"{name} answers after {found.seconds:.1f} s{models}."

        self._do("check server", ask, lambda words: self._on_view(lambda view: view.tell(words)))

    def remove(self, name: str) -> None:
        """Forget a server and its key, once that was confirmed."""
        if not confirmed(self._view or self._context.dialog_parent, f"Remove the server {name}?", KEY_GOES, "Remove"):
            return

        def take_away(_token: object) -> str:
            servers.remove(name)
            with suppress(UnavailableError):  # without a keyring there is no key in it
                keys.delete(name)
            return ""

        self._do("remove server", take_away, self._kept)

    def forget(self, name: str) -> None:
        """Take the server's key out of the keyring."""

        def take_out(_token: object) -> str:
            keys.delete(name)
            return name

        self._do("forget key", take_out, self._kept)

    def _do(self, name: str, work: Callable[[CancelToken], object], done: Callable[..., object]) -> None:
        """Do the work in the background; trouble is told in the dialog, where one is looking."""
        self._context.start(name, work, done, failed=self._failed)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, UserError) and self._view is not None:
            self._view.tell(str(error), trouble=True)
        else:
            self._context.messages.failure(error)

    def _on_view(self, do: Callable[[ServersView], object]) -> None:
        """Act on the dialog where it is still open."""
        if self._view is not None:
            do(self._view)


def server_rows() -> tuple[ServerRow, ...]:
    """All servers, with where their keys are. Raises UserError for a list that cannot be read."""
    return tuple(
        server_views.ServerRow(
            one.name,
            one.url,
            one.model,
            one.timeout,
            one.parallel,
            one.pictures,
            "" if (place := keys.place(one.name)) == "none" else place,
            IN_THE_CLEAR if one.in_the_clear else "",
        )
        for one in servers.load()
    )
