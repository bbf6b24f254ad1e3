"""The misbehaving server, settings of the test's own, and a keyring in memory."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.models.chat.faults import Act, Handler, Quiet, Stage, Waiting, completion


@pytest.fixture
def stage() -> Iterator[Stage]:
    handler = type("Handler", (Handler,), {})
    server = Quiet(("127.0.0.1", 0), handler)
    found = Stage(f"http://127.0.0.1:{server.server_address[1]}/v1", [Act(completion())])
    handler.stage = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield found
    found.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


@pytest.fixture
def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of the test's own, no key of the machine's, and a keyring in memory."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def ring() -> Iterator[dict[tuple[str, str], str]]:
    import keyring
    from keyring.backend import KeyringBackend

    kept: dict[tuple[str, str], str] = {}

    class InMemory(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def get_password(self, service: str, username: str) -> str | None:
            return kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del kept[service, username]

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())
    yield kept
    keyring.set_keyring(before)


@pytest.fixture
def no_ring(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Takes the keyring away, as on a machine without a desktop."""

    def take() -> None:
        import keyring
        from keyring.backends.fail import Keyring

        keyring.set_keyring(Keyring())

    return take
