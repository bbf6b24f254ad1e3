"""What the rule proposes for goals that do not match, each case worked out by hand."""

from __future__ import annotations

import pytest

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import PairAnswers
from stepscope.models.goal.judges.error_class import proposed_error
from stepscope.models.goal.judges.requirements import requirements_of

FORTH, BACK, NEITHER = (False, True), (True, False), (False, False)
"""The prediction satisfies the reference only; the reference the prediction only; neither."""


def proposed(reference: str, predicted: str, ways: tuple[bool | None, bool | None], fulfilled=True, seen: str = ""):
    words = requirements_of(seen).terms.keys() if seen else None
    found = proposed_error(PairAnswers(True, fulfilled, *ways), reference, predicted, words)
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("reference", "predicted", "ways", "found"),
    [
        ("Read news about Apple stock", "Read the article “Chips soar” about Apple stock", FORTH, "too specific"),
        ("Buy a red lamp", "Buy a lamp", BACK, "too general"),
        ("Reserve a truck", "Reserve a Chevrolet Colorado truck", NEITHER, "too specific"),
        ("Reserve a Chevrolet Colorado truck", "Reserve a truck", NEITHER, "too general"),
        ("Book a ferry to Bergen for 2", "Book a ferry to Bergen for 3", NEITHER, "wrong detail"),
        ("Watch The Dark Knight trailer", "Watch top rated movie trailer", NEITHER, "wrong detail"),
        ("Turn the Wi-Fi on", "Turn the Wi-Fi off", NEITHER, "wrong detail"),
        ("Increase the brightness", "Navigate to the display settings", BACK, "navigational"),
        ("Open the clock", "Open the settings", NEITHER, None),
        ("Buy a lamp", "Open the shop and buy a chair", NEITHER, None),
        ("Buy a lamp", "Sit down", NEITHER, None),
    ],
)
def test_the_first_class_that_fits(reference: str, predicted: str, ways, found: str | None) -> None:
    assert proposed(reference, predicted, ways) == found


def test_what_no_screen_shows_is_invented_where_the_trajectory_does_not_fulfil_it() -> None:
    case = ("Buy a lamp", "Buy a lamp with a warranty", FORTH)
    assert proposed(*case, fulfilled=False, seen="a lamp for 20 euros") == GoalErrorClass.INVENTED
    assert proposed(*case, fulfilled=True, seen="a lamp for 20 euros") == GoalErrorClass.TOO_SPECIFIC
    assert proposed(*case, fulfilled=False, seen="a lamp, warranty 9 euros") == GoalErrorClass.TOO_SPECIFIC
    assert proposed(*case, fulfilled=False) == GoalErrorClass.TOO_SPECIFIC, "the trajectory has no words"


def test_a_match_and_an_open_direction_have_none() -> None:
    assert proposed("Buy a lamp", "Open the shop", (True, True)) is None
    assert proposed("Buy a lamp", "Open the shop", (None, True)) is None


def test_the_words_of_the_classes_are_kept_in_files() -> None:
    assert [one.value for one in GoalErrorClass] == [
        "too specific", "too general", "wrong detail", "invented", "navigational"
    ]  # fmt: skip
