"""One call of a program of actions, its literal values made those of the action library (`core.webtask.program`)."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, get_args

from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import (
    ACTIONS,
    CaptureScreen,
    ModifyCheckbox,
    PageAction,
    Part,
    ScrollBy,
    WaitTillLoaded,
)
from stepscope.core.webtask.page import VIEWPORT

SCREENFUL = 0.75 * VIEWPORT.height
"""What `scroll("down")` scrolls by (ours: the paper's scroll says up or down, and no distance)."""

_OWNERS = 2
"""Names that may stand before the action's: `self.actions`."""
_FIELD_OBJECTS = ("Input", "Field", "Element")
_FIELD_WORDS = ("field", "name", "input", "input_name", "element", "element_name", "label")
_VALUE_WORDS = ("value", "text", "values", "input_value", "option", "options", "choice", "choices", "content", "string")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "field": _FIELD_WORDS,
    "text": _VALUE_WORDS,
    "value": _VALUE_WORDS,
    "values": _VALUE_WORDS,
    "seconds": ("seconds", "timeout"),
}
"""What models call the library's arguments."""
_WAYS = {"down": SCREENFUL, "up": -SCREENFUL}


class ProgramError(ValueError):
    """A call that the library does not have; the message says why."""


@dataclass(frozen=True, slots=True)
class _BareName:
    """A name without quotes."""

    name: str


def action_of(call: ast.Call, field: str, names: Collection[str]) -> PageAction:
    """Raises ProgramError. `field` and `names` as in `parse_program`."""
    name = _action_name(call.func)
    parameters = fields(ACTIONS[name])
    given = _by_parameter(name, parameters, call, field)
    values: dict[str, Any] = {}
    for one in parameters:
        if one.name in given:
            values[one.name] = _value(one, given[one.name], field, names)
        elif one.default is MISSING:
            raise ProgramError(f"{name} needs its {one.name}")
    return ACTIONS[name](**values)


def _action_name(func: ast.expr) -> str:
    name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
    owner = func.value if isinstance(func, ast.Attribute) else None
    for _ in range(_OWNERS - 1):
        owner = owner.value if isinstance(owner, ast.Attribute) else owner
    if name not in ACTIONS or not (owner is None or isinstance(owner, ast.Name)):
        raise ProgramError("there is no such action")
    return name


def _by_parameter(name: str, parameters: tuple[Field[Any], ...], call: ast.Call, field: str) -> dict[str, Any]:
    """The literal of each parameter that is given."""
    given = {_parameter(name, parameters, word.arg): _literal(word.value) for word in call.keywords}
    if len(given) < len(call.keywords):
        raise ProgramError(f"{name} is told the same twice")
    literals = [_literal(argument) for argument in call.args]
    free = [one.name for one in parameters if one.name not in given]
    needed = sum(one.default is MISSING and one.name not in given for one in parameters)
    if field and free[:1] == ["field"] and len(literals) < needed:
        literals.insert(0, _BareName(field))
    literals = _usual(name, literals, free)
    if len(literals) > len(free):
        raise ProgramError(f"{name} takes {len(parameters)} values")
    return given | dict(zip(free, literals, strict=False))


def _usual(name: str, literals: list[Any], free: list[str]) -> list[Any]:
    """Values in the library's order where people leave one out."""
    first = literals[0] if literals else None
    if name == ModifyCheckbox.name and len(literals) > len(free) > 0:
        return [*literals[: len(free) - 1], literals[len(free) - 1 :]]
    if name == ScrollBy.name and len(literals) == 1 and len(free) == 2:
        return [0, _WAYS.get(first, first) if isinstance(first, str) else first]
    if name == CaptureScreen.name and len(literals) == 1 and first not in get_args(Part):
        return ["element", first]
    if name == WaitTillLoaded.name and len(literals) == 1 and isinstance(first, int | float):
        return ["", first]
    return literals


def _parameter(name: str, parameters: tuple[Field[Any], ...], word: str | None) -> str:
    for one in parameters:
        if word == one.name or word in _WORDS.get(one.name, ()):
            return one.name
    raise ProgramError(f"{name} takes no {word}" if word else f"{name} takes no spread values")


def _literal(node: ast.expr) -> Any:
    """Raises ProgramError for all that would have to be worked out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool | None):
        return node.value
    if isinstance(node, ast.JoinedStr) and all(isinstance(part, ast.Constant) for part in node.values):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_literal(element) for element in node.elts]
    if isinstance(node, ast.Dict):
        return {_key(key): _literal(value) for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number = _literal(node.operand)
        if isinstance(number, int | float) and not isinstance(number, bool):
            return -number if isinstance(node.op, ast.USub) else number
    if isinstance(node, ast.Name):
        return _BareName(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return _BareName(node.value.id)
    if isinstance(node, ast.Call):
        return _field_object(node)
    raise ProgramError("only plain values are taken")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    raise ProgramError("only plain values are taken")


def _field_object(node: ast.Call) -> str:
    """The field that `Input(label="reasons", type="checkbox")` means; by the first of our words for it."""
    if isinstance(node.func, ast.Name) and node.func.id in _FIELD_OBJECTS:
        told = {word.arg: _literal(word.value) for word in node.keywords}
        first = [_literal(node.args[0])] if node.args else []
        for name in (*first, *(told[word] for word in _FIELD_WORDS if word in told)):
            if isinstance(name, str):
                return name
    raise ProgramError("only plain values are taken")


def _value(parameter: Field[Any], literal: Any, field: str, names: Collection[str]) -> Any:
    if parameter.name == "field":
        return _field(literal, field, names)
    if isinstance(literal, _BareName):
        raise ProgramError(f"{literal.name} has no quotes")
    return _CASTS[str(parameter.type)](literal)


def _field(literal: Any, field: str, names: Collection[str]) -> str:
    if not isinstance(literal, _BareName):
        return _text(literal)
    if literal.name in names or not field:
        if literal.name in names:
            return literal.name
        raise ProgramError(f"{literal.name} names no field")
    return field


def _text(literal: Any) -> str:
    if literal is None:
        return ""
    if isinstance(literal, list) and len(literal) == 1:
        return _text(literal[0])
    if isinstance(literal, str | int | float):
        try:
            return str(literal)
        except ValueError as error:
            raise ProgramError("that number is too long") from error
    raise ProgramError("one text is taken")


def _texts(literal: Any) -> tuple[str, ...]:
    """Ticked boxes: a list, `"a|b"`, names with whether they are ticked, True for the one that names no value."""
    if literal is None or literal is False or literal == "":
        return ()
    if literal is True:
        return ("on",)
    if isinstance(literal, dict):
        return tuple(name for name, ticked in literal.items() if ticked)
    if isinstance(literal, list):
        if any(isinstance(one, _BareName) for one in literal):
            raise ProgramError("a value has no quotes")
        return tuple(_text(one) for one in literal)
    return tuple(_text(literal).split("|"))


def _number(literal: Any) -> float:
    try:
        number = (
            float(literal) if isinstance(literal, str | int | float) and not isinstance(literal, bool) else math.nan
        )
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ProgramError("a number is taken")
    return number


def _whole(literal: Any) -> int:
    return int(_number(literal))


def _part(literal: Any) -> str:
    if literal in get_args(Part):
        return str(literal)
    raise ProgramError(f"there are {', '.join(get_args(Part))}")


_CASTS: Mapping[str, Callable[[Any], Any]] = {
    "str": _text,
    "float": _number,
    "int": _whole,
    "tuple[str, ...]": _texts,
    "Part": _part,
}
