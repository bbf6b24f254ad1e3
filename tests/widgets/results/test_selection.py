from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.common.paged_item_model import RowRole
from stepscope.widgets.results.selection import SelectionPanel
from stepscope.widgets.results.selection_delegate import _fonts, _goal_lines
from stepscope.widgets.results.selection_item_model import KEPT_PICTURES, SelectionItemModel
from stepscope.widgets.scores.breakdown_values import CriterionText, SelectionDetails, SelectionListRow
from stepscope.widgets.scores.flow import RemovableChip
from stepscope.widgets.theme import DARK, LIGHT

CRITERIA = (CriterionText("reference: infeasible", "r"), CriterionText("predicted: feasible", "p"))
DETAILS = SelectionDetails(41, "episode", CRITERIA, "Compare A and B", "P(infeasible)", 0)


def row(place: int) -> SelectionListRow:
    return SelectionListRow(
        f"k{place}", f"Goal {place}", "Spotify", "", "impossible", "warn", 0.12, "Why?", star=place == 0
    )


@pytest.fixture
def panel(qtbot: QtBot, themed: object) -> SelectionPanel:
    shown = SelectionPanel()
    qtbot.addWidget(shown)
    shown.resize(328, 700)
    shown.page_wanted.connect(lambda o, n: shown.set_page(o, [row(place) for place in range(o, o + n)]))
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_selection(DETAILS)
    qtbot.waitUntil(lambda: shown.model.peek(0) is not None)
    return shown


def middle(panel: SelectionPanel, place: int) -> QPoint:
    return panel.list.visualRect(panel.model.index(place, 0)).center()


def chips(panel: SelectionPanel) -> list[RemovableChip]:
    return [chip for chip in panel.findChildren(RemovableChip) if chip.isVisible()]


def test_the_header_counts_and_the_buttons_ask(panel: SelectionPanel, qtbot: QtBot) -> None:
    assert panel._header.detail() == "41 episodes"
    assert panel.compare.text() == "Compare A and B"
    for button, signal in (
        (panel.replay, panel.replay_requested),
        (panel.compare, panel.compare_requested),
        (panel.export, panel.export_requested),
        (panel.close_button, panel.closed),
    ):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    panel.set_selection(SelectionDetails(1, "step", CRITERIA))
    assert panel._header.detail() == "1 step" and not panel.compare.isVisible()


def test_a_cross_takes_its_criterion_away_and_the_words_do_not(panel: SelectionPanel, qtbot: QtBot) -> None:
    first = chips(panel)[0]
    with qtbot.assertNotEmitted(panel.criteria_changed):
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    with qtbot.waitSignal(panel.criteria_changed) as changed:
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=first.cross().center().toPoint())
    assert changed.args == [CRITERIA[1:]]
    with qtbot.waitSignal(panel.criteria_changed) as changed:
        qtbot.keyClick(chips(panel)[1], Qt.Key.Key_Delete)
    assert changed.args == [CRITERIA[:1]]


def test_a_click_shows_and_a_double_click_or_enter_opens(panel: SelectionPanel, qtbot: QtBot) -> None:
    view = panel.list.viewport()
    with qtbot.waitSignal(panel.shown) as shown:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(panel, 2))
    assert shown.args == ["k2"]
    with qtbot.waitSignal(panel.opened) as opened:
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=middle(panel, 2))
    assert opened.args == ["k2"]
    with qtbot.waitSignal(panel.shown) as shown:
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    assert shown.args == ["k3"]
    with qtbot.waitSignal(panel.opened) as opened:
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert opened.args == ["k3"]


def test_bare_letters_are_left_to_the_window(panel: SelectionPanel, qtbot: QtBot) -> None:
    panel.choose(4)
    with qtbot.assertNotEmitted(panel.shown):
        qtbot.keyClicks(panel.list, "jkx")
    assert panel.list.currentIndex().row() == 4


def test_choosing_from_outside_tells_nobody(panel: SelectionPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(panel.shown):
        panel.choose(7)
        panel.mark_stale()
        panel.choose(-1)
        panel.choose(400)
    assert not panel.list.currentIndex().isValid()
    with qtbot.waitSignal(panel.shown) as shown:
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=middle(panel, 1))
    assert shown.args == ["k1"]


def test_a_million_rows_are_read_by_page(panel: SelectionPanel, qtbot: QtBot) -> None:
    asked: list[int] = []
    panel.page_wanted.connect(lambda offset, _limit: asked.append(offset))
    panel.set_selection(SelectionDetails(1_000_000, "step", CRITERIA))
    assert panel._header.detail() == "1,000,000 steps"
    with qtbot.waitSignal(panel.shown) as shown:
        panel.list.setFocus()
        qtbot.keyClick(panel.list, Qt.Key.Key_End)
    assert shown.args == ["k999999"]
    assert len(asked) < 20


def test_pictures_are_asked_for_when_their_rows_are_seen(panel: SelectionPanel, qtbot: QtBot) -> None:
    asked: list[str] = []
    panel.thumbnail_wanted.connect(asked.append)
    panel.set_selection(DETAILS)
    qtbot.waitUntil(lambda: len(asked) >= 7)
    assert "k0" in asked and "k40" not in asked and len(asked) == len(set(asked))
    image = QImage(100, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("#123456"))
    panel.set_thumbnail("k0", image)
    panel.set_thumbnail("k1", None)
    panel.set_thumbnail("k2", QImage())
    place = panel.list.visualRect(panel.model.index(0, 0))
    picture = panel.list.viewport().grab().toImage()
    assert picture.pixelColor(place.left() + 28, place.center().y()).name() == "#123456"
    count = len(asked)
    panel.list.viewport().grab()
    assert len(asked) == count


def test_only_so_many_pictures_are_kept(qtbot: QtBot, themed: object) -> None:
    model = SelectionItemModel()
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    for place in range(KEPT_PICTURES + 3):
        model.set_picture(place, image)
    assert len(model._pictures) == KEPT_PICTURES and model.picture(2) is None and model.picture(3) is not None


def test_empty_states_say_what_to_do(panel: SelectionPanel, qtbot: QtBot) -> None:
    panel.set_selection(SelectionDetails())
    assert panel.words().startswith("Nothing is selected") and not panel._head.isVisible()
    panel.set_selection(SelectionDetails(0, "episode", CRITERIA))
    assert panel.words().startswith("No episode matches") and not panel.replay.isEnabled()
    with qtbot.waitSignal(panel.criteria_changed) as changed:
        qtbot.mouseClick(panel._no_match._buttons[0], Qt.MouseButton.LeftButton)
    assert changed.args == [()]


def test_a_row_is_spoken_whole(panel: SelectionPanel) -> None:
    words = panel.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words == "Goal 0, Spotify, impossible, P(infeasible) 0.12, Why?, star"
    assert panel.model.index(0, 0).data(RowRole) == row(0)


def test_bare_and_huge_rows_are_painted(panel: SelectionPanel) -> None:
    bare = SelectionListRow("a", "", confidence=float("nan"))
    long = SelectionListRow("b", "goal " * 3000, "app" * 500, "step 1 of 2", "badge" * 100, "miss", 7.0, "why " * 900)
    panel.set_selection(SelectionDetails(2, "episode", CRITERIA))
    panel.set_page(0, [bare, long])
    for theme in (DARK, LIGHT):
        apply_theme(QApplication.instance(), theme, 200)  # type: ignore[arg-type]
        panel.grab()


def test_a_goal_takes_two_lines_at_most(panel: SelectionPanel) -> None:
    font = _fonts(panel.font())[0]
    words = "Open audio settings and activate equalizer and then something else that is long"
    first, second = _goal_lines(words, font, 200, 2)
    assert words.startswith(first) and second.endswith("…")
    assert _goal_lines("short", font, 200, 2) == ["short"] and len(_goal_lines(words, font, 200, 1)) == 1


def test_chips_and_buttons_break_into_lines(panel: SelectionPanel, themed: QApplication) -> None:
    wide = panel._chips.height()
    apply_theme(themed, DARK, 200)
    QApplication.processEvents()
    places = [chip.geometry() for chip in chips(panel)]
    assert panel._chips.height() > wide and not places[0].intersects(places[1])
    assert all(place.right() < panel._chips.width() for place in places)
    assert panel.list.verticalHeader().defaultSectionSize() > 84


def test_the_model_keeps_qts_rules(qtbot: QtBot, themed: object) -> None:
    model = SelectionItemModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_total(300)
    model.set_page(0, [row(place) for place in range(128)])
    assert model.index(5, 0).data() == "Goal 5"


def test_what_the_model_said_stands_below_and_is_spoken_with_why(panel: SelectionPanel) -> None:
    panel.set_selection(SelectionDetails(total=1))
    plain = SelectionListRow("a", "Order a chair", badge="miss", kind="miss")
    panel.set_page(0, [plain])
    bare = panel.list.viewport().grab().toImage()
    panel.set_page(0, [replace(plain, said="0.400 Sell a chair", why="Like it by ROUGE-L 0.40.")])
    assert panel.list.viewport().grab().toImage() != bare
    spoken = panel.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Order a chair, miss, 0.400 Sell a chair, Like it by ROUGE-L 0.40."
