"""What the page about the people who fill in web tasks is given to show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageDeliveryOptions:
    """How pages come to a person: `seed` None in the order of the data, else shuffled by it; pages that `enough` others
    have submitted are left out, 0: none. `blind`: what the workers of the data said is hidden until a page is
    submitted."""

    annotator: str = ""
    seed: int | None = None
    enough: int = 0
    blind: bool = True


@dataclass(frozen=True, slots=True)
class PersonRow:
    """How far somebody is with a task. `total` pages of the task, 0 where that is not known; `seconds` those of the
    submitted ones together."""

    task: str
    annotator: str
    submitted: int
    drafts: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class FieldAgreementRow:
    """How far people agree on a field: `measure` in words, its `value` in its own units, the share of `equal` answers,
    over `n` pairs of answers to `pages` pages. None: nothing to compare."""

    field: str
    type: str
    measure: str
    value: float | None
    equal: float | None
    pages: int
    n: int


@dataclass(frozen=True, slots=True)
class WorkersRow:
    """A person's answers scored against the workers' of the data, over `n` fields; None: nothing is scored."""

    annotator: str
    score: float | None
    n: int


@dataclass(frozen=True, slots=True)
class PeopleView:
    """`task` is the one that agreement is about, "" where none is open. `names` are all that answered anything."""

    habits: PageDeliveryOptions = PageDeliveryOptions()
    names: tuple[str, ...] = ()
    rows: tuple[PersonRow, ...] = ()
    task: str = ""
    fields: tuple[FieldAgreementRow, ...] = ()
    workers: tuple[WorkersRow, ...] = ()
