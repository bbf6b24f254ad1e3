"""The campaign's pages by themselves: tables that are written in, the picture with the keyboard, the settings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from stepscope.core.domain.campaign import AppEntry, Campaign, CampaignGoal, GoalKey, Pair, PairOrigin
from stepscope.widgets.campaigns import (
    AgreementView,
    AnnotatorRow,
    CampaignForm,
    CampaignListRow,
    CampaignsView,
    CampaignView,
    ClusterRow,
    GoalDot,
    PairingChoice,
    PairingView,
    PairProgressRow,
    ShareRow,
)

CLOCK, SHOP = AppEntry("org.clock", "Clock", "Tools"), AppEntry("org.shop", "Shop", "")
ALARM, RING = CampaignGoal("org.clock", "Set an alarm", "ann"), CampaignGoal("org.clock", "Ring at seven")
PAIR = Pair("org.shop", ALARM, PairOrigin.CATEGORY, 2)
VIEW = CampaignView(
    "phones", "Show it.", 5, (CLOCK, SHOP), (ALARM, RING),
    (PairProgressRow(PAIR, "Shop", 3, 1, 0, "tie", 0.5, "3 done"),), (AnnotatorRow("bob", 3, 1),),
    AgreementView((ShareRow(0.5, 1, True), ShareRow(0.8, 3, False)), "Kappa 0.31."), "Now: “Set an alarm” in Shop",
)  # fmt: skip
DOTS = tuple(
    GoalDot(x, y, GoalKey("a", f"{x} {y}"), app, cluster, representative=x == 0)
    for x, y, app, cluster in ((0, 0, "Clock", 1), (1, 0, "Shop", 2), (-1, 0, "Clock", 1), (0, 1, "Shop", 2))
)


@pytest.fixture
def view(qtbot, themed):
    made = CampaignsView("bob", ["t-SNE"], [("Goals are clustered.", "ours")])
    qtbot.addWidget(made)
    made.resize(1200, 760)
    made.show()
    made.set_campaigns([CampaignListRow("phones", 3, 5), CampaignListRow("tablets")])
    made.set_view(VIEW)
    return made


def words(table):
    model = table.cells
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def write(table, row, column, text):
    """Write in a cell as a person does: F2, words, Enter."""
    table.setCurrentIndex(table.cells.index(row, column))
    QTest.keyClick(table, Qt.Key.Key_F2)
    editor = table.indexWidget(table.currentIndex()) or table.focusWidget()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_what_is_shown(view):
    assert words(view.list) == [["phones", "3 of 5"], ["tablets", "–"]] and view.current() == "phones"
    assert words(view.goals.apps) == [["Clock", "org.clock", "Tools", "2"], ["Shop", "org.shop", "–", "0"]]
    assert words(view.goals.goals) == [["Set an alarm", "ann"], ["Ring at seven", "–"]]
    assert words(view.progress.pairs) == [["Set an alarm", "Shop", "category-clustered", "3 of 5", "tie", "50.0 %"]]
    assert words(view.progress.people) == [["bob", "3", "1", "0"]]
    bars = view.progress.agreement.rows.bars
    assert [(bar.label, bar.count, bar.total) for bar in bars] == [("80.0 %", 3, 4), ("50.0 % tie", 1, 4)]
    assert view.task.isVisible() and view.pairing.category.count() == 1


def test_goals_are_those_of_the_chosen_app(view):
    view.goals.apps.choose(SHOP)
    assert words(view.goals.goals) == [] and view.goals.app() == SHOP
    view.goals.apps.selectAll()
    assert view.goals.app() is None and len(words(view.goals.goals)) == 2
    assert not view.goals.new_goals.isEnabled()


def test_a_cell_is_written_in(view, qtbot):
    with qtbot.waitSignal(view.goals.goal_changed) as asked:
        write(view.goals.goals, 0, 0, "Set  two alarms")
    assert asked.args == [ALARM, CampaignGoal("org.clock", "Set two alarms", "ann")]
    with qtbot.waitSignal(view.goals.app_changed) as asked:
        write(view.goals.apps, 0, 2, "Time")
    assert asked.args == [CLOCK, AppEntry("org.clock", "Clock", "Time")]


def test_lines_are_pasted_and_rows_deleted_by_key(view, qtbot):
    page = view.goals
    page.new_goals.field.setFocus()
    QTest.keyClicks(page.new_goals.field, "One")
    with qtbot.waitSignal(page.goals_added) as asked:
        QTest.keyClick(page.new_goals.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked.args == ["org.clock", "One"]
    page.goals.choose(RING)
    with qtbot.waitSignal(page.remove_requested) as asked:
        QTest.keyClick(page.goals, Qt.Key.Key_Delete)
    assert asked.args == [(), (RING,)]


def test_what_was_chosen_stays_or_its_neighbour(view):
    table = view.goals.goals
    table.choose(ALARM)
    view.goals.set_view(VIEW)
    assert table.keys() == (ALARM,)
    view.goals.set_view(CampaignView("phones", "", 5, (CLOCK, SHOP), (RING,)))
    assert table.keys() == (RING,)


def test_pairing_asks_and_shows(view, qtbot):
    page = view.pairing
    view.show_page("pairing")
    with qtbot.waitSignal(page.pair_requested) as asked:
        page.pair.click()
    assert asked.args == [PairingChoice("Tools", None, 0, "t-SNE")]
    page.set_working("Clustering", 1, 4)
    assert not page.pair.isEnabled() and page.cancel.isVisible() and page.bar.share == 0.25
    page.set_working("", 0, None)
    clusters = (ClusterRow(1, 2, "0 0", "Clock"), ClusterRow(2, 2, "1 0", "Shop"))
    page.set_found(PairingView("Tools", DOTS, clusters, "4 pairs.", "Closely clustered: Clock, Shop (60.0 %).", 4))
    assert page.accept.isEnabled() and page.grouped.isVisible()
    with qtbot.waitSignal(page.options_changed) as asked:
        page.grouped.click()
    assert asked.args == [True, False]
    page.explain.click()
    assert page.rules.isVisible() and page.rules.text() == "Goals are clustered (ours)."


def test_the_picture_goes_by_keys_and_mouse(view, qtbot):
    page = view.pairing
    view.show_page("pairing")
    page.set_found(PairingView("Tools", DOTS, (ClusterRow(1, 2, "", ""), ClusterRow(2, 2, "", "")), "", "", 1))
    picture = page.picture
    picture.setFocus()
    for key, place in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Left, 0), (Qt.Key.Key_Up, 3)):
        QTest.keyClick(picture, key)
        assert picture.current() == DOTS[place]
    assert picture.accessibleDescription() == "0 1\nShop, cluster 2, its representative"
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton, pos=picture.place(2).toPoint() + QPoint(3, 3))
    assert picture.current() == DOTS[2] and page.clusters.keys() == (1,)
    assert picture.style_of("Clock") != picture.style_of("Shop")


def test_sixteen_apps_are_told_apart(view):
    picture = view.pairing.picture
    picture.set_dots([GoalDot(0, 0, GoalKey("a", "x"), f"{n:02}", 1) for n in range(16)])
    assert len({picture.style_of(f"{n:02}") for n in range(16)}) == 16


def test_pairs_by_hand_and_people(view, qtbot):
    page = view.progress
    view.show_page("progress")
    page.app.setCurrentIndex(1)
    with qtbot.waitSignal(page.pair_added) as asked:
        page.add_pair.click()
    assert asked.args == ["org.shop", ALARM]
    page.new_person.setFocus()
    with qtbot.waitSignal(page.person_added) as asked:
        QTest.keyClicks(page.new_person, "cem")
        QTest.keyClick(page.new_person, Qt.Key.Key_Return)
    assert asked.args == ["cem"] and page.new_person.text() == ""
    page.pairs.choose(PAIR)
    with qtbot.waitSignal(page.pairs_removed) as asked:
        page.remove_pairs.click()
    assert asked.args == [(PAIR,)]


def test_without_campaigns_one_can_be_made(view, qtbot):
    view.set_campaigns([])
    assert view.current() == "" and not view.remove.isEnabled()
    with qtbot.waitSignal(view.new_requested):
        view.new.click()


def test_settings(qtbot, themed):
    form = CampaignForm(Campaign("phones", "Show it.", 3))
    qtbot.addWidget(form)
    form.show()
    form.name.setText(" ")
    assert not form.save.isEnabled()
    form.name.setText("tablets")
    with qtbot.waitSignal(form.saved) as asked:
        form.save.click()
    assert asked.args == [Campaign("tablets", "Show it.", 3)]
    form.tell("There is one already.")
    assert form.trouble.isVisible()
