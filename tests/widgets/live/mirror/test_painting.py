"""What is seen: the newest frame pixel for pixel, once; states over it; the overlay in its place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from stepscope.core.device.frames import Frame, NewestFrame
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import PointMark
from stepscope.widgets import theme
from stepscope.widgets.live.mirror import ActionCandidate, MirrorView, Proposal, reconnecting
from stepscope.widgets.screen.live_image import image_over
from stepscope.widgets.screen.picture import memory_of
from tests.widgets.live.mirror.conftest import LYING, MENU, SCREEN, VIEW, StillFrame, frame, noise
from tests.widgets.live.mirror.test_touching import heard

Pixels = NDArray[np.uint8]
WHITE = np.full((600, 272, 4), 255, np.uint8)


def seen(view: MirrorView) -> Pixels:
    """The view's pixels: height × width × blue, green, red, –."""
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    view.render(image)
    return memory_of(image).copy()


def plain(view: MirrorView) -> None:
    view.show_frame(StillFrame(WHITE, SCREEN))


def live_frame(number: int, shape: tuple[int, int] = (272, 600), size: Size = SCREEN) -> Frame:
    return Frame(noise(*shape, seed=number), size, number, 0.0, 0.0, lambda: np.zeros((1, 1, 3), np.uint8))


def test_a_frame_made_for_its_place_is_copied_pixel_for_pixel(view: MirrorView) -> None:
    """Within the round corners, of 18 pixels here."""
    pixels = view.frame.image
    got = seen(view)[22:622, 64:336, :3]
    assert np.array_equal(got[20:-20], pixels[20:-20, :, :3])
    assert np.array_equal(got[:, 20:-20], pixels[:, 20:-20, :3])
    assert got[0, 0].tolist() != pixels[0, 0, :3].tolist()


def test_a_decoder_that_rounds_is_copied_too(make_view: Callable[..., MirrorView]) -> None:
    """A pixel less across: nothing is scaled for that."""
    view = make_view(VIEW, frame(shown=(271, 600)))
    assert np.array_equal(seen(view)[60:560, 64:335, :3], view.frame.image[38:538, :, :3])


def test_an_image_reads_the_frames_own_memory() -> None:
    pixels = noise(8, 4)
    image = image_over(pixels, 1.0)
    pixels[2, 5] = (1, 2, 3, 0)
    assert image.pixelColor(5, 2).getRgb()[:3] == (3, 2, 1)


def test_of_three_frames_before_one_painting_the_newest_is_painted_once(view: MirrorView, qtbot: QtBot) -> None:
    newest = NewestFrame(lambda: 0.0)
    view.set_source(newest)
    painted = heard(view.frame_painted)
    frames = [live_frame(number) for number in range(3)]
    assert [newest.put(one) for one in frames] == [True, False, False]
    with qtbot.waitSignal(view.frame_painted):
        view.wake()
    seen(view)
    assert painted == [(frames[2],)]
    counts = newest.counts()
    assert (counts.shown, counts.skipped) == (1, 2)
    assert np.array_equal(seen(view)[60:560, 64:336, :3], frames[2].image[38:538, :, :3])


def test_a_paused_picture_stays_and_later_goes_on(view: MirrorView, qtbot: QtBot) -> None:
    newest = NewestFrame(lambda: 0.0)
    view.set_source(newest)
    newest.put(live_frame(0))
    seen(view)
    view.set_paused(True)
    newest.put(live_frame(1))
    view.wake()
    seen(view)
    assert view.frame.number == 0
    with qtbot.waitSignal(view.frame_painted):
        view.set_paused(False)
    assert view.frame.number == 1


def test_the_size_that_is_asked_for_is_the_one_that_is_shown(view: MirrorView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.size_wanted) as told:
        view.resize(400, 344)
    assert told.args == [Size(136, 300)]
    with qtbot.waitSignal(view.size_wanted) as told:
        view.show_frame(frame(LYING, (136, 62)))
    assert told.args == [Size(352, 160)]  # 159.6 rounded up; the decoder rounds as it does
    with qtbot.waitSignal(view.size_wanted) as told:
        view.zoom_about(QPointF(200, 172), 100.0)
    assert told.args == [LYING]  # never more than there is


def test_before_the_first_frame_the_view_itself_is_asked_for(
    make_view: Callable[..., MirrorView], qtbot: QtBot
) -> None:
    view = make_view((500, 700))
    with qtbot.waitSignal(view.size_wanted) as told:
        view.resize(400, 600)
    assert told.args == [Size(400, 600)]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_on_a_fine_display_more_pixels_are_asked_for_and_copied(
    make_view: Callable[..., MirrorView], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, ratio: float
) -> None:
    view = make_view((400, 344))
    monkeypatch.setattr(view, "devicePixelRatioF", lambda: ratio)
    view._resized()
    shape = (round(136 * ratio), round(300 * ratio))
    with qtbot.waitSignal(view.size_wanted) as told:
        view.show_frame(frame(shown=shape))
    assert told.args == [Size(*shape)]
    image = QImage(round(400 * ratio), round(344 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    view.render(image)
    left, top, inset = round(132 * ratio), round(22 * ratio), 40
    got = memory_of(image)[top + inset : top + shape[1] - inset, left : left + shape[0], :3]
    assert np.array_equal(got, view.frame.image[inset:-inset, :, :3])


def test_a_screen_of_1080_is_asked_for_in_steps_of_eight(make_view: Callable[..., MirrorView]) -> None:
    """A quarter would be 270 wide; 264 is the next that decoders scale to, 586.7 high for 2400."""
    view = make_view(VIEW, frame(Size(1080, 2400), (264, 586)))
    assert view._size_to_want() == Size(264, 587)
    place = view.viewport.picture
    assert (place.left, place.width, place.height) == pytest.approx((68, 264, 586.667), abs=0.001)
    assert np.array_equal(seen(view)[60:560, 68:332, :3], view.frame.image[60 - 29 : 560 - 29, :, :3])


def test_a_turned_screen_is_told_and_lies_in_the_same_view(view: MirrorView) -> None:
    sizes = heard(view.screen_changed)
    view.show_frame(frame(LYING, (352, 160)))
    assert sizes == [(LYING,)]
    place = view.viewport.picture
    assert (place.width, place.height) == pytest.approx((352, 159.573), abs=0.001)


def test_words_lie_over_a_picture_without_colours(view: MirrorView) -> None:
    view.show_frame(StillFrame(np.full((600, 272, 4), (0, 0, 255, 0), np.uint8), SCREEN))
    view.set_notice(reconnecting(3))
    pixels = seen(view)
    blue, green, red = (int(part) for part in pixels[100, 100, :3])
    assert max(blue, green, red) - min(blue, green, red) <= 6  # the dark ground has a tint of its own
    assert red < 100
    words = pixels[300:345, 100:300, :3].min(axis=2)
    assert (words > 200).sum() > 100
    assert view.notice == "Reconnecting, attempt 3"
    view.set_notice("")
    assert seen(view)[100, 100].tolist()[:3] == [0, 0, 255]


def test_words_are_said_before_the_first_picture_too(make_view: Callable[..., MirrorView]) -> None:
    view = make_view()
    view.set_notice("Starting the simulated phone")
    assert (seen(view)[290:350, 80:320, :3].min(axis=2) > 200).sum() > 100


def test_boxes_of_the_tree_are_where_the_elements_are(view: MirrorView) -> None:
    """Standard's left edge is pixel 40: 64 + 10 on the glass; its top is 800: 22 + 200."""
    plain(view)
    view.set_layers(view.overlay.layers.toggled(Layer.TREE))
    view.set_tree(MENU)
    pixels = seen(view)
    assert pixels[240, 74, :3].max() < 180
    assert pixels[222, 150, :3].max() < 180
    assert pixels[240, 150].tolist()[:3] == [255, 255, 255]


def test_boxes_of_a_stale_tree_are_dashed(view: MirrorView) -> None:
    plain(view)
    view.set_layers(view.overlay.layers.toggled(Layer.TREE))
    view.set_tree(MENU)
    whole = (seen(view)[222, 80:320, :3].max(axis=1) < 250).sum()
    view.set_tree_stale(True)
    dashed = (seen(view)[222, 80:320, :3].max(axis=1) < 250).sum()
    assert whole == 240
    assert 0.35 * whole < dashed < 0.75 * whole


def test_marks_of_predictions_lie_on_their_pixels_and_hide_with_their_layer(view: MirrorView) -> None:
    plain(view)
    view.set_marks((PointMark(Layer.RUN_B, Point(544, 1200, SCREEN)),))
    assert (seen(view)[312:332, 190:210, :3] != 255).any()
    view.set_layers(view.overlay.layers.without(Layer.RUN_B))
    assert (seen(view)[312:332, 190:210, :3] == 255).all()


def test_a_proposal_is_outlined_dashed_with_its_choices_numbered(view: MirrorView) -> None:
    """The target's top edge is pixel 800, 222 on the glass; the first number lies 16 right of the box's edge."""
    plain(view)
    first = Box(40, 1000, 1040, 1200, SCREEN)
    view.set_proposal(
        Proposal(0, "Choose", (ActionCandidate("One", 0.4, first),), 0.6, Box(40, 800, 1040, 1400, SCREEN))
    )
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    view.render(image)
    run_a = QColor("#FFB020")
    row = [image.pixelColor(x, 222) for x in range(100, 300)]
    orange = [colour for colour in row if abs(colour.red() - 255) < 30 and abs(colour.green() - 176) < 40]
    dark = [colour for colour in row if colour.red() < 140]
    assert len(orange) > 80
    assert len(dark) > 30
    assert image.pixelColor(64 + 10 + 16 - 7, 22 + 275).name() == run_a.name().lower()
    view.set_layers(view.overlay.layers.without(Layer.RUN_A))
    assert (seen(view)[222, 100:300, :3] == 255).all()


def test_a_proposal_for_a_screen_that_has_turned_is_not_drawn_on_this_one(view: MirrorView) -> None:
    target = Box(40, 800, 1040, 1400, SCREEN)
    view.set_proposal(Proposal(0, "Tap", (ActionCandidate("One", 0.4, target),), 0.6, target))
    lying = StillFrame(np.full((160, 352, 4), 255, np.uint8), LYING)
    view.show_frame(lying)
    assert (seen(view)[270:370, 60:340, :3] == 255).all()


def test_a_question_stands_beside_the_phone_where_there_is_room(make_view: Callable[..., MirrorView]) -> None:
    asks = Proposal(0, question="Which delivery?", target=Box(40, 800, 1040, 1400, SCREEN), step=6)
    wide = make_view((800, 644), StillFrame(WHITE, SCREEN))
    wide.set_proposal(asks)
    ask = np.array([0x20, 0xB0, 0xFF])
    right = wide.viewport.picture.right
    assert (seen(wide)[:, round(right) + 20 :, :3] == ask).all(axis=2).sum() > 5000
    wide.set_covered(0, 300)  # the strip would lie there: to the left then
    left = wide.viewport.picture.left
    assert (seen(wide)[:, : round(left) - 20, :3] == ask).all(axis=2).sum() > 5000
    narrow = make_view((330, 644), StillFrame(WHITE, SCREEN))
    narrow.set_proposal(asks)
    assert (seen(narrow)[:, :, :3] == ask).all(axis=2).sum() > 5000


def test_another_phone_begins_without_the_one_before(view: MirrorView) -> None:
    view.set_tree(MENU)
    view.set_source(None)
    assert (view.frame, view.tree, view.screen_size) == (None, None, None)
    assert (seen(view)[300, 200, :3] < 40).all()


def test_the_mirror_shows_that_it_has_the_keyboard_also_after_a_click(view, qtbot) -> None:
    def edge() -> QColor:
        return view.grab().toImage().pixelColor(1, view.height() // 2)

    view.clearFocus()
    qtbot.waitUntil(lambda: not view.hasFocus())
    bare = edge()
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert edge() == QColor(theme.current().selection_line) != bare
