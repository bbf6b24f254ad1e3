"""What judges say is wrong with predicted goals: counts by class, and how far people agree. Knows no store."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from stepscope.core.domain.goal_error import GOAL_ERRORS, GoalErrorClass
from stepscope.core.domain.judgement import JudgeId, Judgement, TextPairKey
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import pairwise_agreement
from stepscope.core.scoring.judged_pairs import verdict_of_answers


def is_mismatch(judgement: Judgement) -> bool:
    """Whether the judge came to a verdict other than match: only such a pair has a class of error."""
    verdict = verdict_of_answers(judgement.answers)
    return not judgement.rejected and verdict is not None and verdict != "match"


def error_of(judgement: Judgement) -> GoalErrorClass | None:
    """The class that counts; None where there is none, or the judge's verdict is match or open."""
    return judgement.error if is_mismatch(judgement) else None


@dataclass(frozen=True, slots=True)
class GoalErrorCounts:
    """Of a judge, or of all people together (`judge` None): pairs that do not match, how many of them have a class, and
    how many have each."""

    judge: JudgeId | None
    mismatches: int
    tagged: int
    counts: Mapping[GoalErrorClass, int]


def error_counts(judgements: Sequence[Judgement]) -> list[GoalErrorCounts]:
    """People together where there are several, then each judge with a mismatch: people before models, by name.

    Together a pair has the class that most people gave it, none where two were given equally often; it does not match
    where more people say so than call it a match (ours).
    """
    judges = sorted({one.judge for one in judgements}, key=lambda judge: (judge.by_model, judge.name))
    single = [_counts(judge, [one for one in judgements if one.judge == judge]) for judge in judges]
    people = [one for one in judgements if not one.judge.by_model]
    together = [_together(people)] if len({one.judge for one in people}) > 1 else []
    return [one for one in (*together, *single) if one.mismatches]


def _counts(judge: JudgeId, said: Iterable[Judgement]) -> GoalErrorCounts:
    missed = [one for one in said if is_mismatch(one)]
    return _counted(judge, len(missed), [error_of(one) for one in missed])


def _together(people: Iterable[Judgement]) -> GoalErrorCounts:
    by_pair: dict[TextPairKey, list[Judgement]] = defaultdict(list)
    for one in people:
        if not one.rejected and verdict_of_answers(one.answers) is not None:
            by_pair[one.pair.key].append(one)
    missed = [said for said in by_pair.values() if 2 * sum(map(is_mismatch, said)) > len(said)]
    return _counted(None, len(missed), [_most_given(said) for said in missed])


def _most_given(said: Iterable[Judgement]) -> GoalErrorClass | None:
    ranked = Counter(found for one in said if (found := error_of(one)) is not None).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _counted(judge: JudgeId | None, mismatches: int, found: Sequence[GoalErrorClass | None]) -> GoalErrorCounts:
    return GoalErrorCounts(
        judge, mismatches, sum(one is not None for one in found), {error: found.count(error) for error in GOAL_ERRORS}
    )


@dataclass(frozen=True, slots=True)
class GoalErrorAgreement:
    """People's agreement on classes: Cohen's kappa and the share of equal ones, means over `people` pairs of people;
    None without any. `n` pairs of texts have a class of two people at least."""

    kappa: float | None = None
    observed: float | None = None
    people: int = 0
    n: int = 0


def error_agreement(judgements: Iterable[Judgement]) -> GoalErrorAgreement:
    """How far people call the same pairs the same."""
    by_pair: dict[TextPairKey, dict[str, str | None]] = defaultdict(dict)
    for one in judgements:
        if not one.judge.by_model:
            by_pair[one.pair.key][one.judge.name] = error_of(one)
    items = list(by_pair.values())
    common = sum(sum(error is not None for error in said.values()) > 1 for said in items)
    return GoalErrorAgreement(*pairwise_agreement(items), common)
