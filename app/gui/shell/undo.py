"""One history for the whole window: what was done can be undone and redone, and is written in the background.

A view shows a change at once. When its write fails the view is put right, the person is told, and the history holds
again what is so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.core.errors import UserError
from stepscope.widgets.common.plain_words import plain_label

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database

LIMIT = 500
"""Changes that are remembered."""


class OutdatedError(UserError):
    """A change that cannot be made any more, since somebody else has changed the same thing since."""


@dataclass(eq=False)
class Edit:
    """A change and its reverse. `do` and `undo` write, in the writer lane, one after another; the others are called on
    the GUI thread: `show(done)` before the write and, with the opposite, when it fails; `settled(written)` after it.

    `words` complete "Undo …"; `in_view` says whether the person sees what is undone, or has to be told.
    """

    words: str
    do: Callable[[Database], object]
    undo: Callable[[Database], object]
    show: Callable[[bool], object]
    settled: Callable[[bool], object]
    in_view: Callable[[], bool] = lambda: True


class _EditCommand(QUndoCommand):
    def __init__(self, edit: Edit, carry_out: Callable[[Edit, bool], None]) -> None:
        super().__init__(edit.words)
        self.edit, self._carry_out = edit, carry_out

    def redo(self) -> None:
        self._carry_out(self.edit, True)

    def undo(self) -> None:
        self._carry_out(self.edit, False)


UNDO_OFFERED = "what Undo would undo"
"""What a message is about whose button undoes the newest change: it goes with the next one."""


class UndoHistory(QObject):
    """`changed` fires when other words stand beside Undo or Redo."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(LIMIT)
        self._quiet = False
        self._writing = 0
        # bound methods: they end with the history, before the stack does
        self._stack.indexChanged.connect(self._settle_offer)
        self._stack.indexChanged.connect(self._tell)

    def _settle_offer(self, _index: int) -> None:
        self._context.messages.settle(UNDO_OFFERED)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"edit.undo": self.undo, "edit.redo": self.redo}

    def bind(self, bar: CommandBar) -> None:
        """Let the menu entries say what they would undo and redo."""

        def rename() -> None:
            for command, word, what in (("undo", "&Undo", self.undo_words), ("redo", "&Redo", self.redo_words)):
                bar.actions[f"edit.{command}"].setText(f"{word} {plain_label(what)}".strip())

        self.changed.connect(rename)

    @property
    def undo_words(self) -> str:
        return self._stack.undoText()

    @property
    def redo_words(self) -> str:
        return self._stack.redoText()

    @property
    def newest(self) -> Edit | None:
        """What Undo would undo."""
        return self._edit_at(self._stack.index() - 1)

    @property
    def is_writing(self) -> bool:
        """Whether some of what is shown is not in the store yet."""
        return self._writing > 0

    def make(self, edit: Edit) -> None:
        """Do it now and remember it; what could be redone is forgotten."""
        if self._context.database is not None:
            self._stack.push(_EditCommand(edit, self._carry_out))

    def go_on(self, edit: Edit, write: Callable[[Database], object]) -> None:
        """Write more of a change that has been made; it is still undone as one."""
        self._write(edit, write, lambda _error: None)

    def undo(self) -> None:
        self._tell_unseen("Undone", self.newest)
        self._stack.undo()
        self._prune()

    def redo(self) -> None:
        self._tell_unseen("Redone", self._edit_at(self._stack.index()))
        self._stack.redo()
        self._prune()

    def _tell_unseen(self, what: str, edit: Edit | None) -> None:
        if edit is not None and not edit.in_view():
            self._context.messages.done(f"{what}: {edit.words}.")

    # Inside ----------------------------------------------------------------------------------------------------------

    def _carry_out(self, edit: Edit, forward: bool) -> None:
        if self._quiet:
            return
        fresh = forward and edit is not self._edit_at(self._stack.index())  # not in the stack yet: done, not redone
        edit.show(forward)
        failed = partial(self._put_right, edit, forward, fresh)
        self._write(edit, edit.do if forward else edit.undo, failed)

    def _write(self, edit: Edit, write: Callable[[Database], object], put_right: Callable[[Exception], object]) -> None:
        def done(_value: object) -> None:
            self._writing -= 1
            edit.settled(True)

        def failed(error: Exception) -> None:
            self._writing -= 1
            put_right(error)
            edit.settled(False)
            self._context.messages.failure(error)

        self._writing += 1
        self._context.write(edit.words, write, done, failed=failed)

    def _put_right(self, edit: Edit, forward: bool, fresh: bool, error: Exception) -> None:
        edit.show(not forward)
        if fresh or isinstance(error, OutdatedError) or not self._step_back(edit, forward):
            self._drop(edit)

    def _step_back(self, edit: Edit, forward: bool) -> bool:
        """Undo or redo did not happen: the history stands where it stood, unless it has moved on meanwhile."""
        at = self._stack.index()
        if self._edit_at(at - 1 if forward else at) is not edit:
            return False
        self._quiet = True
        (self._stack.undo if forward else self._stack.redo)()
        self._quiet = False
        return True

    def _drop(self, edit: Edit) -> None:
        for place in range(self._stack.count()):
            if self._edit_at(place) is edit:
                command = self._stack.command(place)
                assert isinstance(command, _EditCommand)
                command.setObsolete(True)
        self._prune()
        self._tell()

    def _prune(self) -> None:
        """Let go of dropped changes next to where the history stands; the stack does not carry them out."""
        stack = self._stack
        while stack.canUndo() and stack.command(stack.index() - 1).isObsolete():
            stack.undo()
        while stack.canRedo() and stack.command(stack.index()).isObsolete():
            stack.redo()

    def _edit_at(self, place: int) -> Edit | None:
        command = self._stack.command(place) if 0 <= place < self._stack.count() else None
        return command.edit if isinstance(command, _EditCommand) else None

    def _tell(self, _index: int = 0) -> None:
        self._context.conditions.set("undo", self._stack.canUndo())
        self._context.conditions.set("redo", self._stack.canRedo())
        self.changed.emit()
