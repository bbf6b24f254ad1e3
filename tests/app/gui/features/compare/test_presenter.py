"""Whether the order of runs depends on the rule: small numbers worked out by hand."""

from __future__ import annotations

import pytest

from stepscope.app.gui.features.compare.presenter import order_words


def test_one_order_under_all_rules_tells_the_gap() -> None:
    scores = {
        "radius14": {"A": 0.648, "B": 0.603, "C": 0.571},
        "aitz": {"A": 0.612, "B": 0.571, "C": 0.507},
        "aitw": {"A": 0.655, "B": 0.611, "C": 0.580},
    }
    assert order_words(scores) == "No. A leads under all 3 rules; the gap A to C is 0.075 to 0.105."


def test_a_change_behind_the_first_names_the_rules() -> None:
    scores = {
        "aitw": {"A": 0.9, "B": 0.6, "C": 0.5},
        "aitz": {"A": 0.8, "B": 0.4, "C": 0.5},
        "radius14": {"A": 0.7, "B": 0.6, "C": 0.1},
    }
    assert order_words(scores) == "Yes, behind the first. A leads under all 3 rules, but C is before B under aitz."


def test_another_leader_is_told_with_its_rules() -> None:
    scores = {
        "aitw": {"A": 0.9, "B": 0.6},
        "aitz": {"A": 0.3, "B": 0.4},
        "radius14": {"A": 0.7, "B": 0.6},
        "nearest5": {"A": 0.7, "B": 0.8},
        "smallest_box": {"A": 0.9, "B": 0.8},
    }
    assert order_words(scores) == "Yes. A leads under 3 of 5 rules; B under aitz and nearest5."


def test_equal_scores_are_no_change() -> None:
    scores = {"aitw": {"A": 0.5, "B": 0.5}, "aitz": {"A": 0.5, "B": 0.4}}
    assert (
        order_words(scores) == "No. Some runs have the same score under some of the 2 rules, but none changes places."
    )


@pytest.mark.parametrize("scores", [{}, {"aitw": {"A": 1.0, "B": 0.5}}, {"aitw": {"A": 1.0}, "aitz": {"A": 0.5}}])
def test_one_rule_or_one_run_has_no_order(scores) -> None:
    assert order_words(scores) == ""
