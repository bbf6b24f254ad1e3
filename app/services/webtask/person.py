"""What a person does to a page, told in the words of the action library: so it can be undone, kept and replayed.

Ours: the paper's library has no people in it. What is typed into one field in a row is one call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from stepscope.core.domain.webtask import WebField
from stepscope.core.webtask.actions import CHANGES, MODIFIES, PageAction
from stepscope.core.webtask.filling import filling
from stepscope.core.webtask.page import ExecutedCall, PageLook


def calls_for(fields: Sequence[WebField], values: Mapping[str, str]) -> tuple[ExecutedCall, ...]:
    """The calls that fill a page in with these values by field name, in page order. Fields without a value, and sliders
    whose value is no number, are left as they are."""
    wanted = [(field, values.get(field.name, "")) for field in fields]
    calls = [filling(field.name, field.type, value) for field, value in wanted if value]
    return tuple(ExecutedCall(action, 0.0, 0.0) for action in calls if action is not None)


class PersonLog:
    """The calls of one person on one page, oldest first. `begin` starts anew with the values a page came with."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()
        self._values: dict[str, str] = {}
        self._undone: list[ExecutedCall] = []
        self.calls: list[ExecutedCall] = []

    def begin(self, look: PageLook, calls: tuple[ExecutedCall, ...] = (), seconds: float = 0.0) -> None:
        """`calls` were done before, on earlier visits that took so many seconds."""
        self._started = self._clock() - seconds
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
            if (action := filling(one.name, one.type, one.value)) is not None:
                self._add(action)
        self._values = look.values
        return bool(different)

    def did(self, logged: ExecutedCall, look: PageLook) -> None:
        """A call by a button of the panel; one that only looks is no part of it. The page may have told of its change
        before."""
        if not isinstance(logged.action, CHANGES):
            return
        self._undone.clear()
        last = self.calls[-1] if self.calls else None
        if last is not None and last.took == 0 and _same_field(last.action, logged.action):
            self.calls.pop()
        self.calls.append(logged)
        self._values = look.values

    def undo(self) -> tuple[ExecutedCall, ...]:
        """The calls that are left without the last; the page is to be brought there."""
        if self.calls:
            self._undone.append(self.calls.pop())
        return tuple(self.calls)

    def redo(self) -> tuple[ExecutedCall, ...]:
        if self._undone:
            self.calls.append(self._undone.pop())
        return tuple(self.calls)

    def clear(self) -> tuple[ExecutedCall, ...]:
        """Drop all calls; none can be done again either."""
        self.calls, self._undone = [], []
        return ()

    def brought(self, look: PageLook) -> None:
        """The page stands where the calls say."""
        self._values = look.values

    def _add(self, action: PageAction) -> None:
        self._undone.clear()
        if self.calls and _same_field(self.calls[-1].action, action):
            self.calls.pop()
        self.calls.append(ExecutedCall(action, self.seconds, 0.0))


def _same_field(one: PageAction, other: PageAction) -> bool:
    return isinstance(one, MODIFIES) and type(one) is type(other) and one.field == other.field
