"""A feature of the window as the workbench knows it: its commands, its part of the session, and its workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QObject, Signal, SignalInstance

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context

Handlers = dict[str, Callable[[], object]]


class Feature(QObject):
    """`id` is also the name of its workspace, where it has one."""

    id: ClassVar[str]
    modules: ClassVar[tuple[str, ...]] = ()
    """What is loaded in the background once the window is usable, so that nobody waits for it later"""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context

    def handlers(self) -> Handlers:
        """What its commands do, by their ids."""
        return {}

    def own_keys(self) -> Handlers:
        """What commands of others mean while its workspace is in front."""
        return {}

    def bind(self, bar: CommandBar) -> None:
        """The commands are there: keep their check marks and words."""

    def enter(self) -> None:
        """Its workspace has come to the front: the keys go to what that is about."""

    def end(self) -> None:
        """The window is closing."""

    def looked_at(self) -> object:
        """What its workspace looks at besides the episode and step that all share; None where that is all. It is told
        anew by the event `LooksElsewhere`."""
        return None

    def look_at(self, looked_at: object) -> None:
        """Show again what `looked_at` told once: the person has gone back to it."""


class LateFeature(Feature):
    """Says what it is without loading what it stands on: that is built when one of its commands is run, one of its
    views is made, its workspace is entered, or somebody asks for a part of it.

    `views` are the window's views that belong to it: the workbench has it built when one of them is made. `commands`
    are the ids of its commands, `keys` those that mean something of their own in its workspace. `_build` makes the
    controllers and gives the handlers of both.
    """

    views: ClassVar[tuple[str, ...]] = ()
    commands: ClassVar[tuple[str, ...]] = ()
    keys: ClassVar[tuple[str, ...]] = ()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._built: tuple[Handlers, Handlers] | None = None
        self._joins: list[Callable[[], object]] = []

    @property
    def is_built(self) -> bool:
        return self._built is not None

    def build(self) -> tuple[Handlers, Handlers]:
        """Make what there is of it, once; the handlers of its commands, and of the keys in its workspace."""
        if self._built is None:
            self._built = {}, {}  # what is built may want its own views
            try:
                self._built = self._build()
            except BaseException:
                self._built = None
                raise
            for join in self._joins:
                join()
            self._joins.clear()
        return self._built

    def when_built(self, join: Callable[[], object]) -> None:
        """Do this once it is built, or now where it is."""
        if self.is_built:
            join()
        else:
            self._joins.append(join)

    def handlers(self) -> Handlers:
        return {command: partial(self._run, 0, command) for command in self.commands}

    def own_keys(self) -> Handlers:
        return {command: partial(self._run, 1, command) for command in self.keys}

    def _run(self, which: int, command: str) -> None:
        self.build()[which][command]()

    def _build(self) -> tuple[Handlers, Handlers]:
        raise NotImplementedError


class SessionPart(QObject):
    """A part of the session whose owner may not be built yet: until then it holds what was saved last."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._saved: Mapping[str, Any] = {}
        self._state: Callable[[], Mapping[str, Any]] = lambda: self._saved
        self._restore: Callable[[Mapping[str, Any]], object] = self._hold

    def state(self) -> Mapping[str, Any]:
        """In plain JSON values."""
        return self._state()

    def restore(self, saved: Mapping[str, Any]) -> None:
        self._restore(saved)

    def take_over(
        self,
        state: Callable[[], Mapping[str, Any]],
        restore: Callable[[Mapping[str, Any]], object],
        changed: SignalInstance,
    ) -> None:
        """The owner is built: from now on it says what is to be saved, and gets what was."""
        self._state, self._restore = state, restore
        if self._saved:
            restore(self._saved)
        changed.connect(self.changed)

    def _hold(self, saved: Mapping[str, Any]) -> None:
        self._saved = saved
