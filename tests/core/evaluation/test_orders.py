"""What a run of step ordering gets wrong, of six procedures, by hand."""

import pytest

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.evaluation.breakdown.orders import (
    OrderItem,
    OrderValues,
    against_references,
    by_category,
    error_of,
    order_doubts,
    order_errors,
    order_flips,
)
from stepscope.core.scoring.order_errors import OrderErrorKind

JOINT = {"multi_reference": "joint"}
SURE = ((0.5, 1.0, 1.0, 1.0), (0.0, 0.5, 1.0, 1.0), (0.0, 0.0, 0.5, 1.0), (0.0, 0.0, 0.0, 0.5))


def procedure(name, category, *further):
    steps = tuple(ProcedureStep(step, step) for step in "abcd")
    return Procedure(name, "test", f"Do {name}", steps, tuple(map(tuple, further)), category=category)


def item(name, category, order, pmr, tau, *further, people=(), before=()):
    answer = None if order is None else OrderAnswer(tuple(order), before)
    return OrderItem(
        name, category, OrderValues(pmr, tau), answer, procedure(name, category, *further), tuple(map(tuple, people))
    )


ITEMS = (
    item("cake", "Food", "abcd", 1, 1, before=SURE),
    item("tea", "Food", "abdc", 1, 1, "abdc", before=SURE),  # right by the second reference
    item("soup", "Food", "bacd", 0, 2 / 3, before=SURE),
    item("tent", "Home", "cdab", 0, -1 / 3),  # four of six pairs turned
    item("lamp", "Home", None, 0, 0),
    item("sofa", "Home", "abdc", 0, 2 / 3, people=["abdc", "bacd"], before=SURE),
)


def test_kinds_of_mistakes():
    found = order_errors((*ITEMS, OrderItem("gone", "", OrderValues(0, 0), OrderAnswer(("a",)))))
    assert found.unread == 1
    assert {one.kind: one.procedures for one in found.kinds} == {
        "right": ("cake", "tea"), "swap": ("soup", "sofa"), "block": ("tent",), "other": (), "malformed": ("lamp",),
    }  # fmt: skip
    assert {one.kind: one.procedures for one in found.flags} == {
        "first_wrong": ("soup", "tent"), "last_wrong": ("tent", "sofa"),
    }  # fmt: skip
    right = found.kinds[0]
    assert (right.count, right.n, right.share) == (2, 6, pytest.approx(1 / 3))
    assert right.interval == pytest.approx((0.0968, 0.7000), abs=1e-3), "Wilson's interval of 2 of 6"


def test_the_kind_is_against_the_reference_that_counts():
    """Against a b c d it is a moved block and the reverse of c d a b one swap off; joint takes the latter."""
    nearer = item("tent", "Home", "cdba", 0, 0, "cdab")
    assert error_of(nearer).kind is OrderErrorKind.SWAP
    assert not error_of(nearer).first_wrong


def test_categories_the_worst_first_and_the_gap_on_common_procedures():
    other = {"cake": OrderValues(0, 0), "soup": OrderValues(0, 1), "tent": OrderValues(1, 1), "else": OrderValues(1, 1)}
    home, food = by_category(ITEMS, other, draws=50)
    assert (home.name, home.n, home.right, home.pmr) == ("Home", 3, 0, 0.0)
    assert (food.name, food.n, food.right, food.pmr) == ("Food", 3, 2, pytest.approx(2 / 3))
    assert food.interval == pytest.approx((0.2077, 0.9385), abs=1e-3), "Wilson's interval of 2 of 3"
    assert (food.common, food.gap.a, food.gap.b, food.gap.difference) == (2, 0.5, 0, 0.5)
    assert (home.common, home.gap.difference, home.gap.ci) == (1, -1, None), "one alone says nothing about its like"
    assert by_category(ITEMS)[0].gap is None


def test_one_reference_and_several():
    found = against_references(ITEMS, JOINT, draws=50)
    every = {one.metric: (one.a, one.b) for one in found.every.differences}
    assert found.every.n == 6 and every["pmr"] == pytest.approx((3 / 6, 1 / 6)), "sofa is right by people's order"
    assert found.several.procedures == ("tea", "sofa") and found.by_people == 1
    several = {one.metric: (one.a, one.b, one.difference) for one in found.several.differences}
    assert several["pmr"] == pytest.approx((1, 0, 1))
    assert several["accuracy"] == pytest.approx((1, 0.5, 0.5))
    assert several["kendall_tau"] == pytest.approx((1, 2 / 3, 1 / 3)), "one of six pairs turned"


def test_flips_and_differences_in_tau():
    other = {
        "cake": OrderValues(0, 0.5),
        "tea": OrderValues(1, 1),
        "soup": OrderValues(1, 1),
        "tent": OrderValues(0, 0),
    }
    found = order_flips(ITEMS, other, draws=50)
    assert found.n == 4
    assert [(one.name, one.flip, pytest.approx(one.tau)) for one in found.changes] == [
        ("cake", 1, 0.5), ("tent", 0, -1 / 3), ("soup", -1, -1 / 3),
    ], "of equal differences a turn to wrong comes last"  # fmt: skip
    assert (found.flipped(1), found.flipped(-1)) == (("cake",), ("soup",))
    assert (found.moved(1), found.moved(-1)) == (("cake",), ("tent", "soup"))
    pmr, tau = found.differences
    assert (pmr.difference, pmr.p, pmr.test) == (0, 1, "mcnemar"), "one against one"
    assert tau.difference == pytest.approx((0.5 - 1 / 3 - 1 / 3) / 4) and tau.test == "bootstrap"


def test_means_over_people_are_no_yes_or_no():
    (pmr, _tau) = order_flips(ITEMS, {"cake": OrderValues(0.5, 0.5), "tea": OrderValues(1, 1)}, draws=20).differences
    assert pmr.test == "bootstrap" and pmr.difference == pytest.approx(0.25)


def test_doubts_count_where_there_are_several_right_orders():
    found = order_doubts(ITEMS, draws=20)
    assert [one.name for one in found.procedures] == ["tea", "sofa"] and found.silent == 0
    assert found.values["base_rate"] == pytest.approx(3 / 12), "c d of tea; c d and a b of sofa"
    assert found.values["average_precision"] == pytest.approx(3 / 12) and found.values["f1"] == 0, "it is always sure"
    assert found.pairs(said=False, meant=True) == (3, ("tea", "sofa"))
    assert found.pairs(said=True, meant=True) == (0, ())
    silent = order_doubts([item("tea", "Food", "abdc", 1, 1, "abdc")])
    assert (silent.procedures, silent.silent, silent.values["f1"]) == ((), 1, None)
