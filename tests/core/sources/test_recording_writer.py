"""A recording that grows: steps taken back and brought again, going on after the program ended, what is tidied away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from stepscope.core.domain.action import Finish, PressKey
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.recording import read_recording, recording_meta
from stepscope.core.sources.recording_writer import RecordingWriter

SIZE = Size(20, 30)
EPISODE = Episode("one", "recording", Platform.ANDROID, "go back", ())


def step(index: int, shade: int) -> tuple[Step, bytes]:
    """A step whose picture and tree are like no other's."""
    tree = UITree((UIElement(0, Box(0, 0, 20, 30, SIZE), text=str(shade)),), TreeOrigin.DUMP, SIZE)
    picture = cv2.imencode(".png", np.full((30, 20, 3), shade, np.uint8))[1].tobytes()
    return Step(index, Observation(SIZE, None, tree), PressKey("back")), picture


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def shades(folder: Path) -> list[str]:
    """The texts of the steps' trees, and that their pictures are theirs."""
    found = []
    for one in read_recording(folder).steps:
        assert one.observation.tree is not None
        assert one.observation.screenshot is not None
        text = one.observation.tree.elements[0].text
        assert cv2.imread(str(one.observation.screenshot.path))[0, 0, 0] == int(text)
        found.append(text)
    return found


@pytest.fixture
def writer(tmp_path: Path) -> RecordingWriter:
    writer = RecordingWriter(tmp_path / "one", {"device": "none"}, durable=False)
    writer.add(*step(0, 10))
    writer.add(*step(1, 20))
    writer.save(EPISODE)
    return writer


def test_a_step_taken_back_is_gone_and_comes_again(writer: RecordingWriter) -> None:
    writer.drop()
    writer.save(EPISODE)
    assert shades(writer.folder) == ["10"]
    writer.restore()
    writer.save(EPISODE)
    assert shades(writer.folder) == ["10", "20"]


def test_another_step_in_its_place_has_its_own_files(writer: RecordingWriter) -> None:
    writer.drop()
    writer.add(*step(1, 30))
    writer.save(EPISODE)
    assert shades(writer.folder) == ["10", "30"]
    assert writer.picture_of(1) == writer.folder / "screens" / "0001-2.png"
    assert writer.picture_of(2) is None
    writer.tidy()
    assert files(writer.folder) == [
        "episode.json", "screens/0000.png", "screens/0001-2.png", "trees/0000.json", "trees/0001-2.json",
    ]  # fmt: skip
    writer.add(*step(2, 20))
    writer.save(EPISODE)
    assert shades(writer.folder) == ["10", "30", "20"]


def test_a_step_amended_keeps_its_screen(writer: RecordingWriter) -> None:
    writer.amend(replace(step(1, 20)[0], action=Finish()))
    writer.save(EPISODE)
    assert read_recording(writer.folder).steps[1].action == Finish()
    assert shades(writer.folder) == ["10", "20"]


def test_going_on_where_another_program_ended(writer: RecordingWriter) -> None:
    (writer.folder / "screens" / ".0002.png.partial").write_bytes(b"half a picture")
    (writer.folder / "trees" / "0002.json").write_text("a step that never was")
    again = RecordingWriter.reopen(writer.folder, durable=False)
    again.meta["finished"] = True
    again.add(*step(2, 30))
    again.save(replace(EPISODE, goal="go back twice"))
    again.tidy()
    assert shades(writer.folder) == ["10", "20", "30"]
    assert read_recording(writer.folder).goal == "go back twice"
    assert recording_meta(writer.folder) == {"device": "none", "finished": True}
    assert len(files(writer.folder)) == 7


def test_what_is_no_recording_cannot_be_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        RecordingWriter.reopen(tmp_path)
    (tmp_path / "episode.json").write_text('{"format": "stepscope-recording", "version": 1, "steps": 3}')
    with pytest.raises(SourceError, match="list"):
        RecordingWriter.reopen(tmp_path)


def test_tidying_does_not_follow_a_link(writer: RecordingWriter, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (writer.folder / "trees").rename(elsewhere)
    (writer.folder / "trees").symlink_to(elsewhere)
    (elsewhere / "mine.txt").write_text("stays")
    writer.tidy()
    assert (elsewhere / "mine.txt").exists()


def test_a_write_that_fails_leaves_no_half_file(writer: RecordingWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = files(writer.folder)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SourceError, match="the disk is full"):
        writer.add(*step(2, 30))
    assert files(writer.folder) == before
