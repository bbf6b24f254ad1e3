"""What a protocol or a model can be set to. Light: whoever lists models loads this and no library."""

from __future__ import annotations

from typing import Literal

from stepscope.core.frozen import dataclass

Mark = Literal["paper", "code", "ours"]
OptionValue = str | int | float


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a protocol. `choices` empty: a number within `low`..`high`,
    or the `default` or a file where that is a word, or any word where `takes` says of what. `mark` says who the rule is
    from.
    `of_run`: it says how an evaluation asks, not how answers are scored, so that scoring them again has none of it."""

    name: str
    default: OptionValue
    help: str
    mark: Mark
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = float("inf")
    of_run: bool = False
    takes: str = ""
