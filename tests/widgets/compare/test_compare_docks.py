"""The docks of a comparison by themselves: panel, lanes, rules."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.compare import (
    AlignedCell,
    AlignedLane,
    AlignedPanel,
    AlignedStep,
    CompareMenus,
    ComparePanel,
    DifferenceRow,
    FlipRow,
    FlipTotals,
    MenuEntry,
    RulesPanel,
    RuleVerdicts,
)
from stepscope.widgets.compare.rule_tiles import CURRENT, FLIPS
from stepscope.widgets.scores.breakdown_values import PairCell, PairCounts, RunScore

HIT, MISS = ShownVerdict.HIT, ShownVerdict.MISS


def shown(qtbot, view, width: int = 336, height: int = 700):
    qtbot.addWidget(view)
    view.resize(width, height)
    view.show()
    return view


def click(widget, place: QPoint) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


# The panel ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def panel(qtbot, themed) -> ComparePanel:
    view = shown(qtbot, ComparePanel())
    view.set_runs([RunScore(0, "first", 0.6, "a"), RunScore(1, "second", 0.5, "b", -0.1, (-0.2, 0.0), 0.04)], "Shop")
    view.set_counts(PairCounts(PairCell(5, "both"), PairCell(2, "a"), PairCell(1, "b"), PairCell(0), test="McNemar"))
    view.set_steps(3, "differs:A,B")
    return view


def test_cells_and_runs_are_chosen_by_their_keys(qtbot, panel) -> None:
    assert panel.title.text() == "Same steps, A and B" and panel.filter.words() == "differs:A,B"
    with qtbot.waitSignal(panel.cell_chosen) as told:
        click(panel.cells, panel.cells.tile(0, 1).center().toPoint())
    assert told.args == ["a"]
    with qtbot.waitSignal(panel.run_chosen) as told:
        click(panel.runs, panel.runs.tile(1, 0).center().toPoint())
    assert told.args == ["b"]
    with qtbot.assertNotEmitted(panel.cell_chosen):
        click(panel.cells, panel.cells.tile(1, 1).center().toPoint())


def test_rows_come_by_page_and_tell_every_run(qtbot, panel) -> None:
    wanted = []
    panel.page_wanted.connect(lambda offset, limit: wanted.append((offset, limit)))
    qtbot.waitUntil(lambda: wanted == [(0, 3)])
    rows = [DifferenceRow(n, "Buy a lamp", f"step {n + 1} of 5", ((0, HIT), (1, MISS), (2, None))) for n in range(3)]
    panel.set_page(0, rows, panel.model.generation)
    said = panel.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Buy a lamp, step 2 of 5, A hit, B miss, C nothing"
    panel.list.setFocus()
    with qtbot.waitSignal(panel.shown) as told:
        click(panel.list.viewport(), panel.list.visualRect(panel.model.index(2, 0)).center())
    assert told.args == [2]
    with qtbot.waitSignal(panel.opened) as told:
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert told.args == [2]


def test_menus_say_why_a_run_cannot_be_taken(qtbot, panel) -> None:
    panel.set_menus(
        CompareMenus(
            further=(MenuEntry("c", "third & last"), MenuEntry("d", "fourth", "about other data")),
            bases=(MenuEntry("a", "A  first", chosen=True), MenuEntry("b", "B  second")),
            pairs=(MenuEntry(("a", "b"), "A and B"),),
            shown=(MenuEntry("a", "A  first"), MenuEntry("b", "B  second")),
        )
    )
    assert not panel.other_pair.isVisible(), "there is one pair only"
    third, fourth = panel.further_menu().actions()
    assert (third.text(), third.isEnabled()) == ("third && last", True)
    assert (fourth.text(), fourth.isEnabled()) == ("fourth (about other data)", False)
    with qtbot.waitSignal(panel.run_added) as told:
        third.trigger()
    assert told.args == ["c"]
    more = panel.more_menu()
    bases = more.actions()[0].menu()
    assert [action.isChecked() for action in bases.actions()] == [True, False]
    with qtbot.waitSignal(panel.base_chosen) as told:
        bases.actions()[1].trigger()
    assert told.args == ["b"]
    with qtbot.waitSignal(panel.run_removed) as told:
        more.actions()[-1].trigger()
    assert told.args == ["b"] and more.actions()[-1].text() == "Take away B  second"


def test_without_a_pair_it_says_what_is_missing(qtbot, panel) -> None:
    panel.show_none("apart", "These runs cannot be compared", "B: about other data.")
    assert panel.words() == "These runs cannot be compared B: about other data."
    assert not panel.cells.isVisible() and not panel.filter.isVisible()
    panel.show_none("runs")
    with qtbot.waitSignal(panel.evaluate_wanted):
        panel._no_runs._buttons[0].click()
    panel.set_counts(PairCounts(PairCell(0), PairCell(0), PairCell(0), PairCell(0)))
    panel.set_steps(0, "differs:A,B")
    assert panel.words() == "No step here Choose another of the four cells."


# Lanes ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def aligned(qtbot, themed) -> AlignedPanel:
    """Four steps, of which run B has no answer for the last; run C speaks of the whole episode."""
    view = shown(qtbot, AlignedPanel(), 900, 180)
    steps = [AlignedStep("tap", f"Tap {name}") for name in ("Home", "Apps", "Clock", "Alarm")]
    every = tuple(AlignedCell(step.words, HIT) for step in steps)
    some = (*every[:2], AlignedCell("Tap Contacts", MISS, "0.25 away, limit 0.14."), None)
    lanes = [AlignedLane(0, "first", every), AlignedLane(1, "second", some), AlignedLane(2, "third", words="feasible")]
    view.set_lanes(steps, lanes, "second: no answer for 1 of 4 steps")
    return view


def test_lanes_tell_each_cell(aligned) -> None:
    lanes = aligned.lanes
    assert lanes.tell(2, 0) == "Step 3: reference Tap Clock"
    assert lanes.tell(2, 2) == "Step 3: run B Tap Contacts, miss. 0.25 away, limit 0.14."
    assert lanes.tell(3, 2) == "Step 4: run B has nothing here"
    assert lanes.tell(0, 3) == "Step 1: run C says of the whole episode: feasible"
    assert aligned.note() == "filled: right, crossed: wrong · second: no answer for 1 of 4 steps"


def test_a_click_and_arrows_choose_the_step(qtbot, aligned) -> None:
    lanes = aligned.lanes
    with qtbot.waitSignal(lanes.step_chosen) as told:
        click(lanes.viewport(), lanes.place_of(2, 2).center())
    assert told.args == [2] and lanes.cell_at(lanes.place_of(2, 2).x() + 5, lanes.place_of(2, 2).y() + 5) == (2, 2)
    assert lanes.accessibleName().startswith("Step 3: reference Tap Clock. Step 3: run A Tap Clock, hit.")
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current() == 3
    QTest.keyClick(lanes, Qt.Key.Key_Home)
    assert lanes.current() == 0
    with qtbot.assertNotEmitted(lanes.step_chosen):
        click(lanes.viewport(), QPoint(5, 5))  # the names


def test_many_steps_scroll_to_the_current_one(qtbot, aligned) -> None:
    steps = [AlignedStep("tap", f"Tap {number}") for number in range(60)]
    aligned.set_lanes(steps, [AlignedLane(0, "first", tuple(AlignedCell("Tap", HIT) for _ in steps))])
    lanes = aligned.lanes
    lanes.set_current(59)
    assert lanes.place_of(59, 0).right() <= lanes.viewport().width()
    assert lanes.grab().toImage().width() > 0


# Rules ----------------------------------------------------------------------------------------------------------------


def rule(name: str, scores=(0.6, 0.5), flips: int | None = 0, why: str = "", runs=(0, 1)) -> RuleVerdicts:
    return RuleVerdicts(name, f"Title of {name}", runs, (HIT, MISS), scores, "Step accuracy", flips, why)


@pytest.fixture
def rules(qtbot, themed) -> RulesPanel:
    view = shown(qtbot, RulesPanel(), 356, 800)
    unknown = rule("motif", (None, None), None, "No UI tree in this source.")
    view.set_rules([rule("aitw"), rule("aitz", (0.4, 0.5), 7), unknown], "aitw")
    return view


def test_the_button_takes_a_rule_and_the_row_lists_its_flips(qtbot, rules) -> None:
    tiles = rules.tiles
    assert tiles.key(0, 0) is None and tiles.key(0, 1) is None, "it is the current one already"
    assert (tiles.key(1, 0), tiles.key(1, 1)) == ((CURRENT, "aitz"), (FLIPS, "aitz"))
    with qtbot.waitSignal(rules.rule_chosen) as told:
        click(tiles, tiles.tile(1, 0).center().toPoint())
    assert told.args == ["aitz"]
    with qtbot.waitSignal(rules.flips_chosen) as told:
        click(tiles, tiles.tile(1, 1).center().toPoint())
    assert told.args == ["aitz"]
    tiles.setFocus()
    QTest.keyClick(tiles, Qt.Key.Key_Left)
    with qtbot.waitSignal(rules.rule_chosen):
        QTest.keyClick(tiles, Qt.Key.Key_Space)


def test_a_rule_is_told_in_words(rules) -> None:
    words = rules.tiles.words(1, 1).splitlines()
    assert words == [
        "aitz: Title of aitz", "This step: A hit, B miss", "Step accuracy: A 0.400, B 0.500", "7 flips",
    ]  # fmt: skip
    assert rules.tiles.words(2, 1).splitlines()[-1] == "No UI tree in this source."
    assert rules.tiles.words(0, 1).splitlines()[-1] == "current rule"
    assert rules.tiles.words(0, 0) == "Title of aitw, the current rule"


@pytest.mark.parametrize("width", [328, 400, 640])
def test_verdicts_and_scores_of_eight_runs_all_stand_inside(rules, width) -> None:
    eight = tuple(range(8))
    rules.set_rules([RuleVerdicts("aitw", "Title", eight, (HIT,) * 8, (0.5,) * 8, "Step accuracy", 3)], "aitz")
    tiles = rules.tiles
    tiles.resize(width, 200)
    places, tile = [place for pair in tiles.number_places(0) for place in pair], tiles.tile(0, 1)
    assert len(places) == 16
    assert all(tile.left() <= place.left() and place.right() <= width for place in places), "beside the button"
    assert all(place.bottom() <= tile.bottom() for place in places)
    assert not any(one.intersects(other) for one, other in combinations(places, 2))


def test_narrow_rules_are_higher_and_all_is_painted(rules) -> None:
    wide = rules.tiles.sizeHint().height()
    eight = tuple(range(8))
    many = RuleVerdicts("aitw", "Title", eight, (HIT,) * 8, (0.5,) * 8, "Step accuracy", 3)
    rules.set_rules([many, many], "aitz")
    assert rules.tiles.sizeHint().height() / 2 > wide / 3, "verdicts and scores stand below the name"
    assert not rules.grab().toImage().isNull()


def test_flips_are_listed_for_all_runs_or_one(qtbot, rules) -> None:
    assert rules.words() == "Choose a rule Its steps that flip are listed here."
    rules.set_flips(FlipTotals("aitw", "aitz", ((0, 5), (1, 2))))
    assert rules.flips_header.detail() == "7, aitw to aitz" and rules.model.rowCount() == 7
    chips = rules.chips._parts
    assert [chip.text() for chip in chips] == ["A 5", "B 2", "All 7"] and chips[2].isChecked()
    with qtbot.waitSignal(rules.run_chosen) as told:
        chips[1].click()
    assert told.args == [1]
    rules.set_flips(FlipTotals("aitw", "aitz", ((0, 5), (1, 2))), 1)
    rules.set_page(0, [FlipRow("k", 1, "Buy a lamp", "step 2 of 5", HIT, MISS)] * 2, rules.model.generation)
    said = rules.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert rules.model.rowCount() == 2 and said == "Run B, Buy a lamp, step 2 of 5, hit → miss"
    rules.set_flips(FlipTotals("aitw", "aitz", ((0, 0), (1, 0))))
    assert rules.words() == "No step flips aitw and aitz agree on all of these."
    assert not rules.export_flips.isEnabled()


def test_the_foot_says_whether_the_order_changes(qtbot, rules) -> None:
    rules.set_order("No. A leads under all 2 rules.", can_rescore=True)
    assert rules.sentence.isVisible() and rules.rescore.isVisible()
    with qtbot.waitSignal(rules.rescore_wanted):
        rules.rescore.click()
    rules.set_order("", can_rescore=False)
    assert not rules.sentence.isVisible() and not rules.rescore.isVisible()
    for button in (rules.explain, rules.explain_more):
        with qtbot.waitSignal(rules.explain_wanted):
            button.click()
    rules.set_rules((), "", "motif has no others beside it.")
    assert rules.words() == "No other rule motif has no others beside it." and not rules.export_table.isEnabled()
