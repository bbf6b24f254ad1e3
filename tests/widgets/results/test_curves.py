from __future__ import annotations

import math
import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.results.curves import CurveCard
from stepscope.widgets.scores.breakdown_values import CurveDetails, CurveLine, CurvePoint
from stepscope.widgets.theme import DARK, LIGHT

POINTS = tuple(
    CurvePoint(threshold, recall, precision, flips, threshold)
    for threshold, recall, precision, flips in (
        (0.9, 0.1, 1.0, 40),
        (0.7, 0.3, 0.9, 20),
        (0.5, 0.5, 0.7, 0),
        (0.3, 0.8, 0.4, 33),
        (0.1, 1.0, 0.2, 90),
    )
)
DETAILS = CurveDetails(
    CurveLine(0, POINTS, 0.662),
    CurveLine(1, (CurvePoint(0.5, 0.0, 1.0), CurvePoint(0.5, 1.0, 0.2)), 0.472),
    chance=0.2,
    threshold=0.5,
    best=CurvePoint(0.43, 0.6, 0.66, 14, "best"),
)


@pytest.fixture
def card(qtbot: QtBot, themed: object) -> CurveCard:
    shown = CurveCard()
    qtbot.addWidget(shown)
    shown.resize(294, 320)
    shown.set_curve(DETAILS)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def at(card: CurveCard, recall: float, precision: float) -> QPoint:
    return card.plot.pixel(recall, precision).toPoint()


def test_the_card_says_its_numbers(card: CurveCard) -> None:
    assert card.average.text() == "AP 0.662" and card._value.text() == "0.50"
    assert card.best.text() == "Best F1 0.629 at 0.43; would flip 14 episodes"
    assert not card.now.isVisible(), "nothing would flip at the threshold in force"
    assert card.plot.accessibleDescription().startswith("Precision 0.700, recall 0.500. F1 0.583 at 0.50")


def test_a_click_on_a_point_chooses_its_items_and_moves_there(card: CurveCard, qtbot: QtBot) -> None:
    chosen, moved = [], []
    card.chosen.connect(chosen.append)
    card.threshold_changed.connect(moved.append)
    qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=at(card, 0.8, 0.4))
    assert chosen == [0.3] and moved == [0.3]
    assert card.now.text() == "F1 0.533 at 0.30; would flip 33 episodes" and card._value.text() == "0.30"
    qtbot.mouseClick(card.now, Qt.MouseButton.LeftButton)
    assert chosen == [0.3, 0.3]


def test_a_click_far_from_the_curve_does_nothing(card: CurveCard, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(card.chosen), qtbot.assertNotEmitted(card.threshold_changed):
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=at(card, 0.9, 0.9))
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.RightButton, pos=at(card, 0.8, 0.4))


def test_a_drag_moves_the_threshold_and_chooses_nothing(card: CurveCard, qtbot: QtBot) -> None:
    view = card.plot.viewport()
    with qtbot.assertNotEmitted(card.chosen), qtbot.waitSignal(card.threshold_changed) as moved:
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at(card, 0.5, 0.7))
        qtbot.mouseMove(view, at(card, 0.98, 0.25))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(card, 0.98, 0.25))
    assert moved.args == [0.1] and card.slider.value() == 100


def test_the_slider_answers_to_keys(card: CurveCard, qtbot: QtBot) -> None:
    with qtbot.waitSignal(card.threshold_changed) as moved:
        qtbot.keyClick(card.slider, Qt.Key.Key_Right)
    assert moved.args == [pytest.approx(0.51)]
    assert card.now.text() == "F1 0.450 at 0.51; would flip 20 episodes", "scores from 0.51 on: the point at 0.7"
    qtbot.keyClick(card.slider, Qt.Key.Key_Left)
    assert not card.now.isVisible()


def test_arrows_walk_along_the_curve_and_enter_chooses(card: CurveCard, qtbot: QtBot) -> None:
    qtbot.keyClick(card.plot, Qt.Key.Key_Left)
    assert card.plot.point() == POINTS[1]
    for _ in range(9):
        qtbot.keyClick(card.plot, Qt.Key.Key_Right)
    with qtbot.waitSignal(card.chosen) as chosen:
        qtbot.keyClick(card.plot, Qt.Key.Key_Return)
    assert chosen.args == [0.1]


def test_the_best_threshold_can_be_chosen_by_keyboard(card: CurveCard, qtbot: QtBot) -> None:
    with qtbot.waitSignal(card.chosen) as chosen:
        qtbot.keyClick(card.best, Qt.Key.Key_Space)
    assert chosen.args == ["best"]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_the_point_and_the_ground_have_the_themes_colours(card: CurveCard, themed: QApplication, theme: object) -> None:
    apply_theme(themed, theme)  # type: ignore[arg-type]
    picture = card.plot.grab().toImage()
    assert picture.pixelColor(at(card, 0.5, 0.7)) == QColor(theme.run_a)  # type: ignore[attr-defined]
    assert picture.pixelColor(at(card, 0.9, 0.9)) == QColor(theme.panel)  # type: ignore[attr-defined]


def test_the_wheel_is_left_to_the_page(card: CurveCard) -> None:
    before = card.plot.plotItem.vb.viewRange()
    place = QPointF(at(card, 0.5, 0.5))
    buttons, none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(place, place, QPoint(), QPoint(0, 120), buttons, none, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(card.plot.viewport(), event)
    assert not event.isAccepted() and card.plot.plotItem.vb.viewRange() == before


def test_nothing_to_draw(card: CurveCard, qtbot: QtBot) -> None:
    card.set_curve(CurveDetails(CurveLine(0)))
    card.grab()
    assert card.average.text() == "AP –" and card._value.text() == "–" and not card.slider.isEnabled()
    with qtbot.assertNotEmitted(card.chosen), qtbot.assertNotEmitted(card.threshold_changed):
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=at(card, 0.5, 0.7))
        qtbot.keyClick(card.plot, Qt.Key.Key_Right)


def test_logits_nan_and_infinity(card: CurveCard, qtbot: QtBot) -> None:
    odd = (
        CurvePoint(math.inf, 0.0, 1.0),
        CurvePoint(math.nan, 0.5, 0.5),
        CurvePoint(7.5, 0.2, 1.0, None, "a"),
        CurvePoint(-4.0, 1.0, 0.0),
    )
    card.set_curve(CurveDetails(CurveLine(7, odd), threshold=0.0))
    card.slider.setValue(0)
    assert card._value.text() == "−4.00" and card.now.text() == "F1 0.000 at −4.00"
    card.slider.setValue(1000)
    assert card._value.text() == "7.50" and card.plot.point() == odd[2]
    card.grab()


def test_a_long_curve_stays_quick_to_use(card: CurveCard, qtbot: QtBot) -> None:
    many = tuple(CurvePoint(1 - i / 100_000, i / 100_000, 1 - i / 200_000, i, i) for i in range(100_001))
    card.set_curve(CurveDetails(CurveLine(0, many), threshold=0.5))
    with qtbot.waitSignal(card.chosen):
        qtbot.mouseClick(card.plot.viewport(), Qt.MouseButton.LeftButton, pos=at(card, 0.25, 0.875))


def test_pyqtgraph_is_not_read_with_the_other_views() -> None:
    views = "results.results_view", "results.runs_view", "results.selection", "results.fixes", "scores.shares"
    names = ", ".join(f"stepscope.widgets.{view}" for view in views)
    code = f"import sys, {names}; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
