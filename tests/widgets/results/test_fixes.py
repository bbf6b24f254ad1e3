from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.fixes import FixesView
from stepscope.widgets.results.pair_items import PairItemModel
from stepscope.widgets.scores.breakdown_values import ItemPairRow, PairCell, PairCounts, RunScore
from stepscope.widgets.scores.card import mix
from stepscope.widgets.scores.run_scores import _colour
from stepscope.widgets.theme import DARK, LIGHT

COUNTS = PairCounts(
    PairCell(2498, "both"), PairCell(563, "a"), PairCell(351, "b"), PairCell(1312, "none"), test="McNemar χ² 49.2"
)
RUNS = (
    RunScore(0, "Northstar 7B", 0.648, "run a"),
    RunScore(1, "Pelican 3B", 0.603, "run b", -0.045, (-0.058, -0.032), 0.0002),
    RunScore(2, "Juniper 2B", None, "run c"),
)


def row(place: int) -> ItemPairRow:
    return ItemPairRow(f"k{place}", f"Goal {place}", "step 3 of 4", ShownVerdict.HIT, ShownVerdict.MISS, -1.0)


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> FixesView:
    shown = FixesView()
    qtbot.addWidget(shown)
    shown.resize(336, 800)
    shown.page_wanted.connect(lambda o, n: shown.set_page(o, [row(place) for place in range(o, o + n)]))
    shown.set_runs(RUNS)
    shown.set_counts(COUNTS)
    shown.set_total(563)
    shown.show()
    qtbot.waitExposed(shown)
    qtbot.waitUntil(lambda: shown.model.peek(0) is not None)
    return shown


def middle(view: FixesView, place: int) -> QPoint:
    return view.list.visualRect(view.model.index(place, 0)).center()


@pytest.mark.parametrize(
    ("place", "key", "words"),
    [
        ((0, 0), "both", "both right: 2,498 of 4,724 steps (52.9 %)"),
        ((0, 1), "a", "only A right: 563 of 4,724 steps (11.9 %)"),
        ((1, 0), "b", "only B right: 351 of 4,724 steps (7.4 %)"),
        ((1, 1), "none", "both wrong: 1,312 of 4,724 steps (27.8 %)"),
    ],
)
def test_each_cell_is_chosen_by_a_click(
    view: FixesView, qtbot: QtBot, place: tuple[int, int], key: str, words: str
) -> None:
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.mouseClick(view.cells, Qt.MouseButton.LeftButton, pos=view.cells.tile(*place).center().toPoint())
    assert chosen.args == [key]
    assert view.cells.accessibleDescription() == words


def test_cells_answer_to_the_keyboard(view: FixesView, qtbot: QtBot) -> None:
    qtbot.keyClick(view.cells, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.chosen) as chosen:
        qtbot.keyClick(view.cells, Qt.Key.Key_Return)
    assert chosen.args == ["b"]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_cells_have_the_colours_of_the_runs(view: FixesView, themed: QApplication, theme: object) -> None:
    apply_theme(themed, theme)  # type: ignore[arg-type]
    corner = view.cells.tile(0, 1).bottomRight().toPoint() - QPoint(10, 10)
    picture = view.cells.grab().toImage()
    assert picture.pixelColor(corner) == mix(theme.run_a, 0.26, theme.panel)  # type: ignore[attr-defined]


def test_the_chosen_cell_has_an_outline(view: FixesView) -> None:
    view.set_chosen("a")
    tile = view.cells.tile(0, 1)
    edge = QPoint(round(tile.center().x()), round(tile.top()))
    assert view.cells.grab().toImage().pixelColor(edge) == QColor(DARK.selection_line)


def test_runs_say_their_difference_to_the_baseline(view: FixesView, qtbot: QtBot) -> None:
    assert view.runs.words(0, 0) == "A Northstar 7B: 0.648, baseline"
    words = "B Pelican 3B: 0.603, −0.045 to A, 95 % interval −0.058 to −0.032, p < 0.001"
    assert view.runs.words(1, 0) == words
    assert view.runs.words(2, 0) == "C Juniper 2B: –"
    with qtbot.waitSignal(view.run_chosen) as chosen:
        qtbot.mouseClick(view.runs, Qt.MouseButton.LeftButton, pos=view.runs.tile(1, 0).center().toPoint())
    assert chosen.args == ["run b"]


def test_less_is_better_where_the_metric_says_so(view: FixesView) -> None:
    assert _colour(RUNS[1]) == DARK.miss
    assert _colour(RunScore(1, "B", 1.0, difference=-0.5, lower_is_better=True)) == DARK.hit
    assert _colour(RunScore(1, "B", 1.0, difference=0.5, lower_is_better=True)) == DARK.miss
    assert _colour(RunScore(1, "B", 1.0, difference=0.0)) == DARK.dim


def test_rows_are_shown_and_opened(view: FixesView, qtbot: QtBot) -> None:
    assert view._header.detail() == "563 steps" and view._title.text() == "Same steps, A and B"
    with qtbot.waitSignal(view.shown) as shown:
        qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 1))
    assert shown.args == ["k1"]
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.mouseDClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=middle(view, 1))
    assert opened.args == ["k1"]
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view.list, Qt.Key.Key_Return)
    assert opened.args == ["k1"]
    with qtbot.assertNotEmitted(view.shown):
        view.choose(3)
        qtbot.keyClicks(view.list, "jk")
    assert view.list.currentIndex().row() == 3


def test_a_row_is_spoken_whole(view: FixesView) -> None:
    words = view.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "Goal 0, step 3 of 4, A hit, B miss, A less B −1.000"


def test_without_a_second_run_it_asks_for_one(view: FixesView, qtbot: QtBot) -> None:
    view.set_counts(None)
    assert view.words() == "Pick a second run" and not view.cells.isVisible()
    with qtbot.waitSignal(view.second_wanted):
        qtbot.mouseClick(view._second._buttons[0], Qt.MouseButton.LeftButton)
    view.set_counts(COUNTS)
    assert view.words().startswith("No step here") and view.cells.isVisible()


def test_nothing_judged_and_every_verdict(view: FixesView) -> None:
    empty = PairCell(0)
    view.set_counts(PairCounts(empty, empty, empty, empty, 4, 7, "episode"))
    assert view.cells.words(0, 0) == "both right: 0 of 0 episodes (–)"
    view.set_total(len(ShownVerdict))
    view.set_page(0, [ItemPairRow(place, "", "", one, one) for place, one in enumerate(ShownVerdict)])
    view.grab()
    assert view.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "E hit, H hit, E less H –"


@pytest.mark.parametrize(("percent", "width"), [(80, 336), (100, 336), (200, 336), (200, 240)])
def test_the_numbers_of_a_run_never_overlap(view: FixesView, themed: QApplication, percent: int, width: int) -> None:
    apply_theme(themed, DARK, percent)
    view.resize(width, 900)
    QApplication.processEvents()
    places = view.runs._places(view.runs.tile(1, 0))
    for place, first in enumerate(places):
        assert first.left() >= 0 and first.right() <= view.runs.width()
        assert not any(first.intersects(other) for other in places[place + 1 :])
    assert view.runs.height() >= view.runs.tile(2, 0).bottom()
    view.grab()


def test_the_model_keeps_qts_rules(qtbot: QtBot, themed: object) -> None:
    model = PairItemModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_total(1_000_000)
    model.set_page(0, [row(place) for place in range(128)])
    assert model.index(2, 0).data() == "Goal 2"
