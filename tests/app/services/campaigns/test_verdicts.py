"""Majorities, ties and the histogram of agreement, worked out by hand."""

from datetime import UTC, datetime

import pytest

from stepscope.app.services.campaigns.verdicts import CampaignAgreement, PairVerdict, ShareBar, agreement, verdict
from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentState,
    CampaignContents,
    CampaignGoal,
    Demonstration,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason

FEASIBLE, INFEASIBLE = FeasibilityLabel
IMPOSSIBLE, UNCLEAR, PREMATURE = InfeasibilityReason
SAID = {
    "y": Feasibility(FEASIBLE), "i": Feasibility(INFEASIBLE, IMPOSSIBLE), "u": Feasibility(INFEASIBLE, UNCLEAR),
    "n": Feasibility(INFEASIBLE), "-": Feasibility(),
}  # fmt: skip
PEOPLE = "abcdef"


def campaign(*votes):
    """A pair a word; its letters are what a, b, c, … say of it, a space where one had nothing to do with it."""
    pairs = tuple(
        Pair("app", CampaignGoal("app", f"goal {number}"), PairOrigin.BY_HAND) for number in range(len(votes))
    )
    given, shown = [], []
    for pair, letters in zip(pairs, votes, strict=True):
        for name, letter in zip(PEOPLE, letters, strict=False):
            if letter != " ":
                given.append(Assignment(pair.key, name, AssignmentState.DONE))
                made = datetime(2024, 5, 1, tzinfo=UTC)
                shown.append(Demonstration(given[-1].key, "f", f"e{len(shown)}", SAID[letter], None, made))
    goals = tuple(pair.goal for pair in pairs)
    return CampaignContents((AppEntry("app", "App"),), goals, tuple(PEOPLE), pairs, tuple(given), tuple(shown))


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ("yyyii", PairVerdict(3, 2, FEASIBLE, None, False, 0.6)),
        ("yiiuy", PairVerdict(2, 3, INFEASIBLE, IMPOSSIBLE, False, 0.6)),
        ("iuiu", PairVerdict(0, 4, INFEASIBLE, None, False, 1.0)),  # the reasons are tied
        ("nn", PairVerdict(0, 2, INFEASIBLE, None, False, 1.0)),
        ("yyii", PairVerdict(2, 2, None, None, True, 0.5)),
        ("y-", PairVerdict(1, 0, FEASIBLE, None, False, 1.0)),
        ("--", PairVerdict(0, 0, None, None, False, None)),
        ("", PairVerdict(0, 0, None, None, False, None)),
    ],
)
def test_the_majority(votes, expected):
    assert verdict(campaign(votes).demonstrations) == expected


def test_the_histogram_and_kappa_worked_out_by_hand():
    # 5 of 5, 4 of 5, 4 of 5, 3 of 5 agree; one tie; one with one label, one with none
    found = agreement(campaign("yyyyy", "yyyyi", "iiuiy", "yyiiy", "yi", "y", ""))
    assert found.bars == (
        ShareBar(0.5, 1, True), ShareBar(0.6, 1, False), ShareBar(0.8, 2, False), ShareBar(1.0, 1, False),
    )  # fmt: skip
    assert found.few == 2 and found.annotator_pairs == 10


def test_kappa_of_two_annotators():
    # a: y y i i y, b: y y i y y. observed 4/5; by chance 3/5 * 4/5 + 2/5 * 1/5 = 14/25; (20 - 14) / (25 - 14) = 6/11
    found = agreement(campaign("yy", "yy", "ii", "iy", "yy"))
    assert found.kappa == pytest.approx(6 / 11) and found.observed == pytest.approx(0.8)
    assert found.annotator_pairs == 1


def test_nobody_has_said_anything_yet():
    assert agreement(campaign("", "")) == CampaignAgreement((), 2, None, None, 0)
    assert agreement(CampaignContents()) == CampaignAgreement((), 0, None, None, 0)
