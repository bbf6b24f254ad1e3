from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from widgets import theme
from widgets.common import Verdict
from widgets.timeline import Lane, LaneCell, Timeline, TimelineStep
from widgets.timeline.cells import CellFonts


def steps(many: int) -> list[TimelineStep]:
    return [TimelineStep(place, "tap", "Tap", f"Button {place}", 2.0 * place) for place in range(many)]


def lane(many: int, run: int = 0) -> Lane:
    cells = tuple(LaneCell(Verdict.MISS if place == 1 else Verdict.HIT, 0.64, "0.47 away") for place in range(many))
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
    with qtbot.waitSignal(timeline.speed_changed) as told:
        timeline._speed._group.button(2).click()
    assert told.args == [2.0]
    with qtbot.waitSignal(timeline.next_wrong_requested):
        timeline._wrong.click()


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
