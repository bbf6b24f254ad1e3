"""Runs as bars by themselves: where they stand, what the keys do, what is cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from stepscope.widgets import theme
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.results.run_bars_values import RunBar, RunBars

plot_library().finish()

from stepscope.widgets.results.run_bars_card import NO_BASELINE, RunBarsCard  # noqa: E402 - after its library

BARS = (
    RunBar(("r", 1), "random", 0.25, (0.2, 0.3), is_baseline=True, words="random 0.25"),
    RunBar(("a", 1), "cat", 0.75, (0.7, 0.8), heading="clip(screen)", words="cat 0.75"),
    RunBar(("b", 1), "avg", 0.5, seeds=(0.4, 0.6), heading="clip(screen)", letter=0, words="avg 0.5"),
    RunBar(("c", 1), "icons+cat", 0.25, (0.0, 0.9), is_few=True, words="icons 0.25, few"),
)
FOUND = RunBars(
    BARS, "f1", (("f1", "F1"), ("recall", "Recall")), ((("r", 1), "random"),), ("r", 1),
    "Data, rule", "Whiskers",
)  # fmt: skip


@pytest.fixture
def card(qtbot):
    card = RunBarsCard()
    qtbot.addWidget(card)
    card.resize(900, 400)
    card.set_bars(FOUND)
    with qtbot.waitExposed(card):
        card.show()
    return card


def test_bars_begin_at_zero_and_end_at_their_value(card):
    plot = card.plot
    image = plot.grab().toImage()
    panel = QColor(theme.current().panel)
    for number, value in ((0, 0.25), (1, 0.75), (2, 0.5)):
        y = plot.place(number).center().y() - 6  # beside the whisker
        inside, outside = (plot.pixel(at, 0).x() for at in (value - 0.01, value + 0.01))
        assert image.pixelColor(QPointF(inside, y).toPoint()) != panel
        assert image.pixelColor(QPointF(outside, y).toPoint()) == panel
        assert image.pixelColor(QPointF(plot.pixel(0.01, 0).x(), y).toPoint()) != panel
    gap = plot.place(1).top() - plot.place(0).bottom()
    assert gap == pytest.approx(plot.place(0).height(), abs=2), "the heading has a line of its own"


def test_keys_go_from_bar_to_bar_and_open_one(card, qtbot):
    plot = card.plot
    plot.setFocus()
    for _ in range(2):
        QTest.keyClick(plot, Qt.Key.Key_Down)
    assert (plot.current(), plot.accessibleDescription()) == (2, "avg 0.5")
    with qtbot.waitSignal(card.opened) as signal:
        QTest.keyClick(plot, Qt.Key.Key_Return)
    assert signal.args == [("b", 1)]
    QTest.keyClick(plot, Qt.Key.Key_End)
    assert plot.current() == 3
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.place(1).center().toPoint())
    assert plot.current() == 1
    with qtbot.waitSignal(card.opened) as signal:
        QTest.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.place(1).center().toPoint())
    assert signal.args == [("a", 1)]
    assert plot.words_at(plot.place(3).center()) == "icons 0.25, few"


def test_the_keyboard_stays_on_its_run_when_the_order_changes(card):
    QTest.keyClick(card.plot, Qt.Key.Key_Down)
    card.set_bars(RunBars(tuple(reversed(BARS)), "f1"))
    assert card.plot.current() == 2 and card.plot.accessibleDescription() == "cat 0.75"


def test_a_person_chooses_metric_and_baseline(card, qtbot):
    assert card.metrics_box.currentText() == "F1" and card.baseline_box.currentText() == "random"
    assert card.baseline_box.itemText(0) == NO_BASELINE
    with qtbot.waitSignal(card.metric_chosen) as signal:
        card.metrics_box.activated.emit(1)
    assert signal.args == ["recall"]
    with qtbot.waitSignal(card.baseline_chosen) as signal:
        card.baseline_box.activated.emit(0)
    assert signal.args == [None]


def test_without_bars_it_says_so_and_long_names_leave_room(card):
    card.set_bars(RunBars((RunBar(("x", 1), "a very long name of a model " * 9, 0.5, words="x"),)))
    assert card.plot.pixel(0, 0).x() <= card.plot.width() / 2
    card.set_bars(RunBars(note="There is no run"))
    assert card.plot.accessibleDescription() == "No run here has a value" and card.note.text() == "There is no run"
    assert not card.plot.grab().isNull()


def test_the_picture_has_all_bars_below_the_title(card):
    image = card.picture()
    assert image.width() == 2 * card.plot.width()
    assert image.height() > 2 * card.plot.height()
