"""The standard library's `dataclass`, whose frozen classes are made at a sixth of the price.

The standard library writes out and compiles six functions of every frozen class when its module is imported. The
house has some 1,300 such classes, and a start that needs a few hundred values of a few dozen kinds spent more than a
third of its time on compiling. Here a class gets its functions without that; its `__init__`, the only one whose speed
counts, is compiled when the first value is made.

    from stepscope.core.frozen import dataclass

Fields, slots, defaults, `replace`, `fields`, equality, hash and pickles are those of the standard library. A class and
the frozen classes that inherit from it are made by the same one of the two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_set = object.__setattr__

HERE = frozenset({"frozen", "slots", "eq", "kw_only", "weakref_slot"})
"""What may be asked of a class that is made here."""


def _frozen(cls: type | None = None, /, **wanted: bool) -> Any:
    """As `dataclasses.dataclass`, with the same keywords; whatever is not frozen is left to that."""
    if cls is None:
        return lambda later: _frozen(later, **wanted)
    if not wanted.get("frozen") or not wanted.keys() <= HERE:
        return dataclasses.dataclass(**wanted)(cls)
    others = {name: value for name, value in wanted.items() if name not in ("frozen", "eq")}
    cls.__doc__ = cls.__doc__ or cls.__name__  # else its signature is looked for
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, **others)(cls)
    _give_functions(made, wanted.get("eq", True), wanted.get("slots", False))
    return made


def _give_functions(cls: type, eq: bool, slots: bool) -> None:
    own = cls.__dict__
    found = dataclasses.fields(cls)
    given: dict[str, Any] = {"__init__": _first_init(cls)}
    given["__repr__"] = _repr_of([one.name for one in found if one.repr])
    if eq:
        given["__eq__"] = _eq_of([one.name for one in found if one.compare])
        if own.get("__hash__") is None:  # none, or the one that Python takes away from a class with an `__eq__`
            hashed = [one.name for one in found if (one.compare if one.hash is None else one.hash)]
            setattr(cls, "__hash__", _hash_of(hashed))  # noqa: B010 - the checker takes it for a method
    if slots:
        given["__getstate__"], given["__setstate__"] = _state, _set_state
    for name, function in given.items():
        if name not in own:
            setattr(cls, name, function)
    _freeze(cls, frozenset(one.name for one in found))


def _freeze(cls: type, names: frozenset[str]) -> None:
    """Forbid to set or delete fields, and anything of the class itself; a plain class that inherits may add to it."""

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)  # type: ignore[arg-type]

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)  # type: ignore[arg-type]

    cls.__setattr__, cls.__delattr__ = set_attribute, delete_attribute  # type: ignore[method-assign,assignment]


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these attributes, always as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _value: ()
    (name,) = names
    return lambda value: (getattr(value, name),)


def _eq_of(names: list[str]) -> Callable[[Any, object], Any]:
    values = _values_of(names)

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return equal


def _hash_of(names: list[str]) -> Callable[[Any], int]:
    values = _values_of(names)
    return lambda self: hash(values(self))


def _repr_of(names: list[str]) -> Callable[[Any], str]:
    def represent(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return represent


@cache
def _fields_of(cls: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of all fields of a class, those that it inherits among them, and what gives their values."""
    names = [one.name for one in dataclasses.fields(cls)]
    return tuple(names), _values_of(names)


def _state(self: Any) -> list[Any]:
    return list(_fields_of(type(self))[1](self))  # type: ignore[arg-type] # classes are hashable


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(_fields_of(type(self))[0], state, strict=False):  # type: ignore[arg-type]
        _set(self, name, value)


def _first_init(cls: type) -> Callable[..., None]:
    """An `__init__` that puts the compiled one in its place. Two threads may do so at once: they make the same."""

    def first(self: Any, *values: Any, **named: Any) -> None:
        made = _compiled_init(cls)
        setattr(cls, "__init__", made)  # noqa: B010 - the checker takes it for a method
        made(self, *values, **named)

    return first


def _compiled_init(cls: type) -> Callable[..., None]:
    """A function that takes a value for each field, as the standard library's, and calls `__post_init__`."""
    slots = "__slots__" in cls.__dict__
    names: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    positional, by_name, body = ["self"], list[str](), list[str]()
    for one in dataclasses.fields(cls):
        if one.init:
            (by_name if one.kw_only else positional).append(_parameter(one, names))
        value = _value(one, names, slots)
        if value:
            body.append(f" _set(self, {one.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    parameters = [*positional, *(["*"] if by_name else []), *by_name]
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(body) or " pass"), names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _parameter(one: Field[Any], names: dict[str, Any]) -> str:
    if one.default is not MISSING:
        names[f"_default_{one.name}"] = one.default
        return f"{one.name}=_default_{one.name}"
    return one.name if one.default_factory is MISSING else f"{one.name}=_MISSING"


def _value(one: Field[Any], names: dict[str, Any], slots: bool) -> str:
    """What a field is set to, as an expression; "" for one that is not set here."""
    made = ""
    if one.default_factory is not MISSING:
        names[f"_make_{one.name}"] = one.default_factory
        made = f"_make_{one.name}()"
    if one.init:
        return f"{made} if {one.name} is _MISSING else {one.name}" if made else one.name
    if one.default is not MISSING and slots:  # else it stands on the class
        names[f"_default_{one.name}"] = one.default
        return f"_default_{one.name}"
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _frozen

__all__ = ["dataclass"]
