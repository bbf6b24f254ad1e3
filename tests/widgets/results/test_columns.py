from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.results.calibration import CalibrationCard
from stepscope.widgets.results.step_plot import BY_LENGTH, StepPlot
from stepscope.widgets.scores.breakdown_values import CalibrationBin, CalibrationDiagram, StepBar, StepShares
from stepscope.widgets.scores.card import mix
from stepscope.widgets.scores.columns_plot import ColumnsPlot
from stepscope.widgets.theme import DARK, LIGHT

STEPS = tuple(StepBar(place, place, 20, (0.01, 0.99), f"step {place}") for place in range(1, 6))
LENGTHS = (StepBar(3, 6, 9, None, "length 3"), StepBar(7, 0, 0, None, "length 7"))
BINS = (
    CalibrationBin(0.0, 0.5, 0.3, 20, 80, (0.17, 0.36), "low"),
    CalibrationBin(0.5, 1.0, 0.8, 3, 4, (0.3, 0.95), "high"),
)


def shown(qtbot: QtBot, view: QWidget) -> None:
    qtbot.addWidget(view)
    view.resize(520, 280)
    view.show()
    qtbot.waitExposed(view)


@pytest.fixture
def steps(qtbot: QtBot, themed: object) -> StepPlot:
    view = StepPlot()
    view.set_shares(StepShares(STEPS, LENGTHS))
    shown(qtbot, view)
    return view


@pytest.fixture
def calibration(qtbot: QtBot, themed: object) -> CalibrationCard:
    view = CalibrationCard()
    view.set_calibration(CalibrationDiagram(1, BINS, 0.0435))
    shown(qtbot, view)
    return view


def middle(plot: ColumnsPlot, number: int) -> QPoint:
    return plot.place(number).center().toPoint()


def test_a_click_on_a_bar_chooses_it(steps: StepPlot, qtbot: QtBot) -> None:
    for number in range(5):
        with qtbot.waitSignal(steps.chosen) as chosen:
            qtbot.mouseClick(steps.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(steps.plot, number))
        assert chosen.args == [f"step {number + 1}"]
    assert steps.detail.text() == "100 steps"


def test_the_room_above_a_low_bar_belongs_to_it_and_the_gap_to_none(steps: StepPlot, qtbot: QtBot) -> None:
    above = steps.plot.pixel(1, 0.9).toPoint()
    with qtbot.waitSignal(steps.chosen):
        qtbot.mouseClick(steps.plot.viewport(), Qt.MouseButton.LeftButton, pos=above)
    with qtbot.assertNotEmitted(steps.chosen):
        qtbot.mouseClick(steps.plot.viewport(), Qt.MouseButton.LeftButton, pos=steps.plot.pixel(1.5, 0.1).toPoint())


def test_arrows_and_enter(steps: StepPlot, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(steps.plot, key)
    words = "Step 2: 2 of 20 steps wrong, 0.10, 95 % interval 0.01 – 0.99"
    assert steps.plot.accessibleDescription() == words
    assert steps.plot.words_at(QPointF(middle(steps.plot, 1))) == words
    with qtbot.waitSignal(steps.chosen) as chosen:
        qtbot.keyClick(steps.plot, Qt.Key.Key_Space)
    assert chosen.args == ["step 2"]


def test_by_length_shows_the_other_bars(steps: StepPlot, qtbot: QtBot) -> None:
    qtbot.mouseClick(steps._mode._group.button(1), Qt.MouseButton.LeftButton)
    assert steps.detail.text() == "9 steps"
    assert steps.plot.accessibleDescription() == "Episodes of length 3: 6 of 9 steps wrong, 0.67, few"
    qtbot.keyClick(steps.plot, Qt.Key.Key_Right)
    assert steps.plot.accessibleDescription() == "Episodes of length 7: 0 of 0 steps wrong, –, few"
    steps.grab()


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_bars_have_the_colour_of_misses_in_both_themes(steps: StepPlot, themed: QApplication, theme: object) -> None:
    apply_theme(themed, theme)  # type: ignore[arg-type]
    inside = steps.plot.pixel(4.2, 0.1).toPoint()
    expected = mix(theme.miss, 0.85, theme.panel)  # type: ignore[attr-defined]
    assert steps.plot.grab().toImage().pixelColor(inside) == expected


def test_the_chosen_bar_has_an_outline(steps: StepPlot) -> None:
    before = steps.plot.grab().toImage()
    steps.set_chosen("step 5")
    place = steps.plot.place(4).adjusted(-2, -2, 2, 2)
    edge = QPoint(round(place.center().x()) + 12, round(place.top()))
    after = steps.plot.grab().toImage()
    assert before.pixelColor(edge) != after.pixelColor(edge)
    steps.set_chosen(None)
    assert steps.plot.grab().toImage().pixelColor(edge) == before.pixelColor(edge)


@pytest.mark.parametrize("percent", [80, 200])
def test_many_places_in_little_room(steps: StepPlot, themed: QApplication, percent: int) -> None:
    apply_theme(themed, DARK, percent)
    steps.set_mode(BY_LENGTH)
    steps.set_shares(StepShares((), tuple(StepBar(place, 1, 1_000_000, None, place) for place in range(1, 400))))
    steps.resize(260, 240)
    steps.grab()
    ticks = steps.plot._x_words
    assert 1 < len(ticks) < 20
    places = [steps.plot.pixel(float(words), 0).x() for words in ticks]
    width = steps.plot.fontMetrics().horizontalAdvance("400") * 10.5 / 13
    assert min(b - a for a, b in pairwise(places)) > width


def test_calibration_says_its_error_and_its_bins(calibration: CalibrationCard, qtbot: QtBot) -> None:
    assert calibration.error.text() == "ECE 0.043 ↓"
    words = "Confidence 0.00 – 0.50, mean 0.30: 20 of 80 episodes right, 0.25, 95 % interval 0.17 – 0.36"
    assert calibration.plot.accessibleDescription() == words
    with qtbot.waitSignal(calibration.chosen) as chosen:
        qtbot.mouseClick(calibration.plot.viewport(), Qt.MouseButton.LeftButton, pos=middle(calibration.plot, 1))
    assert chosen.args == ["high"]
    assert calibration.plot.words_at(QPointF(middle(calibration.plot, 1))).endswith("few")


def test_dots_have_the_runs_colour(calibration: CalibrationCard) -> None:
    picture = calibration.plot.grab().toImage()
    assert picture.pixelColor(calibration.plot.pixel(0.3, 0.25).toPoint()).name() == DARK.run_b.lower()


@pytest.mark.parametrize("fixture", ["steps", "calibration"])
def test_nothing_to_show(fixture: str, request: pytest.FixtureRequest, qtbot: QtBot) -> None:
    view = request.getfixturevalue(fixture)
    if isinstance(view, StepPlot):
        view.set_shares(StepShares())
    else:
        view.set_calibration(CalibrationDiagram(0))
        assert view.error.text() == "ECE – ↓"
    view.grab()
    with qtbot.assertNotEmitted(view.chosen):
        qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
        qtbot.keyClick(view.plot, Qt.Key.Key_Return)
        qtbot.keyClick(view.plot, Qt.Key.Key_Left)
