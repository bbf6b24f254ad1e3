"""What a person does to a page, told in the words of the action library: so it can be undone, kept and replayed.

Ours: the paper's library has no people in it. What is typed into one field in a row is one call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from core.domain.webtask import FieldType
from core.webtask.actions import (
    MODIFIES,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
)
from core.webtask.page import Logged, PageField, PageLook

JOINED = "|"


def filled_in(field: PageField) -> PageAction:
    """The call that would have brought the field to its value."""
    match field.type:
        case FieldType.RADIO:
            return ModifyRadio(field.name, field.value)
        case FieldType.SELECT:
            return ModifySelect(field.name, field.value)
        case FieldType.CHECKBOX:
            return ModifyCheckbox(field.name, tuple(filter(None, field.value.split(JOINED))))
        case FieldType.RANGE:
            return ModifyRange(field.name, float(field.value))
        case _:
            return ModifyText(field.name, field.value)


class PersonLog:
    """The calls of one person on one page, oldest first. `begin` starts anew with the values a page came with."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()
        self._values: dict[str, str] = {}
        self._undone: list[Logged] = []
        self.calls: list[Logged] = []

    def begin(self, look: PageLook, calls: tuple[Logged, ...] = ()) -> None:
        """`calls` were done before, on an earlier visit."""
        self._started = self._clock() - (calls[-1].at if calls else 0.0)
        self._values = look.values
        self.calls, self._undone = list(calls), []

    @property
    def values(self) -> Mapping[str, str]:
        return self._values

    @property
    def seconds(self) -> float:
        return self._clock() - self._started

    @property
    def can_undo(self) -> bool:
        return bool(self.calls)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def changed(self, look: PageLook) -> bool:
        """Take in what the page looks like now; True when a field was filled in."""
        different = [one for one in look.fields if self._values.get(one.name) != one.value]
        for one in different:
            self._add(filled_in(one), one.name)
        self._values = look.values
        return bool(different)

    def did(self, logged: Logged, look: PageLook) -> None:
        """A call by a button of the panel."""
        self._undone.clear()
        self.calls.append(logged)
        self._values = look.values

    def undo(self) -> tuple[Logged, ...]:
        """The calls that are left without the last; the page is to be brought there."""
        if self.calls:
            self._undone.append(self.calls.pop())
        return tuple(self.calls)

    def redo(self) -> tuple[Logged, ...]:
        if self._undone:
            self.calls.append(self._undone.pop())
        return tuple(self.calls)

    def brought(self, look: PageLook) -> None:
        """The page stands where the calls say."""
        self._values = look.values

    def _add(self, action: PageAction, field: str) -> None:
        self._undone.clear()
        last = self.calls[-1].action if self.calls else None
        if isinstance(last, MODIFIES) and last.field == field and type(last) is type(action):
            self.calls.pop()
        self.calls.append(Logged(action, self.seconds, 0.0))
