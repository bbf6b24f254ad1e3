"""Names of hosts that pages may be let out to."""

from __future__ import annotations

import re

from stepscope.core.errors import UsageError

_HOST = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?")


def allowed_host(name: str) -> str:
    """The name in lower case: an exact name or an IPv4 address. Raises UsageError for anything else: names become a
    part of the browser's flags, where patterns would let out more than was meant (ours)."""
    host = name.strip().lower()
    if not _HOST.fullmatch(host):
        raise UsageError(f"“{name}” is no host name.", hint="Such as images.example.com, without https:// and path.")
    return host
