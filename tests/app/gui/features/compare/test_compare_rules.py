"""Whether the order of runs depends on the rule, and what flips: small numbers worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from stepscope.app.gui.features.compare.compare_rules import RuleResult, RuleTable, flip_steps, order_words
from stepscope.app.gui.features.compare.run_comparison import StepsOf, names_of


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


def columns(*items: tuple[int, int], run: str = "a", episodes: tuple[str, ...] = ("lamp", "chair")):
    """Columns with nothing but places: code of the episode and step of each item."""
    codes, steps = (np.array([item[place] for item in items], np.int32) for place in (0, 1))

    def episodes_in(other):
        known = {name: code for code, name in enumerate(other.episodes)}
        return np.array([known.get(name, -1) for name in episodes], np.int32)

    return SimpleNamespace(run_id=run, episode=codes, step=steps, episodes=episodes, episodes_in=episodes_in)


def test_steps_are_found_from_any_place() -> None:
    """Differences at lamp 1, lamp 3 and chair 0, done out of order."""
    everything = columns((0, 0), (0, 3), (0, 1), (1, 0), (1, 1))
    steps = StepsOf.of(everything, np.array([3, 1, 2]))
    assert [(steps.key(place).episode, steps.key(place).step) for place in range(3)] == [
        ("lamp", 1), ("lamp", 3), ("chair", 0),
    ]  # fmt: skip
    assert steps.place_of("lamp", 3) == 1 and steps.place_of("lamp", 2) == -1 and steps.place_of("tour", 0) == -1
    assert steps.next_to("lamp", 0, 1) == 0, "lamp 1"
    assert steps.next_to("lamp", 1, 1) == 1, "lamp 3"
    assert steps.next_to("lamp", 9, 1) == 2, "a step that the run does not have lies behind its others"
    assert steps.next_to("chair", 0, 1) == -1, "there is none behind"
    assert steps.next_to("chair", 0, -1) == 1 and steps.next_to("lamp", 1, -1) == -1
    assert steps.next_to("tour", 4, 1) == 0 and steps.next_to("tour", 4, -1) == 2, "elsewhere: from either end"


def test_items_about_whole_episodes_are_met_from_any_of_their_steps() -> None:
    steps = StepsOf.of(columns((0, -1), (1, -1)), np.array([0, 1]))
    assert steps.place_of("lamp", 4) == 0
    assert steps.next_to("lamp", 4, 1) == 1 and steps.next_to("chair", 0, -1) == 0


def test_flips_of_several_runs_come_by_episode_and_step() -> None:
    """1 right, 0 wrong, -1 unscored. Run a flips at lamp 0 and chair 0, run b at lamp 0; what one rule could not score
    does not flip."""
    table = RuleTable(())
    verdicts = {
        ("aitw", "a"): [1, 0, 0, -1],
        ("aitz", "a"): [0, 0, 1, 1],
        ("aitw", "b"): [1, 1],
        ("aitz", "b"): [1, 0],
    }
    for key, row in verdicts.items():
        table._found[key] = RuleResult(0.5, "", np.array(row, np.int8))
    places = {
        "a": columns((0, 0), (0, 1), (1, 0), (1, 1)),
        "b": columns((0, 0), (1, 0), run="b", episodes=("chair", "lamp")),
    }
    runs = [(0, SimpleNamespace(id="a", done=4)), (2, SimpleNamespace(id="b", done=2))]
    found = flip_steps(table, "aitw", "aitz", runs, lambda run, _scoring, _done: places[run])
    rows = [(found.number(place), found.key(place).episode, found.now_right(place)) for place in range(len(found))]
    assert rows == [(0, "lamp", False), (2, "lamp", False), (0, "chair", True)]
    assert len(flip_steps(table, "aitw", "aitw", runs, lambda *_: pytest.fail("nothing flips"))) == 0


def test_names_are_as_long_as_telling_them_apart_needs() -> None:
    def run(model: str, protocol: str, seed: int):
        return SimpleNamespace(spec=SimpleNamespace(model=model, protocol=protocol, seed=seed))

    runs = [run("copy", "aitw", 0), run("copy", "aitz", 0), run("copy", "aitz", 1), run("random", "aitw", 0)]
    assert names_of(runs) == ["copy · aitw", "copy · aitz · seed 0", "copy · aitz · seed 1", "random"]
