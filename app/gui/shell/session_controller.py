"""The session: what was open and where, kept in the store and brought back at the next start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import DataMissing, EpisodesListed
from stepscope.app.gui.shell.feature import SessionPart
from stepscope.app.gui.shell.layouts import WORKSPACES
from stepscope.app.gui.shell.ports import Library
from stepscope.app.services.provenance import PROCEDURES
from stepscope.core.domain.layers import layers_named
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.named_rules import rule_by_id

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sessions
    from stepscope.widgets.screen import LayerBar
else:
    sessions = lazy_module("stepscope.core.store.repositories.sessions")
from stepscope.widgets.library import ListOrder

NAME = "last"
SETTLE_MS = 800
DAMAGED = "damaged_store"
"""The condition that holds once the store is known to be damaged."""


class SessionController(QObject):
    """Saves a moment after the last change, and at the end; nothing is saved before the old session is back."""

    def __init__(self, context: Context, library: Library, replay: EpisodeViewer, layers: LayerBar) -> None:
        super().__init__(context)
        self._context, self._library, self._replay, self._layers = context, library, replay, layers
        self._ready = self._settling = self._opening = self._is_known = False
        self._coming: Mapping[str, Any] | None = None
        """the session whose place is not back yet"""
        self._saved: dict[str, Any] = {}
        self._parts: dict[str, SessionPart] = {}
        self._of_runs: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self.save)
        selection = context.selection
        selection.source_changed.connect(self._source_changed)
        selection.episode_changed.connect(self._episode_changed)
        for changed in (
            selection.source_changed, selection.episode_changed, selection.step_changed, selection.letters_changed,
            selection.rule_changed, context.workspaces.workspace_changed,
            layers.layers_changed,
        ):  # fmt: skip
            changed.connect(self._touched)
        context.events.on(EpisodesListed, self._touched)

    def keep(self, name: str, part: SessionPart, *, of_runs: bool = False) -> None:
        """Keep a part of the window under a name of its own; `of_runs`: it is about the stored runs, whatever is open,
        and comes back at every start, but with no session that has a name."""
        self._parts[name] = part
        if of_runs:
            self._of_runs.add(name)
        part.changed.connect(self._touched)

    # Saving ----------------------------------------------------------------------------------------------------------

    @property
    def _can_save(self) -> bool:
        """A damaged store is left as it is: what can be read of it may be about to be rescued."""
        database = self._context.database
        return database is not None and not database.read_only and not self._context.conditions.holds(DAMAGED)

    def _touched(self, *_values: object) -> None:
        if self._ready and self._can_save:
            self._context.status.put("saved", "…")
            self._timer.start()

    def _episode_changed(self) -> None:
        """The place of the session is back, or the person went to another one meanwhile."""
        if self._settling and self._context.selection.episode is not None:
            self._place_is_back()

    @property
    def is_back(self) -> bool:
        """The old session is back, or there was none to come back."""
        return self._ready

    @property
    def is_waiting(self) -> bool:
        """A change is about to be saved."""
        return self._timer.isActive()

    def state(self) -> dict[str, Any]:
        """What would be saved now, in plain JSON values."""
        context, selection = self._context, self._context.selection
        return {
            "sources": [source.key for source in context.sources],
            "source": selection.source.key if selection.source else None,
            "episode": selection.episode.id if selection.episode else None,
            "step": selection.step_index,
            "runs": list(selection.runs),
            "letters": selection.letters_state(),
            "rule": selection.rule.id,
            "filter": self._library.filter_text,
            "sort": str(self._library.order),
            "workspace": context.workspaces.last_workspace,
            "layers": sorted(layer.value for layer in self._layers.layers.shown),
            **{name: part.state() for name, part in self._parts.items()},
        }

    def save(self) -> None:
        """Write the session in the background when it has changed."""
        state = self.state()
        if not self._ready or not self._can_save:
            return
        if state == self._saved:
            self._told()
            return
        self._saved = state
        self._context.write("save session", lambda db: save_session(db, state), lambda _nothing: self._told())

    def save_now(self) -> None:
        """Write it on this thread: the window is closing."""
        self._timer.stop()
        database = self._context.database
        if self._ready and self._can_save and database is not None:
            save_session(database, self.state())

    def _told(self) -> None:
        self._context.status.put(
            "saved", "✓ Saved", f"In {self._context.database.place}" if self._context.database else ""
        )

    # Restoring -------------------------------------------------------------------------------------------------------

    def restore(self, first: Callable[[], object], nothing: Callable[[], object]) -> None:
        """Bring the last session back. Without one this is the `first` start; with nothing left to open `nothing` is
        done."""

        def answer(state: Mapping[str, Any] | None) -> None:
            keys = [str(key) for key in (state or {}).get("sources", []) if path_of_key(str(key)).exists()]
            gone = [str(key) for key in (state or {}).get("sources", []) if key not in keys]
            for path in dict.fromkeys(path_of_key(key) for key in gone):
                self._context.events.publish(DataMissing(path))
            if state is None or not keys:
                self._restore_runs(state or {})
                self.begin()
                (first if state is None else nothing)()
            else:
                self._bring_back(state, keys)

        self._context.query("load session", _load, answer)

    def begin_elsewhere(self, then: Callable[[], object]) -> None:
        """Begin with other data than the last session had, which `then` opens: runs keep what they had on theirs."""
        context, database = self._context, self._context.database
        assert database is not None

        def answer(state: Mapping[str, Any] | None) -> None:
            self._restore_runs(state or {})
            self.begin()
            then()

        def failed(error: Exception) -> None:
            context.messages.failure(error)
            answer(None)

        context.start("load session", lambda _token: _load(database), answer, failed=failed)

    def _restore_runs(self, state: Mapping[str, Any]) -> None:
        """What is about stored runs, whatever is open: their letters, and the parts that are of them."""
        if isinstance(state.get("letters"), dict):
            self._context.selection.restore_letters(state["letters"])
        self._restore_parts({name: state.get(name) for name in self._of_runs})

    def _restore_parts(self, state: Mapping[str, Any]) -> None:
        for name, part in self._parts.items():
            if isinstance(state.get(name), dict):
                part.restore(state[name])

    def begin(self) -> None:
        """Save changes from now on."""
        self._ready, self._settling = True, False
        if self._context.database is not None and self._context.database.read_only:
            self._context.status.put("saved", "Read-only store", "Nothing can be saved there")

    def bring(self, state: Mapping[str, Any]) -> bool:
        """Put another session in the place of what is open. Data that is gone is told; where none is left, nothing
        changes, and this is False."""
        keys = [str(key) for key in state.get("sources", [])]
        there = [key for key in keys if path_of_key(key).exists()]
        for path in dict.fromkeys(path_of_key(key) for key in keys if key not in there):
            self._context.events.publish(DataMissing(path))
        if not there:
            return False
        self._ready = False
        self._timer.stop()
        self._library.close_all()
        self._bring_back({name: value for name, value in state.items() if name not in self._of_runs}, there)
        return True

    def _bring_back(self, state: Mapping[str, Any], keys: list[str]) -> None:
        context, current = self._context, state.get("source")
        if state.get("workspace") in WORKSPACES:
            context.workspaces.set_workspace(state["workspace"])
        context.selection.set_rule(rule_by_id(str(state.get("rule"))))
        layers = state.get("layers")
        if isinstance(layers, list):
            with suppress(UsageError):  # a layer of another version: keep the usual ones
                self._layers.show_layers(layers_named(layers))
        first = current if current in keys else keys[-1]
        others = [key for key in keys if key != first]
        self._coming, self._opening = state, bool(others)

        def known() -> None:
            self._is_known = True

        def opened() -> None:
            is_shown = context.selection.source is not None
            if self._coming is state and (is_shown or not others):
                self._settle(state)
            if others:
                self._open(others.pop(0), opened, shown=not is_shown)
            elif self._opening:
                self._library.put_in_order(keys)
                self._opening = False
                if not self._settling:
                    self.begin()

        self._open(str(first), opened, known=known)

    def _open(
        self,
        key: str,
        then: Callable[[], object],
        *,
        shown: bool = True,
        known: Callable[[], object] | None = None,
    ) -> None:
        wrapped = key.endswith(PROCEDURES)
        self._library.open_path(path_of_key(key), then, remember=False, as_procedures=wrapped, shown=shown, known=known)

    def _source_changed(self) -> None:
        """The data of the session is about to be shown, whose index is known: at its place from the start, so that
        nothing moves afterwards."""
        if self._is_known and self._coming is not None:
            self._settle(self._coming)

    def _settle(self, state: Mapping[str, Any]) -> None:
        """The current source is open: the place in it."""
        self._is_known, self._coming = False, None
        if isinstance(state.get("letters"), dict):
            self._context.selection.restore_letters(state["letters"])
        else:  # the session is of a version that gave letters to what was shown at the moment
            self._context.selection.set_runs(tuple(str(run) for run in state.get("runs", [])))
        self._restore_parts(state)
        if state.get("sort") or state.get("filter"):
            order = ListOrder.from_text(str(state["sort"])) if state.get("sort") else self._library.order
            self._library.begin_with(order, str(state.get("filter") or ""))
        if state.get("episode"):
            self._settling = True
            step = int(state.get("step") or 0)
            self._replay.open_episode(str(state["episode"]), step, self._place_is_back, self._first)
        else:
            self._place_is_back()

    def _place_is_back(self) -> None:
        self._settling = False
        if not self._opening:
            self.begin()

    def _first(self) -> None:
        """The episode of the session is not there any more: the first one of the list is shown instead."""
        self._place_is_back()
        if self._library.ids:
            self._replay.open_episode(self._library.ids[0])


def path_of_key(key: str) -> Path:
    """The path of the data that a session calls so."""
    return Path(key.removesuffix(PROCEDURES))


def save_session(database: Database, state: Mapping[str, Any]) -> None:
    """What the next window on this store begins with."""
    with database.unit_of_work() as db:
        sessions.save(db, NAME, state)


def _load(database: Database) -> Mapping[str, Any] | None:
    with database.reading() as db:
        try:
            return sessions.load(db, NAME).payload
        except UsageError:
            return None
