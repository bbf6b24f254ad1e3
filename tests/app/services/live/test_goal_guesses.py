"""The goal while it happens: what is told of the guesses, and when help is offered."""

import pytest

from stepscope.app.services.goal_changes import changed_words, settled_at
from stepscope.app.services.live.goal_guesses import GoalGuess, GoalGuesses


def guesses(*said: tuple[str, int, str]) -> GoalGuesses:
    found = GoalGuesses()
    for letter, steps, text in said:
        found.take(GoalGuess(letter, steps, text))
    return found


def test_only_what_changed_is_told_in_the_order_of_steps():
    found = guesses(("C", 2, "x"), ("B", 1, "a"), ("B", 3, "b"), ("B", 2, "a"), ("C", 1, "x"))
    assert [(one.letter, one.steps, one.text, before) for one, before in found.told()] == [
        ("B", 1, "a", None), ("C", 1, "x", None), ("B", 3, "b", "a"),
    ]  # fmt: skip


def test_the_newest_look_after_as_many_steps_counts():
    found = guesses(("B", 1, "a"))
    assert found.take(GoalGuess("B", 1, "b"))
    assert not found.take(GoalGuess("B", 1, "b", 0.9)), "the same words"
    assert [one.text for one, _before in found.told()] == ["b"]


def test_help_is_offered_once_a_model_has_said_the_same_twice():
    assert guesses(("B", 1, "a")).offered() is None
    assert guesses(("B", 1, "a"), ("B", 2, "b")).offered() is None
    assert guesses(("B", 1, "a"), ("B", 2, "b"), ("B", 3, "b")).offered() == GoalGuess("B", 3, "b")
    assert guesses(("C", 1, "c"), ("C", 2, "c"), ("B", 1, "a")).offered() == GoalGuess("C", 2, "c")
    assert guesses(("C", 1, "c"), ("C", 2, "c"), ("B", 1, "a"), ("B", 2, "a")).offered().letter == "B"


def test_what_was_declined_is_not_offered_again_until_it_is_something_else():
    found = guesses(("B", 1, "a"), ("B", 2, "a"))
    found.decline("a")
    found.take(GoalGuess("B", 3, "a"))
    assert found.offered() is None
    found.take(GoalGuess("B", 4, "b"))
    found.take(GoalGuess("B", 5, "b"))
    assert found.offered() == GoalGuess("B", 5, "b")


def test_what_was_undone_is_forgotten():
    found = guesses(("B", 1, "a"), ("B", 2, "a"))
    found.keep_to(1)
    assert found.offered() is None and len(found.told()) == 1


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (None, "Open it", "the first guess"),
        ("Open it", "Open it", "as before"),
        ("Search for tea", "Search for green tea in Shop", "+ green in Shop"),
        ("Open the clock", "Open Shop", "\N{MINUS SIGN} the clock, + Shop"),
        ("Open the clock", "Open", "\N{MINUS SIGN} the clock"),
    ],
)
def test_how_a_guess_changed(before, now, words):
    assert changed_words(before, now) == words


@pytest.mark.parametrize(
    ("said", "place"),
    [([], None), (["a"], 0), (["a", "b"], 1), (["b", "a", "b", "b"], 2), (["a", None], None), ([None, "a"], 1)],
)
def test_from_where_it_stays(said, place):
    assert settled_at(said) == place
