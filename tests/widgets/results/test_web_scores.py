from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.results.web_scores import ScoreList
from stepscope.widgets.results.web_values import ScoreMark, WebScoreRow
from stepscope.widgets.scores.breakdown_values import BarOrder
from stepscope.widgets.theme import DARK, LIGHT

MARKS = (ScoreMark("B other", 0.8, 1), ScoreMark("Do nothing", 0.25))
TASKS = (
    WebScoreRow("Rate", 0.5, "20 pages, 40 fields", (0.3, 0.7), "test", "rate", MARKS, run=0, amount=40),
    WebScoreRow("Align", 0.125, "30 pages, 30 fields", (0.1, 0.2), "train", "align", run=0, amount=30),
    WebScoreRow("Tiny", 0.0, "2 pages, 2 fields", (0.0, 0.6), "", "tiny", run=0, few=True, amount=2),
    WebScoreRow("Slide", -0.5, "12 pages, 99 fields", None, "", "slide", run=0, amount=99),
)


def make(qtbot: QtBot, width: int = 600, **more: bool) -> ScoreList:
    shown = ScoreList("Mean by task", **more)
    qtbot.addWidget(shown)
    shown.resize(width, 300)
    shown.set_rows(TASKS, "4 tasks")
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def names(view: ScoreList) -> list[str]:
    return [row.label for row in view.shown()]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (BarOrder.WORST, ["Slide", "Align", "Rate", "Tiny"]),
        (BarOrder.ITEMS, ["Slide", "Rate", "Align", "Tiny"]),
        (BarOrder.NAME, ["Align", "Rate", "Slide", "Tiny"]),
    ],
)
def test_orders(qtbot: QtBot, themed: object, order: BarOrder, expected: list[str]) -> None:
    view = make(qtbot, sortable=True)
    assert names(view)[0] == "Slide", "the worst stands first unless something else is asked for"
    view.set_order(order)
    assert names(view) == expected
    assert view._order_button.text() == order.value


def test_a_list_that_is_not_sorted_keeps_its_order_and_never_scrolls(qtbot: QtBot, themed: object) -> None:
    view = make(qtbot)
    assert names(view) == ["Rate", "Align", "Tiny", "Slide"] and not view._order_button.isVisible()
    view.resize(600, 10)
    qtbot.waitUntil(lambda: not view._scroll.verticalScrollBar().isVisible())
    view.resize(300, 10)  # a bar below its words takes more room
    qtbot.waitUntil(lambda: view.rows._is_narrow and not view._scroll.verticalScrollBar().isVisible())


def test_a_row_says_its_numbers_and_those_of_others(qtbot: QtBot, themed: object) -> None:
    view = make(qtbot)
    assert view.rows.words(0, 0) == (
        "Rate: 0.500, 20 pages, 40 fields, 95 % interval 0.300 – 0.700\ntest\nB other: 0.800\nDo nothing: 0.250"
    )
    assert view.rows.words(2, 0).startswith("Tiny: 0.000") and "few" in view.rows.words(2, 0)
    assert view.rows.accessibleDescription() == view.rows.words(0, 0)
    assert view.detail.text() == "4 tasks"


def test_a_click_or_enter_chooses_a_row(qtbot: QtBot, themed: object) -> None:
    view = make(qtbot)
    told: list[object] = []
    view.chosen.connect(told.append)
    qtbot.mouseClick(view.rows, Qt.MouseButton.LeftButton, pos=view.rows.tile(1, 0).center().toPoint())
    qtbot.keyClick(view.rows, Qt.Key.Key_Down)
    qtbot.keyClick(view.rows, Qt.Key.Key_Return)
    assert told == ["align", "tiny"]


@pytest.mark.parametrize("width", [600, 320])
def test_bars_and_marks_stand_at_their_values(qtbot: QtBot, themed: QApplication, width: int) -> None:
    view = make(qtbot, width)
    track = view.rows._places(view.rows.tile(0, 0))[3]
    for colours in (LIGHT, DARK):
        apply_theme(themed, colours)
        picture = view.rows.grab().toImage()

        def at(share: float, picture=picture) -> QColor:
            return picture.pixelColor(QPointF(track.left() + share * track.width(), track.center().y()).toPoint())

        assert at(0.1) == QColor(colours.run_a), "the bar"
        assert at(0.95) == QColor(colours.line), "what is left of the way to 1"
        assert _near(at(0.8), colours.run_b) and _near(at(0.25), colours.secondary), "the marks"


def _near(found: QColor, wanted: str) -> bool:
    """A line of 2.5 pixels shades off at its sides."""
    other = QColor(wanted)
    return all(abs(a - b) < 60 for a, b in zip(found.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_nothing_to_show(qtbot: QtBot, themed: object) -> None:
    view = make(qtbot, sortable=True)
    view.set_rows(())
    assert view.rows.shape() == (0, 0) and view.rows.accessibleDescription() == "Nothing to show"
    view.grab()
