"""What recipes of ordering learn from, and what they are measured on."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.models.learned.recipe import learner, left_out
from stepscope.models.learned.recipes import recipe
from stepscope.models.ordering.order_recipe import ORDER_LABELS
from stepscope.models.ordering.recorded_orders import recorded_order

STEPS = tuple(ProcedureStep(name, name, name) for name in "abc")


def item(procedure: Procedure) -> SimpleNamespace:
    """Shown as c, a, b."""
    return SimpleNamespace(material=SimpleNamespace(id_of={"1": "c", "2": "a", "3": "b"}, procedure=procedure))


@pytest.fixture
def procedure() -> Procedure:
    return Procedure("p", "test", "Goal", STEPS)


def test_the_recorded_order_is_told_by_the_places_as_shown(procedure: Procedure) -> None:
    found = recorded_order(item(procedure))
    assert found is not None and found["order"].tolist() == [1, 2, 0]
    unordered = item(replace(procedure, ordered=False))
    assert recorded_order(unordered) is None
    written = recorded_order(unordered, written=True)
    assert written is not None and written["order"].tolist() == [1, 2, 0]
    assert recorded_order(item(replace(procedure, steps=STEPS[:1])), written=True) is None


@pytest.mark.parametrize("name", ["berson", "pairwise-pointer"])
def test_without_the_data_s_word_on_orders_more_is_learned_from_and_the_same_measured_on(
    name: str, procedure: Procedure
) -> None:
    found, unordered = recipe(name), item(replace(procedure, ordered=False))
    without = left_out(found, ORDER_LABELS)
    assert learner(found, without).target(unordered) is not None  # type: ignore[arg-type]
    assert found.target(unordered) is None, "what is measured on stays"  # type: ignore[arg-type]
    assert learner(found, ()).target(unordered) is None  # type: ignore[arg-type]
