from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.widgets.timeline.columns import ColumnEdges, by_time, durations, equal, has_times


def test_equal_columns_are_found_by_their_pixels() -> None:
    columns = equal(3, 100)
    assert (len(columns), columns.total) == (3, 300)
    assert [columns.at(x) for x in (-1, 0, 99, 100, 299, 300)] == [-1, 0, 0, 1, 2, -1]
    assert columns.between(50, 150) == range(2) and columns.between(100, 200) == range(1, 2)
    assert columns.between(250, 900) == range(2, 3)
    assert columns.between(300, 400) == columns.between(10, 10) == ColumnEdges().between(0, 50) == range(0)


def test_columns_by_time_share_the_room_as_the_steps_shared_the_time() -> None:
    assert by_time((1.0, 3.0, 4.0), 800, 40).edges == (0, 100, 400, 800)


def test_a_short_step_keeps_a_column_and_the_others_give_way() -> None:
    """60 pixels are left for 9 seconds' 6 and 3 when the first one stands at its 40."""
    assert by_time((0.1, 6.0, 3.0), 640, 40).edges == (0, 40, 440, 640)
    assert by_time((0.0, 0.0), 100, 40).edges == (0, 50, 100)


def test_what_was_not_recorded_takes_as_long_as_is_usual() -> None:
    assert durations((0.0, 2.0, 3.0, 7.0)) == (2.0, 1.0, 4.0, 2.0)
    assert durations((0.0, None, 3.0, 7.0)) == (4.0, 4.0, 4.0, 4.0)
    assert durations((5.0, 2.0, 3.0)) == (1.0, 1.0, 1.0), "time that goes back is no time"
    assert durations((None, None)) == (1.0, 1.0) and durations(()) == ()


@pytest.mark.parametrize(
    ("times", "known"),
    [((0.0, 1.0), True), ((0.0, 0.0), False), ((1.0,), False), ((0.0, None, 2.0), False), ((), False)],
)
def test_an_episode_has_times_when_some_step_took_some(times: tuple[float | None, ...], known: bool) -> None:
    assert has_times(times) is known


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.integers(44, 200))
def test_columns_by_time_fill_the_room_and_none_is_lost(seconds: list[float], cell: int) -> None:
    total = len(seconds) * cell
    columns = by_time(seconds, total, 44)
    assert abs(columns.total - total) <= 1 and len(columns) == len(seconds)
    widths = [columns.width(place) for place in range(len(columns))]
    assert min(widths) >= 43
    for place, width in enumerate(widths):
        assert columns.at(columns.edges[place]) == place == columns.at(columns.edges[place] + width - 1)
    ordered = sorted(zip(seconds, widths, strict=True))
    assert all(one <= other + 1 for (_, one), (_, other) in pairwise(ordered))
