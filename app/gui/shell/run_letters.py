"""The letters of the runs on one data set: each run is given one, and keeps it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from stepscope.core.frozen import dataclass

LETTERS = "ABCDEFGH"

RunLetters = Mapping[str, int]
"""Shown runs by id, each with the number of its letter (0 is A), in the order of the letters."""


@dataclass(frozen=True, slots=True)
class LetterPassed:
    """A letter, by its number, went from one run to another: what it names is another run now."""

    number: int
    before: str
    now: str


class LetterBook:
    """Which letter each run was given, and which runs are shown.

    A letter is given when a run is first shown, the first that nobody has. It stays the run's own while it is not
    shown, until all eight are given and another run is to be shown: then the run that has been away longest gives up
    its own. Of runs that are shown none ever gives way.
    """

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        """in the order in which they were shown or taken away last"""
        self._on: set[str] = set()
        self.shown: RunLetters = {}
        """never changed, but replaced: any thread may read it"""

    @property
    def given(self) -> RunLetters:
        """All runs that have a letter, shown or not."""
        return dict(self._given)

    def _renew(self) -> None:
        numbered = sorted((number, run) for run, number in self._given.items() if run in self._on)
        self.shown = {run: number for number, run in numbered}

    def show(self, run: str, wish: int | None = None) -> bool:
        """Show a run, under the letter of number `wish` where it has none yet and nobody else has that one. False
        where eight others are shown."""
        if run not in self._given:
            number = self._free(wish)
            if number is None:
                return False
            self._given[run] = number
        self._on.add(run)
        self._renew()
        return True

    def _free(self, wish: int | None) -> int | None:
        free = [number for number in range(len(LETTERS)) if number not in self._given.values()]
        if free:
            return wish if wish in free else free[0]
        away = next((run for run in self._given if run not in self._on), None)
        return self._given.pop(away) if away is not None else None

    def passed_since(self, before: Mapping[str, int]) -> tuple[LetterPassed, ...]:
        """The letters that were other runs' when `given` was this."""
        held, holders = {number: run for run, number in before.items()}, self.given.items()
        return tuple(
            LetterPassed(number, held[number], run)
            for run, number in holders
            if number in held and held[number] not in (run, *self._given)
        )

    def give_back(self, passed: LetterPassed) -> None:
        """Show the run no more that has the letter now, and let the other one have it as before; nothing where it went
        on since."""
        if self._given.get(passed.now) == passed.number and passed.before not in self._given:
            self._on.discard(passed.now)
            del self._given[passed.now]
            self._given = {passed.before: passed.number, **self._given}
            self._renew()

    def hand_on(self, before: str, now: str) -> None:
        """Give the letter of one run to another that stands in its place, shown if that was; nothing where it has
        none."""
        if before not in self._given:
            return
        self._given.pop(now, None)
        self._given = {now if run == before else run: number for run, number in self._given.items()}
        self._on.discard(now)
        if before in self._on:
            self._on.remove(before)
            self._on.add(now)
        self._renew()

    def hide(self, run: str) -> None:
        """Show it no more; it keeps its letter."""
        if run in self._on:
            self._on.remove(run)
            self._given[run] = self._given.pop(run)
            self._renew()

    def show_only(self, runs: Sequence[str], wishes: RunLetters) -> None:
        """Show just these, as far as there are letters; `wishes` as `show` has them."""
        for run in self._on.difference(runs):
            self.hide(run)
        for run in runs:
            self.show(run, wishes.get(run))

    def keep(self, known: Container[str]) -> None:
        """Take the letters of runs back that are not among `known`: they are deleted."""
        self._given = {run: number for run, number in self._given.items() if run in known}
        self._on.intersection_update(self._given)
        self._renew()

    def state(self) -> dict[str, Any]:
        """In plain JSON values."""
        return {"given": dict(self._given), "shown": list(self.shown)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> LetterBook:
        """What `state` told; what makes no sense is left out."""
        book = cls()
        given = state.get("given")
        for run, number in given.items() if isinstance(given, Mapping) else ():
            if isinstance(number, int) and 0 <= number < len(LETTERS) and number not in book._given.values():
                book._given[str(run)] = number
        shown = state.get("shown")
        book._on = {str(run) for run in shown if run in book._given} if isinstance(shown, Sequence) else set()
        book._renew()
        return book
