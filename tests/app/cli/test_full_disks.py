"""Where a disk is full or can only be read: one message and a status, nothing half written, and what was kept stays."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from stepscope.app.services.own_models import _copy
from stepscope.app.services.presets import Presets, save_presets
from stepscope.core.archives.index_files import FileKey, index_folder, store_index
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.errors import UserError
from stepscope.core.evaluation.prediction_cache import PredictionCache
from stepscope.core.settings import store_url
from stepscope.models.chat.servers import save
from stepscope.models.features.cache import FeatureCache
from stepscope.models.learned.card import CARD, ModelCard
from tests.full_disk import files_of_at_most, fill, make_read_only, small_disk

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def scored(cli, store, recordings, predictions):
    """A finished run of five items, in a store without a log."""
    assert cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw").status == 0
    assert cli("annotate", recordings, "lamp", "--note", "a note of some words " * 10).status == 0
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


def files(folder: Path) -> list[str]:
    """The files below the folder, hidden ones too; folders without any do not count."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def exports(recordings: Path, out: Path) -> dict[str, list[object]]:
    return {
        "csv": ["runs", "export", "last", "-o", out / "x.csv"],
        "html": ["runs", "export", "last", "-o", out / "x.html"],
        "jsonl": ["runs", "export", "last", "-o", out / "x.jsonl"],
        "latex": ["runs", "export", "last", "-o", out / "x.tex", "--as", "latex"],
        "bundle": ["runs", "export", "last", "-o", out / "x.bundle"],
        "pictures": ["runs", "export", "last", "-o", out / "p", "--as", "pictures", "--show", "all"],
        "animation": ["episode", recordings, "lamp", "-o", out / "x.webp"],
        "video": ["episode", recordings, "lamp", "-o", out / "x.mp4"],
        "page": ["episode", recordings, "lamp", "-o", out / "page.html"],
        "sheet": ["episode", recordings, "lamp", "-o", out / "x.png"],
        "render": ["render", recordings, "lamp", "--step", "0", "-o", out / "r.png"],
        "asks": ["asks", recordings, "-o", out / "asks.jsonl"],
        "annotations": ["annotations", recordings, "--export", out / "a.jsonl"],
        "annotations as csv": ["annotations", recordings, "--csv", out / "a.csv"],
        "recordings": ["recordings", "export", recordings, out / "all"],
        "motif": ["recordings", "export", recordings, out / "all", "--format", "motif"],
    }


def test_an_export_is_whole_or_not_there(cli, scored, recordings, tmp_path):
    """Every kind of export while no file can have more than 100 bytes."""
    out = tmp_path / "out"
    out.mkdir()
    for name, command in exports(recordings, out).items():
        with files_of_at_most(100):
            ended = cli(*command)
        assert (ended.status, files(out)) == (2, []), (name, ended.err)
        assert "the disk is full. Make room, or choose another place." in ended.err.splitlines()[-1], (name, ended.err)
        assert "partial" not in ended.err and len(ended.err.splitlines()) <= 2, (name, ended.err)


def test_an_export_that_fails_leaves_the_one_before(cli, scored, tmp_path):
    path = tmp_path / "x.csv"
    assert cli("runs", "export", "last", "-o", path).status == 0
    before = path.read_bytes()
    with files_of_at_most(len(before) // 2):
        assert cli("runs", "export", "last", "-o", path).status == 2
    assert path.read_bytes() == before


def test_on_a_disk_that_can_only_be_read_nothing_is_begun(cli, scored, recordings, tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        make_read_only(disk)
        for name, command in exports(recordings, disk).items():
            ended = cli(*command)
            assert (ended.status, files(disk)) == (2, []), (name, ended.err)
            assert "read-only file system. Choose another place." in ended.err.splitlines()[-1], (name, ended.err)


def test_a_store_on_a_full_disk_is_read(cli, scored, recordings, tmp_path):
    listed = cli("runs", "list", "--json").json
    with small_disk(tmp_path / "disk", 4096) as disk:
        store = disk / "s.db"
        store.write_bytes(scored.read_bytes())
        url = store_url(store)
        filler = fill(disk)
        assert cli("runs", "list", "--json", "--store", url).json == listed
        assert cli("runs", "show", "last", "--store", url).status == 0
        for command in (
            ("annotate", recordings, "lamp", "--star"),
            ("runs", "delete", "last", "--yes"),
            ("runs", "rescore", "last", "--rule", "aitw-exact"),
            ("evaluate", "automation", recordings, "--model", "random"),
        ):
            refused = cli(*command, "--store", url)
            assert refused.status == 2 and "The disk is full: nothing can be saved." in refused.line, refused.err
        rescued = cli("runs", "rescue", store, "-o", disk / "new.db")
        assert rescued.status == 2 and rescued.line.startswith(f"stepscope: {disk}/new.db: The disk is full")
        assert files(disk) == ["filler", "s.db", "s.db-shm", "s.db-wal"]
        filler.unlink()
        assert cli("annotate", recordings, "lamp", "--star", "--store", url).status == 0
        assert cli("runs", "list", "--json", "--store", url).json == listed


def test_with_a_home_that_can_only_be_read_everything_is_looked_at(
    cli, scored, recordings, predictions, tmp_path, own_home, monkeypatch
):
    """Store, settings and caches lie on a disk that takes nothing: what only looks works as ever, and what would be
    written is refused in one line."""
    looks = (
        ("runs", "list", "--json"), ("runs", "show", "last", "--json"), ("inspect", recordings, "--json"),
        ("annotations", recordings, "--json"), ("recordings", "list", "--json"), ("models", "--json"),
        ("score", predictions, recordings, "--protocol", "aitw", "--json"),
    )  # fmt: skip
    bundle = tmp_path / "run.bundle"
    assert cli("evaluate", "automation", recordings, "--model", "random").status == 0
    assert cli("runs", "export", "last", "-o", bundle).status == 0
    assert cli("runs", "delete", "last", "--yes").status == 0
    usual = [cli(*command) for command in looks]
    with small_disk(tmp_path / "disk", 16384) as disk:
        home = Path(shutil.copytree(own_home, disk / "home"))
        monkeypatch.setenv("STEPSCOPE_HOME", str(home))
        make_read_only(disk)
        for command, before in zip(looks, usual, strict=True):
            ended = cli(*command)
            assert (ended.status, ended.out) == (before.status, before.out), (command, ended.err)
        for command in (
            ("annotate", recordings, "lamp", "--star"),
            ("runs", "delete", "last", "--yes"),
            ("runs", "rescore", "last", "--rule", "aitw-exact"),
            ("runs", "import", bundle),
            ("evaluate", "automation", recordings, "--model", "random"),
            ("record", "simulated", home / "data" / "recordings" / "new"),
        ):
            refused = cli(*command)
            assert refused.status == 2, (command, refused.out, refused.err)
            assert "read-only" in refused.err.splitlines()[-1], (command, refused.err)


def test_a_log_that_cannot_be_read_on_a_full_disk_is_told(cli, scored, tmp_path):
    """Its results would be missing."""
    with small_disk(tmp_path / "disk", 4096) as disk:
        store = disk / "s.db"
        store.write_bytes(scored.read_bytes())
        store.with_name("s.db-wal").write_bytes(bytes(4096))
        fill(disk)
        ended = cli("runs", "list", "--store", store_url(store))
        assert ended.status == 2 and "its last results cannot be read. Make room, then try again." in ended.line


def test_a_store_whose_helper_files_cannot_grow_is_read(cli, scored):
    listed = cli("runs", "list", "--json").json
    with files_of_at_most(0):
        assert cli("runs", "list", "--json").json == listed


def test_a_run_that_breaks_off_goes_on_when_there_is_room(cli, scored, recordings, predictions, tmp_path):
    whole = cli("runs", "list", "--json").json[0]["metrics"]
    with small_disk(tmp_path / "disk", 4096) as disk:
        store = disk / "s.db"
        store.write_bytes(scored.read_bytes())
        url = store_url(store)
        run = ("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw")
        filler = fill(disk, 100_000)
        refused = cli(*run, "--store", url)
        assert refused.status == 2 and "The disk is full" in refused.err.splitlines()[-1]
        filler.unlink()
        for unfinished in cli("runs", "list", "--json", "--store", url).json:
            if unfinished["state"] != "done":
                resumed = cli("evaluate", "automation", recordings, "--resume", unfinished["run"], "--store", url)
                assert resumed.status == 0, resumed.err
        assert {str(run["metrics"]) for run in cli("runs", "list", "--json", "--store", url).json} == {str(whole)}


def test_output_that_goes_nowhere_is_told():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "stepscope.app.main", "formats"]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, env=environment)
    assert (ended.returncode, ended.stderr.decode()) == (2, "stepscope: the disk is full. Make room, then try again.\n")


CARD_OF_ONE = ModelCard("one", Task.AUTOMATION, "toy", "1", {}, "none", "0" * 64)


@pytest.mark.parametrize("kind", ["presets", "servers", "card", "model"])
def test_small_files_of_ones_own_are_written_whole_or_told(tmp_path, kind):
    out, source = tmp_path / "out", tmp_path / "source"
    out.mkdir()
    source.mkdir()
    (source / CARD).write_bytes(bytes(5000))
    work = {
        "presets": lambda: save_presets(Presets({}, {}), out / "presets.json"),
        "servers": lambda: save([], out / "servers.json"),
        "card": lambda: CARD_OF_ONE.write(out),
        "model": lambda: _copy(source, out / "copied"),
    }[kind]
    with files_of_at_most(10), pytest.raises(UserError, match="the disk is full"):
        work()
    assert files(out) == []


def test_caches_cost_only_time(tmp_path, own_home):
    """What is kept is still read when nothing more can be kept."""
    answer = Prediction("", None, None, PredictionStatus.MALFORMED, raw="words " * 5000)
    answers, vectors = PredictionCache(tmp_path / "answers.db"), FeatureCache(tmp_path / "vectors.db")
    answers.put([(b"a", answer)])
    vectors.put({b"a": [1.0, 2.0]})
    with files_of_at_most(0):
        answers.put([(b"b", answer)])
        vectors.put({b"b": [3.0] * 5000})
        assert vectors.get([b"a", b"b"])[b"a"].tolist() == [1.0, 2.0] and vectors.has(b"a")
        assert PredictionCache(tmp_path / "more" / "answers.db").get(b"a") is None
        assert FeatureCache(tmp_path / "more" / "vectors.db").get([b"a"]) == {}
        store_index(FileKey(Path("data.gz"), 1000, 0), bytes(5000))
    answers.close()
    vectors.close()
    assert files(index_folder()) == []
