"""The list of servers, and keys that lie in no file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.models.chat import keys, servers
from stepscope.models.chat.servers import ChatServer

LAB = ChatServer("lab", "https://models.example/v1/", "small", 60.0, 2, False)


def test_servers_are_kept_and_replaced_in_place() -> None:
    assert servers.load() == ()
    servers.add(LAB)
    servers.add(ChatServer("home", "http://localhost:8080"))
    with pytest.raises(UsageError, match="a server 'lab' already"):
        servers.add(LAB)
    servers.add(ChatServer("lab", "https://other.example"), replace=True)
    assert [one.name for one in servers.load()] == ["lab", "home"]
    assert servers.find("lab").url == "https://other.example"
    servers.remove("lab")
    with pytest.raises(UsageError, match=r"no server 'hom'.*home"):
        servers.find("hom")


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://a.example/v1/chat/completions", "https://a.example/v1"),
        (" http://[::1]:8080/v1/models ", "http://[::1]:8080/v1"),
        ("https://a.example", "https://a.example"),
    ],
)
def test_urls_end_where_the_library_begins(url: str, kept: str) -> None:
    assert ChatServer("a", url).url == kept


@pytest.mark.parametrize(
    "url",
    ["", "a.example/v1", "ftp://a.example", "https://me:secret@a.example", "https://a.example?key=1", "http://a:x/v1"],
)
def test_urls_that_cannot_be_or_hold_a_secret(url: str) -> None:
    with pytest.raises(UsageError):
        ChatServer("a", url)


def test_numbers_and_names_that_cannot_be() -> None:
    for wrong in ({"timeout": 0.0}, {"timeout": float("nan")}, {"parallel": 0}, {"parallel": 1000}):
        with pytest.raises(UsageError):
            ChatServer("a", "https://a.example", **wrong)  # type: ignore[arg-type]
    for name in ("", "A", "a/b", "-a", "a" * 41):
        with pytest.raises(UsageError):
            ChatServer(name, "https://a.example")


def test_what_can_be_read_on_the_way() -> None:
    assert ChatServer("a", "http://a.example").in_the_clear
    assert not ChatServer("a", "https://a.example").in_the_clear
    for here in ("localhost", "127.0.0.1", "[::1]"):
        assert ChatServer("a", f"http://{here}:1").is_here and not ChatServer("a", f"http://{here}:1").in_the_clear


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"format": 2, "servers": []}',
        '{"format": 1, "servers": [{"name": "a"}]}',
        '{"format": 1, "servers": [{"name": "a", "url": "https://a.example", "timeout": true}]}',
        '{"format": 1, "servers": [{"name": "a", "url": "https://a.example", "key": "secret"}]}',
        '{"format": 1, "servers": [{"name": "a", "url": "nowhere"}]}',
        '{"format": 1, "servers": [{"name": "a", "url": "https://a.b"}, {"name": "a", "url": "https://a.b"}]}',
    ],
)
def test_a_broken_list_is_told_with_its_place(text: str) -> None:
    file = servers.LIST.file
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(UserError, match=r"servers\.json"):
        servers.load()


def test_keys_lie_in_the_keyring_and_in_no_file(own_home: Path, ring: dict[tuple[str, str], str]) -> None:
    servers.add(LAB)
    keys.set("lab", " s3cret\n")
    assert ring == {("stepscope", "lab"): "s3cret"}
    assert (keys.get("lab"), keys.place("lab")) == ("s3cret", "keyring")
    assert not any("s3cret" in file.read_text() for file in own_home.rglob("*") if file.is_file())
    assert set(json.loads(servers.LIST.file.read_text())["servers"][0]) == set(ChatServer.__slots__)
    keys.delete("lab")
    keys.delete("lab")
    assert (keys.get("lab"), keys.place("lab")) == (None, "none")
    for wrong in ("", "a\nb", "schlüssel"):
        with pytest.raises(UserError):
            keys.set("lab", wrong)


def test_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    keys.set("my-lab", "of-the-ring")
    monkeypatch.setenv("STEPSCOPE_KEY_MY_LAB", "of-the-environment")
    assert (keys.get("my-lab"), keys.place("my-lab")) == ("of-the-environment", "environment")


def test_a_machine_without_a_keyring(no_ring: Callable[[], None]) -> None:
    no_ring()
    assert (keys.get("lab"), keys.place("lab")) == (None, "none")
    with pytest.raises(UnavailableError) as error:
        keys.set("lab", "s3cret")
    assert str(error.value) == (
        "This machine has no keyring to keep keys in. Put the key into the environment variable STEPSCOPE_KEY_LAB."
    )
