"""What is seen of a page: its picture pixel for pixel, the numbered fields over it, what stands there without one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Size
from stepscope.widgets.webtask import PEOPLE, PERSON, FieldState, PageFieldMark, PageView, RenderSize, Runner
from stepscope.widgets.webtask.page_fields import field_words
from stepscope.widgets.webtask.page_painter import MISS
from stepscope.widgets.webtask.page_view import DIM_MS, SETTLE_MS
from tests.widgets.webtask.page_parts import blank, box, colour_at, heard, marks, noise, page_view, seen, shown

pytestmark = pytest.mark.usefixtures("themed")

NORTHSTAR = Runner("run", "Northstar", 0)
AMBER, WHITE = "#FFB020", "#FFFFFF"


def test_a_picture_of_the_size_that_was_asked_for_is_copied_pixel_for_pixel(qtbot: QtBot) -> None:
    """Within the round corners."""
    pixels = noise()
    view = page_view(qtbot, pixels)
    view.set_marks(())
    got = seen(view)[16:416, 16:616, :3]
    assert np.array_equal(got[10:-10], pixels[10:-10, :, :3])
    assert np.array_equal(got[:, 10:-10], pixels[:, 10:-10, :3])


def test_a_page_says_how_it_is_to_be_drawn_once_the_view_rests(qtbot: QtBot) -> None:
    view = PageView()
    told = heard(view.size_wanted)
    with qtbot.waitSignal(view.size_wanted, timeout=20 * SETTLE_MS):
        shown(qtbot, view)
        view.resize(700, 500)
        view.resize(732, 532)
    assert told == [(RenderSize(Size(700, 500), 1.0),)]
    assert view.wanted == RenderSize(Size(700, 500), 1.0)


def test_a_zoomed_page_has_as_many_pixels_and_is_drawn_anew(qtbot: QtBot) -> None:
    view = PageView()
    with qtbot.waitSignal(view.size_wanted, timeout=20 * SETTLE_MS):
        shown(qtbot, view)
    percents = heard(view.zoom_changed)
    with qtbot.waitSignal(view.size_wanted, timeout=20 * SETTLE_MS) as wanted:
        view.set_zoom(0.5)
    assert wanted.args == [RenderSize(Size(600, 400), 0.5)]
    assert percents == [(50.0,)]


def test_a_picture_from_before_the_view_grew_is_not_stretched(qtbot: QtBot) -> None:
    view = PageView()
    with qtbot.waitSignal(view.size_wanted, timeout=20 * SETTLE_MS):
        shown(qtbot, view)
    pixels = blank(grey=40)
    view.show_picture(pixels)
    view.resize(832, 632)
    got = seen(view)
    assert colour_at(got, 16 + 590, 16 + 390) == "#282828"
    assert colour_at(got, 16 + 610, 16 + 300) == WHITE, "the part of the page of which there is no picture yet"


def test_a_page_of_a_fixed_size_is_asked_for_at_once_and_made_to_fit(qtbot: QtBot) -> None:
    """1200 × 800 on 600 × 400: a field of the document at (200, 100) is at half of that."""
    view = page_view(qtbot)
    told = heard(view.size_wanted)
    view.set_fixed(Size(1200, 800))
    assert told == [(RenderSize(Size(1200, 800), 1.0),)]
    pixels = blank(1200, 800)
    pixels[:, 600:] = (0, 0, 255, 0)
    view.show_picture(pixels)
    got = seen(view)
    assert colour_at(got, 16 + 290, 16 + 300) == WHITE
    assert colour_at(got, 16 + 310, 16 + 300) == "#FF0000"
    view.set_marks([PageFieldMark(1, "a", box(200, 100, 400, 140))])
    assert view.tags[0].box.left() == 16 + 100 - 6


def test_what_is_right_in_part_has_a_bar_beside_its_number(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    widths = []
    for state in (FieldState.RIGHT, FieldState.PARTLY):
        view.set_marks([replace(marks()[0], state=state)], NORTHSTAR)
        widths.append(view.tags[0].place.width())
    assert widths[1] > widths[0]
    tag = view.tags[0].place
    assert colour_at(seen(view), round(tag.right()) - 10, round(tag.center().y())) != AMBER


def test_a_page_at_which_somebody_is_at_work_is_seen_without_marks(qtbot: QtBot) -> None:
    view = page_view(qtbot, blank(grey=90))
    view.set_waiting(True, watched=True)
    qtbot.waitUntil(lambda: not view._dim.isActive(), timeout=20 * DIM_MS)
    got = seen(view)
    assert colour_at(got, 400, 300) == colour_at(got, 110, 90) == "#5A5A5A"
    assert not view.takes_hands


def test_fields_have_their_number_at_the_corner_and_an_outline_around_them(qtbot: QtBot) -> None:
    """The box (100, 50, 500, 110) grown by 6 begins at 16 + 94 = 110 and 16 + 44 = 60: there the number of 22 pixels
    reaches in by 5, and below it the line of two pixels is."""
    view = page_view(qtbot)
    view.set_marks([PageFieldMark(1, "sentence", box(100, 50, 500, 110), FieldState.RIGHT)], NORTHSTAR)
    pixels = seen(view)
    assert colour_at(pixels, 97, 60) == AMBER
    assert colour_at(pixels, 110, 90) == AMBER
    assert colour_at(pixels, 109, 90) == AMBER
    assert colour_at(pixels, 300, 90) == WHITE
    assert [tag.place.center().toPoint().toTuple() for tag in view.tags] == [(104, 60)]


def test_boxes_follow_the_page_as_it_scrolls(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    assert [tag.mark.name for tag in view.tags] == ["sentence", "reasons"]
    view.set_scroll(0, 850)
    assert [(tag.mark.name, tag.box.top()) for tag in view.tags] == [("sure", 16 + 50 - 6)]


def test_a_wrong_answer_is_outlined_in_the_colour_of_a_miss_and_its_number_is_hollow(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.set_marks([replace(marks()[0], state=FieldState.WRONG)], NORTHSTAR)
    pixels = seen(view)
    assert colour_at(pixels, 110, 90) == MISS
    tag = view.tags[0].place
    assert colour_at(pixels, round(tag.left()) + 4, round(tag.center().y())) == "#14171C"
    assert tag.width() > view.tags[0].place.height(), "there is room for a cross beside the number"


def test_the_selected_field_is_filled_lightly(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.select_field("reasons")
    pixels = seen(view)
    assert colour_at(pixels, 300, 230) != WHITE
    assert colour_at(pixels, 300, 100) == WHITE
    view.select_field("")
    assert colour_at(seen(view), 300, 230) == WHITE


def test_numbers_that_would_lie_over_each_other_stand_side_by_side(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.set_marks([PageFieldMark(n, str(n), box(100, 50 + n, 300, 70)) for n in (1, 2, 3)])
    places = [tag.place for tag in view.tags]
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[i + 1 :])


def test_numbers_stay_on_the_page(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.set_marks([PageFieldMark(1, "all", box(0, 0, 600, 1500)), PageFieldMark(2, "end", box(590, 300, 600, 320))])
    assert all(view.rect().toRectF().contains(tag.place) for tag in view.tags)


def test_layers_are_shown_and_hidden(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.set_elements([box(400, 300, 500, 340)])
    assert colour_at(seen(view), 16 + 400, 16 + 320) == WHITE
    view.set_layers(fields=False, elements=True)
    pixels = seen(view)
    assert colour_at(pixels, 16 + 400, 16 + 320) != WHITE
    assert colour_at(pixels, 110, 90) == WHITE
    assert view.tags == ()


def test_a_lost_page_is_grey_and_can_be_loaded_again(qtbot: QtBot) -> None:
    red = blank()
    red[:, :] = (0, 0, 255, 0)
    view = page_view(qtbot, red)
    view.show_lost("The page did not answer for 20 s.")
    wanted = heard(view.reload_wanted)
    pixels = seen(view)
    blue, green, shade = pixels[60, 40, :3]
    assert max(blue, green, shade) - min(blue, green, shade) < 12
    assert "did not answer for 20 s" in view.lost.words()
    view.lost.pressed.emit("reload")
    assert wanted == [()]
    view.show_lost("")
    assert not view.is_lost
    assert colour_at(seen(view), 40, 60) == "#FF0000"


def test_the_card_over_a_lost_page_has_room_for_all_its_words(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.show_lost("The page did not answer for 20 s and was ended with its process, as a page is that hangs. " * 2)
    qtbot.waitUntil(lambda: view.lost.height() >= view.lost.heightForWidth(view.lost.width()))
    assert view.rect().contains(view.lost.geometry())


def test_a_page_that_is_waited_for_is_pale_after_a_moment_only(qtbot: QtBot) -> None:
    view = page_view(qtbot, blank(grey=0))
    view.set_waiting(True)
    assert colour_at(seen(view), 400, 300) == "#000000"
    qtbot.waitUntil(lambda: colour_at(seen(view), 400, 300) != "#000000", timeout=20 * DIM_MS)
    view.set_waiting(False)
    assert colour_at(seen(view), 400, 300) == "#000000"


def test_without_a_picture_there_is_an_empty_page(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.show_picture(None)
    assert not view.has_picture
    assert len({colour_at(seen(view), x, 300) for x in (100, 300, 500)}) == 1


def test_what_is_said_of_a_field() -> None:
    mark = PageFieldMark(3, "reasons", box(0, 0, 1, 1), FieldState.WRONG, "checkbox, 0.00")
    assert field_words(mark, 5, NORTHSTAR) == "Field 3 of 5, reasons. Run A, Northstar: wrong. checkbox, 0.00."
    assert field_words(PageFieldMark(1, "a", box(0, 0, 1, 1)), 2) == "Field 1 of 2, a. You."
    assert "nowhere" in field_words(PageFieldMark(1, "a", None), 2)


def test_a_screen_reader_hears_of_the_selected_field(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.select_field("reasons")
    assert view.accessibleDescription() == "Field 2 of 3, reasons. You."
    view.set_marks([marks()[0], replace(marks()[1], state=FieldState.PARTLY)], PEOPLE)
    assert view.accessibleDescription() == "Field 2 of 2, reasons. Oracle: right in part."


def test_the_ring_lies_around_the_page_while_keys_go_to_it(qtbot: QtBot) -> None:
    view = page_view(qtbot)
    view.set_marks(())
    view.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    around = colour_at(seen(view), 300, 1)
    assert around == "#7AA7FF"
    view.enter()
    pixels = seen(view)
    assert colour_at(pixels, 300, 14) == "#7AA7FF"
    assert colour_at(pixels, 300, 1) != "#7AA7FF"


def test_marks_keep_their_colours_and_the_chrome_follows_the_theme(qtbot: QtBot, themed: QApplication) -> None:
    from stepscope.app.gui.shell.theme import apply_theme
    from stepscope.widgets.theme import Theme

    view = page_view(qtbot)
    dark = seen(view)
    apply_theme(themed, Theme.light())
    light = seen(view)
    assert colour_at(dark, 3, 200) != colour_at(light, 3, 200)
    assert colour_at(dark, 110, 90) == colour_at(light, 110, 90) == PERSON.colour
