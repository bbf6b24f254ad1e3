"""Orders of people in the store: one for each person, procedure and condition, and what a change drops comes back."""

from dataclasses import replace as changed
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.human_order import (
    HelpfulInput,
    HumanOrder,
    StepInput,
    human_order_from_json,
    human_order_to_json,
    orders_from_text,
    orders_to_text,
)
from stepscope.core.store.repositories import human_orders

PATH = "data/kites"
NOON = datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def order(procedure="p", annotator="ann", *, blind=True, steps="abc", **more):
    return HumanOrder(PATH, procedure, annotator, blind, (tuple(steps),), NOON, **more)


def test_what_was_ordered_comes_back_as_it_was(database):
    every = [
        order(seconds=3.5, confidence=5, helped=HelpfulInput.NEITHER, shown=StepInput.TEXT, seed=7, submitted=NOON),
        order("q\ud800".encode("utf-8", "backslashreplace").decode()),
        changed(order("r", "bob"), orders=(("\ud800", "b\0"), ("b\0", "\ud800"))),
    ]
    with database.unit_of_work() as db:
        assert human_orders.replace(db, (), every) == ()
    with database.reading() as db:
        assert human_orders.of_source(db, PATH) == every
        assert human_orders.of_source(db, PATH, annotator="bob") == [every[2]]
        assert human_orders.get(db, every[0].key) == every[0]
        assert human_orders.of_source(db, "elsewhere") == []


def test_a_look_and_a_blind_order_stand_side_by_side_and_each_once(database):
    blind, open_, anew = order(), order(blind=False, steps="cba"), order(steps="bca", seconds=9.0)
    with database.unit_of_work() as db:
        human_orders.replace(db, (), [blind, open_])
        gone = human_orders.replace(db, (), [anew])
        assert gone == (blind,)
        assert human_orders.of_source(db, PATH) == [open_, anew]
        assert human_orders.replace(db, [anew], gone) == (anew,)
        assert human_orders.of_source(db, PATH) == [open_, blind]


def test_time_is_added_to_drafts_only(database):
    draft, done = order(), order("q", submitted=NOON, seconds=1.0)
    with database.unit_of_work() as db:
        human_orders.replace(db, (), [draft, done])
        assert human_orders.spend(db, draft.key, 12.5) and not human_orders.spend(db, done.key, 12.5)
        assert not human_orders.spend(db, ("elsewhere", "p", "ann", True), 1.0)
        assert [one.seconds for one in human_orders.of_source(db, PATH)] == [12.5, 1.0]
        assert human_orders.of_source(db, PATH)[0].said == draft.said


steps_of = st.lists(st.text(max_size=4), min_size=1, max_size=6, unique=True)


@given(steps_of.flatmap(lambda steps: st.lists(st.permutations(steps).map(tuple), min_size=1, max_size=4)))
def test_orders_survive_their_text_and_their_record(orders):
    assert orders_from_text(orders_to_text(orders)) == tuple(orders)
    one = changed(order("p"), orders=tuple(orders), confidence=1, helped=HelpfulInput.TEXT, seed=3)
    form = human_order_to_json(one, orders)
    assert human_order_from_json(form, PATH, annotator="me", now=NOON) == one
    assert form["references"] == [list(each) for each in orders] and form["prediction"] == list(orders[0])


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("prediction", ["a", "a"], "names a step twice"),
        ("prediction", [1], "list of step ids"),
        ("alternatives", [["a"]], "steps of prediction"),
        ("confidence", 6, "from 1 to 5"),
        ("confidence", True, "from 1 to 5"),
        ("helped", "smell", "helped 'smell'"),
        ("shown", "x", "shown 'x'"),
        ("seconds", float("nan"), "seconds must be"),
        ("submitted", "yesterday", "a time with its zone"),
        ("blind", 1, "true or false"),
        ("id", "", "id must be a text"),
        ("seed", -1, "seed must be"),
    ],
)
def test_a_bad_record_says_what_is_wrong(field, value, why):
    form = human_order_to_json(order()) | {field: value}
    with pytest.raises(ValueError, match=why):
        human_order_from_json(form, PATH, annotator="me", now=NOON)


def test_a_bare_record_is_an_accepted_order_of_whoever_imports_it():
    made = human_order_from_json({"id": "p", "prediction": ["b", "a"]}, PATH, annotator="me", now=NOON)
    assert made == HumanOrder(PATH, "p", "me", False, (("b", "a"),), NOON, submitted=NOON)


@pytest.mark.parametrize("text", ["[]", "{}", '[["a"], ["b"]]', '[["a", 1]]', "[[]]"])
def test_text_that_is_no_list_of_orders_is_refused(text):
    with pytest.raises(ValueError, match=r"order"):
        orders_from_text(text)
