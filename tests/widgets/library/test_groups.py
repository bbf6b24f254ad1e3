"""Groups of the list, its saved filters, and the parts of its rows, by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.library import (
    EpisodeGroup,
    EpisodeListRow,
    EpisodesItemModel,
    EpisodesView,
    RowPart,
    SavedFilter,
)
from stepscope.widgets.library.delegate import further

GROUPS = (EpisodeGroup("com.a", "Clock", 3), EpisodeGroup("com.b", "Shop", 200), EpisodeGroup("", "", 2))


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> EpisodesView:
    shown = EpisodesView()
    qtbot.addWidget(shown)
    shown.resize(336, 600)
    shown.page_wanted.connect(
        lambda o, n: shown.set_page(o, [EpisodeListRow(at, f"e{at}", f"Goal {at}") for at in range(o, o + n)])
    )
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_counts(205, 205, GROUPS)
    qtbot.waitUntil(lambda: shown.model.peek(0) is not None)
    return shown


def click(view: EpisodesView, row: int) -> None:
    place = view.list.visualRect(view.model.index(row, 0)).center()
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_headings_stand_over_their_episodes_and_are_lower(view: EpisodesView) -> None:
    model = view.model
    assert model.headings == [0, 4, 205]
    assert [model.index(row, 0).data() for row in (0, 1, 4, 205)] == ["Clock", "Goal 0", "Shop", "Not known"]
    assert view.list.rowHeight(0) < view.list.rowHeight(1) == view.list.rowHeight(5)


def test_a_click_folds_a_group_and_tells_no_episode(view: EpisodesView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.episode_chosen):
        click(view, 0)
    assert view.model.headings == [0, 1, 202]
    assert view.list.rowHeight(1) == view.list.rowHeight(0), "the second heading came up with its height"
    click(view, 0)
    assert view.model.headings == [0, 4, 205]
    with qtbot.waitSignal(view.episode_chosen) as chosen:
        click(view, 2)
    assert chosen.args == [1, "e1"]


def test_left_and_right_fold_and_lead_to_the_heading(view: EpisodesView) -> None:
    click(view, 3)
    assert view.current_position() == 2
    QTest.keyClick(view.list, Qt.Key.Key_Left)
    assert (view.list.currentIndex().row(), view.current_position()) == (0, 2), "the episode stays chosen"
    QTest.keyClick(view.list, Qt.Key.Key_Left)
    assert view.model.headings[1] == 1
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    assert view.model.headings[1] == 4


def test_an_episode_in_a_folded_group_is_shown_when_it_is_chosen(view: EpisodesView, qtbot: QtBot) -> None:
    view.fold_groups(True)
    assert view.model.rowCount() == 3
    view.choose(100)
    assert view.current_position() == 100
    assert view.model.rowCount() == 203


def test_what_is_folded_stays_so_in_another_list(view: EpisodesView) -> None:
    view.model.fold(4, True)
    view.set_counts(4, 205, (EpisodeGroup("com.b", "Shop", 3), EpisodeGroup("com.c", "Tour", 1)))
    assert view.model.headings == [0, 1]
    view.set_counts(4, 205)
    assert (view.model.headings, view.model.rowCount()) == ([], 4)
    assert view.list.rowHeight(0) == view.list.rowHeight(3)


def test_fresh_contents_keep_the_place(view: EpisodesView, qtbot: QtBot) -> None:
    click(view, 2)
    view.mark_stale(206, 206, (GROUPS[0], EpisodeGroup("com.b", "Shop", 201), GROUPS[2]))
    assert view.current_position() == 1
    assert view.model.rowCount() == 209


def test_groups_keep_qts_rules(qtbot: QtBot) -> None:
    model = EpisodesItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_total(205, GROUPS)
    model.fold(4, True)
    model.fold(0, True)
    model.fold_all(False)
    model.mark_stale(203, GROUPS[:2])
    model.mark_stale(203, ())
    assert (tester.model(), model.rowCount()) == (model, 203)


def test_rows_say_what_was_chosen() -> None:
    row = EpisodeListRow(
        0, "e", "Goal", splits=("test",), format="motif",
        verdicts=((ShownVerdict.HIT, ShownVerdict.MISS), (), (ShownVerdict.NULL,)), confidences=(0.251, None, None),
    )  # fmt: skip
    assert further(row, [RowPart.APP]) == []
    assert further(row, list(RowPart)) == ["test", "motif", "wrong at A 2, C 1", "least A 0.25"]


# Saved filters ------------------------------------------------------------------------------------------------------


def test_the_star_asks_for_a_name_and_saves_the_filter(view: EpisodesView, qtbot: QtBot) -> None:
    assert not view.saved.star.isEnabled()
    view.set_filter("wrong:A")
    QTest.mouseClick(view.saved.star, Qt.MouseButton.LeftButton)
    assert view.saved.field.hasFocus()
    with qtbot.waitSignal(view.saved.save_wanted) as told:
        QTest.keyClicks(view.saved.field, "  Wrong  in A ")
        QTest.keyClick(view.saved.field, Qt.Key.Key_Return)
    assert told.args == ["Wrong in A"]
    assert view.saved.field.isHidden()


def test_escape_saves_nothing(view: EpisodesView, qtbot: QtBot) -> None:
    view.set_filter("wrong:A")
    view.saved.begin_name()
    QTest.keyClicks(view.saved.field, "x")
    with qtbot.assertNotEmitted(view.saved.save_wanted):
        QTest.keyClick(view.saved.field, Qt.Key.Key_Escape)
    assert view.saved.field.isHidden()


def test_pills_show_their_counts_and_are_used_renamed_and_deleted(view: EpisodesView, qtbot: QtBot) -> None:
    both, broken = SavedFilter("Both wrong", "wrong:A wrong:B", 6), SavedFilter("C", "wrong:C", None, "No run “C”.")
    view.set_saved((both, broken))
    first, second = view.saved.pills()
    assert [first.text(), second.text(), second.isEnabled()] == ["Both wrong 6", "C", False]
    assert "No run “C”." in second.toolTip()
    with qtbot.waitSignal(view.saved.chosen) as told:
        QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert told.args == ["wrong:A wrong:B"]
    with qtbot.waitSignal(view.saved.deleted) as told:
        QTest.keyClick(first, Qt.Key.Key_Delete)
    assert told.args == ["Both wrong"]
    menu = view.saved.menu_of(both)
    next(action for action in menu.actions() if action.text() == "Rename…").trigger()
    assert view.saved.field.text() == "Both wrong"
    with qtbot.waitSignal(view.saved.renamed) as told:
        QTest.keyClicks(view.saved.field, "Both")
        QTest.keyClick(view.saved.field, Qt.Key.Key_Return)
    assert told.args == ["Both wrong", "Both"]
    menu.deleteLater()


def test_the_number_of_steps_stands_beside_that_of_episodes(view: EpisodesView) -> None:
    view.set_counts(312, 965)
    view.set_matched_steps(1204)
    assert view.scope.detail() == "312 of 965, 1,204 steps"
    view.set_matched_steps(1204, 40)
    assert view.scope.detail() == "312 of 965, 1,204 steps, 40 not read yet"
    view.set_matched_steps(None)
    view.set_counts(965, 965)
    assert view.scope.detail() == "965"
