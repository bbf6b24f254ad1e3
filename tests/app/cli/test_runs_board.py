"""`stepscope runs board`: the leaderboard of a task on the command line."""

from __future__ import annotations

import csv
import io
import json

import pytest

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def other(cli, recordings, tmp_path) -> str:
    """lamp only, all wrong: two thirds less than the other run has there."""
    path = tmp_path / "other.jsonl"
    lines = [{"episode": "lamp", "step": step, "action": {"kind": "press_key", "key": "home"}} for step in range(3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in ({"run": {"model": "other"}}, *lines)))
    arguments = ["--predictions", path, "--protocol", "aitw", "--json"]
    return cli("evaluate", "automation", recordings, *arguments).json["run"]


def test_runs_are_ranked_in_their_group(cli, evaluated, other):
    (group,) = cli("runs", "board", "automation", "--json").json
    assert [row["run"] for row in group["rows"]] == [evaluated, other]
    assert (group["protocol"], group["main"], group["common"], group["items"]) == ("aitw", "step_accuracy", 3, 5)
    first = group["rows"][0]
    shown = cli("runs", "show", evaluated, "--json").json
    assert (first["n"], first["metrics"]) == (shown["n"], shown["metrics"])
    cli("runs", "rescore", evaluated, "--rule", "aitw-exact")
    groups = cli("runs", "board", "automation", "--json").json
    assert [[row["own"] for row in one["rows"]] for one in groups] == [[True, True], [False]]
    assert [one["rule"] for one in cli("runs", "board", "automation", "--rule", "aitw", "--json").json] == ["aitw"]


def test_in_words_and_as_files(cli, evaluated, other):
    out = cli("runs", "board", "automation").out
    assert "Not the same items: common 3 of 5" in out and out.index(evaluated) < out.index(other)
    assert "| Run | Settings | Step accuracy" in cli("runs", "board", "automation", "--format", "markdown").out
    assert r"\begin{tabular}" in cli("runs", "board", "automation", "--format", "latex").out
    text = cli("runs", "board", "automation", "--format", "csv", "--column", "step_accuracy").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["run"] for row in rows] == [evaluated, other] and rows[1]["step_accuracy"] == "0.0"


def test_archived_runs_other_data_and_columns_that_there_are_not(cli, evaluated, other):
    cli("runs", "label", other, "--archive")
    (group,) = cli("runs", "board", "automation", "--json").json
    assert [row["run"] for row in group["rows"]] == [evaluated]
    assert len(cli("runs", "board", "automation", "--archived", "--json").json[0]["rows"]) == 2
    assert cli("runs", "board", "automation", "--data", "elsewhere", "--json").json == []
    ended = cli("runs", "board", "automation", "--sort", "beauty")
    assert ended.status == 2 and "there is no column 'beauty'" in ended.err
    assert cli("runs", "board", "nothing").status == 2


def test_two_runs_say_which_settings_differ(cli, evaluated, other):
    found = cli("runs", "compare", evaluated, other, "--bootstrap", 20, "--json").json["settings"]
    assert {one["name"]: one["effect"] for one in found}["Model"] == "model"
    assert "Settings that differ:" in cli("runs", "compare", evaluated, other, "--bootstrap", 20).out


def test_a_model_below_the_rules_is_told_in_its_row(cli, evaluated, other, monkeypatch):
    words = "Below good on Real: 0.300 against 0.600"
    monkeypatch.setattr(
        "stepscope.app.services.leaderboard.below_rules_of", lambda run: words if run.id == other else ""
    )
    lines = cli("runs", "board", "automation").out.splitlines()
    assert [words in line for line in lines if evaluated in line or other in line] == [False, True]
    (group,) = cli("runs", "board", "automation", "--json").json
    assert [row["below_rules"] for row in group["rows"]] == [None, words]
