from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from stepscope.widgets import theme
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.timeline import Lane, LaneCell, Timeline, TimelineStep
from stepscope.widgets.timeline.cells import CellFonts
from stepscope.widgets.timeline.filmstrip import MOST_THUMBNAILS


def steps(many: int) -> list[TimelineStep]:
    return [TimelineStep(place, "tap", "Tap", f"Button {place}", 2.0 * place) for place in range(many)]


def lane(many: int, run: int = 0) -> Lane:
    cells = tuple(
        LaneCell(ShownVerdict.MISS if place == 1 else ShownVerdict.HIT, 0.64, "0.47 away") for place in range(many)
    )
    return Lane(run, "Northstar 7B", cells)


@pytest.fixture
def timeline(qtbot: QtBot, themed: object) -> Timeline:
    shown = Timeline()
    qtbot.addWidget(shown)
    shown.resize(860, 190)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def middle_of(timeline: Timeline, step: int) -> QPoint:
    return timeline.strip._column(step).center()


def test_a_click_on_a_column_chooses_its_step(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5), [lane(5)])
    timeline.set_current(0)
    with qtbot.waitSignal(timeline.step_chosen) as chosen:
        qtbot.mouseClick(timeline.strip.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(timeline, 3))
    assert chosen.args == [3] and timeline.current() == 3


def test_dragging_scrubs_through_the_steps(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    chosen: list[int] = []
    timeline.step_chosen.connect(chosen.append)
    strip = timeline.strip.viewport()
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=middle_of(timeline, 0))
    for step in (1, 1, 2):
        qtbot.mouseMove(strip, middle_of(timeline, step))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=middle_of(timeline, 2))
    assert chosen[0] == 0 and set(chosen) <= {0, 1, 2}


def test_the_buttons_walk_and_stop_at_the_ends(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(3))
    timeline.set_current(0)
    chosen: list[int] = []
    timeline.step_chosen.connect(chosen.append)
    for button in (timeline._next, timeline._last, timeline._previous, timeline._first):
        assert button.isEnabled()
        button.click()
    assert chosen == [1, 2, 1, 0]
    assert not timeline._first.isEnabled() and not timeline._previous.isEnabled()


def test_the_current_step_of_a_long_episode_is_in_view_and_only_visible_ones_are_asked_for(
    timeline: Timeline, qtbot: QtBot
) -> None:
    asked: list[int] = []
    timeline.thumbnails_wanted.connect(asked.extend)
    timeline.set_steps(steps(500), [lane(500)])
    timeline.set_current(250)
    visible = timeline.strip.visible_steps()
    assert 250 in visible and len(visible) < 10
    assert set(asked) == {*visible, *range(7)} & set(asked) and len(asked) < 20
    asked.clear()
    timeline.set_current(0)
    assert 0 in asked, "those that were not answered are asked for again when they are back in view"


def test_setting_the_current_step_tells_nobody(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    with qtbot.assertNotEmitted(timeline.step_chosen):
        timeline.set_current(4)


def test_play_and_speed_are_asked_of_the_owner(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    with qtbot.waitSignal(timeline.play_toggled) as told:
        timeline._play.click()
    assert told.args == [True]
    timeline.set_playing(True)
    assert timeline._play.accessibleName() == "Pause"
    with qtbot.waitSignal(timeline.next_wrong_requested):
        timeline._wrong.click()
    with qtbot.waitSignal(timeline.next_unchecked_requested):
        timeline._unchecked.click()


def test_the_usual_speeds_are_offered_and_another_one_that_holds(timeline: Timeline, qtbot: QtBot) -> None:
    def offered() -> list[str]:
        return [segment.text() for segment in timeline._speed._group.buttons() if segment.isVisible()]

    assert offered() == ["0.5×", "1×", "2×"]
    with qtbot.waitSignal(timeline.speed_changed) as told:
        next(one for one in timeline._speed._group.buttons() if one.text() == "2×").click()
    assert told.args == [2.0]
    with qtbot.assertNotEmitted(timeline.speed_changed):
        timeline.set_speed(8.0)
    assert offered() == ["0.5×", "1×", "2×", "8×"] and timeline._speed.value() == "8"
    timeline.set_speed(1.0)
    assert offered() == ["0.5×", "1×", "2×"]


def test_columns_are_as_wide_as_their_steps_took(timeline: Timeline, qtbot: QtBot) -> None:
    """Steps of 1, 9 and, for want of a following one, 5 seconds: 15 in all. Width, twice the widest third, is kept."""
    timeline.set_steps([TimelineStep(place, "tap", "Tap", "", moment) for place, moment in enumerate((0.0, 1.0, 10.0))])
    strip = timeline.strip
    even = [strip._columns.width(step) for step in range(3)]
    assert len(set(even)) == 1
    with qtbot.waitSignal(timeline.by_time_changed) as told:
        timeline._by_time.click()
    assert told.args == [True]
    timeline.set_by_time(True)
    widths = [strip._columns.width(step) for step in range(3)]
    assert sum(widths) == pytest.approx(sum(even), abs=1)
    assert widths == pytest.approx([sum(even) * share / 15 for share in (1, 9, 5)], abs=1)
    assert strip.step_at(strip._column(1).right() - 2) == 1
    timeline.set_steps([TimelineStep(place, "tap", "Tap") for place in range(3)])
    assert not timeline._by_time.isEnabled(), "no times were recorded"
    assert [strip._columns.width(step) for step in range(3)] == even


def test_a_drag_with_shift_chooses_a_range_and_esc_takes_it_away(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    timeline.set_current(0)
    ranges: list[object] = []
    timeline.loop_changed.connect(ranges.append)
    strip, shift = timeline.strip.viewport(), Qt.KeyboardModifier.ShiftModifier

    def drag(start: int, end: int) -> None:
        qtbot.mousePress(strip, Qt.MouseButton.LeftButton, shift, middle_of(timeline, start))
        qtbot.mouseMove(strip, middle_of(timeline, end))
        qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, shift, middle_of(timeline, end))

    drag(3, 1)
    assert ranges == [(1, 3)] and timeline.current() == 0, "it does not scrub"
    assert timeline.strip.accessibleName().endswith("Loop steps 2 to 4")
    shot, accent = strip.grab().toImage(), QColor(theme.current().accent)
    marked = [step for step in range(5) if shot.pixelColor(middle_of(timeline, step).x(), 2) == accent]
    assert marked == [1, 2, 3]
    timeline.strip.setFocus()
    qtbot.keyClick(timeline.strip, Qt.Key.Key_Escape)
    assert ranges == [(1, 3), None] and timeline.strip.loop() is None
    drag(2, 2)
    assert ranges[-1] is None, "a range of one step is none"


def test_a_narrow_timeline_keeps_its_buttons_and_lets_words_go(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    assert timeline._unchecked.isVisible()
    timeline.resize(timeline.minimumSizeHint().width(), 190)
    assert not timeline._unchecked.isVisible()
    qtbot.waitUntil(lambda: timeline._wrong.width() == timeline._wrong.compact_width())
    assert timeline._wrong.geometry().right() <= timeline._wrong.parentWidget().width()


def test_the_focus_is_seen(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(5))
    strip = timeline.strip
    bare = strip.viewport().grab().toImage()
    strip.setFocus()
    lit = strip.viewport().grab().toImage()
    ring = QColor(theme.current().selection_line)
    middle = strip.viewport().height() // 2
    assert lit.pixelColor(1, middle) == ring != bare.pixelColor(1, middle)


def test_it_says_in_words_where_one_is_and_how_the_runs_did(timeline: Timeline) -> None:
    timeline.set_steps(steps(5), [lane(5)])
    timeline.set_current(1)
    assert timeline.strip.accessibleName() == "Step 2 of 5. Reference Tap Button 1. Run A miss 0.64"
    below = CellFonts.of(timeline.strip.font()).film_height + 8
    assert timeline.strip.tip_at(middle_of(timeline, 1).x(), below) == "miss. 0.47 away"


def test_a_thumbnail_is_painted_in_its_cell(timeline: Timeline) -> None:
    timeline.set_steps(steps(5))
    picture = QImage(1080, 2400, QImage.Format.Format_RGB32)
    picture.fill(QColor("#10c040"))
    timeline.set_thumbnail(2, picture)
    timeline.set_thumbnail(99, picture)
    column = timeline.strip._column(2)
    shot = timeline.strip.viewport().grab(column).toImage()
    assert shot.pixelColor(20, 36) == QColor("#10c040")


def test_the_current_column_is_lit(timeline: Timeline) -> None:
    timeline.set_steps(steps(5))
    timeline.set_current(2)
    shot = timeline.strip.viewport().grab(timeline.strip._column(2)).toImage()
    assert shot.pixelColor(60, 1) == QColor(theme.current().selection_line)


def test_a_curve_tells_its_value_at_the_pointer_and_goes_as_far_as_the_run_looked(timeline: Timeline) -> None:
    curve = Lane(0, "Feasible", curve=(0.1, 0.3, 0.82), words="infeasible 0.82", verdict=ShownVerdict.HIT)
    timeline.set_steps(steps(5), [curve])
    timeline.set_current(1)
    strip, below = timeline.strip, CellFonts.of(timeline.strip.font()).film_height + 30
    assert strip.tip_at(middle_of(timeline, 2).x(), below) == "P(infeasible) after step 3: 0.82"
    assert strip.tip_at(middle_of(timeline, 4).x(), below) == ""
    assert strip.tip_at(5, below) == "Feasible. infeasible 0.82"
    assert strip.accessibleName() == "Step 2 of 5. Reference Tap Button 1. Run A P(infeasible) after step 2: 0.30"


def test_a_curve_is_drawn_higher_where_the_value_is_higher(timeline: Timeline) -> None:
    timeline.set_steps(steps(5), [Lane(0, "Feasible", curve=(0.0, 0.0, 1.0, 1.0, 1.0))])
    strip = timeline.strip
    timeline.layout().activate()
    shown = strip.viewport().grab().toImage()
    colour, top = QColor(theme.current().run_a), CellFonts.of(strip.font()).film_height

    def height(step: int) -> int:
        x = middle_of(timeline, step).x()
        return next(y for y in range(top, shown.height()) if shown.pixelColor(x, y) == colour)

    assert height(1) - height(3) > 30


def test_a_run_about_the_whole_episode_says_so_across_its_lane(timeline: Timeline) -> None:
    timeline.set_steps(steps(3), [Lane(1, "Goals", words="Open the mail", verdict=ShownVerdict.MISS)])
    timeline.set_current(0)
    assert "Run B Open the mail" in timeline.strip.accessibleName()
    bare = timeline.strip.viewport().grab().toImage()
    timeline.set_lanes([Lane(1, "Goals")])
    assert timeline.strip.viewport().grab().toImage() != bare


def test_bubbles_stand_where_a_question_came_and_where_it_was_due(timeline: Timeline) -> None:
    cells = (
        LaneCell(ShownVerdict.HIT, 0.1, does="tap Go", after="tap Search"),
        LaneCell(ShownVerdict.MISS, 0.4, ask="due", why="A question is due."),
        LaneCell(ShownVerdict.MISS, 0.9, ask="came"),
    )
    timeline.set_steps(steps(3), [Lane(0, "Asks", cells)])
    strip, film = timeline.strip, CellFonts.of(timeline.strip.font()).film_height
    assert strip._content_height() == film + 24 + 18, "a thin second lane for what follows an answer"
    assert strip.tip_at(middle_of(timeline, 0).x(), film + 30) == "hit. tap Go. after the answer: tap Search"
    timeline.set_current(1)
    assert strip.accessibleName().endswith("Run A miss 0.40 does not ask, though it was due")
    timeline.set_current(2)
    assert strip.accessibleName().endswith("Run A miss 0.90 asks")
    timeline.layout().activate()
    shown, colour = strip.viewport().grab().toImage(), QColor(theme.current().run_a)

    def ink(step: int) -> int:
        left, middle = strip._column(step).left() + 30, film + 12
        places = ((x, y) for x in range(left, left + 15) for y in range(middle - 7, middle + 5))
        return sum(shown.pixelColor(x, y) == colour for x, y in places)

    assert ink(2) > 2 * ink(1) > 0 == ink(0), "filled, hollow, none"


def test_a_long_episode_keeps_the_thumbnails_that_are_near(timeline: Timeline) -> None:
    timeline.set_steps(steps(3 * MOST_THUMBNAILS))
    picture = QImage(10, 20, QImage.Format.Format_RGB32)
    for step in range(3 * MOST_THUMBNAILS):
        timeline.set_thumbnail(step, picture)
    kept = timeline.strip._thumbnails
    assert list(kept) == list(range(2 * MOST_THUMBNAILS, 3 * MOST_THUMBNAILS))


def names(timeline: Timeline) -> list[int]:
    """How many runs each row of lanes is about."""
    return [len(getattr(row, "lanes", (row,))) for row in timeline.strip._rows]


def test_more_than_four_lanes_fold_into_one_until_somebody_unfolds_them(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.set_steps(steps(3), [lane(3, run) for run in range(4)])
    assert names(timeline) == [1, 1, 1, 1] and not timeline.strip.is_folded
    curve = Lane(5, "Feasible", curve=(0.1, 0.2, 0.3))
    timeline.set_lanes([*(lane(3, run) for run in range(5)), curve])
    assert names(timeline) == [5, 1], "a curve keeps a row of its own"
    top = CellFonts.of(timeline.strip.font()).film_height
    middle = middle_of(timeline, 1).x()
    told = timeline.strip.tip_at(middle, top + 4)
    assert told.splitlines()[0] == "A Northstar 7B: miss. 0.47 away" and len(told.splitlines()) == 5
    assert "Run E miss" not in timeline.strip.accessibleName()
    timeline.set_current(1)
    assert "Run E miss 0.64" in timeline.strip.accessibleName()
    qtbot.mouseClick(timeline.strip.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, top + 8))
    assert names(timeline) == [1] * 6 and timeline.current() == 1
    timeline._fold.click()
    assert names(timeline) == [5, 1]
    timeline.set_lanes([lane(3)])
    assert names(timeline) == [1] and not timeline._fold.isVisible()


def test_lanes_fold_and_then_scroll_where_there_is_no_room(timeline: Timeline, qtbot: QtBot) -> None:
    fonts = CellFonts.of(timeline.strip.font())
    timeline.set_steps(steps(3), [lane(3, run) for run in range(4)])
    whole = timeline.sizeHint().height()
    timeline.set_most_height(whole - 1)
    assert names(timeline) == [4] and timeline.minimumSizeHint().height() < whole
    timeline._fold.click()
    assert names(timeline) == [1] * 4 and timeline.minimumSizeHint().height() <= whole - 1
    timeline.resize(860, timeline.minimumSizeHint().height())
    down = timeline.strip.verticalScrollBar()
    qtbot.waitUntil(lambda: down.maximum() > 0)
    down.setValue(down.maximum())
    place = timeline.strip.viewport().height() - 8
    assert timeline.strip.tip_at(20, place) == "Northstar 7B"
    assert timeline.strip.tip_at(middle_of(timeline, 1).x(), fonts.film_height - 4).startswith("Step 2")
