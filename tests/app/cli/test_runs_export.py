"""`stepscope runs export`: chosen items, pictures, tables, reports beside another run, and disks that are full."""

from __future__ import annotations

import csv
import errno
import json
import shutil

import pytest
from lxml import html

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels

pytestmark = pytest.mark.usefixtures("store")

TASKS = {
    "automation": "random",
    "feasibility": "always-feasible",
    "ordering": "as-given",
    "ask": "always-ask",
}


@pytest.fixture
def run(evaluated, recordings, predictions) -> str:
    """A run over `recordings` under aitw; its id."""
    return evaluated


def table(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def pixels(path) -> Pixels:
    return decode(Picture(path, Size(100, 200)))


@pytest.mark.parametrize(
    ("arguments", "items", "words"),
    [
        (["--show", "wrong", "--filter", "infeasible"], ["chair 0", "chair 1"], "wrong; infeasible"),
        (["--filter", "right:A"], ["lamp 0", "lamp 1", "lamp 2"], "all; right:A"),
        (["--without-defects", "--show", "wrong"], ["chair 0"], "wrong; without defects"),
        (["--show", "null"], [], "null"),
    ],
)
def test_the_table_of_chosen_items(cli, run, recordings, tmp_path, arguments, items, words):
    cli("annotate", recordings, "lamp", "--step", "2", "--defect", "wrong reference")
    cli("annotate", recordings, "chair", "--step", "1", "--defect", "wrong picture")
    out = tmp_path / "run.csv"
    assert cli("runs", "export", run, "--format", "csv", "-o", out, *arguments).status == 0
    rows = table(out)
    assert [f"{row['episode']} {row['step']}" for row in rows] == items
    assert {row["filter"] for row in rows} <= {words}


def test_each_row_knows_app_goal_label_and_defect(cli, run, recordings, tmp_path):
    cli("annotate", recordings, "lamp", "--step", "2", "--defect", "wrong reference")
    out = tmp_path / "run.csv"
    assert cli("runs", "export", run, "-o", out).status == 0
    found = {(row["episode"], row["step"]): row for row in table(out)}
    lamp, chair = found["lamp", "2"], found["chair", "0"]
    assert lamp["link"].startswith(f"stepscope://recordings/lamp/{lamp['step']}?runs=A&")
    assert lamp["link"].endswith(f"&ids={lamp['run']}")
    assert (lamp["app"], lamp["goal"], lamp["label"]) == ("org.example.shop", "Buy a lamp", "")
    assert (lamp["defect"], found["lamp", "1"]["defect"]) == ("wrong reference", "")
    assert (chair["label"], chair["goal"]) == ("infeasible", "Order a chair")


def test_under_another_rule(cli, run, tmp_path):
    out = tmp_path / "run.csv"
    ended = cli("runs", "export", run, "-o", out, "--rule", "aitw-exact")
    assert ended.status == 2 and "has no scores under" in ended.line and not out.exists()
    cli("runs", "rescore", run, "--rule", "aitw-exact")
    assert cli("runs", "export", run, "-o", out, "--rule", "aitw-exact", "--show", "flips").status == 0
    (row,) = table(out)
    assert (row["episode"], row["step"], row["score"]) == ("lamp", "1", "0.0"), "the text is another one"
    assert json.loads(row["options"])["text"] == "exact"
    page = tmp_path / "run.html"
    assert cli("runs", "export", run, "-o", page, "--rule", "aitw-exact").status == 0
    assert "aitw-exact: AitW, text and direction exact" in page.read_text("utf-8")


@pytest.mark.parametrize("task", TASKS)
def test_reports_and_predictions_of_several_tasks(cli, recordings, tmp_path, task):
    first = cli("evaluate", task, recordings, "--model", TASKS[task], "--json").json
    page, again, table = tmp_path / "run.html", tmp_path / "again.jsonl", tmp_path / "run.tex"
    for out in (page, again, table):
        assert cli("runs", "export", first["run"], "-o", out).status == 0
    found = html.document_fromstring(page.read_text("utf-8"))
    assert len(found.xpath("//article//a/@href[contains(., '?runs=A&')]")) == len(found.xpath("//article"))
    assert f"{TASKS[task]} under" in found.text_content()
    assert all(one.startswith("data:") for one in found.xpath("//@src")) and not found.xpath("//script")
    assert all(one.startswith("stepscope://recordings") for one in found.xpath("//@href"))
    assert r"\toprule" in table.read_text("utf-8")
    second = cli("evaluate", task, recordings, "--predictions", again, "--json").json
    for name in ("n", "errors", "unscored", "malformed", "metrics"):
        assert second[name] == first[name]


def test_a_report_beside_another_run(cli, run, recordings, tmp_path):
    other = cli("evaluate", "automation", recordings, "--model", "random", "--protocol", "aitw", "--json").json["run"]
    out = tmp_path / "run.html"
    assert cli("runs", "export", run, "-o", out, "--baseline", other[:6]).status == 0
    text = html.document_fromstring(out.read_text("utf-8")).text_content()
    assert "Beside the baseline" in text and f"random (run {other}), paired over 5 common items" in " ".join(
        text.split()
    )
    assert "no run 'zzz'" in cli("runs", "export", run, "-o", out, "--baseline", "zzz").line


def test_a_report_without_the_data_says_so(cli, run, recordings, tmp_path):
    shutil.rmtree(recordings)
    out = tmp_path / "run.html"
    assert cli("runs", "export", run, "-o", out).status == 0
    text = out.read_text("utf-8")
    assert "Without pictures and the words of the data: The run" in text and "<img" not in text
    assert "Buy a lamp" in text, "the index still knows it"


def test_a_report_has_pictures_of_wrong_steps(cli, run, recordings, tmp_path):
    """Of the three wrong steps none has a picture; under a rule that compares texts lamp's second step is wrong too."""
    cli("runs", "rescore", run, "--rule", "aitw-exact")
    out = tmp_path / "run.html"
    cli("runs", "export", run, "-o", out, "--rule", "aitw-exact")
    found = html.document_fromstring(out.read_text("utf-8"))
    (alt,) = found.xpath("//img/@alt")
    assert alt == "Screen 1 of step 2, episode lamp"


# Pictures ------------------------------------------------------------------------------------------------------------


def test_a_picture_for_each_item_that_has_one(cli, run, tmp_path):
    out = tmp_path / "new" / "pictures"
    ended = cli("runs", "export", run, "--format", "pictures", "-o", out, "--show", "right")
    assert (ended.status, ended.out.strip()) == (0, str(out)) and "2 pictures" in ended.err
    assert sorted(path.name for path in out.iterdir()) == ["lamp-0.png", "lamp-1.png"]
    first = pixels(out / "lamp-0.png")
    assert first.shape == (200, 100, 3) and (first != 128).any(), "with marks"
    ended = cli("runs", "export", run, "--format", "pictures", "-o", out, "--limit", "1")
    assert ended.status == 1 and "lamp, step 2: this step has no picture." in ended.err
    assert "0 pictures" in ended.err, "the wrong ones, unless others are asked for"


def test_layers_and_limit(cli, run, tmp_path):
    out = tmp_path / "pictures"
    few = ["--show", "right", "--limit", "1", "--format", "pictures", "-o", out]
    assert cli("runs", "export", run, *few, "--layer", "target").status == 0
    assert [path.name for path in out.iterdir()] == ["lamp-0.png"]
    target = pixels(out / "lamp-0.png")
    assert cli("runs", "export", run, *few, "--layer", "gold,pred").status == 0
    assert (pixels(out / "lamp-0.png") != target).any(), "it was drawn anew"
    assert "no layer 'silver'" in cli("runs", "export", run, *few, "--layer", "silver").line


def test_whole_episodes_are_strips_of_their_screens(cli, recordings, tmp_path):
    run = cli("evaluate", "feasibility", recordings, "--model", "never-feasible", "--json").json["run"]
    out = tmp_path / "pictures"
    ended = cli("runs", "export", run, "--format", "pictures", "-o", out, "--show", "all")
    assert ended.status == 1 and "chair: this episode has no pictures." in ended.err
    (only,) = out.iterdir()
    assert only.name == "lamp.png"


def test_pictures_of_data_that_is_gone(cli, run, recordings, tmp_path):
    shutil.rmtree(recordings)
    ended = cli("runs", "export", run, "--format", "pictures", "-o", tmp_path / "pictures")
    assert ended.status == 2 and "The run's data is not there any more" in ended.line
    assert not (tmp_path / "pictures").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "run.jsonl", "--show", "wrong"], "--show goes with csv and pictures only"),
        (["-o", "run.html", "--filter", "app:x"], "--filter goes with csv and pictures only"),
        (["-o", "run.jsonl", "--rule", "aitw"], "--rule goes with csv and pictures and html and latex only"),
        (["-o", "run.csv", "--baseline", "last"], "--baseline goes with html only"),
        (["-o", "run.csv", "--limit", "3"], "--limit goes with pictures only"),
        (["-o", "run.csv", "--show", "flips"], "--show flips needs a rule"),
        (["-o", "pictures"], "its ending does not say what to write"),
        (["-o", "predictions.jsonl", "--format", "pictures"], "this is a file, and pictures need a folder"),
        (["-o", "run.csv", "--filter", "nosuch:1"], "nosuch"),
    ],
)
def test_what_does_not_fit(cli, run, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "predictions.jsonl").touch()
    before = sorted(tmp_path.iterdir())
    ended = cli("runs", "export", run, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", ["csv", "html", "pictures"])
def test_a_full_disk_is_one_message_and_leaves_the_old_file(cli, run, tmp_path, monkeypatch, kind):
    out = tmp_path / f"run.{kind}"
    if kind == "pictures":
        out.mkdir()
    else:
        out.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    ended = cli(
        "runs", "export", run, "-o", out, "--format", kind, *(["--show", "right"] if kind == "pictures" else [])
    )
    assert (ended.status, ended.out) == (2, "")
    assert "cannot be written: the disk is full" in ended.line
    assert list(out.iterdir()) == [] if kind == "pictures" else out.read_text() == "old"
    assert not [path for path in tmp_path.iterdir() if "part" in path.suffix]
