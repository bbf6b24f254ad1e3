"""A campaign on the command line, from two tables to the exported folder."""

from __future__ import annotations

import csv
import json

import pytest

from stepscope.core.sources.registry import open_source

APPS = "app,title,category\nclock,Clock,Tools\ntimer,Timer,Tools\nmusic,Music,Audio\n"
GOALS = "app,goal,author\nclock,set an alarm,ann\ntimer,start a timer,ann\nMusic,play a song,ann\nmaps,go home,\n"


@pytest.fixture
def campaign(cli, store, tmp_path):
    """Call `campaign` with JSON; it must end with 0, or as it says."""

    def call(word, *arguments, status=0):
        ended = cli("campaign", word, *arguments, "--json")
        assert ended.status == status, ended.err
        return ended.json

    return call


@pytest.fixture
def words(tmp_path):
    """Vectors that put all goals of Tools side by side, in two heaps."""
    file = tmp_path / "words.vec"
    file.write_text("set 0 1\nalarm 0 1\nstart 4 0\ntimer 4 0\nplay 9 9\nsong 9 9\n")
    return file


@pytest.fixture
def begun(cli, campaign, tmp_path, words):
    """Three goals in three apps, paired."""
    campaign("new", "phones", "--k", 2, "--instructions", "Show it.")
    for name, text in (("apps", APPS), ("goals", GOALS)):
        (tmp_path / f"{name}.csv").write_text(text)
    campaign("import", "phones", tmp_path / "apps.csv")
    ended = cli("campaign", "import", "phones", tmp_path / "goals.csv", "--json")
    assert ended.status == 1 and ended.line.endswith("goals.csv:5: the campaign has no app “maps”.")
    assert (ended.json["goals"], ended.json["bad_lines"][0]["line"]) == (3, 5)
    return campaign("pair", "phones", "--fasttext", words)


def test_pairs_of_every_category(campaign, begun):
    audio, tools = begun["categories"]
    assert (audio["category"], audio["k"], audio["isolated"], audio["pairs"]) == ("Audio", 1, ["music"], 1)
    assert (tools["category"], tools["k"], tools["pairs"]) == ("Tools", 1, 2)
    assert tools["clusters"][0]["apps"] == ["clock", "timer"] and tools["close"] == [
        {"apps": ["clock", "timer"], "share": 1.0}
    ]
    shown = campaign("show", "phones")
    assert [(pair["app"], pair["goal"], pair["origin"]) for pair in shown["pairs"]] == [
        ("clock", "set an alarm", "category-clustered"),
        ("music", "play a song", "app-specific"),
        ("timer", "set an alarm", "category-clustered"),
    ]
    listed = campaign("list")["campaigns"]
    kept = {"name": "phones", "task": "demonstration", "k": 2}
    assert listed == [kept | {"apps": 3, "goals": 3, "pairs": 3, "demonstrations": 0}]


def test_k_is_what_one_says_and_a_dry_run_changes_nothing(campaign, begun, words):
    found = campaign("pair", "phones", "--fasttext", words, "--category", "Tools", "--k", 2, "--dry-run")
    assert found["categories"][0]["isolated"] == ["clock", "timer"]
    assert len(campaign("show", "phones")["pairs"]) == 3


def test_tasks_are_done_and_counted(campaign, begun, recordings, cli):
    assert campaign("next", "phones", "--annotator", "ann")["task"] is None, "she wrote them all"
    task = campaign("next", "phones", "--annotator", "bob")["task"]
    assert (task["app"], task["goal"], task["instructions"]) == ("clock", "set an alarm", "Show it.")
    done = campaign("done", "phones", recordings / "2", "--annotator", "bob")
    assert (done["episode"], done["label"]) == ("chair", "infeasible")
    refused = cli("campaign", "done", "phones", recordings / "2", "--annotator", "bob")
    assert refused.status == 2 and "bob has no task" in refused.line
    for person in ("cem", "dia"):
        campaign("next", "phones", "--annotator", person)
        campaign("done", "phones", recordings / ("1" if person == "cem" else "2"), "--annotator", person)
    assert campaign("assign", "phones", "--annotator", "eve") == {"campaign": "phones", "assigned": 3, "short": 0}
    found = campaign("agreement", "phones")
    assert found["few"] == 3 and found["kappa"] is None and found["histogram"] == []


@pytest.mark.parametrize("layout", ["recording", "motif"])
def test_what_was_demonstrated_is_exported_and_read_back(campaign, begun, recordings, tmp_path, layout, cli):
    for person, folder in (("bob", "2"), ("cem", "1")):
        campaign("next", "phones", "--annotator", person)
        campaign("done", "phones", recordings / folder, "--annotator", person)
    out = tmp_path / "out"
    found = campaign("export", "phones", "-o", out, "--layout", layout)
    assert (found["written"], found["missing"]) == (2, [])
    seen = cli("inspect", out, "--json").json
    assert (seen["format"], seen["episodes"]) == (layout, 2), "the tables beside do not mislead"
    source = open_source(out)
    assert {row.goal for row in source.scan()} == {"Order a chair", "Buy a lamp"}
    form = json.loads((out / "campaign.json").read_text())
    assert form["pairs"][0]["assignments"][0]["demonstration"]["follow_up"] == ["Which one?"]
    with (out / "pairs.csv").open(newline="") as stream:
        assert [row["done"] for row in csv.DictReader(stream)] == ["1", "1", "0"]
    refused = cli("campaign", "export", "phones", "-o", out)
    assert refused.status == 2 and "there is something already" in refused.line


def test_a_recording_that_is_gone_is_named(campaign, begun, recordings, tmp_path):
    campaign("next", "phones", "--annotator", "bob")
    campaign("done", "phones", recordings / "2", "--annotator", "bob")
    (recordings / "2" / "episode.json").unlink()
    found = campaign("export", "phones", "-o", tmp_path / "out", status=1)
    assert found["written"] == 0 and found["missing"][0]["episode"] == "chair"


def test_what_a_person_reads(cli, begun):
    assert cli("campaign", "list").out.split()[:2] == ["name", "task"]
    shown = cli("campaign", "show", "phones").out
    assert "3 apps, 3 goals, 0 annotators, 2 for each pair" in shown and "0 of 2" in shown
    assert "play a song" in cli("campaign", "next", "phones", "--annotator", "bob").out or "set an alarm" in shown
    assert "nothing for ann to do" in cli("campaign", "next", "phones", "--annotator", "ann").out
    assert "kappa –" in cli("campaign", "agreement", "phones").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "none"), "There is no campaign “none”"),
        (("new", "phones"), "already"),
        (("new", "x", "--k", "0"), "Invalid value for '--k'"),
        (("pair", "phones", "--category", "Games"), "no goals in “Games”. Categories with goals: “Audio”, “Tools”"),
        (("import", "phones", "none.csv"), "none.csv: cannot be read: no such file"),
        (("export", "phones", "-o", "x", "--layout", "zip"), "no layout 'zip'"),
    ],
)
def test_what_cannot_be_done_is_told(cli, begun, arguments, told):
    ended = cli("campaign", *arguments)
    assert ended.status == 2 and told in ended.line
