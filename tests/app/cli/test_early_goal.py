"""Goals while they happen, by commands: an evaluation, what cannot be judged so, and records."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.usefixtures("store")


def test_every_step_is_asked_about(cli, recordings):
    ended = cli("evaluate", "goal", recordings, "--model", "template", "--protocol", "early_goal", "--json")
    assert ended.status == 0, ended.err
    form = ended.json
    assert form["n"] == 6, "all steps of two episodes"
    assert list(form["metrics"]) == ["earliness", "convergence", "convergence_point", "precision", "recall"]


def test_what_was_asked_at_the_end_cannot_be_judged_so_nor_the_other_way_round(cli, recordings):
    late = cli("evaluate", "goal", recordings, "--model", "template", "--json").json["run"]
    early = cli("evaluate", "goal", recordings, "--model", "template", "--protocol", "early_goal", "--json").json["run"]
    for run, protocol, when in ((late, "early_goal", "at the end"), (early, "goal_text", "after every step")):
        ended = cli("runs", "rescore", run, "--protocol", protocol)
        assert ended.status == 2 and f"it was asked {when}" in ended.err
    again = cli("runs", "rescore", early, "--protocol", "early_goal", "--set", "measure=exact", "--json")
    assert again.status == 0, again.err


def test_a_file_of_predictions_has_no_guesses(cli, recordings, tmp_path):
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps({"episode": "one", "goal": "Open it"}) + "\n", "utf-8")
    ended = cli("evaluate", "goal", recordings, "--predictions", file, "--protocol", "early_goal")
    assert ended.status == 2 and "answers about whole episodes" in ended.err
    assert "stepscope score early_goal FILE" in ended.err


def test_records(cli, tmp_path):
    file = tmp_path / "guesses.jsonl"
    lines = [
        {"id": 1, "reference": "Open the clock", "guesses": ["Buy tea", "Open the clock"]},
        {"id": 2, "right": [True, True, False]},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    found = cli("score", "early_goal", file, "--json").json
    assert found["metrics"] == {
        "earliness": 0.25, "convergence": 0.5, "convergence_point": 1.0, "precision": 0.6, "recall": 0.6,
    }  # fmt: skip


def test_a_judge_tells_how_early_too(cli, recordings):
    """Of lamp; the template has no guess about chair."""
    run = cli("evaluate", "goal", recordings, "--model", "template", "--protocol", "early_goal", "--json").json["run"]
    assert cli("judgements", "ask", run, "--judge", "rules").status == 0
    form = cli("judgements", "show", run, "--json").json
    (early,) = form["early"]
    assert (early["judge"], early["by_model"], early["n"]) == ("rules", True, 1)
    assert 0 <= early["earliness"] <= early["convergence"] <= 1
    assert "How early the goal is right" in cli("judgements", "show", run).out
    late = cli("evaluate", "goal", recordings, "--model", "template", "--json").json["run"]
    assert cli("judgements", "ask", late, "--judge", "rules").status == 0
    assert cli("judgements", "show", late, "--json").json["early"] == []
