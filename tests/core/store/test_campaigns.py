"""Campaigns in the store: what goes in comes out, what a change drops comes back, nobody has a pair twice."""

from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    Demonstration,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns

NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
CLOCK, SHOP = AppEntry("org.example.clock", "Clock", "Tools"), AppEntry("org.example.shop", "Läden 50%_", "Shopping")
ALARM, LAMP = CampaignGoal(CLOCK.package, "Set an alarm", "ann"), CampaignGoal(SHOP.package, "Buy a “lamp”")
HERE = Pair(CLOCK.package, ALARM, PairOrigin.APP_SPECIFIC)
THERE = Pair(SHOP.package, ALARM, PairOrigin.CATEGORY, 2)
SAID = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.PREMATURE, ("Which one?", "Why?"))
GIVEN = Assignment(HERE.key, "bob"), Assignment(THERE.key, "bob", AssignmentState.DONE)
SHOWN = Demonstration(GIVEN[1].key, "/data/recordings", "alarm-1", SAID, 12.25, NOON)
ALL = CampaignContents((SHOP, CLOCK), (ALARM, LAMP), ("ann", "bob"), (HERE, THERE), GIVEN, (SHOWN,)).sorted()
NOTHING = CampaignContents()


@pytest.fixture
def campaign(database):
    with database.unit_of_work() as db:
        campaigns.add(db, Campaign("phones", "Show the goal.", 3))
        campaigns.replace(db, "phones", NOTHING, ALL)
    return database


def test_what_goes_in_comes_out(campaign):
    with campaign.reading() as db:
        assert campaigns.names(db) == ["phones"]
        assert campaigns.get(db, "phones") == Campaign("phones", "Show the goal.", 3)
        assert campaigns.contents(db, "phones") == ALL
        assert campaigns.counts(db) == {"phones": (2, 2, 2, 1)}


def test_an_app_takes_all_with_it_that_hangs_on_it_and_brings_it_back(campaign):
    with campaign.unit_of_work() as db:
        gone = campaigns.replace(db, "phones", CampaignContents(apps=(CLOCK,)), NOTHING)
        assert gone == CampaignContents((CLOCK,), (ALARM,), (), (HERE, THERE), GIVEN, (SHOWN,)).sorted()
        assert campaigns.contents(db, "phones") == CampaignContents((SHOP,), (LAMP,), ("ann", "bob"))
        assert campaigns.replace(db, "phones", NOTHING, gone) == NOTHING
        assert campaigns.contents(db, "phones") == ALL


def test_another_value_under_the_same_key_leaves_what_hangs_on_it(campaign):
    title = AppEntry(CLOCK.package, "Alarm clock", "Tools")
    with campaign.unit_of_work() as db:
        assert campaigns.replace(
            db, "phones", CampaignContents(apps=(CLOCK,)), CampaignContents(apps=(title,))
        ) == CampaignContents((CLOCK,))
        assert campaigns.contents(db, "phones").demonstrations == (SHOWN,)
        campaigns.replace(
            db,
            "phones",
            CampaignContents(apps=(title,)),
            CampaignContents(apps=(CLOCK,)),
            seen=CampaignContents(apps=(title,)),
        )
        assert campaigns.contents(db, "phones") == ALL


def test_the_way_back_spares_what_others_have_done_since(campaign):
    with campaign.unit_of_work() as db, pytest.raises(StoreError, match="others have gone on"):
        campaigns.replace(
            db, "phones", CampaignContents(pairs=(THERE,)), NOTHING, seen=CampaignContents(pairs=(THERE,))
        )
    with campaign.reading() as db:
        assert campaigns.contents(db, "phones") == ALL


def test_what_is_not_there_cannot_be_spoken_of(campaign):
    unknown = CampaignContents(assignments=(Assignment(HERE.key, "eve"),))
    with campaign.unit_of_work() as db, pytest.raises(UsageError, match=r"no annotator “eve”.*somebody changed"):
        campaigns.replace(db, "phones", NOTHING, unknown)
    with campaign.reading() as db, pytest.raises(UsageError, match=r"no campaign “x”. Campaigns: “phones”"):
        campaigns.contents(db, "x")


def test_settings_names_and_two_campaigns_apart(campaign):
    with campaign.unit_of_work() as db:
        campaigns.add(db, Campaign("Another"))
        assert campaigns.contents(db, "Another") == NOTHING
        campaigns.replace(db, "Another", NOTHING, ALL)
        with pytest.raises(UsageError, match="already"):
            campaigns.add(db, Campaign("phones"))
        with pytest.raises(UsageError, match="already"):
            campaigns.change(db, "phones", Campaign("Another"))
        assert campaigns.change(db, "phones", Campaign("tablets", "", 7)) == Campaign("phones", "Show the goal.", 3)
        assert campaigns.names(db) == ["Another", "tablets"]
        whole = campaigns.remove(db, "tablets")
        assert (whole.campaign, whole.contents) == (Campaign("tablets", "", 7), ALL)
        assert campaigns.contents(db, "Another") == ALL, "the other one is untouched"
        campaigns.restore(db, whole)
        assert campaigns.contents(db, "tablets") == ALL


def some_of(values):
    return st.lists(st.sampled_from(values), unique_by=lambda one: getattr(one, "key", one), max_size=4).map(tuple)


APPS = [AppEntry(f"a{n}", title) for n, title in product((1, 2), ("A", "B"))]
GOALS = [CampaignGoal(f"a{n}", text, author) for n, text, author in product((1, 2), ("x", "y"), ("", "ann"))]
PAIRS = [Pair(f"a{n}", CampaignGoal("a1", text), PairOrigin.BY_HAND) for n, text in product((1, 2), ("x", "y"))]


@pytest.fixture(scope="module")
def memory():
    with Database.open("sqlite://") as opened:
        yield opened


@settings(max_examples=settings().max_examples * 3 // 5)
@given(
    before=st.builds(CampaignContents, some_of(APPS), some_of(GOALS)),
    after=st.builds(CampaignContents, some_of(APPS), some_of(GOALS)),
    pairs=some_of(PAIRS),
)
def test_every_change_has_its_exact_way_back(memory, before, after, pairs):
    start = CampaignContents(tuple(APPS[::2]), tuple(GOALS[::2]), ("bob",), pairs)
    with memory.unit_of_work() as db:
        if "c" in campaigns.names(db):
            campaigns.remove(db, "c")
        campaigns.add(db, Campaign("c"))
        campaigns.replace(db, "c", NOTHING, start)
        first = campaigns.contents(db, "c")
        apps = {app.package for app in first.without(before).apps} | {app.package for app in after.apps}
        after = CampaignContents(after.apps, tuple(goal for goal in after.goals if goal.app in apps))
        gone = campaigns.replace(db, "c", before, after)
        campaigns.replace(db, "c", after, gone)
        assert campaigns.contents(db, "c") == first
