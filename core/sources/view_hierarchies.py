"""Files of RICO's view hierarchies, read and laid on a screenshot.

Nearly all files are read into typed records, which is quicker than into dictionaries and leaves out what nobody asks
for. A file with anything unusual in it goes through the strict reader, `parse_view_hierarchy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.elements import TreeOrigin, UIElement
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.quick_values import fillable
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.files import check_json, parse_json_bytes
from stepscope.core.sources.tree_builder import FARTHEST, Placement, TreeBuilder, TreeReading
from stepscope.core.sources.ui_dumps import (
    description_text,
    is_below_text_field,
    parse_view_hierarchy,
    view_hierarchy_root,
)

if TYPE_CHECKING:
    from stepscope.core.sources import view_hierarchy_record
    from stepscope.core.sources.view_hierarchy_record import HierarchyNode, HierarchyRecord
else:
    view_hierarchy_record = lazy_module("stepscope.core.sources.view_hierarchy_record")

_NO_DESCRIPTION = [None]
_TextFields = dict[str | None, tuple[object, bool]]
"""By class: its superclasses, and whether it is a text field."""
_OpenElement = fillable(UIElement)
_OpenBox = fillable(Box)


@dataclass(frozen=True, slots=True)
class ViewHierarchy:
    """A file that was read: as a typed record, or as JSON where anything in it is unusual."""

    record: HierarchyRecord | None
    form: Any = None

    @property
    def is_null(self) -> bool:
        """Whether the file says null."""
        return self.record is None and self.form is None

    @property
    def root_bounds(self) -> Any:
        """The bounds of the root as they are written; None where there is no root."""
        if self.record is not None:
            return self.record.activity.root.bounds
        root = view_hierarchy_root(self.form)
        return root.get("bounds") if root else None

    def tree(self, placement: Placement) -> TreeReading:
        """The tree, as `parse_view_hierarchy` reads it."""
        if self.record is None:
            return parse_view_hierarchy(self.form, placement)
        builder = TreeBuilder(TreeOrigin.VIEW_HIERARCHY, placement, self.record.activity_name or "")
        builder.add_all(_elements(self.record.activity.root, builder))
        return builder.finish()


def read_view_hierarchy(data: bytes, place: Path | str = "") -> ViewHierarchy:
    """A view hierarchy out of its JSON. Raises SourceError as `parse_json_bytes`."""
    check_json(data, place)
    record = view_hierarchy_record.decode_hierarchy(data)
    return ViewHierarchy(None, parse_json_bytes(data, place)) if record is None else ViewHierarchy(record)


def _elements(root: HierarchyNode, builder: TreeBuilder) -> list[UIElement]:
    """The nodes in pre-order; the builder hears of those that are left out.

    One loop without calls of our own: a call for each node costs as much as ten fields.
    """
    place, upright, near, far = builder.placement, builder.placement.upright, -FARTHEST, FARTHEST
    x, y, shift, size = place.scale_x, place.scale_y, place.shift_y, place.size
    text_fields: _TextFields = {}
    elements: list[UIElement] = []
    index = -1
    stack: list[tuple[Iterator[HierarchyNode | None], int, int]] = [(iter((root,)), -1, 0)]
    while stack:
        nodes, parent, depth = stack[-1]
        for node in nodes:
            if node is None:
                continue
            left, top, right, bottom = node.bounds
            if upright and near <= left <= right <= far and near <= top <= bottom <= far:
                box = _OpenBox()
                box.left = left * x
                box.top = top * y + shift
                box.right = right * x
                box.bottom = bottom * y + shift
                box.size = size
                box.__class__ = Box
            elif (box := builder.box(node.bounds)) is None:
                if node.children:
                    stack.append((iter(node.children), parent, depth))
                    break
                continue
            index += 1
            element = _OpenElement()
            element.index = index
            element.box = box
            element.parent = parent
            element.depth = depth
            element.text = node.text or ""
            described = node.content_desc
            element.content_description = "" if described == _NO_DESCRIPTION else description_text(described)
            element.resource_id = node.resource_id or ""
            element.class_name = node.class_name or ""
            element.package = node.package or ""
            element.clickable = node.clickable
            element.long_clickable = node.long_clickable
            element.scrollable = node.scrolls_across or node.scrolls_along
            element.checkable = element.checked = element.password = False
            known = text_fields.get(node.class_name)
            if known is None or known[0] != node.ancestors:
                held = is_below_text_field(node.class_name or "", node.ancestors)
                known = text_fields[node.class_name] = node.ancestors, held
            element.editable = known[1]
            element.enabled = node.enabled
            element.focused = node.focused
            element.selected = node.selected
            element.visible = node.visible_to_user and node.visibility == "visible"
            element.__class__ = UIElement
            elements.append(element)
            if node.children:
                stack.append((iter(node.children), index, depth + 1))
                break
        else:
            stack.pop()
    return elements
