"""AndroidWorld: results are read without AndroidWorld; indices, places and pictures are the recorded ones."""

from __future__ import annotations

import datetime
import gzip
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Encoding, Episode, Platform, Slice
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.decode import decode
from stepscope.core.sources.android_world import FORMAT, load, open_android_world, outline
from stepscope.core.sources.look import FolderScan

SCREEN = Size(180, 160)
SAVE = Target(Box(20, 30, 71, 62, SCREEN), "Save", "a:id/save")
NAME = Target(Box(100, 90, 170, 150, SCREEN), "Name")


def _classes() -> tuple[Any, ...]:
    """Classes that pickle under AndroidWorld's names, with the fields that its releases have."""
    box = make_dataclass("BoundingBox", [("x_min", float), ("x_max", float), ("y_min", float), ("y_max", float)])
    texts = ["text", "content_description", "class_name", "hint_text", "package_name", "resource_name"]
    flags = ["is_clickable", "is_editable", "is_enabled", "is_scrollable", "is_visible"]
    fields: list[Any] = [(name, Any, None) for name in [*texts, "bbox", "bbox_pixels", *flags]]
    element = make_dataclass("UIElement", fields)
    names = ["action_type", "index", "x", "y", "text", "direction", "goal_status", "app_name", "keycode"]
    action = make_dataclass("JSONAction", [(name, Any, None) for name in names])
    chosen = make_dataclass("SeeActElement", [("description", str), ("ui_element", Any, None), ("index", int, -1)])
    for made, module in (
        (box, "android_world.env.representation_utils"),
        (element, "android_world.env.representation_utils"),
        (action, "android_world.env.json_action"),
        (chosen, "android_world.agents.seeact_utils"),
    ):
        made.__module__ = module
    return box, element, action, chosen


BoundingBox, UIElement, JSONAction, SeeActElement = _classes()


@dataclass
class Response:
    """A language model's answer: an object of a class that the reader never heard of."""

    status: int = 200


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names are importable while pickles are written; reading must not need them."""
    monkeypatch.setattr(Response, "__module__", "llm.models")
    for made in (BoundingBox, UIElement, JSONAction, SeeActElement, Response):
        parts = made.__module__.split(".")
        for count in range(1, len(parts) + 1):
            name = ".".join(parts[:count])
            monkeypatch.setitem(sys.modules, name, sys.modules.get(name) or ModuleType(name))
        setattr(sys.modules[made.__module__], made.__name__, made)


def pixels(first: int, height: int = SCREEN.height, width: int = SCREEN.width) -> Any:
    return ((np.arange(height * width * 3, dtype=np.uint32) + first) % 251).astype(np.uint8).reshape(height, width, 3)


def element(
    left: float, top: float, right: float, bottom: float, width: int = 180, height: int = 160, **more: Any
) -> Any:
    return UIElement(
        bbox=BoundingBox(left / width, right / width, top / height, bottom / height),
        bbox_pixels=BoundingBox(left, right, top, bottom),
        **{"is_visible": True, "is_enabled": True, **more},
    )


ELEMENTS = [
    element(0, 0, 180, 160, class_name="android.widget.FrameLayout", package_name="com.android.systemui"),
    element(20, 30, 71, 62, text="Save", resource_name="a:id/save", is_clickable=True, package_name="com.files"),
    UIElement(text="nowhere"),
    element(100, 90, 170, 150, hint_text="Name", is_editable=True, package_name="com.files"),
]


def episode(actions: list[Any], **more: Any) -> dict[str, Any]:
    count = len(actions)
    data = {
        "raw_screenshot": [pixels(step) for step in range(count)],
        "before_screenshot_with_som": [pixels(100 + step) for step in range(count)],
        "before_ui_elements": [ELEMENTS] * count,
        "action_output": [f"Reason: why {step}\nAction: {{}}" for step in range(count)],
        "action_output_json": actions,
        "action_raw_response": [Response()] * count,
        "summary": [None] * count,
        "step_number": list(range(count)),
    }
    return {
        "goal": "Save the file.",
        "task_template": "FilesSave",
        "episode_data": data,
        "is_successful": np.float64(1.0),
        "run_time": 3.5,
        "finish_dtime": datetime.datetime(2024, 6, 1, 12, 0),
        "episode_length": count,
        "aux_data": None,
        "screen_config": {"width": 1080, "height": 2400, "orientation": "portrait", "config_name": "default"},
        "exception_info": None,
        "seed": 30,
        "agent_name": "m3a_gpt4v",
        "instance_id": 0,
        **more,
    }


ACTIONS = [
    JSONAction(action_type="open_app", app_name="Files"),
    JSONAction(action_type="click", index=1),
    JSONAction(action_type="status", goal_status="complete"),
]


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def write(form: object, name: str = "FilesSave_0.pkl.gz", protocol: int = 4) -> Path:
        path = tmp_path / "run_20240601" / name
        path.parent.mkdir(exist_ok=True)
        data = pickle.dumps(form, protocol)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def read(path: Path, id: str = "FilesSave_0") -> Episode:
    return open_android_world(path).read(id)


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_an_episode_in_full(save: Any, protocol: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save([episode(ACTIONS)], protocol=protocol)
    for name in [name for name in sys.modules if name.startswith(("android_world", "llm"))]:
        monkeypatch.delitem(sys.modules, name)
    found = read(path)
    assert (found.goal, found.app, found.platform) == ("Save the file.", "Files", Platform.ANDROID)
    assert found.splits == ("result/success", "agent/m3a_gpt4v")
    assert [problem.message for problem in found.problems] == [
        "1 element left out: bounds that are no numbers of a screen"
    ] * 3
    box = Box(20, 30, 71, 62, SCREEN)
    assert [step.action for step in found.steps] == [
        OpenApp("Files"),
        Tap(Point(45, 46, SCREEN), Target(box, "Save", "a:id/save")),
        Finish(FinishStatus.COMPLETE),
    ]
    assert [step.instruction for step in found.steps] == ["why 0", "why 1", "why 2"]


@pytest.mark.parametrize("name", ["FilesSave_0.pkl.gz", "FilesSave_0.pkl"])
def test_a_screenshot_is_its_place_in_the_inflated_file(save: Any, name: str) -> None:
    path = save([episode(ACTIONS)], name)
    data = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    for number, step in enumerate(read(path).steps):
        picture = step.observation.screenshot
        assert picture is not None and picture.size == SCREEN and isinstance(picture.part, Slice)
        assert (picture.part.gzip, picture.part.encoding) == (name.endswith(".gz"), Encoding.RGB)
        assert data[picture.part.offset : picture.part.offset + picture.part.length] == pixels(number).tobytes()


def test_a_screenshot_is_decoded_from_the_gzip_file(save: Any) -> None:
    picture = read(save([episode(ACTIONS)])).steps[2].observation.screenshot
    assert picture is not None and np.array_equal(decode(picture), pixels(2))


def test_small_screenshots_have_a_place_too(save: Any) -> None:
    form = episode(ACTIONS[:1])
    form["episode_data"]["raw_screenshot"] = [pixels(5, 7, 3)]
    path = save([form])
    picture = read(path).steps[0].observation.screenshot
    assert picture is not None and picture.size == Size(3, 7) and isinstance(picture.part, Slice)
    data = gzip.decompress(path.read_bytes())
    assert data[picture.part.offset :][:63] == pixels(5, 7, 3).tobytes()


def test_elements_are_a_flat_tree_in_pixels(save: Any) -> None:
    tree = read(save([episode(ACTIONS)])).steps[0].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.ACCESSIBILITY
    assert [(e.text, e.content_description, e.clickable, e.editable) for e in tree] == [
        ("", "", False, False),
        ("Save", "", True, False),
        ("", "Name", False, True),
    ]
    assert tree.elements[2].box == Box(100, 90, 170, 150, SCREEN)


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"action_type": "click", "x": 30, "y": 40}, Tap(Point(30, 40, SCREEN), SAVE)),
        ({"action_type": "double_tap", "index": "1"}, DoubleTap(Point(45, 46, SCREEN), SAVE)),
        ({"action_type": "long_press", "index": np.int64(3)}, LongPress(Point(135, 120, SCREEN), NAME)),
        ({"action_type": "click", "index": 2}, Tap(None, Target(None, "", "[2]"))),
        ({"action_type": "input_text", "text": "a b", "index": 3}, Type("a b", Point(135, 120, SCREEN), NAME)),
        ({"action_type": "input_text", "text": "a b"}, Type("a b")),
        ({"action_type": "scroll", "direction": "down"}, Scroll(Direction.DOWN)),
        (
            {"action_type": "scroll", "direction": "left", "index": 3},
            Scroll(Direction.LEFT, Point(135, 120, SCREEN), NAME),
        ),
        ({"action_type": "swipe", "direction": "up"}, Swipe(Point(90, 160, SCREEN), Point(90, 0, SCREEN))),
        (
            {"action_type": "swipe", "direction": "left", "x": 3, "y": 4},
            Swipe(Point(0, 80, SCREEN), Point(180, 80, SCREEN)),
        ),
        ({"action_type": "navigate_back"}, PressKey("back")),
        ({"action_type": "navigate_home"}, PressKey("home")),
        ({"action_type": "keyboard_enter"}, PressKey("enter")),
        ({"action_type": "press_keyboard", "keycode": "KEYCODE_DEL"}, PressKey("KEYCODE_DEL")),
        ({"action_type": "answer", "text": "42"}, Say("42")),
        ({"action_type": "wait"}, Wait()),
        ({"action_type": "status", "goal_status": "infeasible"}, Finish(FinishStatus.IMPOSSIBLE)),
    ],
)
@pytest.mark.parametrize("as_dict", [False, True])
def test_actions(save: Any, fields: dict[str, Any], action: Action, as_dict: bool) -> None:
    found = read(save([episode([dict(fields) if as_dict else JSONAction(**fields)])]))
    assert found.steps[0].action == action


@pytest.mark.parametrize(
    "fields",
    [
        {"action_type": "unknown"},
        {"action_type": "click"},
        {"action_type": "click", "index": 4},
        {"action_type": "click", "index": -1},
        {"action_type": "click", "x": float("nan"), "y": 1},
        {"action_type": "scroll", "direction": "in"},
        {"action_type": "status"},
        {},
    ],
)
def test_an_action_that_could_not_be_done_is_a_problem_of_its_step(save: Any, fields: dict[str, Any]) -> None:
    found = read(save([episode([fields, *ACTIONS])]))
    assert found.steps[0].action is None and len(found.steps) == 4
    assert [problem.step for problem in found.problems if problem.field == "action"] == [0]


def test_the_screen_may_be_larger_than_its_screenshot(save: Any) -> None:
    """Bounds on a screen of 360 × 320 that is stored in half its size."""
    form = episode([JSONAction(action_type="click", index=0), JSONAction(action_type="click", x=300, y=64)])
    form["episode_data"]["before_ui_elements"] = [[element(40, 60, 142, 124, 360, 320, text="Save")]] * 2
    by_index, by_place = (step.action for step in read(save([form])).steps)
    assert by_index == Tap(Point(45, 46, SCREEN), Target(Box(20, 30, 71, 62, SCREEN), "Save"))
    assert by_place == Tap(Point(150, 32, SCREEN))


def test_a_turned_screen_tells_no_places(save: Any) -> None:
    form = episode([JSONAction(action_type="click", index=0)])
    form["episode_data"]["before_ui_elements"] = [[element(40, 60, 142, 124, 160, 180, text="Save")]]
    found = read(save([form]))
    assert found.steps[0].observation.tree is None and found.steps[0].action == Tap(None, Target(None, "", "[0]"))
    assert [(problem.step, problem.field) for problem in found.problems] == [(0, "view_hierarchy")]


def test_m3a_of_the_release_lists_its_elements_in_the_prompt_only(save: Any) -> None:
    data = {
        "raw_screenshot": [pixels(0)],
        "action_prompt": [
            'elements:\nUI element 0: {"index": 0, "text": "A, "b"", "is_clickable": True, "is_editable": False}\n'
            'UI element 7: {"index": 7, "content_description": "Menu", "is_clickable": True, "is_checked": False}\nEnd'
        ],
        "action_output": ['Reason: Open the menu.\nAction: {"action_type": "click", "index": 7} done'],
        "step_number": [0],
    }
    (step,) = read(save([episode([], episode_data=data)])).steps
    assert step.action == Tap(None, Target(None, "Menu", "[7]")) and step.instruction == "Open the menu."
    tree = step.observation.tree
    assert tree is not None and [(e.text, e.content_description, e.clickable) for e in tree] == [
        ('A, "b"', "", True),
        ("", "Menu", True),
    ]


def test_seeact_counts_its_own_choice_of_elements(save: Any) -> None:
    data = {
        "ui_elements": [ELEMENTS],
        "screenshot": [pixels(0)],
        "actionable_elements": [[SeeActElement("save", ELEMENTS[1], 0), SeeActElement("name", ELEMENTS[3], 1)]],
        "action": [JSONAction(action_type="click", index=1)],
        "action_description": ["Tap name"],
    }
    (step,) = read(save([episode([], episode_data=data)])).steps
    assert step.action == Tap(Point(135, 120, SCREEN), NAME)
    assert step.instruction == "Tap name"


def test_a_failed_run_has_no_steps_and_says_why(save: Any, rows: Any) -> None:
    broken = {
        "goal": "Go.",
        "task_template": "ClockRun",
        "episode_data": np.nan,
        "is_successful": np.nan,
        "exception_info": "Traceback\nValueError: no device\n",
        "instance_id": 3,
    }
    episodes, problems = rows(open_android_world(save([broken, "?", episode(ACTIONS, is_successful=0.0)]).parent))
    assert [(row.id, row.steps, row.splits[0]) for row in episodes] == [
        ("ClockRun_3", 0, "result/error"),
        ("FilesSave_0", 3, "result/failure"),
    ]
    assert episodes[0].problems[0].message == "the run was broken off: ValueError: no device"
    assert [problem.message for problem in problems] == ["item 1 is no episode"]


def test_an_older_result_is_a_pair_and_ids_are_kept_apart(save: Any, rows: Any) -> None:
    path = save(([episode(ACTIONS), episode(ACTIONS[:1])], ["FilesSave"]), "all.pkl.gz")
    source = open_android_world(path.parent)
    episodes, _ = rows(source)
    assert [(row.id, row.steps, row.screens) for row in episodes] == [("FilesSave_0", 3, 3), ("FilesSave_0~2", 1, 1)]
    assert len(source.read("FilesSave_0~2", episodes[1].place).steps) == 1


@pytest.mark.parametrize(
    "shot",
    [
        lambda: pixels(0).astype(np.float32),
        lambda: pixels(0)[:, :, 0],
        lambda: np.asfortranarray(pixels(0)),
        lambda: np.zeros((0, 5, 3), np.uint8),
        lambda: [[1, 2]],
        lambda: "x" * 9,
    ],
)
def test_other_screenshots_are_refused_by_step(save: Any, shot: Callable[[], object]) -> None:
    form = episode(ACTIONS[:2])
    form["episode_data"]["raw_screenshot"] = [shot(), pixels(1)]
    found = read(save([form]))
    assert [problem.step for problem in found.problems if problem.field == "screenshot"] == [0]
    assert [step.observation.size for step in found.steps] == [SCREEN, SCREEN]


def test_lists_of_unlike_length_are_said(save: Any) -> None:
    form = episode(ACTIONS)
    form["episode_data"]["raw_screenshot"].pop()
    found = read(save([form]))
    assert len(found.steps) == 3 and found.steps[2].observation.screenshot is None
    assert "differ in length" in found.problems[0].message


class Evil:
    def __reduce__(self) -> Any:
        return os.mkdir, ("made by a pickle",)


def test_a_hostile_pickle_runs_nothing(save: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Any) -> None:
    path = save([episode(ACTIONS, aux_data=Evil(), goal=Evil())])
    monkeypatch.chdir(tmp_path)
    episodes, problems = rows(open_android_world(path))
    assert problems == [] and [(row.goal, row.steps) for row in episodes] == [("", 3)]
    assert not (tmp_path / "made by a pickle").exists()


def test_damaged_files_are_one_problem_each(save: Any, rows: Any) -> None:
    path = save([episode(ACTIONS)])
    whole = path.read_bytes()
    (path.parent / "Cut_0.pkl.gz").write_bytes(whole[: len(whole) // 2])
    (path.parent / "Broken_0.pkl.gz").write_bytes(whole[: len(whole) // 2] + b"\0" * 50 + whole[len(whole) // 2 + 50 :])
    episodes, problems = rows(open_android_world(path.parent))
    assert [row.id for row in episodes] == ["FilesSave_0"]
    assert [problem.file for problem in problems] == ["Broken_0.pkl.gz", "Cut_0.pkl.gz"]


def test_other_pickles_are_left_alone(save: Any, tmp_path: Path) -> None:
    assert FORMAT.sniff(FolderScan(save([episode(ACTIONS)])))
    assert not FORMAT.sniff(FolderScan(save([{"task_template": 1}], "other.pkl.gz")))
    assert not FORMAT.sniff(FolderScan(save({"episode_data": []}, "other.pkl")))
    (tmp_path / "text.pkl.gz").write_text("task_template episode_data")
    assert not FORMAT.sniff(FolderScan(tmp_path / "text.pkl.gz"))
    with pytest.raises(SourceError):
        list(outline(save([1, 2], "list.pkl")))


VALUES = (
    st.none()
    | st.integers(-3, 5)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.lists(st.none() | st.integers() | st.dictionaries(st.text(max_size=3), st.integers()), max_size=3)
    | st.sampled_from([ELEMENTS, ACTIONS[1], Response()])
)


@given(data=st.data())
def test_changed_results_are_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    form = episode(ACTIONS)
    form["episode_data"]["raw_screenshot"] = [pixels(0, 4, 5)] * 3
    del form["episode_data"]["before_screenshot_with_som"]
    for _ in range(data.draw(st.integers(1, 3))):
        inside = form["episode_data"]
        part = inside if isinstance(inside, dict) and data.draw(st.booleans()) else form
        name = data.draw(st.sampled_from(list(part)))
        if isinstance(part[name], list) and part[name] and data.draw(st.booleans()):
            part[name] = [*part[name][:-1], data.draw(VALUES)]
        else:
            part[name] = data.draw(VALUES)
    raw = bytearray(pickle.dumps([form], data.draw(st.integers(2, 5))))
    if data.draw(st.booleans()):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "x.pkl"
    path.write_bytes(bytes(raw))
    try:
        list(outline(path))
        found = load(path, "0", "x")
    except SourceError:
        return
    assert [step.index for step in found.steps] == list(range(len(found.steps)))


@pytest.fixture
def small_limits() -> Iterator[None]:
    """They stand for the real ones."""
    limits.choose({"episode-steps": 50, "pickle-values": 20_000, "json-bytes": 100_000})
    yield
    limits.choose({})


ONE_LIST = [{"text": "a", "is_clickable": True}] * 40
REPEATED = {
    "episode-steps": {"action_output": [None] * 51},
    "pickle-values": {"ui_elements": [ONE_LIST] * 40, "action_output": [""] * 40},
    "json-bytes": {"action_prompt": ["p" * 4_000] * 40, "action_output": [""] * 40},
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("name", REPEATED)
def test_what_a_small_pickle_names_again_in_every_step_is_counted_each_time(tmp_path: Path, name: str) -> None:
    """One list of elements, or one prompt, is a few bytes; the steps would each have all of it."""
    form = [{"task_template": "T", "instance_id": 0, "goal": "g", "episode_data": REPEATED[name]}]
    path = tmp_path / "T_0.pkl.gz"
    path.write_bytes(gzip.compress(pickle.dumps(form, 4)))
    with pytest.raises(SourceError, match=f"--limit-{name}"):
        load(path, "0", "T_0")


@pytest.mark.usefixtures("small_limits")
def test_a_result_that_unpacks_to_more_than_its_size_allows_is_refused(tmp_path: Path) -> None:
    limits.choose({"archive-ratio": 1, "archive-bytes": 1 << 20})
    form = [{"task_template": "T", "episode_data": {"screenshot": [np.zeros((1000, 1000, 3), np.uint8)]}}]
    path = tmp_path / "T_0.pkl.gz"
    path.write_bytes(gzip.compress(pickle.dumps(form, 4)))
    with pytest.raises(SourceError, match=r"unpacks to more than .*--limit-archive-bytes 2MB") as told:
        load(path, "0", "T_0")
    assert told.value.place == str(path)
