"""Stars, checks, notes, tags, labels and defects by key and mouse, in the whole window; all of it undone and redone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.features.library.filter_suggestions import field_suggestions
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.events import AnnotationsChanged
from stepscope.core.domain.annotation import Defect
from stepscope.core.store.repositories import annotations
from stepscope.widgets.annotate.annotation_notes import CHECKED, DEFECT, NOTE, STAR
from stepscope.widgets.annotate.defect_menu import DefectMenu


def said(person, episode: str = "lamp") -> list[tuple]:
    """What the store has about an episode: step, kind, value."""
    person.settle()
    return [(one.step, one.kind.value, one.value) for one in whole(person, episode)]


def whole(person, episode: str = "lamp"):
    """The same with authors and times."""
    source = person.bench.context.sources[0].key
    with person.bench.context.database.reading() as db:
        return annotations.of_episode(db, source, episode)


def page(person):
    return person.bench.annotating.page


def row_signs(person) -> list[tuple[str, ...]]:
    model = person.window.episodes.model
    return [model.value(place).signs for place in range(model.rowCount())]


def spot(person, episode: str, step: int | None) -> AnnotationTarget:
    return AnnotationTarget(person.selection.source.key, episode, step)


def choose_defect(person, keys: str) -> None:
    """X, and a key in the menu that opens."""
    person.press("X")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, DefectMenu)
    for key in keys.split():
        person.press(key, menu)
    person.window.activateWindow()  # without a display nobody else does it when the menu is gone
    person.until(person.window.isActiveWindow, "the window in front")


# Keys ---------------------------------------------------------------------------------------------------------------


def test_a_star_is_put_and_taken_by_key_and_undone(person) -> None:
    person.press("Right")
    person.press("S")
    assert said(person) == [(1, "star", "")]
    (star,) = whole(person)
    person.press("S")
    assert said(person) == []
    person.press("Ctrl+Z")
    assert said(person) == [(1, "star", "")]
    assert whole(person) == [star], "author and time came back as well"
    person.press("Ctrl+Z")
    assert said(person) == []
    person.press("Ctrl+Shift+Z")
    assert whole(person) == [] or said(person) == [(1, "star", "")]
    person.press("Ctrl+Y")
    assert said(person) == []


def test_the_whole_episode_is_marked_with_shift(person) -> None:
    for key in ("Shift+S", "Shift+C", "C"):
        person.press(key)
    assert sorted(said(person), key=str) == [(0, "checked", ""), (None, "checked", ""), (None, "star", "")]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("1", "wrong reference"), ("2", "wrong picture"), ("3", "several right answers"), ("4", "ambiguous direction"),
        ("Return", "wrong reference"), ("Down Down Return", "several right answers"),
    ],
)  # fmt: skip
def test_a_defect_is_chosen_by_keys_and_taken_back_by_the_same_key(person, keys, reason) -> None:
    choose_defect(person, keys)
    assert said(person) == [(0, "defect", reason)]
    assert QApplication.activePopupWidget() is None
    person.press("X")
    assert QApplication.activePopupWidget() is None
    assert said(person) == []
    person.press("Ctrl+Z")
    assert said(person) == [(0, "defect", reason)]
    person.press("Ctrl+Z")
    assert said(person) == []


def test_escape_leaves_the_menu_of_reasons_without_a_choice(person) -> None:
    choose_defect(person, "Esc")
    assert said(person) == []
    assert not person.bench.commands.actions["edit.undo"].isEnabled()


def test_menu_entries_say_what_they_undo(person) -> None:
    actions = person.bench.commands.actions
    assert (actions["edit.undo"].isEnabled(), actions["edit.undo"].text()) == (False, "&Undo")
    person.press("End")
    person.press("S")
    assert actions["edit.undo"].text() == "&Undo star on step 5 of Buy a lamp"
    person.press("Ctrl+Z")
    assert (actions["edit.undo"].text(), actions["edit.undo"].isEnabled()) == ("&Undo", False)
    assert (actions["edit.redo"].text(), actions["edit.redo"].isEnabled()) == (
        "&Redo star on step 5 of Buy a lamp",
        True,
    )
    person.press("C")
    assert not actions["edit.redo"].isEnabled(), "another change was made: nothing to redo"


def test_nothing_is_marked_while_nothing_is_open(open_window) -> None:
    person = open_window()
    person.bench.library.close_current()
    person.settle()
    for command in ("mark.star", "mark.defect", "mark.note", "mark.label", "episode.checked", "edit.undo"):
        assert not person.bench.commands.actions[command].isEnabled(), command


# Notes --------------------------------------------------------------------------------------------------------------


def test_a_note_is_written_with_the_keyboard_alone(person) -> None:
    person.press("W")
    field = page(person).step.note
    assert QApplication.focusWidget() is field
    person.write("jumps to another page")
    assert person.place == ("lamp", 0), "bare keys rest in a text field"
    person.press("Ctrl+Return")
    assert QApplication.focusWidget() is person.screen
    assert said(person) == [(0, "note", "jumps to another page")]
    person.press("Right")
    person.settle()
    assert field.toPlainText() == ""
    person.press("Left")
    person.settle()
    assert field.toPlainText() == "jumps to another page"
    person.press("Ctrl+Z")
    assert said(person) == []
    assert field.toPlainText() == ""
    person.press("Ctrl+Y")
    assert said(person) == [(0, "note", "jumps to another page")]


def test_who_leaves_the_page_for_another_tab_goes_on_with_the_step(person) -> None:
    """Not with the rule, which an arrow key would change."""
    person.press("W")
    assert QApplication.focusWidget() is page(person).step.note
    person.window.inspector.setCurrentIndex(0)
    assert QApplication.focusWidget() is person.screen
    person.press("Right")
    person.arrive("lamp", 1)


def test_pauses_of_one_note_are_one_change(person) -> None:
    person.press("W")
    field = page(person).step.note
    for words in ("a", "b", "c"):
        person.write(words)
        field.keep()
        person.settle()
    assert said(person) == [(0, "note", "abc")]
    person.screen.setFocus()
    person.press("W")
    person.write("d")
    person.press("Ctrl+Return")
    assert said(person) == [(0, "note", "abcd")]
    person.press("Ctrl+Z")
    assert said(person) == [(0, "note", "abc")]
    person.press("Ctrl+Z")
    assert said(person) == []
    person.press("Ctrl+Y")
    assert said(person) == [(0, "note", "abc")]


def test_a_note_is_kept_when_the_person_goes_elsewhere_or_closes_the_window(person, open_window, shop) -> None:
    person.press("W")
    person.write("first")
    person.bench.commands.run("step.next")
    assert said(person) == [(0, "note", "first")]
    person.press("Shift+W", person.screen)
    person.write("of all")
    person.bench.viewer.open_episode("chair")
    person.arrive("chair", 0)
    assert (None, "note", "of all") in said(person)
    assert said(person, "chair") == []
    page(person).step.note.setFocus()
    person.write("last")
    person.close()
    again = open_window()
    again.arrive("chair", 0)
    assert said(again, "chair") == [(0, "note", "last")]
    assert page(again).step.note.toPlainText() == "last"


def test_an_emptied_note_is_gone(person) -> None:
    person.bench.annotating.book.set_note(spot(person, "lamp", 0), "away with it")
    person.settle()
    person.press("W")
    person.press("Ctrl+A")
    person.press("Del")
    person.press("Ctrl+Return")
    assert said(person) == []
    person.press("Ctrl+Z")
    assert said(person) == [(0, "note", "away with it")]


# The page -----------------------------------------------------------------------------------------------------------


def test_the_page_has_switches_for_step_and_episode(person) -> None:
    person.press("W")
    for section in (page(person).step, page(person).episode):
        person.click(section.star)
        person.click(section.checked)
        section.menu.entries["wrong picture"].trigger()
    assert sorted(said(person), key=str) == [
        (0, "checked", ""), (0, "defect", "wrong picture"), (0, "star", ""),
        (None, "checked", ""), (None, "defect", "wrong picture"), (None, "star", ""),
    ]  # fmt: skip
    lines = page(person).step.said().splitlines()
    (star, *_) = whole(person)
    assert [line.split(":")[0] for line in lines] == ["Star", "Checked", "Defect, wrong picture"]
    assert all(f": {star.author}, " in line and f"{star.made.astimezone():%H:%M}" in line for line in lines)
    person.press("Right", person.screen)
    person.settle()
    assert (page(person).step.star.isChecked(), page(person).episode.star.isChecked()) == (False, True)
    page(person).episode.menu.entries["wrong picture"].trigger()
    assert (None, "defect", "wrong picture") not in said(person)


def test_tags_are_added_offered_and_removed(person) -> None:
    person.press("W")
    line = page(person).step.tags.line
    line.setFocus()
    person.write("login")
    person.press("Return")
    person.write("pop up")
    person.press("Return")
    assert said(person) == [(0, "tag", "login"), (0, "tag", "pop up")]
    person.press("Esc")
    person.press("PgDown", person.screen)
    person.arrive("chair", 0)
    person.press("W")
    page(person).step.tags.line.setFocus()
    person.write("LOG")
    completer = page(person).step.tags.line.completer()
    assert completer.popup().isVisible()
    person.press("Down", completer.popup())
    person.press("Return", completer.popup())
    person.press("Return")
    assert said(person, "chair") == [(0, "tag", "login")]
    person.click(page(person).step.tags.chips()[0].cross)
    assert said(person, "chair") == []
    person.press("Ctrl+Z", person.screen)
    assert said(person, "chair") == [(0, "tag", "login")]


def test_a_label_with_reason_and_question(person) -> None:
    person.choose("mark.label")
    section = page(person).label
    assert QApplication.focusWidget() is section.label
    person.press("Down")
    person.press("Down")
    person.settle()
    assert section.label.currentData() == "infeasible"
    section.reason.setFocus()
    person.press("Down")
    person.press("Down")
    section.questions.setFocus()
    person.write("Which lamp?")
    person.press("Ctrl+Return")
    assert said(person) == [
        (None, "label", '{"label": "infeasible", "reason": "unclear", "follow_up": ["Which lamp?"]}')
    ]
    person.press("Ctrl+Z")
    person.settle()
    assert (section.reason.currentData(), section.questions.toPlainText()) == ("unclear", "")
    for _ in range(4):
        person.press("Ctrl+Z")
    assert said(person) == []
    assert section.label.currentData() == ""
    assert not section.reason.isEnabled()


# Undo across places -------------------------------------------------------------------------------------------------


def test_undo_and_redo_of_each_kind_across_episodes(person) -> None:
    book, lamp, chair = person.bench.annotating.book, spot(person, "lamp", 1), spot(person, "chair", 0)
    for place in (lamp, chair):
        book.toggle_star(place)
        book.toggle_checked(place)
        book.set_note(place, "a note")
        book.add_tag(place, "a tag")
        book.set_defect(place, Defect.WRONG_PICTURE)
        book.set_defect(place, Defect.SEVERAL_RIGHT)
        book.clear_defect(place)
    states = [(said(person), said(person, "chair"))]
    everything = [whole(person), whole(person, "chair")]
    for _ in range(14):
        person.press("Ctrl+Z")
        states.append((said(person), said(person, "chair")))
    assert states[-1] == ([], [])
    assert all(one != other for one, other in pairwise(states)), "each undid one thing"
    for state in reversed(states[:-1]):
        person.press("Ctrl+Shift+Z")
        assert (said(person), said(person, "chair")) == state
    assert [whole(person), whole(person, "chair")] == everything


def test_what_is_undone_out_of_sight_is_told(person) -> None:
    person.press("S")
    person.press("PgDown")
    person.arrive("chair", 0)
    person.press("S")
    person.press("Ctrl+Z")
    assert person.told == []
    person.press("Ctrl+Z")
    assert person.told == ["Undone: star on step 1 of Buy a lamp."]
    assert (said(person), said(person, "chair")) == ([], [])


def test_many_places_are_one_change(person) -> None:
    book = person.bench.annotating.book
    heard: list[tuple[str, frozenset[AnnotationTarget]]] = []
    person.bench.context.events.on(AnnotationsChanged, lambda event: heard.append((event.source, event.spots)))
    places = [spot(person, "lamp", 2), spot(person, "chair", 1), spot(person, "tour", 20)]
    book.set_defect(places[0], Defect.WRONG_REFERENCE)
    book.set_defect(places, Defect.WRONG_REFERENCE)
    assert [said(person, episode) for episode in ("lamp", "chair", "tour")] == [
        [(place.step, "defect", "wrong reference")] for place in places
    ]
    assert heard == [(places[0].source, frozenset(places[:1])), (places[0].source, frozenset(places[1:]))]
    assert person.bench.annotating.history.undo_words == "defect (wrong reference) on 2 places"
    person.press("Ctrl+Z")
    assert [said(person, episode) for episode in ("lamp", "chair", "tour")] == [
        [(2, "defect", "wrong reference")],
        [],
        [],
    ]
    book.toggle_star(places[:2])
    book.toggle_star(places)
    assert said(person, "tour") == [(20, "star", "")], "one had none: it gets one, and the others keep theirs"
    book.toggle_star(places)
    assert [said(person, episode) for episode in ("chair", "tour")] == [[], []]


# Rows, timeline, title ----------------------------------------------------------------------------------------------


def test_rows_timeline_and_title_show_what_was_said(person) -> None:
    person.press("Right")
    for key in ("S", "C"):
        person.press(key)
    choose_defect(person, "2")
    person.bench.annotating.book.set_note(spot(person, "tour", None), "long")
    person.until(lambda: row_signs(person) == [(DEFECT, STAR, CHECKED), (), (NOTE,)], "signs in the rows")
    model = person.window.episodes.model
    tip = model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert {"Star: step 2", "Checked: step 2", "Defect: step 2"} <= set(tip.splitlines())
    assert set(person.window.timeline.strip.signs(1)) == {STAR, CHECKED, DEFECT}
    assert person.window.timeline.strip.signs(0) == ()
    marks = person.bench.annotating.marks.buttons
    assert {name: button.isChecked() for name, button in marks.items()} == {DEFECT: True, STAR: True, NOTE: False}
    person.click(marks[STAR])
    person.until(lambda: row_signs(person)[0] == (DEFECT, CHECKED), "the star gone")
    person.click(marks[NOTE])
    assert QApplication.focusWidget() is page(person).step.note


def test_filters_follow_what_is_said(person) -> None:
    person.press("S")
    person.press("Shift+C")
    person.bench.annotating.book.set_note(spot(person, "tour", 3), "scrolls too far")
    person.bench.annotating.book.set_defect(spot(person, "chair", 0), Defect.AMBIGUOUS_DIRECTION)
    person.settle()
    for text, goals in (
        ("star", ["Buy a lamp"]), ("-checked", ["Order a chair", "Take the tour"]), ("defect", ["Order a chair"]),
        ('note:"too far"', ["Take the tour"]), ("defect:picture", []),
    ):  # fmt: skip
        person.bench.library.set_filter(text, tell_view=True)
        person.until(lambda goals=goals: person.goals == goals, text)
    person.bench.library.set_filter("star", tell_view=True)
    person.until(lambda: person.goals == ["Buy a lamp"], "the starred one")
    person.press("S")
    person.until(lambda: person.goals == [], "no star is left")
    person.press("Ctrl+Z")
    person.until(lambda: person.goals == ["Buy a lamp"], "the star is back")


def test_episodes_that_are_ticked_off_leave_the_list_and_the_next_one_follows(person) -> None:
    person.bench.library.set_filter("-checked", tell_view=True)
    person.press("PgDown", person.screen)
    person.arrive("chair", 0)
    person.press("Shift+C", person.screen)
    person.until(lambda: person.goals == ["Buy a lamp", "Take the tour"], "the others")
    assert person.place == ("chair", 0), "it is still shown"
    person.press("PgDown", person.screen)
    person.arrive("tour", 0)


# Other windows, other times -----------------------------------------------------------------------------------------


def test_everything_is_there_after_a_restart_and_a_closed_source_keeps_it(person, open_window, shop) -> None:
    person.press("S")
    choose_defect(person, "1")
    person.press("Ctrl+W")
    person.settle()
    assert person.place is None
    person.close()
    again = open_window(shop)
    assert said(again) == [(0, "defect", "wrong reference"), (0, "star", "")]
    person.until(lambda: row_signs(again)[0] == (DEFECT, STAR), "signs in the row")
    assert again.bench.annotating.marks.buttons[STAR].isChecked()


def test_two_windows_do_not_lose_each_others_words(person, open_window, shop) -> None:
    other = open_window(shop)
    book, others = person.bench.annotating.book, other.bench.annotating.book
    here = spot(person, "lamp", 0)
    book.toggle_star(here)
    person.settle()
    (star,) = whole(person)
    others.toggle_star(here)  # it has not seen the star yet
    other.settle()
    assert whole(person) == [star], "the first one's star stays the first one's"
    book.set_note(here, "mine")
    person.settle()
    others.set_note(here, "yours", typing=True)
    assert (0, "note", "mine\n\nyours") in said(other)
    others.set_note(here, "yours, and more", typing=True)  # typed on without having seen it
    assert (0, "note", "mine\n\nyours, and more") in said(other)
    person.bench.annotating.history.undo()
    assert (0, "note", "mine\n\nyours, and more") in said(person), "what the other wrote is not undone"
    assert "Somebody else has changed this since" in person.told[0]
    assert page(person).step.note.toPlainText() == "mine\n\nyours, and more"
    other.bench.annotating.history.undo()
    assert (0, "note", "mine") in said(other)


def test_a_window_that_comes_to_the_front_shows_what_another_one_did(person, open_window, shop) -> None:
    other = open_window(shop)
    other.bench.annotating.book.toggle_star([spot(other, "lamp", 0), spot(other, "chair", 0)])
    other.settle()
    assert row_signs(person) == [(), (), ()]
    person.window.activateWindow()
    person.until(lambda: row_signs(person) == [(STAR,), (STAR,), ()], "both stars")
    person.settle()  # the list's signs and what stands about this step are two questions to the store
    assert person.bench.annotating.marks.buttons[STAR].isChecked()


def test_a_read_only_store_says_so_and_the_view_is_put_right(open_window, store, shop) -> None:
    first = open_window(shop)
    first.press("S")
    first.settle()
    first.close()
    person = open_window(shop, read_only=True)
    person.window.messages.clear_messages()
    marks = person.bench.annotating.marks.buttons
    assert marks[STAR].isChecked()
    for key in ("S", "C", "Shift+S"):
        person.press(key)
    assert not marks[STAR].isChecked(), "shown at once"
    person.settle()
    assert marks[STAR].isChecked(), "put right"
    assert not page(person).step.checked.isChecked()
    (told,) = person.told
    assert "read-only" in told
    assert not person.bench.commands.actions["edit.undo"].isEnabled()
    assert row_signs(person)[0] == (STAR,)


def test_an_undo_that_cannot_be_written_stays_to_be_undone(person, monkeypatch) -> None:
    person.press("S")
    person.settle()
    database = person.bench.context.database
    monkeypatch.setattr(database, "read_only", True)
    person.press("Ctrl+Z")
    assert not person.bench.annotating.marks.buttons[STAR].isChecked()
    person.settle()
    assert person.bench.annotating.marks.buttons[STAR].isChecked()
    assert "read-only" in person.told[0]
    monkeypatch.setattr(database, "read_only", False)
    person.press("Ctrl+Z")
    assert said(person) == []
    monkeypatch.setattr(database, "read_only", True)
    person.press("Ctrl+Y")
    person.settle()
    monkeypatch.setattr(database, "read_only", False)
    person.press("Ctrl+Y")
    assert said(person) == [(0, "star", "")]


def test_the_filter_offers_only_what_the_store_can_look_up(person, guesses) -> None:
    person.score(guesses)
    person.choose("workspace.replay")
    number = dict.fromkeys(("ask", "steps", "step"), "1")
    of_run = dict.fromkeys(("conf", "latency", "dist", "tau", "tokens", "cost", "retries"), "A>0")
    values = {**number, **of_run, "flips": "aitw", "action": "tap", "cause": "row", "differs": "A,A"}
    for name in (offered.text for offered in field_suggestions()):
        value = values.get(name.rstrip(":"), "A")
        person.bench.library.set_filter(f"{name}{value if name.endswith(':') else ''}")
        person.settle()
        message = person.window.episodes.filter.message()
        needs = {"differs": "two runs", "cost:": "a price", "cause:": "Grid"}
        assert message == "" or (name in needs and needs[name] in message), name
