"""The drawn graph by itself: the ring about the screen on which a walk is now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.results.walks.graph_view import WalkGraphView
from stepscope.widgets.results.walks.walk_values import HUMAN, GoalRow, WalkLane, WalkMove, WalkScreen, WalkState

LANE = WalkLane("run", "run", (WalkMove("first", "second", "tap", "Tap", "next"),))


def state(now: str) -> WalkState:
    """One tap from the first screen to the second."""
    screens = {name: WalkScreen(name, name) for name in ("first", "second")}
    goal = GoalRow("e", "Go on", "app", None, 1, 1, under_way=bool(now))
    human = WalkLane(HUMAN, "Person", LANE.moves)
    return WalkState(goal, (human, LANE), screens, "second", "", False, now=now)


@pytest.fixture
def graph(qtbot: QtBot) -> Iterator[WalkGraphView]:
    before = theme.current()
    view = WalkGraphView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    yield view
    theme.set_current(before)


def test_the_ring_of_the_screen_where_the_walk_is_pulses_where_things_may_move(graph: WalkGraphView) -> None:
    theme.set_current(theme.current(), still=False)
    graph.set_state(state("second"))
    assert not graph.pulses, "nobody sees it"
    graph.show()
    assert graph.pulses
    graph.set_state(state(""))
    assert not graph.pulses, "the walk is over"
    graph.set_state(state("second"))
    graph.hide()
    assert not graph.pulses


def test_the_ring_goes_from_heavy_to_thin_and_back(graph: WalkGraphView, qtbot: QtBot) -> None:
    theme.set_current(theme.current(), still=False)
    graph.set_state(state("second"))
    graph.show()
    ring = graph.screens["second"]
    qtbot.waitUntil(lambda: ring.pulse < 0.3)
    qtbot.waitUntil(lambda: ring.pulse > 0.7)
    assert graph.screens["first"].pulse == 1.0


def test_the_ring_stands_still_where_motion_is_reduced(graph: WalkGraphView) -> None:
    graph.set_state(state("second"))
    graph.show()
    assert not graph.pulses and graph.screens["second"].is_now and graph.screens["second"].pulse == 1.0
