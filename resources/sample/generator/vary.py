"""What is made of a plan: a detour on the way, a question that is due, or one of the ways in which a goal fails.

All of it is pure: plans in, scripts out. An infeasible attempt is given detours up to the length that the whole way
would have had, so that its length tells little; now and then it is given up at once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.frozen import dataclass
from stepscope.resources.sample.generator.plan import GoalPlan, Slot
from stepscope.resources.sample.generator.wording import Wording
from stepscope.resources.sample.script import ById, Move, Then, ask, give_up

AT_ONCE = 0.3
"""Of the infeasible attempts so many are not drawn out."""
DETOURS_MOST = 4
_ASKS, _GOES_ROUND = 0.2, 0.5
"""Of the feasible episodes so many ask, and so many begin with a detour (`choose.SHARES`)."""
_USUAL = (4, 7)
"""Moves of a feasible way, from a short one to a long one."""

Way = tuple[Move, ...]
_ASKING = (
    "Ask the person",
    "Ask for what is missing",
    "Ask before going on",
    "The goal leaves this open, ask",
    "Ask which one is meant",
)
_NOT_HERE = (
    "There is no such thing in this app",
    "This cannot be done here",
    "Give up, the app has nothing of the kind",
    "Stop here, it is not possible in this app",
    "None of this fits what was asked for",
)
_GONE = (
    "The button that is needed is not there",
    "Give up, there is no way to do this",
    "Stop here, this cannot be done on this phone",
    "What is needed is missing from this screen",
    "It is not possible here",
)
_OPEN = (
    "It is not said what is meant",
    "Give up, the goal leaves too much open",
    "Stop here, it is not clear how to go on",
    "Something is missing from what was asked for",
    "This cannot be decided without the person",
)
_ELSEWHERE = (
    "{title} cannot do this. Is there another app for it?",
    "I found nothing of this in {title}. Which app do you have in mind?",
    "This does not seem to be possible in {title}. Shall I look in another app?",
    "{title} offers no such thing. Do you mean another app?",
    "Could it be that this belongs into another app than {title}?",
)
_MISSING = (
    "{title} does not offer this here. Is there another way that I should try?",
    "I cannot find what is needed for this in {title}. Where is it on your phone?",
    "This version of {title} has no way to do it. Shall I leave it?",
    "The button for this is missing in {title}. Do you know another way?",
    "I see no way to do this in {title}. What shall I do instead?",
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A goal and moves to be performed on a phone that lacks `without`; infeasible where there is a `reason`. `whole`
    is the goal with nothing left out, where it leaves something out and is reached all the same."""

    goal: str
    moves: Way
    result: Then
    reason: InfeasibilityReason | None = None
    follow_up: str = ""
    without: str = ""
    whole: str | None = None


def straight(plan: GoalPlan) -> Variant:
    """The plan as it is; one that is premature by itself stays so."""
    return Variant(plan.goal, plan.moves, plan.result, plan.reason, plan.follow_up)


def with_detour(variant: Variant, detours: Sequence[Way], chance: random.Random) -> Variant:
    """First one look elsewhere, then the way."""
    return _longer(variant, chance.choice(detours))


def asking(plan: GoalPlan, slots: Sequence[Slot], chance: random.Random) -> Variant:
    """The goal without the content of one slot or several; each question where it is due, and the way on with the
    answer. Several must be due at different moves and come from one wording."""
    moves = list(plan.moves)
    for slot in sorted(slots, key=lambda one: -one.step):
        moves.insert(slot.step, ask(slot.question, slot.answer, chance.choice(_ASKING)))
    goal = slots[0].goal_without
    if len(slots) > 1:
        goal = Wording(slots[0].wording).without(*(slot.name for slot in slots))
    return Variant(goal, tuple(moves), plan.result, whole=plan.goal)


def two_slots(plan: GoalPlan, chance: random.Random) -> tuple[Slot, Slot] | None:
    """Two pieces of the goal that can be left out together, the one that is needed first before the other."""
    pairs = [
        (one, other)
        for one in plan.slots
        for other in plan.slots
        if one.step < other.step and one.wording and one.wording == other.wording
    ]
    return chance.choice(pairs) if pairs else None


def unclear(plan: GoalPlan, slot: Slot, detours: Sequence[Way], chance: random.Random) -> Variant:
    """The goal without the slot's content, given up where the content is needed."""
    moves = (*plan.moves[: slot.step], give_up(chance.choice(_OPEN)))
    attempt = Variant(slot.goal_without, moves, _anything, InfeasibilityReason.UNCLEAR, slot.question)
    return drawn_out(attempt, len(plan.moves), detours, chance)


def removed(plan: GoalPlan, title: str, detours: Sequence[Way], chance: random.Random) -> Variant:
    """The goal on a phone without the plan's key button, given up where the button should be.

    Raises ValueError for a plan without a key.
    """
    name = key_id(plan)
    if name is None or plan.key is None:
        raise ValueError("the plan has no key")
    button = ById(name)
    moves = (*plan.moves[: plan.key], give_up(chance.choice(_GONE)))
    attempt = Variant(
        plan.goal,
        moves,
        lambda view: button(view.tree) is None,
        InfeasibilityReason.IMPOSSIBLE,
        chance.choice(_MISSING).format(title=title),
        without=name.rsplit("/", 1)[-1],
    )
    return drawn_out(attempt, len(plan.moves), detours, chance)


def other_app(
    plan: GoalPlan, title: str, searches: Sequence[Way], detours: Sequence[Way], chance: random.Random
) -> Variant:
    """Another app's goal put to the app `title`: one look for it there, then given up."""
    moves = (*chance.choice(searches), give_up(chance.choice(_NOT_HERE)))
    question = chance.choice(_ELSEWHERE).format(title=title)
    attempt = Variant(plan.goal, moves, _anything, InfeasibilityReason.IMPOSSIBLE, question)
    return drawn_out(attempt, len(plan.moves), detours, chance)


def premature(plan: GoalPlan, detours: Sequence[Way], chance: random.Random) -> Variant:
    """A plan that needs something else first by itself, drawn out to the length of a feasible way."""
    return drawn_out(straight(plan), max(len(plan.moves), chance.randint(*_USUAL)), detours, chance)


def drawn_out(attempt: Variant, wanted: int, detours: Sequence[Way], chance: random.Random) -> Variant:
    """The attempt with detours before it until it has `wanted` moves and what feasible ways have more.

    Where nothing is done before giving up there is always one: nobody gives up without a look.
    """
    at_once = chance.random() < AT_ONCE
    left = chance.sample(detours, min(len(detours), DETOURS_MOST))
    wanted += chance.random() < _ASKS
    if left and chance.random() < _GOES_ROUND:
        wanted += len(left[-1])
    while left and (len(attempt.moves) == 1 or (not at_once and len(attempt.moves) < wanted)):
        attempt = _longer(attempt, left.pop())
    return attempt


def key_id(plan: GoalPlan) -> str | None:
    """The resource id of the plan's key button; None where it has none, or one that is not a tap found by id."""
    if plan.key is None or not 0 <= plan.key < len(plan.moves):
        return None
    move = plan.moves[plan.key]
    return move.find.name if move.kind == "tap" and isinstance(move.find, ById) else None


def spoken(goal: str, chance: random.Random) -> str:
    """The goal as people write it down: with or without a full stop, a capital at the beginning, or any capital."""
    text = goal
    if chance.random() < 0.35 and not text.endswith((".", "!", "?", "…")):
        text += chance.choice((".", ".", "!"))
    elif chance.random() < 0.3 and text.endswith("."):
        text = text[:-1]
    habit = chance.random()
    if habit < 0.08:
        return text.lower()
    if habit < 0.25 and not text.startswith(("I ", "I'", "I’")):
        return text[:1].lower() + text[1:]
    return text


def _longer(variant: Variant, way: Way) -> Variant:
    return replace(variant, moves=(*way, *variant.moves))


def _anything(_view: object) -> bool:
    return True
