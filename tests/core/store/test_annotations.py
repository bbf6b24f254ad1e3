"""Annotations in the store: one in each slot, what a change drops comes back, nothing depends on the index."""

from dataclasses import replace as changed
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.core.domain.annotation import Annotation, AnnotationKind, label_value
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations, sources

STAR, CHECKED, NOTE, TAG, LABEL, DEFECT = AnnotationKind
PATH = "data/phones"
NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def said(kind, value="", episode="e1", step=None, *, source=PATH, author="ann", made=NOON):
    return Annotation(source, episode, step, kind, value, author, made)


def everything(db, source=PATH):
    return annotations.of_source(db, source)


def test_what_was_said_comes_back_as_it_was(database):
    label = label_value(Feasibility(FeasibilityLabel.FEASIBLE))
    every = [said(STAR), said(LABEL, label), said(NOTE, "it's 50% “off”\n%_", step=0), said(TAG, "ö", step=12)]
    with database.unit_of_work() as db:
        assert [annotations.put(db, one) for one in every] == [None] * 4
    with database.reading() as db:
        assert sorted(everything(db), key=str) == sorted(every, key=str)


def test_a_place_has_one_of_a_kind_but_several_tags_and_defects(database):
    with database.unit_of_work() as db:
        annotations.put(db, said(NOTE, "first"))
        second = said(NOTE, "second", author="bob", made=NOON + timedelta(days=1))
        assert annotations.put(db, second) == said(NOTE, "first")
        assert everything(db) == [second]
        assert annotations.put(db, said(NOTE, "of a step", step=0)) is None
        for value in ("a", "b", "a"):
            annotations.put(db, said(TAG, value))
        assert [one.value for one in everything(db) if one.kind is TAG] == ["a", "b"]


def test_removing_returns_what_was_there(database):
    with database.unit_of_work() as db:
        annotations.replace(db, (), [said(TAG, "a"), said(TAG, "b"), said(TAG, "a", step=0), said(STAR)])
        assert annotations.remove(db, PATH, "e1", None, TAG, "b") == (said(TAG, "b"),)
        assert annotations.remove(db, PATH, "e1", None, TAG, "b") == ()
        assert annotations.remove(db, PATH, "e1", None, TAG) == (said(TAG, "a"),)
        assert annotations.remove(db, PATH, "e2", None, STAR) == ()
        assert everything(db) == [said(STAR), said(TAG, "a", step=0)]


def test_replacing_drops_what_somebody_else_put_there_meanwhile_and_returns_it(database):
    mine, theirs = said(NOTE, "mine"), said(NOTE, "theirs", author="bob")
    with database.unit_of_work() as db:
        annotations.put(db, theirs)
        assert annotations.replace(db, [mine], [said(STAR)]) == (theirs,)
        assert everything(db) == [said(STAR)]


some = st.builds(
    said,
    kind=st.sampled_from([STAR, NOTE, TAG]),
    value=st.sampled_from(["", "x", "y"]),
    episode=st.sampled_from(["e1", "e2"]),
    step=st.sampled_from([None, 0, 1]),
    author=st.sampled_from(["ann", "bob"]),
)


@pytest.mark.parametrize(
    "after",
    [
        [said(NOTE, "other", made=NOON - timedelta(days=1)), said(STAR, episode="e2")],
        [said(NOTE, "first", author="bob", made=NOON - timedelta(days=1)), said(STAR, episode="e2")],
        [said(NOTE, "first", made=NOON - timedelta(days=1)), said(STAR, episode="e3")],
        [said(NOTE, "first", made=NOON - timedelta(days=2)), said(STAR, episode="e2")],
    ],
    ids=["words", "author", "place", "time"],
)
def test_every_change_is_another_state_also_with_the_clock_set_back(database, after):
    """As many as before, the newest made when the newest before was."""
    before = [said(NOTE, "first", made=NOON - timedelta(days=1)), said(STAR, episode="e2")]
    with database.unit_of_work() as db:
        annotations.replace(db, (), [*before, said(STAR, source="data/others")])
        first = annotations.state(db, PATH)
        gone = annotations.replace(db, before, after)
        assert annotations.state(db, PATH) != first
        annotations.replace(db, (), [said(TAG, "more", source="data/others")])
        annotations.replace(db, after, gone)
        assert annotations.state(db, PATH) == first, "everything is as it was, and other data does not count"


@pytest.fixture(scope="module")
def memory():
    with Database.open("sqlite://") as opened:
        yield opened


@settings(max_examples=settings().max_examples * 3 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.lists(some, max_size=6), before=st.lists(some, max_size=4), after=st.lists(some, max_size=4))
def test_every_change_can_be_undone_and_done_again(memory, start, before, after):
    with memory.unit_of_work() as db:
        annotations.replace(db, everything(db), start)
        at_first = everything(db)
        gone = annotations.replace(db, before, after)
        then = everything(db)
        assert {one.slot for one in then} == (
            {one.slot for one in at_first} - {one.slot for one in before} | {one.slot for one in after}
        )
        back = annotations.replace(db, after, gone)
        assert everything(db) == at_first
        assert annotations.replace(db, gone, back) == tuple(one for one in at_first if one in gone)
        assert everything(db) == then


def test_annotations_of_other_data_are_not_touched(database):
    with database.unit_of_work() as db:
        annotations.replace(db, (), [said(STAR), said(STAR, source="data/other")])
        annotations.remove(db, PATH, "e1", None, STAR)
        assert everything(db) == []
        assert everything(db, "data/other") == [said(STAR, source="data/other")]


def test_they_stay_when_the_index_is_made_anew_or_forgotten(database, source_id, summaries):
    with database.unit_of_work() as db:
        annotations.put(db, said(STAR))
        sources.replace_index(db, PATH, "motif", "f2", summaries[1:])
        assert everything(db) == [said(STAR)]
        sources.forget(db, source_id)
        assert everything(db) == [said(STAR)]


def test_they_come_in_the_order_of_the_index(database, source_id):
    every = [said(NOTE, "n", "e1"), said(STAR, "", "e1"), said(STAR, "", "e1", 1), said(STAR, "", "e3", 0)]
    with database.unit_of_work() as db:
        annotations.replace(db, (), [said(STAR, "", "a gone one"), *reversed(every)])
        assert everything(db) == [*every, said(STAR, "", "a gone one")]
        assert annotations.of_source(db, PATH, NOTE) == every[:1]


def test_looking_them_up(database):
    with database.unit_of_work() as db:
        annotations.replace(db, (), [said(STAR), said(STAR, step=2), said(TAG, "a", "e2", 0), said(TAG, "b", "e2", 0)])
        assert annotations.of_episode(db, PATH, "e1") == [said(STAR), said(STAR, step=2)]
        assert annotations.of_episodes(db, PATH, ["e3", "e2"]) == {
            "e3": [],
            "e2": [said(TAG, "a", "e2", 0), said(TAG, "b", "e2", 0)],
        }
        assert annotations.places(db, PATH, STAR) == {("e1", None), ("e1", 2)}
        assert annotations.places(db, PATH, TAG) == {("e2", 0)}
        assert annotations.counts(db, PATH) == {STAR: 2, TAG: 2}
        assert annotations.counts(db, "data/none") == {}


@pytest.mark.parametrize("strange", ["\ud800", "a\0b", "'; DROP TABLE annotation; --", "%", "\\"])
def test_texts_of_any_origin(database, strange):
    one = said(TAG, strange, episode=strange, source=strange, author=strange)
    with database.unit_of_work() as db:
        assert annotations.put(db, one) is None
        (kept,) = everything(db, strange)
        assert annotations.put(db, one) == kept
        assert annotations.of_episode(db, strange, strange) == [kept]
        assert annotations.remove(db, strange, strange, None, TAG, strange) == (kept,)
        assert everything(db, strange) == []


def test_thousands_at_once(database):
    every = [said(STAR, "", f"e{number}") for number in range(3000)]
    with database.unit_of_work() as db:
        assert annotations.replace(db, (), every) == ()
        again = [changed(one, author="bob") for one in every]
        assert sorted(annotations.replace(db, (), again), key=str) == sorted(every, key=str)
        assert annotations.counts(db, PATH) == {STAR: 3000}
