"""What the Notes page shows, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

STAR, CHECKED, DEFECT, NOTE = "star", "check", "flag", "note"
"""Icons of what is said about a place."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and in words who made it and when."""

    value: str
    by: str


@dataclass(frozen=True, slots=True)
class PlaceNotes:
    """A person's notes about a step or an episode; `title` names it. None: not answered."""

    title: str
    star: Statement | None = None
    checked: Statement | None = None
    defects: tuple[Statement, ...] = ()
    note: Statement | None = None
    tags: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelNotes:
    """Somebody's feasibility label of an episode: `label` is feasible, infeasible or "" (none given). `data` says in
    words what the data itself says."""

    label: str = ""
    reason: str = ""
    follow_up: tuple[str, ...] = ()
    by: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """Words to choose from: reasons of a defect, reasons of infeasibility, tags in use."""

    defects: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
