"""What msgspec reads of an ordinary view hierarchy of RICO: those fields that an element has.

`view_hierarchies` imports this when the first file is read. msgspec refuses whatever has another type than here.
"""

from __future__ import annotations

import msgspec

_WRITTEN = {
    "scrolls_across": "scrollable-horizontal",
    "long_clickable": "long-clickable",
    "content_desc": "content-desc",
    "scrolls_along": "scrollable-vertical",
    "class_name": "class",
    "visible_to_user": "visible-to-user",
    "resource_id": "resource-id",
}


class HierarchyNode(msgspec.Struct, rename=_WRITTEN.get, kw_only=True, gc=False):
    """A node. Its fields stand in the order of RICO's files, since a name is looked for behind the one before.
    `ancestors` are the names of the class's superclasses."""

    scrolls_across: bool = False
    ancestors: list[str] | None = None
    clickable: bool = False
    long_clickable: bool = False
    enabled: bool = True
    bounds: tuple[float, float, float, float]
    visibility: str | None = "visible"
    content_desc: list[str | None] | str | None = None
    focused: bool = False
    selected: bool = False
    scrolls_along: bool = False
    class_name: str | None = None
    visible_to_user: bool = True
    package: str | None = None
    resource_id: str | None = None
    text: str | None = None
    children: list[HierarchyNode | None] | None = None


class HierarchyActivity(msgspec.Struct):
    """What the file has below `activity`."""

    root: HierarchyNode


class HierarchyRecord(msgspec.Struct):
    """The whole file."""

    activity: HierarchyActivity
    activity_name: str | None = None


_DECODER = msgspec.json.Decoder(HierarchyRecord)


def decode_hierarchy(data: bytes) -> HierarchyRecord | None:
    """The record of a file; None for any that is unusual or no JSON."""
    try:
        if not data.isascii():
            data.decode()  # msgspec does not look into what it passes over
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
