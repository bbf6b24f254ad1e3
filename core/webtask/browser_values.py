"""What a page process says, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from stepscope.core.device.dom import tree_from_dump
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.events import (
    DropDownOpened,
    FrameDrawn,
    Hand,
    KeyPress,
    Mouse,
    PageChanged,
    PageEvent,
    PageSubmitted,
    Pointing,
    TextCopied,
    TextInput,
    Wheel,
)
from stepscope.core.webtask.page import PageField, PageLook, PageOption


def look_from(form: dict[str, Any]) -> PageLook:
    size = _size(form["size"])
    fields = tuple(_field(one, size) for one in form["fields"])
    left, top = form["scroll"]
    return PageLook(
        fields, size, _size(form["viewport"]), Point(left, top, size), form["title"], tuple(form["missing"])
    )


def drawn_tree(form: dict[str, Any]) -> UITree:
    """All elements that are drawn; the activity is the page's title."""
    return replace(tree_from_dump(form, _size(form["size"])), activity=form["activity"])


def event_from(line: dict[str, Any]) -> PageEvent | None:
    """None for a line that is none of these."""
    if "frame" in line:
        return FrameDrawn(line["frame"])
    if "look" in line:
        return PageChanged(look_from(line["look"]))
    if "submitted" in line:
        return PageSubmitted(line["submitted"])
    if "pointing" in line:
        return Pointing(line["pointing"])
    if "copied" in line:
        return TextCopied(line["copied"])
    if "list" in line:
        one = line["list"]
        field = _field(one, _size(one["size"]))
        return DropDownOpened(field.name, field.options, field.box) if field.box is not None else None
    return None


def hand_form(hand: Hand) -> dict[str, Any]:
    """The command that brings it to the page."""
    kind = {Mouse: "mouse", Wheel: "wheel", KeyPress: "key", TextInput: "write"}[type(hand)]
    return {"do": "hand", "kind": kind, "hand": asdict(hand)}


def _size(pair: Sequence[float]) -> Size:
    return Size(max(1, round(pair[0])), max(1, round(pair[1])))


def _box(edges: Sequence[float] | None, size: Size) -> Box | None:
    if not edges:
        return None
    left, top, right, bottom = edges
    return Box(left, top, right, bottom, size)


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
