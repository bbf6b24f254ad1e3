"""Actions of the library in the words of the log: modify_radio has_request, “yes”."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from stepscope.core.webtask.actions import PageAction

LOOKS = frozenset({"get_html", "capture_screen", "wait_till_loaded"})
"""Actions that leave the page as it was; the log shows what they gave instead of "ok"."""
PLAIN = frozenset({"field", "part"})
"""What names something and is no text of the page: it stands without quotation marks."""
IDLE: Mapping[str, Any] = {"field": "", "lines": 4, "seconds": 10.0}
"""Values that an action has where nobody said otherwise; they are left out."""


def argument_words(action: PageAction) -> str:
    """What the action was given, in its order: reasons, [“short”, “punct”]. Line breaks are shown as ⏎."""
    return ", ".join(_words(name, value) for name, value in asdict(action).items() if not _idle(name, value))


def call_words(action: PageAction) -> str:
    """The whole call in one line, for tooltips and screen readers."""
    return f"{action.name} {argument_words(action)}".rstrip()


def _idle(name: str, value: Any) -> bool:
    return name in IDLE and value == IDLE[name]


def _words(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value if name in PLAIN else _quoted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_quoted(str(one)) for one in value)}]"
    if isinstance(value, float):
        return f"{value:g}".replace("-", "−")
    return str(value).replace("-", "−")


def _quoted(text: str) -> str:
    return f"“{text.replace(chr(13), '').replace(chr(10), '⏎')}”"
