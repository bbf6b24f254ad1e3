"""What two texts have in common: goals before and after, two questions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.ask_words import removed_words, says, shared_pieces

words = st.lists(st.sampled_from(["set", "a", "timer", "for", "45", "minutes", "Red", "mug."]), max_size=8).map(
    " ".join
)


def test_removed_words_by_hand() -> None:
    assert removed_words("Set a timer for 45 minutes.", "Set a timer.") == (
        ("Set a timer.", False),
        ("for 45 minutes.", True),
    )
    assert removed_words("Put a red mug in", "Put a mug in") == (
        ("Put a", False),
        ("red", True),
        ("mug in", False),
    )
    assert removed_words(None, "Put a mug in") == (("Put a mug in", False),)


@given(words, words)
def test_what_is_kept_is_what_was_told(whole: str, told: str) -> None:
    kept = " ".join(piece for piece, removed in removed_words(whole, told) if not removed)
    assert kept.split() == told.split()


def test_shared_words_by_hand() -> None:
    found = shared_pieces("For how long shall I set the timer?", "How long should the timer run?")
    assert [piece for piece, shared in found if shared] == ["how long", "timer"]
    assert shared_pieces("Is it the one?", "The one is it.")[0] != ("", True)


@given(words, words)
def test_pieces_are_the_text(one: str, other: str) -> None:
    assert "".join(piece for piece, _shared in shared_pieces(one, other)) == one


def test_an_answer_is_looked_for_as_a_whole() -> None:
    assert says("Put the red mug into my cart", "The red mug.")
    assert not says("Put the mug into my red cart", "The red mug.")
    assert not says("Put it in", "it")
