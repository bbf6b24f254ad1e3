"""The tour: six steps beside what they are about, done by the person's own keys, left by Esc and taken up again."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.features.start.tour_steps import TOUR
from stepscope.app.gui.shell.commands.table import COMMANDS
from stepscope.app.gui.shell.focus_order import panels
from stepscope.app.services.sample_runs import EPISODE


@pytest.fixture
def toured(open_window):
    """At the sample, where the tour has begun."""
    person = open_window()
    person.until(lambda: len(person.selection.runs) == 2, "the sample's runs")
    person.settle()
    person.bench.window.messages.clear_messages()
    person.choose("help.tour")
    person.settle()
    return person


def tour_of(person):
    return person.bench._start.tour


def at(person) -> str:
    """The title of the step that is shown."""
    bubble = tour_of(person).bubble
    assert bubble.isVisible()
    return bubble.accessibleName()


def name(step: int) -> str:
    return f"Tour, step {step} of 6: {TOUR[step - 1].title}"


def test_six_steps_are_done_by_ones_own_keys(toured) -> None:
    person = toured
    for number, key in enumerate(("Left", "T", "N", "]", "Ctrl+3", "Ctrl+R"), start=1):
        assert at(person) == name(number) and f"Press {key}" in tour_of(person).bubble.words.replace("K", "Left")
        person.press(key, person.screen if number < 5 else None)
        person.settle()
    assert not tour_of(person).bubble.isVisible()
    assert person.window.workspace == "compare" and person.window.docks["evaluate"].isVisible()
    assert person.bench.context.preferences.tour_step == 6
    assert person.told == ["That was the tour. Help > Tour takes it again."]


def test_another_key_does_what_it_does_and_the_step_waits(toured) -> None:
    toured.press("PgDown", toured.screen)
    toured.until(lambda: toured.place[0] != EPISODE, "the next episode")
    assert at(toured) == name(1)


def test_next_and_back_are_reached_by_keys_and_the_bubble_points_at_its_part(toured) -> None:
    person, bubble = toured, tour_of(toured).bubble
    assert panels(person.window)[-1] is bubble
    bubble.next.setFocus()
    person.press("Return")
    assert at(person) == name(2)
    person.settle()
    layers = person.window.place_of("layers")
    assert not bubble.geometry().intersects(layers), "beside the chips, not over them"
    bubble.back.setFocus()
    person.press("Space")
    assert at(person) == name(1)


def test_escape_leaves_and_it_is_taken_up_again_there(toured, open_window) -> None:
    person = toured
    for key in ("Left", "T"):
        person.press(key, person.screen)
    person.settle()
    assert at(person) == name(3)
    person.press("Escape", person.screen)
    assert not tour_of(person).bubble.isVisible() and QApplication.focusWidget() is person.screen
    person.press("N", person.screen)
    person.settle()
    assert not tour_of(person).bubble.isVisible(), "left is left"
    person.close()
    again = open_window()
    again.until(lambda: again.place is not None and again.selection.runs, "the place")
    again.settle()
    again.press("Ctrl+Shift+H")
    again.settle()
    assert again.window.start.tour.begin.text() == "Go on with the tour"
    again.click(again.window.start.tour.begin)
    again.settle()
    assert at(again) == name(3) and again.window.workspace == "replay"


def test_it_begins_on_the_sample_where_no_run_is_shown(person) -> None:
    person.choose("help.tour")
    person.until(lambda: tour_of(person).bubble.isVisible(), "the tour")
    assert person.place[0] == EPISODE


def test_a_resized_window_keeps_it_inside(toured) -> None:
    toured.window.resize(1024, 680)
    toured.settle()
    assert toured.window.rect().contains(tour_of(toured).bubble.geometry())


def test_whoever_hears_the_window_is_told(toured, monkeypatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: told.append(event.object().accessibleName()))
    toured.press("Left", toured.screen)
    assert name(2) in told


def test_every_command_that_it_names_is_one(toured) -> None:
    known = {command.id for command in COMMANDS}
    assert all(set(step.commands) <= known and toured.bench.commands.key_of(step.commands[0]) for step in TOUR)
    assert len(TOUR) == 6
