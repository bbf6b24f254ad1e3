"""Performs every template, detour and search of the sample apps at several seeds and tells which do not work.

`python -m stepscope.resources.sample.generator.check [APP ...] [--seeds N] [--only TEXT]`; the exit status is 1 when
something failed. Nothing is recorded and no picture is taken. In every kind of trees the target of each step must
be under the finger.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from stepscope.core.domain.action import FinishStatus, action_point, action_target
from stepscope.core.domain.episode import InfeasibilityReason, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.resources.sample.director import Director, ScriptError, opened
from stepscope.resources.sample.generator.apps import APPS
from stepscope.resources.sample.generator.catalogue import chosen_apps
from stepscope.resources.sample.generator.plan import AppGoals, GoalPlan
from stepscope.resources.sample.generator.rough_trees.episode_trees import RoughTrees
from stepscope.resources.sample.generator.rough_trees.toolkits import TOOLKITS
from stepscope.resources.sample.generator.vary import key_id
from stepscope.resources.sample.phone import PhoneError, SimulatedPhone, prepare_environment
from stepscope.resources.sample.script import Move, PhoneView, Script, done, what_is_seen

SIZE = Size(270, 600)
FEWEST = 0.5
"""Of the seeds, a template must have a plan at this share."""


@dataclass(frozen=True, slots=True)
class TemplateFault:
    """What went wrong with `name` at `seed`."""

    name: str
    seed: int
    why: str


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 everything works, 1 something failed."""
    parser = argparse.ArgumentParser(prog="python -m stepscope.resources.sample.generator.check", description=__doc__)
    parser.add_argument("apps", nargs="*", metavar="APP", help="the apps to check; all when left out")
    parser.add_argument("--seeds", type=int, default=8, help="seeds 1 to N (8)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only templates whose name has this in it")
    options = parser.parse_args(arguments)
    if unknown := set(options.apps).difference(APPS):
        parser.error(f"no app is called {', '.join(sorted(unknown))}")
    apps = chosen_apps(options.apps or APPS)
    prepare_environment()
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    phone, failed = SimulatedPhone(SIZE), False
    try:
        for goals in apps:
            failed = not _report(goals, phone, options.seeds, options.only) or failed
    finally:
        phone.close()
        application.processEvents()
    return int(failed)


def _report(goals: AppGoals, phone: SimulatedPhone, seeds: int, only: str) -> bool:
    """Check one app and print its table; True when all is well."""
    plans: Counter[str] = Counter()
    findings = []
    for seed in range(1, seeds + 1):
        for name, found in _checked(goals, phone, seed, only):
            plans[name] += found is not None
            if found:
                findings.append(TemplateFault(name, seed, found))
    for template in goals.templates:
        if only in template.name and plans[template.name] < seeds * FEWEST:
            findings.append(
                TemplateFault(template.name, 0, f"has a plan at {plans[template.name]} of {seeds} seeds only")
            )
    for finding in findings:
        print(f"{goals.app:10} {finding.name:28} seed {finding.seed or '-':>2}  {finding.why}")
    print(f"{goals.app}: {sum(plans.values())} performed, {len(findings)} findings", flush=True)
    return not findings


def _checked(goals: AppGoals, phone: SimulatedPhone, seed: int, only: str) -> Iterator[tuple[str, str | None]]:
    """Each template, detour and search at this seed with what is wrong with it: "" is nothing, None is no plan."""
    for template in goals.templates:
        if only not in template.name:
            continue
        first = _opened(phone, goals.app, seed)
        try:
            plan = template.plan(first, random.Random(f"{template.name} {seed}"))
        except Exception as error:  # noqa: BLE001 - a template under work may raise anything, and the rest goes on
            yield template.name, f"raises {type(error).__name__}: {error}"
            continue
        if plan is None:
            yield template.name, None
            continue
        wrong = _flaws(plan, first)
        script = Script(template.name, plan.goal, goals.app, seed, plan.moves, plan.result)
        yield template.name, wrong or _performed(phone, script, first)
    for kind in ("detours", "searches") if not only else ():
        ways = getattr(goals, kind)(_opened(phone, goals.app, seed), random.Random(f"{kind} {seed}"))
        if len(ways) < 3:
            yield kind, f"only {len(ways)}"
        for number, moves in enumerate(ways):
            yield f"{kind} {number}", _walked(phone, goals.app, seed, moves, returns=kind == "detours")


def _flaws(plan: GoalPlan, first: PhoneView) -> str:
    """What can be told wrong with a plan without performing it."""
    last = plan.moves[-1]
    if last.kind != "finish" or any(move.kind in ("finish", "ask") for move in plan.moves[:-1]):
        return "the last move, and only that, must finish; nothing asks"
    if (last.status is FinishStatus.IMPOSSIBLE) != (plan.reason is not None):
        return "a reason and giving up belong together"
    if plan.reason is not None and (plan.reason is not InfeasibilityReason.PREMATURE or "?" not in plan.follow_up):
        return "a plan of its own reason is premature and has a question"
    if plan.key is not None and key_id(plan) is None:
        return "key is not the index of a tap by id"
    for slot in plan.slots:
        if not 0 <= slot.step < len(plan.moves) - 1:
            return f"slot {slot.name}: step {slot.step} is not a move"
        if slot.goal_without == plan.goal or not slot.question.endswith("?") or not slot.answer:
            return f"slot {slot.name}: goal without it, question with ?, answer"
    if any(not move.say for move in plan.moves) or not plan.goal or not first.tree:
        return "words are missing"
    return ""


def _walked(phone: SimulatedPhone, app: str, seed: int, moves: tuple[Move, ...], *, returns: bool) -> str:
    first = _opened(phone, app, seed)
    before = what_is_seen(first.tree), first.data
    script = Script("way", "way", app, seed, (*moves, done()), lambda view: not returns or _same(view, before))
    return _performed(phone, script, first)


def _same(view: PhoneView, before: tuple[object, object]) -> bool:
    return what_is_seen(view.tree) == before[0] and view.data == before[1]


def _performed(phone: SimulatedPhone, script: Script, first: PhoneView) -> str:
    try:
        for take in Director(phone, script, first, pictures=False).takes():
            if lost := lost_target(take.step, script.id):
                return lost
    except (ScriptError, PhoneError) as error:
        return str(error)
    except Exception as error:  # noqa: BLE001 - a check of a move may raise anything
        return f"raises {type(error).__name__}: {error}"
    return ""


def lost_target(step: Step, seed: str) -> str:
    """The kind of trees, in words, in which the step's target is not where the action is; "" where there is none."""
    for kit in TOOLKITS:
        for smallest in (False, True):
            action = RoughTrees(kit, seed, smallest).made(step).action
            point, target = (action_point(action), action_target(action)) if action else (None, None)
            if point and target and target.box and not target.box.contains(point):
                return f"step {step.index}: in {kit.name} trees the target is not under the finger"
    return ""


def _opened(phone: SimulatedPhone, app: str, seed: int) -> PhoneView:
    return opened(phone, Script("check", "", app, seed, (), lambda view: True))


if __name__ == "__main__":
    sys.exit(main())
