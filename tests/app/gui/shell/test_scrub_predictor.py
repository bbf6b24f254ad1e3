from __future__ import annotations

import pytest

from stepscope.app.gui.shell.scrub_predictor import AHEAD, CALM, FARTHEST_LEAD, ScrubPredictor


@pytest.fixture
def hurry() -> ScrubPredictor:
    """At step 10 since the second 5."""
    made = ScrubPredictor()
    made.went_to(10, 5.0)
    return made


def test_who_steps_at_reading_pace_does_not_hurry(hurry: ScrubPredictor) -> None:
    assert not hurry.is_on
    hurry.went_to(11, 6.0)
    assert not hurry.is_on
    assert hurry.around(100) == [12, 10, 13, 14, 9]


def test_a_held_key_is_a_hurry_until_one_stays(hurry: ScrubPredictor) -> None:
    hurry.went_to(11, 5.033)
    assert hurry.is_on
    hurry.over()
    assert not hurry.is_on


def test_what_is_decoded_lies_the_way_one_goes(hurry: ScrubPredictor) -> None:
    hurry.went_to(9, 5.03)
    assert hurry.ahead(100) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert hurry.around(100) == [8, 10, 7, 6, 11]
    hurry.went_to(10, 5.06)
    assert hurry.ahead(14) == [11, 12, 13]


def test_steps_that_cannot_be_had_in_time_are_passed_over(hurry: ScrubPredictor) -> None:
    hurry.went_to(11, 5.03)
    for lead in (2, 3, 4, 5, 6, 7, 8, 8):
        hurry.found(False)
        assert hurry.ahead(100)[0] == 11 + lead
    assert lead == FARTHEST_LEAD
    for _ in range(CALM):
        assert hurry.ahead(100) == list(range(19, 19 + AHEAD))
        hurry.found(True)
    assert hurry.ahead(100) == list(range(18, 18 + AHEAD))
    hurry.over()
    assert hurry.ahead(100)[0] == 12
