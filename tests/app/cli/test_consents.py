"""`stepscope servers consent`, and commands that refuse without it."""

from __future__ import annotations

import pytest

from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from tests.models.chat.conftest import ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import completion


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))


def test_consent_is_given_listed_and_withdrawn(cli, recordings):
    assert "Nothing was agreed" in cli("servers", "consent", "--list").out
    none = cli("servers", "consent", recordings)
    assert none.status == 2 and "none on another machine" in none.err
    servers.add(ChatServer("far", "https://models.example/v1"))
    servers.add(ChatServer("near", "http://localhost:1/v1"))
    given = cli("servers", "consent", recordings, "--json")
    assert (given.status, given.json["server"], given.json["data"]) == (0, "far", str(recordings.resolve()))
    assert cli("servers", "consent", "--list", "--json").json == [given.json]
    assert "models.example" in cli("servers", "consent").out
    here = cli("servers", "consent", recordings, "--server", "near")
    assert here.status == 2 and "needs no consent" in here.err
    servers.add(ChatServer("third", "https://third.example/v1"))
    which = cli("servers", "consent", recordings)
    assert which.status == 2 and "far, third" in which.err
    assert cli("servers", "consent", recordings / "gone", "--server", "far").status == 2
    assert "not sent any more" in cli("servers", "consent", recordings, "--withdraw").err
    assert cli("servers", "consent", recordings, "--withdraw").status == 2
    assert cli("servers", "consent", "--list", "--withdraw").status == 2
    assert cli("servers", "consent", "--list", "--json").json == []


@pytest.mark.needs("openai")
def test_commands_refuse_with_the_way_out(cli, recordings, stage, ring, monkeypatch):  # noqa: F811 - fixtures
    """The listener is this machine's, called another one for the test."""
    stage.plays(completion("Buy a lamp"))
    servers.add(stage.server(parallel=1))
    monkeypatch.setattr(ChatServer, "is_here", property(lambda _self: False))
    asked = ("evaluate", "goal", recordings, "--model", "served:lab/m", "--json")
    ended = cli(*asked)
    assert ended.status == 2 and "people's recordings" in ended.err and not stage.seen
    assert f"stepscope servers consent {recordings} --server lab" in ended.err
    run = cli("evaluate", "goal", recordings, "--model", "template", "--json").json["run"]
    judged = cli("judgements", "ask", run, "--judge", "served:lab/m")
    assert judged.status == 2 and "people's recordings" in judged.err and not stage.seen
    trial = cli("agents", "try", "served:lab/m", recordings)
    assert trial.status == 2 and not stage.seen
    assert cli("servers", "consent", recordings).status == 0
    assert cli(*asked).status == 0 and len(stage.seen) == 2
