"""Settings of models on the command line: in the name, or by --set-model."""

from __future__ import annotations

import pytest

from stepscope.app.services.presets import load_presets
from stepscope.models.chat import servers


@pytest.fixture(autouse=True)
def lab(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    servers.add(servers.ChatServer("lab", "http://localhost:9/v1", "m"))


def test_a_model_tells_what_can_be_set(cli):
    form = cli("models", "info", "page:lab/m?demos=3", "--json").json
    assert form["name"] == "page:lab/m?demos=3" and form["title"] == "m at lab · 3 demos, full page"
    assert form["settings"][0] == {
        "name": "demos",
        "default": 0,
        "allowed": "a whole number from 0 to 7",
        "help": "Solved pages of other tasks that it is shown first.",
    }
    told = cli("models", "info", "page:lab/m").out
    assert "full, relevant, layout" in told and "a whole number from 1000 to 4000000" in told
    assert cli("models", "info", "do-nothing", "--json").json["settings"] == []
    assert "page:lab/m" in {entry["name"] for entry in cli("models", "list", "--json").json}


@pytest.mark.parametrize(
    "words",
    [
        ("--model", "page:lab/m?vision=1&demos=3&html=full"),
        ("--model", "page:lab", "--set-model", "demos=3", "--set-model", "vision=1"),
        ("--model", "page:lab/m?demos=2&vision=1", "--set-model", "demos=3"),
    ],
)
def test_a_name_is_the_same_however_it_is_set(cli, tmp_path, words):
    ended = cli("evaluate", "webtask", tmp_path / "none", *words, "--save-preset", "mine")
    assert ended.status == 2 and "There is nothing at this place" in ended.err
    assert load_presets().preset("mine").model == "page:lab/m?demos=3&vision=1"


def test_a_preset_can_be_set_anew(cli, tmp_path):
    cli("evaluate", "webtask", tmp_path, "--model", "page:lab?demos=3", "--save-preset", "mine")
    again = ("--preset", "mine", "--set-model", "html=relevant", "--save-preset", "other")
    cli("evaluate", "webtask", tmp_path, *again)
    assert load_presets().preset("other").model == "page:lab/m?demos=3&html=relevant"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--model", "page:lab", "--set-model", "demo=3"), "has no option 'demo'"),
        (
            ("--model", "page:lab", "--set-model", "demos=9"),
            "demos cannot be '9'. Allowed: a whole number from 0 to 7.",
        ),
        (("--model", "page:lab", "--set-model", "demos"), "--set-model 'demos' is not name=value"),
        (("--model", "do-nothing", "--set-model", "demos=1"), "do-nothing has no option 'demos'. It has none."),
        (("--predictions", "FILE", "--set-model", "demos=1"), "--set-model sets a model, and none is named"),
    ],
)
def test_what_cannot_be_set_is_told(cli, tmp_path, words, why):
    ended = cli("evaluate", "webtask", tmp_path, *words)
    assert ended.status == 2 and why in ended.err


@pytest.mark.usefixtures("store")
def test_a_model_is_told_of_the_steps_before_what_it_answered(cli, recordings):
    """Each is a model of its own name; one that looks at no history cannot be set."""
    words = ("evaluate", "automation", recordings, "--model", "nearest-element", "--protocol", "aitw", "--json")
    names = [cli(*words, "--set-model", f"history={one}").json["model"] for one in ("recorded", "predicted", "none")]
    assert names == ["nearest-element", "nearest-element?history=predicted", "nearest-element?history=none"]
    refused = cli("evaluate", "automation", recordings, "--model", "random", "--set-model", "history=none")
    assert refused.status == 2 and "random has no option 'history'" in refused.err
