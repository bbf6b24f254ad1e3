"""How an adapter lets a model speak, as the page of a model tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.widgets.format import counted
from stepscope.widgets.models.adding import ManifestRow

if TYPE_CHECKING:
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.agents.resizing import ResizeRule

_SPACES = {
    "unit": "0 to 1", "thousand": "0 to 1000", "nine99": "0 to 999", "resized": "pixels of the picture sent",
    "original": "pixels recorded",
}  # fmt: skip
_SCROLLS = {"finger": "where the finger goes", "content": "where one looks: down shows what is below"}


def adapter_rows(adapter: Adapter) -> tuple[ManifestRow, ...]:
    """Its facts, none of which is changed here."""
    prompt = adapter.prompt or adapter.prompt_web
    history = "none: it reads answers only" if prompt is None else "text of past actions, " + counted(
        adapter.screens + 1, "picture"
    )  # fmt: skip
    facts = {
        "Coordinates": _SPACES[adapter.space.value],
        "Resize": resize_words(adapter.resize),
        "Actions": f"{len(adapter.actions)}: {', '.join(adapter.actions)}" if adapter.actions else "",
        "History": history,
        "Scroll": _SCROLLS[adapter.scroll],
        "From": adapter.source,
    }
    return tuple(ManifestRow(name.lower(), name, value, fixed=True) for name, value in facts.items() if value)


def resize_words(rule: ResizeRule) -> str:
    """What is done to a picture before it is sent."""
    match rule.rule.value:
        case "factor":
            return f"sides in steps of {rule.factor}, {rule.least:,} to {rule.most:,} pixels in all"
        case "long_side":
            return f"the long side to {rule.most:,} pixels at most"
        case "tiles":
            return f"the long side to {rule.most:,} pixels at most, in up to {counted(rule.tiles, 'tile')}"
        case _:
            return "none"
