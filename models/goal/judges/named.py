"""Judges by their names: `rules`, `rules?likeness=minilm`, `served:SERVER/MODEL`, `local:CHECKPOINT`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stepscope.core.domain.model_name import is_asked, split_name, with_settings
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.goal.judges.judge import GoalJudge

if TYPE_CHECKING:
    from stepscope.models.agents.asked import AskedModel
    from stepscope.models.goal.judges import asked_judge
    from stepscope.models.goal.judges.asked_judge import JudgeSettings
else:
    asked_judge = lazy_module("stepscope.models.goal.judges.asked_judge")

RULES = "rules"
LIKENESS = Option("likeness", "none", "An encoder of texts by which words are alike too.", "ours")


def judge_named(name: str, *, device: str = "auto") -> GoalJudge:
    """The judge, loaded where it has weights. Raises UsageError for a name, a server or a setting that there is not,
    and what loading raises."""
    plain, given = split_name(name)
    if plain == RULES:
        return _rules(given)
    if is_asked(plain):
        return _asked(plain, given, name, device)
    raise UsageError(f"There is no judge {name!r}.", hint=f"Give {RULES}, served:SERVER/MODEL or local:CHECKPOINT.")


def check_judge(name: str) -> None:
    """Raises UsageError as `judge_named`; a checkpoint is not loaded."""
    plain, given = split_name(name)
    if is_asked(plain):
        _settings(plain, given)
    else:
        judge_named(name)


def _rules(given: dict[str, str]) -> GoalJudge:
    from stepscope.models.goal.judges.rule_judge import RuleJudge

    unknown = [one for one in given if one != LIKENESS.name]
    if unknown:
        checked(RULES, (LIKENESS,), given)  # raises
    likeness = given.get(LIKENESS.name, "")
    return RuleJudge(with_settings(RULES, {LIKENESS.name: likeness}) if likeness else RULES, likeness)


def _settings(plain: str, given: dict[str, str]) -> tuple[AskedModel, JudgeSettings]:
    from stepscope.models.agents.asked import asked_model

    found = asked_model(plain)
    settings = asked_judge.judge_settings(plain, given, sees=found.sees)
    if settings.samples > 1 and isinstance(found.origin, Checkpoint):
        raise UsageError(f"{plain} gives the same answer every time.", hint="Leave samples out.")
    return found, settings


def _asked(plain: str, given: dict[str, str], name: str, device: str) -> GoalJudge:
    from stepscope.models.chat.chat import ServedChat

    found, settings = _settings(plain, given)
    called = asked_judge.judge_name(name)
    if not isinstance(found.origin, Checkpoint):
        warm = asked_judge.WARM if settings.samples > 1 else 0.0
        chat: Any = ServedChat(found.origin, found.model, temperature=warm)
        return asked_judge.AskedJudge(called, chat, settings, found.origin.parallel)
    from stepscope.models.checkpoints.generation import LoadedCheckpoint

    return asked_judge.AskedJudge(called, LoadedCheckpoint(found.origin, device), settings, 1)
