"""Who orders which procedure, for both faces: planned, kept in campaigns of ordering, and how far people are.

Qt-free. Whether an assignment is done is not kept: it is when the person has accepted a blind order of the procedure.
Ours, all of it, but that several people order each procedure under each condition (Wu et al. 2022, appendix B.2.1).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.core.domain.campaign import (
    MAX_DEMONSTRATIONS,
    Campaign,
    CampaignContents,
    CampaignTask,
    checked_name,
)
from stepscope.core.domain.human_order import HumanOrder, StepInput
from stepscope.core.domain.order_assignment import (
    OrderAssignment,
    assignments_as_contents,
    assignments_dropped,
    assignments_in,
)
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns
from stepscope.core.store.repositories import human_orders as rows

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services.human_orders import ProcedureOf

CAMPAIGN = "Step ordering"
"""The campaign that assignments are kept in unless another one is named."""
PEOPLE = 3
"""People for each procedure under each condition, unless another number is asked for (ours)."""


@dataclass(frozen=True, slots=True)
class AssignmentRequest:
    """`k` of `people` are wanted for each procedure under each condition of `shown`; `seed` decides who."""

    people: tuple[str, ...]
    k: int = PEOPLE
    shown: tuple[StepInput, ...] = (StepInput.BOTH,)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """What is to be given out, and how many people are missing where there are too few, by procedure and condition."""

    given: tuple[OrderAssignment, ...]
    short: Mapping[tuple[str, StepInput], int]


@dataclass(frozen=True, slots=True)
class OrderTask:
    """An assignment of the campaign, with the person's blind order of it as far as there is one. `elsewhere`: the order
    was made seeing something else than was assigned."""

    campaign: str
    assignment: OrderAssignment
    order: HumanOrder | None = None

    @property
    def is_done(self) -> bool:
        return self.order is not None and self.order.submitted is not None

    @property
    def elsewhere(self) -> bool:
        return self.is_done and self.order is not None and self.order.shown is not self.assignment.shown


# Planning -------------------------------------------------------------------------------------------------------------


def plan(
    request: AssignmentRequest,
    procedures: Sequence[str],
    there: Iterable[OrderAssignment] = (),
    taken: Iterable[tuple[str, str]] = (),
) -> OrderPlan:
    """New assignments, so that each procedure has k people under each condition, as far as there are people.

    Nobody gets a procedure twice, so nobody sees one under two conditions: `there` is assigned already and counts,
    `taken` are procedures and people of other rounds, who may not have them again. Each goes to those with the least to
    do, of them to those with the least under that condition, of them as the seed draws; so nobody has more than one
    procedure more than another where all may have all. The same for the same seed and whatever order people are named
    in.
    """
    given = list(there)
    had = {one.key for one in given} | set(taken)
    people, shown = sorted(set(request.people)), list(dict.fromkeys(request.shown))
    load = Counter(one.annotator for one in given)
    under = Counter((one.annotator, one.shown) for one in given)
    counts = Counter((one.procedure, one.shown) for one in given)
    found: list[OrderAssignment] = []
    short: dict[tuple[str, StepInput], int] = {}
    for number, name in enumerate(procedures):
        ranks = {who: at for at, who in enumerate(_drawn(people, request.seed, name))}
        turn = number % len(shown) if shown else 0  # so that no condition is always the last to be given out
        for one in [*shown[turn:], *shown[:turn]] * request.k:
            if counts[name, one] >= request.k:
                continue
            free = [who for who in people if (name, who) not in had]
            if not free:
                continue
            who = min(free, key=lambda who: (load[who], under[who, one], ranks[who]))
            found.append(OrderAssignment(who, name, one))
            had.add((name, who))
            load[who] += 1
            under[who, one] += 1
            counts[name, one] += 1
        short |= {(name, one): request.k - counts[name, one] for one in shown if counts[name, one] < request.k}
    return OrderPlan(tuple(found), short)


def with_an_order(procedures: Sequence[str], procedure_of: ProcedureOf) -> tuple[list[str], int]:
    """Those that have an order to be found, and how many were left out because the data says that they have none in
    time. One that cannot be read stays: whoever opens it is told why."""
    found = [name for name in procedures if (one := procedure_of(name)) is None or one.ordered]
    return found, len(procedures) - len(found)


def _drawn(people: Sequence[str], seed: int, procedure: str) -> list[str]:
    drawn = list(people)
    random.Random(f"{seed}\x1f{procedure}".encode("utf-8", "replace")).shuffle(drawn)
    return drawn


def assign(
    database: Database, source: str, procedures: Sequence[str], request: AssignmentRequest, campaign: str = CAMPAIGN
) -> OrderPlan:
    """Plan and keep what a campaign lacks; it is made where there is none of that name. People who ordered a procedure
    blind, or have it in another campaign, do not get it. Raises UsageError for what cannot be planned."""
    checked = AssignmentRequest(tuple(map(_person, request.people)), request.k, request.shown, request.seed)
    if not 1 <= request.k <= MAX_DEMONSTRATIONS:
        raise UsageError(f"{request.k} people for each procedure cannot be wanted.", hint="Give 1 or more.")
    if not checked.people or not checked.shown:
        raise UsageError("there is nobody to order.", hint="Name people.")
    if not procedures:
        raise UsageError("there is no procedure to order.", place=source, hint="Loosen the filter.")
    with database.unit_of_work() as db:
        _make(db, campaign, request.k)
        there = assignments_in(campaigns.contents(db, campaign), source)
        elsewhere = [one for name, one in _all(db, source) if name != campaign]
        taken = {one.key for one in elsewhere}
        taken |= {(one.procedure, one.annotator) for one in rows.of_source(db, source) if one.blind}
        found = plan(checked, procedures, there, taken)
        campaigns.replace(db, campaign, CampaignContents(), assignments_as_contents(source, found.given))
    return found


def keep(database: Database, source: str, given: Iterable[OrderAssignment], campaign: str = CAMPAIGN) -> None:
    """Keep these assignments in a campaign, which is made where there is none of that name. Raises UsageError."""
    with database.unit_of_work() as db:
        _make(db, campaign, PEOPLE, change=False)
        campaigns.replace(db, campaign, CampaignContents(), assignments_as_contents(source, given))


def drop(database: Database, source: str, gone: Iterable[OrderAssignment], campaign: str = CAMPAIGN) -> None:
    """Take these assignments back; orders that were made stay. Raises UsageError for a campaign that is not there."""
    with database.unit_of_work() as db:
        contents = campaigns.contents(db, campaign)
        campaigns.replace(db, campaign, assignments_dropped(contents, source, gone), CampaignContents())


# Work -----------------------------------------------------------------------------------------------------------------


def tasks(
    database: Database, source: str, *, annotator: str | None = None, campaign: str | None = None
) -> list[OrderTask]:
    """Every assignment of the data at `source`, by campaign and procedure, with what came of it."""
    with database.reading() as db:
        given = _all(db, source, campaign)
        orders = {one.key[1:3]: one for one in rows.of_source(db, source, annotator=annotator) if one.blind}
    return [OrderTask(name, one, orders.get(one.key)) for name, one in given if annotator in (None, one.annotator)]


def next_task(database: Database, source: str, annotator: str, campaign: str | None = None) -> OrderTask | None:
    """What the person is to order next: the first that is not done; None where nothing is left."""
    found = tasks(database, source, annotator=annotator, campaign=campaign)
    return next((one for one in found if not one.is_done), None)


def _all(db: Session, source: str, campaign: str | None = None) -> list[tuple[str, OrderAssignment]]:
    names = campaigns.names(db, CampaignTask.ORDERING)
    if campaign is not None:
        _check(campaigns.get(db, campaign))
        names = [campaign]
    return [(name, one) for name in names for one in assignments_in(campaigns.contents(db, name), source)]


def _make(db: Session, name: str, k: int, *, change: bool = True) -> None:
    """See to it that there is a campaign of ordering of this name."""
    wanted = Campaign(_person(name, "the campaign's name"), k=k, task=CampaignTask.ORDERING)
    if wanted.name not in campaigns.names(db):
        campaigns.add(db, wanted)
        return
    found = campaigns.get(db, wanted.name)
    _check(found)
    if change and found.k != k:
        campaigns.change(db, wanted.name, Campaign(found.name, found.instructions, k, found.task))


def _check(campaign: Campaign) -> None:
    if campaign.task is not CampaignTask.ORDERING:
        message = f"In the campaign “{campaign.name}” people demonstrate goals."
        raise UsageError(message, hint="Name another campaign with --campaign.")


def _person(name: str, what: str = "a person's name") -> str:
    try:
        return checked_name(name, what)
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Give it a name.") from None
