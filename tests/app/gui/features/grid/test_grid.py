"""The grid of wrong steps: causes, the filter, several steps tagged at once, by keys and mouse."""

from __future__ import annotations

import itertools
import json
import threading
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from stepscope.app.services.sample_runs import EPISODE, STEP
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.core.store.repositories import annotations, cause_labels
from tests.app.gui.conftest import Person
from tests.patience import PATIENCE


@pytest.fixture
def grid(person: Person):
    """The sample's second run in the grid: every count was made by hand from its items."""
    person.choose("open.sample")
    person.arrive(EPISODE, STEP)
    person.until(lambda: len(person.selection.runs) == 2, "the runs")
    person.press("Alt+2")
    person.until(lambda: len(person.bench.grid.steps) == 54, "the wrong steps of A")
    person.settle()
    found = person.bench.grid
    found.view.runs.setCurrentIndex(1)
    found.view.runs.activated.emit(1)
    person.until(lambda: len(found.steps) == 216, "the wrong steps of B")
    person.settle()
    return found


def keys(person, *several: str) -> None:
    for one in several:
        person.press(one)


def counts(grid) -> dict[str, int]:
    return {one.title: one.count for one in grid.view.causes.choices}


def pick(person, listing, title: str, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    row = next(row for row, one in enumerate(listing.choices) if one.title == title)
    place = listing.visualItemRect(listing.item(row)).center()
    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, modifier, place)
    person.settle()


def tagged(person) -> set[tuple[str, int | None, str]]:
    database = person.bench.context.database
    with database.reading() as db:
        found = annotations.of_source(db, person.selection.source.key, AnnotationKind.TAG)
    return {(said.episode, said.step, said.value) for said in found}


def test_five_errors_of_one_cause_are_tagged_by_keys(person, grid) -> None:
    assert counts(grid) == {
        "All wrong steps": 216, "Far away": 99, "Off by one row": 6, "Wrong kind of action": 104, "Missed ask": 7
    }  # fmt: skip
    pick(person, grid.view.causes, "Off by one row")
    assert person.bench.library.filter_text == "cause:row" and person.window.episodes.filter.message() == ""
    assert len(grid.view.area.tiles) == 6
    assert {tile.key[0] for tile in grid.view.area.tiles} == set(person.bench.library.ids), "the list has it too"
    assert counts(grid)["Far away"] == 99, "the others are still counted"
    grid.view.area.setFocus()
    keys(person, "Home", "Shift+Right", "Shift+Right", "Shift+Right", "Shift+Right")
    chosen = set(grid.view.area.chosen)
    assert len(chosen) == 5 and grid.view.bulk.count.text() == "5 selected"
    person.bench.context.messages.done("The run has ended.")
    passing = person.window.messages.items()[0]
    person.until(passing.isVisible, "the message")
    assert passing.mapToGlobal(passing.rect().bottomLeft()).y() < grid.view.bulk.mapToGlobal(QPoint()).y()
    person.press("Q")
    assert QApplication.focusWidget() is grid.view.bulk.line
    person.write("row below")
    person.press("Return")
    person.settle()
    assert tagged(person) == {(*key, "row below") for key in chosen}
    assert QApplication.focusWidget() is grid.view.area, "and the keys go on with the tiles"
    pick(person, grid.view.causes, "All wrong steps")
    pick(person, grid.view.tags, "row below")
    assert person.bench.library.filter_text == 'tag="row below"'
    assert {tile.key for tile in grid.view.area.tiles} == chosen
    person.press("Ctrl+Z")
    person.settle()
    assert tagged(person) == set(), "one change, taken back as one"


def test_causes_are_added_with_ctrl_and_taken_away_again(person, grid) -> None:
    pick(person, grid.view.causes, "Off by one row")
    pick(person, grid.view.causes, "Missed ask", Qt.KeyboardModifier.ControlModifier)
    assert person.bench.library.filter_text == "cause:row,ask"
    assert len(grid.view.area.tiles) == 13
    pick(person, grid.view.causes, "Off by one row", Qt.KeyboardModifier.ControlModifier)
    assert person.bench.library.filter_text == "cause:ask" and len(grid.view.area.tiles) == 7
    pick(person, grid.view.causes, "Missed ask")
    assert person.bench.library.filter_text == "" and len(grid.view.area.tiles) == 216


def test_the_filter_of_the_list_holds_for_the_tiles(person, grid) -> None:
    person.bench.library.set_filter("app:clock wrong:A")
    person.settle()
    shared = {tile.key for tile in grid.view.area.tiles}
    assert shared and shared < {one.place for one in grid.steps}
    assert counts(grid)["All wrong steps"] == len(shared)
    person.bench.library.set_filter("app:nothing")
    person.settle()
    (clear,) = [one for one in grid.view.findChildren(QPushButton) if one.text() == "Clear filter" and one.isVisible()]
    clear.click()
    person.settle()
    assert person.bench.library.filter_text == "" and len(grid.view.area.tiles) == 216


def test_a_tile_is_the_step_that_all_shows_and_enter_opens_it(person, grid) -> None:
    grid.view.area.setFocus()
    keys(person, "Home", "Right")
    key = grid.view.area.current
    person.settle()
    assert (person.selection.episode.id, person.selection.step.index) == key
    person.press("Return")
    person.settle()
    assert person.window.replay.shown_view == "screen"
    person.press("Alt+Left")
    person.settle()
    assert person.window.replay.shown_view == "grid" and grid.view.area.current == key


def test_by_mouse_several_are_chosen_and_starred_together(person, grid) -> None:
    pick(person, grid.view.causes, "Off by one row")
    area = grid.view.area
    first, second, third = (tile.key for tile in area.tiles[:3])

    def click(key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        QTest.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, modifier, area.place_of(key).center())

    click(first)
    click(third, Qt.KeyboardModifier.ControlModifier)
    assert area.chosen == {first, third}
    click(second, Qt.KeyboardModifier.ControlModifier)
    click(first)
    click(third, Qt.KeyboardModifier.ShiftModifier)
    assert area.chosen == {first, second, third}
    person.press("S")
    person.settle()
    person.bench.library.set_filter("star")
    person.settle()
    assert {tile.key for tile in area.tiles} >= {first, second, third}
    person.bench.library.set_filter("app:nothing")
    person.settle()
    assert grid.view.bulk.count.text() == "3 selected, 3 hidden", "what is chosen outlives a filter"
    person.press("Ctrl+Z")


def test_a_rubber_band_chooses_what_it_touches(person, grid) -> None:
    pick(person, grid.view.causes, "Off by one row")
    area = grid.view.area
    names = [tile.key for tile in area.tiles[:2]]
    start = QPoint(4, area.place_of(names[0]).center().y())
    end = area.place_of(names[1]).center()
    QTest.mousePress(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(area.viewport(), start + QPoint(30, 10))
    QTest.mouseMove(area.viewport(), end)
    QTest.mouseRelease(area.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    assert area.chosen == set(names)
    area.setFocus()
    person.press("Escape")
    assert not area.chosen and not grid.view.bulk.isVisible()


def test_the_grid_is_under_the_chosen_rule_where_the_run_has_scores_under_it(person, guesses) -> None:
    """What the timeline calls wrong under a rule is what the grid has."""
    run = person.score(guesses)
    person.choose("workspace.replay")
    person.settle()
    person.press("Alt+2")
    grid = person.bench.grid

    def judged() -> set[tuple[str, int]]:
        rule = person.selection.rule
        found = set()
        for episode in ("lamp", "chair", "tour"):
            person.bench.viewer.open_episode(episode)
            person.until(lambda name=episode: person.bench.details.current.episode == name, "the verdicts")
            person.settle()
            found |= {(episode, step) for step in person.bench.details.current.wrong_steps(rule, [run])}
        return found

    def places() -> set[tuple[str, int]]:
        return {one.place for one in grid.steps}

    own = judged()
    person.until(lambda: places() == own, "the wrong steps under the run's own rule")
    assert "under AitW, radius 0.14 or box × 2.4" in grid.view.count.text()
    person.selection.set_rule(rule_by_id("motif-point"))
    person.settle()
    assert places() == own and "under AitW" in grid.view.count.text(), "it has no scores under it, and says so"
    person.click(person.window.inspector.step_page.score_under)
    person.settle()
    person.until(lambda: places() == judged() != own, "the wrong steps under the chosen rule")
    person.settle()
    assert "under MoTIF, point in the box" in grid.view.count.text()


def test_a_run_without_a_wrong_step_leads_to_another_rule(person, tmp_path) -> None:
    right = tmp_path / "right.jsonl"
    lines = [
        {"run": {"model": "elsewhere"}},
        {"episode": "chair", "step": 0, "action": {"kind": "tap", "point": [20, 40]}},
        {"episode": "chair", "step": 1, "action": {"kind": "tap", "point": [90, 200]}},
    ]
    right.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    person.score(right)
    person.choose("workspace.replay")
    person.settle()
    person.press("Alt+2")
    person.settle()
    view = person.bench.grid.view

    def buttons() -> list[QPushButton]:
        return view._empty.findChildren(QPushButton) if view._empty is not None else []

    person.until(lambda: view._empty is not None, "the empty state")
    assert view._empty.words().startswith("No wrong step under this rule") and buttons() == []
    person.bench.viewer.open_episode("chair")
    person.settle()
    person.selection.set_rule(rule_by_id("aitw-exact"))
    person.settle()
    person.click(person.window.inspector.step_page.score_under)
    person.settle()
    person.press("Alt+2")
    person.settle()
    before = person.selection.rule.id
    person.until(lambda: [one.text() for one in buttons()] == ["Show under another rule"], "the way on")
    person.click(buttons()[0])
    assert person.selection.rule.id != before


def labels(person, run: str) -> dict[tuple[str, int], str]:
    with person.bench.context.database.reading() as db:
        return {place: label.cause.value for place, label in cause_labels.of_run(db, run).items()}


def test_causes_are_changed_by_hand_together_and_taken_back_as_one(person, grid) -> None:
    """Of the second run's 216 wrong steps six are off by one row, and none is near."""
    pick(person, grid.view.causes, "Off by one row")
    grid.view.area.setFocus()
    keys(person, "Home", "Shift+Right", "Shift+Right")
    chosen, run = set(grid.view.area.chosen), grid.run
    person.press("Shift+Q")
    person.until(grid.menu.isVisible, "the menu of causes")
    wanted = {action.text(): action for action in grid.menu.actions()}
    assert wanted["Off by one row"].isChecked() and not any(text.startswith("As worked out") for text in wanted)
    wanted["Near, wrong element"].trigger()
    grid.menu.close()
    person.settle()
    assert labels(person, run) == dict.fromkeys(chosen, "near")
    assert len(grid.view.area.tiles) == 3, "the filter for rows has them no more"
    pick(person, grid.view.causes, "Near, wrong element")
    assert {tile.key for tile in grid.view.area.tiles} == chosen and all(one.by_hand for one in grid.view.area.tiles)
    assert counts(grid)["Off by one row"] == 3 and counts(grid)["Near, wrong element"] == 3
    assert set(person.bench.library.ids) == {episode for episode, _step in chosen}, "and so has the list's filter"
    grid.view.area.set_current(next(iter(chosen)))
    assert "Worked out: off by one row" in grid.panel.details.by_hand
    person.press("Ctrl+Z")
    person.settle()
    assert labels(person, run) == {} and counts(grid)["Off by one row"] == 6
    person.press("Ctrl+Shift+Z")
    person.settle()
    assert labels(person, run) == dict.fromkeys(chosen, "near")
    person.press("Shift+Q")
    next(action for action in grid.menu.actions() if action.text() == "As worked out: off by one row").trigger()
    grid.menu.close()
    person.settle()
    assert labels(person, run) == {}, "the cause that was worked out counts again"


def test_a_cause_that_somebody_else_changed_meanwhile_is_kept(person, grid) -> None:
    grid.view.area.setFocus()
    keys(person, "Home", "Space")
    (place,) = grid.view.area.chosen
    theirs = CauseLabel(ErrorCause.TEXT, "somebody else", datetime(2024, 5, 1, tzinfo=UTC))
    with person.bench.context.database.unit_of_work() as db:
        cause_labels.put(db, grid.run, {place: theirs})
    grid.set_cause(ErrorCause.NEAR)
    person.settle()
    assert labels(person, grid.run) == {place: "text"}
    person.until(lambda: grid._step_of(place).label == theirs, "theirs is shown")
    assert any("Theirs are shown now" in text for text in person.told)


def test_a_step_is_shown_large_beside_the_tiles_and_while_its_key_is_held(person, grid) -> None:
    area, panel = grid.view.area, grid.panel
    area.setFocus()
    keys(person, "Home")
    person.settle()
    assert panel.isVisible() and not person.window.tree.isVisible(), "in the place of the UI tree"
    assert panel.details.tile.key == area.current and panel.picture.image is not None
    large = panel.picture.image
    assert large.width() > area.image_of(area.current).width(), "decoded for its own size"
    keys(person, "Space")
    person.settle()
    assert panel.picture.image is large, "the tile's small one does not take its place"
    assert panel.details.place.endswith(f"step {panel.details.tile.number} of {len(person.selection.episode.steps)}")
    person.hold(Qt.Key.Key_I)
    assert grid.view.peek.isVisible() and grid.view.peek.tile.key == area.current
    person.let_go(Qt.Key.Key_I)
    assert not grid.view.peek.isVisible()
    person.press("Alt+1")
    assert person.window.tree.isVisible() and not panel.isVisible()


def notes(person) -> dict[tuple[str, int | None], str]:
    with person.bench.context.database.reading() as db:
        found = annotations.of_source(db, person.selection.source.key, AnnotationKind.NOTE)
    return {(said.episode, said.step): said.value for said in found}


def test_one_note_is_written_on_all_that_are_chosen_below_what_stands_there(person, grid) -> None:
    pick(person, grid.view.causes, "Off by one row")
    grid.view.area.setFocus()
    keys(person, "Home", "Space", "W")
    assert QApplication.focusWidget() is grid.view.bulk.line
    person.write("mine")
    person.press("Return")
    person.settle()
    (first,) = grid.view.area.chosen
    assert notes(person) == {first: "mine"}
    keys(person, "Shift+Right", "W")
    person.write("all of these")
    person.press("Return")
    person.settle()
    chosen = set(grid.view.area.chosen)
    assert len(chosen) == 2 and notes(person) == {
        key: "mine\nall of these" if key == first else "all of these" for key in chosen
    }
    person.press("Ctrl+Z")
    person.settle()
    assert notes(person) == {first: "mine"}, "one change"
    person.press("Q")
    person.write("tag")
    person.press("Return")
    person.settle()
    assert {value for *_place, value in tagged(person)} == {"tag"}, "the field is for tags again"


def test_the_grid_does_not_take_the_person_to_another_step(person) -> None:
    person.choose("open.sample")
    person.arrive(EPISODE, STEP)
    person.until(lambda: len(person.selection.runs) == 2, "the runs")
    person.press("Alt+2")
    person.until(lambda: len(person.bench.grid.steps) == 54, "the wrong steps of A, which has this one right")
    person.settle()
    assert person.place == (EPISODE, STEP)
    person.bench.grid.view.area.setFocus()
    person.press("Home")
    person.settle()
    assert person.place != (EPISODE, STEP), "a key goes there"


def test_the_keyboard_stays_where_a_key_led_it_until_that_step_is_read(person, grid, monkeypatch) -> None:
    grid.view.area.setFocus()
    first = grid.view.area.tiles[0].key
    keys(person, "Home")
    person.arrive(*first)
    there = next(tile.key for tile in grid.view.area.tiles if tile.key[0] != first[0])
    source, read, may_go_on = type(person.selection.source.source), threading.Event(), threading.Event()
    whole = source.read

    def slow(self, name):
        read.set()
        assert may_go_on.wait(PATIENCE), "nobody let it be read"
        return whole(self, name)

    monkeypatch.setattr(source, "read", slow)
    grid.view.area.set_current(there)
    grid.view.area.moved.emit()  # as a key or a click does
    person.until(read.is_set, "the reading of the step's episode")
    grid.draw()  # as when more wrong steps have come in
    assert person.place == first and grid.view.area.current == there
    may_go_on.set()
    person.arrive(*there)
    assert grid.view.area.current == there


def test_in_a_narrow_grid_causes_are_a_menu(person, grid) -> None:
    person.window.resize(1024, 680)
    view = grid.view
    person.until(view.cause_menu.isVisible, "the menu")
    assert not view.side.isVisible()
    tops = [view.area.place_of(tile.key).top() for tile in view.area.tiles[:3]]
    assert len(set(tops)) == 1, "three beside each other"
    view.cause_menu.setCurrentIndex(view.cause_menu.findText("Off by one row, 6"))
    view.cause_menu.activated.emit(view.cause_menu.currentIndex())
    person.settle()
    assert person.bench.library.filter_text == "cause:row" and len(view.area.tiles) == 6


@pytest.mark.parametrize("percent", [100, 150])
def test_in_a_narrow_grid_nothing_of_the_bar_lies_over_another_part(person, grid, percent) -> None:
    person.bench.context.prefer(text_percent=percent)
    person.window.resize(1024, 680)
    bar = grid.view.bulk
    person.until(grid.view.cause_menu.isVisible, "the narrow grid")
    grid.view.area.choose([tile.key for tile in grid.view.area.tiles[:3]])
    person.settle()
    parts = [bar.count, bar.line, *(button for button, _words in bar._buttons if button.isVisible()), bar.cross]
    places = [part.geometry() for part in parts]
    assert all(left.right() < right.left() for left, right in itertools.pairwise(places))
    assert places[-1].right() < bar.width() and bar.count.width() >= bar.count.sizeHint().width()
