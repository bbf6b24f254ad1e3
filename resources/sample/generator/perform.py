"""One generated episode, from its draw to a recording on the disk: the part that needs the simulated phone."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.frozen import dataclass
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.resources.sample.director import Director, ScriptError, opened
from stepscope.resources.sample.generator.choose import ATTEMPTS, ELSEWHERE_TOO, Draw, GoalKinds, Means, donors, drawn
from stepscope.resources.sample.generator.plan import AppGoals, Chance, GoalPlan, Template
from stepscope.resources.sample.generator.rough_trees.episode_trees import CLEAN, drawn_trees
from stepscope.resources.sample.generator.rough_trees.kinds import TreeKinds
from stepscope.resources.sample.generator.vary import (
    Variant,
    Way,
    asking,
    key_id,
    other_app,
    premature,
    removed,
    spoken,
    straight,
    two_slots,
    unclear,
    with_detour,
)
from stepscope.resources.sample.phone import PhoneError, PhoneTimeoutError, SimulatedPhone
from stepscope.resources.sample.pictures import encode_quickly
from stepscope.resources.sample.script import PhoneView, Script

DEVICE = "Stepscope sample phone"
NEAR = 0.7
"""How often a goal put to another app comes from one of the same category, where there is one."""


class NoPlanError(RuntimeError):
    """The content of the app at this seed allows nothing of the kind."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What came of an episode's number. `replaced` has a reason for each draw that was given up before; `steps` is 0
    when every draw was."""

    number: int
    id: str
    steps: int
    replaced: tuple[str, ...]


@dataclass(slots=True)
class Performer:
    """Performs episodes of one build on one phone and puts them below `into`."""

    phone: SimulatedPhone
    apps: Sequence[AppGoals]
    build_seed: int
    into: Path
    trees: TreeKinds = TreeKinds.MIXED
    kinds: GoalKinds = GoalKinds.ALL

    def make(self, number: int, *, patient: bool = True) -> EpisodeResult:
        """Episode `number`, at the first draw that works.

        PhoneTimeoutError is the caller's to deal with when `patient`: the phone may need a new start. Otherwise it
        costs the draw, as every other trouble does.
        """
        replaced: list[str] = []
        draw = drawn(self.build_seed, number, 0, self.apps, self.kinds)
        for attempt in range(ATTEMPTS):
            draw = drawn(self.build_seed, number, attempt, self.apps, self.kinds)
            try:
                return EpisodeResult(number, draw.id, self._record(draw), tuple(replaced))
            except NoPlanError as error:
                replaced.append(f"no plan: {error}")
            except (ScriptError, PhoneError) as error:
                if patient and isinstance(error, PhoneTimeoutError):
                    raise
                replaced.append(f"failed: {error}")
            except (LookupError, TypeError, ValueError, ArithmeticError, StopIteration) as error:
                replaced.append(f"failed: {draw.app} at seed {draw.seed}: {type(error).__name__}: {error}")
        return EpisodeResult(number, draw.id, 0, tuple(replaced))

    def _record(self, draw: Draw) -> int:
        """The number of steps; the recording appears whole or not at all."""
        variant, first, template = self._variant(draw)
        goal = spoken(variant.goal, draw.chance("spoken"))
        whole = None if variant.whole is None else spoken(variant.whole, draw.chance("spoken"))
        script = Script(
            draw.id, goal, draw.app, draw.seed, variant.moves, variant.result, variant.reason, variant.follow_up,
            without=variant.without,
        )  # fmt: skip
        rough = drawn_trees(draw.chance("trees")) if self._has_rough_trees(draw) else None
        meta = {
            "device": DEVICE, "seed": draw.seed, "template": template, "means": draw.means, "attempt": draw.attempt,
            "trees": rough.kit.name if rough else CLEAN,
        }  # fmt: skip
        draft = Path(tempfile.mkdtemp(dir=self.into, prefix=f".{draw.id}."))
        try:
            writer = RecordingWriter(draft, meta, durable=False)
            director = Director(self.phone, script, first)
            steps = []
            for take in director.takes():
                steps.append(rough.made(take.step) if rough else take.step)
                writer.add(steps[-1], encode_quickly(take.pixels, self.phone.size))
            episode = replace(director.episode(), steps=tuple(steps), splits=(draw.split,), original_goal=whole)
            writer.save(episode)
            draft.chmod(0o755)
            draft.rename(self.into / draw.id)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return len(steps)

    def _has_rough_trees(self, draw: Draw) -> bool:
        return draw.rough if self.trees is TreeKinds.MIXED else self.trees is TreeKinds.ROUGH

    def _variant(self, draw: Draw) -> tuple[Variant, PhoneView | None, str]:
        """What is to be performed, the first screen where the phone shows it, and the template's name."""
        goals = next(goals for goals in self.apps if goals.app == draw.app)
        if draw.means is Means.OTHER_APP:
            donor = _donor(draw, goals, self.apps)
            plan, template = _plan(draw, donor, self._opened(donor.app, draw.seed))
            first = self._opened(draw.app, draw.seed)
        else:
            first = self._opened(draw.app, draw.seed)
            plan, template = _plan(draw, goals, first)
        variant = _varied(draw, goals, plan, first)
        return variant, None if variant.without else first, f"{template.app}/{template.name}"

    def _opened(self, app: str, seed: int) -> PhoneView:
        return opened(self.phone, Script("", "", app, seed, (), lambda _view: True))


def _donor(draw: Draw, goals: AppGoals, apps: Sequence[AppGoals]) -> AppGoals:
    chance = draw.chance("donor")
    near, far = donors(goals, apps)
    from_near = chance.random() < NEAR
    chosen = near if near and (from_near or not far) else far
    if not chosen:
        raise NoPlanError("there is no other app")
    return chance.choice(chosen)


def _plan(draw: Draw, goals: AppGoals, view: PhoneView) -> tuple[GoalPlan, Template]:
    """A plan of the kind that the means need, from the first template in a drawn order that has one."""
    order = draw.chance("templates").sample(goals.templates, len(goals.templates))
    for template in order:
        if draw.means is Means.OTHER_APP and f"{template.app}/{template.name}" in ELSEWHERE_TOO:
            continue
        plan = template.plan(view, draw.chance(f"plan {template.name}"))
        if plan is not None and fits(plan, draw.means):
            return plan, template
    raise NoPlanError(f"{goals.app} at seed {draw.seed} has no goal for: {draw.means}")


def fits(plan: GoalPlan, means: Means) -> bool:
    """Whether the means can be applied to the plan."""
    if means is Means.PREMATURE:
        return plan.reason is InfeasibilityReason.PREMATURE
    if means in (Means.ASK, Means.UNCLEAR) and not plan.slots:
        return False
    if means is Means.ASK_TWICE and two_slots(plan, Chance(0)) is None:
        return False
    if means is Means.REMOVED and key_id(plan) is None:
        return False
    return plan.reason is None


def _varied(draw: Draw, goals: AppGoals, plan: GoalPlan, first: PhoneView) -> Variant:
    chance = draw.chance("varied")
    detours: tuple[Way, ...] = goals.detours(first, draw.chance("detours"))
    match draw.means:
        case Means.STRAIGHT:
            return straight(plan)
        case Means.DETOUR:
            return with_detour(straight(plan), detours, chance)
        case Means.UNCLEAR:
            return unclear(plan, chance.choice(plan.slots), detours, chance)
        case Means.REMOVED:
            return removed(plan, goals.title, detours, chance)
        case Means.OTHER_APP:
            return other_app(plan, goals.title, goals.searches(first, draw.chance("searches")), detours, chance)
        case Means.PREMATURE:
            return premature(plan, detours, chance)
    pair = two_slots(plan, chance) if draw.means is Means.ASK_TWICE else None
    variant = asking(plan, pair or (chance.choice(plan.slots),), chance)
    return with_detour(variant, detours, chance) if chance.random() < 0.5 else variant
