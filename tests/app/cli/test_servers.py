"""`stepscope servers`."""

from __future__ import annotations

import pytest

from stepscope.core.errors import UserError
from stepscope.models.agents.asked import asked_model, settings_of
from stepscope.models.chat import client, servers
from tests.models.chat.conftest import stage  # noqa: F401 - a fixture


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("stepscope.models.chat.keys.get", lambda name: None)


def test_a_server_is_added_listed_replaced_and_removed(cli):
    assert "There are no servers" in cli("servers", "list").out
    added = cli("servers", "add", "lab", "http://localhost:8080/v1/", "--model", "m", "--text-only", "--json")
    form = {
        "name": "lab", "url": "http://localhost:8080/v1", "model": "m", "timeout": 120.0, "parallel": 4,
        "pictures": False, "adapter": "", "key": "none",
    }  # fmt: skip
    assert (added.status, added.json) == (0, form)
    assert cli("servers", "list", "--json").json == [form]
    again = cli("servers", "add", "lab", "https://models.example/v1")
    assert again.status == 2 and "a server 'lab' already" in again.err
    assert cli("servers", "add", "lab", "https://models.example/v1", "--replace").status == 0
    assert "models.example" in cli("servers", "list").out
    assert cli("servers", "remove", "lab").status == 0
    assert cli("servers", "list", "--json").json == []
    assert cli("servers", "remove", "lab").status == 2


def test_what_can_be_read_on_the_way_is_told(cli):
    assert "not encrypted" in cli("servers", "add", "far", "http://models.example/v1").err
    assert cli("servers", "add", "bad", "https://me:secret@models.example").status == 2


def test_a_key_is_read_from_a_pipe_into_the_keyring(cli, monkeypatch):
    kept = {}
    monkeypatch.setattr("stepscope.models.chat.keys.set", kept.__setitem__)
    monkeypatch.setattr("stepscope.app.cli.servers.read_key", lambda name: "s3cret\n")
    ended = cli("servers", "add", "lab", "https://models.example/v1", "--key")
    assert kept == {"lab": "s3cret\n"} and "s3cret" not in ended.out + ended.err


def test_a_server_is_checked(cli, monkeypatch):
    servers.add(servers.ChatServer("lab", "https://models.example/v1", "small"))
    monkeypatch.setattr(client, "check", lambda server: client.ServerInfo(("small", "large"), 0.25))
    form = cli("servers", "check", "lab", "--json").json
    assert (form["models"], form["seconds"], form["has_model"]) == (["small", "large"], 0.25, True)
    assert "  large" in cli("servers", "check", "lab").out
    monkeypatch.setattr(client, "check", lambda server: client.ServerInfo(("large",), 0.25))
    assert "does not list small" in cli("servers", "check", "lab").out

    def broken(server):
        raise client.ServerError("lab cannot be reached.")

    monkeypatch.setattr(client, "check", broken)
    ended = cli("servers", "check", "lab")
    assert ended.status == 2 and "lab cannot be reached" in ended.err
    assert issubclass(client.ServerError, UserError)


@pytest.mark.needs("openai")
def test_a_model_behind_a_url_is_added_as_models_are(cli, stage):  # noqa: F811 - a fixture
    stage.plays('{"data": [{"id": "qwen2.5-vl-7b"}]}')
    added = cli("models", "add", stage.url, "--name", "lab", "--json")
    form = {
        "model": "served:lab/qwen2.5-vl-7b", "server": "lab", "url": stage.url, "adapter": "qwen2.5-vl",
        "timeout": 120.0, "parallel": 4, "pictures": True, "key": "none",
    }  # fmt: skip
    assert (added.status, added.json) == (0, form) and len(stage.seen) == 1
    listed = cli("models", "list", "--json").json
    assert any(one["name"].startswith("served:lab/qwen2.5-vl-7b") for one in listed)
    again = cli("models", "add", stage.url, "--name", "lab", "--model", "other", "--adapter", "seeclick")
    assert again.status == 2 and len(stage.seen) == 1, "one that is named is not asked for"
    again = cli("models", "add", stage.url, "--name", "lab", "--model", "other", "--adapter", "seeclick", "--replace")
    assert again.status == 0 and "agents try served:lab/other" in again.out
    assert asked_model("served:lab#automation").settings.adapter.name == "seeclick"
    assert settings_of("served:lab/other#automation").adapter.name == "seeclick"


@pytest.mark.needs("openai")
def test_which_of_several_models_is_meant_has_to_be_said(cli, stage):  # noqa: F811 - a fixture
    stage.plays('{"data": [{"id": "one"}, {"id": "two"}]}')
    ended = cli("models", "add", stage.url)
    assert ended.status == 2 and "It has one, two." in ended.err and servers.load() == ()
    assert cli("models", "add", "weights.onnx", "--model", "m").status == 2, "files have no --model"
    assert cli("models", "add", stage.url, "--model", "m", "--adapter", "nobody").status == 2 and servers.load() == ()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.models.example/v1", "models"), ("http://localhost:8000/v1", "localhost"),
        ("http://127.0.0.1:8000", "server"), ("http://[::1]:8000", "server"), ("https://Lab.example", "lab"),
        ("https://", "server"), ("https://[", "server"),
    ],
)  # fmt: skip
def test_the_usual_name_of_a_server(url: str, name: str) -> None:
    assert servers.name_of(url) == name


@pytest.mark.needs("openai")
def test_only_servers_here_are_asked_and_what_was_sent_is_listed(cli, stage):  # noqa: F811 - a fixture
    assert cli("servers", "only-here", "--json").json == {"only_here": False}
    assert "Nothing was sent yet." in cli("servers", "sent").out
    assert cli("servers", "only-here", "on", "--json").json == {"only_here": True}
    servers.add(servers.ChatServer("far", "http://192.0.2.1:9/v1", "m"))
    refused = cli("servers", "check", "far")
    assert refused.status == 2 and "another machine" in refused.err and "only-here off" in refused.err
    assert cli("servers", "only-here", "perhaps").status == 2
    assert "asked" in cli("servers", "only-here", "off").out
    assert cli("servers", "sent", "--json").json == []
