"""Imports inside functions: none goes in a circle, and what several functions of a module need is stated once."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("imports")  # one worker parses all modules, once

ROOT = Path(__file__).parents[1]
ROOMS = ("core", "models", "widgets", "app", "resources")


@dataclass(frozen=True)
class Line:
    """A statement that imports, or `NAME = lazy_module(…)`. `names` are what each of its words stands for: a module, or
    what is taken `out_of` one."""

    names: dict[str, str]
    in_function: bool
    out_of: str = ""
    lazy: bool = False
    for_types: bool = False


def is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def lines(statements: list[ast.stmt], *, in_function: bool = False, for_types: bool = False) -> Iterator[Line]:
    """Only statements are looked through: imports are no part of expressions."""
    for one in statements:
        match one:
            case ast.ImportFrom(module=str(found), names=names, level=0):
                words = {alias.asname or alias.name: f"{found}.{alias.name}" for alias in names}
                yield Line(words, in_function, str(found), for_types=for_types)
            case ast.Import(names=names):
                words = {alias.asname or alias.name: alias.name for alias in names}
                yield Line(words, in_function, for_types=for_types)
            case ast.Assign(
                targets=[ast.Name(id=word)],
                value=ast.Call(func=ast.Name(id="lazy_module"), args=[ast.Constant(value=str(name))]),
            ):
                yield Line({word: name}, in_function, lazy=True)
            case ast.If(test=test, body=body, orelse=orelse) if is_type_checking(test):
                yield from lines(body, in_function=in_function, for_types=True)
                yield from lines(orelse, in_function=in_function)
            case _:
                inside = in_function or isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
                for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                    yield from lines(getattr(one, part, []), in_function=inside, for_types=for_types)


@cache
def modules() -> dict[str, tuple[Line, ...]]:
    """The importing lines of each module, by its name."""
    found = {}
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(("stepscope", *(part for part in parts if part != "__init__")))
            found[name] = tuple(lines(ast.parse(file.read_text(encoding="utf-8")).body))
    return found


def sources(line: Line) -> set[str]:
    """The modules that the line imports, each once, however much it takes out of it."""
    return {line.out_of if line.out_of and one not in modules() else one for one in line.names.values()}


def needs(name: str) -> set[str]:
    """Modules of ours that this one imports when it runs, wherever it does so."""
    found = {one for line in modules()[name] if not line.for_types for one in sources(line)}
    return (found & modules().keys()) - {name}


def test_no_import_goes_in_a_circle_not_even_inside_functions() -> None:
    """Takes away what imports nothing that is left, and what nothing imports that is left: circles stay."""
    left = {name: needs(name) for name in modules()}
    while True:
        needed = set().union(*left.values())
        inner = {name: found & left.keys() for name, found in left.items() if name in needed and found & left.keys()}
        if inner == left:
            break
        left = inner
    assert left == {}


@pytest.mark.parametrize("room", ROOMS)
def test_what_several_functions_import_is_stated_once(room: str) -> None:
    """`core/lazy.py` says how."""
    repeated = []
    for name, found in modules().items():
        if name.split(".")[1] == room:
            counted = Counter(module for line in found if line.in_function for module in sources(line))
            repeated += [(name, module) for module, count in counted.items() if count > 1]
    assert repeated == []


def test_the_type_checker_and_the_interpreter_are_told_of_the_same_module() -> None:
    lazy = 0
    for name, found in modules().items():
        for_types = {word: module for line in found if line.for_types for word, module in line.names.items()}
        for line in found:
            if line.lazy:
                assert line.names.items() <= for_types.items(), name
                lazy += 1
    assert lazy
