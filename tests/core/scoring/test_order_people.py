"""Figures of several people's orders, by hand: of four steps there are six pairs, so kappa is 1 - turned / 3."""

from datetime import UTC, datetime

import pytest

from stepscope.core.domain.human_order import HelpfulInput, HumanOrder, StepInput
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.scoring.order_pairs import OrderKappa
from stepscope.core.scoring.order_people import USUAL_RULES, FlagRules, WorkerFlag, order_figures, without_people

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT, BOTH = StepInput.TEXT, StepInput.BOTH
PROCEDURES = {
    name: Procedure(name, "test", name, tuple(ProcedureStep(step, step) for step in "1234")) for name in "pqr"
}


def order(who, procedure, *orders, shown=BOTH, **more):
    return HumanOrder(
        "data", procedure, who, True, tuple(map(tuple, orders)), NOON, shown=shown, submitted=NOON, **more
    )


def figures(orders, rules=USUAL_RULES, **more):
    return order_figures(orders, PROCEDURES, rules, **{"draws": 0, **more})


def test_each_person_is_held_against_each_other_under_the_same_condition():
    found = figures([
        order("ann", "p", "1234", seconds=10.0, confidence=5, helped=HelpfulInput.BOTH),
        order("bob", "p", "2134", seconds=30.0, confidence=4, helped=HelpfulInput.BOTH),
        order("cem", "p", "4321", seconds=50.0, helped=HelpfulInput.TEXT),
        order("ann", "q", "1234", seconds=20.0),
        order("bob", "q", "1234"),
        order("dan", "p", "1234", shown=TEXT),
    ])  # fmt: skip
    ann, bob, cem, dan = found.workers
    # p: ann-bob 1 pair turned, 2/3; ann-cem 6, -1; bob-cem 5, -2/3. q: ann-bob 1. So ann-bob 5/6.
    assert (ann.kappa, ann.others) == (pytest.approx((5 / 6 - 1) / 2), 2)
    assert bob.kappa == pytest.approx((5 / 6 - 2 / 3) / 2)
    assert cem.kappa == pytest.approx((-1 - 2 / 3) / 2)
    assert (dan.kappa, dan.others) == (None, 0), "nobody else saw the words alone"
    assert (ann.accuracy, bob.accuracy, cem.accuracy) == (1, 0.75, 0), "bob: half of p, all of q"
    assert (ann.seconds, bob.seconds, ann.confidence) == (15, 30, 5), "no time where none was taken"
    assert [one.flags for one in found.workers] == [
        (WorkerFlag.AGREEMENT,), (WorkerFlag.AGREEMENT,), (WorkerFlag.AGREEMENT, WorkerFlag.ACCURACY), (),
    ]  # fmt: skip
    assert figures(without_people([order("cem", "p", "4321"), order("ann", "p", "1234")], ["cem"])).orders == 1
    text, both = found.conditions
    assert (text.shown, text.orders, text.kappa.kappa) == (TEXT, 1, None)
    assert (both.orders, both.people, both.procedures, both.seconds, both.confidence) == (5, 3, 2, 25, 4.5)
    assert both.kappa == OrderKappa(pytest.approx((-1 / 3 + 1) / 2), 2), "p: (2/3 - 1 - 2/3) / 3"
    assert both.metrics["pmr"] == 0.6 and both.metrics["accuracy"] == 0.7
    p, q = found.procedures
    assert (p.procedure, p.orders, p.seconds, p.accuracy) == ("p", 4, 30, 0.625)
    assert p.kappa == pytest.approx(-1 / 3) and q.kappa == 1
    assert found.helped == {
        HelpfulInput.TEXT: 1, HelpfulInput.PICTURE: 0, HelpfulInput.BOTH: 2, HelpfulInput.NEITHER: 0,
    }  # fmt: skip
    assert found.confidence == {1: 0, 2: 0, 3: 0, 4: 1, 5: 1}


def test_agreement_on_other_orders_can_flag_in_its_place():
    # ann and bob called the same order right, cem another: of ann and bob 1; with cem nothing in common, -1.
    orders = [order("ann", "p", "1234", "2134"), order("bob", "p", "1234", "2134"), order("cem", "p", "1234", "1243")]
    found = figures(orders, FlagRules(0.0, None, of_alternatives=True))
    assert [one.alternative_kappa for one in found.workers] == [0, 0, -1]
    assert found.flagged == ("cem",) and figures(orders).flagged == (), "their own orders are the same"
    assert figures(orders, FlagRules(None, None, of_alternatives=True)).flagged == ()
    none_given = figures([order("ann", "p", "1234"), order("bob", "p", "1234")])
    assert [one.alternative_kappa for one in none_given.workers] == [None, None]


def test_text_against_both_is_paired_over_procedures():
    found = figures([
        order("ann", "p", "1234"), order("bob", "p", "2134"), order("cem", "p", "4321", shown=TEXT),  # 0.75 and 0
        order("ann", "q", "1234"), order("bob", "q", "1243", shown=TEXT),  # 1 and 0.5
        order("ann", "r", "4321"),  # nobody by text alone
    ], draws=200)  # fmt: skip
    accuracy = found.both_against_text[0]
    assert found.paired == 2 and (accuracy.metric, accuracy.test) == ("accuracy", "bootstrap")
    assert (accuracy.a, accuracy.b, accuracy.difference) == (0.875, 0.25, 0.625)
    assert accuracy.ci == (0.5, 0.75) and accuracy.p == pytest.approx(2 / 201), "no draw is on the other side"
    assert figures([order("ann", "p", "1234")]).both_against_text == ()


def test_what_is_not_of_these_steps_is_left_out():
    assert figures([order("ann", "gone", "1234"), order("bob", "p", "123")]).orders == 0
