from __future__ import annotations

import pytest

from stepscope.widgets.library import EpisodeSort, ListOrder
from stepscope.widgets.library.order import orders


@pytest.mark.parametrize(
    ("order", "text", "words"),
    [
        (ListOrder(), "data", "Data order"),
        (ListOrder(EpisodeSort.STEPS), "steps", "Most steps first"),
        (ListOrder(EpisodeSort.STEPS, turned=True), "steps:turned", "Fewest steps first"),
        (ListOrder(EpisodeSort.CONFIDENCE, 1), "confidence:B", "Lowest confidence of B first"),
        (ListOrder(EpisodeSort.FIRST_WRONG, 7, True), "first_wrong:H:turned", "First wrong step of H, latest first"),
    ],
)
def test_an_order_is_kept_as_text(order: ListOrder, text: str, words: str) -> None:
    assert (str(order), order.words) == (text, words)
    assert ListOrder.from_text(text) == order


@pytest.mark.parametrize("text", ["", "nothing", "confidence:Z", "first_wrong"])
def test_any_text_gives_an_order(text: str) -> None:
    assert ListOrder.from_text(text).run == 0


def test_orders_by_runs_are_offered_for_the_runs_that_are_shown() -> None:
    assert [order for order in orders(range(0)) if order.key.of_run] == []
    assert ListOrder(EpisodeSort.DISAGREEMENT) not in orders(range(1))
    offered = orders(range(2))
    assert ListOrder(EpisodeSort.DISAGREEMENT) in offered
    assert [str(order) for order in offered if order.key.of_run] == [
        "first_wrong:A", "first_wrong:B", "confidence:A", "confidence:B",
    ]  # fmt: skip
