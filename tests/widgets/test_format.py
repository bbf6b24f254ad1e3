from __future__ import annotations

import math

import pytest

from stepscope.widgets import format as formats


def test_scores_have_three_digits_and_a_dash_where_there_is_none() -> None:
    assert formats.score(0.6144) == "0.614"
    assert formats.score(None) == formats.score(math.nan) == "–"
    assert formats.signed(-0.045) == "−0.045"
    assert formats.signed(0.163) == "+0.163"
    assert [formats.signed(value) for value in (0.0, -0.0, -0.0004, 0.0004)] == ["+0.000"] * 4
    assert formats.interval((0.521, 0.699)) == "0.521 – 0.699"
    assert formats.interval(None) == "–"


def test_shares_p_values_and_counts() -> None:
    assert formats.share(51 / 470) == "10.9 %"
    assert formats.p_value(0.0004) == "< 0.001"
    assert formats.p_value(0.004) == "0.004"
    assert formats.count(4724) == "4,724"
    assert formats.counted(1, "step") == "1 step"
    assert formats.counted(715_142, "episode") == "715,142 episodes"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.009, "9 ms"), (0.0, "0.0 s"), (5.8, "5.8 s"), (240, "4 min"), (7200, "2 h"), (260_000, "3 days"), (None, "–")],
)
def test_durations_take_the_unit_that_reads_best(seconds: float | None, words: str) -> None:
    assert formats.duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (31.9, "0:31"), (725, "12:05"), (3723, "1:02:03"), (-2, "0:00"), (None, "–"), (math.inf, "–")],
)
def test_a_clock_counts_whole_seconds(seconds: float | None, words: str) -> None:
    assert formats.clock(seconds) == words


def test_time_left_is_whole_and_silent_when_unknown() -> None:
    assert formats.time_left(39.2) == "40 s left"
    assert formats.time_left(245) == "4 min left"
    assert formats.time_left(None) == ""


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("com.duolingo", "Duolingo"),
        ("com.google.android.apps.maps", "Maps"),
        ("org.example.beta", "Example"),
        ("com.stepscope.sample.clock", "Clock"),
        ("https://www.shop.com/cart?a=b", "shop.com"),
        ("My clock 2.0", "My clock 2.0"),
        ("clock", "clock"),
        ("", ""),
    ],
)
def test_an_app_is_called_by_the_telling_part_of_its_package(package: str, name: str) -> None:
    assert formats.app_name(package) == name


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://www.example.org/a/b?c=d", "example.org"),
        ("http://shop.example.org", "shop.example.org"),
        ("thumbtack", "thumbtack"),
        ("", ""),
    ],
)
def test_sites_are_called_by_their_host(address: str, name: str) -> None:
    assert formats.site_name(address) == name
