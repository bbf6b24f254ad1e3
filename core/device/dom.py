"""The UI tree of a page of the sample apps, from its own account of what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size

_FLAGS = (
    "clickable", "long_clickable", "scrollable", "checkable", "checked", "editable", "enabled", "focused", "selected",
    "password",
)  # fmt: skip


def tree_from_dump(dump: Mapping[str, Any], size: Size) -> UITree:
    """`dump` is what `stepscope.dump()` gives, bounds in CSS pixels; the tree's boxes are whole pixels of a screenshot
    of `size`, upright or turned."""
    scale = min(size.width, size.height) / min(dump["size"])
    elements = []
    for item in dump["elements"]:
        left, top, right, bottom = (round(value * scale) for value in item["bounds"])
        elements.append(
            UIElement(
                index=item["index"],
                box=Box(left, top, min(right, size.width), min(bottom, size.height), size),
                parent=item["parent"],
                depth=item["depth"],
                text=item["text"],
                content_description=item["content_desc"],
                resource_id=item["resource_id"],
                class_name=item["class"],
                package=item["package"],
                **{name: item[name] for name in _FLAGS},
            )
        )
    return UITree(tuple(elements), TreeOrigin.DOM, size, f"{dump['app']}/{dump['activity']}")
