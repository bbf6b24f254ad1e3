"""Templates out of goals and back, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.scoring.web_fields_rouge import rouge_l
from stepscope.models.goal.templates import (
    chosen_templates,
    fill,
    gains,
    induced_template,
    literal,
    roles_of,
    template_words,
)


@pytest.mark.parametrize(
    ("goal", "pieces", "template"),
    [
        ("Create Bus rides as a playlist!", {"typed": "Bus rides"}, "Create {typed} as a playlist!"),
        # Part of a piece does where it begins it, or is half of it.
        ("Forward it to Vesna", {"item": "Vesna Cloudsley"}, "Forward it to {item}"),
        ("Write to Cloudsley", {"item": "Vesna Cloudsley"}, "Write to {item}"),
        ("Two of the last songs", {"button": "Show all the last things"}, "Two of the last songs"),
        # Longer pieces first; a piece inside a place that was found is none.
        ("Delete the note Work plan", {"item": "Work plan", "item first": "Work"}, "Delete the note {item}"),
        ("Move the item on", {"item": "x y", "typed": "item"}, "Move the {typed} on"),
        # Little words are everywhere.
        ("Turn the alarm on", {"button": "On"}, "Turn the alarm on"),
        ("Turn the alarm on", {"button": "ON or off"}, "Turn the alarm on"),
        ("Protect them with the PIN 4494", {"typed": "4494"}, "Protect them with the PIN {typed}"),
        ("Timer", {"item": "Tim"}, "Timer"),
    ],
)
def test_words_of_the_trajectory_become_places(goal: str, pieces: dict[str, str], template: str) -> None:
    assert induced_template(goal, pieces) == template


def test_a_filled_template_is_a_sentence() -> None:
    pieces = {"button": "Archive", "item": "iPad notes", "button before": "PIN"}
    assert fill("{button} the {item}", pieces) == "Archive the iPad notes"
    assert fill("please {button} the {item}", pieces) == "Please archive the iPad notes"
    assert fill("set a {button before}", pieces) == "Set a PIN"
    assert fill("write {typed}", pieces) is None
    assert template_words("{button} the {item first} in {app}") == "this option the that item in this app"
    assert roles_of("{button} the {item first}") == ("button", "item first")
    assert literal("Delete {item} now").split() == ["Delete", "now"]


@given(st.text(max_size=40), st.dictionaries(st.sampled_from(["typed", "item", "app"]), st.text("ab c", min_size=1)))
def test_any_goal_makes_a_template_that_its_own_trajectory_fills(goal: str, pieces: dict[str, str]) -> None:
    known = {role: words for role, words in pieces.items() if words.strip()}
    template = induced_template(goal.replace("{", "").replace("}", ""), known)
    assert set(roles_of(template)) <= set(known)
    assert fill(template, known) is not None


def test_gains_are_rouge_l_and_minus_one_where_a_place_stays_empty() -> None:
    found = gains("Delete Soup", (("item", "Soup"),), ("Delete {item}", "Delete the {item}", "Open {typed}"))
    assert found == pytest.approx([1.0, 2 * (2 / 3) * 1 / (2 / 3 + 1), -1.0])


@given(
    st.lists(
        st.sampled_from(["delete", "the", "note {item}", "{typed}.", "Running", "to {item} now!", "–"]), max_size=6
    ),
    st.text("runs ning, Aa1", max_size=20),
    st.dictionaries(st.sampled_from(["item", "typed"]), st.text("runs ning, Aa1", max_size=12)),
)
def test_gains_are_what_the_scorer_says_of_the_filled_sentence(
    words: list[str], goal: str, known: dict[str, str]
) -> None:
    template = " ".join(words)
    filled = fill(template, known)
    wanted = -1.0 if filled is None else rouge_l(goal, filled)
    assert gains(goal, tuple(known.items()), (template,)) == pytest.approx([wanted], abs=1e-6)


def test_templates_are_taken_that_serve_most_items_also_those_of_other_apps() -> None:
    table = np.array([[0.9, 0.5, 0.0], [0.9, 0.5, 0.0], [0.0, 0.4, 0.8]], np.float32)
    # Of candidates of the apps a, b, c: the second serves the app a from outside, and c too.
    apps = ["a", "a", "c"]
    assert chosen_templates(["0", "1", "2"], ["a", "b", "c"], table, apps, most=1) == [1]
    assert chosen_templates(["0", "1", "2"], ["a", "b", "c"], table, apps) == [0, 1, 2]
    assert chosen_templates(["0", "1"], ["a", "b"], np.zeros((3, 2), np.float32), apps) == []
