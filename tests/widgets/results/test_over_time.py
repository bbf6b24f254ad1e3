"""Runs over time: what the axis says of them, and that words keep clear of what is drawn."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QPointF, QRectF

from stepscope.widgets.results.leaderboard_values import TimeLine, TimePoint
from stepscope.widgets.results.over_time import OverTimePlot, date_ticks

NOON = datetime(2024, 11, 24, 12).astimezone()


@pytest.mark.parametrize(
    ("seconds", "first", "last"),
    [
        (10, "24 Nov 12:00:01", "24 Nov 12:00:08"),
        (50, "24 Nov 12:00:07", "24 Nov 12:00:42"),
        (600, "24 Nov 12:00", "24 Nov 12:10"),
        (86_400, "24 Nov 12:00", "25 Nov 12:00"),
        (20 * 86_400, "29 Nov", "14 Dec"),
    ],
)
def test_both_ends_of_the_axis_are_dated_however_short_it_is(seconds: int, first: str, last: str) -> None:
    low = NOON.timestamp()
    ticks = date_ticks(low, low + seconds, 6)
    assert (ticks[0][1], ticks[-1][1]) == (first, last)
    assert all(low <= at <= low + seconds for at, _words in ticks)
    assert len({words for _at, words in ticks}) == len(ticks)


def test_the_words_of_the_best_keep_clear_of_intervals(qtbot, themed) -> None:
    plot = OverTimePlot()
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    plot.show()
    points = tuple(
        TimePoint((name, ""), name, NOON.timestamp() + at, None, value, (low, high), None, "")
        for name, at, value, low, high in (("a", 0, 0.3, 0.2, 0.4), ("b", 100, 0.8, 0.0, 1.0))
    )
    plot.set_line(TimeLine("accuracy", points), by_step=False)
    at = plot.pixel(points[1].date, 0.8)
    place = QRectF(QPointF(at.x() - 80, at.y() - 24), QPointF(at.x() + 40, at.y() - 8))
    found = plot._beside_bars(place)
    assert found.top() >= 0 and found.bottom() <= plot.pixel(points[1].date, 1.0).y()
    away = place.translated(-200, 0)
    assert plot._beside_bars(away) == away
