"""Assignments: k people for each pair, nobody twice, no author, all with about as much to do."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.campaigns.assigning import PairProgress, next_assignment, plan, progress, short_of
from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentState,
    CampaignContents,
    CampaignGoal,
    Pair,
    PairOrigin,
)

OPEN, DONE, SKIPPED = AssignmentState
PEOPLE = ("ann", "bob", "cem", "dia", "eve", "fay")


def pair(number, author=""):
    return Pair("app", CampaignGoal("app", f"goal {number:02}", author), PairOrigin.BY_HAND)


def campaign(authors, people=PEOPLE):
    pairs = tuple(pair(number, author) for number, author in enumerate(authors))
    return CampaignContents((AppEntry("app", "App"),), tuple(one.goal for one in pairs), tuple(people), pairs)


def done(contents, *names, place=0, state=DONE):
    more = tuple(Assignment(contents.pairs[place].key, name, state) for name in names)
    kept = contents.without(CampaignContents(assignments=more))
    return replace(kept, assignments=kept.assignments + more).sorted()


authors = st.lists(st.sampled_from(["", "", *PEOPLE]), min_size=1, max_size=12)
people = st.lists(st.sampled_from(PEOPLE), min_size=1, unique=True)


@given(authors, people, st.integers(1, 6))
def test_a_plan_reaches_k_where_so_many_may(authors, people, k):
    contents = campaign(authors, people)
    given_out = plan(contents, k)
    assert len({one.key for one in given_out}) == len(given_out), "nobody has a pair twice"
    wrote = {one.key: one.goal.author for one in contents.pairs}
    assert all(one.annotator != wrote[one.pair] for one in given_out)
    has = Counter(one.pair for one in given_out)
    missing = short_of(contents, k)
    for one in contents.pairs:
        may = len(set(people) - {one.goal.author})
        assert has[one.key] == min(k, may) and missing.get(one.key, 0) == max(0, k - may)
    if not set(authors) & set(people):
        load = Counter(dict.fromkeys(people, 0)) + Counter(one.annotator for one in given_out)
        every = [load[name] for name in people]
        assert max(every) - min(every) <= 1
    whole = replace(contents, assignments=given_out)
    assert plan(whole, k) == (), "there is nothing to add to a plan"


@given(authors, st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from([DONE, DONE, SKIPPED])), max_size=90),
       st.integers(1, 4))  # fmt: skip
def test_people_who_come_for_the_next_task_never_get_one_twice(authors, visits, k):
    contents = campaign(authors)
    seen = set()
    for name, end in visits:
        one = next_assignment(contents, k, name)
        if one is None:
            continue
        assert one.key not in seen and one.annotator == name and one.state is OPEN
        wrote = next(pair.goal.author for pair in contents.pairs if pair.key == one.pair)
        assert name != wrote
        seen.add(one.key)
        contents = replace(contents, assignments=(*contents.assignments, replace(one, state=end)))
    assert all(one.done <= k for one in progress(contents)), "no more than are wanted"


def test_everybody_who_comes_until_nothing_is_left_makes_k_of_each_pair():
    contents = campaign(["", "ann", "bob", ""])
    while any(found := [next_assignment(contents, 5, name) for name in PEOPLE]):
        for one in found:
            if one is not None and one.key not in {done.key for done in contents.assignments}:
                contents = replace(contents, assignments=(*contents.assignments, replace(one, state=DONE)))
    assert [one.done for one in progress(contents)][1:3] == [5, 5]
    assert all(one.done >= 5 for one in progress(contents))


def test_the_next_task_is_the_one_that_was_begun_then_the_pair_that_needs_it_most():
    contents = campaign(["", "", ""])
    contents = done(contents, "ann", "bob", place=0)
    contents = done(contents, "cem", place=1)
    assert next_assignment(contents, 5, "dia").pair == contents.pairs[2].key
    begun = done(contents, "dia", place=1, state=OPEN)
    assert next_assignment(begun, 5, "dia") == Assignment(contents.pairs[1].key, "dia")
    assert progress(begun)[1] == PairProgress(contents.pairs[1], done=1, open=1)
    assert next_assignment(contents, 1, "dia").pair == contents.pairs[2].key
    assert next_assignment(done(contents, "eve", place=2), 1, "dia") is None, "every pair has its one"


def test_what_somebody_skips_goes_to_somebody_else():
    contents = done(campaign([""]), "ann", state=SKIPPED)
    assert next_assignment(contents, 1, "ann") is None
    assert plan(contents, 1) == (Assignment(contents.pairs[0].key, "bob"),)


def test_somebody_new_takes_what_is_left():
    contents = campaign(["", ""], ["ann"])
    contents = replace(contents, assignments=plan(contents, 2))
    assert set(short_of(contents, 2).values()) == {1}
    later = replace(contents, annotators=("ann", "bob"))
    assert [(one.annotator, one.pair) for one in plan(later, 2)] == [("bob", one.key) for one in contents.pairs]
