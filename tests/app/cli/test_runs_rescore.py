"""`stepscope runs rescore`: predictions under another rule, without a model; what flips; going on after Ctrl-C.

Under aitw two of five steps are right (see `predictions`). With text=exact the typed text differs, so one is left.
motif needs a UI tree: only lamp's first screen has one, so its point rule judges lamp's tap, and what has no place.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter

import pytest

from stepscope.core.progress import CancelToken
from stepscope.core.scoring.named_rules import RULES

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def run(evaluated, recordings, predictions) -> str:
    return evaluated


@pytest.fixture
def exact(cli, run) -> str:
    """The run, scored again under aitw-exact."""
    assert cli("runs", "rescore", run, "--rule", "aitw-exact").status == 0
    return run


def steps(items):
    return [(item["episode"], item["step"]) for item in items]


def test_one_rule(cli, run):
    ended = cli("runs", "rescore", run[:5], "--rule", "aitw-exact", "--json")
    assert (ended.status, ended.err) == (0, "")
    form = ended.json
    assert {name: form[name] for name in form if name not in ("metrics", "flips", "options")} == {
        "run": run, "task": "automation", "model": "elsewhere", "protocol": "aitw", "rule": "aitw-exact",
        "state": "done", "n": 5, "errors": 0, "unscored": 0, "malformed": 1, "null": 0,
        "only_before": [], "only_after": [],
    }  # fmt: skip
    assert (form["options"]["text"], form["options"]["direction"]) == ("exact", "exact")
    assert form["metrics"]["step_accuracy"] == 1 / 5
    assert form["flips"] == [
        {
            "episode": "lamp",
            "step": 1,
            "before": "right",
            "after": "wrong",
            "why": "Both are type, but the text differs.",
        }
    ]
    assert cli("runs", "show", run, "--json").json["metrics"]["step_accuracy"] == 2 / 5, "its own rule stays"


def test_a_rule_by_its_options(cli, run):
    form = cli("runs", "rescore", run, "--protocol", "aitw", "--set", "text=exact", "--json").json
    assert (form["rule"], form["options"]["direction"], steps(form["flips"])) == (None, "axis", [("lamp", 1)])
    form = cli("runs", "rescore", run, "--protocol", "aitw", "--set", "text=exact", "direction=exact", "--json").json
    assert form["rule"] == "aitw-exact"


def test_in_words(cli, run):
    out = cli("runs", "rescore", run, "--rule", "aitw-exact").out
    assert f"Run {run}: elsewhere on automation under aitw-exact: aitw (direction=exact, text=exact), done" in out
    assert "n 5, errors 0, unscored 0, malformed 1, null 0" in out
    assert "1 step has another verdict than under the run's own rule, aitw." in out
    assert any(line.split()[:4] == ["lamp", "1", "right", "wrong"] for line in out.splitlines())


def test_items_that_one_rule_only_can_score(cli, run):
    form = cli("runs", "rescore", run, "--rule", "motif-point", "--json").json
    assert form["unscored"] == 2, "chair's taps have no tree"
    assert steps(form["only_before"]) == [("chair", 0), ("chair", 1)]
    assert form["only_after"] == []
    assert (
        "Scored under its own rule only: 2; under this one only: 0."
        in cli("runs", "rescore", run, "--rule", "motif-point").out
    )


def test_every_rule_side_by_side(cli, run):
    ended = cli("runs", "rescore", run, "--all", "--json")
    assert (ended.status, ended.json["run"]) == (0, run)
    rules = {row["rule"]: row for row in ended.json["rules"]}
    assert next(iter(rules)) == "aitw" and set(rules) == {rule.id for rule in RULES}
    assert [row["rule"] for row in ended.json["rules"] if row["own"]] == ["aitw"]
    assert (rules["aitw"]["flips"], rules["aitw-exact"]["flips"], rules["aitw-exact"]["n"]) == (0, 1, 5)
    assert rules["aitw-exact"]["metrics"]["step_accuracy"] == 1 / 5
    assert all(row["why"] or row["n"] for row in ended.json["rules"])
    out = cli("runs", "rescore", run, "--all").out
    assert "aitw (own)" in out
    assert all(rule.id in out for rule in RULES)


def test_several_rules(cli, run):
    rows = cli("runs", "rescore", run, "--rule", "aitw-exact", "--rule", "motif-box", "--json").json["rules"]
    assert [row["rule"] for row in rows] == ["aitw", "aitw-exact", "motif-box"]


def test_no_model_and_no_data_once_it_is_done(cli, exact, recordings):
    shutil.rmtree(recordings)
    assert cli("runs", "rescore", exact, "--rule", "aitw-exact", "--json").json["n"] == 5
    ended = cli("runs", "rescore", exact, "--rule", "motif-box")
    assert (ended.status, ended.out) == (2, "")
    assert "The run's data is not there any more" in ended.line


def test_data_that_has_moved(cli, run, recordings, tmp_path):
    moved = recordings.rename(tmp_path / "elsewhere")
    form = cli("runs", "rescore", run, "--rule", "aitw-exact", "--data", moved, "--json").json
    assert (form["n"], form["errors"]) == (5, 0)


def test_episodes_that_cannot_be_read_are_listed_and_read_the_next_time(cli, run, recordings, tmp_path):
    lamp = (recordings / "1").rename(tmp_path / "aside")
    ended = cli("runs", "rescore", run, "--rule", "aitw-exact", "--json")
    assert (ended.status, ended.json["errors"], ended.json["n"]) == (1, 3, 2)
    assert steps(ended.json["only_before"]) == [("lamp", 0), ("lamp", 1), ("lamp", 2)]
    assert "3 items failed" in ended.err
    assert "lamp:0: The episode cannot be read: " in ended.err
    lamp.rename(recordings / "1")
    ended = cli("runs", "rescore", run, "--rule", "aitw-exact", "--json")
    assert (ended.status, ended.json["errors"], ended.json["n"]) == (0, 0, 5)


def test_ctrl_c_keeps_what_is_done(cli, run, monkeypatch):
    polled = Counter()

    def cancelled(self):
        polled["times"] += 1
        return polled["times"] > 3

    with monkeypatch.context() as patch:
        patch.setattr(CancelToken, "cancelled", property(cancelled))
        ended = cli("runs", "rescore", run, "--rule", "aitw-exact", "--json")
    assert (ended.status, ended.out) == (130, "")
    assert "of 5 items are scored and kept" in ended.line
    assert not ended.line.startswith("stepscope: interrupted: 5")
    assert cli("runs", "rescore", run, "--rule", "aitw-exact", "--json").json["n"] == 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no rule is named"),
        (["--rule", "aitw-exakt"], "There is no rule 'aitw-exakt'. Did you mean aitw-exact?"),
        (["--rule", "aitw", "--protocol", "aitw"], "--rule names a protocol with all its options already"),
        (["--set", "text=exact"], "--set needs a protocol"),
        (["--protocol", "aitww"], "Did you mean aitw?"),
        (["--protocol", "aitw", "--set", "text=maybe"], "text cannot be 'maybe'"),
        (["--all", "--rule", "aitw"], "--all takes every rule already"),
        (["--rule", "aitw-exact", "--data", "nowhere"], "There is nothing at this place"),
    ],
)
def test_what_does_not_fit(cli, run, arguments, words):
    ended = cli("runs", "rescore", run, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line


@pytest.mark.parametrize(
    ("protocol", "words"),
    [("label_agreement", "scores records only, not runs"), ("ask", "ask is no rule for automation")],
)
def test_a_protocol_that_judges_no_actions(cli, run, protocol, words):
    ended = cli("runs", "rescore", run, "--protocol", protocol)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line


# -- items and filters under another rule


def test_items_under_a_stored_rule(cli, exact):
    form = cli("runs", "show", exact, "--rule", "aitw-exact", "--json").json
    assert (form["rule"], form["metrics"]["step_accuracy"], len(form["items"])) == ("aitw-exact", 1 / 5, 5)
    shown = cli(
        "runs", "show", exact, "--protocol", "aitw", "--set", "text=exact", "direction=exact", "--show", "right"
    )
    assert "lamp" in shown.out
    assert steps(cli("runs", "show", exact, "--rule", "aitw-exact", "--show", "flips", "--json").json["items"]) == [
        ("lamp", 1)
    ]


def test_null_malformed_unscored_and_error_are_told_apart(cli, recordings, predictions, tmp_path):
    lines = predictions.read_text().splitlines()
    predictions.write_text("\n".join(lines[:-1]))  # chair's step 1 has no line; its step 0 answered nonsense
    arguments = ["--predictions", predictions, "--protocol", "aitw", "--json"]
    exact = cli("evaluate", "automation", recordings, *arguments).json["run"]
    (null,) = cli("runs", "show", exact, "--show", "null", "--json").json["items"]
    assert (null["episode"], null["step"], null["malformed"], null["null"]) == ("chair", 1, True, True)
    malformed = cli("runs", "show", exact, "--show", "malformed", "--json").json["items"]
    assert [(item["step"], item["null"]) for item in malformed] == [(0, False), (1, True)]
    rows = [line.split()[:3] for line in cli("runs", "show", exact).out.splitlines()]
    assert ["chair", "0", "malformed"] in rows and ["chair", "1", "null"] in rows
    form = cli("runs", "rescore", exact, "--rule", "aitw-exact", "--json").json
    assert (form["malformed"], form["null"]) == (2, 1)
    assert cli("runs", "list", "--json").json[0]["null"] == 1
    assert "null" in cli("runs", "list").out
    assert cli("runs", "export", exact, "-o", tmp_path / "run.csv").status == 0
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as stream:
        assert [row["null"] for row in csv.DictReader(stream)] == ["0", "0", "0", "0", "1"]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--filter", "flips:aitw-exact"], [("lamp", 0), ("lamp", 1), ("lamp", 2)]),
        (["--filter", "flips:aitw-exact action:type"], [("lamp", 0), ("lamp", 1), ("lamp", 2)]),
        (["--filter", "flips:aitw-exact action:tap"], []),
        (["--filter", "none(flips:aitw-exact)"], [("chair", 0), ("chair", 1)]),
        (["--filter", "flips:aitw-exact", "--show", "flips", "--rule", "aitw-exact"], [("lamp", 1)]),
    ],
)
def test_flips_in_filters(cli, exact, arguments, found):
    assert steps(cli("runs", "show", exact, *arguments, "--json").json["items"]) == found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--filter", "flips:motif-point"], "No shown run was scored under motif-point yet"),
        (["--filter", "flips:aitw-exat"], "Did you mean aitw-exact?"),
        (["--show", "flips"], "--show flips needs a rule"),
        (
            ["--rule", "motif-point"],
            "has no scores under motif (grounding=point, object_tolerance=1, partial=position). Make them: stepscope",
        ),
    ],
)
def test_rules_without_scores(cli, exact, arguments, words):
    ended = cli("runs", "show", exact, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line


def test_a_shell_gets_one_document(process, run):
    ended = process("runs", "rescore", run, "--all", "--json")
    assert ended.status == 0
    assert {row["rule"] for row in json.loads(ended.out)["rules"]} == {rule.id for rule in RULES}


def test_data_of_something_else_is_refused(cli, recordings, predictions, tmp_path):
    run = cli("evaluate", "automation", recordings, "--predictions", predictions, "--protocol", "aitw", "--json").json[
        "run"
    ]
    other = tmp_path / "other"
    shutil.copytree(recordings, other)
    for number, file in enumerate(sorted(other.glob("*/episode.json"))):
        form = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**form, "id": f"unlike-{number}"}), encoding="utf-8")
    ended = cli("runs", "rescore", run, "--rule", "aitw-exact", "--data", other)
    assert (ended.status, ended.out) == (2, "")
    assert "None of the run's episodes is in it." in ended.line
    table = cli("runs", "rescore", run, "--rule", "aitw-exact", "--json")
    assert (table.status, table.json["n"]) == (0, 5)
