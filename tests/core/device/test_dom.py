"""The UI tree of a page's own account."""

from __future__ import annotations

from typing import Any

from stepscope.core.device.dom import tree_from_dump
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.geometry import Box, Size

UPRIGHT, TURNED = Size(1080, 2400), Size(2400, 1080)


def item(index: int, parent: int, bounds: list[float], **more: object) -> dict[str, Any]:
    flags = ("clickable", "long_clickable", "scrollable", "checkable", "checked", "editable", "focused", "selected")
    return {
        "index": index, "parent": parent, "depth": parent + 1, "bounds": bounds, "text": "", "content_desc": "",
        "resource_id": "", "class": "android.view.View", "package": "a.b", "enabled": True, "password": False,
        **dict.fromkeys(flags, False), **more,
    }  # fmt: skip


def dump(size: list[int], *items: dict[str, Any]) -> dict[str, Any]:
    return {"size": size, "app": "a.b", "activity": "Page", "elements": list(items)}


def test_upright_412_css_pixels_are_the_width() -> None:
    tree = tree_from_dump(dump([412, 915], item(0, -1, [0, 0, 412, 915]), item(1, 0, [206, 103, 309, 206])), UPRIGHT)
    assert tree.origin is TreeOrigin.DOM and tree.activity == "a.b/Page" and tree.size == UPRIGHT
    assert tree.elements[0].box == Box(0, 0, 1080, 2399, UPRIGHT)  # 915 · 1080 / 412 = 2398.5
    assert tree.elements[1].box == Box(540, 270, 810, 540, UPRIGHT)


def test_turned_they_are_the_height() -> None:
    tree = tree_from_dump(dump([915, 412], item(0, -1, [0, 0, 916, 412])), TURNED)
    assert tree.elements[0].box == Box(0, 0, 2400, 1080, TURNED)


def test_what_an_element_is_comes_along() -> None:
    there = item(0, -1, [0, 0, 1, 1], text="On", resource_id="a.b:id/it", checked=True, password=True, enabled=False)
    element = tree_from_dump(dump([412, 915], there), UPRIGHT).elements[0]
    assert (element.text, element.short_id, element.package) == ("On", "it", "a.b")
    assert element.checked and element.password and not element.enabled and not element.clickable
