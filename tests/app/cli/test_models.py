"""`stepscope models`."""

from __future__ import annotations

import pytest

from tests.app import losing_model


def test_the_list(cli):
    ended = cli("models", "list", "--json")
    assert (ended.status, ended.err) == (0, "")
    for entry in ended.json:
        assert set(entry) == {"name", "task", "runtime", "weights", "trained_on", "below_rules"}
    by_name = {entry["name"]: entry for entry in ended.json}
    assert {"text-match", "nearest-element", "random", "noisy-copy"} <= set(by_name)
    assert by_name["random"] == {
        "name": "random", "task": "automation", "runtime": "none", "weights": "none", "trained_on": None,
        "below_rules": [],
    }  # fmt: skip
    assert "text-match" in cli("models", "list").out


def test_a_model_says_what_it_is(cli):
    form = cli("models", "info", "noisy-copy", "--json").json
    assert (form["name"], form["stand_in"], form["needs_reference"]) == ("noisy-copy", True, True)
    assert form["description"] in cli("models", "info", "noisy-copy").out


def test_what_a_model_needs_and_whether_its_weights_are_here(cli):
    form = cli("models", "info", "sentence-match", "--json").json
    assert (form["runtime"], form["batches"], form["inputs"]) == ("onnx", True, ["tree", "text", "history"])
    assert (form["version"], form["devices"], form["stand_in"]) == ("1", ["cpu", "cuda"], False)
    assert form["weights"] in ("present", "absent") and form["weights_from"]
    listed = {entry["name"]: entry for entry in cli("models", "list", "--json").json}
    assert listed["sentence-match"]["weights"] == form["weights"]
    assert "cpu, cuda" in cli("models", "info", "sentence-match").out
    assert cli("models", "info", "never-ask", "--json").json["inputs"] == []


def test_every_task_has_a_model_without_weights(cli):
    listed = cli("models", "list", "--json").json
    assert {entry["task"] for entry in listed if entry["weights"] == "none"} == {
        "automation", "feasibility", "goal", "ordering", "ask", "webtask", "affordance"
    }  # fmt: skip


def test_a_model_that_loses_to_a_rule_on_real_data_says_so(cli):
    losing_model.keep_losing_model()
    listed = {entry["name"]: entry for entry in cli("models", "list", "--json").json}
    assert listed["two-tower"]["below_rules"] == ["UIBert refexp"]
    assert "UIBert refexp" in cli("models", "list").out
    form = cli("models", "info", "two-tower", "--json").json
    (uibert,) = (one for one in form["real"] if one["set"] == "UIBert refexp")
    assert (uibert["items"], uibert["value"], uibert["against"]["text-match"]["value"]) == (77, 0.403, 0.649)
    assert f"{losing_model.WORDS}." in cli("models", "info", "two-tower").out
    assert cli("models", "info", "text-match", "--json").json["real"] == []


def test_no_shipped_model_loses_to_a_rule_and_one_is_no_better(cli):
    listed = {entry["name"]: entry for entry in cli("models", "list", "--json").json}
    assert listed["two-tower"]["trained_on"].startswith("1,500 episodes that Stepscope generated in its own apps")
    assert not any(entry.get("below_rules") for entry in listed.values())
    told = cli("models", "info", "feasibility-mlp").out
    assert "No better than never-feasible on TurkingBench Goal feasibility" in told


@pytest.mark.parametrize("name", ["no-such-model", "text-match"])
def test_only_a_trained_model_is_measured(cli, tmp_path, name):
    ended = cli("models", "measure", name, "--data", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert f"{name!r} is no trained model" in ended.line


@pytest.mark.parametrize("name", ["randm", ""])
def test_an_unknown_model(cli, name):
    ended = cli("models", "info", name, "--json")
    assert (ended.status, ended.out) == (2, "")
    assert f"There is no model {name!r}" in ended.line
    assert "random" in ended.line
