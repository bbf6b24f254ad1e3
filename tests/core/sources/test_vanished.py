"""Data that goes while it is read is told as gone, not as if the episode had never been there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_source


def as_loop(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder)


def as_link(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder / "nowhere")


@pytest.mark.parametrize("goes", [shutil.rmtree, as_link, as_loop])
def test_a_folder_that_goes_is_told_as_gone(tmp_path: Path, goes: Callable[[Path], object]) -> None:
    folder = tmp_path / "data"
    write_recording(Episode("e", "made", Platform.ANDROID, "goal", (Step(0, Observation(Size(9, 9))),)), folder / "e")
    source = open_source(folder)
    with pytest.raises(UsageError, match="no episode 'other'"):
        source.read("other")
    goes(folder)
    with pytest.raises(SourceError, match="not there any more"):
        source.read("other")


def write_three(folder: Path) -> None:
    for name in "abc":
        step = Step(0, Observation(Size(9, 9)))
        write_recording(Episode(name, "made", Platform.ANDROID, "goal", (step,)), folder / name)


def as_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("no folder")


def as_pipe(folder: Path) -> None:
    shutil.rmtree(folder)
    os.mkfifo(folder)


@pytest.mark.parametrize("goes", [shutil.rmtree, as_link, as_loop, as_file, as_pipe])
def test_a_folder_that_goes_while_all_are_listed_is_told(tmp_path: Path, goes: Callable[[Path], object]) -> None:
    write_three(tmp_path)
    scan = open_source(tmp_path).scan()
    first = next(scan)
    goes(tmp_path / "b")
    rest = list(scan)
    assert isinstance(first, EpisodeSummary) and first.id == "a"
    assert [one.id for one in rest if isinstance(one, EpisodeSummary)] == ["c"]
    (problem,) = [one for one in rest if isinstance(one, Problem)]
    assert problem.file == "b" and problem.message.startswith("the folder cannot be listed: ")


def test_all_that_goes_is_told_for_each_folder(tmp_path: Path) -> None:
    write_three(tmp_path / "data")
    scan = open_source(tmp_path / "data").scan()
    next(scan)
    shutil.rmtree(tmp_path / "data")
    assert [(type(one), getattr(one, "file", "")) for one in scan] == [(Problem, "b"), (Problem, "c")]
