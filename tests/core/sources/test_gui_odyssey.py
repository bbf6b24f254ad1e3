"""GUI-Odyssey: thousandths become pixels of each picture, both releases are read, broken parts are named."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Finish, FinishStatus, LongPress, PressKey, Swipe, Tap, Type
from stepscope.core.domain.episode import Episode, FeasibilityLabel, InfeasibilityReason, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.gui_odyssey import FORMAT, open_gui_odyssey, outline, read_episode
from stepscope.core.sources.look import FolderScan

ID = "0141544666483837"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def annotation(*steps: dict[str, Any], episode_id: str = ID) -> dict[str, Any]:
    """An annotation with the keys of the data set's own description, in its order."""
    return {
        "episode_id": episode_id,
        "device_info": {
            "product": "sdk_gphone64_x86_64",
            "release_version": "14",
            "sdk_version": "34",
            "h": 1280,
            "w": 720,
            "device_name": "Small Phone",
        },
        "task_info": {
            "category": "Information_Management",
            "app": ["Chrome", "Google Docs"],
            "meta_task": "Look up {} and plan.",
            "task": "Look up the tides and plan.",
            "instruction": "Use Chrome to look up the tides, then plan the week in Google Docs.",
        },
        "step_length": len(steps),
        "steps": [
            {"step": number, "screenshot": f"{episode_id}_{number}.png", **step} for number, step in enumerate(steps)
        ],
    }


STEPS: tuple[dict[str, Any], ...] = (
    {
        "action": "CLICK",
        "info": [[250, 125]],
        "ps": "",
        "sam2_bbox": [200, 100, 325, 160],
        "low_level_instruction": "Open the browser.",
        "description": "The home screen.",
        "intention": "to begin",
        "context": "",
    },
    {"action": "TEXT", "info": "tides in Brest", "ps": "", "sam2_bbox": []},
    {"action": "SCROLL", "info": [[563, 867], [522, 401]], "ps": "[(563, 867), (522, 401)]", "sam2_bbox": ""},
    {"action": "LONG_PRESS", "info": [[1000, 5]], "ps": "", "sam2_bbox": None},
    {"action": "CLICK", "info": "KEY_APPSELECT", "ps": ""},
    {"action": "COMPLETE", "info": "", "ps": ""},
)


@pytest.fixture
def root(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """One episode of six screens of 360 × 800, a frame unlike the device's 720 × 1280, and four split files."""
    folder = tmp_path / "some data"
    write_json(folder / "annotations" / f"{ID}.json", annotation(*STEPS))
    for index in range(len(STEPS)):
        write_picture(folder / "screenshots" / f"{ID}_{index}.png", 360, 800)
    for name, part in (("app", "test"), ("task", "train"), ("random", "train"), ("device", "test")):
        write_json(folder / "splits" / f"{name}_split.json", {"train": [], "test": [], part: [f"{ID}.json"]})
    return folder


def read(root: Path) -> Episode:
    return open_gui_odyssey(root).read(ID)


def rewrite(root: Path, **changes: Any) -> None:
    path = root / "annotations" / f"{ID}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_an_episode_in_full(root: Path) -> None:
    episode = read(root)
    assert (episode.id, episode.format, episode.platform, episode.problems) == (ID, "gui_odyssey", Platform.ANDROID, ())
    assert episode.goal == "Use Chrome to look up the tides, then plan the week in Google Docs."
    assert episode.app == "Chrome, Google Docs"
    assert episode.splits == (
        "random/train", "task/train", "device/test", "app/test", "category/Information_Management",
    )  # fmt: skip
    assert episode.feasibility.label is FeasibilityLabel.FEASIBLE
    actions: list[Any] = [step.action for step in episode.steps]
    tap, typed, swipe, press, recents, end = actions
    assert isinstance(tap, Tap) and (tap.point.x, tap.point.y) == (90, 100)  # type: ignore[union-attr]
    assert (tap.target.box.left, tap.target.box.top, tap.target.box.right, tap.target.box.bottom) == (72, 80, 117, 128)  # type: ignore[union-attr]
    assert typed == Type("tides in Brest")
    assert isinstance(swipe, Swipe) and swipe.target is None
    assert [swipe.point.x, swipe.point.y, swipe.to.x, swipe.to.y] == pytest.approx([202.68, 693.6, 187.92, 320.8])
    assert swipe.direction == "up"
    assert isinstance(press, LongPress) and (press.point.x, press.point.y) == (360, 4)  # type: ignore[union-attr]
    assert (recents, end) == (PressKey("recents"), Finish(FinishStatus.COMPLETE))
    assert [step.instruction for step in episode.steps] == ["Open the browser.", *[None] * 5]
    assert {step.observation.size for step in episode.steps} == {Size(360, 800)}


def test_the_first_release_writes_a_click_twice_and_has_no_boxes(root: Path) -> None:
    rewrite(
        root,
        step_length=1,
        steps=[
            {
                "step": 0,
                "screenshot": f"{ID}_0.png",
                "action": "CLICK",
                "info": [[719, 762], [719, 762]],
                "ps": "[(719, 762)]",
            }
        ],
    )
    (step,) = read(root).steps
    assert isinstance(step.action, Tap) and step.action.point is not None and step.action.target is None
    assert (step.action.point.x, step.action.point.y) == pytest.approx((258.84, 609.6))


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"action": "CLICK", "info": "KEY_HOME"}, PressKey("home")),
        ({"action": "CLICK", "info": "KEY_BACK"}, PressKey("back")),
        ({"action": "CLICK", "info": "KEY_RECENT"}, PressKey("recents")),
        ({"action": "LONG_PRESS", "info": "KEY_HOME"}, PressKey("home")),
        ({"action": "HOME", "info": ""}, PressKey("home")),
        ({"action": "BACK"}, PressKey("back")),
        ({"action": "TYPE", "info": "a: b"}, Type("a: b")),
        ({"action": "TEXT", "info": ""}, Type("")),
        ({"action": "INCOMPLETE", "info": ""}, Finish(FinishStatus.IMPOSSIBLE)),
        ({"action": "IMPOSSIBLE"}, Finish(FinishStatus.IMPOSSIBLE)),
    ],
)
def test_kinds_of_both_releases_and_of_the_documentation(root: Path, fields: dict[str, Any], action: object) -> None:
    rewrite(root, step_length=1, steps=[{"step": 0, "screenshot": f"{ID}_0.png", **fields}])
    episode = read(root)
    assert (episode.steps[0].action, episode.problems) == (action, ())


def test_a_task_given_up_is_infeasible(root: Path) -> None:
    rewrite(root, step_length=1, steps=[{"step": 0, "screenshot": f"{ID}_0.png", "action": "INCOMPLETE", "info": ""}])
    feasibility = read(root).feasibility
    assert (feasibility.label, feasibility.reason) == (FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"action": "CLICK", "info": ""}, "CLICK needs a point or a key"),
        ({"action": "CLICK", "info": [[1]]}, "a point has 2 numbers"),
        ({"action": "CLICK", "info": [[float("nan"), 3]]}, "numbers of a screen"),
        ({"action": "CLICK", "info": [[True, 3]]}, "numbers of a screen"),
        ({"action": "CLICK", "info": [[10**400, 3]]}, "numbers of a screen"),
        ({"action": "SCROLL", "info": [[1, 2]]}, "SCROLL needs two points"),
        ({"action": "SCROLL", "info": "UP"}, "SCROLL needs two points"),
        ({"action": "TEXT", "info": [[1, 2]]}, "TEXT needs a text"),
        ({"action": "DANCE", "info": ""}, "'DANCE' is not known"),
        ({"info": ""}, "names no action"),
    ],
)
def test_an_action_that_cannot_be_read_is_named_and_the_rest_opens(
    root: Path, fields: dict[str, Any], words: str
) -> None:
    shot = {"screenshot": f"{ID}_0.png"}
    rewrite(root, step_length=2, steps=[{**shot, **fields}, {**shot, "action": "BACK"}])
    episode = read(root)
    assert [step.action for step in episode.steps] == [None, PressKey("back")]
    (problem,) = episode.problems
    assert words in problem.message
    assert (problem.step, problem.field, problem.file) == (0, "action", f"annotations/{ID}.json")


@pytest.mark.parametrize("box", [[325, 100, 200, 160], [1, 2, 3], [1, 2, 3, "4"], "200,100", [float("inf")] * 4])
def test_a_bad_box_costs_the_target_only(root: Path, box: object) -> None:
    rewrite(root, step_length=1, steps=[{**STEPS[0], "step": 0, "screenshot": f"{ID}_0.png", "sam2_bbox": box}])
    episode = read(root)
    action = episode.steps[0].action
    assert isinstance(action, Tap) and action.point is not None and action.target is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "sam2_bbox")]


def test_without_its_picture_a_step_takes_the_frame_of_the_others_and_then_that_of_the_device(root: Path) -> None:
    (root / "screenshots" / f"{ID}_0.png").unlink()
    (root / "screenshots" / f"{ID}_1.png").write_text(LFS)
    episode = read(root)
    assert episode.steps[0].observation.screenshot is None and episode.steps[0].observation.size == Size(360, 800)
    assert [(problem.step, problem.field, problem.file) for problem in episode.problems] == [
        (0, "screenshot", f"screenshots/{ID}_0.png"),
        (1, "screenshot", f"screenshots/{ID}_1.png"),
    ]
    assert "git-lfs" in episode.problems[1].message
    for file in (root / "screenshots").iterdir():
        file.unlink()
    action = read(root).steps[0].action
    assert isinstance(action, Tap) and action.point is not None
    assert (action.point.x, action.point.y, action.point.size) == (180, 160, Size(720, 1280))


def test_each_picture_has_its_own_frame(root: Path, write_picture: Any) -> None:
    write_picture(root / "screenshots" / f"{ID}_0.png", 800, 360)
    action = read(root).steps[0].action
    assert isinstance(action, Tap) and action.point is not None
    assert (action.point.x, action.point.y) == (200, 45)


def test_pictures_in_the_folders_that_they_are_delivered_in(root: Path) -> None:
    for index in range(len(STEPS)):
        home = root / "screenshots" / f"data_{index % 2 + 9}"
        home.mkdir(exist_ok=True)
        (root / "screenshots" / f"{ID}_{index}.png").rename(home / f"{ID}_{index}.png")
    episode = read(root)
    assert episode.problems == ()
    assert [step.observation.screenshot.path.parent.name for step in episode.steps if step.observation.screenshot] == [
        "data_9", "data_10", "data_9", "data_10", "data_9", "data_10",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..\\x.png", "a\0b", "~/x.png", "", 7, None])
def test_a_name_that_leads_out_is_refused(root: Path, name: object) -> None:
    rewrite(root, step_length=1, steps=[{"screenshot": name, "action": "BACK"}])
    episode = read(root)
    assert episode.steps[0].observation.screenshot is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "screenshot")]


def test_what_the_file_says_of_itself_is_compared(root: Path) -> None:
    rewrite(root, step_length=9, episode_id="12")
    path = root / "annotations" / f"{ID}.json"
    form = json.loads(path.read_text())
    form["steps"][3]["step"] = 30
    path.write_text(json.dumps(form))
    assert [(problem.field, problem.step) for problem in read(root).problems] == [
        ("steps", None), ("episode_id", None), ("step", 3),
    ]  # fmt: skip


def test_rows_come_from_the_annotation_alone(root: Path, rows: Any, write_json: Any) -> None:
    second = annotation({"action": "BACK", "info": "", "screenshot": "gone.png"}, episode_id="0002")
    write_json(root / "annotations" / "0002.json", second)
    (root / "annotations" / "0003.json").write_text(json.dumps(annotation(*STEPS, episode_id="0003"))[:700])
    episodes, problems = rows(open_gui_odyssey(root))
    assert [(row.id, row.steps, row.screens, row.checked, row.place) for row in episodes] == [
        ("0002", 1, 1, False, "annotations/0002.json"),
        (ID, 6, 6, False, f"annotations/{ID}.json"),
    ]
    assert episodes[1].actions == (
        ("tap", 1), ("type", 1), ("swipe", 1), ("long_press", 1), ("press_key", 1), ("finish", 1),
    )  # fmt: skip
    assert [(problem.episode, problem.file) for problem in problems] == [("0003", "annotations/0003.json")]
    assert "broken JSON" in problems[0].message


def test_a_broken_split_file_is_told_and_the_others_count(root: Path) -> None:
    (root / "splits" / "device_split.json").write_text('{"train": [')
    (root / "splits" / "app_split.json").write_text("[]")
    episode = read(root)
    assert episode.splits == ("random/train", "task/train", "category/Information_Management")
    assert [(problem.field, problem.file) for problem in episode.problems] == [
        ("splits", "splits/device_split.json"), ("splits", "splits/app_split.json"),
    ]  # fmt: skip


def test_one_annotation_file_opens_by_itself(root: Path, rows: Any) -> None:
    path = root / "annotations" / f"{ID}.json"
    assert FORMAT.sniff(FolderScan(path))
    episodes, problems = rows(open_gui_odyssey(path))
    assert ([row.id for row in episodes], problems) == ([ID], [])
    assert open_gui_odyssey(path).read(ID).problems == ()


def test_only_annotations_are_taken_for_annotations(root: Path, write_json: Any, tmp_path: Path) -> None:
    assert FORMAT.sniff(FolderScan(root)) and FORMAT.sniff(FolderScan(root / "annotations"))
    write_json(tmp_path / "other" / "all_anno.json", [annotation(*STEPS)])
    write_json(tmp_path / "other" / "123.json", {"episode_id": 1, "steps": []})
    assert not FORMAT.sniff(FolderScan(tmp_path / "other"))
    assert not FORMAT.sniff(FolderScan(root / "splits"))


PARTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["KEY_HOME", "TEXT"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def places(form: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all values in a JSON value."""
    found = [path] if path else []
    items = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    for key, value in items:
        found += places(value, (*path, key))
    return found


def mutated(form: Any, changes: list[tuple[int, Any, bool]]) -> Any:
    """`form` with some of its values replaced or taken away."""
    form = copy.deepcopy(form)
    for number, value, gone in changes:
        found = places(form)
        if not found:
            return form
        *way, last = found[number % len(found)]
        holder = form
        for key in way:
            holder = holder[key]
        if gone:
            del holder[last]
        else:
            holder[last] = value
    return form


@given(st.lists(st.tuples(st.integers(0, 10_000), PARTS, st.booleans()), min_size=1, max_size=4))
@example([(0, 10**400, False)])
@example([(30, "\ud800", False)])
def test_any_annotation_is_an_episode_or_a_source_error(tmp_path: Path, changes: list[tuple[int, Any, bool]]) -> None:
    path = tmp_path / "fuzz" / "annotations" / f"{ID}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(mutated(annotation(*STEPS), changes)))
    for reader in (read_episode, outline):
        with contextlib.suppress(SourceError):
            assert reader(path, ID).id == ID  # type: ignore[operator]


@given(st.binary(max_size=200) | st.binary(max_size=40).map(lambda end: json.dumps(annotation()).encode()[:-20] + end))
def test_any_bytes_are_an_episode_or_a_source_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "fuzz" / "annotations" / f"{ID}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    FORMAT.sniff(FolderScan(path))
    with contextlib.suppress(SourceError):
        read_episode(path, ID)
