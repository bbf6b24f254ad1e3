"""Data that goes while it is read is told as gone, not as if the episode had never been there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.episode import Episode, Observation, Platform, Step
from core.domain.geometry import Size
from core.errors import SourceError, UsageError
from core.sources.recording_writer import write_recording
from core.sources.registry import open_source


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
