"""Recorded screens as a device: what was done can be done again, anything else changes nothing."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from stepscope.core.device.device import Device, DeviceError, DeviceLost, UITreeUnavailableError
from stepscope.core.device.replay import ReplayDevice, matches
from stepscope.core.device.session import LiveSession
from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.sources.recording import open_recording
from tests.core.device.demonstrator import Demonstrator
from tests.core.device.fake import FakeDevice

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "episodes"
BACK = PressKey("back")


@pytest.fixture
def demonstrator(tmp_path: Path) -> Demonstrator:
    return Demonstrator(tmp_path)


def pages(device: ReplayDevice) -> str:
    return device.foreground().split("/.")[1]


def test_demonstrations_meet_where_they_show_the_same(demonstrator: Demonstrator) -> None:
    device = ReplayDevice(
        [
            demonstrator.show("Shop", "Kettle", "Buy now"),
            demonstrator.show("Shop", "Log in"),
            demonstrator.show("Clock"),
        ]
    )
    assert (device.states, device.edges) == (6, 5)
    assert device.info.detail == "3 recorded · 6 screens · 5 actions"
    way: Device = device
    phone = FakeDevice()
    for row, page in (("Shop", "List"), ("Kettle", "Kettle"), ("Buy now", "Bought")):
        phone.page = pages(device).lower()
        way.perform(Tap(phone.place(row)))
        assert pages(device) == page


def test_an_action_that_was_not_recorded_leaves_the_screen(demonstrator: Demonstrator) -> None:
    device = ReplayDevice([demonstrator.show("Shop", "Kettle")])
    before = device.screenshot()
    for action in (BACK, Tap(FakeDevice().place("Clock")), Type("x"), Wait(), AskUser("?"), Finish(), PressKey("home")):
        device.perform(action)
        assert device.screenshot() == before
    device.perform(LongPress(FakeDevice().place("Shop")))
    assert pages(device) == "Home"


def test_typing_ignores_case_and_may_name_its_place(demonstrator: Demonstrator) -> None:
    phone = FakeDevice(page="list")
    device = ReplayDevice([demonstrator.show("Search", Type("Kettle"), phone=phone)])
    assert device.states == 3
    device.perform(Type("kettle", phone.place("Search")))
    assert [one.text for one in device.tree() if one.editable] == ["Kettle"]
    device.reconnect()
    assert [one.text for one in device.tree() if one.editable] == ["Search"]


def test_what_is_typed_makes_another_screen(demonstrator: Demonstrator) -> None:
    steel, clay = FakeDevice(page="list"), FakeDevice(page="list")
    device = ReplayDevice(
        [demonstrator.show("Search", Type("steel"), phone=steel), demonstrator.show("Search", Type("clay"), phone=clay)]
    )
    device.perform(Tap(steel.place("Search")))
    device.perform(Type("CLAY"))
    assert [one.text for one in device.tree() if one.editable] == ["clay"]


def test_where_an_action_led_apart_ones_own_demonstration_is_followed(demonstrator: Demonstrator) -> None:
    def episode(first: str, last: str) -> Episode:
        phone = FakeDevice(page="home")
        before = demonstrator.show(first, phone=phone)
        phone.page = "list"
        middle = demonstrator.show(BACK, phone=phone).steps[0]
        phone.page = last
        after = demonstrator.show(phone=phone).steps[0]
        steps = (before.steps[0], replace(middle, index=1), replace(after, index=2))
        return replace(before, id=first, steps=steps)

    device = ReplayDevice([episode("Shop", "kettle"), episode("Clock", "bought")])
    device.perform(Tap(FakeDevice().place("Clock")))
    assert pages(device) == "List"
    device.perform(BACK)
    assert pages(device) == "Bought"


@pytest.mark.parametrize("named", [True, False])
def test_the_demonstration_that_is_followed_comes_before_a_smaller_element_of_another(
    demonstrator: Demonstrator, named: bool
) -> None:
    """Both touch the row of the shop, one of them a part of it that has the same words: 4 by 4 pixels of it. That one
    came to the kettle, the other one to the list. `named`: the row is named where it was touched as a whole."""

    def episode(name: str, action: Tap, last: str) -> Episode:
        phone = FakeDevice(page="home")
        before = demonstrator.show(action, phone=phone)
        phone.page = last
        after = demonstrator.show(phone=phone).steps[0]
        return replace(before, id=name, steps=(before.steps[0], replace(after, index=1)))

    row = next(one.box for one in FakeDevice().tree() if one.text == "Shop")
    middle = FakeDevice().place("Shop")
    part = Box(middle.x - 2, middle.y - 2, middle.x + 2, middle.y + 2, row.size)
    whole = Tap(middle, Target(row, "Shop") if named else None)
    small = Tap(middle, Target(part, "Shop"))
    device = ReplayDevice([episode("whole", whole, "list"), episode("small", small, "kettle")])
    for name, action, page in (("whole", whole, "List"), ("small", small, "Kettle")):
        device.begin(name)
        device.perform(action)
        assert pages(device) == page, name


def test_apps_open_where_they_began(demonstrator: Demonstrator) -> None:
    clock = replace(demonstrator.show(phone=FakeDevice(page="clock")), app="org.example.clock")
    device = ReplayDevice(
        [demonstrator.show("Shop"), demonstrator.show("Shop"), clock], title=lambda app: app.split(".")[-1]
    )
    assert [app.package for app in device.apps()] == ["org.example.shop", "org.example.clock"]
    device.perform(OpenApp("CLOCK"))
    assert pages(device) == "Clock"
    device.perform(OpenApp("org.example.shop"))
    assert pages(device) == "Home"
    device.perform(OpenApp("nothing"))
    assert pages(device) == "Home"


def test_without_trees_pictures_tell_screens_apart(demonstrator: Demonstrator) -> None:
    device = ReplayDevice([demonstrator.show("Shop", "Kettle", trees=False), demonstrator.show("Shop", trees=False)])
    assert (device.states, device.edges) == (3, 2)
    point = FakeDevice().place("Shop")
    device.perform(Tap(Point(point.x, point.y + 12, point.size)))  # 0.05 of the screen away
    assert pages(device) == "Home"
    device.perform(Tap(Point(point.x, point.y + 9, point.size)))
    assert pages(device) == "List"
    with pytest.raises(UITreeUnavailableError):
        device.tree()


def test_another_look_of_the_same_tree_is_another_screen(demonstrator: Demonstrator, tmp_path: Path) -> None:
    light = demonstrator.show()
    path = tmp_path / "dark.png"
    cv2.imwrite(str(path), np.zeros((240, 108, 3), np.uint8))
    dark = replace(light.steps[0].observation, screenshot=Picture(path, FakeDevice().size))
    other = replace(light, id="dark", steps=(Step(0, dark),))
    assert ReplayDevice([light, other]).states == 2
    assert ReplayDevice([light, replace(light, id="again")]).states == 1


def test_the_clock_in_the_status_bar_does_not_count(demonstrator: Demonstrator) -> None:
    def at(time: str, name: str) -> Episode:
        episode = demonstrator.show()
        seen = episode.steps[0].observation
        assert seen.tree is not None
        clock = UIElement(len(seen.tree), Box(0, 0, 20, 5, seen.size), 0, 1, text=time, package="com.android.systemui")
        tree = replace(seen.tree, elements=(*seen.tree.elements, clock))
        return replace(episode, id=name, steps=(Step(0, replace(seen, tree=tree)),))

    assert ReplayDevice([at("07:00", "a"), at("19:30", "b")]).states == 1


def test_steps_with_nothing_to_see_break_the_way(demonstrator: Demonstrator) -> None:
    episode = demonstrator.show("Shop", "Kettle")
    blind = replace(episode.steps[1], observation=Observation(FakeDevice().size))
    device = ReplayDevice([replace(episode, steps=(episode.steps[0], blind, episode.steps[2]))])
    assert (device.states, device.edges) == (2, 0)
    assert device.graph.ways["1"] == (0, None, 1)
    with pytest.raises(DeviceError, match="has no screen"):
        device.begin("1", 1)
    with pytest.raises(DeviceError, match="nothing to replay"):
        ReplayDevice([replace(episode, steps=(blind,))])


def test_a_tree_alone_is_drawn(demonstrator: Demonstrator) -> None:
    episode = demonstrator.show("Shop")
    steps = tuple(replace(one, observation=replace(one.observation, screenshot=None)) for one in episode.steps)
    device = ReplayDevice([replace(episode, steps=steps)])
    assert cv2.imdecode(np.frombuffer(device.screenshot(), np.uint8), cv2.IMREAD_COLOR).shape == (240, 108, 3)


def test_a_session_sees_and_records_it_like_any_phone(demonstrator: Demonstrator) -> None:
    device = ReplayDevice([demonstrator.show("Shop", "Kettle")])
    shown = threading.Event()
    session = LiveSession(device, shown.set, rest=0.0)
    session.watch_screen = True
    session.mirror.fit(Size(54, 120))
    session.start()
    try:
        assert shown.wait(10)
        acted = session.act(Tap(FakeDevice().place("Shop"))).result(10)
        assert acted.before is not None
        assert acted.before.activity.endswith("Home")
        seen = session.look().result(10)
        assert seen.activity.endswith("List")
        assert (seen.size, seen.matched) == (Size(108, 240), True)
        frame = session.mirror.newest.latest
        assert frame is not None
        assert frame.image.shape == (120, 54, 4)
        assert frame.whole().shape == (240, 108, 3)
    finally:
        session.close()
    with pytest.raises(DeviceLost):
        device.screenshot()


def test_what_recorded_screens_cannot_do_is_said(demonstrator: Demonstrator) -> None:
    device = ReplayDevice([demonstrator.show()])
    with pytest.raises(DeviceError, match="Use a phone"):
        device.rotate()
    with pytest.raises(DeviceError, match="Use a phone"):
        device.install(Path("x.apk"), lambda share: None)


SIZE = Size(100, 200)
HERE, THERE, DOWN = Point(10, 10, SIZE), Point(90, 90, SIZE), Point(10, 90, SIZE)
BUTTON = Box(0, 0, 40, 20, SIZE)
TREE = UITree(
    (
        UIElement(0, Box(0, 0, 100, 200, SIZE)),
        UIElement(1, BUTTON, 0, 1, text="Go", resource_id="id/go", clickable=True),
        UIElement(2, Box(50, 50, 100, 100, SIZE), 0, 1, text="Stop", clickable=True),
    ),
    TreeOrigin.DUMP,
    SIZE,
)


@pytest.mark.parametrize(
    ("recorded", "done", "same"),
    [
        (Tap(HERE, Target(BUTTON, "Go", "id/go")), Tap(Point(39, 19, SIZE)), True),
        (Tap(HERE, Target(BUTTON, "Go", "id/go")), Tap(Point(390, 190, Size(1000, 2000))), True),
        (Tap(HERE, Target(BUTTON, "Go", "id/go")), Tap(Point(41, 19, SIZE)), False),
        (Tap(THERE, Target(Box(80, 120, 99, 130, SIZE), "Go", "id/go")), Tap(HERE), True),
        (Tap(HERE), Tap(Point(35, 5, SIZE)), True),
        (Tap(HERE), Tap(THERE), False),
        (Tap(None, Target(None, "Go")), Tap(None, Target(None, "Go")), True),
        (Tap(HERE), LongPress(HERE), False),
        (DoubleTap(HERE), DoubleTap(HERE), True),
        (Swipe(HERE, DOWN), Swipe(Point(50, 0, SIZE), Point(50, 9, SIZE)), True),
        (Swipe(HERE, DOWN), Swipe(DOWN, HERE), False),
        (Swipe(DOWN, HERE), Scroll(Direction.DOWN), True),
        (Scroll(Direction.LEFT), Scroll(Direction.RIGHT), False),
        (Drag(HERE, THERE), Drag(HERE, THERE), True),
        (Drag(HERE, THERE), Drag(HERE, HERE), False),
        (Type("Größe"), Type("GRÖSSE"), True),
        (Type("a"), OpenApp("a"), False),
        (OpenApp("Clock"), OpenApp("clock"), True),
        (PressKey("back"), PressKey("BACK"), True),
        (PressKey("back"), PressKey("home"), False),
        (Wait(), Wait(), True),
        (AskUser("a"), AskUser("b"), False),
    ],
)
def test_which_recorded_action_an_action_is(recorded: Action, done: Action, same: bool) -> None:
    assert matches(recorded, done, TREE) is same


@pytest.fixture(scope="module")
def sample() -> tuple[ReplayDevice, list[Episode]]:
    source = open_recording(SAMPLE)
    episodes = [source.read(name) for name in sorted(path.name for path in SAMPLE.iterdir() if path.is_dir())]
    return ReplayDevice(episodes), episodes


def test_every_sample_demonstration_can_be_walked_again(sample: tuple[ReplayDevice, list[Episode]]) -> None:
    """From its first screen on, each recorded action shows the recorded next screen, though screens are shared."""
    device, episodes = sample
    screens = sum(len(episode.steps) for episode in episodes)
    assert device.states < screens
    for episode in episodes:
        device.begin(episode.id)
        for step, expected in zip(episode.steps, device.graph.ways[episode.id][1:], strict=False):
            assert step.action is not None
            device.perform(step.action)
            assert device.state.index == expected, (episode.id, step.index)


def test_only_screens_of_one_page_are_one_state(sample: tuple[ReplayDevice, list[Episode]]) -> None:
    device, episodes = sample
    by_id = {episode.id: episode for episode in episodes}
    for name, way in device.graph.ways.items():
        for step, index in zip(by_id[name].steps, way, strict=True):
            assert index is not None
            assert device.graph.states[index].observation.activity == step.observation.activity


@pytest.mark.parametrize("folder", ["rico_traces", "llamatouch", "aitz_coat", "androidarena"])
def test_real_demonstrations_can_be_walked_again(folder: str, real_data: Path) -> None:
    from stepscope.app.services.live.replaying import read_episodes

    if not (real_data / folder).is_dir():
        pytest.skip(f"{folder} is not among the real samples")
    episodes = read_episodes(real_data / folder)
    device = ReplayDevice(episodes)
    for episode in episodes:
        way = device.graph.ways[episode.id]
        for place, (step, here, there) in enumerate(zip(episode.steps, way, way[1:], strict=False)):
            if here is not None and there is not None and step.action is not None:
                device.begin(episode.id, place)
                device.perform(step.action)
                assert device.state.index == there, (episode.id, step.index, step.action)
