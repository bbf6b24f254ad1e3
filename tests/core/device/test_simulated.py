"""The simulated phone: a real browser in a process of its own, seen and touched as any device."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from stepscope.core.device.device import DeviceCapability, DeviceError, DeviceKind, UITreeUnavailableError
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Select,
    Swipe,
    Tap,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.geometry import Direction, Point, Size
from tests.core.device.phone_watch import Watcher, element, picture, tap

pytestmark = pytest.mark.xdist_group("simulated phone")

SIZE = Size(1080, 2400)
HOME = "com.stepscope.sample.launcher/HomePage"


@pytest.fixture(scope="module")
def running() -> Iterator[SimulatedDevice]:
    words: list[str] = []
    device = SimulatedDevice(seed=1, theme="light", progress=words.append)
    device.connect()
    assert words == ["Starting the browser", "Opening the home screen"]
    yield device
    device.close()


@pytest.fixture
def phone(running: SimulatedDevice) -> SimulatedDevice:
    if running.foreground() != HOME:
        running.perform(PressKey("home"))
    return running


@pytest.fixture
def search(phone: SimulatedDevice) -> SimulatedDevice:
    """With the focus in the empty field of the home screen's search."""
    phone.reset()
    tap(phone, "search_bar")
    return phone


def typed(phone: SimulatedDevice) -> str:
    return next(e.text for e in phone.tree() if e.editable)


# What it is -----------------------------------------------------------------------------------------------------------


def test_it_says_what_it_is(phone: SimulatedDevice) -> None:
    assert phone.info.kind is DeviceKind.SIMULATED and phone.info.serial == "simulated"
    assert phone.abilities == {DeviceCapability.ROTATE, DeviceCapability.POWER, DeviceCapability.ANY_TEXT}
    assert phone.screen().size == SIZE and phone.screen().on and phone.screen().rotation == 0
    assert phone.facts()["screen"] == "1080 × 2400"


def test_its_apps_are_those_on_the_home_screen(phone: SimulatedDevice) -> None:
    apps = phone.apps()
    assert ("com.stepscope.sample.clock", "Clock") in [(app.package, app.title) for app in apps]
    labels = [e.content_description for e in phone.tree() if e.short_id.startswith("app_") and e.clickable]
    assert sorted(app.title for app in apps) == sorted(labels)
    assert phone.foreground() == HOME


def test_the_tree_is_of_the_page(phone: SimulatedDevice) -> None:
    tree = phone.tree()
    assert tree.origin is TreeOrigin.DOM and tree.size == SIZE
    assert tree.activity == HOME


# Pictures -------------------------------------------------------------------------------------------------------------


def test_pictures_come_when_something_changes(phone: SimulatedDevice) -> None:
    watcher = Watcher(phone, Size(450, 1000))
    first = watcher.wait(lambda frame: True)
    assert first.number == 0 and first.image.shape == (1000, 450, 4) and first.image.flags.c_contiguous
    assert first.size == SIZE and first.arrived <= first.decoded
    phone.perform(OpenApp("Settings"))
    later = watcher.wait(lambda frame: frame.number > 0)
    assert not np.array_equal(first.image, later.image)
    watcher.close()
    assert watcher.error is None and watcher.numbers == sorted(set(watcher.numbers))


def test_a_picture_is_as_large_as_it_is_wanted_and_can_be_had_whole(phone: SimulatedDevice) -> None:
    watcher = Watcher(phone)
    frame = watcher.wait(lambda frame: True)
    assert frame.image.shape == (2400, 1080, 4)
    assert np.array_equal(frame.whole(), frame.image[:, :, 2::-1])
    assert np.array_equal(frame.whole(), picture(phone))
    watcher.video.fit(Size(5000, 300))  # the same picture again, without a touch
    assert watcher.wait(lambda again: again.image.shape == (300, 135, 4)).number == frame.number
    phone.perform(OpenApp("Clock"))
    assert watcher.wait(lambda later: later.number > frame.number).image.shape == (300, 135, 4)
    watcher.close()


def test_no_picture_comes_twice(phone: SimulatedDevice) -> None:
    """Looking repaints the page, and is nothing new."""
    watcher = Watcher(phone)
    before = watcher.wait(lambda frame: True)
    for _ in range(3):
        phone.screenshot()
    watcher.close()
    newest = watcher.newest
    assert newest is not None
    assert newest.number == before.number or not np.array_equal(newest.image, before.image)


def test_the_phone_s_own_clock_runs(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Clock"))
    tap(phone, "nav_stopwatch")
    tap(phone, "stopwatch_toggle")
    watcher = Watcher(phone, Size(450, 1000))
    first = watcher.wait(lambda frame: True)
    later = watcher.wait(lambda frame: frame.number >= first.number + 2)
    watcher.close()
    assert not np.array_equal(first.image, later.image)


def test_picture_and_tree_belong_together(phone: SimulatedDevice) -> None:
    """Asked right behind a tap, both are of the screen that it brought."""
    phone.perform(OpenApp("Clock"))
    for name in ("nav_timer", "nav_alarmlist", "nav_stopwatch", "nav_alarmlist"):
        tap(phone, name)
        pixels, tree = picture(phone), phone.tree()
        items = [e for e in tree if e.short_id.startswith("nav_")]
        assert [e.short_id for e in items if e.selected] == [name]
        ground = pixels[int(items[0].box.top) + 10, int(items[0].box.left) + 10]
        lit = [
            e.short_id
            for e in items  # beside the symbol, inside the pill that marks the page
            if not np.array_equal(pixels[int(e.box.top) + 68, int(e.box.centre.x) + 55], ground)
        ]
        assert lit == [name]


# Touching -------------------------------------------------------------------------------------------------------------


def test_a_tap_opens_what_it_touches(phone: SimulatedDevice) -> None:
    tap(phone, "app_messages")
    assert phone.tree().activity == "com.stepscope.sample.messages/ConversationListPage"


def test_places_of_another_size_are_taken_relatively(phone: SimulatedDevice) -> None:
    place = element(phone, "app_messages").box.centre
    phone.perform(Tap(place.rescaled(Size(540, 1200))))
    assert phone.foreground().startswith("com.stepscope.sample.messages/")


def test_a_long_press_is_another_touch(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Messages"))
    row = next(e for e in phone.tree() if e.long_clickable)
    phone.perform(LongPress(row.box.centre))
    assert phone.foreground() == "com.stepscope.sample.messages/ConversationListPage"
    held = {e.short_id for e in phone.tree()}
    phone.perform(PressKey("back"))
    phone.perform(Tap(row.box.centre))
    assert phone.foreground() != "com.stepscope.sample.messages/ConversationListPage"
    assert held != {e.short_id for e in phone.tree()}


@pytest.mark.parametrize(
    "action",
    [
        Swipe(Point(540, 1800, SIZE), Point(540, 1000, SIZE)),
        Scroll(Direction.DOWN),
        Scroll(Direction.DOWN, Point(540, 300, SIZE)),
        PressKey("page_down"),
    ],
    ids=["swipe", "scroll", "scroll near the edge", "key"],
)
def test_lists_move(phone: SimulatedDevice, action: Action) -> None:
    phone.perform(OpenApp("Settings"))
    before = next(e for e in phone.tree() if e.text == "Display")
    phone.perform(action, milliseconds=120)
    after = next((e for e in phone.tree() if e.text == "Display"), None)
    assert after is None or after.box.top < before.box.top - 100
    phone.perform(Scroll(Direction.UP), milliseconds=120)
    phone.perform(Scroll(Direction.UP), milliseconds=120)
    assert next(e for e in phone.tree() if e.text == "Display").box == before.box


def test_drag_double_tap_and_wait(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Messages"))
    row = next(e for e in phone.tree() if e.long_clickable)
    phone.perform(Drag(row.box.centre, Point(540, 1900, SIZE)), milliseconds=100)
    phone.perform(Wait(), milliseconds=5)
    phone.perform(PressKey("home"))
    phone.perform(DoubleTap(Point(540, 500, SIZE)))
    assert phone.foreground() == HOME


def test_text_of_any_script_arrives_as_it_is(search: SimulatedDevice) -> None:
    before = ""
    for text in ('Tea & "cake" it\'s', "naïve Größe 東京 नमस्ते عربي", "👍🏽 ok 👩‍👩‍👧", "$(rm -rf) `x` \\n; %s"):
        search.perform(Type(text))
        assert typed(search) == before + text
        before += text


def test_text_goes_behind_the_text_and_del_takes_it_away(search: SimulatedDevice) -> None:
    search.perform(Type("cloc"))
    search.perform(Type("kk"))
    search.perform(PressKey("backspace"))
    assert typed(search) == "clock"
    search.perform(PressKey("enter"))
    assert search.foreground().startswith("com.stepscope.sample.clock/")


def test_text_with_a_place_goes_into_the_field_there(search: SimulatedDevice) -> None:
    search.perform(PressKey("back"))
    search.perform(Type("player", element(search, "search_input").box.centre))
    assert typed(search) == "player"


def test_text_without_a_field_is_refused_in_words(phone: SimulatedDevice) -> None:
    with pytest.raises(DeviceError, match="Tap a field first"):
        phone.perform(Type("hello"))


def test_keys(phone: SimulatedDevice) -> None:
    phone.perform(OpenApp("Settings"))
    phone.perform(PressKey("KEYCODE_APP_SWITCH"))
    assert any(e.short_id == "overview" for e in phone.tree())
    phone.perform(PressKey("back"))
    assert not any(e.short_id == "overview" for e in phone.tree())
    phone.perform(PressKey("back"))
    assert phone.foreground() == HOME
    with pytest.raises(DeviceError, match=r"no key “camera”.* It has back, home"):
        phone.perform(PressKey("camera"))


def test_apps_are_opened_by_title_package_or_name(phone: SimulatedDevice) -> None:
    for name, app in (
        ("Notes", "notes"),
        ("com.stepscope.sample.mail", "mail"),
        ("SHOP", "shop"),
        ("Home", "launcher"),
    ):
        phone.perform(OpenApp(name))
        assert phone.foreground().startswith(f"com.stepscope.sample.{app}/")
    with pytest.raises(DeviceError, match=r"no app “Camera”.* It has Calendar, Clock"):
        phone.perform(OpenApp("Camera"))


@pytest.mark.parametrize("action", [Select("one"), Hover(Point(1, 1, SIZE)), AskUser("why?"), Tap(None)])
def test_what_a_phone_cannot_do_is_said(phone: SimulatedDevice, action: Action) -> None:
    with pytest.raises(DeviceError):
        phone.perform(action)


def test_other_apps_cannot_be_installed(phone: SimulatedDevice, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(DeviceError, match="takes no other apps"):
        phone.install(tmp_path_factory.getbasetemp() / "some.apk", lambda share: None)


# Turned and dark ------------------------------------------------------------------------------------------------------


def test_turned_it_is_wide_and_touched_there(phone: SimulatedDevice) -> None:
    watcher = Watcher(phone, Size(500, 500))
    watcher.wait(lambda frame: True)
    phone.rotate()
    try:
        wide = Size(2400, 1080)
        assert phone.screen().size == wide and phone.screen().rotation == 1
        tree = phone.tree()
        assert tree.size == wide and max(e.box.right for e in tree) >= 2398
        assert picture(phone).shape == (1080, 2400, 3)
        assert watcher.wait(lambda frame: frame.size == wide).image.shape == (225, 500, 4)
        tap(phone, "app_settings")
        assert phone.foreground() == "com.stepscope.sample.settings/SettingsPage"
    finally:
        phone.rotate()
        watcher.close()
    assert phone.tree().size == phone.screen().size == SIZE and phone.screen().rotation == 0


def test_switched_off_it_is_black_and_deaf(phone: SimulatedDevice) -> None:
    watcher = Watcher(phone, Size(450, 1000))
    watcher.wait(lambda frame: frame.image[:, :, :3].any())
    phone.perform(PressKey("power"))
    assert not phone.screen().on
    watcher.wait(lambda frame: not frame.image[:, :, :3].any())
    assert not picture(phone).any()
    with pytest.raises(UITreeUnavailableError, match="screen is off"):
        phone.tree()
    with pytest.raises(DeviceError, match="Press the power key") as refused:
        phone.perform(Tap(Point(5, 5, SIZE)))
    assert not isinstance(refused.value, UITreeUnavailableError)
    phone.perform(PressKey("power"))
    watcher.wait(lambda frame: frame.image[:, :, :3].any())
    watcher.close()
    assert phone.screen().on and len(phone.tree()) > 10


def test_the_dark_theme_is_dark(phone: SimulatedDevice) -> None:
    def brightness() -> float:
        phone.perform(OpenApp("Settings"))
        return float(np.asarray(Image.open(io.BytesIO(phone.screenshot())).convert("L")).mean())

    light = brightness()
    phone.reset(theme="dark")
    assert brightness() < 80 < 180 < light
    phone.reset(theme="light")
