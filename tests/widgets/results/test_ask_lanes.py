"""The parts of the lanes page by themselves: what is painted where, what keys and the mouse do, what is cut."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from stepscope.widgets import theme
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.results.lanes.ask_lanes_page import AskLanesPage
from stepscope.widgets.results.lanes.cost_card import CostCard
from stepscope.widgets.results.lanes.lane_values import (
    ALONE,
    ANSWERED,
    DUE,
    AskCostPoint,
    AskingCost,
    CostMark,
    GoalPiece,
    LanesBar,
    LanesColumn,
    LanesGroup,
    LanesLine,
    LanesSetting,
    LanesSquare,
    LanesState,
    LanesTaskRow,
    SettingsTable,
)
from stepscope.widgets.results.lanes.settings_card import SettingsCard, grid_of, span_of
from stepscope.widgets.results.lanes.task_list import cut_film

HIT, MISS = ShownVerdict.HIT, ShownVerdict.MISS
STATE = LanesState(
    "e",
    (GoalPiece("Set a timer"), GoalPiece("for 45 minutes", removed=True)),
    tuple(LanesColumn(step, "tap", "Tap", str(step)) for step in range(3)),
    (
        LanesLine(DUE, "Due", "", (LanesSquare(), LanesSquare("due", ask="due", tip="How long?"), LanesSquare())),
        LanesLine(ALONE, "Goal alone", "", (LanesSquare("Tap", HIT), LanesSquare("asks", ask="asks"),
                                            LanesSquare("Tap", MISS))),
        LanesLine(ANSWERED, "Goal and answer", "", (LanesSquare("same"), LanesSquare("Tap", HIT),
                                                    LanesSquare("Tap", HIT, is_rescued=True))),
    ),
    (LanesBar(2, 2, "1 step rescued", True),),
    spoken=("Step 1 of 3", "Step 2 of 3", "Step 3 of 3"),
    start=1,
)  # fmt: skip
ROWS = [
    LanesTaskRow("e", "Set a timer", "clock", LanesGroup.WHEN_DUE, "number", 1, ("ham", "hhh")),
    LanesTaskRow("f", "Buy a mug", "shop", LanesGroup.MISSED, "option", 0, ("hmm", "hmm")),
]


@pytest.fixture
def page(qtbot, themed):
    page = AskLanesPage()
    qtbot.addWidget(page)
    page.resize(1200, 800)
    page.set_tasks(ROWS)
    page.set_state(STATE)
    with qtbot.waitExposed(page):
        page.show()
    return page


def count(image: QImage, place, colour: str) -> int:
    wanted = QColor(colour).rgb()
    return sum(
        image.pixel(x, y) == wanted
        for x in range(place.left(), place.right())
        for y in range(place.top(), place.bottom())
    )


def test_a_due_question_is_hollow_and_an_ask_filled(page) -> None:
    lanes, warn = page.lanes, theme.current().warn
    lanes.choose(0)
    image = lanes.viewport().grab().toImage()
    due, asked = (count(image, lanes.place_of(1, row), warn) for row in (DUE, ALONE))
    assert 0 < due < asked, "by shape, not by colour alone"
    rescued = lanes.place_of(2, ANSWERED)
    assert image.pixelColor(rescued.center()) == QColor(theme.current().hit_background)
    assert lanes.words_at(lanes.place_of(1, DUE).center()) == "How long?"
    assert lanes.accessibleDescription() == "Step 1 of 3"


def test_keys_go_along_steps_spots_and_tasks(page, qtbot) -> None:
    wanted: list[str] = []
    page.task_wanted.connect(wanted.append)
    opened: list[tuple[str, int]] = []
    page.replay_requested.connect(lambda episode, step: opened.append((episode, step)))
    assert page.column == 1, "the first ask"
    for key, column in (("Right", 2), ("Home", 0), ("End", 2), ("Left", 1)):
        QTest.keyClick(page.lanes, getattr(Qt.Key, f"Key_{key}"))
        assert page.column == column
    QTest.keyClick(page.lanes, Qt.Key.Key_Return)
    QTest.keyClick(page.panel, Qt.Key.Key_N)
    assert page.column == 2 and opened == [("e", 1)]
    QTest.keyClick(page.lanes, Qt.Key.Key_P)
    QTest.keyClick(page.lanes, Qt.Key.Key_K)
    assert page.column == 0
    QTest.keyClick(page.lanes, Qt.Key.Key_PageDown)
    assert wanted == ["f"] and page.wanted == "f"


def test_a_double_click_opens_the_step(page, qtbot) -> None:
    with qtbot.waitSignal(page.replay_requested) as told:
        place = page.lanes.place_of(2, ANSWERED).center()
        QTest.mouseDClick(page.lanes.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == ["e", 2]
    assert page.lanes.column_at(QPoint(3, 3)) == -1, "the names of the lanes are no step"


def test_filters_leave_tasks_out_and_say_so(page, qtbot) -> None:
    rows = page.filters.rows
    assert [row.count for row in rows.values()] == [1, 0, 1, 0] and not rows[LanesGroup.NOT_NEEDED].isEnabled()
    QTest.mouseClick(rows[LanesGroup.MISSED], Qt.MouseButton.LeftButton)
    assert [row.episode for row in page.shown_rows] == ["f"] and page.wanted == "f"
    QTest.mouseClick(page.filters.chips["number"], Qt.MouseButton.LeftButton)
    assert page.shown_rows == () and page.state is None
    button = page._nothing._buttons[0]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(page.shown_rows) == 2


def test_narrow_cards_are_tabs(page) -> None:
    assert not page.parts.isVisible() and page.settings.isVisible() and page.cost.isVisible()
    page.resize(700, 800)
    assert page.parts.isVisible() and page.settings.isVisible() and not page.cost.isVisible()
    page.parts.setCurrentIndex(1)
    assert page.cost.isVisible() and not page.settings.isVisible()


def test_the_point_is_that_of_the_next_threshold_upwards() -> None:
    points = (AskCostPoint(math.inf, 0, 0.5), AskCostPoint(0.8, 0.5, 0.6), AskCostPoint(0.4, 1, 0.7))
    at = [AskingCost(points, threshold=threshold).point() for threshold in (0.9, 0.8, 0.5, 0.3)]
    assert [one and one.asks for one in at] == [0, 0.5, 0.5, 1]
    assert AskingCost(points).point() is None


def test_the_curve_moves_by_keys_slider_and_mouse(qtbot, themed) -> None:
    card = CostCard()
    qtbot.addWidget(card)
    card.resize(400, 420)
    points = (AskCostPoint(math.inf, 0, 0.5, (0.4, 0.6)), AskCostPoint(0.8, 0.5, 0.6, (0.5, 0.7)),
              AskCostPoint(0.4, 1, 0.7, (0.6, 0.8)))  # fmt: skip
    cost = AskingCost(points, (CostMark("oracle", 0.5, 0.75),), 0.78, 0.8, ends=(0.4, 0.81))
    card.set_cost(cost)
    with qtbot.waitExposed(card):
        card.show()
    moved: list[float] = []
    card.moved.connect(moved.append)
    QTest.keyClick(card.plot, Qt.Key.Key_Right)
    last = card.plot.place_of(1, 0.7).toPoint()
    QTest.mouseClick(card.plot, Qt.MouseButton.LeftButton, pos=last)
    QTest.keyClick(card.slider, Qt.Key.Key_Left)
    assert moved[:2] == [0.4, 0.4] and moved[2] < 0.81
    assert card.plot.words_at(card.plot.place_of(0.5, 0.75)).startswith("oracle: 0.5 asks a task")
    assert card.plot.words_at(card.plot.place_of(0.5, 0.6)).startswith("Asks above 0.80")
    assert not card.plot.image().isNull()
    card.set_cost(AskingCost(why="The agent only asks"))
    assert not card.slider.isEnabled() and card.plot.accessibleDescription() == "The agent only asks"


def test_switches_hang_together_and_headings_are_no_rows(qtbot, themed) -> None:
    card = SettingsCard()
    qtbot.addWidget(card)
    rows = (LanesSetting("original", "Original", ssr=0.7, interval=(0.6, 0.8)),
            LanesSetting("x", "Never asks", ssr=0.5, is_other=True))  # fmt: skip
    card.set_table(SettingsTable(rows, others_title="Other ways"))
    assert card.model.line(1) == "Other ways" and not card.model.flags(card.model.index(1, 0))
    with qtbot.waitSignal(card.switched):
        card.dual.click()
    assert not card.dual.isChecked() and not card.early.isEnabled()
    assert span_of(rows) == pytest.approx((0.5, 0.8)) and grid_of((0.5, 0.8)) == pytest.approx([0.5, 0.6, 0.7, 0.8])


def test_a_long_film_shows_the_part_about_its_ask() -> None:
    alone, answered = "h" * 20 + "a" + "m" * 9, "h" * 30
    assert cut_film((alone, answered), 10) == ("hhhhhammmm", "h" * 10)
    assert cut_film(("ham", "hhh"), 10) == ("ham", "hhh")
