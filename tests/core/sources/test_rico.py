"""RICO traces: gestures are fractions, boxes lie in 1440 × 2560, and a broken file costs its own state only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Swipe, Tap
from stepscope.core.domain.episode import Episode, Platform
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.rico import FORMAT, open_rico
from stepscope.core.sources.trace_states import ordered_views


@pytest.fixture
def trace(tmp_path: Path, write_picture: Any, write_json: Any, node: Any, hierarchy: Any) -> Path:
    """Three states on a 540 × 960 screen: a tap on a button, a swipe up, nothing."""
    folder = tmp_path / "data" / "com.example.app" / "trace_0"
    button = node([400, 800, 800, 1200], text="Go", clickable=True, resource_id="com.example:id/go")
    for name in ("9", "35", "124"):
        write_picture(folder / "screenshots" / f"{name}.jpg", 540, 960)
        write_json(folder / "view_hierarchies" / f"{name}.json", hierarchy(node([0, 84, 1440, 2392], button)))
    write_json(folder / "gestures.json", {"9": [[0.4, 0.4]], "35": [[0.5, 0.9], [0.5, 0.6], [0.51, 0.3]], "124": []})
    return folder


def read(folder: Path) -> Episode:
    return open_rico(folder).read(f"{folder.parent.name}/{folder.name}")


def test_an_episode_in_full(trace: Path) -> None:
    episode = read(trace)
    assert (episode.id, episode.app, episode.goal) == ("com.example.app/trace_0", "com.example.app", "")
    assert (episode.format, episode.platform, episode.problems) == ("rico", Platform.ANDROID, ())
    tap, swipe, nothing = (step.action for step in episode.steps)
    assert isinstance(tap, Tap) and tap.point is not None
    assert (tap.point.x, tap.point.y) == pytest.approx((216, 384))
    assert tap.target is not None and (tap.target.text, tap.target.id) == ("Go", "com.example:id/go")
    assert tap.target.box is not None
    assert (tap.target.box.left, tap.target.box.bottom) == pytest.approx((150, 450))
    assert isinstance(swipe, Swipe) and swipe.direction is Direction.UP
    assert (swipe.to.x, swipe.to.y) == pytest.approx((275.4, 288))
    assert nothing is None
    assert episode.steps[0].observation.size == Size(540, 960)
    assert episode.steps[0].observation.activity == "com.example/com.example.Main"


def test_boxes_scale_with_the_picture_not_with_the_root(trace: Path, write_picture: Any) -> None:
    write_picture(trace / "screenshots" / "9.jpg", 1080, 1920)
    tree = read(trace).steps[0].observation.tree
    assert tree is not None
    assert (tree.elements[1].box.left, tree.elements[1].box.top) == pytest.approx((300, 600))


@pytest.mark.parametrize(
    ("gesture", "kind"),
    [
        ([[0.5, 0.5]], Tap),
        ([[0.5, 0.5], [0.9, 0.9], [0.5, 0.509]], Tap),  # comes back
        ([[0.0, 0.5], [0.0, 0.5], [0.01, 0.5]], Tap),  # exactly 0.01 apart: not more
        ([[0.5, 0.5], [0.507, 0.508]], Swipe),  # 0.0106 apart
    ],
)
def test_a_slow_tap_is_no_swipe(trace: Path, write_json: Any, gesture: list[Any], kind: type) -> None:
    write_json(trace / "gestures.json", {"9": gesture, "35": [], "124": []})
    assert isinstance(read(trace).steps[0].action, kind)


def test_states_follow_their_numbers_even_where_the_file_was_sorted_as_text(trace: Path, write_json: Any) -> None:
    write_json(trace / "gestures.json", {"124": [], "35": [[0.1, 0.1]], "9": [[0.2, 0.2]]})
    assert [step.observation.screenshot.path.stem for step in read(trace).steps if step.observation.screenshot] == [
        "9", "35", "124",
    ]  # fmt: skip


def test_order_of_states_known_from_files_only() -> None:
    assert ordered_views(["2", "10"], {"2", "5", "10", "11"}) == ["2", "5", "10", "11"]
    assert ordered_views(["b", "a"], {"a", "b", "c"}) == ["b", "a", "c"]
    assert ordered_views(["10", "2"], {"3"}, numbered=True) == ["2", "3", "10"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("null", "null"),
        ("", "empty"),
        ('{"activity": {"root"', "broken JSON"),
        ("{}", "no activity.root"),
        ('{"activity": ' + "[" * 5000, "nested too deeply"),
    ],
)
def test_a_broken_view_hierarchy_costs_its_own_state_only(trace: Path, content: str, message: str) -> None:
    (trace / "view_hierarchies" / "35.json").write_text(content)
    episode = read(trace)
    assert [step.observation.tree is None for step in episode.steps] == [False, True, False]
    assert episode.steps[1].observation.screenshot is not None and isinstance(episode.steps[1].action, Swipe)
    (problem,) = episode.problems
    assert (problem.step, problem.field, problem.file) == (1, "view_hierarchy", "view_hierarchies/35.json")
    assert message in problem.message and problem.episode == episode.id


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.unlink(), "not there"),
        (lambda path: path.write_bytes(path.read_bytes()[:-30]), "cut short"),
        (lambda path: path.write_text("version https://git-lfs.github.com/spec/v1\n"), "git-lfs pointer"),
    ],
)
def test_a_missing_or_broken_picture_is_named_and_the_gesture_kept(
    trace: Path, damage: Callable[[Path], object], message: str
) -> None:
    damage(trace / "screenshots" / "9.jpg")
    episode = read(trace)
    step = episode.steps[0]
    assert step.observation.screenshot is None and step.observation.size == Size(540, 960)
    assert isinstance(step.action, Tap) and step.action.point is not None
    assert (step.action.point.x, step.action.point.y) == pytest.approx((216, 384))
    (problem,) = episode.problems
    assert message in problem.message and (problem.step, problem.field) == (0, "screenshot")
    assert not problem.file.startswith("/")


@pytest.mark.parametrize(
    "gesture", [[[540, 960]], [[0.5]], ["x"], None, {"x": 1}, [[float("nan"), 0.5]], [[True, 0.1]]]
)
def test_a_gesture_that_is_none_is_a_problem(trace: Path, gesture: object) -> None:
    (trace / "gestures.json").write_text(json.dumps({"9": gesture, "35": [], "124": []}))
    episode = read(trace)
    assert episode.steps[0].action is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, "gestures")]


def test_a_state_without_gesture_entry(trace: Path, write_json: Any) -> None:
    write_json(trace / "gestures.json", {"9": [[0.4, 0.4]]})
    episode = read(trace)
    assert len(episode.steps) == 3
    assert [(problem.step, problem.field) for problem in episode.problems] == [(1, "gestures")]  # the last needs none


def test_gestures_that_are_no_object_make_the_trace_unreadable_and_the_rest_opens(
    trace: Path, rows: Any, write_json: Any, write_picture: Any
) -> None:
    other = trace.parent / "trace_1"
    write_json(other / "gestures.json", [1])
    write_picture(other / "screenshots" / "1.jpg", 8, 8)
    episodes, problems = rows(open_rico(trace.parents[1]))
    assert [row.id for row in episodes] == ["com.example.app/trace_0"]
    assert [(p.episode, p.field, p.file) for p in problems] == [
        ("com.example.app/trace_1", "gestures", "com.example.app/trace_1/gestures.json")
    ]
    with pytest.raises(SourceError, match="no JSON object"):
        open_rico(other).read("com.example.app/trace_1")


def test_root_app_and_trace_open_alike(trace: Path, rows: Any) -> None:
    for path in (trace.parents[1], trace.parent, trace):
        assert FORMAT.sniff(FolderScan(path))
        episodes, problems = rows(open_rico(path))
        assert [(row.id, row.steps, row.screens, dict(row.actions)) for row in episodes] == [
            ("com.example.app/trace_0", 3, 3, {"tap": 1, "swipe": 1})
        ]
        assert problems == []


def test_a_picture_that_is_a_link_to_the_outside_is_refused(trace: Path, tmp_path: Path, write_picture: Any) -> None:
    outside = write_picture(tmp_path / "secret.jpg", 10, 10)
    (trace / "screenshots" / "9.jpg").unlink()
    (trace / "screenshots" / "9.jpg").symlink_to(outside)
    episode = read(trace)
    assert episode.steps[0].observation.screenshot is None
    assert "leads out" in episode.problems[0].message


def test_files_of_the_mac_finder_are_no_states(trace: Path) -> None:
    (trace / "screenshots" / "._9.jpg").write_bytes(b"\0\5\x16\7")
    assert len(read(trace).steps) == 3


def test_an_unknown_episode_is_a_usage_error(trace: Path) -> None:
    with pytest.raises(UsageError, match="no episode 'x'"):
        open_rico(trace).read("x")


class TestRealTraces:
    def test_every_picture_and_tree_is_accounted_for(self, real_data: Path, rows: Any) -> None:
        root = real_data / "rico_traces"
        if not root.is_dir():
            pytest.skip("no rico_traces")
        source = open_rico(root)
        episodes, problems = rows(source)
        assert problems == []
        assert len(episodes) == len(list(root.glob("*/trace_*/gestures.json"))) > 0
        assert sum(row.screens for row in episodes) == len(list(root.glob("*/trace_*/screenshots/*.jpg")))
        trees = 0
        for row in episodes:
            episode = source.read(row.id)
            for step in episode.steps:
                said = [p for p in episode.problems if p.step == step.index and p.field == "view_hierarchy"]
                assert step.observation.tree is not None or said
                trees += step.observation.tree is not None or bool(said)
        assert trees == len(list(root.glob("*/trace_*/view_hierarchies/*.json")))

    def test_counts_of_the_gestures_files(self, real_data: Path, rows: Any) -> None:
        """Keys of each `gestures.json`; lists whose ends lie 0.01 apart or less, further apart, and empty ones."""
        root = real_data / "rico_traces"
        if not (root / "air.com.applauz.skylanders").is_dir():
            pytest.skip("no rico_traces")
        episodes, _ = rows(open_rico(root))
        counts = {row.id.split("/")[0]: (row.steps, row.screens, dict(row.actions)) for row in episodes}
        expected = {
            "aa.apps.dailyreflections": (5, 5, {"tap": 5}),
            "air.Android_Temperature": (2, 2, {"tap": 2}),
            "air.bahraniapps.comicspanelcreator": (3, 3, {"tap": 2, "swipe": 1}),
            "air.com.applauz.skylanders": (4, 4, {"tap": 3}),
            "air.com.designersofcode.lovecraftcollectionvol1": (2, 2, {"tap": 2}),
            "air.com.flaxbin.chat": (3, 3, {"tap": 3}),
        }
        assert {app: counts[app] for app in expected} == expected

    def test_a_tap_hits_the_button_it_was_meant_for(self, real_data: Path) -> None:
        folder = real_data / "rico_traces" / "aa.apps.dailyreflections" / "trace_1"
        if not folder.is_dir():
            pytest.skip("no such trace")
        first = open_rico(folder).read("aa.apps.dailyreflections/trace_1").steps[0]
        assert isinstance(first.action, Tap) and first.action.target is not None
        assert (first.action.target.text, first.action.target.id) == ("OK", "android:id/button1")
        point, box = first.action.point, first.action.target.box
        assert point is not None and (point.x, point.y) == pytest.approx(
            (0.729303658742202 * 1080, 0.7784522003034902 * 1920)
        )
        # [958, 1922, 1182, 2090] in 1440 × 2560, on a picture of 1080 × 1920
        assert box is not None and (box.left, box.top, box.right, box.bottom) == (718.5, 1441.5, 886.5, 1567.5)

    def test_a_long_gesture_is_a_swipe_to_the_right(self, real_data: Path) -> None:
        folder = real_data / "rico_traces" / "air.bahraniapps.comicspanelcreator" / "trace_0"
        if not folder.is_dir():
            pytest.skip("no such trace")
        action = open_rico(folder).read("air.bahraniapps.comicspanelcreator/trace_0").steps[1].action
        assert isinstance(action, Swipe) and action.direction is Direction.RIGHT
        assert (action.point.x, action.point.y) == pytest.approx((0.5962000962 * 1080, 0.5638528138528138 * 1920))
        assert (action.to.x, action.to.y) == pytest.approx((0.8597883597883598 * 1080, 0.5606060606060606 * 1920))
