"""Which keys do which command: those of the table, or those that a person gave instead, and where two would clash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from PySide6.QtGui import QKeySequence

from stepscope.app.gui.shell.commands.command import Command
from stepscope.core.frozen import dataclass

Chosen = Mapping[str, tuple[str, ...]]


@cache
def key_name(key: str) -> str:
    """A key as it is kept and compared ("Ctrl+Shift+D"), "" for what is none."""
    return QKeySequence(key, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.PortableText
    )


@dataclass(frozen=True, slots=True)
class KeyTable:
    """`rows` are all commands, `fixed` what has its keys for good, `chosen` a person's keys by command: () for none."""

    rows: tuple[Command, ...]
    chosen: Chosen
    fixed: tuple[Command, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Command], chosen: Chosen, fixed: Iterable[Command] = ()) -> KeyTable:
        """Leaves out what names no command or is as usual, and keys that are none."""
        found = tuple(rows)
        usual = {row.id: row.keys for row in found}
        named = {
            command: tuple(name for name in map(key_name, keys) if name)
            for command, keys in chosen.items()
            if command in usual
        }
        different = {
            command: keys for command, keys in named.items() if keys != tuple(key_name(key) for key in usual[command])
        }
        return cls(found, different, tuple(fixed))

    def keys(self, row: Command) -> tuple[str, ...]:
        """Those that do this command now, the first one is shown in menus."""
        return self.chosen.get(row.id, row.keys)

    def is_changed(self, row: Command) -> bool:
        return row.id in self.chosen

    def row(self, command: str) -> Command:
        """Raises KeyError."""
        for row in self.rows:
            if row.id == command:
                return row
        raise KeyError(command)

    def with_keys(self, command: str, keys: tuple[str, ...]) -> KeyTable:
        """The same with these for one command."""
        return KeyTable.of(self.rows, {**self.chosen, command: keys}, self.fixed)

    def as_usual(self, commands: Iterable[str]) -> KeyTable:
        """The same with the table's own keys for these commands. Others that were given one of those keys keep it."""
        gone = set(commands)
        kept = {command: keys for command, keys in self.chosen.items() if command not in gone}
        return KeyTable.of(self.rows, kept, self.fixed)

    def clashes(self, command: str, key: str) -> tuple[Command, ...]:
        """Who else has this key where this command holds. One workspace's own key takes the place of what the key means
        elsewhere, and two workspaces never meet: neither is a clash."""
        mine = self.row(command)
        return tuple(row for row in self._having().get((mine.workspace, key_name(key)), ()) if row.id != command)

    def elsewhere(self, command: str) -> tuple[tuple[str, Command], ...]:
        """What the keys of this command mean in other workspaces: each key with the command that has it there."""
        mine = self.row(command)
        own = set(map(key_name, self.keys(mine)))
        return tuple(
            (key, row)
            for row in self.rows
            if row.id != command and row.workspace != mine.workspace and row.workspace
            for key in self.keys(row)
            if key_name(key) in own
        )

    def all_clashes(self) -> dict[str, tuple[str, ...]]:
        """By command the keys that it shares with another where both hold."""
        having = self._having()
        found = {
            row.id: tuple(
                key
                for key in self.keys(row)
                if any(other.id != row.id for other in having[row.workspace, key_name(key)])
            )
            for row in self.rows
        }
        return {command: keys for command, keys in found.items() if keys}

    def given(self, command: str, key: str) -> KeyTable:
        """The same where this command has the key as its only one, and nobody else has it who would clash."""
        wanted, table = key_name(key), self
        for other in self.clashes(command, key):
            if other not in self.fixed:
                left = tuple(one for one in table.keys(other) if key_name(one) != wanted)
                table = table.with_keys(other.id, left)
        return table.with_keys(command, (wanted,))

    def by_command(self, workspace: str) -> dict[str, tuple[str, ...]]:
        """The keys that do each command while that workspace is in front."""
        own = {key_name(key) for row in self.rows if row.workspace == workspace != "" for key in self.keys(row)}
        found = {}
        for row in self.rows:
            if row.workspace:
                found[row.id] = self.keys(row) if row.workspace == workspace else ()
            else:
                keys = self.keys(row)
                found[row.id] = tuple(key for key in keys if key_name(key) not in own) if own else keys
        return found

    def _having(self) -> dict[tuple[str, str], list[Command]]:
        """Who has each key in each workspace, those that have it for good last."""
        found: dict[tuple[str, str], list[Command]] = {}
        each = [(row, self.keys(row)) for row in self.rows] + [(row, row.keys) for row in self.fixed]
        for row, keys in each:
            for name in dict.fromkeys(map(key_name, keys)):
                found.setdefault((row.workspace, name), []).append(row)
        return found
