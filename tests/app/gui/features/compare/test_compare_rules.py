"""Which steps differ and what flips: small numbers worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from stepscope.app.gui.features.compare.compare_rules import RuleResult, RuleTable, flip_steps
from stepscope.app.gui.features.compare.run_comparison import StepsOf


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
