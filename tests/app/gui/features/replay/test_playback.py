"""Playback in the whole window: its pace and its range."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepscope.widgets.timeline import SPEEDS


def test_keys_and_menu_go_through_all_speeds(person) -> None:
    preferences = person.bench.context
    seen = []
    for _ in range(3):
        person.press(",")
    for _ in range(7):
        seen.append(preferences.preferences.speed)
        person.press(".")
    assert seen == [*SPEEDS, SPEEDS[-1]]
    actions = person.bench.commands.actions
    assert [name for name in actions if name.startswith("speed.") and actions[name].isChecked()] == ["speed.8"]
    person.choose("speed.0.5")
    assert preferences.preferences.speed == 0.5 and person.window.timeline._speed.value() == "0.5"


def test_a_recorded_pace_is_kept_to_at_any_speed(person) -> None:
    """Steps that began after 0, 3, 4, 10 and 12 seconds stay for 3, 1, 6, 2 and, for want of an end, 2.5 seconds."""
    steps = person.selection.episode.steps
    moments = (0.0, 3.0, 4.0, 10.0, 12.0)
    recorded = [
        replace(step, observation=replace(step.observation, time=moment))
        for step, moment in zip(steps, moments, strict=True)
    ]
    person.selection.set_episode(replace(person.selection.episode, steps=tuple(recorded)))
    playback = person.bench.playback

    def stays() -> list[float]:
        found = []
        for place in range(5):
            person.bench.viewer.go(place)
            found.append(playback._stay())
        return found

    assert stays() == [1.0] * 5
    person.choose("step.by_time")
    assert person.window.timeline._by_time.isChecked()
    assert stays() == [3.0, 1.0, 6.0, 2.0, 2.5]
    person.choose("speed.4")
    assert stays() == pytest.approx([0.75, 0.25, 1.5, 0.5, 0.625])
    untimed = [replace(step, observation=replace(step.observation, time=None)) for step in steps]
    person.selection.set_episode(replace(person.selection.episode, steps=tuple(untimed)))
    assert stays() == [0.25] * 5
    assert not person.bench.commands.actions["step.by_time"].isEnabled()


def test_a_range_is_played_over_and_over_until_it_is_taken_away(person) -> None:
    playback, strip = person.bench.playback, person.window.timeline.strip
    person.press("J")
    person.press("R")
    assert strip.loop() == (1, 1) and playback.loop is None, "its other end is still to be said"
    person.press("J")
    person.press("J")
    person.press("R")
    assert strip.loop() == playback.loop == (1, 3)
    assert person.bench.commands.actions["step.loop"].isChecked()
    seen: list[int] = []
    person.selection.step_changed.connect(lambda: seen.append(person.selection.step_index))
    person.choose("speed.8")
    person.press("Home")
    person.press("Space")
    person.until(lambda: len(seen) >= 7, "the range played twice")
    person.press("Space")
    assert seen[:7] == [0, 1, 2, 3, 1, 2, 3], "playing begins with the range"
    person.press("R")
    assert playback.loop is None and strip.loop() is None
    assert not person.bench.commands.actions["step.loop"].isChecked()


def test_esc_takes_the_range_away_and_so_does_another_episode(person) -> None:
    person.window.timeline.set_loop((0, 2))
    person.window.timeline.loop_changed.emit((0, 2))
    assert person.bench.playback.loop == (0, 2)
    person.window.timeline.strip.setFocus()
    person.press("Esc")
    assert person.bench.playback.loop is None
    person.window.timeline.loop_changed.emit((1, 2))
    person.screen.setFocus()
    person.press("Esc")
    assert person.bench.playback.loop is None and person.window.timeline.strip.loop() is None
    person.window.timeline.loop_changed.emit((1, 2))
    person.press("PgDown")
    person.arrive("chair", 0)
    assert person.bench.playback.loop is None and person.window.timeline.strip.loop() is None
