"""`stepscope recordings`: what is there, saying how one went, and exports that are read again."""

from __future__ import annotations

import json
import queue
import shutil

import pytest

from stepscope.app.services.live.recording import RecordingSession
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import PressKey
from stepscope.core.sources.motif import open_motif
from stepscope.core.sources.recording import read_recording
from tests.core.device.fake import FakeDevice


@pytest.fixture
def made():
    """One recording in the user's own folder, left without a survey."""
    phone = FakeDevice()
    saved = queue.Queue()
    recording = RecordingSession("Buy a kettle", on_saved=saved.put, durable=False)
    recording.add(
        ScreenSnapshot(phone.screenshot(), phone.size, phone.tree(), phone.foreground(), 0.0, 0), PressKey("back")
    )
    while saved.get(timeout=20) < 1:
        pass
    yield recording
    recording.close()


def test_they_are_listed(cli, made):
    assert cli("recordings", "list", "--json").json[0]["finished"] is True  # it is being made, not left behind
    made.close()
    (row,) = cli("recordings", "list", "--json").json
    assert row == {
        "id": made.folder.name, "path": str(made.folder), "goal": "Buy a kettle", "app": "org.example.launcher",
        "steps": 1, "label": None, "finished": False,
    }  # fmt: skip
    assert "Buy a kettle" in cli("recordings", "list").out


def test_without_any_it_says_how_to_make_one(cli):
    ended = cli("recordings", "list")
    assert (ended.status, "stepscope record SERIAL OUT" in ended.out) == (0, True)
    assert cli("recordings", "list", "--json").json == []


def test_one_that_was_left_is_finished(cli, made):
    busy = cli("recordings", "finish", made.folder, "done")
    assert (busy.status, "being recorded now" in busy.line) == (2, True)
    made.close()
    wrong = cli("recordings", "finish", made.folder, "fine")
    assert (wrong.status, wrong.line) == (
        2, "stepscope: 'fine' is no outcome. Say done, impossible, unclear or premature.",
    )  # fmt: skip
    assert cli("recordings", "finish", made.folder, "done").status == 0
    assert read_recording(made.folder).feasibility.label == "feasible"
    assert cli("recordings", "list", "--json").json[0]["finished"] is True
    missing = cli("recordings", "finish", made.folder.parent / "nothing", "done")
    assert (missing.status, missing.out) == (2, "")


def test_episodes_in_motifs_layout(cli, recordings, tmp_path):
    ended = cli("recordings", "export", recordings, tmp_path / "out", "--format", "motif", "--json")
    assert ended.status == 0
    assert (ended.json["written"], ended.json["failed"]) == (2, [])
    assert {"episode": "lamp", "step": 1, "message": "the question and its answer"} in ended.json["losses"]
    assert "not in MoTIF's layout: there is no UI tree (5)" in ended.err
    source = open_motif(tmp_path / "out")
    rows = {row.goal: row for row in source.scan()}
    assert set(rows) == {"Buy a lamp", "Order a chair"}
    assert rows["Order a chair"].feasibility.follow_up == ("Which one?",)
    assert rows["Buy a lamp"].app == "org.example.shop"


def test_episodes_as_recordings(cli, recordings, tmp_path):
    out = tmp_path / "out"
    ended = cli("recordings", "export", recordings, out, "--filter", "goal:lamp")
    assert (ended.status, ended.out) == (0, f"{out}: 1 episode as recording\n")
    assert read_recording(out / "lamp").steps[0].action == read_recording(recordings / "1").steps[0].action
    again = cli("recordings", "export", recordings, out, "--json")
    assert (again.status, again.json["written"], again.json["failed"]) == (1, 1, ["lamp"])
    assert "lamp: " in again.err
    assert "not empty" in again.err
    assert cli("recordings", "export", recordings, out, "--overwrite").status == 0


def test_nothing_to_export_is_bad_usage(cli, recordings, tmp_path):
    ended = cli("recordings", "export", recordings, tmp_path / "out", "--filter", "goal:nothing")
    assert (ended.status, "no episodes to export" in ended.line) == (2, True)
    assert cli("recordings", "export", tmp_path / "gone", tmp_path / "out").status == 2
    assert cli("recordings", "export", recordings, tmp_path / "out", "--format", "csv").status == 2


def test_a_strange_id_stays_in_the_folder(cli, recordings, tmp_path):
    form = json.loads((recordings / "2" / "episode.json").read_text())
    form["id"] = "../..:a/b"
    (recordings / "2" / "episode.json").write_text(json.dumps(form))
    assert cli("recordings", "export", recordings / "2", tmp_path / "out").status == 0
    (written,) = (tmp_path / "out").iterdir()
    assert written.name.startswith("-..-a-b~") and read_recording(written).id == "../..:a/b"


@pytest.mark.parametrize("layout", ["recording", "motif"])
def test_ids_that_differ_in_signs_are_all_written(cli, recordings, tmp_path, layout):
    form = json.loads((recordings / "1" / "episode.json").read_text())
    uuid = "c47ad16a-44b2-4303-982a-17859efe40c6"
    ids = ["a/b", "a:b", "a?b", "a-b", "a b", "a-b.", "CON", "..", "x" * 300, uuid, uuid.upper(), f"{{{uuid}}}"]
    for place, identity in enumerate(ids):
        shutil.copytree(recordings / "1", tmp_path / "data" / str(place))
        (tmp_path / "data" / str(place) / "episode.json").write_text(json.dumps({**form, "id": identity}))
    ended = cli("recordings", "export", tmp_path / "data", tmp_path / "out", "--format", layout, "--json")
    assert (ended.status, ended.json["written"], ended.json["failed"]) == (0, len(ids), [])
    assert len(list((tmp_path / "out").rglob("metadata.json" if layout == "motif" else "episode.json"))) == len(ids)
