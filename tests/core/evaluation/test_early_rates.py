"""How early a judge finds goals right: worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stepscope.core.domain.episode import Platform
from stepscope.core.domain.judgement import (
    REFERENCE,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    pair_of,
)
from stepscope.core.evaluation.judging import ListedPair, early_rates

MADE = datetime(2026, 1, 1, tzinfo=UTC)
RUN = TextOrigin(OriginKind.RUN, "r")


def said(who: str, episode: str, step: int, matches: bool | None, *, by_model: bool = True) -> Judgement:
    pair = pair_of("data", episode, step, (REFERENCE, "goal"), (RUN, "guess"))
    answers = PairAnswers(True, True, matches, matches)
    return Judgement(pair, JudgeId(who, by_model), answers, MADE)


def listed(judged: list[Judgement], steps: dict[str, int]) -> list[ListedPair]:
    return [ListedPair(one.pair, None, Platform.ANDROID, steps[one.pair.key.episode]) for one in judged]


def test_by_hand():
    """e is right from step 2 of 3 on (2/3), f never in the end (0), g has an open verdict and has no part."""
    judged = [
        said("rules", "e", 2, True), said("rules", "e", 0, False), said("rules", "e", 1, True),
        said("rules", "f", 0, True), said("rules", "f", 1, False),
        said("rules", "g", 0, True), said("rules", "g", 1, None),
    ]  # fmt: skip
    (found,) = early_rates(judged, listed(judged, {"e": 3, "f": 2, "g": 2}))
    assert (found.judge, found.n) == (JudgeId("rules", True), 2)
    assert (found.earliness, found.convergence) == (pytest.approx(1 / 3), 0.5)


def test_people_together_come_first():
    judged = [said(who, "e", 0, verdict, by_model=False) for who, verdict in (("ana", True), ("ben", True))]
    found = early_rates(judged, listed(judged[:1], {"e": 1}))
    assert [one.judge and one.judge.name for one in found] == [None, "ana", "ben"]


def test_goals_told_at_the_end_have_none():
    judged = [said("rules", "e", -1, True)]
    assert early_rates(judged, listed(judged, {"e": 3})) == []


def test_a_step_without_a_guess_is_not_right():
    """Right at steps 1 and 3 of 3, nothing said at 2: from the third on, 1/3."""
    judged = [said("rules", "e", 0, True), said("rules", "e", 2, True)]
    (found,) = early_rates(judged, listed(judged, {"e": 3}))
    assert found.earliness == pytest.approx(1 / 3)
