"""MoTIF: cropped screenshots, view hierarchies under picture names, goals, feasibility and inferred typing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Swipe, Tap, Type
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.motif import FORMAT, open_motif

TRACE = "c47ad16a-44b2-4303-982a-17859efe40c6"


@pytest.fixture
def trace(tmp_path: Path, write_picture: Any, write_json: Any, node: Any, hierarchy: Any) -> Path:
    """Three states on a 540 × 895 screenshot (960 less the status bar of 65); the boxes' frame is 1080 × 1920."""
    folder = tmp_path / "raw" / "com.example.app" / TRACE
    button = node([200, 400, 400, 600], text="Menu", clickable=True)
    for place, name in enumerate(("30", "7", "12")):
        write_picture(folder / "screens" / f"{name}.jpg", 540, 895)
        root = node([0, 84, 1080, 1920] if place == 0 else [0, 0, 1080, 1920], button)
        write_json(folder / "view_hierarchies" / f"{name}.jpg", hierarchy(root))
    write_json(
        folder / "metadata.json",
        {"gestures": {"30.jpg": [[0.25, 0.2]], "7.jpg": [[0.5, 0.9], [0.5, 0.2]], "12.jpg": []}},
    )
    write_json(
        folder / "trace_info.json",
        {
            "trace_type": "action",
            "seconds_spent": 31,
            "task_command": "go to the menu and click on settings",
            "feasibility": {"binary": "Yes", "reason": "", "follow_up": ""},
        },
    )
    return folder


def read(folder: Path) -> Episode:
    return open_motif(folder).read(folder.name)


def test_an_episode_in_full(trace: Path) -> None:
    episode = read(trace)
    assert (episode.id, episode.app, episode.format) == (TRACE, "com.example.app", "motif")
    assert episode.goal == "go to the menu and click on settings"
    assert episode.feasibility == Feasibility(FeasibilityLabel.FEASIBLE)
    assert episode.problems == ()
    tap, swipe, nothing = (step.action for step in episode.steps)
    assert isinstance(tap, Tap) and tap.point is not None
    assert (tap.point.x, tap.point.y) == pytest.approx((135, 179))
    assert tap.target is not None and tap.target.text == "Menu"
    assert isinstance(swipe, Swipe) and nothing is None


def test_states_keep_the_order_in_which_they_were_recorded(trace: Path) -> None:
    pictures = [step.observation.screenshot for step in read(trace).steps]
    assert [picture.path.stem for picture in pictures if picture] == ["30", "7", "12"]


def test_boxes_are_scaled_with_the_status_bar_and_moved_up_by_it(trace: Path) -> None:
    tree = read(trace).steps[0].observation.tree
    assert tree is not None
    box = tree.elements[1].box  # x: 200·540/1080, 400·540/1080; y: 400·(895+65)/1920 − 65, 600·960/1920 − 65
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((100, 135, 200, 235))


def test_the_frame_comes_from_the_first_root_at_the_origin(
    trace: Path, write_json: Any, node: Any, hierarchy: Any
) -> None:
    inner = node([100, 96, 200, 192])
    write_json(trace / "view_hierarchies" / "7.jpg", hierarchy(node([0, 0, 540, 960], inner)))
    tree = read(trace).steps[1].observation.tree  # state 30's root starts at (0, 84): 7's decides for the whole trace
    assert tree is not None and (tree.elements[1].box.left, tree.elements[1].box.top) == pytest.approx((100, 31))


def test_a_listed_exception_is_the_frame_and_its_numbers_are_text(trace: Path, write_json: Any) -> None:
    write_json(trace.parents[2] / "widget_exception_dims.json", {TRACE: ["2160", "3840"]})
    tree = read(trace).steps[0].observation.tree
    assert tree is not None and tree.elements[1].box.left == pytest.approx(50)


def test_without_any_frame_ricos_is_taken_and_said(trace: Path, write_json: Any, node: Any, hierarchy: Any) -> None:
    for name in ("30", "7", "12"):
        form = hierarchy(node([0, 84, 1440, 2392], node([720, 0, 1440, 2560])))
        write_json(trace / "view_hierarchies" / f"{name}.jpg", form)
    episode = read(trace)
    assert [(p.step, p.field) for p in episode.problems] == [(None, "view_hierarchy")]
    assert "1440 × 2560" in episode.problems[0].message
    tree = episode.steps[0].observation.tree
    assert tree is not None and (tree.elements[1].box.left, tree.elements[1].box.bottom) == pytest.approx((270, 895))


def test_view_hierarchies_may_be_called_json(trace: Path) -> None:
    for path in (trace / "view_hierarchies").iterdir():
        path.rename(path.with_suffix(".json"))
    assert all(step.observation.tree for step in read(trace).steps)


def test_a_picture_among_the_view_hierarchies_is_named(trace: Path, write_picture: Any) -> None:
    write_picture(trace / "view_hierarchies" / "7.jpg", 9, 9)
    (problem,) = read(trace).problems
    assert (problem.step, problem.file) == (1, "view_hierarchies/7.jpg") and "this is a picture" in problem.message


def test_one_screen_more_than_gestures(
    trace: Path, write_picture: Any, write_json: Any, node: Any, hierarchy: Any
) -> None:
    write_picture(trace / "screens" / "99.jpg", 540, 895)
    write_json(trace / "view_hierarchies" / "99.jpg", hierarchy(node([0, 0, 1080, 1920])))
    episode = read(trace)
    assert len(episode.steps) == 4 and episode.steps[3].action is None and episode.problems == ()


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (
            {"binary": "No", "reason": "impossible", "follow_up": "Which recipe?"},
            Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE, ("Which recipe?",)),
        ),
        (
            {"binary": "No", "reason": "The action is unclear or under-specified", "follow_up": ["a?", "", "b?"]},
            Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("a?", "b?")),
        ),
        (
            {"binary": "No", "reason": "other tasks need to be completed first"},
            Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.PREMATURE),
        ),
        ({"binary": "No"}, Feasibility(FeasibilityLabel.INFEASIBLE)),
        ({"binary": "yes ", "reason": "impossible"}, Feasibility(FeasibilityLabel.FEASIBLE)),
        (None, Feasibility()),
    ],
)
def test_feasibility(trace: Path, write_json: Any, label: object, expected: Feasibility) -> None:
    write_json(trace / "trace_info.json", {"trace_type": "action", "task_command": "x", "feasibility": label})
    episode = read(trace)
    assert episode.feasibility == expected and episode.problems == ()


@pytest.mark.parametrize(
    "label", [{"binary": "Maybe"}, {"binary": None}, {}, {"binary": "No", "reason": "banana"}, "broken", [1]]
)
def test_feasibility_in_other_words_is_a_problem(trace: Path, write_json: Any, label: object) -> None:
    write_json(trace / "trace_info.json", {"trace_type": "action", "task_command": "x", "feasibility": label})
    assert [problem.field for problem in read(trace).problems] == ["feasibility"]


class TestTraceTypes:
    def test_exploration_has_no_goal(self, trace: Path, write_json: Any) -> None:
        write_json(trace / "trace_info.json", {"trace_type": "exploration"})
        episode = read(trace)
        assert (episode.goal, episode.problems) == ("", ())

    def test_language_has_no_view_hierarchies_and_that_is_no_problem(self, trace: Path, write_json: Any) -> None:
        write_json(trace / "trace_info.json", {"trace_type": "language", "all_tasks": "a, b, c"})
        for path in (trace / "view_hierarchies").iterdir():
            path.unlink()
        episode = read(trace)
        assert (episode.goal, episode.problems, len(episode.steps)) == ("a, b, c", (), 3)

    def test_other_is_said_to_be_broken(self, trace: Path, write_json: Any) -> None:
        write_json(trace / "trace_info.json", {"trace_type": "other", "task_command": "x"})
        episode = read(trace)
        assert episode.goal == "x" and "metadata is broken" in episode.problems[0].message

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"trace_type": "new"}'])
    def test_broken_information_is_a_problem_and_the_screens_open(self, trace: Path, content: str) -> None:
        (trace / "trace_info.json").write_text(content)
        episode = read(trace)
        assert len(episode.steps) == 3 and [problem.file for problem in episode.problems] == ["trace_info.json"]


class TestOlderPackaging:
    def test_task_and_feasibility_files(self, trace: Path) -> None:
        (trace / "trace_info.json").unlink()
        (trace / "task.txt").write_text("clear search history\n")
        (trace / "feasibility.txt").write_text("No\nimpossible\nDo you mean the cache?\nAll of it?\n")
        episode = read(trace)
        assert episode.goal == "clear search history"
        assert episode.feasibility == Feasibility(
            FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE, ("Do you mean the cache?", "All of it?")
        )

    @pytest.mark.parametrize("text", ["Yes", "yes\n", '{"binary": "Yes"}', '{"feasibility": {"binary": "Yes"}}'])
    def test_yes_in_every_dress(self, trace: Path, text: str) -> None:
        (trace / "trace_info.json").unlink()
        (trace / "feasibility.txt").write_text(text)
        assert read(trace).feasibility == Feasibility(FeasibilityLabel.FEASIBLE)

    def test_the_goal_may_stand_in_the_table_above(self, trace: Path) -> None:
        (trace / "trace_info.json").unlink()
        table = trace.parents[2] / "tasknames.csv"
        table.write_text(f"0846f1f1-7a56 other\n\n{TRACE} Go to my recipes, and click on the menu\n")
        assert read(trace).goal == "Go to my recipes, and click on the menu"


class TestTyping:
    """`tmp` traces of two or three states with one text field at [100, 100, 900, 200] of 1080 × 1920."""

    def write(
        self, trace: Path, write_json: Any, hierarchy: Any, node: Any, texts: list[Any], taps: list[Any]
    ) -> Episode:
        names = ["30", "7", "12"]
        for name, text in zip(names, texts, strict=True):
            fields = [] if text is None else [
                node([100, 100, 900, 200], name="android.widget.EditText", text=text, resource_id="a:id/q")
            ]  # fmt: skip
            form = hierarchy(node([0, 0, 1080, 1920], *fields))
            write_json(trace / "view_hierarchies" / f"{name}.jpg", form)
        gestures = {f"{name}.jpg": tap for name, tap in zip(names, taps, strict=True)}
        write_json(trace / "metadata.json", {"gestures": gestures})
        return read(trace)

    IN_FIELD = ([[0.5, 0.01]],)  # (270, 8.95); the field's box is (50, −15, 450, 35)
    ELSEWHERE = ([[0.5, 0.5]],)

    def test_a_tap_on_the_field_before_new_text_is_typing(
        self, trace: Path, write_json: Any, hierarchy: Any, node: Any
    ) -> None:
        episode = self.write(trace, write_json, hierarchy, node, ["", "pizza", "pizza"], [*self.IN_FIELD * 2, []])
        first, second = episode.steps[0].action, episode.steps[1].action
        assert isinstance(first, Type) and first.text == "pizza"
        assert first.point is not None and first.point.x == pytest.approx(270)
        assert isinstance(second, Tap)  # the text is old by then

    def test_a_tap_elsewhere_stays_a_tap(self, trace: Path, write_json: Any, hierarchy: Any, node: Any) -> None:
        episode = self.write(trace, write_json, hierarchy, node, ["", "pizza", "pizza"], [*self.ELSEWHERE * 2, []])
        assert isinstance(episode.steps[0].action, Tap)

    def test_no_gesture_and_new_text_in_the_same_field_is_typing(
        self, trace: Path, write_json: Any, hierarchy: Any, node: Any
    ) -> None:
        episode = self.write(trace, write_json, hierarchy, node, ["", "pizza", "pizza"], [[], *self.ELSEWHERE, []])
        assert episode.steps[0].action == Type("pizza")

    def test_a_field_that_appears_filled_was_not_typed_into(
        self, trace: Path, write_json: Any, hierarchy: Any, node: Any
    ) -> None:
        episode = self.write(trace, write_json, hierarchy, node, [None, "Search", "Search"], [[], *self.ELSEWHERE, []])
        assert episode.steps[0].action is None

    def test_text_of_an_earlier_state_is_not_new(self, trace: Path, write_json: Any, hierarchy: Any, node: Any) -> None:
        episode = self.write(
            trace, write_json, hierarchy, node, ["Pizza", "", "pizza"], [*self.ELSEWHERE, *self.IN_FIELD, []]
        )
        assert isinstance(episode.steps[1].action, Tap)


def test_root_app_and_trace_open_alike(trace: Path, rows: Any) -> None:
    for path in (trace.parents[1], trace.parent, trace):
        assert FORMAT.sniff(FolderScan(path))
        episodes, _ = rows(open_motif(path))
        assert [(row.id, row.steps, row.screens, dict(row.actions)) for row in episodes] == [
            (TRACE, 3, 3, {"tap": 1, "swipe": 1})
        ]


def test_a_trace_that_lies_twice_gets_a_second_id_and_a_problem(trace: Path, rows: Any) -> None:
    other = trace.parents[1] / "com.other" / TRACE
    other.parent.mkdir()
    trace.rename(other)
    other.parent.joinpath("copy").mkdir()
    shutil.copytree(other, other.parent / "copy" / TRACE)
    source = open_motif(trace.parents[1])
    episodes, _ = rows(source)
    assert [row.id for row in episodes] == [TRACE, f"{TRACE}~2"]
    assert "occurs more than once" in episodes[1].problems[0].message and episodes[0].problems == ()
    again = open_motif(trace.parents[1]).read(f"{TRACE}~2")
    assert again.id == f"{TRACE}~2" and again.steps[0].observation.size == Size(540, 895)


class TestRealTexts:
    def test_goal_and_frame_come_from_the_released_tables(self, real_data: Path, tmp_path: Path, trace: Path) -> None:
        """The released tables laid above a fixture trace that bears one of their ids."""
        tables = real_data / "motif"
        if not tables.is_dir():
            pytest.skip("no motif tables")
        for name in ("tasknames.csv", "widget_exception_dims.json"):
            (trace.parents[1] / name).write_bytes((tables / name).read_bytes())
        (trace / "trace_info.json").unlink()
        assert read(trace).goal == "Go to my recipes and click on the menu"
        listed = trace.rename(trace.parent / "929409dc-d4f6-4feb-a0c4-9cfbdf79cf90")  # 1440 × 2960 in the table
        tree = read(listed).steps[0].observation.tree
        assert tree is not None and tree.elements[1].box.left == pytest.approx(200 * 540 / 1440)
        assert tree.elements[1].box.top == pytest.approx(400 * 960 / 2960 - 65)
