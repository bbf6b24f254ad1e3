"""Answers of people in the store: one for each person and instance, and what a change drops comes back."""

from dataclasses import replace as changed
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.core.domain.web_answer import AnswerState, WebAnswer
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import web_answers
from stepscope.core.store.repositories.web_answers import AnswerProgress

PATH = "data/tasks"
NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def answer(instance="t/0", annotator="ann", submitted=None, *, source=PATH, seconds=1.5, log="", **fields):
    task = instance.rpartition("/")[0]
    return WebAnswer(source, task, instance, annotator, fields, NOON, seconds, submitted, log)


def everything(db):
    return web_answers.of_source(db, PATH)


def test_what_was_answered_comes_back_as_it_was(database):
    every = [
        answer(q="it's 50% “off”\n\0%_", empty=""),
        answer(annotator="bob", submitted=NOON, log='{"ä": 1}', q="a|b"),
        answer("u/7", **{"name with space": "ö", "\ud800": "\ud800"}),
    ]
    with database.unit_of_work() as db:
        assert [web_answers.put(db, one) for one in every] == [None] * 3
    with database.reading() as db:
        assert everything(db) == every
        assert [one.state for one in every] == [AnswerState.DRAFT, AnswerState.SUBMITTED, AnswerState.DRAFT]
        assert list(everything(db)[0].fields) == ["q", "empty"]


def test_nobody_has_two_answers_to_one_instance(database):
    with database.unit_of_work() as db:
        web_answers.put(db, answer(q="draft"))
        done = answer(q="done", submitted=NOON, seconds=9.0)
        assert web_answers.put(db, done) == answer(q="draft")
        assert web_answers.put(db, answer(annotator="bob", q="other")) is None
        assert web_answers.put(db, answer(source="elsewhere", q="other")) is None
        assert web_answers.get(db, PATH, "t/0", "ann") == done
        assert web_answers.get(db, PATH, "t/1", "ann") is None


def test_answers_are_asked_for_by_task_instance_and_person(database):
    with database.unit_of_work() as db:
        for instance in ("t/0", "t/1", "u/0"):
            for who in ("bob", "Ann"):
                web_answers.put(db, answer(instance, who))
        web_answers.put(db, answer("t/0", "zoe", source="elsewhere"))
        keys = [(one.instance, one.annotator) for one in web_answers.of_source(db, PATH, task="t", annotator="bob")]
        assert keys == [("t/0", "bob"), ("t/1", "bob")]
        assert [one.annotator for one in web_answers.of_source(db, PATH, instance="u/0")] == ["Ann", "bob"]
        assert web_answers.annotators(db, PATH) == ["Ann", "bob"]
        assert web_answers.annotators(db) == ["Ann", "bob", "zoe"]
        assert web_answers.sources(db) == [PATH, "elsewhere"]


def test_how_far_everybody_is(database):
    with database.unit_of_work() as db:
        web_answers.put(db, answer("t/0", "ann", NOON, seconds=10.0))
        web_answers.put(db, answer("t/1", "ann", NOON, seconds=20.5))
        web_answers.put(db, answer("t/2", "ann", seconds=99.0))
        web_answers.put(db, answer("t/0", "bob", seconds=4.0))
        web_answers.put(db, answer("u/0", "ann", NOON, seconds=1.0))
        assert web_answers.progress(db, PATH) == [
            AnswerProgress("t", "ann", 2, 1, 30.5),
            AnswerProgress("t", "bob", 0, 1, 0.0),
            AnswerProgress("u", "ann", 1, 0, 1.0),
        ]
        assert web_answers.holders(db, PATH, "t") == {
            "t/0": {"ann": True, "bob": False},
            "t/1": {"ann": True},
            "t/2": {"ann": False},
        }
        assert web_answers.progress(db, "elsewhere") == []


POOL = [
    changed(answer(instance, who, q=value), changed=NOON + timedelta(seconds=n))
    for n, (instance, who, value) in enumerate(
        (i, w, v) for i in ("t/0", "t/1") for w in ("ann", "bob") for v in ("x", "y")
    )
]
some = st.lists(st.sampled_from(POOL), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some, some, some)
def test_what_a_change_dropped_is_the_exact_way_back(there, before, after):
    with Database.open("sqlite://") as database, database.unit_of_work() as db:
        web_answers.replace(db, (), there)
        first = everything(db)
        gone = web_answers.replace(db, before, after)
        web_answers.replace(db, after, gone)
        assert everything(db) == first


@pytest.mark.parametrize("count", [1500])
def test_many_answers_are_replaced_at_once(database, count):
    every = [answer(f"t/{n}", q=str(n)) for n in range(count)]
    with database.unit_of_work() as db:
        assert web_answers.replace(db, (), every) == ()
        assert len(web_answers.replace(db, every, ())) == count
        assert everything(db) == []
