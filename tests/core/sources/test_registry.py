"""A folder's format is told by its content, cheaply, and what is none is said plainly."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import detect, detect_all, format_named, formats, open_source


@pytest.fixture
def rico(tmp_path: Path, write_json: Any) -> Path:
    """A trace in a folder whose name says something else."""
    trace = tmp_path / "aitw_and_motif" / "com.example" / "trace_0"
    write_json(trace / "gestures.json", {"1": []})
    write_json(trace / "view_hierarchies" / "1.json", {"activity": {"root": {"bounds": [0, 0, 9, 9]}}})
    return tmp_path / "aitw_and_motif"


def test_formats_are_named_once_and_say_what_they_are() -> None:
    names = [known.name for known in formats()]
    assert len(set(names)) == len(names) and {"rico", "motif", "llamatouch", "aitz", "recording"} <= set(names)
    assert all(known.title and known.checked in ("real", "fixture") for known in formats())
    assert [known.name for known in map(format_named, names)] == names


def test_content_decides_not_the_name(rico: Path) -> None:
    assert detect(rico).name == "rico"
    source = open_source(rico)
    assert (source.format, source.path) == ("rico", rico)


@pytest.mark.parametrize(
    ("folder", "name"), [("rico_traces", "rico"), ("llamatouch", "llamatouch"), ("aitz_coat", "aitz")]
)
def test_real_samples_are_recognised(real_data: Path, folder: str, name: str) -> None:
    if not (real_data / folder).is_dir():
        pytest.skip(f"no {folder}")
    assert [known.name for known in detect_all(real_data / folder)] == [name]


def test_of_several_formats_in_a_folder_all_are_opened(rico: Path) -> None:
    size = Size(9, 9)
    same_id = "com.example/trace_0"
    for name in ("e", same_id):
        episode = Episode(name, "rico", Platform.ANDROID, name, (Step(0, Observation(size)),))
        write_recording(episode, rico / "zz" / name.replace("/", "-"))
    assert [known.name for known in detect_all(rico)] == ["recording", "rico"]
    source = open_source(rico)
    note, *rows = source.scan()
    assert isinstance(note, Problem) and "recording, rico" in note.message and "its own folder" in note.message
    found = {row.id: row for row in rows if isinstance(row, EpisodeSummary)}
    assert list(found) == [same_id, "e", f"{same_id}~2"]
    assert [source.read(row.id, row.place).format for row in found.values()] == ["recording", "recording", "rico"]
    assert source.read(f"{same_id}~2").id == f"{same_id}~2", "without its place too"
    assert "occurs more than once" in found[f"{same_id}~2"].problems[0].message
    with pytest.raises(UsageError, match="no episode 'none'"):
        source.read("none")
    assert open_source(rico, "rico").format == "rico"


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        open_source(tmp_path / "none")
    with pytest.raises(SourceError, match="no such file or folder"):
        open_source(tmp_path / "none", "rico")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="the folder is empty"):
        open_source(tmp_path)


def test_a_folder_of_junk_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "a.json").write_text("[")
    with pytest.raises(SourceError, match="no known format found in the folder") as caught:
        open_source(tmp_path)
    assert "own folder" in caught.value.hint and str(tmp_path) in str(caught.value)


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"PK")
    with pytest.raises(SourceError, match="no known format in this file") as caught:
        open_source(path)
    assert "give the folder" in caught.value.hint
    packed = tmp_path / "x.zip"
    packed.write_bytes(b"PK")
    with pytest.raises(SourceError, match="this is an archive") as caught:
        open_source(packed)
    assert "Unpack it" in caught.value.hint
    with pytest.raises(SourceError, match="not in the format 'rico'"):
        open_source(path, "rico")


def test_an_unknown_format_lists_the_others(rico: Path) -> None:
    with pytest.raises(UsageError, match="no format 'x'") as caught:
        open_source(rico, "x")
    assert "llamatouch" in caught.value.hint


def test_a_name_that_is_no_path(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        open_source(tmp_path / ("x" * 5000))
    with pytest.raises(SourceError):
        open_source(Path("a\0b"))


def test_hidden_folders_and_linked_folders_are_not_entered(rico: Path, tmp_path: Path, rows: Any) -> None:
    (rico / ".trash" / "trace_9").mkdir(parents=True)
    (rico / ".trash" / "trace_9" / "gestures.json").write_text("{}")
    (rico / "elsewhere").symlink_to(tmp_path)
    episodes, problems = rows(open_source(rico))
    assert [row.id for row in episodes] == ["com.example/trace_0"]
    assert [(problem.message, problem.file) for problem in problems] == [
        ("a link that leads out of the data's folder is not followed", "elsewhere")
    ]


def test_a_thousand_siblings_do_not_hide_what_lies_in_them(tmp_path: Path, write_json: Any) -> None:
    for index in range(1_000):
        (tmp_path / f"com.app{index}" / "trace_0").mkdir(parents=True)
    write_json(tmp_path / "com.app3" / "trace_0" / "gestures.json", {})
    (tmp_path / "com.app3" / "trace_0" / "screenshots").mkdir()
    assert detect(tmp_path).name == "rico"


def test_a_large_folder_is_looked_at_briefly(tmp_path: Path) -> None:
    """Asking twenty thousand files costs little more than asking the two thousand that are looked at."""

    def fill(folder: Path, count: int) -> float:
        folder.mkdir()
        for index in range(count):
            (folder / f"{index}.json").touch()
        start = time.perf_counter()
        assert detect_all(folder) == ()
        return time.perf_counter() - start

    small = fill(tmp_path / "small", 2_000)
    assert fill(tmp_path / "large", 20_000) < 5 * small + 0.1


def test_reading_many_episodes_walks_the_folder_once(tmp_path: Path) -> None:
    names = [f"e{number:02}" for number in range(20)]
    identified: list[str] = []

    def identify(folder: Path) -> str:
        identified.append(folder.name)
        return folder.name

    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "episode").touch()
    source = FolderSource(
        "test",
        tmp_path,
        locate=lambda listing: [listing.folder] if "episode" in listing.files else [],
        identify=identify,
        load=lambda folder, name: Episode(name, "test", Platform.ANDROID, "", ()),
    )
    assert [source.read(name).id for name in reversed(names)] == names[::-1]
    assert sorted(identified) == names
    with pytest.raises(UsageError):
        source.read("e99")
    assert sorted(identified) == names
