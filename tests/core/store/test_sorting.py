"""Orders by what runs say, and groups, checked against what a person reads off the three episodes and two runs."""

from __future__ import annotations

import pytest

from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.store.filter_search import FilterInputs
from stepscope.core.store.repositories import outcomes
from stepscope.core.store.sorting import ListSort, listing

# e1: feasible, Spotify, train, 4 steps; A: right wrong (0.3 sure) right, B: right right wrong
# e2: infeasible (premature), no app, test, 2 steps; no run
# e3: shop, train, 10 steps; A: malformed, unscored, error


@pytest.mark.parametrize(
    ("key", "descending", "run", "expected"),
    [
        ("position", False, "", "e1 e2 e3"),
        ("position", True, "", "e3 e2 e1"),
        ("steps", True, "", "e3 e1 e2"),
        ("goal", False, "", "e3 e1 e2"),
        ("split", False, "", "e2 e1 e3"),
        ("split", True, "", "e1 e3 e2"),
        ("label", False, "", "e1 e2 e3"),
        ("label", True, "", "e2 e1 e3"),
        ("first_wrong", False, "A", "e3 e1 e2"),
        ("first_wrong", True, "A", "e1 e3 e2"),
        ("first_wrong", False, "B", "e1 e2 e3"),
        ("confidence", False, "A", "e1 e2 e3"),
        ("confidence", True, "B", "e1 e2 e3"),
        ("disagreement", True, "AB", "e1 e2 e3"),
        ("disagreement", True, "A", "e1 e2 e3"),
        ("first_wrong", False, "", "e1 e2 e3"),
    ],
)
def test_the_order_of_a_list(stocked, key, descending, run, expected) -> None:
    sort = ListSort(key, descending, tuple(stocked.runs[letter] for letter in run))
    with stocked.database.reading() as db:
        assert " ".join(listing(db, stocked.source_id, sort=sort).ids) == expected


@pytest.mark.parametrize(
    ("group", "groups", "ids"),
    [
        ("app", (("com.Spotify.music", 1), ("shop", 1), ("", 1)), "e1 e3 e2"),
        ("split", (("test", 1), ("train", 2)), "e2 e1 e3"),
        ("label", (("feasible", 1), ("infeasible", 1), ("", 1)), "e1 e2 e3"),
        ("reason", (("premature", 1), ("", 2)), "e2 e1 e3"),
        ("platform", (("android", 2), ("web", 1)), "e1 e3 e2"),
    ],
)
def test_episodes_stand_under_what_they_share(stocked, group, groups, ids) -> None:
    with stocked.database.reading() as db:
        found = listing(db, stocked.source_id, group=group)
    assert (found.groups, " ".join(found.ids)) == (groups, ids)


def test_groups_keep_the_order_within_and_hold_what_the_filter_leaves(stocked) -> None:
    with stocked.database.reading() as db:
        found = listing(db, stocked.source_id, parse("steps>2"), ListSort("steps", descending=True), group="split")
        nothing = listing(db, stocked.source_id, parse("app:nowhere"), group="split")
    assert (found.groups, found.ids) == ((("train", 2),), ("e3", "e1"))
    assert (nothing.groups, nothing.ids) == ((), ())


def test_the_first_wrong_step_is_by_the_scores_that_are_read(database, source_id, two_runs) -> None:
    """Under the other rule A is wrong at e1's first step, where it is right under its own, and right in e3."""
    a = two_runs["A"]
    with database.unit_of_work() as db:
        other = outcomes.scoring(db, a, "aitw", "1", (("direction", "exact"),))
        outcomes.add_scores(db, a, other, [
            (ItemKey("e1", 0), Score.scored(0, "")), (ItemKey("e3", 0), Score.scored(1, ""))
        ])  # fmt: skip
    by_first = ListSort("first_wrong", runs=(a,))
    with database.reading() as db:
        assert listing(db, source_id, sort=by_first).ids == ("e3", "e1", "e2")
        assert listing(db, source_id, sort=by_first, inputs=FilterInputs(under={a: other})).ids == ("e1", "e2", "e3")
        latest = ListSort("first_wrong", descending=True, runs=(a,))
        assert listing(db, source_id, sort=latest, inputs=FilterInputs(under={})).ids == ("e1", "e2", "e3")


def test_the_steps_that_were_meant_are_told(stocked) -> None:
    with stocked.database.reading() as db:
        found = listing(db, stocked.source_id, parse("wrong:A"), inputs=FilterInputs(stocked.runs))
    assert found.found.steps == 2
    assert found.found.steps_of("e1") == (1,)
