"""Making many frozen values at once, whose parts were checked already.

A frozen dataclass sets each of its fields through `object.__setattr__`: four fifths of what an element of a UI tree
costs. Here a value is filled while its class still lets it, and becomes one of the frozen class then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

V = TypeVar("V")


def unchecked(frozen: type[V]) -> Callable[..., V]:
    """What makes values of a frozen dataclass with slots out of its fields, by place or by name. `__post_init__` is
    left out: the caller answers for what it checks."""
    names = [field.name for field in fields(frozen)]  # type: ignore[arg-type]
    defaults = {field.name: field.default for field in fields(frozen) if field.default is not MISSING}  # type: ignore[arg-type]
    given = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    sets = "\n    ".join(f"value.{name} = {name}" for name in names)
    code = f"def made({given}):\n    value = new(Open)\n    {sets}\n    value.__class__ = frozen\n    return value\n"
    room: dict[str, Any] = {"defaults": defaults, "frozen": frozen, "new": object.__new__, "Open": fillable(frozen)}
    exec(code, room)  # as `dataclasses` makes its methods: of names that are identifiers already
    made: Callable[..., V] = room["made"]
    return made


def fillable(frozen: type) -> type[Any]:
    """A class with the slots of a frozen dataclass that may be set. Whoever has set them all makes the value one of
    the frozen class: `value.__class__ = frozen`. That spares the call with all fields, half of what a value costs."""
    return type("Open", (), {"__slots__": tuple(field.name for field in fields(frozen))})
