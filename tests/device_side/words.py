"""A command line as the phone's shell takes it apart: quotes, variables, lists of commands, output sent to files.

Whoever forgets to quote finds out: what a shell would have carried out stands in the command list as its own command,
and `$(…)` or a backquote raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_SPECIAL = '`$\\"\n'
_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"


class ShellSyntaxError(ValueError):
    """What mksh would refuse, or does that this shell cannot: `$(…)`, backquotes, pipes, loops."""


@dataclass(slots=True)
class Command:
    """`when` is what stands before it: "" or ";" always, "&&" after success, "||" after failure. `output` and `errors`
    are the files that these go to ("&1": where the output goes)."""

    when: str = ""
    words: list[str] = field(default_factory=list)
    output: str = ""
    append: bool = False
    errors: str = ""


def commands(line: str, variables: Mapping[str, str] | None = None) -> list[Command]:
    """The commands of the line, in order. Raises ShellSyntaxError."""
    return _Lexer(line, variables or {}).all()


class _Lexer:
    def __init__(self, line: str, variables: Mapping[str, str]) -> None:
        self._line, self._at, self._variables = line, 0, variables

    def all(self) -> list[Command]:
        found, when = [], ""
        while self._at < len(self._line):
            command = Command(when)
            when = self._command(command)
            if command.words or command.output:
                found.append(command)
        return found

    def _command(self, command: Command) -> str:
        """Reads up to the end of the command; what it ends with."""
        while self._skip_blanks():
            for end in ("&&", "||", ";", "\n"):
                if self._take(end):
                    return ";" if end == "\n" else end
            if self._peek() in "|&()<":
                raise ShellSyntaxError(f"syntax error: unexpected '{self._peek()}'")
            if self._peek() == "#":
                self._at = len(self._line) if "\n" not in self._line[self._at :] else self._line.index("\n", self._at)
            elif not self._redirect(command):
                command.words.append(self._word())
        return ";"

    def _redirect(self, command: Command) -> bool:
        for sign in ("2>&1", "2>>", "2>", "1>", ">>", ">"):
            if self._take(sign):
                if sign == "2>&1":
                    command.errors = "&1"
                    return True
                self._skip_blanks()
                name = self._word()
                if sign.startswith("2"):
                    command.errors = name
                else:
                    command.output, command.append = name, sign == ">>"
                return True
        return False

    def _word(self) -> str:
        out: list[str] = []
        while self._at < len(self._line):
            c = self._line[self._at]
            if c in " \t\n;&|<>()":
                break
            self._at += 1
            if c == "'":
                out.append(self._until_quote())
            elif c == '"':
                out.append(self._double())
            elif c == "\\":
                out.append(self._escaped())
            elif c == "$":
                out.append(self._variable())
            elif c == "`":
                raise ShellSyntaxError("a command inside a command line was to be carried out: `")
            else:
                out.append(c)
        return "".join(out)

    def _until_quote(self) -> str:
        end = self._line.find("'", self._at)
        if end < 0:
            raise ShellSyntaxError("no closing quote")
        text, self._at = self._line[self._at : end], end + 1
        return text

    def _double(self) -> str:
        out: list[str] = []
        while self._at < len(self._line):
            c = self._line[self._at]
            self._at += 1
            if c == '"':
                return "".join(out)
            if c == "\\" and self._peek() and self._peek() in _SPECIAL:
                out.append(self._escaped())
            elif c == "$":
                out.append(self._variable())
            elif c == "`":
                raise ShellSyntaxError("a command inside a command line was to be carried out: `")
            else:
                out.append(c)
        raise ShellSyntaxError("no closing quote")

    def _escaped(self) -> str:
        c = self._peek()
        self._at += 1
        return "" if c == "\n" else c

    def _variable(self) -> str:
        c = self._peek()
        if c in ("(", "{"):
            raise ShellSyntaxError(f"a command inside a command line was to be carried out: ${c}")
        start = self._at
        while self._peek() and self._peek() in _NAME:
            self._at += 1
        if start == self._at:
            if c and c in "?$!@*#-":
                self._at += 1
                return {"?": "0", "$": "4242", "#": "0"}.get(c, "")
            return "$"
        return self._variables.get(self._line[start : self._at], "")

    def _skip_blanks(self) -> bool:
        while self._peek() and self._peek() in " \t":
            self._at += 1
        return self._at < len(self._line)

    def _peek(self) -> str:
        return self._line[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        if self._line.startswith(text, self._at):
            self._at += len(text)
            return True
        return False
