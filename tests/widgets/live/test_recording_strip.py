"""The recording that is being made: cells, keys, undo, notes, thousands of steps."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets import theme
from stepscope.widgets.live import CellKind, RecordedCell, RecordingState, RecordingStrip
from stepscope.widgets.live.film_cells import cell_words, film_height
from stepscope.widgets.theme import Theme

ACTION, ASK, GAP, LOGIN = CellKind.ACTION, CellKind.ASK, CellKind.GAP, CellKind.LOGIN
RUNNING = RecordingState(active=True, undo_why_not="")


def cells(many: int) -> list[RecordedCell]:
    return [RecordedCell(ACTION, f"Button {n}", n, 4.0 * n, "tap", f"Tap Button {n}") for n in range(1, many + 1)]


@pytest.fixture
def strip(show) -> RecordingStrip:
    return show(RecordingStrip(), 876, 118)


def test_without_a_recording_it_says_how_to_begin_one(strip) -> None:
    assert strip._empty.isVisible() and "Record (R)" in strip._empty.text()
    assert not strip.film.isVisible() and not strip.undo.isVisible() and not strip.pause.isVisible()


def test_the_head_counts_actions_and_questions(strip) -> None:
    strip.set_state(RUNNING)
    strip.set_cells([*cells(5), RecordedCell(GAP, "away 4 s"), RecordedCell(ASK, "Delivery?", 6, 31, "ask")])
    assert strip.counts() == "5 actions, 1 question"
    strip.set_cells(cells(1))
    assert strip.counts() == "1 action"


def test_the_newest_is_current_until_another_is_chosen(strip, heard) -> None:
    chosen = heard(strip.step_chosen)
    strip.set_state(RUNNING)
    for cell in cells(40):
        strip.add_cell(cell)
    assert strip.current() == 39 and 39 in strip.film.visible_cells() and chosen == []
    strip.film.setFocus()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right):
        QTest.keyClick(strip.film, key)
    assert chosen == [38, 37, 0, 1] and 1 in strip.film.visible_cells()
    strip.add_cell(RecordedCell(ACTION, "More", 41))
    assert strip.current() == 1, "whoever looks at a step is not torn away from it"
    QTest.keyClick(strip.film, Qt.Key.Key_End)
    strip.add_cell(RecordedCell(ACTION, "More", 42))
    assert strip.current() == 41


def test_shift_jumps_ten_steps(strip, heard) -> None:
    chosen = heard(strip.step_chosen)
    strip.set_cells(cells(30))
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right):
        QTest.keyClick(strip.film, key, Qt.KeyboardModifier.ShiftModifier)
    assert chosen == [19, 9, 19]


def test_a_click_chooses_the_step_under_it_again_and_again(strip, heard) -> None:
    chosen = heard(strip.step_chosen)
    strip.set_state(RUNNING)
    strip.set_cells(cells(3))
    for place in (1, 1, 0):
        QTest.mouseClick(strip.film.viewport(), Qt.MouseButton.LeftButton, pos=strip.film.column(place).center())
    QTest.mouseClick(strip.film.viewport(), Qt.MouseButton.LeftButton, pos=strip.film.column(3).center())
    assert chosen == [1, 1, 0], "behind the last is no step"


def test_undo_takes_the_last_cell_away(strip, heard) -> None:
    undone = heard(strip.undo_requested)
    strip.set_state(RUNNING)
    strip.set_cells(cells(6))
    strip.undo.click()
    assert len(undone) == 1 and len(strip.film.cells()) == 6, "the owner says when it is done"
    strip.remove_last()
    assert strip.current() == 4 and strip.counts() == "5 actions"
    strip.set_state(RecordingState(active=True, undo_why_not="Nothing is recorded yet"))
    assert not strip.undo.isEnabled() and strip.undo.toolTip() == "Nothing is recorded yet"


def test_pause_and_login_are_asked_for_and_shown_once_they_hold(strip, heard) -> None:
    paused, login = heard(strip.pause_toggled), heard(strip.login_toggled)
    strip.set_state(RUNNING)
    strip.pause.click()
    strip.login.click()
    assert (paused, login) == ([True], [True]) and not strip.pause.isChecked() and not strip.login.isChecked()
    strip.set_state(RecordingState(active=True, paused=True, login=True, undo_why_not=""))
    assert strip.pause.isChecked() and strip.login.isChecked()
    assert strip.pause.accessibleName() == "Go on recording" and "record again" in strip.login.accessibleName()
    strip.pause.click()
    strip.login.click()
    assert (paused, login) == ([True, False], [True, False])


def test_a_note_belongs_to_the_chosen_step(strip, heard) -> None:
    notes = heard(strip.note_given)
    strip.set_cells([*cells(3), RecordedCell(GAP, "away 4 s")])
    assert not strip.note.isEnabled(), "a gap takes no note"
    QTest.keyClick(strip.film, Qt.Key.Key_Home)
    strip.note.click()
    assert strip.note_field.isVisible() and strip.note_field.placeholderText() == "Note on step 1"
    QTest.keyClicks(strip.note_field, " slow here ")
    QTest.keyClick(strip.note_field, Qt.Key.Key_Return)
    assert notes == [(0, "slow here")] and not strip.note_field.isVisible()
    strip.set_cell(0, RecordedCell(ACTION, "Button 1", 1, 4.0, "tap", note="slow here"))
    strip.note.click()
    assert strip.note_field.text() == "slow here"
    QTest.keyClick(strip.note_field, Qt.Key.Key_Escape)
    assert len(notes) == 1 and not strip.note.isChecked() and strip.film.hasFocus()


def test_a_cell_is_told_whole() -> None:
    assert cell_words(cells(1)[0]) == "Step 1, 0:04. Tap Button 1"
    assert (
        cell_words(RecordedCell(ASK, "Delivery?", 6, 31, "ask", note="odd"))
        == "Step 6, 0:31. Asks: Delivery?. Note: odd"
    )
    assert cell_words(RecordedCell(GAP, "away 4 s")) == "The device was away 4 s"
    assert cell_words(RecordedCell(LOGIN, "Log-in, 3 steps left out", time=40)) == "0:40. Log-in, 3 steps left out"


def test_a_screen_reader_hears_where_one_is(strip) -> None:
    strip.set_cells(cells(3))
    assert strip.film.accessibleName() == "This recording. Step 3, 0:12. Tap Button 3"
    assert strip.film.tip(0) == "Step 1, 0:04. Tap Button 1" and strip.film.tip(9) == ""


def test_only_visible_cells_are_asked_for_their_pictures(strip, heard) -> None:
    wanted = heard(strip.thumbnails_wanted)
    strip.set_cells([*cells(500), RecordedCell(LOGIN, "Log-in")])
    asked = {place for places in wanted for place in places}
    assert asked <= {*range(8), *range(490, 500)} and 499 in asked and 500 not in asked
    for place in sorted(asked):
        strip.set_thumbnail(place, QImage(108, 240, QImage.Format.Format_RGB32))
    wanted.clear()
    strip.set_cell(499, RecordedCell(ACTION, "Other", 500))
    assert wanted == []
    strip.set_cells(cells(499))
    strip.set_thumbnail(600, QImage())
    assert 499 not in strip.film._thumbnails and 498 in strip.film._thumbnails


def test_a_picture_fills_its_place_and_stays_with_its_cell(strip) -> None:
    strip.set_cells(cells(2))
    red = QImage(108, 240, QImage.Format.Format_RGB32)
    red.fill(QColor("#ff0000"))
    strip.set_thumbnail(0, red)
    spot = strip.film.column(0).topLeft() + QPoint(20, 40)
    assert strip.film.viewport().grab().toImage().pixelColor(spot).name() == "#ff0000"
    strip.add_cell(RecordedCell(ACTION, "More", 3))
    assert strip.film.viewport().grab().toImage().pixelColor(spot).name() == "#ff0000"


def test_questions_are_amber_and_logins_hatched(strip) -> None:
    strip.set_cells([RecordedCell(ASK, "████████", 1), RecordedCell(LOGIN, "", time=0), cells(1)[0]])
    image = strip.film.viewport().grab().toImage()

    def colours(place: int) -> set[str]:
        area = strip.film.column(place)
        return {image.pixelColor(x, y).name() for x in range(area.left() + 2, area.right()) for y in range(4, 84)}

    assert theme.current().warn.lower() in colours(0) and theme.current().warn.lower() not in colours(2)
    assert theme.current().line.lower() in colours(1)


def test_the_wheel_scrolls_sideways(strip) -> None:
    strip.set_cells(cells(60))
    bar = strip.film.horizontalScrollBar()
    end = bar.value()
    middle = QPointF(strip.film.viewport().rect().center())
    wheel = QWheelEvent(
        middle, middle, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(strip.film.viewport(), wheel)
    assert bar.value() == end - 120


def test_thousands_of_steps_stay_quick(strip) -> None:
    strip.set_state(RUNNING)
    strip.set_cells(cells(5000))
    begun = time.perf_counter()
    for number in range(5001, 5011):
        strip.add_cell(RecordedCell(ACTION, "More", number))
        strip.film.viewport().repaint()
    assert (time.perf_counter() - begun) / 10 < 0.1
    assert len(strip.film.visible_cells()) < 10


def test_cells_stay_whole_above_the_scroll_bar(strip, qtbot) -> None:
    strip.set_cells(cells(40))
    film = strip.film
    strip.resize(876, strip.height() - film.height() + film_height(film.font()))
    qtbot.waitUntil(lambda: film.viewport().height() < film_height(film.font()))
    assert film.column(39).height() == film.viewport().height()


@pytest.mark.parametrize("percent", [80, 100, 200])
def test_cells_grow_with_the_text(strip, qtbot, themed, percent) -> None:
    strip.set_cells(cells(9))
    apply_theme(themed, Theme.light(), percent)
    qtbot.waitUntil(lambda: strip.film.minimumSizeHint().height() == film_height(strip.film.font()))
    assert strip.film.column(0).width() >= 110 * max(percent, 100) / 100


def test_a_narrow_strip_keeps_its_buttons(strip, qtbot) -> None:
    strip.set_state(RUNNING)
    strip.set_cells(cells(3))
    strip.resize(330, 118)
    qtbot.waitUntil(lambda: strip.undo.geometry().right() <= 330)
    assert strip.undo.width() < strip.undo.full_width() and strip.pause.isVisible()
