"""Numbers as said against the ends of spaces, and what reading again would change."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from stepscope.widgets.results.coordinates_values import SpaceRow
from stepscope.widgets.results.reading_preview import ReadingPreview, preview_rows
from stepscope.widgets.results.said_numbers import BINS, SaidNumbers, SpaceEnd


@pytest.mark.parametrize(
    ("numbers", "end", "top"),
    [((60, 985), 1092, 1250), ((0.2, 0.9), 1.0, 1.0), ((41, 986), 2408, 2500), ((), 999, 1000), ((7,), 1, 8)],
)
def test_the_scale_ends_at_a_whole_tick_behind_all_that_it_shows(qtbot: QtBot, numbers, end, top) -> None:
    shown = SaidNumbers("x")
    qtbot.addWidget(shown)
    shown.set_numbers(numbers, [SpaceEnd(end, "space")], None)
    assert shown.top == pytest.approx(top)
    assert sum(shown.counts()) == len(numbers) and len(shown.counts()) == BINS


def test_each_number_is_counted_where_it_lies(qtbot: QtBot) -> None:
    shown = SaidNumbers("y")
    qtbot.addWidget(shown)
    shown.set_numbers((0, 24.9, 25, 1000, -3), [SpaceEnd(1000, "0 – 1000", better=True)], 0)
    counts = shown.counts()
    assert (counts[0], counts[1], counts[-1]) == (3, 1, 1), "what lies outside is counted at the end"
    assert shown.span_words() == "-3 to 1,000"
    assert shown.accessibleDescription() == "-3 to 1,000; 0 – 1000 ends at 1,000"
    assert not shown.grab().isNull()
    shown.set_numbers((float("inf"), float("nan"), 1e300), [], None)
    assert shown.span_words() == "1e+300 to 1e+300" and sum(shown.counts()) == 1 and not shown.grab().isNull()


def row(name: str, right: int, *, chosen: bool = False, whole: int | None = 0, **more: int) -> SpaceRow:
    return SpaceRow(name, name, right, None, None, None, right / 10, None, chosen=chosen, whole=whole, points=8, **more)


def test_a_preview_tells_what_would_change(qtbot: QtBot) -> None:
    now, then = row("now", 1, chosen=True, malformed=3), row("then", 7, whole=2, gained=6, lost=0)
    assert preview_rows(now, then, 4) == [
        ("Points right", "1", "→", "7"), ("Step accuracy", "0.100", "→", "0.700"),
        ("Whole episodes right", "0 of 4", "→", "2 of 4"), ("Malformed", "3", "→", "0"),
    ]  # fmt: skip
    preview = ReadingPreview()
    qtbot.addWidget(preview)
    preview.set_rows(now, then, 4)
    assert len(preview.lines()) == 4 and not preview.better.isHidden()
    grounding = (row("now", 1, chosen=True, whole=None), row("then", 7, whole=None))
    preview.set_rows(*grounding, 4)
    assert len(preview.lines()) == 3, "no episodes there"
    preview.set_rows(now, now, 4)
    assert preview.better.isHidden() and preview.worse.isHidden(), "as it is read now nothing turns"
    preview.set_rows(None, None, 0)
    assert preview.lines() == []
