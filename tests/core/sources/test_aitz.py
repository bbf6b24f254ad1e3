"""AITZ: JSON in JSON, (y, x) order, pixels for boxes and fractions for gestures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Finish, FinishStatus, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.aitz import FORMAT, open_aitz, read_episode
from stepscope.core.sources.look import FolderScan

ID = "13118642174915973036"


def step(
    number: int, kind: int, touch: str = "[-1.0, -1.0]", lift: str = "[-1.0, -1.0]", **more: Any
) -> dict[str, Any]:
    return {
        "episode_id": ID,
        "episode_length": 3,
        "step_id": number,
        "instruction": "open the clock",
        "ui_positions": "[[100, 20, 30, 40], [300, 0, 10, 200]]",
        "ui_text": '["Clock", ""]',
        "ui_types": '["TEXT", "ICON_GOOGLE"]',
        "result_action_type": kind,
        "result_action_text": "",
        "result_touch_yx": touch,
        "result_lift_yx": lift,
        "image_path": f"google_apps/X/GOOGLE_APPS-{ID}_{number}.png",
        "image_full_path": f"/home/authors/train/google_apps/X/GOOGLE_APPS-{ID}_{number}.png",
        "coat_action_desc": f"do {number}",
        **more,
    }


@pytest.fixture
def episode_file(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """A tap on (40, 120), a swipe, and the end, on 200 × 400."""
    folder = tmp_path / "aitz" / "test" / "google_apps" / f"GOOGLE_APPS-{ID}"
    for index in range(3):
        write_picture(folder / f"GOOGLE_APPS-{ID}_{index}.png", 200, 400)
    steps = [step(0, 4, "[0.3, 0.2]", "[0.31, 0.2]"), step(1, 4, "[0.5, 0.5]", "[0.1, 0.55]"), step(2, 10)]
    return write_json(folder / f"GOOGLE_APPS-{ID}.json", steps)


def rewrite(path: Path, *steps: object) -> Episode:
    path.write_text(json.dumps(steps))
    return read_episode(path, ID)


def test_an_episode_in_full(episode_file: Path) -> None:
    episode = open_aitz(episode_file.parents[3]).read(ID)
    assert (episode.id, episode.goal, episode.app, episode.splits) == (ID, "open the clock", None, ("test",))
    assert [found.instruction for found in episode.steps] == ["do 0", "do 1", "do 2"]
    assert episode.problems == () and episode.steps[0].observation.size == Size(200, 400)
    tap, swipe, end = (found.action for found in episode.steps)
    assert isinstance(tap, Tap) and (tap.point.x, tap.point.y) == pytest.approx((40, 120))
    assert tap.target is not None and tap.target.text == "Clock"
    assert isinstance(swipe, Swipe) and (swipe.to.x, swipe.to.y) == pytest.approx((110, 40))
    assert swipe.direction is Direction.UP
    assert end == Finish(FinishStatus.COMPLETE)


def test_the_detectors_boxes_are_y_x_height_width_in_pixels(episode_file: Path) -> None:
    tree = read_episode(episode_file, ID).steps[0].observation.tree
    assert tree is not None and tree.origin is TreeOrigin.DETECTOR
    one, two = tree.elements
    assert (one.box.left, one.box.top, one.box.right, one.box.bottom) == (20, 100, 60, 130)
    assert (two.box.left, two.box.top, two.box.right, two.box.bottom) == (0, 300, 200, 310)
    assert [(e.text, e.class_name, e.parent) for e in tree] == [("Clock", "TEXT", -1), ("", "ICON_GOOGLE", -1)]


@pytest.mark.parametrize(
    ("kind", "text", "action"),
    [
        (3, "pizza", Type("pizza")),
        (5, "", PressKey("back")),
        (6, "", PressKey("home")),
        (7, "", PressKey("enter")),
        (10, "", Finish(FinishStatus.COMPLETE)),
        (11, "", Finish(FinishStatus.IMPOSSIBLE)),
    ],
)
def test_action_numbers(episode_file: Path, kind: int, text: str, action: object) -> None:
    assert rewrite(episode_file, step(0, kind, result_action_text=text)).steps[0].action == action


@pytest.mark.parametrize("kind", [0, 1, 2, 8, 9, 99, -1, None, "4", 4.0])
def test_other_numbers_are_a_problem(episode_file: Path, kind: Any) -> None:
    episode = rewrite(episode_file, step(0, kind, episode_length=1))
    assert episode.steps[0].action is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "action")]


@pytest.mark.parametrize(
    ("touch", "lift", "kind"),
    [
        ("[0.0, 0.2]", "[0.04, 0.2]", Tap),
        ("[0.0, 0.2]", "[0.041, 0.2]", Swipe),
        ("[0.5, 0.5]", "[0.529, 0.529]", Swipe),
    ],
)
def test_a_tap_ends_within_four_hundredths(episode_file: Path, touch: str, lift: str, kind: type) -> None:
    assert isinstance(rewrite(episode_file, step(0, 4, touch, lift)).steps[0].action, kind)


@pytest.mark.parametrize(
    "touch", ["[-1.0, -1.0]", "[0.5]", "", "null", '["a", 1]', "{", "[1e999, 0]", "[270, 600]", None]
)
def test_a_gesture_without_a_place_is_a_problem(episode_file: Path, touch: Any) -> None:
    episode = rewrite(episode_file, step(0, 4, touch, "[0.5, 0.5]", episode_length=1))
    assert episode.steps[0].action is None and [problem.field for problem in episode.problems] == ["action"]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([4, 10], Feasibility(FeasibilityLabel.FEASIBLE)),
        ([4, 11], Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE)),
        ([10, 5], Feasibility()),
    ],
)
def test_the_last_word_is_the_feasibility_label(episode_file: Path, kinds: list[int], expected: Feasibility) -> None:
    steps = [step(index, kind, "[0.1, 0.1]", "[0.1, 0.1]") for index, kind in enumerate(kinds)]
    assert rewrite(episode_file, *steps).feasibility == expected


def test_steps_come_in_the_order_of_their_numbers(episode_file: Path) -> None:
    episode = rewrite(episode_file, step(2, 10), step(0, 6), step(1, 5))
    assert [found.instruction for found in episode.steps] == ["do 0", "do 1", "do 2"]
    assert [found.index for found in episode.steps] == [0, 1, 2] and episode.problems == ()


def test_missing_steps_are_said(episode_file: Path) -> None:
    messages = [problem.message for problem in rewrite(episode_file, step(0, 6), step(2, 10)).problems]
    assert any("steps are missing" in message for message in messages)
    assert any("episode_length says 3, there are 2" in message for message in messages)


@pytest.mark.parametrize(
    "damage", [{"ui_positions": "[["}, {"ui_text": None}, {"ui_types": "{}"}, {"ui_positions": "[" * 5000}]
)
def test_lists_that_cannot_be_read_cost_the_tree_only(episode_file: Path, damage: dict[str, Any]) -> None:
    episode = rewrite(episode_file, step(0, 6, episode_length=1, **damage))
    assert episode.steps[0].observation.tree is None and episode.steps[0].action == PressKey("home")
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "view_hierarchy")]


def test_lists_of_unlike_length_and_broken_boxes(episode_file: Path) -> None:
    positions = "[[1, 2, 3, 4], [1, 2, 3], [1, 2, -3, 4], [5, 5, 5, 5]]"
    found = rewrite(
        episode_file, step(0, 6, ui_positions=positions, ui_text='["a","b","c"]', ui_types='["A","B","C","D"]')
    )
    tree = found.steps[0].observation.tree
    assert tree is not None and [element.text for element in tree] == ["a"]
    messages = [problem.message for problem in found.problems if problem.field == "view_hierarchy"]
    assert "(4, 3, 4)" in messages[0] and messages[1].startswith("2 elements left out")


@pytest.mark.parametrize("name", ["", "../../secret.png", "/etc/x.png", "a\\b\\none.png"])
def test_a_picture_is_looked_for_beside_the_json_only(
    episode_file: Path, tmp_path: Path, write_picture: Any, name: str
) -> None:
    write_picture(tmp_path / "aitz" / "secret.png", 5, 5)
    episode = rewrite(episode_file, step(0, 6, image_path=name, image_full_path="", episode_length=1))
    assert episode.steps[0].observation.screenshot is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "screenshot")]


@pytest.mark.parametrize("content", ["", "{}", "[]", "[1, 2]", "null", "[" * 5000])
def test_a_file_that_is_no_list_of_steps(episode_file: Path, content: str) -> None:
    episode_file.write_text(content)
    with pytest.raises(SourceError):
        read_episode(episode_file, ID)


def test_an_episode_of_two_subsets_gets_two_ids(episode_file: Path, rows: Any) -> None:
    other = episode_file.parents[2] / "single" / "SINGLE-1"
    other.mkdir(parents=True)
    (other / "SINGLE-1.json").write_text(episode_file.read_text())
    episodes, _ = rows(open_aitz(episode_file.parents[3]))
    assert [row.id for row in episodes] == [ID, f"{ID}~2"]
    assert [row.screens for row in episodes] == [3, 0]


values = st.none() | st.integers() | st.floats() | st.text(max_size=9) | st.lists(st.integers() | st.text(max_size=3))


@given(damage=st.dictionaries(st.sampled_from(sorted(step(0, 4))), values, max_size=6), size=st.integers(0, 2))
def test_no_damage_raises_anything_but_a_source_error(tmp_path: Path, damage: dict[str, Any], size: int) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps([{**step(index, 4, "[0.1, 0.1]", "[0.9, 0.9]"), **damage} for index in range(size)]))
    try:
        episode = read_episode(path, ID)
    except SourceError:
        return
    assert len(episode.steps) == size


def test_other_json_is_not_this_format(tmp_path: Path, write_json: Any) -> None:
    for index in range(60):
        write_json(tmp_path / f"{index}.json", {"x": index})
    assert not FORMAT.sniff(FolderScan(tmp_path))


class TestRealEpisode:
    def test_steps_kinds_and_pictures(self, real_data: Path, rows: Any) -> None:
        root = real_data / "aitz_coat"
        if not root.is_dir():
            pytest.skip("no aitz_coat")
        source = open_aitz(root)
        (row,), problems = rows(source)
        assert problems == [] and row.problems == ()
        assert (row.id, row.steps, row.screens) == ("523638528775825151", 4, len(list(root.glob("*/*.png"))))
        episode = source.read(row.id)
        assert episode.goal == 'open app "Clock" (install if not already installed)'
        home, swipe, tap, end = (found.action for found in episode.steps)
        assert home == PressKey("home") and end == Finish(FinishStatus.COMPLETE)
        assert isinstance(swipe, Swipe) and swipe.direction is Direction.UP
        assert isinstance(tap, Tap) and (tap.point.x, tap.point.y) == pytest.approx((163.88, 299.02), abs=0.01)
        assert [len(found.observation.tree or ()) for found in episode.steps] == [15, 14, 42, 11]
        assert all(found.observation.size == Size(270, 600) for found in episode.steps)
