"""A model's program of actions, read into calls of the action library. It is never run: the text is parsed, and only
calls with literal values come out of it; all else is told as a problem.

Source: the paper asks models for such programs (TurkingBench, Xu et al. 2024, section 3.6, pseudocode 2:
`self.actions.modify_text(input, "…")`). What is forgiven is ours: fences, words around the code, the owner's name, the
names of arguments, and lines that are broken among others that are not.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import MISSING, fields
from threading import Lock
from typing import Any
from warnings import catch_warnings, simplefilter

from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import ACTIONS, PageAction
from stepscope.core.webtask.program_values import ProgramError, action_of

_LONGEST = 100_000
"""Characters of a program; what a model said beyond is not read."""
_STATEMENT_LINES = 40
_JOINS = 2_000
"""How often lines are put together to a statement in one program before single lines are all that is tried."""
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_LISTED = re.compile(r"(?:[-*>•][ \t]+|\d{1,3}[.)][ \t]+)?`?(?=[\w.]{1,60}\()")
"""What stands before a call in a list or between back quotes."""
_HALF_BLOCK = re.compile(r"(?:else|elif\b.*|except\b.*|finally|case\b.*)\s*:\s*(?:#.*)?$")
_PARSING = Lock()
"""Python's warnings about odd literals are off for the whole process while one is parsed."""


@dataclass(frozen=True, slots=True)
class ParsedProgram:
    """The calls in order, each with the piece of the output that it stands in, and what could not be read, in words."""

    calls: tuple[tuple[PageAction, str], ...] = ()
    problems: tuple[str, ...] = ()


def parse_program(text: str, *, field: str = "", names: Collection[str] = ()) -> ParsedProgram:
    """`field` is the one that is being solved: a bare name as the first argument (`input`), or none, means it. `names`
    are the page's fields: one of them without quotes means itself. Never raises, whatever the text."""
    calls: list[tuple[PageAction, str]] = []
    problems: list[str] = []
    for first, code, fenced in _codes(text[:_LONGEST]):
        for line, source, node in _Statements(code):
            if not fenced and "(" not in source:
                continue
            try:
                calls.extend((action, source) for action in _actions(node, source, field, names))
            except (ProgramError, RecursionError) as error:
                if fenced or _names_action(source):
                    problems.append(f"Line {first + line}: {error}: {_short(source)}")
    return ParsedProgram(tuple(calls), tuple(problems))


def _actions(node: ast.stmt | None, source: str, field: str, names: Collection[str]) -> Iterator[PageAction]:
    """The action of a statement that is nothing but a call, its result thrown away or kept under a name."""
    if node is None:
        raise ProgramError("this cannot be read")
    if isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    kept = isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets)
    if (isinstance(node, ast.Expr) or kept) and isinstance(node.value, ast.Call):  # type: ignore[attr-defined]
        yield action_of(node.value, field, names)  # type: ignore[attr-defined]
    else:
        raise ProgramError("only calls of actions are taken")


def as_program(action: PageAction) -> str:
    """The action as a line of a program, for demonstrations and the log: `self.actions.modify_text("name", "…")`.

    `parse_program` reads the same action from it.
    """
    given: list[str] = []
    for one in fields(action):
        value = getattr(action, one.name)
        if one.default is MISSING:
            given.append(_literal(value))
        elif value != one.default:
            given.append(f"{one.name}={_literal(value)}")
    return f"self.actions.{action.name}({', '.join(given)})"


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if not isinstance(value, str):
        return repr(value)
    quoted = json.dumps(value, ensure_ascii=False)
    # Half a surrogate pair cannot be written as a letter.
    return quoted if quoted.isascii() or not re.search("[\ud800-\udfff]", quoted) else repr(value)


def _codes(text: str) -> Iterator[tuple[int, str, bool]]:
    """First line, code, and whether it stood between fences; without fences any line of the text may be code."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    fences = list(_FENCE.finditer(text))
    if not fences:
        yield 1, "\n".join(map(_unlisted, text.split("\n"))), False
    for at in range(0, len(fences), 2):
        end = fences[at + 1].start() if at + 1 < len(fences) else len(text)
        yield text.count("\n", 0, fences[at].end()) + 2, text[fences[at].end() + 1 : end], True


def _unlisted(line: str) -> str:
    bare = line.lstrip(" \t")
    mark = _LISTED.match(bare)
    return line[: len(line) - len(bare)] + bare[mark.end() :].rstrip("` \t") if mark else line


class _Statements:
    """The statements of a code one by one: line from 0, source and statement, None where lines cannot be read.

    A block is one statement that cannot be read: what stands in it may be meant to be done never, or often.
    """

    def __init__(self, code: str) -> None:
        self._lines = code.split("\n")
        self._joins = _JOINS

    def __iter__(self) -> Iterator[tuple[int, str, ast.stmt | None]]:
        at = 0
        while at < len(self._lines):
            taken, nodes = self._next(at)
            lines = self._lines[at : at + taken]
            if nodes is None:
                yield at, "\n".join(lines).strip(), None
            else:
                yield from ((at + node.lineno - 1, _source(lines, node), node) for node in nodes)
            at += taken

    def _next(self, at: int) -> tuple[int, list[ast.stmt] | None]:
        """How many lines belong together, and their statements."""
        line = self._lines[at]
        if _opens_block(line):
            return self._block(at), None
        nodes = _parsed([line])
        taken = 1
        while (
            nodes is None and _may_go_on(line) and self._joins and taken < min(_STATEMENT_LINES, len(self._lines) - at)
        ):
            taken, self._joins = taken + 1, self._joins - 1
            nodes = _parsed(self._lines[at : at + taken])
        return (1, None) if nodes is None else (taken, nodes)

    def _block(self, at: int) -> int:
        """Lines of a block with its head: all that are further in."""
        head = _indent(self._lines[at])
        end = at + 1
        while end < len(self._lines) and (not self._lines[end].strip() or _indent(self._lines[end]) > head):
            end += 1
        return end - at


def _opens_block(line: str) -> bool:
    bare = line.strip()
    if _HALF_BLOCK.match(bare):
        return True
    return bare[:1].isalpha() and ":" in bare and _parsed([f"{bare} pass"]) is not None and _parsed([bare]) is None


def _indent(line: str) -> int:
    spread = line.expandtabs()
    return len(spread) - len(spread.lstrip())


def _may_go_on(line: str) -> bool:
    """Whether a statement that begins in this line may end in a later one."""
    open_bracket = any(line.count(begin) > line.count(end) for begin, end in ("()", "[]", "{}"))
    return open_bracket or '"""' in line or "'''" in line or line.rstrip().endswith("\\")


def _parsed(lines: list[str]) -> list[ast.stmt] | None:
    source = "\n".join((lines[0].lstrip(), *lines[1:]))
    with _PARSING, catch_warnings():
        simplefilter("ignore")
        try:
            return ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None


def _source(lines: list[str], node: ast.stmt) -> str:
    """The statement's own text; columns are bytes of the line, the first without what it was indented by."""
    texts = [lines[0].lstrip(), *lines[1:]][node.lineno - 1 : node.end_lineno]
    whole = "\n".join(texts).encode()
    behind = len(texts[-1].encode()) - (node.end_col_offset or 0)
    return whole[node.col_offset : len(whole) - behind].decode(errors="replace")


def _names_action(source: str) -> bool:
    return any(f"{name}(" in source for name in ACTIONS)


def _short(source: str) -> str:
    line = " ".join(source.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
