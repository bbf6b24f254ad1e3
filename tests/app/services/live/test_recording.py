"""A recording is on the disk as it is made: a kill, a full disk or an unplugged phone costs one step at most."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import cv2
import pytest

from stepscope.app.services.live.recording import RecordingSession
from stepscope.app.services.live.recordings import (
    BUSY,
    complete,
    delete,
    is_busy,
    new_folder,
    recording_name,
    recordings_dir,
    rename,
    unfinished,
)
from stepscope.app.services.version import VERSION
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.recorded import RecordingStatus, Survey, SurveyOutcome
from stepscope.core.device.session import LiveSession, ScreenSnapshot
from stepscope.core.domain.action import Finish, FinishStatus, PressKey, Tap, Type
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.sources.recording import read_recording, recording_meta
from tests.core.device.fake import FakeDevice

BACK = PressKey("back")
ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def phone() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def recording(phone: FakeDevice) -> Iterator[RecordingSession]:
    session = RecordingSession("Buy a kettle", device=phone.facts(), annotator="Ines", durable=False)
    yield session
    session.close()


def look(phone: FakeDevice) -> ScreenSnapshot:
    return ScreenSnapshot(phone.screenshot(), phone.size, phone.tree(), phone.foreground(), 0.0, 0)


def act(recording: RecordingSession, phone: FakeDevice, action: Tap | PressKey) -> None:
    assert recording.add(look(phone), action)
    phone.perform(action)


def test_a_demonstration_from_device_to_library(phone: FakeDevice) -> None:
    session = LiveSession(phone, lambda: None, lambda state: None)
    session.watch_screen = True
    recording = RecordingSession("Buy a kettle", device=phone.facts(), durable=False)
    session.start()
    try:
        for row in ("Shop", "Kettle", "Buy now"):
            assert recording.record(session.act(Tap(phone.place(row))).result(10))
        recording.stop(session.look().result(10))
    finally:
        session.close()
    folder = recording.finish(Survey(SurveyOutcome.DONE, "", ("Shall I pay too?",))).result(10)
    episode = read_recording(folder)
    assert episode.problems == ()
    assert [getattr(step.action, "target", None) and step.action.target.text for step in episode.steps] == [  # type: ignore[union-attr]
        "Shop", "Kettle", "Buy now", None,
    ]  # fmt: skip
    assert episode.steps[-1].action == Finish(FinishStatus.COMPLETE)
    assert episode.feasibility.label is FeasibilityLabel.FEASIBLE
    assert episode.feasibility.follow_up == ("Shall I pay too?",)
    assert (episode.id, episode.app) == (folder.name, "org.example.shop")
    assert folder.parent == recordings_dir()
    assert not (folder / BUSY).exists()


def test_meta_tells_device_program_person_and_what_was_left_out(recording: RecordingSession, phone: FakeDevice) -> None:
    act(recording, phone, BACK)
    recording.note("a note")
    recording.begin_login()
    recording.add(look(phone), BACK)
    recording.end_login()
    meta = recording_meta(recording.finish(Survey(SurveyOutcome.PREMATURE, "first log in")).result(10))
    assert meta["device"] == {"model": "Fake phone", "android": "0", "screen": "108 × 240"}
    assert (meta["app_version"], meta["recorder_version"], meta["annotator"]) == (VERSION, 1, "Ines")
    assert datetime.fromisoformat(meta["begun"]).tzinfo is not None
    assert meta["finished"] is True
    assert [(login["step"], login["actions"]) for login in meta["logins"]] == [(1, 1)]
    assert meta["notes"] == [{"step": 0, "text": "a note"}]
    assert meta["survey"] == {"outcome": "premature", "why": "first log in"}


def test_each_step_is_safe_before_the_next(phone: FakeDevice) -> None:
    saved: queue.Queue[int] = queue.Queue()
    recording = RecordingSession("x", on_saved=saved.put, durable=False)
    try:
        for count in range(1, 4):
            act(recording, phone, BACK)
            while saved.get(timeout=10) < count:
                pass
            assert len(read_recording(recording.folder).steps) == count
            picture = recording.picture_of(count - 1)
            assert picture is not None
            assert picture.is_file()
    finally:
        recording.close()


def test_undo_and_redo_reach_the_disk(recording: RecordingSession, phone: FakeDevice) -> None:
    act(recording, phone, Tap(phone.place("Shop")))
    act(recording, phone, Tap(phone.place("Kettle")))
    assert recording.undo()
    assert recording.undo()
    assert recording.redo()
    act(recording, phone, BACK)
    folder = recording.finish(None).result(10)
    episode = read_recording(folder)
    assert [step.action.kind for step in episode.steps if step.action] == ["tap", "press_key"]
    assert len(list((folder / "screens").iterdir())) == 2
    assert [problem.message.split(":")[0] for problem in episode.problems] == ["the recording broke off"]


def test_changes_are_told_with_the_new_state(phone: FakeDevice) -> None:
    told: list[RecordingStatus] = []
    recording = RecordingSession("x", on_change=told.append, durable=False)
    act(recording, phone, BACK)
    recording.pause()
    recording.close()
    assert [len(one.entries) for one in told] == [0, 1, 1]
    assert told[-1].paused
    assert not recording.add(look(phone), BACK)


def test_a_password_reaches_no_file(recording: RecordingSession, phone: FakeDevice) -> None:
    phone.go("login")
    for row, text in (("Name", "ines"), ("Secret", "hunter2")):
        act(recording, phone, Tap(phone.place(row)))
        assert recording.add(look(phone), Type(text))
        phone.perform(Type(text))
    recording.ask(look(phone), "Go on?")
    recording.stop(look(phone))
    folder = recording.finish(Survey(SurveyOutcome.DONE)).result(10)
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert any(b"ines" in data for data in files)
    assert not any(b"hunter2" in data for data in files)
    box = next(element.box for element in phone.tree() if element.password)
    for step in read_recording(folder).steps:
        assert step.observation.screenshot is not None
        pixels = cv2.imread(str(step.observation.screenshot.path))
        assert (pixels[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] == 128).all()


def test_an_unplugged_phone_leaves_a_gap(recording: RecordingSession, phone: FakeDevice) -> None:
    act(recording, phone, BACK)
    recording.mirror_state(MirrorState(MirrorPhase.LOST, 1, 1.0, "unplugged"))
    recording.mirror_state(MirrorState(MirrorPhase.LIVE))
    recording.mirror_state(MirrorState(MirrorPhase.LIVE))
    act(recording, phone, BACK)
    recording.stop(look(phone))
    episode = read_recording(recording.finish(None).result(10))
    assert [problem.message for problem in episode.problems] == ["the device was away for 0 s"]
    assert len(episode.steps) == 3


CHILD = """
import sys
from pathlib import Path
from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Tap
from tests.core.device.fake import FakeDevice

def saved(steps):
    print(steps, flush=True)

phone = FakeDevice()
recording = RecordingSession("Buy a kettle", on_saved=saved)
print(recording.folder, flush=True)
while True:
    for row in ("Shop", "Kettle", "Buy now"):
        phone.go({"Shop": "home", "Kettle": "list", "Buy now": "kettle"}[row])
        seen = ScreenSnapshot(phone.screenshot(), phone.size, phone.tree(), phone.foreground(), 0.0, 0)
        recording.add(seen, Tap(phone.place(row)))
    if not sys.stdin.readline():
        break  # nobody holds it any more
"""


def test_a_kill_costs_the_current_step_at_most_and_the_rest_can_be_finished() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        folder = Path(child.stdout.readline().strip())
        steps = 0
        while steps < 3:
            steps = int(child.stdout.readline())
        assert is_busy(folder)
        assert unfinished() == ()
        child.stdin.write("\n")  # the next steps are on their way when it dies
        child.stdin.flush()
        child.kill()
    assert not is_busy(folder)
    (found,) = unfinished()
    assert (found.folder, found.goal, found.stopped) == (folder, "Buy a kettle", False)
    assert found.steps >= steps
    episode = read_recording(folder)
    assert len(episode.steps) == found.steps
    assert episode.problems == ()
    assert all(step.observation.screenshot and step.observation.tree for step in episode.steps)
    complete(folder, Survey(SurveyOutcome.IMPOSSIBLE, "it broke", ("Again?",)))
    again = read_recording(folder)
    assert again.steps == episode.steps
    assert again.feasibility.follow_up == ("Again?",)
    assert "broke off" in again.problems[0].message
    assert unfinished() == ()
    assert sorted(path.name for path in folder.iterdir()) == ["episode.json", "screens", "trees"]


def test_a_recording_that_was_stopped_only_lacks_its_survey(phone: FakeDevice) -> None:
    recording = RecordingSession("x", durable=False)
    act(recording, phone, BACK)
    recording.stop(look(phone))
    recording.close()
    (found,) = unfinished()
    assert (found.steps, found.stopped) == (1, True)
    complete(found.folder, Survey(SurveyOutcome.DONE))
    episode = read_recording(found.folder)
    assert [step.action for step in episode.steps] == [BACK, Finish(FinishStatus.COMPLETE)]
    assert episode.problems == ()


def test_a_full_disk_is_said_once_and_what_was_saved_stays(phone: FakeDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    trouble: list[UserError] = []
    saved, told = threading.Semaphore(0), threading.Event()

    def troubled(error: UserError) -> None:
        trouble.append(error)
        told.set()

    recording = RecordingSession(
        "x", on_saved=lambda steps: saved.release() if steps else None, on_trouble=troubled, durable=False
    )
    act(recording, phone, BACK)
    assert saved.acquire(timeout=10)

    def full(*_: object, **_how: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "open", full)
        recording.add(look(phone), Tap(phone.place("Shop")))
        assert told.wait(10)
    assert not recording.add(look(phone), BACK)
    recording.pause()
    (error,) = trouble
    assert "the disk is full. Everything up to step 1 is kept." in str(error)
    with pytest.raises(UserError, match="the disk is full"):
        recording.finish(None).result(10)
    assert [step.action for step in read_recording(recording.folder).steps] == [BACK]
    assert [one.folder for one in unfinished()] == [recording.folder]


def test_discarding_removes_it(recording: RecordingSession, phone: FakeDevice) -> None:
    act(recording, phone, BACK)
    recording.discard()
    assert list(recordings_dir().iterdir()) == []


def test_renaming_changes_folder_and_id(recording: RecordingSession, phone: FakeDevice) -> None:
    act(recording, phone, BACK)
    recording.stop(look(phone))
    folder = recording.finish(Survey(SurveyOutcome.DONE)).result(10)
    renamed = rename(folder, "My kettle")
    assert read_recording(renamed).id == renamed.name == "My kettle"
    assert not folder.exists()
    assert rename(renamed, "My kettle") == renamed
    for name in ("", " ", "..", "a/b", "a\x00b", "CON:"):
        with pytest.raises(UsageError):
            rename(renamed, name)
    new_folder("other", renamed.parent).rename(renamed.parent / "taken")
    with pytest.raises(UsageError, match="of that name"):
        rename(renamed, "taken")
    delete(renamed)
    assert [path.name for path in recordings_dir().iterdir()] == ["taken"]
    with pytest.raises(UsageError, match="no recording"):
        delete(recordings_dir() / "taken")


def test_only_a_lock_that_is_held_makes_a_recording_busy(recording: RecordingSession, tmp_path: Path) -> None:
    assert is_busy(recording.folder)
    assert not is_busy(tmp_path)
    (tmp_path / BUSY).write_bytes(b"no lock at all" * 100)
    assert not is_busy(tmp_path)


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Set an alarm for 7:30!", "2024-05-01-1432-set-an-alarm-for-7-30"),
        ("明日の天気", "2024-05-01-1432-明日の天気"),
        ("../../etc/passwd", "2024-05-01-1432-etc-passwd"),
        ("?!", "2024-05-01-1432"),
        ("word " * 40, "2024-05-01-1432-word-word-word-word-word-word-word-word-word-wor"),
    ],
)
def test_names_come_from_time_and_goal(goal: str, name: str) -> None:
    assert recording_name(goal, datetime(2024, 5, 1, 14, 32)) == name


def test_two_of_a_name_stand_side_by_side(tmp_path: Path) -> None:
    first, second = new_folder("x", tmp_path), new_folder("x", tmp_path)
    assert first != second


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="no recording can be made"):
        new_folder("x", tmp_path / "file")


def test_other_folders_are_not_taken_for_unfinished(home: Path) -> None:
    parent = home / "data" / "recordings"
    (parent / "empty").mkdir(parents=True)
    (parent / "broken").mkdir()
    (parent / "broken" / "episode.json").write_text("{")
    (parent / "another tool").mkdir()
    form = {"format": "stepscope-recording", "version": 1, "platform": "android", "steps": []}
    (parent / "another tool" / "episode.json").write_text(json.dumps(form))
    assert unfinished() == ()


def test_a_folder_that_goes_while_it_is_recorded_into_is_told_as_gone(phone: FakeDevice) -> None:
    saved: queue.Queue[int] = queue.Queue()
    trouble: queue.Queue[UserError] = queue.Queue()
    recording = RecordingSession("x", on_saved=saved.put, on_trouble=trouble.put, durable=False)
    act(recording, phone, BACK)
    while saved.get(timeout=10) < 1:
        pass
    shutil.rmtree(recording.folder)
    recording.add(look(phone), BACK)
    told = trouble.get(timeout=10)
    assert "the recording ended: cannot be written: no such file or directory" in str(told)
    assert told.hint == "Its folder is gone, with everything that was in it."
    assert not recording.add(look(phone), BACK)
    recording.close()
