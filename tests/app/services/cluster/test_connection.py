"""The way to a cluster: what is said where there is none, and what its machines have room for."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import Cluster, check_there
from stepscope.core.errors import UsageError, UserError


def node(cpus: float, gpus: float, *, alive: bool = True) -> dict[str, Any]:
    return {"NodeManagerHostname": "m", "Resources": {"CPU": cpus, "GPU": gpus}, "Alive": alive}


@pytest.mark.parametrize(
    ("cpus", "gpus", "room"),
    [
        (1, 0, 12),  # 8 and 4 cores
        (3, 0, 3),  # 2 and 1: what is left over on two machines is no worker
        (0.5, 0, 24),
        (1, 1, 2),  # both GPUs are the first machine's
        (1, 0.5, 4),
        (1, 0.4, 4),  # two of 0.4 share a GPU, a third would need parts of two
        (1, 2, 1),
        (16, 0, 0),
        (1, 3, 0),
    ],
)
def test_workers_are_counted_machine_by_machine(cpus: float, gpus: float, room: int) -> None:
    ray = SimpleNamespace(nodes=lambda: [node(8, 2), node(4, 0), node(64, 8, alive=False)])
    assert Cluster(ray, local=False).room(cpus, gpus) == room


@pytest.mark.parametrize("address", ["nonsense", "host:", ":6379", "ray://", "host:port"])
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    with pytest.raises(UserError, match="an address is HOST:PORT or ray://HOST:PORT"):
        check_there(ClusterChoice(address))


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that nobody listens on, and nobody can take meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_nobody_at_the_address_is_told_with_what_to_do(closed_port: int, scheme: str) -> None:
    with pytest.raises(UserError, match=r"cannot be reached .*refused.* 'ray start --head'.* ray://HOST:10001"):
        check_there(ClusterChoice(f"{scheme}127.0.0.1:{closed_port}"))


def test_the_address_in_the_environment_is_what_auto_means(closed_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{closed_port}")
    with pytest.raises(UserError, match=f"127.0.0.1:{closed_port}"):
        check_there(ClusterChoice())


def test_ray_that_is_not_installed_is_told_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r'pip install "stepscope\[cluster\]"'):
        check_there(ClusterChoice())


@pytest.mark.parametrize(
    "wrong",
    [{"address": " "}, {"workers": 0}, {"cpus": 0.0}, {"cpus": float("nan")}, {"gpus": -1.0}, {"gpus": 1.5},
     {"gpus": float("nan")}, {"data": "sometimes"}],
)  # fmt: skip
def test_a_choice_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        ClusterChoice(**wrong).checked()
    assert ClusterChoice(workers=3, cpus=0.5, gpus=0.25).checked() == ClusterChoice(workers=3, cpus=0.5, gpus=0.25)
