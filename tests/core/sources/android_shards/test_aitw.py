"""Android in the Wild: steps grouped into episodes, raw pixels as slices, (y, x) in fractions, splits by id."""

from __future__ import annotations

import gzip
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example as regression
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.archives.tfrecord import read_span
from stepscope.core.domain.action import Finish, FinishStatus, PressKey, Swipe, Tap, Type
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import (
    Encoding,
    Episode,
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Platform,
    Problem,
    Slice,
    summarise,
)
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.aitw import FORMAT, open_aitw
from stepscope.core.sources.aitw_place import AitwPlace, read_without_pixels
from stepscope.core.sources.look import FolderScan

ID = "13118642174915973036"
WIDTH, HEIGHT = 40, 90
NOWHERE = [-1.0, -1.0]

Write = Callable[..., Any]
Rows = Callable[..., tuple[list[EpisodeSummary], list[Problem]]]


def features(step: int, kind: int = 10, length: int = 3, episode: str = ID, **more: Any) -> dict[str, Any]:
    """The features of one example; boxes are 0.1 high and 0.5 wide at (0.2, 0.25), and 0.05 × 0.125 at (0.8, 0.5)."""
    pixels = bytes([step]) * (WIDTH * HEIGHT * 3)
    given = {key.replace("__", "/"): value for key, value in more.items()}
    return {
        "android_api_level": 30,
        "current_activity": "com.android.chrome/org.chromium.Main",
        "device_type": "Pixel 4",
        "episode_id": episode,
        "episode_length": length,
        "goal_info": "open the clock",
        "image/channels": 3,
        "image/encoded": pixels,
        "image/height": HEIGHT,
        "image/width": WIDTH,
        "image/ui_annotations_positions": [0.2, 0.25, 0.1, 0.5, 0.8, 0.5, 0.05, 0.125],
        "image/ui_annotations_text": ["Clock", ""],
        "image/ui_annotations_ui_types": ["TEXT", "ICON_CLOCK"],
        "results/action_type": kind,
        "results/type_action": "",
        "results/yx_touch": NOWHERE,
        "results/yx_lift": NOWHERE,
        "step_id": step,
        **given,
    }


@pytest.fixture
def write(tmp_path: Path, shard: Write, example: Write) -> Callable[..., Path]:
    """Write a shard of `general` from features of examples."""

    def make(*records: dict[str, Any], name: str = "general-00000-of-00321", compressed: bool = True) -> Path:
        path = tmp_path / "aitw" / "general" / name
        made: Path = shard(path, *(example(record) for record in records), compressed=compressed)
        return made

    return make


def one(path: Path) -> Episode:
    (row,) = (row for row in open_aitw(path).scan() if isinstance(row, EpisodeSummary))
    return open_aitw(path).read(row.id, row.place)


@pytest.mark.parametrize("compressed", [True, False])
def test_an_episode_in_full(write: Write, compressed: bool) -> None:
    path = write(
        features(0, 4, results__yx_touch=[0.25, 0.5], results__yx_lift=[0.26, 0.5]),
        features(1, 4, results__yx_touch=[0.8, 0.5], results__yx_lift=[0.2, 0.55]),
        features(2, 10),
        compressed=compressed,
    )
    episode = one(path)
    assert (episode.id, episode.format, episode.platform) == (ID, "aitw", Platform.ANDROID)
    assert (episode.goal, episode.app, episode.problems) == ("open the clock", "com.android.chrome", ())
    assert episode.feasibility == Feasibility(FeasibilityLabel.FEASIBLE)
    assert episode.splits == ("set/general",)
    tap, swipe, end = (step.action for step in episode.steps)
    assert isinstance(tap, Tap) and tap.point is not None and tap.target is not None and tap.target.box is not None
    assert (tap.point.x, tap.point.y) == (20, 22.5)
    box = tap.target.box
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((10, 18, 30, 27), abs=1e-4)
    assert tap.target.text == "Clock"
    assert isinstance(swipe, Swipe) and swipe.direction is Direction.UP
    assert (swipe.point.x, swipe.point.y) == pytest.approx((20, 72), abs=1e-4)
    assert (swipe.to.x, swipe.to.y) == pytest.approx((22, 18), abs=1e-4)
    assert end == Finish(FinishStatus.COMPLETE)
    seen = episode.steps[1].observation
    assert (seen.size, seen.activity) == (Size(WIDTH, HEIGHT), "com.android.chrome/org.chromium.Main")
    assert seen.tree is not None and seen.tree.origin is TreeOrigin.DETECTOR
    icon = seen.tree.elements[1]
    assert (icon.text, icon.class_name, icon.parent) == ("", "ICON_CLOCK", -1)
    assert (icon.box.left, icon.box.top, icon.box.right, icon.box.bottom) == pytest.approx((20, 72, 25, 76.5), abs=1e-4)


@pytest.mark.parametrize("compressed", [True, False])
def test_pictures_are_the_raw_pixels_inside_the_shard(write: Write, compressed: bool) -> None:
    path = write(features(0), features(1), features(2), compressed=compressed)
    data = gzip.decompress(path.read_bytes()) if compressed else path.read_bytes()
    for index, step in enumerate(one(path).steps):
        picture = step.observation.screenshot
        assert picture is not None and (picture.path, picture.size) == (path, Size(WIDTH, HEIGHT))
        part = picture.part
        assert isinstance(part, Slice) and (part.gzip, part.encoding) == (compressed, Encoding.RGB)
        assert data[part.offset : part.offset + part.length] == bytes([index]) * (WIDTH * HEIGHT * 3)
        assert data[part.offset - 1] != index or index == 0


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        (3, Type("weather in Köln")),
        (5, PressKey("back")),
        (6, PressKey("home")),
        (7, PressKey("enter")),
        (10, Finish(FinishStatus.COMPLETE)),
        (11, Finish(FinishStatus.IMPOSSIBLE)),
    ],
)
def test_actions_by_number(write: Write, kind: int, action: object) -> None:
    (step,) = one(write(features(0, kind, 1, results__type_action="weather in Köln"))).steps
    assert step.action == action


def test_impossible_is_the_annotators_last_word(write: Write) -> None:
    episode = one(write(features(0, 5), features(1, 11, 2), features(2, 11)))
    assert episode.feasibility == Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.IMPOSSIBLE)
    assert one(write(features(0, 5, 1))).feasibility == Feasibility()


def test_rows_are_complete_and_read_at_their_place(write: Write, rows: Rows) -> None:
    path = write(
        features(0, 4, 2, "7", results__yx_touch=[0.5, 0.5], results__yx_lift=[0.5, 0.5]),
        features(1, 10, 2, "7"),
        features(0, 3, 1, "8"),
        features(0, 5, 2, "9", goal_info="another"),
        features(1, 11, 2, "9", goal_info="another"),
    )
    found, problems = rows(open_aitw(path.parent.parent))
    assert problems == []
    assert [(row.id, row.goal, row.steps, row.screens, row.actions) for row in found] == [
        ("7", "open the clock", 2, 2, (("tap", 1), ("finish", 1))),
        ("8", "open the clock", 1, 1, (("type", 1),)),
        ("9", "another", 2, 2, (("press_key", 1), ("finish", 1))),
    ]
    assert all(row.checked for row in found)
    for row in found:
        assert summarise(open_aitw(path.parent.parent).read(row.id, row.place), row.place) == row


def test_an_episode_is_found_without_its_place(write: Write) -> None:
    path = write(features(0, 10, 1, "7"), features(0, 5, 1, "8"))
    assert open_aitw(path).read("8").steps[0].action == PressKey("back")
    with pytest.raises(UsageError):
        open_aitw(path).read("9")


@pytest.mark.parametrize(
    "place", ["", "x", " 12", " 12:0:5", " 999999999:0:5/0", " 12:-4:9/0", " 12:0:5/9", " 0:0:3/0", "? 12:0:9/0"]
)
def test_a_place_that_is_none_is_a_source_error(write: Write, place: str) -> None:
    path = write(features(0, 10, 1))
    with pytest.raises(SourceError):
        open_aitw(path).read(ID, f"{path.name}\t{place}")


def test_a_place_names_every_step_and_leaves_the_pixels_out(write: Write, rows: Rows) -> None:
    path = write(features(0, 5), features(1, 5), features(2, 10, image__width=20, image__encoded=b"\7" * 5400))
    data = gzip.decompress(path.read_bytes())
    ((row,), _) = rows(open_aitw(path))
    place = AitwPlace.parse(row.place.partition("\t")[2], path)
    assert [step.pixels for step in place.steps] == [10800, 10800, 5400]
    for step, hollow in zip(place.steps, read_without_pixels(path, place.steps), strict=True):
        whole = bytearray(data[step.offset : step.offset + step.length])
        start, end = step.start, step.start + step.pixels
        whole[start:end] = bytes(end - start)
        assert (hollow == whole) or (start, end) == (0, 0)
    assert AitwPlace.parse(place.text(), path) == place
    assert row.place.count(":") == 4, "a run of two steps, and one of the step with another size"


def test_large_pixels_are_passed_over(write: Write, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    size = {"image__width": 300, "image__height": 600, "image__encoded": b"\7" * (300 * 600 * 3)}
    path = write(features(0, 5, **size), features(1, 5, **size), features(2, 10, **size))
    ((row,), _) = rows(open_aitw(path))
    lengths: list[int] = []

    def counted(shard: Path, offset: int, length: int) -> bytes:
        lengths.append(length)
        return read_span(shard, offset, length)

    monkeypatch.setattr("stepscope.core.sources.aitw_place.read_span", counted)
    assert summarise(open_aitw(path).read(ID, row.place), row.place) == row
    assert len(lengths) == 4 and sum(lengths) < 3_000


def test_steps_are_put_in_order_and_gaps_and_doubles_are_told(write: Write) -> None:
    episode = one(write(features(2, 10), features(0, 5), features(1, 6)))
    assert [step.action for step in episode.steps] == [PressKey("back"), PressKey("home"), Finish()]
    assert episode.problems == ()
    episode = one(write(features(0, 5), features(2, 10), features(2, 10)))
    (problem,) = episode.problems
    assert problem.message.startswith("the step_ids are not 0, 1, 2") and problem.file == "general-00000-of-00321"
    episode = one(write(features(0, 5, 4), features(1, 10, 4)))
    assert [problem.message for problem in episode.problems] == ["episode_length says 4, there are 2 steps"]


def test_an_id_that_comes_again_is_another_episode_and_told(write: Write, rows: Rows) -> None:
    path = write(features(0, 5, 1, "7"), features(0, 5, 1, "8"), features(0, 6, 1, "7"))
    found, _ = rows(open_aitw(path))
    assert [row.id for row in found] == ["7", "8", "7~2"]
    assert found[2].problems[0].field == "id"
    assert open_aitw(path).read("7~2", found[2].place).steps[0].action == PressKey("home")


def test_splits_are_those_of_the_files_above_and_stand_in_the_place(write: Write, rows: Rows) -> None:
    path = write(features(0, 10, 1, "7"), features(0, 10, 1, "8"))
    folder = path.parent.parent / "splits"
    folder.mkdir()
    (folder / "standard.json").write_text(json.dumps({"train": ["8"], "validation": [], "test": ["7"]}))
    (folder / "unseen_verb.json").write_text(json.dumps({"train": ["7", "8"], "test": []}))
    (folder / "unseen_domain.json").write_text("[1, 2]")
    found, problems = rows(open_aitw(path.parent))
    assert [row.splits for row in found] == [
        ("set/general", "standard/test", "unseen_verb/train"),
        ("set/general", "standard/train", "unseen_verb/train"),
    ]
    (problem,) = problems
    assert problem.field == "splits" and problem.file == "unseen_domain.json"
    for name in folder.iterdir():
        name.unlink()
    assert open_aitw(path.parent).read("7", found[0].place).splits == found[0].splits


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"image__encoded": b"\1" * 99}, "99 bytes are not the pixels of 40 × 90"),
        ({"image__encoded": 5}, "no pixels"),
        ({"image__channels": 4}, "4 channels"),
        ({"image__height": 0}, "no size"),
        ({"image__width": 9_000_000_000_000}, "no size"),
        ({"image__width": -40}, "no size"),
    ],
)
def test_pixels_that_do_not_fit_are_told_and_the_step_stays(write: Write, more: dict[str, Any], words: str) -> None:
    episode = one(write(features(0, 5, 2), features(1, 10, 2, **more)))
    assert [step.observation.screenshot is None for step in episode.steps] == [False, True]
    assert episode.steps[1].observation.size == Size(WIDTH, HEIGHT)
    told = [problem for problem in episode.problems if problem.field == "screenshot"]
    assert [problem.step for problem in told] == [1] and words in told[0].message


@pytest.mark.parametrize(
    "more",
    [
        {"results__yx_touch": [float("nan"), 0.5]},
        {"results__yx_touch": [0.5]},
        {"results__yx_touch": NOWHERE},
        {"results__yx_lift": [0.5, float("inf")]},
        {"results__action_type": 2},
        {"results__action_type": 1 << 60},
        {"results__action_type": "4"},
    ],
)
def test_an_action_that_cannot_be_read_is_told(write: Write, more: dict[str, Any]) -> None:
    touch = {"results__yx_touch": [0.5, 0.5], "results__yx_lift": [0.5, 0.5]}
    episode = one(write(features(0, 4, 1, **{**touch, **more})))
    assert episode.steps[0].action is None
    assert "action" in [problem.field for problem in episode.problems]


def test_boxes_texts_and_types_that_disagree_are_told(write: Write) -> None:
    positions = [0.2, 0.25, 0.1, 0.5, 0.8, 0.5, float("nan"), 0.125, 0.1]
    (step,) = (episode := one(write(features(0, 10, 1, image__ui_annotations_positions=positions)))).steps
    assert step.observation.tree is not None and len(step.observation.tree) == 1
    assert [problem.field for problem in episode.problems] == ["view_hierarchy"] * 2
    assert "(2.25, 2, 2)" in episode.problems[0].message


def test_a_wrong_checksum_costs_one_step_and_is_told(write: Write, rows: Rows, shard: Write, example: Write) -> None:
    path = write(features(0, 5, 1, "7"), features(0, 6, 1, "8"), features(0, 7, 1, "9"), compressed=False)
    data = bytearray(path.read_bytes())
    first = struct.unpack_from("<Q", data)[0]
    data[first + 16 + 12 + 200] ^= 1
    path.write_bytes(data)
    found, problems = rows(open_aitw(path))
    assert [row.id for row in found] == ["7", "9"]
    (problem,) = problems
    assert problem.file == path.name and problem.message.startswith("record ")
    assert open_aitw(path).read("9", found[1].place).steps[0].action == PressKey("enter")


def test_a_truncated_shard_gives_what_is_whole(write: Write, rows: Rows) -> None:
    path = write(features(0, 5, 1, "7"), features(0, 6, 1, "8"))
    path.write_bytes(path.read_bytes()[:-40])
    found, problems = rows(open_aitw(path))
    assert [row.id for row in found][:1] == ["7"] and len(problems) == 1


def test_an_example_without_an_id_is_told(write: Write, rows: Rows, shard: Write) -> None:
    nameless = features(0, 5, 1)
    del nameless["episode_id"]
    found, problems = rows(open_aitw(write(features(0, 5, 1, "7"), nameless)))
    assert [row.id for row in found] == ["7"]
    assert [problem.field for problem in problems] == ["id"]


def test_the_format_is_told_by_its_features(write: Write, shard: Write, example: Write, tmp_path: Path) -> None:
    path = write(features(0, 10, 1))
    assert FORMAT.sniff(FolderScan(tmp_path)) and FORMAT.sniff(FolderScan(path))
    pixels_first = {"image/encoded": os.urandom(600_000), **features(0, 10, 1, image__encoded=os.urandom(600_000))}
    assert FORMAT.sniff(FolderScan(shard(tmp_path / "first" / "general-00001-of-00321", example(pixels_first))))
    other = shard(tmp_path / "other" / "general-00000-of-00001", example({"image/encoded": b"\xff\xd8", "label": 3}))
    assert not FORMAT.sniff(FolderScan(other)) and not FORMAT.sniff(FolderScan(other.parent))
    pointer = tmp_path / "pointer" / "general-00000-of-00321"
    pointer.parent.mkdir()
    pointer.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    assert not FORMAT.sniff(FolderScan(pointer))


NAMES = sorted(features(0))
VALUES = st.one_of(
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.lists(st.integers(-5, 5), max_size=5),
    st.lists(st.floats(width=32), min_size=1, max_size=9),
    st.binary(max_size=8),
    st.lists(st.text(max_size=4), max_size=4),
)


@given(st.dictionaries(st.sampled_from(NAMES), st.none() | VALUES, max_size=4), st.sampled_from([3, 4, 5, 10, 11]))
@regression({"image/height": 1 << 62, "image/width": 1 << 62}, 4)
def test_any_features_are_an_episode_or_a_problem(write: Write, changes: dict[str, Any], kind: int) -> None:
    record = features(0, kind, 1, results__yx_touch=[0.5, 0.5], results__yx_lift=[0.1, 0.5]) | changes
    changed = {name: value for name, value in record.items() if value is not None}
    path = write(changed, features(0, 5, 1, "7"), compressed=False)
    for row in open_aitw(path).scan():
        if isinstance(row, EpisodeSummary):
            assert summarise(open_aitw(path).read(row.id, row.place), row.place) == row or row.problems


@given(st.binary(max_size=40), st.integers(0, 20_000), st.booleans())
def test_any_bytes_are_rows_and_problems(write: Write, junk: bytes, place: int, compressed: bool) -> None:
    path = write(features(0, 5, 1, "7"), features(0, 6, 1, "8"), compressed=compressed)
    whole = path.read_bytes()
    path.write_bytes(whole[:place] + junk + whole[place + len(junk) :])
    for row in open_aitw(path).scan():
        if isinstance(row, EpisodeSummary):
            open_aitw(path).read(row.id, row.place)
