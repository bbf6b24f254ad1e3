"""Judges by their names: `rules`, `rules?likeness=minilm`, `served:SERVER/MODEL`, `local:CHECKPOINT`."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.model_name import is_asked, split_name, with_settings
from stepscope.core.errors import UsageError
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.goal.judges.judge import GoalJudge

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


def _rules(given: dict[str, str]) -> GoalJudge:
    from stepscope.models.goal.judges.rule_judge import RuleJudge

    unknown = [one for one in given if one != LIKENESS.name]
    if unknown:
        checked(RULES, (LIKENESS,), given)  # raises
    likeness = given.get(LIKENESS.name, "")
    return RuleJudge(with_settings(RULES, {LIKENESS.name: likeness}) if likeness else RULES, likeness)


def _asked(plain: str, given: dict[str, str], name: str, device: str) -> GoalJudge:
    from stepscope.models.agents.asked import asked_model
    from stepscope.models.chat.chat import ServedChat
    from stepscope.models.chat.servers import ChatServer
    from stepscope.models.goal.judges.asked_judge import WARM, AskedJudge, judge_name, judge_settings

    found = asked_model(plain)
    settings = judge_settings(plain, given, sees=found.sees)
    called = judge_name(name)
    if isinstance(found.origin, ChatServer):
        warm = WARM if settings.samples > 1 else 0.0
        chat: Any = ServedChat(found.origin, found.model, temperature=warm)
        return AskedJudge(called, chat, settings, found.origin.parallel)
    if settings.samples > 1:
        raise UsageError(f"{plain} gives the same answer every time.", hint="Leave samples out.")
    from stepscope.models.checkpoints.generation import LoadedCheckpoint

    return AskedJudge(called, LoadedCheckpoint(found.origin, device), settings, 1)
