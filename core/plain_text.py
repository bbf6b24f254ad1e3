"""Words of strangers on their way to a terminal or a log: nothing in them steers it, turns lines around or hides.

Replaced are control characters (ESC begins commands to the terminal, U+0085 and U+009B among them), marks that turn the
direction of what follows (U+202E shows `gpj.exe` as `exe.jpg`), separators of lines and paragraphs, halves of surrogate
pairs, and characters that take no room and so hide: zero-width spaces, fillers, and the tag characters that spell out
invisible ASCII. Joiners and variation selectors stay where writing needs them: between two characters that are not
ASCII, as in Persian, Hindi and pictures of families, and one behind a character that it changes.
"""

from __future__ import annotations

import json
import logging
import re
from functools import cache
from typing import Any

_HIDDEN = (
    "\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_LOOSE = (
    "(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])"
    "|(?<![^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_RUN = f"[{_HIDDEN}\u200c\u200d\ufe00-\ufe0f]+"
"""What may have to be spelled out in JSON, which does so by itself with what is below U+0020."""

SIGN = "\ufffd"


@cache
def _hiding(keep_lines: bool) -> re.Pattern[str]:
    """What is replaced; compiled when the first text is looked at, for a start of the window looks at none."""
    low = "\x00-\x08\x0b-\x1f" if keep_lines else "\x00-\x1f"
    return re.compile(f"[{low}{_HIDDEN}]|{_LOOSE}")


def safe(text: str, *, keep_lines: bool = False) -> str:
    """The text with each of these characters shown as U+FFFD, line ends and tabulators too unless they are kept."""
    return _hiding(keep_lines).sub(SIGN, text)


def safe_json(document: Any, indent: int | None = None) -> str:
    """The document as JSON that can be shown: these characters are spelled out (`\\u202e`), and what is read from it is
    unchanged. Raises ValueError for numbers that JSON has not, TypeError for what it cannot hold."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent)

    def spelled(found: re.Match[str]) -> str:
        around = text[max(0, found.start() - 1) : found.end() + 1]
        return found[0] if safe(around, keep_lines=True) == around else json.dumps(found[0])[1:-1]

    return re.sub(_RUN, spelled, text)


class PlainFormatter(logging.Formatter):
    """Lines of a log, tracebacks too, without what steers a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return safe(super().format(record), keep_lines=True)


def calm_logs() -> None:
    """Warnings of a process that sets up no log of its own reach its error stream plain."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PlainFormatter("%(message)s"))


def site_of(address: str) -> str:
    """The site of a web address, "shop.com" of "https://www.shop.com/cart?a=b"; any other text as it is."""
    _scheme, mark, rest = address.partition("://")
    site = rest.partition("/")[0].partition("?")[0].partition("#")[0].removeprefix("www.")
    return site if mark and site else address
