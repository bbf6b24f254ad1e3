"""`stepscope models`."""

from __future__ import annotations

import pytest


def test_the_list(cli):
    ended = cli("models", "list", "--json")
    assert (ended.status, ended.err) == (0, "")
    for entry in ended.json:
        assert set(entry) == {"name", "task", "runtime", "weights", "trained_on"}
    by_name = {entry["name"]: entry for entry in ended.json}
    assert {"text-match", "nearest-element", "random", "noisy-copy"} <= set(by_name)
    assert by_name["random"] == {
        "name": "random", "task": "automation", "runtime": "none", "weights": "none", "trained_on": None
    }  # fmt: skip
    assert "text-match" in cli("models", "list").out


def test_a_model_says_what_it_is(cli):
    form = cli("models", "info", "noisy-copy", "--json").json
    assert (form["name"], form["stand_in"], form["needs_reference"]) == ("noisy-copy", True, True)
    assert form["description"] in cli("models", "info", "noisy-copy").out


@pytest.mark.parametrize("name", ["randm", ""])
def test_an_unknown_model(cli, name):
    ended = cli("models", "info", name, "--json")
    assert (ended.status, ended.out) == (2, "")
    assert f"There is no model {name!r}" in ended.line
    assert "random" in ended.line
