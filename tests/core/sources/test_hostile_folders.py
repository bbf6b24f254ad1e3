"""Hostile and half-written data in RICO, MoTIF, LlamaTouch and recordings: named with file, step and field, and the
readable rest opens."""

from __future__ import annotations

import errno
import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stepscope.core import regular_files
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources import look
from stepscope.core.sources.llamatouch import open_llamatouch
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.motif import FORMAT as MOTIF
from stepscope.core.sources.motif import open_motif
from stepscope.core.sources.recording import open_recording
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_source
from stepscope.core.sources.rico import FORMAT as RICO
from stepscope.core.sources.rico import open_rico
from stepscope.core.sources.source import Source

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
TRACE = "c47ad16a-44b2-4303-982a-17859efe40c6"


@dataclass
class Sample:
    """A readable episode of two steps, and where its parts lie (relative to its folder) for step 1."""

    folder: Path
    id: str
    open: Callable[[Path], Source]
    index: str
    picture: str
    tree: str
    tree_field: str = "view_hierarchy"

    def read(self) -> Episode:
        return self.open(self.folder).read(self.id)

    def put(self, name: str, content: str | bytes) -> None:
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture(params=["rico", "motif", "llamatouch", "recording"])
def sample(
    request: pytest.FixtureRequest, tmp_path: Path, write_picture: Any, write_json: Any, node: Any, hierarchy: Any
) -> Sample:
    form = hierarchy(node([0, 0, 1080, 1920], node([100, 400, 700, 1000], text="Go", clickable=True)))
    gestures: dict[str, Any] = {"0": [[0.3, 0.4]], "1": [[0.4, 0.3]]}
    match request.param:
        case "rico":
            folder = tmp_path / "com.a" / "trace_0"
            for view in gestures:
                write_picture(folder / "screenshots" / f"{view}.png", 54, 96)
                write_json(folder / "view_hierarchies" / f"{view}.json", form)
            write_json(folder / "gestures.json", gestures)
            parts = ("gestures.json", "screenshots/1.png", "view_hierarchies/1.json")
            return Sample(folder, "com.a/trace_0", open_rico, *parts)
        case "motif":
            folder = tmp_path / "com.a" / TRACE
            for view in gestures:
                write_picture(folder / "screens" / f"{view}.jpg", 54, 96)
                write_json(folder / "view_hierarchies" / f"{view}.jpg", form)
            write_json(folder / "metadata.json", {"gestures": {f"{view}.jpg": it for view, it in gestures.items()}})
            write_json(folder / "trace_info.json", {"trace_type": "action", "task_command": "go"})
            return Sample(folder, TRACE, open_motif, "metadata.json", "screens/1.jpg", "view_hierarchies/1.jpg")
        case "llamatouch":
            folder = tmp_path / "general" / "trace_0"
            for index in range(2):
                write_picture(folder / f"{index}.png", 54, 96)
                (folder / f"{index}.xml").write_text('<hierarchy><node bounds="[5,20][35,50]"/></hierarchy>')
            (folder / "instruction.txt").write_text("7\ngo")
            (folder / "eventStructs.txt").write_text("[Home]\n[Back]")
            return Sample(folder, "7", open_llamatouch, "eventStructs.txt", "1.png", "1.xml")
        case _:
            folder = tmp_path / "one"
            for index in range(2):
                write_picture(folder / f"{index}.png", 54, 96)
                tree = {"origin": "dump", "size": [54, 96], "elements": [{"box": [5, 20, 35, 50]}]}
                write_json(folder / f"{index}.json", tree)
            steps = [
                {"index": index, "size": [54, 96], "screenshot": f"{index}.png", "tree": f"{index}.json",
                 "action": {"kind": "tap", "point": [9, 9]}} for index in range(2)
            ]  # fmt: skip
            head = {"format": "stepscope-recording", "version": 1, "id": "r", "platform": "android", "goal": "go"}
            write_json(folder / "episode.json", head | {"steps": steps})
            return Sample(folder, "r", open_recording, "episode.json", "1.png", "1.json", "tree")


def told(episode: Episode, field: str, file: str) -> list[str]:
    """Messages about step 1's `field` in `file`; nothing else is wrong with the episode."""
    assert {(p.episode, p.step, p.field, p.file) for p in episode.problems} == {(episode.id, 1, field, file)}
    return [problem.message for problem in episode.problems]


def rest_opens(episode: Episode) -> bool:
    """Step 0 has everything and step 1 its action."""
    first, second = episode.steps
    return bool(first.observation.screenshot and first.observation.tree and first.action and second.action)


def test_the_samples_are_whole(sample: Sample) -> None:
    episode = sample.read()
    assert episode.problems == () and rest_opens(episode)


def test_a_git_lfs_pointer_in_a_pictures_place(sample: Sample) -> None:
    sample.put(sample.picture, LFS)
    episode = sample.read()
    assert "git-lfs pointer" in told(episode, "screenshot", sample.picture)[0] and rest_opens(episode)


def test_a_git_lfs_pointer_in_a_trees_place(sample: Sample) -> None:
    sample.put(sample.tree, LFS)
    episode = sample.read()
    assert any("git-lfs pointer" in problem.message for problem in episode.problems) and rest_opens(episode)
    assert {problem.step for problem in episode.problems} == {1}


def test_a_tree_that_was_written_half(sample: Sample) -> None:
    whole = (sample.folder / sample.tree).read_text()
    sample.put(sample.tree, whole[: len(whole) // 2])
    episode = sample.read()
    first = episode.problems[0]
    assert (first.step, first.field, first.file) == (1, sample.tree_field, sample.tree) and "broken" in first.message
    assert rest_opens(episode) and episode.steps[1].observation.screenshot is not None


def test_an_index_that_was_written_half_costs_its_own_episode(sample: Sample, tmp_path: Path, rows: Any) -> None:
    whole = (sample.folder / sample.index).read_text()
    sample.put(sample.index, whole[:-1])
    source = sample.open(tmp_path)
    episodes, problems = rows(source)
    said = [*problems, *(problem for row in episodes for problem in row.problems)]
    assert said and said[0].file.endswith(sample.index)
    assert len(episodes) + len({problem.episode for problem in problems}) == 1


def png_header(width: int, height: int) -> bytes:
    """A PNG that says how large it is and holds no pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def test_a_page_60000_pixels_high_opens_and_a_bomb_does_not(sample: Sample) -> None:
    sample.put(sample.picture, png_header(1280, 60_000))
    tall = sample.read()
    assert tall.problems == ()
    screenshot = tall.steps[1].observation.screenshot
    assert screenshot is not None and screenshot.size == Size(1280, 60_000)
    sample.put(sample.picture, png_header(60_000, 60_000))
    bomb = sample.read()
    assert "60000 × 60000 pixels" in told(bomb, "screenshot", sample.picture)[0] and rest_opens(bomb)


def test_the_outline_says_the_same_of_a_whole_episode(sample: Sample, tmp_path: Path, rows: Any) -> None:
    (row,), problems = rows(sample.open(tmp_path))
    episode = sample.read()
    assert problems == [] and not row.checked and row.problems == ()
    assert (row.id, row.goal, row.steps, row.screens) == (episode.id, episode.goal, 2, 2)
    kinds = [step.action.kind for step in episode.steps if step.action]
    assert dict(row.actions) == {kind: kinds.count(kind) for kind in kinds}
    assert (row.feasibility, row.splits, row.asks) == (episode.feasibility, episode.splits, len(episode.asks))


def test_the_outline_opens_no_picture_and_no_tree(sample: Sample, tmp_path: Path, rows: Any) -> None:
    sample.put(sample.picture, LFS)
    sample.put(sample.tree, "{")
    (row,), problems = rows(sample.open(tmp_path))
    assert problems == [] and row.problems == () and row.screens == 2 and not row.checked


class TestPlaces:
    """Coordinates that are no numbers."""

    NAN = ("NaN", "Infinity", "-Infinity", "1e400")

    @pytest.mark.parametrize("number", NAN)
    @pytest.mark.parametrize("sample", ["rico", "motif"], indirect=True)
    def test_in_a_view_hierarchy(self, sample: Sample, number: str) -> None:
        whole = (sample.folder / sample.tree).read_text()
        sample.put(sample.tree, whole.replace("[100, 400,", f"[{number}, 400,"))
        episode = sample.read()
        assert told(episode, "view_hierarchy", sample.tree)[0].startswith("1 element left out") and rest_opens(episode)
        tree = episode.steps[1].observation.tree
        assert tree is not None and len(tree) == 1

    @pytest.mark.parametrize("number", NAN)
    @pytest.mark.parametrize("sample", ["rico", "motif"], indirect=True)
    def test_in_a_gesture(self, sample: Sample, number: str) -> None:
        whole = (sample.folder / sample.index).read_text()
        sample.put(sample.index, whole.replace("[[0.4, 0.3]]", f"[[0.4, {number}]]"))
        episode = sample.read()
        assert [(p.step, p.field) for p in episode.problems] == [(1, "gestures")]
        assert episode.steps[1].action is None and episode.steps[0].action is not None

    @pytest.mark.parametrize("number", NAN)
    @pytest.mark.parametrize("sample", ["recording"], indirect=True)
    def test_in_a_recording(self, sample: Sample, number: str) -> None:
        sample.put(sample.index, (sample.folder / sample.index).read_text().replace("[9, 9]", f"[9, {number}]"))
        sample.put(sample.tree, (sample.folder / sample.tree).read_text().replace("[5, 20,", f"[5, {number},"))
        episode = sample.read()
        assert [(p.step, p.field) for p in episode.problems] == [(0, "action"), (1, "tree"), (1, "action")]
        assert all(step.observation.screenshot for step in episode.steps)

    @pytest.mark.parametrize("sample", ["llamatouch"], indirect=True)
    def test_in_a_list_of_views(self, sample: Sample) -> None:
        views = '[{"temp_id": 0, "parent": -1, "bounds": [[NaN, 0], [9, 9]]}, {"temp_id": 1, "parent": 0, "bounds":'
        sample.put("1.vh", views + " [[1, 2], [3, 5]]}]")
        sample.put("1.xml", "")
        episode = sample.read()
        tree = episode.steps[1].observation.tree
        assert tree is not None and [(e.box.left, e.box.bottom, e.parent) for e in tree] == [(1, 5, -1)]
        assert [(p.step, p.file) for p in episode.problems] == [(1, "1.xml"), (1, "1.vh")]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize("sample", ["llamatouch"], indirect=True)
class TestXml:
    @pytest.mark.parametrize(
        "dump",
        [
            f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><hierarchy><node text="&l11;" bounds="[0,0][9,9]"/></hierarchy>',
            '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><hierarchy><node text="&x;"/></hierarchy>',
            '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><hierarchy><node bounds="[0,0][9,9]"/></hierarchy>',
            '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY x "y">]><hierarchy/>',
            "<hierarchy>" + "<node>" * 100_000,
            '<hierarchy><node bounds="[0,0][9,9]"',
            '<hierarchy><node text="&unknown;" bounds="[0,0][9,9]"/></hierarchy>',
        ],
        ids=["laughs", "file", "network", "utf-16", "deep", "half", "unknown"],
    )
    def test_bombs_are_refused_and_the_views_used(self, sample: Sample, dump: str, write_json: Any) -> None:
        data = dump.encode("utf-16") if "UTF-16" in dump else dump.encode()
        sample.put("1.xml", data)
        write_json(sample.folder / "1.vh", [{"temp_id": 0, "parent": -1, "bounds": [[1, 2], [3, 5]]}])
        episode = sample.read()
        told(episode, "view_hierarchy", "1.xml")
        tree = episode.steps[1].observation.tree
        assert tree is not None and tree.origin is TreeOrigin.ACCESSIBILITY and rest_opens(episode)
        assert "root:" not in str(episode)

    def test_a_tree_that_bites_its_tail(self, sample: Sample, write_json: Any) -> None:
        """A root of its own, two views that are each other's parents, and one that is its own."""
        sample.put("1.xml", "")
        box = [[1, 2], [3, 5]]
        links = [(0, -1, [1]), (1, 2, [2]), (2, 1, [1]), (3, 3, [3])]
        views = [{"temp_id": n, "parent": p, "children": c, "bounds": box} for n, p, c in links]
        write_json(sample.folder / "1.vh", views)
        episode = sample.read()
        tree = episode.steps[1].observation.tree
        assert tree is not None and len(tree) == 1
        assert [(p.file, p.message) for p in episode.problems[1:]] == [
            ("1.vh", "3 elements left out: views that are each other's parents")
        ]


PASSWD = "../../../../../../etc/passwd"


class TestNamesThatLeadOut:
    @pytest.mark.parametrize("name", [PASSWD, "/etc/passwd", "screens\\..\\..\\x", "C:\\x.png", "a\0b", "", "x" * 5000])
    def test_of_a_recordings_parts(self, tmp_path: Path, write_json: Any, name: str) -> None:
        steps = [{"index": 0, "size": [9, 9], "screenshot": name, "tree": name, "activity": "a/b"}]
        head = {"format": "stepscope-recording", "version": 1, "id": "r", "platform": "android", "goal": "g"}
        write_json(tmp_path / "one" / "episode.json", head | {"steps": steps})
        (row,) = [row for row in open_recording(tmp_path).scan() if isinstance(row, EpisodeSummary)]
        assert row.screens == 0
        episode = open_recording(tmp_path).read("r")
        assert [(p.step, p.field) for p in episode.problems] == [(0, "screenshot"), (0, "tree")]
        assert episode.steps[0].observation.activity == "a/b" and "root:" not in str(episode)

    def test_of_a_gestures_state(self, tmp_path: Path, write_json: Any, write_picture: Any) -> None:
        folder = tmp_path / "com.a" / TRACE
        write_picture(folder / "screens" / "1.jpg", 9, 16)
        write_json(folder / "metadata.json", {"gestures": {PASSWD: [[0.1, 0.1]], "1.jpg": [[0.2, 0.3]]}})
        write_json(folder / "trace_info.json", {"trace_type": "language"})
        episode = open_motif(folder).read(TRACE)
        assert [step.observation.screenshot is None for step in episode.steps] == [True, False]
        assert [(p.step, p.field) for p in episode.problems] == [(0, "screenshot")] and "root:" not in str(episode)

    def test_of_a_place_in_an_index(self, sample: Sample, tmp_path: Path) -> None:
        """A row's place is data too once it comes back from a stored index."""
        assert sample.open(tmp_path).read(sample.id, PASSWD).id == sample.id


@pytest.mark.parametrize("sample", ["llamatouch"], indirect=True)
def test_two_traces_of_one_id(sample: Sample, tmp_path: Path, rows: Any) -> None:
    second = tmp_path / "install" / "trace_0"
    second.mkdir(parents=True)
    for path in sample.folder.iterdir():
        (second / path.name).write_bytes(path.read_bytes())
    episodes, problems = rows(open_llamatouch(tmp_path))
    assert problems == [] and [row.id for row in episodes] == ["7", "7~2"]
    (problem,) = episodes[1].problems
    assert problem.field == "id" and problem.file == "install/trace_0"


def test_two_formats_in_one_folder_keep_out_of_each_other(
    tmp_path: Path, write_picture: Any, write_json: Any, rows: Any
) -> None:
    for inside, name, form in (
        ("screenshots", "gestures.json", {"1": []}),
        ("screens", "metadata.json", {"gestures": {"1.jpg": []}}),
    ):
        write_picture(tmp_path / "com.a" / inside[6:] / inside / "1.jpg", 9, 16)
        write_json(tmp_path / "com.a" / inside[6:] / name, form)
    look = FolderScan(tmp_path)
    assert RICO.sniff(look) and MOTIF.sniff(look)
    assert [row.id for row in rows(open_rico(tmp_path))[0]] == ["com.a/shots"]
    assert [row.id for row in rows(open_motif(tmp_path))[0]] == ["s"]


def test_a_folder_that_hides_a_pipe_is_not_waited_for(tmp_path: Path, write_picture: Any) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes here")
    folder = tmp_path / "com.a" / TRACE
    write_picture(folder / "screens" / "1.jpg", 9, 16)
    os.mkfifo(folder / "metadata.json")
    (problem,) = open_motif(tmp_path).scan()
    assert isinstance(problem, Problem) and problem.episode == TRACE


def test_an_episode_on_a_bad_place_of_the_disk_is_told_and_the_rest_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = (Step(0, Observation(Size(10, 20))),)
    for name in ("a", "b"):
        write_recording(Episode(name, "recording", Platform.ANDROID, "goal", steps), tmp_path / "data" / name)
    bad = tmp_path / "data" / "a" / "episode.json"
    opened = regular_files.open_regular

    def fails(path: Path, **more: Any) -> Any:
        if Path(path) == bad:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return opened(path, **more)

    monkeypatch.setattr(look, "open_regular", fails)
    one, other = sorted(open_source(tmp_path / "data").scan(), key=lambda entry: isinstance(entry, Problem))
    assert isinstance(one, EpisodeSummary) and one.id == "b"
    assert isinstance(other, Problem)
    assert (other.file, other.message) == ("a/episode.json", "cannot be read: input/output error")
    for path in (bad, bad.parent):
        with pytest.raises(SourceError, match=r"episode\.json: cannot be read: input/output error\."):
            open_source(path)
