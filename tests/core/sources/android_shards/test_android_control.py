"""AndroidControl: an example for each episode, PNG slices, forests, actions in pixels, splits and sub-splits."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example as regression
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, LongPress, OpenApp, PressKey, Scroll, Tap, Type, Wait
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Encoding, Episode, EpisodeSummary, Feasibility, Platform, Problem, Slice
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.android_control import FORMAT, open_android_control
from stepscope.core.sources.android_control_actions import decode_action
from stepscope.core.sources.android_interaction import FORMAT as INTERACTION
from stepscope.core.sources.look import FolderScan

SCREEN = Size(108, 240)
NAME = "android_control-00000-of-00020"
BARE = {"goal": "g", "accessibility_trees": [b""], "screenshots": [b""]}

Write = Callable[..., Any]
Rows = Callable[..., tuple[list[EpisodeSummary], list[Problem]]]


@pytest.fixture
def features(forest: Write, png: Write) -> Callable[..., dict[str, Any]]:
    """Three screens of 108 × 240, a click on the row "Alarm", then a scroll."""
    nodes = [
        {"id": 0, "bounds": (0, 0, 108, 233), "package_name": "com.clock", "child_ids": [1, 2]},
        {"id": 1, "bounds": (7, 40, 101, 61), "text": "Alarm", "is_clickable": True, "package_name": "com.clock"},
        {"id": 2, "bounds": (80, 200, 100, 230), "content_description": "Add", "is_clickable": True},
    ]
    tree = forest({"layer": 0, "window_type": 1, "is_active": True, "nodes": nodes})
    pictures = [png(108, 240, grey) for grey in (50, 100, 150)]

    def make(**changes: Any) -> dict[str, Any]:
        return {
            "accessibility_trees": [tree] * 3,
            "actions": ['{"action_type":"click","x":54,"y":50}', '{"action_type":"scroll","direction":"down"}'],
            "episode_id": 4790,
            "goal": "Set an alarm",
            "screenshot_heights": [240] * 3,
            "screenshot_widths": [108] * 3,
            "screenshots": pictures,
            "step_instructions": ["Tap on Alarm", "Swipe up to see more"],
            **changes,
        }

    return make


@pytest.fixture
def write(tmp_path: Path, shard: Write, example: Write) -> Callable[..., Path]:
    def make(*records: dict[str, Any], compressed: bool = True) -> Path:
        made = [example({name: value for name, value in record.items() if value is not None}) for record in records]
        path: Path = shard(tmp_path / "android_control" / NAME, *made, compressed=compressed)
        return path

    return make


def one(path: Path) -> Episode:
    (row,) = (row for row in open_android_control(path).scan() if isinstance(row, EpisodeSummary))
    return open_android_control(path).read(row.id, row.place)


@pytest.mark.parametrize("compressed", [True, False])
def test_an_episode_in_full(write: Write, features: Write, compressed: bool) -> None:
    path = write(features(), compressed=compressed)
    episode = one(path)
    assert (episode.id, episode.format, episode.platform) == ("4790", "android_control", Platform.ANDROID)
    assert (episode.goal, episode.app, episode.problems) == ("Set an alarm", "com.clock", ())
    assert (episode.asks, episode.feasibility, episode.splits) == ((), Feasibility(), ())
    tap, scroll, nothing = (step.action for step in episode.steps)
    assert isinstance(tap, Tap) and tap.point == Point(54, 50, SCREEN)
    assert tap.target is not None and tap.target.text == "Alarm" and tap.target.box is not None
    box = tap.target.box
    assert (box.left, box.top, box.right, box.bottom) == (7, 40, 101, 61)
    assert (scroll, nothing) == (Scroll(Direction.DOWN), None)
    assert [step.instruction for step in episode.steps] == ["Tap on Alarm", "Swipe up to see more", None]
    tree = episode.steps[2].observation.tree
    assert tree is not None and (tree.origin, len(tree), tree.size) == (TreeOrigin.ACCESSIBILITY, 3, SCREEN)


@pytest.mark.parametrize("compressed", [True, False])
def test_pictures_are_files_inside_the_shard(write: Write, features: Write, png: Write, compressed: bool) -> None:
    path = write(features(), features(episode_id=7), compressed=compressed)
    data = gzip.decompress(path.read_bytes()) if compressed else path.read_bytes()
    for grey, step in zip((50, 100, 150), open_android_control(path).read("7").steps, strict=True):
        picture = step.observation.screenshot
        assert picture is not None and (picture.path, picture.size) == (path, SCREEN)
        part = picture.part
        assert isinstance(part, Slice) and (part.gzip, part.encoding) == (compressed, Encoding.FILE)
        assert data[part.offset : part.offset + part.length] == png(108, 240, grey)


@pytest.mark.parametrize(
    ("form", "action"),
    [
        ({"action_type": "click", "x": 90, "y": 21.5}, Tap(Point(90, 21.5, SCREEN))),
        ({"action_type": "long_press", "x": 0, "y": 239}, LongPress(Point(0, 239, SCREEN))),
        ({"action_type": "scroll", "direction": "left"}, Scroll(Direction.LEFT)),
        ({"action_type": "open_app", "app_name": "Zoho Meeting"}, OpenApp("Zoho Meeting")),
        ({"action_type": "input_text", "text": "Köln"}, Type("Köln")),
        ({"action_type": "type", "x": 11, "y": 22, "text": "a"}, Type("a", Point(11, 22, SCREEN))),
        ({"action_type": "navigate_home"}, PressKey("home")),
        ({"action_type": "navigate_back"}, PressKey("back")),
        ({"action_type": "wait"}, Wait()),
    ],
)
def test_actions(form: dict[str, Any], action: Action) -> None:
    assert decode_action(json.dumps(form), SCREEN, None) == action


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ('{"action_type": "click"', "broken JSON"),
        ("[]", "no JSON object"),
        ('{"action_type": "pinch"}', "'pinch' is not known"),
        ('{"action_type": ["click"]}', "is not known"),
        ('{"action_type": "click", "x": 5}', "x and y"),
        ('{"action_type": "click", "x": NaN, "y": 5}', "x and y"),
        ('{"action_type": "click", "x": 1e300, "y": 5}', "no place"),
        ('{"action_type": "click", "x": true, "y": 5}', "x and y"),
        ('{"action_type": "scroll", "direction": "sideways"}', "up, down, left or right"),
        ('{"action_type": "open_app"}', "app_name must be text"),
        ('{"action_type": "input_text", "text": 5}', "text must be text"),
    ],
)
def test_what_is_no_action_is_said(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode_action(text, SCREEN, None)


def test_rows_tell_names_counts_and_kinds_and_leave_screens_alone(write: Write, features: Write, rows: Rows) -> None:
    opened = features(
        episode_id=18103,
        goal="Meet",
        actions=['{"action_type":"open_app","app_name":"Zoho"}', '{"action_type":"wait"}'],
        accessibility_trees=[b"\xff"] * 3,
        screenshots=[b"no picture"] * 3,
    )
    found, problems = rows(open_android_control(write(features(), opened).parent))
    assert problems == []
    assert [(row.id, row.goal, row.app, row.steps, row.screens, row.actions) for row in found] == [
        ("4790", "Set an alarm", None, 3, 3, (("tap", 1), ("scroll", 1))),
        ("18103", "Meet", "Zoho", 3, 3, (("open_app", 1), ("wait", 1))),
    ]
    assert [(row.checked, row.problems) for row in found] == [(False, ())] * 2


def test_an_episode_is_found_without_its_place(write: Write, features: Write) -> None:
    path = write(features(), features(episode_id=2, goal="second"))
    assert open_android_control(path).read("2").goal == "second"
    with pytest.raises(UsageError):
        open_android_control(path).read("3")


@pytest.mark.parametrize("place", ["x", "12", "12 -4", "12 99999999999", "0 5", "-1 4", "9999999999 5"])
def test_a_place_that_is_none_is_a_source_error(write: Write, features: Write, place: str) -> None:
    path = write(features())
    with pytest.raises(SourceError):
        open_android_control(path).read("4790", f"{path.name}\t{place}")


def test_an_episode_without_actions_has_one_screen(write: Write, features: Write) -> None:
    whole = features()
    record = features(
        actions=None,
        step_instructions=None,
        screenshots=whole["screenshots"][:1],
        accessibility_trees=whole["accessibility_trees"][:1],
    )
    episode = one(write(record))
    assert len(episode.steps) == 1 and episode.steps[0].action is None and episode.problems == ()


def test_missing_and_surplus_parts_are_told_by_name(write: Write, features: Write) -> None:
    record = features(accessibility_trees=features()["accessibility_trees"][:1], actions=['{"action_type":"wait"}'] * 5)
    episode = one(write(record))
    assert [(problem.field, problem.message) for problem in episode.problems] == [
        ("screenshots", "3 screenshots where 5 are due"),
        ("accessibility_trees", "1 accessibility_trees where 5 are due"),
        ("actions", "5 actions where 4 are due"),
    ]
    assert [step.action for step in episode.steps] == [Wait()] * 5
    last = episode.steps[4].observation
    assert (last.screenshot, last.tree, last.size) == (None, None, SCREEN)


def test_the_pictures_own_size_counts(write: Write, features: Write) -> None:
    episode = one(write(features(screenshot_widths=[108, 1080, 108])))
    (problem,) = episode.problems
    assert (problem.step, problem.field, problem.file) == (1, "screenshot", NAME)
    assert problem.message == "the picture is 108 × 240, the record says 1080 × 240"
    assert episode.steps[1].observation.size == SCREEN


def test_broken_pictures_and_forests_cost_themselves(write: Write, features: Write, png: Write) -> None:
    pictures = [b"version https://git-lfs.github.com/spec/v1", png(108, 240)[:-9], png(108, 240)]
    trees = [*features()["accessibility_trees"][:2], b"\xff\xff"]
    episode = one(write(features(screenshots=pictures, accessibility_trees=trees)))
    assert [(problem.step, problem.field) for problem in episode.problems] == [
        (0, "screenshot"),
        (1, "screenshot"),
        (2, "view_hierarchy"),
    ]
    assert "git-lfs pointer" in episode.problems[0].message and "cut short" in episode.problems[1].message
    assert [step.observation.screenshot is None for step in episode.steps] == [True, True, False]
    assert episode.steps[0].observation.size == SCREEN


def test_the_app_is_the_one_that_was_opened_or_else_the_one_in_front(
    write: Write, features: Write, forest: Write
) -> None:
    opened = ['{"action_type":"open_app","app_name":"Clock"}', '{"action_type":"wait"}']
    assert one(write(features(actions=opened))).app == "Clock"
    trees = [
        forest({"window_type": 1, "nodes": [{"package_name": package}]})
        for package in ("com.before", "com.google.android.apps.nexuslauncher", "com.google.android.deskclock")
    ]
    assert one(write(features(accessibility_trees=trees))).app == "com.google.android.deskclock"


def test_features_of_the_wrong_kind_are_told(write: Write, features: Write) -> None:
    episode = one(write(features(goal=5, screenshot_widths=["108"] * 3)))
    assert episode.goal == ""
    assert {problem.field for problem in episode.problems} == {"goal", "screenshot_widths"}
    assert all(problem.file == NAME for problem in episode.problems)


def test_an_example_without_an_id_is_told(write: Write, features: Write, rows: Rows) -> None:
    found, problems = rows(open_android_control(write(features(), features(episode_id=None))))
    assert [row.id for row in found] == ["4790"]
    assert [(problem.field, problem.file) for problem in problems] == [("id", NAME)]


def test_a_doubled_id_is_numbered(write: Write, features: Write, rows: Rows) -> None:
    path = write(features(), features(goal="again"))
    found, _ = rows(open_android_control(path))
    assert [row.id for row in found] == ["4790", "4790~2"]
    again = open_android_control(path).read("4790~2", found[1].place)
    assert (again.id, again.goal) == ("4790~2", "again")


def test_splits_and_sub_splits(write: Write, features: Write, rows: Rows) -> None:
    path = write(features(), features(episode_id=1), features(episode_id=2))
    (path.parent / "splits.json").write_text(json.dumps({"train": [1], "validation": [], "test": [4790]}))
    subsplits = {"IDD": [4790], "app_unseen": [], "task_unseen": [4790, 5], "category_unseen": [1]}
    (path.parent / "test_subsplits.json").write_text(json.dumps(subsplits))
    found, _ = rows(open_android_control(path))
    assert [row.splits for row in found] == [
        ("test", "test/IDD", "test/task_unseen"),
        ("train", "test/category_unseen"),
        (),
    ]
    assert open_android_control(path).read("4790").splits == found[0].splits


@pytest.mark.parametrize("text", ['{"train": [1', "[]", '{"train": 5}', "version https://git-lfs.github.com/spec/v1"])
def test_broken_splits_are_told_once(write: Write, features: Write, rows: Rows, text: str) -> None:
    path = write(features(), features(episode_id=1))
    (path.parent / "splits.json").write_text(text)
    found, problems = rows(open_android_control(path))
    assert len(found) == 2
    assert [(problem.field, problem.file) for problem in problems] == [("splits", "splits.json")]


def test_real_sub_splits(shard: Write, example: Write, rows: Rows, real_data: Path, tmp_path: Path) -> None:
    """The real lists have 721, 700, 631 and 803 ids; 4790 leads that of IDD."""
    text = (real_data / "os_genesis" / "android_control_test_subsplits.json").read_text()
    (tmp_path / "test_subsplits.json").write_text(text)
    ids = sorted({identity for some in json.loads(text).values() for identity in some})
    path = shard(tmp_path / NAME, *(example({"episode_id": number, **BARE}) for number in (*ids, 5_000_000)))
    found, problems = rows(open_android_control(path))
    assert problems == [] and found[-1].splits == ()
    counts = Counter(split for row in found for split in row.splits)
    assert counts == {"test/IDD": 721, "test/category_unseen": 700, "test/app_unseen": 631, "test/task_unseen": 803}
    assert "test/IDD" in next(row.splits for row in found if row.id == "4790")


def test_the_format_is_told_by_its_features(
    write: Write, features: Write, shard: Write, example: Write, tmp_path: Path
) -> None:
    path = write(features())
    assert (
        FORMAT.sniff(FolderScan(tmp_path))
        and FORMAT.sniff(FolderScan(path))
        and not INTERACTION.sniff(FolderScan(tmp_path))
    )
    late = {"screenshots": [os.urandom(300_000)], **features(screenshots=[os.urandom(300_000)])}
    assert FORMAT.sniff(FolderScan(shard(tmp_path / "late" / NAME, example(late))))
    other = shard(tmp_path / "other" / NAME, example({"screenshots": [b"x"], "goal": "g"}))
    assert not FORMAT.sniff(FolderScan(other))
    (tmp_path / "other" / "android_control").write_bytes(b"\x1f\x8b\x08broken")
    assert not FORMAT.sniff(FolderScan(tmp_path / "other"))


def test_a_series_is_taken_whole_and_what_is_missing_of_it_is_told(
    write: Write, features: Write, rows: Rows, tmp_path: Path
) -> None:
    folder = write(features()).parent
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    (folder / "android_control-00001-of-00020").write_bytes(pointer)
    (folder / "android_control-00002-of-00020").write_bytes((folder / NAME).read_bytes())
    (folder / "notes-00001-of-00020").write_bytes(pointer)
    found, problems = rows(open_android_control(folder))
    assert [row.id for row in found] == ["4790", "4790~2"]
    assert [problem.file for problem in problems] == ["android_control-00001-of-00020"]
    assert "git-lfs pointer" in problems[0].message


VALUES = st.one_of(
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.lists(st.integers(-5, 2000), max_size=4),
    st.lists(st.floats(width=32), min_size=1, max_size=3),
    st.lists(st.binary(max_size=30), max_size=4),
    st.lists(
        st.sampled_from(
            ["", "{}", '{"action_type":"click","x":1,"y":1e999}', "\udcff".encode("utf-8", "replace").decode()]
        ),
        max_size=4,
    ),
)
NAMES = [
    "accessibility_trees", "actions", "episode_id", "goal", "screenshot_heights", "screenshot_widths", "screenshots",
    "step_instructions",
]  # fmt: skip


@given(st.dictionaries(st.sampled_from(NAMES), st.none() | VALUES, max_size=4))
@regression({"screenshot_widths": [1 << 62] * 3})
def test_any_features_are_an_episode_or_a_problem(write: Write, features: Write, changes: dict[str, Any]) -> None:
    path = write({**features(), **changes}, features(episode_id=1), compressed=False)
    for row in open_android_control(path).scan():
        if isinstance(row, EpisodeSummary):
            episode = open_android_control(path).read(row.id, row.place)
            assert len(episode.steps) == row.steps


FORM_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["click", "scroll", "open_app", "input_text", "type", "long_press", "up"]),
)


@given(st.dictionaries(st.sampled_from(["action_type", "x", "y", "direction", "app_name", "text"]), FORM_VALUES))
def test_any_action_is_one_or_a_value_error(form: dict[str, Any]) -> None:
    with suppress(ValueError):
        decode_action(json.dumps(form), SCREEN, None)


@given(st.binary(max_size=40), st.integers(0, 4_000), st.booleans())
def test_any_bytes_are_rows_and_problems(
    write: Write, features: Write, junk: bytes, place: int, compressed: bool
) -> None:
    path = write(features(), features(episode_id=1), compressed=compressed)
    whole = path.read_bytes()
    path.write_bytes(whole[:place] + junk + whole[place + len(junk) :])
    for row in open_android_control(path).scan():
        if isinstance(row, EpisodeSummary):
            open_android_control(path).read(row.id, row.place)
