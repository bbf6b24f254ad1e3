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
    sets = "\n        ".join(f"self.{name} = {name}" for name in names)
    code = (
        f"class Open:\n    __slots__ = {tuple(names)!r}\n"
        f"    def __init__(self, {given}):\n        {sets}\n        self.__class__ = frozen\n"
    )
    room: dict[str, Any] = {"defaults": defaults, "frozen": frozen}
    exec(code, room)  # as `dataclasses` makes its methods: of names that are identifiers already
    made: Callable[..., V] = room["Open"]
    return made
