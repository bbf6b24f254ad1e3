"""Requests that pages were refused, as the list of hosts shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from stepscope.core.webtask.page import BlockedRequest
from stepscope.widgets.webtask import BlockedHost


def hosts_of(blocked: Iterable[BlockedRequest], allowed: Collection[str]) -> list[BlockedHost]:
    """One row a host, the one asked most often first; hosts that are allowed stand there too."""
    rows: dict[str, BlockedHost] = {host: BlockedHost(host, allowed=True) for host in sorted(allowed)}
    for one in blocked:
        before = rows.get(one.host, BlockedHost(one.host))
        kinds = tuple(dict.fromkeys((*before.kinds, one.kind)))
        rows[one.host] = BlockedHost(one.host, kinds, before.times + one.times, one.url, before.allowed)
    return sorted(rows.values(), key=lambda row: (-row.times, row.host))
