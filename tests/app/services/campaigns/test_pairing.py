"""Pairing on vectors in a plane, where a person sees the clusters; the paper's rules, one by one."""

from pathlib import Path

import numpy as np
import pytest

from stepscope.app.services.campaigns.pairing import RULES, AppGroup, close_apps, clustered, isolated, pairs_of
from stepscope.core.domain.campaign import CampaignGoal, PairOrigin
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken, Progress

PLACES = {
    # around (0, 0): clock and timer; (-0.2 + 0.1 + 0.1 + 0.2 + 0.05) / 5 = 0.05 is the centre's x
    ("clock", "set an alarm"): (-0.2, 0), ("clock", "set alarm at 7"): (0.1, 0), ("clock", "add alarm"): (0.1, 0.1),
    ("timer", "start alarm"): (0.2, -0.1), ("timer", "ring at 7"): (0.05, 0),
    # around (10, 0): clock and timer again
    ("clock", "start stopwatch"): (10, 0), ("timer", "stop the watch"): (10.2, 0), ("timer", "stopwatch on"): (10.1, 0),
    # around (0, 10): weather, all alone
    ("weather", "will it rain"): (0, 10), ("weather", "rain radar"): (0.1, 10),
}  # fmt: skip
GOALS = [CampaignGoal(app, text) for app, text in PLACES]
VECTORS = np.array(list(PLACES.values()), np.float32)
APPS = ("clock", "empty", "timer", "weather")


def run(goals=GOALS, vectors=VECTORS, **more):
    *progress, found = clustered("Tools", goals, vectors, CancelToken(), **more)
    assert all(isinstance(one, Progress) for one in progress)
    return found


def words(pairs):
    return {(pair.app, pair.goal.text) for pair in pairs}


def test_the_silhouette_finds_the_three_clusters_that_one_sees():
    found = run()
    assert [[goal.text for goal in cluster.goals] for cluster in found.clusters] == [
        ["add alarm", "set alarm at 7", "set an alarm", "ring at 7", "start alarm"],
        ["start stopwatch", "stop the watch", "stopwatch on"],
        ["rain radar", "will it rain"],
    ]
    assert [k for k, _ in found.tried] == list(range(2, 10)) and dict(found.tried)[3] == found.silhouette
    assert found.silhouette == max(value for _, value in found.tried if value is not None) > 0.95


def test_the_representative_is_next_to_the_centre():
    first, second, third = run(k=3).clusters
    assert first.representative.text == "ring at 7", "(0.05, 0) is the mean itself"
    assert second.representative.text == "stopwatch on", "(10.1, 0) is the mean"
    assert third.representative.text == "rain radar", "both are as near: the first by app and words"


def test_a_representative_goes_to_all_apps_of_the_category_but_isolated_ones():
    found = run()
    pairs = pairs_of(found, APPS)
    assert isolated(found) == ("weather",)
    by_category = [pair for pair in pairs if pair.origin is PairOrigin.CATEGORY]
    assert words(by_category) == {
        (app, text) for app in ("clock", "empty", "timer") for text in ("ring at 7", "stopwatch on")
    }, "an app without goals of its own too"
    own = [pair for pair in pairs if pair.origin is PairOrigin.APP_SPECIFIC]
    assert words(own) == {("weather", "will it rain"), ("weather", "rain radar")}
    assert {pair.cluster for pair in own} == {3} and {pair.cluster for pair in by_category} == {1, 2}


def test_an_app_with_one_goal_among_others_is_not_isolated():
    goals = [*GOALS, CampaignGoal("weather", "alarm when it rains")]
    found = run(goals, np.vstack([VECTORS, [[0, 0.1]]]), k=3)
    assert isolated(found) == ()
    pairs = pairs_of(found, APPS)
    assert {pair.origin for pair in pairs} == {PairOrigin.CATEGORY}
    assert len(pairs) == 3 * len(APPS), "each of three representatives in each of four apps"


def test_on_demand_every_goal_goes_to_its_own_app_too():
    pairs = pairs_of(run(), APPS, originals=True)
    assert words(pairs) >= set(PLACES)
    assert len(pairs) == 6 + 10 - 2, "ring at 7 and stopwatch on are demonstrated in timer already"


def test_closely_clustered_apps_are_suggested_as_a_group():
    # clock: 3/4 and 1/4 of its goals in clusters 1 and 2, timer: 2/4 and 2/4; min(3/4, 1/2) + min(1/4, 1/2) = 3/4
    assert close_apps(run()) == (AppGroup(("clock", "timer"), 0.75),)
    assert close_apps(run(), 0.76) == ()


def test_a_group_counts_as_one_app():
    found = run()
    groups = close_apps(found)
    assert isolated(found, groups) == ("clock", "timer", "weather")
    pairs = pairs_of(found, APPS, groups)
    assert words(pairs) == {
        ("clock", "ring at 7"), ("timer", "ring at 7"), ("clock", "stopwatch on"), ("timer", "stopwatch on"),
        ("weather", "will it rain"), ("weather", "rain radar"),
    }  # fmt: skip


def test_groups_chain():
    places = {("a", "1"): 0, ("a", "2"): 10, ("b", "3"): 10, ("b", "4"): 20, ("c", "5"): 20, ("c", "6"): 30}
    goals = [CampaignGoal(app, text) for app, text in places]
    found = run(goals, np.array([[float(x), 0.0] for x in places.values()]), k=4)
    assert close_apps(found) == (AppGroup(("a", "b", "c"), 0.5),), "a with b and b with c share half of their goals"


def test_the_same_seed_gives_the_same_whatever_the_order():
    order = np.random.default_rng(3).permutation(len(GOALS))
    shuffled = run([GOALS[place] for place in order], VECTORS[order], seed=5)
    assert shuffled == run(seed=5) and shuffled.clusters == run(seed=6).clusters


def test_words_that_two_goals_share_are_demonstrated_once():
    goals = [CampaignGoal("a", "refresh"), CampaignGoal("b", "refresh")]
    found = run(goals, np.zeros((2, 2)))
    assert (found.k, found.silhouette) == (1, None)
    assert words(pairs_of(found, ("a", "b"), originals=True)) == {("a", "refresh"), ("b", "refresh")}


def test_what_cannot_be_clustered_is_told():
    with pytest.raises(UsageError, match="No goal was written for an app of the category “Tools”"):
        run([], np.empty((0, 2)))
    with pytest.raises(UsageError, match="11 clusters cannot be made of 10 different goals"):
        run(k=11)


def test_it_can_be_cancelled():
    token = CancelToken()
    work = clustered("Tools", GOALS, VECTORS, token)
    assert next(work) == Progress(1, 8)
    token.cancel()
    assert list(work) == []


def test_every_rule_says_whose_it_is_and_stands_in_the_documents():
    assert {rule.source for rule in RULES} == {"MoTIF, section 3.1", "ours"}
    written = (Path(__file__).parents[4] / "docs" / "campaigns.md").read_text("utf-8")
    assert [rule for rule in RULES if f"| {rule.text} | {rule.source} |" not in written] == []
