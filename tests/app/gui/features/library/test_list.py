"""The list of episodes in the whole window: saved filters, orders, groups, offers, and the list as a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from PySide6.QtTest import QTest

from stepscope.app.gui.shell.preferences import load_preferences
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.widgets.library import USUAL_PARTS, EpisodeGrouping, EpisodeSort, ListOrder, RowPart
from stepscope.widgets.library.filter_line import SuggestionRole

LIST = ["Buy a lamp", "Order a chair", "Take the tour"]


def pills(person) -> list[str]:
    return [pill.text() for pill in person.window.episodes.saved.pills()]


def active_again(person) -> None:
    """Without a window manager a list of offers that has closed leaves no window active."""
    person.settle()
    person.window.activateWindow()
    person.until(person.window.isActiveWindow, "the window")


def kept(person) -> tuple[tuple[str, str], ...]:
    person.settle()
    return load_preferences(person.bench.context.places.preferences).saved_filters


def test_a_filter_is_saved_counted_used_renamed_deleted_and_brought_back(person, open_window, shop) -> None:
    view = person.window.episodes
    person.press("/")
    person.write("infeasible")
    person.until(lambda: person.goals == LIST[1:2], "the filtered list")
    active_again(person)
    person.choose("filter.save")
    person.write("No way")
    person.press("Return")
    person.until(lambda: pills(person) == ["No way 1"], "the pill with its count")
    assert kept(person) == (("No way", "infeasible"),)
    person.choose("filter.clear")
    person.until(lambda: person.goals == LIST, "all rows")
    person.click(view.saved.pills()[0])
    person.until(lambda: person.goals == LIST[1:2], "the saved filter")
    assert [chip.text() for chip in view.filter.chips.chips()] == ["infeasible"]
    person.bench.filters.rename("No way", "Cannot be")
    assert pills(person) == ["Cannot be 1"]
    person.press("Delete", view.saved.pills()[0])
    assert pills(person) == []
    assert "was deleted" in person.told[0]
    person.press("Ctrl+Z")
    person.until(lambda: pills(person) == ["Cannot be 1"], "the pill again")
    person.press("Ctrl+Z")
    assert kept(person) == (("No way", "infeasible"),)
    person.close()
    again = open_window(shop)
    again.until(lambda: pills(again) == ["No way 1"], "the pill of before")


def test_a_saved_filter_that_cannot_be_looked_up_here_rests(person, guesses) -> None:
    person.press("/")
    person.write("infeasible")
    person.until(lambda: person.goals == LIST[1:2], "the filtered list")
    person.bench.filters.save("Fine")
    person.bench.context.prefer(saved_filters=(("Fine", "infeasible"), ("Wrong", "wrong:A")))
    person.bench.filters._take(person.bench.context.preferences.saved_filters)
    saved = person.window.episodes.saved
    person.until(lambda: len(saved.pills()) == 2 and not saved.pills()[1].isEnabled(), "why it cannot be used")
    assert "wrong needs a run" in saved.pills()[1].toolTip()
    person.score(guesses)
    person.until(lambda: pills(person) == ["Fine 1", "Wrong 2"], "both counts")


def test_steps_that_pass_are_counted_and_the_list_is_ordered_by_a_run(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    view = person.window.episodes
    listing = person.bench.library.listing
    listing.set_filter("wrong:A", tell_view=True)
    person.until(lambda: view.scope.detail() == "2 of 3, 3 steps", "the steps")
    listing.set_filter("", tell_view=True)
    listing.set_order(ListOrder(EpisodeSort.FIRST_WRONG))
    person.until(lambda: person.goals == ["Order a chair", "Buy a lamp", "Take the tour"], "first wrong first")
    assert person.bench.session.state()["sort"] == "first_wrong:A"
    listing.set_order(ListOrder(EpisodeSort.STEPS, turned=True))
    person.until(lambda: person.goals == ["Order a chair", "Buy a lamp", "Take the tour"], "fewest steps first")


def test_groups_hold_their_episodes_and_page_keys_walk_through_them(person, open_window, shop) -> None:
    model = person.window.episodes.model
    person.bench.library.listing.set_grouping(EpisodeGrouping.LABEL)
    person.until(lambda: len(model.headings) == 2, "two headings")
    words = [model.index(row, 0).data() for row in model.headings]
    assert words == ["Infeasible", "Not known"]
    person.settle()
    assert person.goals == ["Order a chair", "Buy a lamp", "Take the tour"]
    person.window.episodes.fold_groups(True)
    person.press("PgDown", person.screen)
    person.arrive("tour", 0)
    assert model.rowCount() == 4, "the group of the shown episode opened"
    person.close()
    again = open_window(shop)
    again.until(lambda: len(again.window.episodes.model.headings) == 2, "groups of before")


def test_what_rows_show_is_chosen_in_the_menu_and_kept(person) -> None:
    menu = person.window.episodes.more_menu
    menu.aboutToShow.emit()
    parts = next(action.menu() for action in menu.actions() if action.text() == "Show in the Rows")
    next(action for action in parts.actions() if action.text() == RowPart.FORMAT.words).trigger()
    assert person.window.episodes.list.delegate.parts == {*USUAL_PARTS, RowPart.FORMAT}
    person.settle()
    assert "format" in load_preferences(person.bench.context.places.preferences).list_parts


def test_values_are_offered_from_the_data_and_the_shown_runs(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    line = person.window.episodes.filter.line
    person.press("/")
    person.write("app:")
    person.until(lambda: line.offered() == ["org.example.shop", "org.example.tour"], "the apps")
    QTest.keyClicks(line, "shop wrong:")
    person.until(lambda: line.offered() == ["A"], "the shown run")


def test_a_saved_filter_is_found_in_the_palette(person) -> None:
    person.press("/")
    person.write("infeasible")
    person.until(lambda: person.goals == LIST[1:2], "the filtered list")
    person.bench.filters.save("No way")
    person.choose("filter.clear")
    person.until(lambda: person.goals == LIST, "all rows")
    person.bench.help.open_palette_on("no way")
    row = person.bench.help.palette.model.row(0)
    assert (row.kind, row.title, row.id) == ("filter", "Filter: No way", "infeasible")
    person.bench.help._chosen("filter", row.id)
    person.until(lambda: person.goals == LIST[1:2], "the saved filter")


def test_the_list_is_written_as_it_is_shown(person, guesses, tmp_path: Path, pick) -> None:
    person.score(guesses)
    person.bench.library.listing.set_filter("wrong:A", tell_view=True)
    person.bench.library.listing.set_order(ListOrder(EpisodeSort.FIRST_WRONG))
    person.settle()
    pick(tmp_path / "list.csv")
    person.choose("export.list")
    person.until((tmp_path / "list.csv").exists, "the file")
    person.settle()
    assert "Wrote list.csv, 2 episodes" in person.told[0]
    with (tmp_path / "list.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    said = [(row["episode"], row["A_hits"], row["A_misses"], row["matching_steps"], row["filter"]) for row in rows]
    assert said == [("chair", "0", "2", "0; 1", "wrong:A"), ("lamp", "3", "1", "3", "wrong:A")]
    pick(tmp_path / "list.jsonl")
    person.choose("export.list")
    person.until((tmp_path / "list.jsonl").exists, "the other file")
    lines = [json.loads(line) for line in (tmp_path / "list.jsonl").read_text("utf-8").splitlines()]
    assert [line["matching_steps"] for line in lines] == [[0, 1], [3]]
    person.bench.library.listing.set_filter("app:nowhere", tell_view=True)
    person.settle()
    person.choose("export.list")
    assert "nothing to write" in person.told[0]


def test_the_order_is_stepped_and_turned_by_keys_and_opened_as_a_menu(person) -> None:
    row = person.window.episodes.sorting
    row._button.setFocus()
    person.press("Right")
    assert (str(row.order()), person.place) == ("goal", ("lamp", 0)), "the key is the order's, not the step's"
    person.press("R")
    person.until(lambda: person.goals == ["Take the tour", "Order a chair", "Buy a lamp"], "Z to A")
    assert row.words() == "Goal, Z to A"
    person.choose("list.order")
    person.until(row.menu.isVisible, "the menu")
    assert [action.text() for action in row.menu.actions() if action.isChecked()] == ["Goal, Z to A"]
    groups = next(action.menu() for action in row.menu.actions() if action.menu())
    next(action for action in groups.actions() if action.text() == "By App").trigger()
    row.menu.close()
    model = person.window.episodes.model
    person.until(lambda: [model.index(at, 0).data() for at in model.headings] == ["Shop", "Tour"], "headings")
    assert row.words() == "By App, goal, Z to A"


def test_list_and_timeline_have_one_rule_and_one_click_makes_them_agree(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    person.settle()
    view, step = person.window.episodes, person.window.inspector.step_page

    def cells() -> list[int]:
        rows = [view.model.value(place) for place in range(3)]
        return [sum(map(len, row.verdicts)) if row else 0 for row in rows]

    person.until(lambda: any(cells()), "verdicts in the list")
    scored = cells()
    assert step._own_note.text() == "A was scored under it." and not step.use_own.isVisible()
    person.selection.set_rule(rule_by_id("motif-point"))
    person.until(lambda: not any(cells()), "no verdict by another rule stands in the list")
    person.settle()
    assert step._own_note.text() == "A was scored under AitW, radius 0.14 or box × 2.4."
    person.click(step.use_own)
    person.until(lambda: cells() == scored, "the list agrees")
    assert person.selection.rule.id == "aitw"
    person.selection.set_rule(rule_by_id("motif-point"))
    person.settle()
    person.click(step.score_under)
    person.until(lambda: cells() == scored, "it has scores under this rule too")
    person.settle()
    assert not step.score_under.isVisible() and step.use_own.isVisible()


def test_the_next_wrong_step_is_by_the_rule_of_the_timeline(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    person.settle()
    person.selection.set_rule(rule_by_id("motif-point"))
    person.settle()
    visited = []
    for _ in range(8):
        person.choose("wrong.next")
        person.settle()
        judged, place = person.bench.details.current, person.place
        wrong = judged.wrong_steps(person.selection.rule, list(person.selection.runs))
        visited.append(place)
        assert person.selection.step.index in wrong or not wrong, "a step that the timeline calls wrong"
    assert {episode for episode, _step in visited} == {visited[0][0]}, "others have no scores under this rule"


def test_a_filter_for_wrong_steps_is_by_the_rule_of_the_timeline(person, guesses) -> None:
    """Under `aitw` lamp step 3 and both of chair's are wrong. Under `motif-point` the text counts too: lamp steps 1
    and 3 at least."""
    run, listing = person.score(guesses), person.bench.library
    person.choose("workspace.replay")
    listing.set_filter("wrong:A", tell_view=True)
    person.settle()
    before = {episode: listing.steps_of(episode) for episode in listing.ids}
    assert before == {"lamp": (3,), "chair": (0, 1)}
    person.selection.set_rule(rule_by_id("motif-point"))
    person.settle()
    told = person.window.episodes.filter.message()
    assert told.startswith("A not scored under the chosen rule"), "nothing is wrong or right by it yet"
    person.click(person.window.inspector.step_page.score_under)
    person.until(lambda: person.window.episodes.filter.message() == "", "scores under the rule")
    person.settle()
    for episode in listing.ids:
        person.bench.viewer.open_episode(episode, 0)
        person.arrive(episode, 0)
        wrong = person.bench.details.current.wrong_steps(person.selection.rule, [run])
        assert listing.steps_of(episode) == tuple(sorted(wrong)), "list and timeline say the same"
    assert {episode: listing.steps_of(episode) for episode in listing.ids} != before


def test_the_head_of_the_list_says_which_runs_have_no_cells_under_the_rule(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    sorting, step = person.window.episodes.sorting, person.window.inspector.step_page
    person.until(lambda: sorting.legend() == "A", "the run's letter")
    person.selection.set_rule(rule_by_id("motif-point"))
    person.until(lambda: sorting.legend() == "A not scored under this rule", "why there are no cells")
    person.settle()
    person.click(step.score_under)
    person.until(lambda: sorting.legend() == "A", "it has cells again")
    person.settle()


def test_runs_are_offered_by_their_names(person) -> None:
    """Two of one model would both be called by it."""
    for seed in (1, 2):
        person.evaluate("random", seed=seed)
    person.choose("workspace.replay")
    line = person.window.episodes.filter.line
    person.press("/")
    person.write("wrong:")
    person.until(lambda: line.offered() == ["A", "B"], "the shown runs")
    offers = line._completer.model()
    assert [offers.index(row, 0).data(SuggestionRole).words for row in range(2)] == [
        "random · aitw · seed 1",
        "random · aitw · seed 2",
    ]
