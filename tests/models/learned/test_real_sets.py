"""When a model counts as below the rules, in which words, and tables of real sets that are none."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.models.learned.card import CARD, MACHINERY, read_card, trained_on_words
from stepscope.models.learned.model_folders import shipped_folder
from stepscope.models.learned.real_sets import (
    RealResult,
    RuleComparison,
    RuleOnSet,
    as_form,
    below_rules,
    below_words,
    from_forms,
    level_words,
)

LOST = RuleOnSet(0.6, -0.3, (-0.4, -0.2), 0.001)
WON = RuleOnSet(0.1, 0.2, (0.1, 0.3), 0.001)
UNSURE = RuleOnSet(0.35, -0.05, (-0.2, 0.1), 0.4)


def result(name: str = "Real", items: int = 500, **rules: RuleOnSet) -> RealResult:
    return RealResult(name, "motif", "all", items, items, "ab", "aitw", "step_accuracy", 0.3, (0.2, 0.4), against=rules)


@pytest.mark.parametrize(
    ("rule", "standing"),
    [
        (LOST, RuleComparison.BELOW),
        (WON, RuleComparison.ABOVE),
        (UNSURE, RuleComparison.LEVEL),
        (replace(LOST, ci=None), RuleComparison.LEVEL),  # one episode
        (
            replace(LOST, p=0.125),
            RuleComparison.LEVEL,
        ),  # the interval of four episodes, which the test does not bear out
        (replace(LOST, p=None), RuleComparison.LEVEL),
    ],
)
def test_it_is_below_only_where_interval_and_test_say_so(rule: RuleOnSet, standing: RuleComparison) -> None:
    assert rule.standing is standing
    assert result(one=rule).standing is standing


def test_the_best_rule_counts() -> None:
    both = result(poor=WON, good=LOST)
    assert (both.best_rule, both.standing) == ("good", RuleComparison.BELOW)
    assert result().standing is RuleComparison.LEVEL and result().best_rule == ""
    assert result(none=RuleOnSet(None, None)).best_rule == ""


def test_it_is_said_in_a_line_the_widest_gap_first() -> None:
    wider = result("Other", good=replace(LOST, value=0.9, difference=-0.6, ci=(-0.7, -0.5)))
    assert below_words([result(good=LOST)]) == "Below good on Real: 0.300 against 0.600"
    assert below_words([result(good=LOST), result("Third", poor=WON), wider]) == (
        "Below good on Other: 0.300 against 0.900, and on 1 more"
    )
    assert below_rules([result(good=WON)]) == () and below_words([result(good=UNSURE)]) == ""


def test_no_better_is_said_of_the_largest_set_alone() -> None:
    small = result("Small", 10, good=UNSURE)
    assert level_words([small, result(good=UNSURE)]) == "No better than good on Real: 0.300 against 0.350"
    assert level_words([small]) == "", "too few items to tell"
    assert level_words([small, result(good=WON)]) == ""
    assert level_words([result(good=UNSURE), result("Other", good=LOST)]) == "", "that it is below is said instead"
    assert level_words([]) == ""


def test_a_card_keeps_what_was_measured(tmp_path) -> None:
    card = read_card(shipped_folder() / "two-tower")
    drawn = replace(result(good=LOST), drawn_from=1000, draw_seed=3)
    replace(card, real=(drawn, result("Other", poor=replace(WON, ci=None, p=None)))).write(tmp_path)
    assert read_card(tmp_path).real == (drawn, result("Other", poor=replace(WON, ci=None, p=None)))
    assert "draw_seed" not in as_form(result()), "what is not there is not written"


def test_a_card_of_before_has_none(tmp_path) -> None:
    form = json.loads((shipped_folder() / "two-tower" / CARD).read_text("utf-8"))
    form.pop("real")
    (tmp_path / CARD).write_text(json.dumps(form))
    assert read_card(tmp_path).real == ()


GOOD: dict[str, Any] = {
    "set": "Real", "format": "motif", "split": "all", "items": 1, "episodes": 1, "sha256": "ab", "protocol": "aitw",
    "metric": "step_accuracy", "value": 0.5, "ci": [0.1, 0.9], "against": {"good": {"value": 0.1, "difference": 0.4}},
}  # fmt: skip


@pytest.mark.parametrize(
    "real",
    [
        {},
        [7],
        [GOOD | {"against": []}],
        [GOOD | {"against": {"good": 1}}],
        [GOOD | {"against": {"good": {"value": "much", "difference": 0.1}}}],
        [GOOD | {"items": True}],
        [GOOD | {"items": -1}],
        [GOOD | {"items": 1 << 60}],
        [GOOD | {"value": "0.5"}],
        [GOOD | {"value": float("nan")}],
        [GOOD | {"ci": [0.1]}],
        [GOOD | {"ci": [0.9, 0.1]}],
        [GOOD | {"more": 1}],
        [{name: value for name, value in GOOD.items() if name != "metric"}],
        [GOOD, GOOD],
    ],
    ids=range(15),
)
def test_a_table_that_is_none_is_told_with_its_file(real: object, tmp_path) -> None:
    form = json.loads((shipped_folder() / "two-tower" / CARD).read_text("utf-8"))
    (tmp_path / CARD).write_text(json.dumps(form | {"real": real}))
    with pytest.raises(UserError, match="its table of real sets cannot be read") as told:
        read_card(tmp_path)
    assert told.value.place == str(tmp_path / CARD) and told.value.hint


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.dictionaries(st.sampled_from([*GOOD, "x"]), JSON, max_size=3))
def test_whatever_it_holds_it_is_read_or_refused_in_words(whole: Any, changed: dict[str, Any]) -> None:
    for forms in (whole, [GOOD | changed]):
        try:
            found = from_forms(forms)
        except ValueError:
            continue
        below_words(found), level_words(found)
        assert all(from_forms([json.loads(json.dumps(as_form(one)))]) == (one,) for one in found)


def test_what_it_was_trained_on_is_said_in_words() -> None:
    card = read_card(shipped_folder() / "two-tower")
    own = "1,500 episodes that Stepscope generated in its own apps, train split 939"
    assert trained_on_words(card) == f"{own}; uibert_refexp: train split 356"
    ordering = read_card(shipped_folder() / "pairwise-pointer")
    assert trained_on_words(ordering) == f"{own}; wikihow_goal_step: train split 299"
    assert trained_on_words(read_card(shipped_folder() / "feasibility-mlp")) == own
    foreign = replace(card, note="", data={"source": "motif", "splits": {"train": {"episodes": 2000}}})
    assert trained_on_words(foreign) == "motif: 2,000 episodes, train split 2,000"
    assert trained_on_words(replace(card, note="", data={})) == ""
    odd = replace(card, note=MACHINERY, data={"source": "x", "splits": {"train": 7, "test": {"episodes": "9"}}})
    assert trained_on_words(odd) == "episodes that Stepscope generated in its own apps"


def test_two_tower_does_not_lose_to_text_match_on_uibert() -> None:
    """On the part that it was not shown."""
    (found,) = (one for one in read_card(shipped_folder() / "two-tower").real if one.set == "UIBert refexp")
    assert (found.split, found.items, found.best_rule) == ("held out", 77, "text-match")
    best = found.against["text-match"].value
    assert found.value is not None and best is not None and found.value >= best
    assert found.standing is RuleComparison.LEVEL  # 77 steps tell no more


def test_pairwise_pointer_beats_random_on_wikihow() -> None:
    """On the part that it was not shown, by the interval of the value and by that of the paired difference."""
    (found,) = (one for one in read_card(shipped_folder() / "pairwise-pointer").real if "wikiHow" in one.set)
    assert (found.split, found.items) == ("held out", 52)
    random = found.against["random-order"]
    assert found.ci is not None and found.ci[0] > 0
    assert random.ci is not None and random.ci[0] > 0 and found.standing is RuleComparison.ABOVE
