"""Sessions under names of their own: what is open is saved under one, opened again, deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.session_controller import SessionController, path_of_key
from stepscope.app.services.provenance import title_of_key
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sessions
    from stepscope.widgets.shell import sessions as session_views
    from stepscope.widgets.shell.sessions import SessionLine, SessionsView
else:
    sessions = lazy_module("stepscope.core.store.repositories.sessions")
    session_views = lazy_module("stepscope.widgets.shell.sessions")

PREFIX = "named/"
"""Before the names of these sessions in the store: the window's own has another."""
WIDTH, HEIGHT = 680, 420
MOST_NAMED = 3

AskName = Callable[[QWidget, str], str]


def ask_session_name(parent: QWidget, proposed: str) -> str:
    """The name that a person gives, "" when they think better of it."""
    normal = QLineEdit.EchoMode.Normal
    name, kept = QtWidgets.QInputDialog.getText(parent, "Save session as", "Name of the session:", normal, proposed)
    return name.strip() if kept else ""


class NamedSessions(QObject):
    """`name` is that of the session that was opened or saved last: Save Session keeps it too. `ask` asks for one."""

    def __init__(self, context: Context, session: SessionController, ask: AskName = ask_session_name) -> None:
        super().__init__(context)
        self._context, self._session, self.ask = context, session, ask
        self.name = ""
        self.view: SessionsView | None = None

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"session.save": self.save, "session.save_as": self.save_as, "session.open": self.show}

    # Saving ----------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save what is open, also under the name that it has."""
        self._session.save()
        if self.name:
            self._write(self.name)

    def save_as(self) -> None:
        """Ask for a name, and whether one that is taken is meant, and keep what is open under it."""
        source = self._context.selection.source
        name = self.ask(self._context.dialog_parent, self.name or (source.title if source is not None else "Session"))
        if name:
            self._context.query(
                "look for a session", lambda db: _is_there(db, name), lambda there: self._named(name, there)
            )

    def _named(self, name: str, there: bool) -> None:
        detail = "What it had open, its filter and its runs are forgotten; data, runs and notes stay as they are."
        if there and name != self.name and not confirmed(
            self._context.dialog_parent, f"Save over the session “{name}”?", detail, "Save over it"
        ):  # fmt: skip
            return
        self._write(name)

    def _write(self, name: str) -> None:
        state = self._session.state()

        def save(database: Database) -> None:
            with database.unit_of_work() as db:
                sessions.save(db, PREFIX + name, state)

        def told(_none: object) -> None:
            self.name = name
            self._context.messages.done(f"Session “{name}” is saved.", ("session.open", "Sessions…"))
            self._refresh()

        self._context.write("save a session", save, told)

    # Opening ---------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """The list of all that have a name, in a window that does not block."""
        if self.view is None:
            self._make()
        assert self.view is not None
        self.view.window().show()
        self.view.window().raise_()
        self._refresh()
        self.view.list.setFocus()

    def _make(self) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Sessions")
        dialog.resize(WIDTH, HEIGHT)
        self.view = session_views.SessionsView()
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.view.opened.connect(self.open)
        self.view.deleted.connect(self.delete)
        dialog.finished.connect(lambda: setattr(self, "view", None))

    def _refresh(self) -> None:
        def show(lines: list[SessionLine]) -> None:
            if self.view is not None:
                self.view.set_lines(lines)

        if self.view is not None:
            self._context.query("list sessions", _lines, show)

    def open(self, name: str) -> None:
        """Put a session in the place of what is open; what is open now is kept as the last session until then."""
        if self.view is not None:
            self.view.window().close()

        def answer(state: Mapping[str, Any]) -> None:
            if self._session.bring(state):
                self.name = name
            else:
                told = "None of the data of this session is there any more; what was open stays."
                self._context.messages.warning(told, title=f"{name}.")

        self._context.query("open a session", lambda database: _payload(database, name), answer)

    def delete(self, name: str) -> None:
        """Forget a session, after a question."""
        detail = "Data, runs and notes stay as they are; what was open in it, and where, is forgotten."
        parent = self.view.window() if self.view is not None else self._context.dialog_parent
        if not confirmed(parent, f"Delete the session “{name}”?", detail, "Delete"):
            return

        def remove(database: Database) -> None:
            with database.unit_of_work() as db:
                sessions.remove(db, PREFIX + name)

        self.name = "" if name == self.name else self.name
        self._context.write("delete a session", remove, lambda _none: self._refresh())


def _is_there(database: Database, name: str) -> bool:
    with database.reading() as db:
        return sessions.is_saved(db, PREFIX + name)


def _payload(database: Database, name: str) -> Mapping[str, Any]:
    with database.reading() as db:
        return sessions.load(db, PREFIX + name).payload


def _lines(database: Database) -> list[SessionLine]:
    from stepscope.app.gui.shell.run_words import when_words

    with database.reading() as db:
        found = [one for one in sessions.saved(db) if one.name.startswith(PREFIX)]
    lines = []
    for one in found:
        keys = [str(key) for key in one.payload.get("sources", ())]
        titles = [title_of_key(key) for key in keys]
        more = f" and {len(titles) - MOST_NAMED} more" if len(titles) > MOST_NAMED else ""
        missing = bool(keys) and not any(Path(path_of_key(key)).exists() for key in keys)
        data = ", ".join(titles[:MOST_NAMED]) + more
        lines.append(
            session_views.SessionLine(
                one.name.removeprefix(PREFIX), data or "nothing", when_words(one.updated), missing
            )
        )
    return lines
