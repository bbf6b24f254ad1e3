"""Which names can be allowed."""

from __future__ import annotations

import pytest

from stepscope.core.errors import UsageError
from stepscope.core.webtask.hosts import allowed_host


@pytest.mark.parametrize(
    ("name", "host"),
    [
        (" Images.Example.COM ", "images.example.com"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("a", "a"),
    ],
)
def test_names_and_ipv4_addresses_can_be(name: str, host: str) -> None:
    assert allowed_host(name) == host


@pytest.mark.parametrize(
    "name", ["", " ", "::1", "[::1]", "*.example.com", "https://a.b", "a.b/c", "a.b:80", "a b", "-a", "bücher.example"]
)
def test_nothing_else_can_be(name: str) -> None:
    with pytest.raises(UsageError, match="is no host name"):
        allowed_host(name)
