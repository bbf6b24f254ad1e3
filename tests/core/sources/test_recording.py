"""Recordings: what is written is what is read back, whole or not at all, and nothing leads out of the folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

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
    FinishStatus,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
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
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.recording import FORMAT, open_recording, read_recording, recording_meta
from stepscope.core.sources.recording_writer import RecordingWriter, write_recording

words = st.text(max_size=12)
places = st.floats(-1e6, 1e6)


def points(size: Size) -> st.SearchStrategy[Point]:
    return st.builds(Point, places, places, st.just(size))


def boxes(size: Size) -> st.SearchStrategy[Box]:
    edges = st.tuples(places, places).map(sorted)
    return st.builds(lambda x, y: Box(x[0], y[0], x[1], y[1], size), edges, edges)


def actions(size: Size) -> st.SearchStrategy[Action]:
    point, maybe = points(size), st.none() | points(size)
    target = st.none() | st.builds(Target, boxes(size), words, st.none() | words)
    directions = st.sampled_from(Direction)
    return st.one_of(
        *[st.builds(kind, point, target) for kind in (Tap, LongPress, DoubleTap, Hover)],
        *[st.builds(kind, point, point, target) for kind in (Swipe, Drag)],
        st.builds(Scroll, directions, maybe, target),
        *[st.builds(kind, words, maybe, target) for kind in (Type, Select)],
        *[st.builds(kind, words) for kind in (PressKey, OpenApp, AskUser, Say)],
        st.just(Wait()),
        st.builds(Finish, st.sampled_from(FinishStatus)),
    )


@st.composite
def trees(draw: st.DrawFn) -> UITree:
    size = draw(sizes)
    elements: list[UIElement] = []
    for index in range(draw(st.integers(0, 4))):
        parent = draw(st.integers(-1, index - 1))
        depth = draw(st.sampled_from([elements[parent].depth + 1 if parent >= 0 else 0, 7]))
        flags = {name: draw(st.booleans()) for name in ("clickable", "enabled", "visible", "password", "editable")}
        texts = {name: draw(words) for name in ("text", "resource_id", "class_name", "content_description", "package")}
        elements.append(UIElement(index, draw(boxes(size)), parent, depth, **texts, **flags))
    return UITree(tuple(elements), draw(st.sampled_from(TreeOrigin)), size, draw(words))


sizes = st.builds(Size, st.integers(1, 4000), st.integers(1, 4000))


@st.composite
def episodes(draw: st.DrawFn, pictures: list[Picture]) -> Episode:
    steps = []
    for index in range(draw(st.integers(0, 4))):
        size = draw(sizes)
        seen = Observation(
            size,
            draw(st.none() | st.sampled_from(pictures)),
            draw(st.none() | trees()),
            draw(st.none() | st.floats(0, 1e6)),
            draw(words),
        )
        steps.append(Step(index, seen, draw(st.none() | actions(size)), draw(st.none() | words)))
    identity = draw(words)
    return Episode(
        id=identity,
        format=draw(st.sampled_from(["rico", "recording"])),
        platform=draw(st.sampled_from(Platform)),
        goal=draw(words),
        steps=tuple(steps),
        app=draw(st.none() | words),
        feasibility=Feasibility(
            draw(st.none() | st.sampled_from(FeasibilityLabel)),
            draw(st.none() | st.sampled_from(InfeasibilityReason)),
            tuple(draw(st.lists(words, max_size=2))),
        ),
        asks=tuple(draw(st.lists(st.builds(Ask, st.integers(0, 9), words, words), max_size=2))),
        splits=tuple(draw(st.lists(words.filter(bool), max_size=2))),
        original_goal=draw(st.none() | words),
        problems=tuple(
            Problem(message, identity, draw(st.none() | st.integers(0, 9)), "action", "x.json")
            for message in draw(st.lists(words, max_size=2))
        ),
    )


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    folder = tmp_path_factory.mktemp("pictures")
    made = []
    for name, width, height in (("a.png", 30, 40), ("b.jpg", 50, 20), ("c.webp", 9, 9)):
        assert cv2.imwrite(str(folder / name), np.full((height, width, 3), len(made) * 50, np.uint8))
        made.append(Picture(folder / name, Size(width, height)))
    return made


def without_paths(episode: Episode) -> Episode:
    """The episode with each picture's bytes in the place of its path."""
    steps = []
    for step in episode.steps:
        shot = step.observation.screenshot
        named = replace(shot, path=Path(shot.path.read_bytes().hex())) if shot else None
        steps.append(replace(step, observation=replace(step.observation, screenshot=named)))
    return replace(episode, steps=tuple(steps), format="recording")


@settings(max_examples=settings().max_examples // 8)
@given(data=st.data())
def test_reading_back_gives_the_same_episode(
    tmp_path_factory: pytest.TempPathFactory, pictures: list[Picture], data: st.DataObject
) -> None:
    episode = data.draw(episodes(pictures))
    folder = tmp_path_factory.mktemp("out") / "recording"
    assert write_recording(episode, folder) == folder
    assert without_paths(read_recording(folder)) == without_paths(episode)


@pytest.fixture
def episode(pictures: list[Picture]) -> Episode:
    size = pictures[0].size
    tree = UITree((UIElement(0, Box(0, 0, 9, 9, size), text="Löschen"),), TreeOrigin.DUMP, size)
    first = Step(0, Observation(size, pictures[0], tree, 0.5, "a/.Main"), Tap(Point(3, 4, size)), "press it")
    return Episode(
        "e-1", "recording", Platform.ANDROID, "löschen", (first, replace(first, index=1, action=None)), app="com.a"
    )


@pytest.fixture
def folder(tmp_path: Path, episode: Episode) -> Path:
    return write_recording(episode, tmp_path / "data" / "one", meta={"device": "simulated"})


def change(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "episode.json"
    form = json.loads(path.read_text(encoding="utf-8"))
    edit(form)
    path.write_text(json.dumps(form), encoding="utf-8")


def test_what_lies_on_disk(folder: Path) -> None:
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert files == ["episode.json", "screens/0000.png", "trees/0000.json"]  # the second state looks the same
    form = json.loads((folder / "episode.json").read_text(encoding="utf-8"))
    assert (form["format"], form["version"]) == ("stepscope-recording", 1)
    assert form["steps"][0]["action"]["kind"] == "tap" and form["steps"][0]["action"]["point"] == [3, 4]
    assert [step["screenshot"] for step in form["steps"]] == ["screens/0000.png"] * 2
    tree = json.loads((folder / "trees" / "0000.json").read_text(encoding="utf-8"))
    assert tree["elements"] == [{"box": [0, 0, 9, 9], "text": "Löschen"}]
    assert recording_meta(folder) == {"source_format": "recording", "device": "simulated"}
    assert "löschen" in (folder / "episode.json").read_text(encoding="utf-8")


def test_a_folder_of_recordings_is_a_source(folder: Path, episode: Episode, rows: Any) -> None:
    write_recording(episode, folder.parent / "two")
    write_recording(replace(episode, id="e-2"), folder.parent / "deeper" / "three")
    episodes_found, problems = rows(open_recording(folder.parent))
    assert [row.id for row in episodes_found] == ["e-2", "e-1", "e-1~2"] and problems == []
    assert FORMAT.sniff(FolderScan(folder)) and FORMAT.sniff(FolderScan(folder.parent))
    assert not FORMAT.sniff(FolderScan(folder / "screens"))


def test_a_full_folder_is_not_written_over_unless_asked(folder: Path, episode: Episode) -> None:
    with pytest.raises(UsageError, match="not empty"):
        write_recording(episode, folder)
    (folder / "old.txt").write_text("x")
    write_recording(replace(episode, goal="new"), folder, overwrite=True)
    assert read_recording(folder).goal == "new" and not (folder / "old.txt").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["one"]


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, episode: Episode) -> None:
    size = Size(30, 40)
    gone = replace(episode.steps[0], observation=Observation(size, Picture(tmp_path / "gone.png", size)))
    foreign = replace(episode.steps[0], action=Tap(Point(1, 1, Size(1, 1))))
    for bad, error in ((gone, SourceError), (foreign, ValueError)):
        with pytest.raises(error):
            write_recording(replace(episode, steps=(episode.steps[0], bad)), tmp_path / "out")
        assert list(tmp_path.iterdir()) == []


def test_a_session_can_be_saved_after_every_step(tmp_path: Path, episode: Episode, pictures: list[Picture]) -> None:
    writer = RecordingWriter(tmp_path / "live", {"device": "emulator-5554"})
    bare = replace(episode.steps[0], observation=replace(episode.steps[0].observation, screenshot=None))
    for count in (1, 2, 3):
        writer.add(replace(bare, index=count - 1), pictures[count % 2].path.read_bytes())
        writer.save(episode)
        found = read_recording(tmp_path / "live")
        assert len(found.steps) == count and found.problems == ()
    suffixes = [step.observation.screenshot.path.suffix for step in found.steps if step.observation.screenshot]
    assert suffixes == [".jpg", ".png", ".jpg"]
    writer.save(replace(episode, feasibility=Feasibility(FeasibilityLabel.INFEASIBLE)))
    assert read_recording(tmp_path / "live").feasibility.label is FeasibilityLabel.INFEASIBLE
    with pytest.raises(UsageError, match="a recording already"):
        RecordingWriter(tmp_path / "live")


def test_a_hasty_writer_writes_the_same(tmp_path: Path, episode: Episode) -> None:
    for durable in (True, False):
        writer = RecordingWriter(tmp_path / str(durable), durable=durable)
        for step in episode.steps:
            writer.add(step)
        writer.save(episode)
    kept, hasty = (sorted((tmp_path / name).rglob("*.*")) for name in ("True", "False"))
    assert len(kept) > 1 and [file.name for file in kept] == [file.name for file in hasty]
    assert [file.read_bytes() for file in kept] == [file.read_bytes() for file in hasty]


@pytest.mark.parametrize("version", [2, 99])
def test_a_newer_version_is_refused(folder: Path, version: int) -> None:
    change(folder, lambda form: form.update(version=version))
    with pytest.raises(SourceError, match=f"version {version}, this Stepscope reads up to 1") as caught:
        read_recording(folder)
    assert "Update" in caught.value.hint


def test_without_an_id_the_folder_names_the_recording(folder: Path, rows: Any) -> None:
    change(folder, lambda form: form.pop("id"))
    assert [row.id for row in rows(open_recording(folder))[0]] == ["one"]


@pytest.mark.parametrize(
    "update",
    [
        {"version": 0}, {"version": "1"}, {"version": True}, {"format": "other"}, {"steps": {}},
        {"platform": "toaster"},
        {"goal": 3}, {"app": []},
    ],
)  # fmt: skip
def test_a_document_that_is_wrong_as_a_whole_is_refused(folder: Path, update: dict[str, Any], rows: Any) -> None:
    change(folder, lambda form: form.update(update))
    with pytest.raises(SourceError):
        read_recording(folder)
    assert len(rows(open_recording(folder))[0]) == 0


@pytest.mark.parametrize("name", ["../../secret.png", "/etc/passwd", "screens/link.png", "none.png", 7, "a\0b"])
@pytest.mark.parametrize("field", ["screenshot", "tree"])
def test_names_inside_do_not_leave_the_folder(folder: Path, name: object, field: str) -> None:
    (folder.parents[1] / "secret.png").write_bytes((folder / "screens" / "0000.png").read_bytes())
    (folder / "screens" / "link.png").symlink_to(folder.parents[1] / "secret.png")
    change(folder, lambda form: form["steps"][0].update({field: name}))
    episode = read_recording(folder)
    seen = episode.steps[0].observation
    assert (seen.screenshot if field == "screenshot" else seen.tree) is None
    assert [(problem.step, problem.field) for problem in episode.problems] == [(0, field)]


@pytest.mark.parametrize(
    ("update", "kept", "field"),
    [
        ({"action": {"kind": "dance"}}, 2, "action"),
        ({"action": {"kind": "tap", "point": [1, 10**400]}}, 2, "action"),
        ({"size": [0, 5]}, 1, "steps"),
        ({"size": None}, 1, "steps"),
        ({"index": "x"}, 1, "steps"),
        ({"time": "soon"}, 1, "steps"),
        ({"instruction": 5}, 1, "steps"),
    ],
)
def test_a_broken_part_costs_that_part(folder: Path, update: dict[str, Any], kept: int, field: str) -> None:
    change(folder, lambda form: form["steps"][0].update(update))
    episode = read_recording(folder)
    assert len(episode.steps) == kept and [problem.field for problem in episode.problems] == [field]


NO_INDEX = [2**31, 2**31 - 1, 2**32, 2**63, 2**64, 10**400, -1, -(2**31) - 1, True, "1", 1.0, None, [], 1e308]


@pytest.mark.parametrize("index", NO_INDEX)
def test_an_index_that_no_step_can_have_costs_the_step(folder: Path, index: object) -> None:
    change(folder, lambda form: form["steps"][1].update(index=index))
    read = read_recording(folder)
    (problem,) = read.problems
    assert [step.index for step in read.steps] == [0]
    assert problem.step == 1 and problem.message == "step left out: index must be a whole number from 0 to 999999999"


def test_of_two_steps_with_one_index_the_first_is_kept(folder: Path) -> None:
    change(folder, lambda form: form["steps"][1].update(index=0))
    read = read_recording(folder)
    (problem,) = read.problems
    assert [step.index for step in read.steps] == [0]
    assert (problem.step, problem.message) == (1, "step left out: another one has its index 0")


@pytest.mark.parametrize("index", NO_INDEX)
def test_asks_and_problems_are_about_steps_that_can_be(folder: Path, index: object) -> None:
    said = {"asks": [{"step": index, "question": "Which?", "answer": "That"}]}
    change(folder, lambda form: form.update(said, problems=[{"message": "a gap", "step": index}]))
    read = read_recording(folder)
    assert read.asks == () and len(read.steps) == 2
    assert [(problem.message, problem.step) for problem in read.problems] == [
        ("a gap", None),
        ("an ask needs step, question and answer", None),
    ]


@pytest.mark.parametrize(
    "tree",
    [
        {}, {"elements": []}, {"elements": [], "size": [9, 9], "origin": "dream"},
        {"elements": [{"box": [0, 0, 1, 1], "parent": 0}], "size": [9, 9], "origin": "dump"},
        {"elements": [{"box": [5, 0, 1, 1]}], "size": [9, 9], "origin": "dump"},
        {"elements": [{"box": [0, 0, 1, 1], "clickable": "yes"}], "size": [9, 9], "origin": "dump"},
        {"elements": [7], "size": [9, 9], "origin": "dump"},
    ],
)  # fmt: skip
def test_a_broken_tree_costs_the_tree(folder: Path, tree: object) -> None:
    (folder / "trees" / "0000.json").write_text(json.dumps(tree))
    episode = read_recording(folder)
    assert episode.steps[0].observation.tree is None and {p.field for p in episode.problems} == {"tree"}


def test_broken_words_about_the_episode_are_problems(folder: Path) -> None:
    change(folder, lambda form: form.update(feasibility={"label": "perhaps"}, asks=[{"step": 1}, 5], problems=[1]))
    episode = read_recording(folder)
    assert episode.feasibility == Feasibility() and episode.asks == ()
    assert [problem.field for problem in episode.problems] == ["feasibility", "asks", "asks"]


def test_a_document_that_is_a_link_out_of_the_folder_is_not_read(folder: Path, tmp_path: Path, rows: Any) -> None:
    (folder / "episode.json").rename(tmp_path / "secret.json")
    (folder / "episode.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(SourceError, match="a link that leads out of the data's folder"):
        read_recording(folder)
    found, problems = rows(open_recording(folder))
    told = "a link that leads out of the data's folder is not followed"
    assert found == [] and [(one.message, one.file) for one in problems] == [(told, "episode.json")]


@pytest.mark.parametrize("target", ["/dev/zero", "a pipe", "a link to a link", "a circle"])
def test_no_link_is_waited_for(folder: Path, tmp_path: Path, rows: Any, target: str) -> None:
    place = folder / "episode.json"
    place.rename(tmp_path / "secret.json")
    if target == "a pipe":
        os.mkfifo(tmp_path / "pipe")
    if target == "a link to a link":
        (folder / "between").symlink_to(tmp_path / "secret.json")
    where = {"a pipe": tmp_path / "pipe", "a link to a link": folder / "between", "a circle": place}
    place.symlink_to(where.get(target, Path(target)))
    with pytest.raises(SourceError):
        read_recording(folder)
    found, problems = rows(open_recording(folder))
    assert found == [] and len(problems) == 1 and "a link that leads" in problems[0].message


def test_a_data_folder_that_is_a_link_is_the_data(folder: Path, tmp_path: Path, rows: Any) -> None:
    (tmp_path / "chosen").symlink_to(folder.parent, target_is_directory=True)
    found, problems = rows(open_recording(tmp_path / "chosen"))
    assert len(found) == 1 and problems == []
