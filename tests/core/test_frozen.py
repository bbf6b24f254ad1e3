"""Frozen classes are what the standard library makes of the same words, at a lower price."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from pathlib import Path
from typing import Any, ClassVar

import pytest

from stepscope.core.frozen import dataclass

STANDARD = dataclasses.dataclass


def shapes(make: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, made by one or the other."""

    @make(frozen=True, slots=True)
    class Plain:
        x: int
        y: int = 2

    @make(frozen=True, slots=True)
    class Derived(Plain):
        names: list[str] = field(default_factory=list)
        hidden: float = field(default=0.5, repr=False, compare=False)
        kind: ClassVar[str] = "derived"

    @make(frozen=True)
    class Wider(Plain):
        more: int = 3

    @make(frozen=True, slots=True)
    class Checked:
        x: int
        double: int = field(init=False, default=0)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("below nothing")
            object.__setattr__(self, "double", 2 * self.x)

    @make(frozen=True, slots=True, kw_only=True)
    class ByName:
        x: int
        y: int = 1

    @make(frozen=True)
    class Open:
        x: int
        fixed: int = field(init=False, default=4)

    @make(frozen=True, slots=True, eq=False)
    class Itself:
        x: int

    @make(frozen=True, slots=True)
    class Own:
        x: int

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 7

    @make(frozen=True, slots=True)
    class Empty:
        pass

    @make(frozen=True, slots=True)
    class Compared:
        x: int
        y: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Compared) and self.x == other.x

    return {one.__name__: one for one in (Plain, Derived, Wider, Checked, ByName, Open, Itself, Own, Empty, Compared)}


OURS, THEIRS = shapes(dataclass), shapes(STANDARD)
CALLS = [
    ("Plain", (1,), {}), ("Plain", (), {"y": 3, "x": 1}), ("Plain", (), {}), ("Plain", (1, 2, 3), {}),
    ("Plain", (1,), {"z": 1}), ("Derived", (1,), {}), ("Derived", (1, 2, ["a"], 9.0), {}), ("Wider", (1, 2, 5), {}),
    ("Checked", (4,), {}), ("Checked", (-1,), {}), ("ByName", (), {"x": 3}), ("ByName", (3,), {}), ("Open", (1,), {}),
    ("Itself", (1,), {}), ("Own", (1,), {}), ("Empty", (), {}), ("Compared", (1, 2), {}),
]  # fmt: skip


def told(make: Callable[[], Any]) -> Any:
    """A value, or what was raised instead."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001 - whatever it is, both are to raise it
        return type(error), str(error)


@pytest.mark.parametrize(("name", "values", "named"), CALLS)
def test_values_are_those_of_the_standard_library(name: str, values: tuple[Any, ...], named: dict[str, Any]) -> None:
    def facts(kind: Any) -> list[Any]:
        def again() -> Any:
            return kind(*values, **named)

        value = again()
        return [
            repr(value).replace(kind.__qualname__, name) if name != "Itself" else "",
            [(one.name, one.default, one.init, one.compare, one.repr) for one in dataclasses.fields(value)],
            dataclasses.asdict(value),
            kind.__match_args__, hasattr(value, "__dict__"),
            value == again(), value == (1, 2), told(lambda: hash(value)) if name != "Itself" else "",
            value == copy.copy(value), dataclasses.asdict(copy.deepcopy(value)),
            told(lambda: dataclasses.asdict(dataclasses.replace(value, x=5))),
            [told(lambda one=one: setattr(value, one.name, 1)) for one in dataclasses.fields(value)],
                [told(lambda one=one: delattr(value, one.name)) for one in dataclasses.fields(value)],
        ]  # fmt: skip

    ours, theirs = (told(lambda kind=kind: facts(kind[name])) for kind in (OURS, THEIRS))
    assert ours == theirs


@dataclass(frozen=True, slots=True)
class Kept:
    x: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wider(Kept):
    """With fields of its own beside those that it inherits, and a place for more."""

    more: int = 0


@STANDARD(frozen=True, slots=True)
class KeptByTheLibrary:
    x: int
    names: tuple[str, ...] = ()


def test_values_go_through_a_pickle_and_nothing_is_called_for_that() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ("a",)))) == Kept(1, ("a",))
    wider = pickle.loads(pickle.dumps(Wider(1, ("a",), 2)))
    assert wider == Wider(1, ("a",), 2) and wider.more == 2


def test_the_state_in_a_pickle_is_that_of_the_standard_library() -> None:
    kept, library = Kept(1, ("a",)), KeptByTheLibrary(1, ("a",))
    assert kept.__reduce_ex__(5)[2] == library.__reduce_ex__(5)[2] == [1, ("a",)]
    empty = OURS["Empty"]()
    assert empty.__getstate__() == THEIRS["Empty"]().__getstate__() == []


def test_functions_are_compiled_when_the_first_value_is_made() -> None:
    @dataclass(frozen=True, slots=True)
    class Late:
        x: int

    before = Late.__init__
    assert Late(1).x == 1 and Late.__init__ is not before
    after = Late.__init__
    assert Late(2).x == 2 and Late.__init__ is after


def test_a_plain_class_that_inherits_may_have_more() -> None:
    class More(OURS["Open"]):  # type: ignore[misc]
        pass

    more = More(1)
    more.other = 3
    assert more.other == 3
    with pytest.raises(FrozenInstanceError):
        more.x = 2


def test_what_is_not_frozen_is_the_standard_librarys() -> None:
    @dataclass(slots=True)
    class Loose:
        x: int

    loose = Loose(1)
    loose.x = 2
    assert loose == Loose(2)


def test_the_house_makes_its_frozen_classes_here() -> None:
    root, elsewhere = Path(__file__).parents[2], list[str]()
    for room in ("app", "core", "models", "widgets"):
        for file in (root / room).rglob("*.py"):
            text = file.read_text("utf-8")
            takes = re.search(r"^from dataclasses import .*\bdataclass\b", text, re.MULTILINE)
            if takes and "@dataclass(frozen=True" in text:
                elsewhere.append(str(file.relative_to(root)))
    assert elsewhere == []
