"""Classes of wrong goals: counts and agreement, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import JudgeId, Judgement
from stepscope.core.scoring.goal_errors import GoalErrorAgreement, error_agreement, error_counts, error_of
from tests.core.scoring.test_judged_pairs import said

NON, PARTIAL, MATCH = (True, False, False, False), (True, True, True, False), (True, True, True, True)
GENERAL, SPECIFIC, WRONG = GoalErrorClass.TOO_GENERAL, GoalErrorClass.TOO_SPECIFIC, GoalErrorClass.WRONG_DETAIL


def tagged(who: str, episode: str, answers: tuple[bool, ...], error: GoalErrorClass | None, **more) -> Judgement:
    return replace(said(who, episode, *answers, **more), error=error)


def test_only_a_pair_that_does_not_match_has_a_class() -> None:
    assert error_of(tagged("ann", "e1", NON, WRONG)) is WRONG
    assert error_of(tagged("ann", "e1", MATCH, WRONG)) is None
    assert error_of(tagged("ann", "e1", (True, False), WRONG)) is None, "no verdict yet"
    assert error_of(tagged("ann", "e1", NON, WRONG, rejected="bad")) is None


def test_classes_are_counted_by_judge_and_for_people_together() -> None:
    """e1: three of three miss, general twice: general. e2: ann and ben miss, a class each: none. e3: one of two misses:
    no mismatch together. e4 is ann's alone."""
    judgements = [
        tagged("ann", "e1", NON, GENERAL), tagged("ben", "e1", PARTIAL, GENERAL), tagged("eve", "e1", NON, WRONG),
        tagged("ann", "e2", NON, GENERAL), tagged("ben", "e2", NON, SPECIFIC),
        tagged("ann", "e3", NON, WRONG), tagged("ben", "e3", MATCH, None),
        tagged("ann", "e4", PARTIAL, None),
        tagged("gpt", "e1", NON, SPECIFIC, by_model=True), tagged("old", "e1", MATCH, None, by_model=True),
    ]  # fmt: skip
    found = {one.judge: one for one in error_counts(judgements)}
    assert set(found) == {None, JudgeId("ann"), JudgeId("ben"), JudgeId("eve"), JudgeId("gpt", True)}
    together = found[None]
    assert (together.mismatches, together.tagged) == (3, 1) and together.counts[GENERAL] == 1
    ann = found[JudgeId("ann")]
    assert (ann.mismatches, ann.tagged) == (4, 3) and (ann.counts[GENERAL], ann.counts[WRONG]) == (2, 1)
    assert found[JudgeId("gpt", True)].counts[SPECIFIC] == 1 and error_counts([]) == []


def test_people_agree_beyond_chance_and_models_do_not_count() -> None:
    """Ann: G G W W, Ben: G W W W. Equal in 3 of 4; by chance 2/4 · 1/4 + 2/4 · 3/4 = 1/2; kappa (3/4 - 1/2) / (1/2) =
    1/2. Of e5 Ben says nothing."""
    ann, ben = (GENERAL, GENERAL, WRONG, WRONG, WRONG), (GENERAL, WRONG, WRONG, WRONG, None)
    judgements = [tagged("ann", f"e{n}", NON, one) for n, one in enumerate(ann)]
    judgements += [tagged("ben", f"e{n}", NON, one) for n, one in enumerate(ben)]
    judgements += [tagged("gpt", f"e{n}", NON, SPECIFIC, by_model=True) for n in range(5)]
    found = error_agreement(judgements)
    assert (found.kappa, found.observed, found.people, found.n) == (pytest.approx(0.5), pytest.approx(0.75), 1, 4)
    alone = error_agreement(judgements[:5])
    assert alone == GoalErrorAgreement()
