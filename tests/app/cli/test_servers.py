"""`stepscope servers`."""

from __future__ import annotations

import pytest

from stepscope.core.errors import UserError
from stepscope.models.chat import client, servers


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("stepscope.models.chat.keys.get", lambda name: None)


def test_a_server_is_added_listed_replaced_and_removed(cli):
    assert "There are no servers" in cli("servers", "list").out
    added = cli("servers", "add", "lab", "http://localhost:8080/v1/", "--model", "m", "--text-only", "--json")
    form = {
        "name": "lab", "url": "http://localhost:8080/v1", "model": "m", "timeout": 120.0, "parallel": 4,
        "pictures": False, "key": "none",
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
    monkeypatch.setattr("stepscope.app.cli.servers._read_key", lambda name: "s3cret\n")
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
