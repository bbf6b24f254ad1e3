"""Docks: their sizes come back after a narrow window, layouts are saved, and a dock has a window of its own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.dock_sizes import KEPT_AS, WideDockSizes
from stepscope.app.gui.shell.layouts import NARROW_DOCK_WIDTH, WIDE
from stepscope.widgets.common import SearchField
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.timeline import Lane, LaneCell

NARROW, USUAL = (1024, 680), (1600, 1000)


def resize(person, size: tuple[int, int]) -> None:
    person.window.resize(*size)
    person.until(lambda: (person.window.width(), person.window.height()) == size, "the size")
    sizes: WideDockSizes = person.window._wide_sizes
    person.until(lambda: not sizes._timer.isActive(), "the docks have settled")
    person.settle()


def widths(person, *names: str) -> dict[str, int]:
    return {name: person.window.docks[name].width() for name in names}


def choose_width(person, name: str, width: int) -> None:
    person.window.resizeDocks([person.window.docks[name]], [width], Qt.Orientation.Horizontal)
    sizes: WideDockSizes = person.window._wide_sizes
    person.until(lambda: person.window.docks[name].width() == width, "the width")
    person.until(lambda: not sizes._timer.isActive(), "the docks have settled")


@pytest.fixture
def wide(person):
    resize(person, USUAL)
    choose_width(person, "episodes", 300)
    choose_width(person, "inspector", 400)
    return person


def test_docks_have_their_sizes_again_after_a_narrow_window(wide) -> None:
    before = widths(wide, "episodes", "inspector")
    heights = wide.window.docks["timeline"].height()
    resize(wide, NARROW)
    assert widths(wide, "episodes", "inspector") != before, "the window squeezes them"
    resize(wide, USUAL)
    wide.until(lambda: widths(wide, "episodes", "inspector") == before, "their sizes")
    assert wide.window.docks["timeline"].height() == heights


def test_docks_leave_the_middle_its_room_in_a_narrow_window(person) -> None:
    resize(person, USUAL)
    person.choose("workspace.ordering")
    resize(person, USUAL)  # until the docks have settled
    before = widths(person, "procedures", "orders")
    resize(person, NARROW)
    person.until(lambda: person.window.stack.width() > 400, "the middle")
    assert all(width <= NARROW_DOCK_WIDTH for width in widths(person, "procedures", "orders").values())
    resize(person, USUAL)
    person.until(lambda: widths(person, "procedures", "orders") == before, "their sizes")


def test_a_wide_page_squeezes_no_docks(wide) -> None:
    before = widths(wide, "episodes", "inspector")
    wide.choose("keys.change")
    wide.settle()
    wide.choose("workspace.replay")
    wide.settle()
    assert widths(wide, "episodes", "inspector") == before


@pytest.mark.parametrize("elsewhere", [False, True])
def test_docks_have_their_sizes_again_after_large_text(person, elsewhere) -> None:
    resize(person, USUAL)
    before = widths(person, "episodes", "inspector")
    for key in ["Ctrl+="] * 5:
        person.press(key)
        resize(person, USUAL)
    person.until(lambda: widths(person, "episodes", "inspector") != before, "no room at 200 %")
    if elsewhere:
        person.choose("workspace.ordering")
        person.settle()
    for key in ("Ctrl+-", "Ctrl+-", "Ctrl+0"):
        person.press(key)
        resize(person, USUAL)
    person.choose("workspace.replay")
    person.until(lambda: widths(person, "episodes", "inspector") == before, "their sizes")


def test_a_workspace_that_was_left_narrow_has_its_sizes_when_it_is_entered_wide(wide) -> None:
    before = widths(wide, "episodes", "inspector")
    resize(wide, NARROW)
    wide.choose("workspace.results")
    wide.settle()
    resize(wide, USUAL)
    wide.choose("workspace.replay")
    wide.settle()
    wide.until(lambda: widths(wide, "episodes", "inspector") == before, "their sizes")


def test_what_was_closed_narrow_is_wide_at_the_next_start(wide, open_window) -> None:
    before = widths(wide, "episodes", "inspector")
    resize(wide, NARROW)
    wide.close()
    again = open_window()
    again.until(lambda: bool(again.goals), "the list")
    resize(again, USUAL)
    again.until(lambda: widths(again, "episodes", "inspector") == before, "their sizes")


@pytest.mark.parametrize(
    "kept", ["{", "[]", '{"sizes": 3}', '{"sizes": {"replay": {"13": {"episodes": ["a", -1]}}}}', 7]
)
def test_sizes_that_make_no_sense_are_passed_over(kept, person) -> None:
    settings = person.bench.context.layout
    settings.setValue(KEPT_AS, kept)
    found = WideDockSizes(person.window, {}, lambda: "replay", settings)
    assert not any(docks for texts in found._sizes.values() for docks in texts.values())


def test_a_layout_is_saved_and_comes_back(wide) -> None:
    wide.choose("layout.restore")
    assert any("No layout" in words for words in wide.told)
    before = widths(wide, "episodes", "inspector")
    wide.press("Ctrl+J")
    assert wide.window.docks["timeline"].isHidden()
    wide.choose("layout.save")
    wide.choose("layout.reset")
    wide.settle()
    assert not wide.window.docks["timeline"].isHidden()
    choose_width(wide, "episodes", 260)
    wide.choose("layout.restore")
    wide.settle()
    assert wide.window.docks["timeline"].isHidden()
    wide.until(lambda: widths(wide, "episodes", "inspector") == before, "the saved sizes")


def test_a_dock_is_detached_keeps_its_keys_and_goes_back_when_it_is_closed(wide) -> None:
    window, dock = wide.window, wide.window.docks["tree"]
    window.rail.button_of("results").setFocus()
    wide.press("Ctrl+Shift+D")
    assert any("No dock and no view has the keyboard" in words for words in wide.told)
    window.tree.findChild(SearchField).setFocus()
    wide.until(lambda: dock.isAncestorOf(QApplication.focusWidget()), "the keyboard in the dock")
    wide.press("Ctrl+Shift+D")
    assert dock.isFloating() and dock.isVisible() and dock.window() is dock
    wide.settle()
    dock.close()
    wide.settle()
    assert not dock.isFloating() and dock.isVisible() and dock.window() is window


def test_the_bound_of_wide_is_that_of_layouts(person) -> None:
    resize(person, (WIDE, 800))
    assert person.window._wide_sizes.is_wide
    resize(person, (WIDE - 1, 800))
    assert not person.window._wide_sizes.is_wide


def test_the_view_in_the_middle_is_detached_goes_on_and_comes_back(person) -> None:
    window, screen = person.window, person.window.replay.view
    screen.setFocus()
    person.press("Ctrl+Shift+D")
    own = screen.window()
    assert own is not window and own.isVisible() and window.detached_pages.holds(window.replay)
    person.until(lambda: QApplication.activeWindow() is own, "its window")
    before = person.place
    person.press("Right", screen)
    person.until(lambda: person.place == (before[0], before[1] + 1), "the next step, by the key of a command")
    person.settle()
    person.choose("workspace.results")
    person.settle()
    assert window.stack.currentWidget() is not window.replay and own.isVisible(), "Replay stays beside Results"
    person.choose("workspace.replay")
    person.settle()
    assert "window of its own" in window.stack.currentWidget().words()
    own.close()
    person.settle()
    assert screen.window() is window and window.stack.currentWidget() is window.replay and screen.isVisible()
    assert person.alive()


def test_a_detached_view_is_put_back_when_the_window_closes(person, open_window, shop) -> None:
    person.window.replay.view.setFocus()
    person.press("Ctrl+Shift+D")
    assert person.window.detached_pages.holds(person.window.replay)
    person.close()
    again = open_window(shop)
    again.until(lambda: bool(again.goals), "the list")
    assert again.window.replay.view.window() is again.window


def eight_runs() -> list[Lane]:
    cells = (LaneCell(ShownVerdict.HIT, 0.5),) * 5
    return [Lane(run, f"Run {run}", cells) for run in range(8)]


def fits(person) -> bool:
    """Whether the dock of the timeline is as high as what is in it; a pixel is the line around it."""
    timeline = person.window.timeline
    return abs(person.window.docks["timeline"].height() - timeline.sizeHint().height()) <= 1


def test_the_picture_has_half_of_the_height_however_many_lanes_are_unfolded(person) -> None:
    window, timeline = person.window, person.window.timeline
    resize(person, USUAL)
    timeline.set_lanes(eight_runs())
    timeline.strip.fold_wished.emit(False)
    person.until(lambda: fits(person), "room for eight lanes")
    tall = window.docks["timeline"].height()
    resize(person, NARROW)
    person.until(lambda: window.replay.view.height() >= NARROW[1] // 2, "half of the height for the picture")
    assert fits(person) and not timeline.strip.is_folded
    timeline.strip.fold_wished.emit(True)
    person.until(lambda: fits(person), "no empty bands around one lane")
    timeline.strip.fold_wished.emit(False)
    resize(person, USUAL)
    person.until(lambda: window.docks["timeline"].height() == tall, "room for eight lanes again")
    timeline.set_lanes(eight_runs()[:1])
    person.until(lambda: fits(person), "no empty bands around one run")
    assert window.docks["timeline"].height() < tall


def test_a_layout_kept_with_many_lanes_fits_the_lanes_of_now(person) -> None:
    timeline = person.window.timeline
    resize(person, USUAL)
    timeline.set_lanes(eight_runs())
    timeline.strip.fold_wished.emit(False)
    person.until(lambda: fits(person), "room for eight lanes")
    person.choose("layout.save")
    person.choose("workspace.results")
    person.settle()
    timeline.set_lanes(eight_runs()[:1])
    person.choose("workspace.replay")
    person.until(lambda: fits(person), "room for one lane when the workspace comes back")
    person.choose("layout.restore")
    person.settle()
    person.until(lambda: fits(person), "room for one lane in the saved layout")
