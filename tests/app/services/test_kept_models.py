"""Models that stay loaded in a process between runs: the same one is not loaded twice, a changed one is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services import evaluation
from stepscope.app.services.worker_child import Models
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.checkpoint import Checkpoint
from tests.models.checkpoints.test_checkpoint import folder

LOCAL, SERVED, PAGE = "local:mine#automation", "served:lab/small#feasibility", "page:lab/small"


class Loaded:
    """Stands for a predictor: what is loaded here is not asked."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Names in the order in which they were loaded."""
    checkpoint.add(Checkpoint("mine", str(folder(tmp_path / "mine")), adapter="qwen2.5-vl"))
    servers.add(ChatServer("lab", "https://models.example/v1", "small"))
    names: list[str] = []

    def load(name: str, **_more: object) -> Loaded:
        names.append(name)
        return Loaded()

    monkeypatch.setattr(evaluation, "loaded", load)
    return names


def load(models: Models, name: str) -> Any:
    return models.load(name, seed=0, device="auto", runtime="auto")


@pytest.mark.parametrize("name", [LOCAL, f"{LOCAL}?instructions=hidden", SERVED, PAGE, "text-match"])
def test_what_is_as_it_was_stays_loaded(loads: list[str], name: str) -> None:
    models = Models()
    assert load(models, name) is load(models, name) and loads == [name]


def test_a_checkpoint_that_was_changed_is_loaded_as_it_is_now(loads: list[str]) -> None:
    models = Models()
    first = load(models, LOCAL)
    checkpoint.add(Checkpoint("mine", checkpoint.find("mine").folder, adapter="ui-tars-1.5"), replaces=True)
    second = load(models, LOCAL)
    assert second is not first and first.closed and not second.closed and loads == [LOCAL, LOCAL]


@pytest.mark.parametrize("name", [SERVED, PAGE])
def test_a_server_that_moved_is_asked_where_it_is_now(loads: list[str], name: str) -> None:
    models = Models()
    first = load(models, name)
    servers.add(ChatServer("lab", "https://elsewhere.example/v1", "small"), replace=True)
    assert load(models, name) is not first and loads == [name, name]
