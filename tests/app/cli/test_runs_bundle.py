"""`stepscope runs export -o X.bundle` and `runs import`: a run on its way to another store."""

from __future__ import annotations

import gzip
import json

import pytest

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def run(cli, evaluated, recordings) -> str:
    """A run over `recordings` under two rules; its id."""
    assert cli("runs", "rescore", evaluated, "--rule", "motif-point").status == 0
    return evaluated


@pytest.fixture
def bundle(cli, run, tmp_path):
    path = tmp_path / "run.bundle"
    assert cli("runs", "export", run, "-o", path).status == 0
    return path


@pytest.fixture
def elsewhere(tmp_path) -> str:
    return f"sqlite:///{tmp_path}/elsewhere.db"


def told(cli, run, *store):
    """What the commands say about the run and its rules."""
    commands = (["list"], ["show", run], ["show", run, "--rule", "motif-point"], ["show", run, "--filter", "wrong:A"])
    return [cli("runs", *command, "--json", *store).json for command in commands]


def test_the_run_is_the_same_elsewhere(cli, run, bundle, elsewhere):
    ended = cli("runs", "import", bundle, "--store", elsewhere, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json == {
        "runs": [
            {"run": run, "result": "imported", "state": "done", "task": "automation", "model": "elsewhere",
             "protocol": "aitw", "items": 5, "annotations": 0}
        ]
    }  # fmt: skip
    assert told(cli, run, "--store", elsewhere) == told(cli, run)
    again = cli("runs", "import", bundle, "--store", elsewhere)
    assert (again.status, again.out) == (
        0, f"Run {run} is there already: elsewhere on automation under aitw, 5 items, done\n"
    )  # fmt: skip


def test_what_is_said_of_a_run_comes_with_it_and_does_not_make_it_another(cli, run, tmp_path, elsewhere):
    path = tmp_path / "named.bundle"
    assert cli("runs", "label", run, "--name", "The baseline", "--tag", "old", "--pin").status == 0
    assert cli("runs", "export", run, "-o", path).status == 0
    assert cli("runs", "import", path, "--store", elsewhere).status == 0
    said = {"name": "The baseline", "remark": "", "tags": ["old"], "pinned": True, "archived": False}
    assert cli("runs", "label", run, "--store", elsewhere, "--json").json == {"run": run, "labels": said}
    assert cli("runs", "label", run, "--store", elsewhere, "--name", "Mine", "--untag", "old").status == 0
    assert "is there already" in cli("runs", "import", path, "--store", elsewhere).out
    kept = cli("runs", "list", "--store", elsewhere, "--json").json[0]["labels"]
    assert kept == said | {"name": "Mine", "tags": []}, "what is said here stays"


def test_there_and_back_by_a_server(cli, run, bundle, postgresql):
    with postgresql.database() as url:
        assert cli("runs", "import", bundle, "--store", url).out.startswith(f"Imported run {run}: ")
        assert told(cli, run, "--store", url) == told(cli, run)
        before = told(cli, run)
        assert cli("runs", "delete", run, "--yes").status == 0
        ended = cli("runs", "import", "--from", url, "--json")
        assert [row["result"] for row in ended.json["runs"]] == ["imported"]
    assert told(cli, run) == before


def test_runs_straight_from_another_store(cli, run, recordings, elsewhere):
    second = cli("evaluate", "automation", recordings, "--model", "random", "--json", "--store", elsewhere).json["run"]
    third = cli("evaluate", "automation", recordings, "--model", "random", "--json", "--store", elsewhere).json["run"]
    assert "Imported run " + second in cli("runs", "import", "--from", elsewhere, second).out
    rows = cli("runs", "import", "--from", elsewhere, "--json").json["runs"]
    assert [(row["run"], row["result"]) for row in rows] == [(second, "there already"), (third, "imported")]
    assert [entry["run"] for entry in cli("runs", "list", "--json").json] == [third, second, run]


def test_a_store_without_runs(cli, elsewhere):
    assert "no runs in that store" in cli("runs", "import", "--from", elsewhere).out


def test_another_run_of_the_same_id(cli, run, bundle, elsewhere):
    lines = gzip.decompress(bundle.read_bytes()).splitlines()
    head = json.loads(lines[0])
    assert cli("runs", "import", bundle, "--store", elsewhere, "--data", "/data/there").status == 0
    ended = cli("runs", "import", bundle, "--store", elsewhere)
    assert (ended.status, ended.out) == (2, "")
    assert f"another run {head['run']['id']} in the store: they differ in source" in ended.line
    ended = cli("runs", "import", bundle, "--store", elsewhere, "--as-new", "--json")
    assert ended.json["runs"][0]["run"] != run
    assert len(cli("runs", "list", "--store", elsewhere, "--json").json) == 2


def test_a_moved_data_set_is_found_by_its_new_place(cli, run, bundle, recordings, elsewhere, tmp_path):
    moved = recordings.rename(tmp_path / "moved")
    assert cli("runs", "import", bundle, "--store", elsewhere, "--data", moved).status == 0
    shown = cli("runs", "show", run, "--filter", "infeasible", "--store", elsewhere, "--json").json
    assert [item["episode"] for item in shown["items"]] == ["chair", "chair"]


def test_the_kind_can_be_named(cli, run, tmp_path):
    assert cli("runs", "export", run, "-o", tmp_path / "whole.gz", "--as", "bundle").status == 0
    assert gzip.decompress((tmp_path / "whole.gz").read_bytes()).startswith(b'{"format":"stepscope run bundle"')


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["import"], "no bundle is named"),
        (["import", "none.bundle"], "none.bundle: cannot be read: no such file or directory. Check the path."),
        (["import", "notes.txt"], "notes.txt: this is no run bundle, or it is damaged. Nothing was imported."),
        (["import", "--from", "sqlite:///origin.db", "zzz"], "There is no run 'zzz'"),
        (["import", "--from", "postgresql+psycopg://me:s3cret@127.0.0.1:1/x"], "The server cannot be reached"),
        (["export", "RUN", "-o", "x.bundle", "--show", "wrong"], "csv and pictures only"),
    ],
)
def test_what_does_not_fit(cli, run, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("milk, eggs")
    ended = cli("runs", *[run if word == "RUN" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert "s3cret" not in ended.line
    assert not (tmp_path / "x.bundle").exists()
    assert len(cli("runs", "list", "--json").json) == 1
