"""Names of campaigns, and what hangs on what."""

import pytest

from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    CampaignContents,
    CampaignGoal,
    Pair,
    PairOrigin,
    checked_name,
    tidy,
)

CLOCK, SHOP = AppEntry("clock", "Clock"), AppEntry("shop", "Shop")
ALARM, LAMP = CampaignGoal("clock", "Set an alarm"), CampaignGoal("shop", "Buy a lamp")
OWN, ACROSS = Pair("clock", ALARM, PairOrigin.APP_SPECIFIC), Pair("shop", ALARM, PairOrigin.CATEGORY, 1)
MINE, THEIRS = Assignment(OWN.key, "ann"), Assignment(ACROSS.key, "bob")
ALL = CampaignContents((CLOCK, SHOP), (ALARM, LAMP), ("ann", "bob"), (OWN, ACROSS), (MINE, THEIRS))


def test_names_are_one_line_that_every_store_holds():
    assert tidy("  a\n\tb\0c \ud800 ") == "a b c ?"
    assert checked_name("x" * 200, "the name") == "x" * 200
    with pytest.raises(ValueError, match="the name is empty"):
        checked_name(" \n", "the name")
    with pytest.raises(ValueError, match="has 201 characters, 200 at most"):
        checked_name("x" * 201, "the name")


@pytest.mark.parametrize(
    ("part", "hanging"),
    [
        (CampaignContents(apps=(CLOCK,)), CampaignContents((CLOCK,), (ALARM,), (), (OWN, ACROSS), (MINE, THEIRS))),
        (CampaignContents(apps=(SHOP,)), CampaignContents((SHOP,), (LAMP,), (), (ACROSS,), (THEIRS,))),
        (CampaignContents(goals=(LAMP,)), CampaignContents(goals=(LAMP,))),
        (CampaignContents(pairs=(OWN,)), CampaignContents(pairs=(OWN,), assignments=(MINE,))),
        (CampaignContents(annotators=("bob",)), CampaignContents(annotators=("bob",), assignments=(THEIRS,))),
        (CampaignContents(), CampaignContents()),
    ],
)
def test_what_goes_with_what(part, hanging):
    assert ALL.hanging_on(part) == hanging


def test_parts_by_key():
    other = CampaignContents((AppEntry("clock", "Another title"),), annotators=("bob",))
    assert ALL.among(other) == CampaignContents((CLOCK,), annotators=("bob",))
    assert ALL.without(other) + ALL.among(other) == CampaignContents(
        (SHOP, CLOCK), (ALARM, LAMP), ("ann", "bob"), (OWN, ACROSS), (MINE, THEIRS)
    )
    assert not CampaignContents() and ALL


def test_the_order_is_that_of_words_not_of_entry():
    mixed = CampaignContents((SHOP, CLOCK), (LAMP, ALARM), ("bob", "ann"), (ACROSS, OWN), (THEIRS, MINE))
    assert mixed.sorted() == ALL
