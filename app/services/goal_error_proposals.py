"""What the rule proposes for pairs that do not match; for both faces. The rule: `models.goal.judges.error_class`."""

from __future__ import annotations

from collections.abc import Iterable

from stepscope.core.domain.episode import Episode
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import Judgement
from stepscope.core.errors import UserError
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.goal_errors import is_mismatch
from stepscope.core.sources.source import Source
from stepscope.models.goal.judges.error_class import proposed_error
from stepscope.models.goal.judges.rule_judge import seen_terms


def proposed_for(judgement: Judgement, episode: Episode) -> GoalErrorClass | None:
    """By the judge's own answers; None where the pair matches, is open or rejected, or nothing fits."""
    if not is_mismatch(judgement):
        return None
    pair = judgement.pair
    return proposed_error(judgement.answers, pair.first, pair.second, seen_terms(goal_request(episode)))


@dataclass(frozen=True, slots=True)
class MissedGoal:
    """A judgement of a pair that does not match, and what the rule proposes. `trouble`: why the episode could not be
    read."""

    judgement: Judgement
    proposed: GoalErrorClass | None
    trouble: str = ""


def missed_goals(source: Source, judgements: Iterable[Judgement]) -> list[MissedGoal]:
    """Those of the judgements that find no match, in their order; each episode is read once."""
    by_episode: dict[str, list[Judgement]] = {}
    for one in judgements:
        if is_mismatch(one):
            by_episode.setdefault(one.pair.key.episode, []).append(one)
    found: list[MissedGoal] = []
    for name, said in by_episode.items():
        try:
            episode = source.read(name)
        except UserError as error:
            found += [MissedGoal(one, None, str(error)) for one in said]
        else:
            found += [MissedGoal(one, proposed_for(one, episode)) for one in said]
    return found
