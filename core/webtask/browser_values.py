"""What a page process says, as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.domain.geometry import Box, Point, Size
from core.domain.webtask import FieldType
from core.webtask.events import Changed, Drawn, Hand, Key, ListOpened, Mouse, PageEvent, Pointing, Submitted, Wheel
from core.webtask.page import PageField, PageLook, PageOption


def look_from(form: dict[str, Any]) -> PageLook:
    size = _size(form["size"])
    fields = tuple(_field(one, size) for one in form["fields"])
    scroll = Point(*form["scroll"], size)
    return PageLook(fields, size, _size(form["viewport"]), scroll, form["title"], tuple(form["missing"]))


def event_from(line: dict[str, Any]) -> PageEvent | None:
    """None for a line that is none of these."""
    if "frame" in line:
        return Drawn(line["frame"])
    if "look" in line:
        return Changed(look_from(line["look"]))
    if "submitted" in line:
        return Submitted(line["submitted"])
    if "pointing" in line:
        return Pointing(line["pointing"])
    if "list" in line:
        one = line["list"]
        field = _field(one, _size(one["size"]))
        return ListOpened(field.name, field.options, field.box) if field.box is not None else None
    return None


def hand_form(hand: Hand) -> dict[str, Any]:
    """The command that brings it to the page."""
    if isinstance(hand, Mouse):
        what = {"what": hand.what, "x": hand.x, "y": hand.y, "button": hand.button, "modifiers": hand.modifiers}
        return {"do": "hand", "kind": "mouse", "hand": what}
    if isinstance(hand, Wheel):
        what = {"x": hand.x, "y": hand.y, "dx": hand.dx, "dy": hand.dy, "modifiers": hand.modifiers}
        return {"do": "hand", "kind": "wheel", "hand": what}
    if isinstance(hand, Key):
        what = {"what": hand.what, "key": hand.key, "text": hand.text, "modifiers": hand.modifiers}
        return {"do": "hand", "kind": "key", "hand": what}
    return {"do": "hand", "kind": "write", "hand": {"text": hand.text}}


def _size(pair: Sequence[float]) -> Size:
    return Size(max(1, round(pair[0])), max(1, round(pair[1])))


def _box(edges: Sequence[float] | None, size: Size) -> Box | None:
    return Box(*edges, size) if edges else None


def _field(form: dict[str, Any], size: Size) -> PageField:
    return PageField(
        form["name"],
        FieldType(form["type"]),
        form["value"],
        form["label"],
        tuple(PageOption(one["value"], one["label"], one["chosen"], _box(one["box"], size)) for one in form["options"]),
        _box(form["box"], size),
        form["disabled"],
    )
