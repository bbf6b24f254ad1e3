"""What the page about the people who fill in web tasks is given to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.webtask.agreement import TaskAgreement


@dataclass(frozen=True, slots=True)
class PageDeliveryOptions:
    """The way in which pages come to a person: `seed` None in the order of the data, else shuffled by it; pages that
    `enough` others have submitted are left out, 0: none. `blind`: what the workers of the data said is hidden until a
    page is submitted."""

    annotator: str = ""
    seed: int | None = None
    enough: int = 0
    blind: bool = True


@dataclass(frozen=True, slots=True)
class PersonRow:
    """The progress of a person with a task. `total` pages of the task, 0 where that is not known; `seconds` those of
    the submitted ones together."""

    task: str
    annotator: str
    submitted: int
    drafts: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PeopleView:
    """`agreement` is that of the open task, None where none is open. `names` are all that answered anything."""

    habits: PageDeliveryOptions = PageDeliveryOptions()
    names: tuple[str, ...] = ()
    rows: tuple[PersonRow, ...] = ()
    agreement: TaskAgreement | None = None
