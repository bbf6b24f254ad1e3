"""ManifestFields of a table that somebody else wrote, each looked at as it is taken: what is wrong names the field."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.scoring.names import did_you_mean

_LONGEST = 1000
"""Letters of a text."""
_MOST_TABLES = 32


class ManifestFields:
    """A table of the file at `place`; `within` is where it stands in it, "" for the whole."""

    def __init__(self, form: Mapping[str, Any], place: Path | str, within: str = "") -> None:
        self._form, self._place, self._within = form, place, within
        self._taken: set[str] = set()

    def wrong(self, field: str, why: str) -> UserError:
        """The error about a field, `why` in words that go on after its name."""
        return UserError(f"{self._within}{field} {why}.", place=self._place, hint="See docs/models/own.md.")

    def all_known(self) -> None:
        """Raises UserError for a field that nobody has taken: it would be thought to count."""
        for name in self._form:
            if name not in self._taken:
                more = did_you_mean(name, self._taken).strip()
                raise self.wrong(str(name)[:60], f"is no field here. {more}".strip().rstrip("."))

    def text(self, name: str, usual: str | None = None) -> str:
        found = self._get(name, usual)
        if not isinstance(found, str) or len(found) > _LONGEST or not found.isprintable():
            raise self.wrong(name, f"must be a text in one line of at most {_LONGEST:,} letters")
        if not found and usual is None:
            raise self.wrong(name, "is empty")
        return found

    def choice(self, name: str, allowed: Sequence[str], usual: str | None = None) -> str:
        found = self._get(name, usual)
        if not isinstance(found, str) or found not in allowed:
            words = ", ".join(one for one in allowed if one)
            raise self.wrong(name, f"is {str(found)[:60]!r}, and must be one of: {words}")
        return found

    def whole(self, name: str, usual: int | None, low: int, high: int) -> int:
        found = self._get(name, usual)
        if type(found) is not int or not low <= found <= high:
            raise self.wrong(name, f"must be a whole number from {low:,} to {high:,}")
        return found

    def number(self, name: str, usual: float | None, low: float, high: float) -> float:
        return self._number(name, self._get(name, usual), low, high)

    def triple(self, name: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        """Three numbers, one for each colour; one number stands for all three."""
        found = self._get(name, list(usual))
        row = list(found) if isinstance(found, list) else [found] * 3
        if len(row) != 3:
            raise self.wrong(name, "must be three numbers, one for each colour")
        return tuple(self._number(name, one, -1e6, 1e6) for one in row)

    def flag(self, name: str) -> bool:
        found = self._get(name, False)
        if not isinstance(found, bool):
            raise self.wrong(name, "must be true or false")
        return found

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        found = self._get(name, [])
        if not isinstance(found, list) or len(found) > most or not all(isinstance(one, str) for one in found):
            raise self.wrong(name, f"must be a list of at most {most:,} texts")
        if len(set(found)) < len(found):
            raise self.wrong(name, "have one text twice")
        return tuple(found)

    def table(self, name: str) -> ManifestFields:
        found = self._get(name, {})
        if not isinstance(found, dict):
            raise self.wrong(name, "must be a table")
        return ManifestFields(found, self._place, f"{self._within}{name}.")

    def tables(self, name: str) -> list[ManifestFields]:
        found = self._get(name, [])
        if not isinstance(found, list) or len(found) > _MOST_TABLES or not all(isinstance(one, dict) for one in found):
            raise self.wrong(name, f"must be at most {_MOST_TABLES} tables")
        return [ManifestFields(one, self._place, f"{name}.{str(one.get('name', place + 1))[:60]}.")
                for place, one in enumerate(found)]  # fmt: skip

    def _get(self, name: str, usual: Any) -> Any:
        self._taken.add(name)
        found = self._form.get(name, usual)
        if found is None:
            raise self.wrong(name, "is missing")
        return found

    def _number(self, name: str, found: Any, low: float, high: float) -> float:
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self.wrong(name, "must be a number")
        if not (math.isfinite(found) and low <= found <= high):
            raise self.wrong(name, f"must be a number from {low:,.10g} to {high:,.10g}")
        return float(found)
