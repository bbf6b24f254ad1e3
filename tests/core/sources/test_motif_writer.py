"""What is written in MoTIF's layout is read back by the reader of MoTIF, and what cannot be is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    LongPress,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Type,
    action_end,
    action_point,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import (
    Ask,
    Episode,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Picture,
    Platform,
    Problem,
    Step,
)
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.errors import UsageError
from stepscope.core.sources.motif import open_motif
from stepscope.core.sources.motif_writer import NO_APP, trace_id, write_motif

SIZE = Size(108, 240)
APP = "org.example.shop"


def element(index: int, box: tuple[float, float, float, float], size: Size = SIZE, **words: object) -> UIElement:
    return UIElement(index, Box(*box, size), 0 if index else -1, min(index, 1), **words)  # type: ignore[arg-type]


def tree(*elements: UIElement, size: Size = SIZE) -> UITree:
    whole = element(0, (0, 0, size.width, size.height), size, class_name="android.widget.FrameLayout")
    return UITree((whole, *elements), TreeOrigin.DUMP, size)


def field(text: str, index: int = 1) -> UIElement:
    return element(index, (10, 40, 98, 60), text=text, editable=True, class_name="Entry", resource_id="id/name")


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    path = tmp_path_factory.mktemp("picture") / "screen.png"
    pixels = np.zeros((240, 108, 3), np.uint8)
    pixels[:120] = 200
    cv2.imwrite(str(path), pixels)
    return Picture(path, SIZE)


def episode(picture: Picture | None, *actions: Action | None, seen: UITree | None = None) -> Episode:
    steps = [
        Step(index, Observation(SIZE, picture, seen or tree(), float(index), f"{APP}/.Main"), action)
        for index, action in enumerate(actions)
    ]
    return Episode("buy", "recording", Platform.ANDROID, "Buy a kettle", tuple(steps), APP)


def back(root: Path) -> Episode:
    source = open_motif(root)
    (row,) = [row for row in source.scan() if not isinstance(row, Problem)]
    return source.read(row.id)


def test_the_files_are_those_of_motif(picture: Picture, tmp_path: Path) -> None:
    button = element(1, (10, 20, 50, 40), text="Buy", clickable=True, content_description="buy it")
    written = write_motif(episode(picture, Tap(Point(27, 30, SIZE)), None, seen=tree(button)), tmp_path)
    assert written.folder == tmp_path / APP / trace_id(episode(picture))
    assert sorted(str(path.relative_to(written.folder)) for path in written.folder.rglob("*.*")) == [
        "metadata.json", "screens/0000.jpg", "screens/0001.jpg", "trace_info.json", "view_hierarchies/0000.jpg",
        "view_hierarchies/0001.jpg",
    ]  # fmt: skip
    metadata = json.loads((written.folder / "metadata.json").read_text())
    assert metadata == {"gestures": {"0000.jpg": [[0.25, 0.125]], "0001.jpg": []}}
    info = json.loads((written.folder / "trace_info.json").read_text())
    assert info == {"trace_type": "action", "task_command": "Buy a kettle", "seconds_spent": 1.0}
    form = json.loads((written.folder / "view_hierarchies" / "0000.jpg").read_text())
    assert form["activity_name"] == f"{APP}/.Main"
    root = form["activity"]["root"]
    assert root["bounds"] == [0, 0, 108, 305]  # 65 pixels of status bar above the picture
    assert root["children"][0]["children"][0]["bounds"] == [10, 85, 50, 105]
    assert written.losses == ()


def test_boxes_words_and_flags_come_back(picture: Picture, tmp_path: Path) -> None:
    seen = tree(
        element(1, (10, 20.5, 50, 40), text="Buy", resource_id="id/buy", package=APP, clickable=True, enabled=False),
        element(2, (0, 50, 108, 240), scrollable=True, class_name="android.widget.ListView", selected=True),
        field("kettle", 3),
        element(4, (5, 5, 9, 9), visible=False, long_clickable=True, focused=True, content_description="gone"),
    )
    write_motif(episode(picture, None, seen=seen), tmp_path)
    read = back(tmp_path).steps[0].observation
    assert read.size == SIZE
    assert read.tree is not None
    assert read.activity == f"{APP}/.Main"
    for before, after in zip(seen, read.tree.elements[1:], strict=True):
        assert after == replace(before, index=after.index, parent=before.parent + 1, depth=before.depth + 1)


def test_a_picture_is_kept_whole(picture: Picture, tmp_path: Path) -> None:
    write_motif(episode(picture, None), tmp_path)
    shown = back(tmp_path).steps[0].observation.screenshot
    assert shown is not None
    pixels = cv2.imread(str(shown.path))
    assert pixels.shape == (240, 108, 3)
    assert abs(int(pixels[60, 50, 0]) - 200) <= 2
    assert pixels[180, 50, 0] <= 2


def test_a_jpeg_is_copied(picture: Picture, tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    cv2.imwrite(str(path), cv2.imread(str(picture.path)))
    written = write_motif(episode(Picture(path, SIZE), None), tmp_path / "out")
    assert (written.folder / "screens" / "0000.jpg").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "said",
    [
        Feasibility(),
        Feasibility(FeasibilityLabel.FEASIBLE, None, ("Which one?",)),
        Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE),
        Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which one?", "When?")),
        Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.PREMATURE, ("First log in?",)),
        Feasibility(FeasibilityLabel.INFEASIBLE),
    ],
)
def test_goal_and_feasibility_come_back(said: Feasibility, picture: Picture, tmp_path: Path) -> None:
    write_motif(replace(episode(picture, None), feasibility=said, goal="Größer «машина» 🙂"), tmp_path)
    read = back(tmp_path)
    assert (read.goal, read.feasibility, read.app) == ("Größer «машина» 🙂", said, APP)
    assert read.problems == ()


def test_typed_text_is_found_in_the_next_screens_field(picture: Picture, tmp_path: Path) -> None:
    steps = [
        Step(0, Observation(SIZE, picture, tree(field(""))), Type("kettle", Point(50, 50, SIZE))),
        Step(1, Observation(SIZE, picture, tree(field("kettle"))), Type("steel")),
        Step(2, Observation(SIZE, picture, tree(field("steel"))), Finish()),
    ]
    written = write_motif(replace(episode(picture), steps=tuple(steps)), tmp_path)
    read = [step.action for step in back(tmp_path).steps]
    assert [action.text if isinstance(action, Type) else action for action in read] == ["kettle", "steel", None]
    assert [loss.step for loss in written.losses] == [0, 1, 2]


def test_what_motif_cannot_hold_is_said(picture: Picture, tmp_path: Path) -> None:
    here, there = Point(20, 30, SIZE), Point(20, 130, SIZE)
    actions = [
        LongPress(here), DoubleTap(here), Drag(here, there), Scroll(Direction.DOWN), PressKey("back"),
        AskUser("Which?"), Swipe(here, Point(21, 30, SIZE)), Tap(Point(-5, 30, SIZE)), Tap(here), Swipe(here, there),
    ]  # fmt: skip
    told = replace(
        episode(picture, *actions),
        asks=(Ask(5, "Which?", "That"),),
        splits=("train",),
        original_goal="more",
        problems=(Problem("a gap"),),
    )
    written = write_motif(told, tmp_path)
    losses = [(loss.step, loss.message) for loss in written.losses]
    assert losses == [
        (0, "a long press is a slow tap in MoTIF"),
        (1, "a double tap is a tap in MoTIF"),
        (2, "a drag is a swipe in MoTIF"),
        (3, "a scroll without a gesture is written as a swipe"),
        (4, "MoTIF has no press key: the step has no gesture"),
        (5, "MoTIF has no ask: the step has no gesture"),
        (6, "so short a swipe is a tap in MoTIF"),
        (7, "the touch lay off the screen and was moved to its edge"),
        (5, "the question and its answer"),
        (None, "splits, which MoTIF keeps in tables"),
        (None, "the original goal"),
        (None, "known problems (1)"),
    ]
    read = [type(step.action) for step in back(tmp_path).steps]
    assert read == [Tap, Tap, Swipe, Swipe, type(None), type(None), Tap, Tap, Tap, Swipe]
    scrolled = back(tmp_path).steps[3].action
    assert isinstance(scrolled, Swipe)
    assert scrolled.direction is Direction.UP  # the finger goes up to show what is below


def test_missing_pictures_and_trees_cost_themselves(picture: Picture, tmp_path: Path) -> None:
    gone = Picture(tmp_path / "gone.png", SIZE)
    steps = [
        Step(0, Observation(SIZE, gone, tree()), Tap(Point(20, 30, SIZE))),
        Step(1, Observation(SIZE, picture, None), Tap(Point(20, 30, SIZE))),
        Step(2, Observation(SIZE, None, tree()), None),
    ]
    written = write_motif(replace(episode(picture), steps=tuple(steps)), tmp_path)
    messages = [(loss.step, loss.message.split(":")[0]) for loss in written.losses]
    assert messages == [
        (0, "the screenshot cannot be read"),
        (1, "there is no UI tree"),
        (2, "there is no screenshot"),
    ]
    assert [type(step.action) for step in back(tmp_path).steps] == [Tap, Tap, type(None)]


def test_a_turned_screen_lies_in_the_frame_of_the_first(picture: Picture, tmp_path: Path) -> None:
    wide = Size(240, 108)
    path = tmp_path / "wide.png"
    cv2.imwrite(str(path), np.zeros((108, 240, 3), np.uint8))
    button = element(1, (200, 10, 230, 30), wide, text="Turned", clickable=True)
    turned = Observation(wide, Picture(path, wide), tree(button, size=wide))
    steps = (Step(0, Observation(SIZE, picture, tree())), Step(1, turned, Tap(Point(210, 20, wide))))
    write_motif(replace(episode(picture), steps=steps), tmp_path / "out")
    read = back(tmp_path / "out").steps[1].action
    assert isinstance(read, Tap)
    assert read.target is not None
    assert read.target.text == "Turned"
    assert read.target.box is not None
    box = read.target.box
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((200, 10, 230, 30), abs=0.01)


def test_names_of_apps_and_traces(picture: Picture, tmp_path: Path) -> None:
    strange = replace(episode(picture, None), app="../../etc")
    assert write_motif(strange, tmp_path).folder.parent == tmp_path / NO_APP
    own = "0a1b2c3d-0000-4000-8000-0123456789ab"
    assert trace_id(replace(strange, id=own)) == own
    assert trace_id(strange) == trace_id(strange) != trace_id(replace(strange, id="other"))
    with pytest.raises(UsageError, match="not empty"):
        write_motif(strange, tmp_path)
    write_motif(strange, tmp_path, overwrite=True)
    for wrong in (replace(strange, steps=()), replace(strange, platform=Platform.WEB)):
        with pytest.raises(UsageError, match="cannot be a MoTIF trace"):
            write_motif(wrong, tmp_path)


shares = st.floats(0, 1)


@st.composite
def gestures(draw: st.DrawFn, size: Size) -> Action | None:
    """A tap, a swipe that is long enough to be one, or nothing."""
    start = Point.from_fraction(draw(shares), draw(shares), size)
    end = Point.from_fraction(draw(shares), draw(shares), size)
    if start.distance_in_fractions(end) > 0.0101:
        return draw(st.sampled_from([None, Tap(start), Swipe(start, end)]))
    return draw(st.sampled_from([None, Tap(start)]))


@settings(max_examples=settings().max_examples // 5)
@given(st.data())
def test_actions_come_back_within_a_pixel(picture: Picture, tmp_path: Path, data: st.DataObject) -> None:
    """The recording's places may lie on another size than its picture."""
    steps = []
    for index in range(data.draw(st.integers(1, 4))):
        size = data.draw(st.builds(Size, st.integers(100, 3000), st.integers(100, 3000)))
        shown = data.draw(st.sampled_from([picture, None]))
        own = size if shown is None else SIZE
        steps.append(Step(index, Observation(size, shown, tree(size=own)), data.draw(gestures(size))))
    write_motif(replace(episode(picture), steps=tuple(steps)), tmp_path, overwrite=True)
    read = back(tmp_path)
    assert len(read.steps) == len(steps)
    for before, after in zip(steps, read.steps, strict=True):
        assert type(after.action) is type(before.action)
        if before.action is not None and after.action is not None:
            for place in (action_point, action_end):
                one, other = place(before.action), place(after.action)
                assert (one is None) == (other is None)
                if one is not None and other is not None:
                    there = one.rescaled(after.observation.size)
                    assert abs(there.x - other.x) < 1
                    assert abs(there.y - other.y) < 1
