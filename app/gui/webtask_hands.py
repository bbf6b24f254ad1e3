"""Between the page's widget and its process: hands and keys one way, refused requests the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.webtask.events import Hand, Key, Mouse, Wheel, Written
from core.webtask.page import Blocked
from widgets.webtask import BlockedHost, PageHand, PageKey, PageMouse, PageText, PageWheel


def hand_of(hand: PageHand) -> Hand:
    match hand:
        case PageMouse(what, x, y, button, modifiers):
            return Mouse(what, x, y, button, modifiers)
        case PageWheel(x, y, dx, dy, modifiers):
            return Wheel(x, y, dx, dy, modifiers)
        case PageKey(what, key, text, modifiers):
            return Key(what, key, text, modifiers)
        case PageText(text):
            return Written(text)


def hosts_of(blocked: Iterable[Blocked], allowed: Collection[str]) -> list[BlockedHost]:
    """One row a host, the one asked most often first; hosts that are allowed stand there too."""
    rows: dict[str, BlockedHost] = {host: BlockedHost(host, allowed=True) for host in sorted(allowed)}
    for one in blocked:
        before = rows.get(one.host, BlockedHost(one.host))
        kinds = tuple(dict.fromkeys((*before.kinds, one.kind)))
        rows[one.host] = BlockedHost(one.host, kinds, before.times + one.times, one.url, before.allowed)
    return sorted(rows.values(), key=lambda row: (-row.times, row.host))
