"""What is wrong with a run's goals, as `judgements show` tells it: counts by class, agreement, and pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stepscope.app.cli.output import number_of, say, table
from stepscope.core.domain.goal_error import GOAL_ERRORS
from stepscope.core.domain.judgement import JudgeId

if TYPE_CHECKING:
    from stepscope.app.services.goal_error_proposals import MissedGoal
    from stepscope.app.services.judging import JudgingResult

_ITEM_COLUMNS = ("episode", "judge", "class", "by rule")


def name_of_judge(judge: JudgeId | None) -> str:
    """A judge in words; None is people together."""
    return "people together" if judge is None else f"{judge.name} (model)" if judge.by_model else judge.name


def show_errors(found: JudgingResult) -> None:
    """Counts by class, where somebody named one, and how far people agree."""
    if not any(one.tagged for one in found.errors):
        return
    say("", "What is wrong where it does not match:")
    columns = ("judge", "no match", *GOAL_ERRORS, "no class")
    rows = [
        [name_of_judge(one.judge), one.mismatches, *one.counts.values(), one.mismatches - one.tagged]
        for one in found.errors
    ]
    table(columns, rows, numbers=columns[1:])
    agreed = found.error_agreement
    if agreed.kappa is not None:
        shared = number_of(agreed.n, "pairs")
        say(f"Cohen's kappa of people {agreed.kappa:.3f}, equal {agreed.observed:.3f}, over {shared} with two classes")


def error_form(found: JudgingResult) -> dict[str, Any]:
    """The same as JSON has it."""
    agreed = found.error_agreement
    return {
        "judged": [
            {
                "judge": None if one.judge is None else one.judge.name,
                "by_model": bool(one.judge and one.judge.by_model),
                "mismatches": one.mismatches,
                "tagged": one.tagged,
                "counts": {error.value: count for error, count in one.counts.items()},
            }
            for one in found.errors
        ],
        "agreement": {"kappa": agreed.kappa, "observed": agreed.observed, "people": agreed.people, "n": agreed.n},
    }


def show_error_items(items: Sequence[MissedGoal]) -> None:
    """Pair by pair, with what the rule proposes."""
    say("")
    if not items:
        say("Nobody found a pair that does not match.")
        return
    table(_ITEM_COLUMNS, [_row(one) for one in items])


def error_item_forms(items: Sequence[MissedGoal]) -> list[dict[str, Any]]:
    return [
        {
            "episode": one.judgement.pair.key.episode,
            "step": None if one.judgement.pair.key.step < 0 else one.judgement.pair.key.step,
            "judge": one.judgement.judge.name,
            "by_model": one.judgement.judge.by_model,
            "error": _value(one.judgement.error),
            "proposed": _value(one.proposed),
            **({"trouble": one.trouble} if one.trouble else {}),
        }
        for one in items
    ]


def _row(one: MissedGoal) -> Sequence[object]:
    said, key = one.judgement, one.judgement.pair.key
    place = key.episode if key.step < 0 else f"{key.episode}, step {key.step}"
    return [place, name_of_judge(said.judge), _value(said.error) or "", one.trouble or _value(one.proposed) or ""]


def _value(error: object) -> str | None:
    return None if error is None else str(error)
