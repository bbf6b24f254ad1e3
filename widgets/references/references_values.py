"""What the page of checked references shows."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

ALL, LARGE, BOXLESS = "", "large", "boxless"
"""Rows that are no rules: every reference that fails, touches in an element of more than half the screen, and touches
in none that the data knows."""


@dataclass(frozen=True, slots=True)
class CheckedRule:
    """A rule, or one of the other reasons to look at a reference. `judged` None: it is no rule."""

    id: str
    title: str
    wrong: int
    judged: int | None = None
    unscored: int | None = None


@dataclass(frozen=True, slots=True)
class DoubtfulReference:
    """A recorded action that fails under `rules`, or that is doubtful for another reason (`why`)."""

    episode: str
    step: int
    kind: str
    rules: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ReferencesState:
    """A finished check. `told` sums it up; `rows` are those of each rule by its id."""

    told: str
    command: str
    rules: tuple[CheckedRule, ...]
    rows: dict[str, tuple[DoubtfulReference, ...]]
