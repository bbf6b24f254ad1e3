"""`stepscope protocols`: every rule and option says who it is from."""

from __future__ import annotations

import re

import pytest

NAMES = {
    "affordance", "aitw", "aitz", "android_control", "ask", "early_goal", "feasibility", "fields", "goal_text",
    "grounding", "gui_odyssey", "intent",
    "label_agreement", "mind2web", "motif", "order_agreement", "ordering", "rollout",
}  # fmt: skip


@pytest.fixture
def listed(cli):
    ended = cli("protocols", "--json")
    assert (ended.status, ended.err) == (0, "")
    return {form["name"]: form for form in ended.json}


def test_all_of_them_are_listed(cli, listed):
    assert set(listed) == NAMES
    shown = cli("protocols")
    assert shown.status == 0
    assert all(f"\n{name} " in shown.out for name in NAMES)


def test_rules_and_options_say_who_they_are_from(listed):
    for name, form in listed.items():
        assert form["rules"], name
        assert form["title"] and form["source"] and form["version"]
        assert form["metrics"] and set(form["lower_is_better"]) <= set(form["metrics"])
        for rule in form["rules"]:
            assert rule["mark"] in ("paper", "code", "ours"), name
            assert rule["text"].endswith((".", ".)")), (name, rule["text"])
        for option in form["options"]:
            assert option["mark"] in ("paper", "code", "ours"), (name, option)
            assert option["help"] and option["allowed"]


def test_every_value_that_an_option_allows_is_taken(cli, listed, tmp_path):
    """The default is among them, and the first one named."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    for name, form in listed.items():
        assert cli("score", name, empty, "--json").json["options"] == {
            option["name"]: option["default"] for option in form["options"]
        }
        for option in form["options"]:
            if "a whole number" in option["allowed"] or "a number" in option["allowed"]:
                continue
            values = option["allowed"].replace(" or ", ", ").split(", ")
            assert values[0] == option["default"], (name, option["name"])
            for value in (one for one in values if one != "a file"):
                ended = cli("score", name, empty, "--set", f"{option['name']}={value}", "--json")
                assert (ended.status, ended.json["options"][option["name"]]) == (0, value)
            assert cli("score", name, empty, "--set", f"{option['name']}=no such value").status == 2


def test_published_numbers(cli, listed):
    """Of the best model on the test split, and of chance, which is context."""
    numbers = {one["model"]: one for one in listed["feasibility"]["published"]}
    assert numbers["CLIP (screen, ET, ID), cat"] == {
        "metric": "f1", "value": 0.611, "options": {}, "model": "CLIP (screen, ET, ID), cat",
        "data": "MoTIF test split", "format": "motif", "split": "feasibility/test",
        "source": "MoTIF (Burns et al. 2022), table 3", "note": "Mean of ten trainings.", "context": False,
    }  # fmt: skip
    assert numbers["Labels drawn as in training"]["context"]
    assert listed["ordering"]["published"] == []
    shown = cli("protocols", "feasibility").out
    assert re.search(r"^f1 +0\.611 +– +CLIP \(screen, ET, ID\), cat +MoTIF test split", shown, re.MULTILINE)
    assert re.search(r"^f1 +\(0\.201\) +– +Labels drawn", shown, re.MULTILINE)
    assert "Published" not in cli("protocols", "ordering").out
    assert "dual=on early_ask=neutral" in cli("protocols", "ask").out


def test_metrics_are_those_of_the_scores(cli, listed, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    for name, form in listed.items():
        assert cli("score", name, empty, "--json").json["metrics"] == dict.fromkeys(form["metrics"])


def test_one_protocol_in_words(cli, listed):
    for name, form in listed.items():
        ended = cli("protocols", name)
        assert (ended.status, ended.err) == (0, "")
        for rule in form["rules"]:
            assert rule["text"].split()[0] in ended.out
        assert cli("protocols", name, "--json").json == form


def test_an_unknown_one_is_answered_with_the_nearest(cli):
    ended = cli("protocols", "mindweb")
    assert (ended.status, ended.out) == (2, "")
    assert "Did you mean mind2web?" in ended.line


def test_each_has_a_page(listed):
    from tests.app.cli.conftest import ROOT

    for name in listed:
        assert (ROOT / "docs" / "protocols" / f"{name}.md").is_file()
        assert f"({name}.md)" in (ROOT / "docs" / "protocols" / "README.md").read_text()
