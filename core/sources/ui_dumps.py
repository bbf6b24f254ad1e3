"""UI trees out of the three dumps that Android data sets share.

* RICO's view hierarchy JSON (also MoTIF's): nested nodes, `bounds` [l, t, r, b]; keys as in the released traces.
* `uiautomator dump` XML: nested `<node>`, `bounds` "[l,t][r,b]"; attributes of the Android platform tool.
* DroidBot's view list (LlamaTouch's `.vh`): a flat list linked by `temp_id`, `parent` and `children`.

None of them recurses, so depth does no harm. Boxes may lie outside the screen and are kept whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.page_bounds import check_tags
from stepscope.core.sources.tree_builder import Placement, TreeBuilder, TreeReading

_BOUNDS = re.compile(r"\s*\[(-?\d{1,9}),(-?\d{1,9})\]\s*\[(-?\d{1,9}),(-?\d{1,9})\]\s*")
_FLAGS = {"true": True, "false": False}
_NO_DESCRIPTION = [None]


def view_hierarchy_root(form: object) -> Mapping[str, Any] | None:
    """The root node of a RICO view hierarchy, None where the file says null or has no root."""
    root = mapping_of(mapping_of(form).get("activity")).get("root")
    return root if isinstance(root, dict) else None


def parse_view_hierarchy(form: object, placement: Placement) -> TreeReading:
    """The tree of a RICO view hierarchy (parsed JSON); none, with a note, when it is null or has no root."""
    root = view_hierarchy_root(form)
    if root is None:
        return TreeReading(None, ("the view hierarchy is null" if form is None else "no activity.root in it",))
    builder = TreeBuilder(TreeOrigin.VIEW_HIERARCHY, placement, text_of(mapping_of(form).get("activity_name")))
    fields = _TextFields()
    stack: list[tuple[object, int]] = [(root, -1)]
    while stack:
        node, parent = stack.pop()
        if not isinstance(node, dict):
            builder.leave_out("a child that is no object")
            continue
        index = builder.add_values(parent, node.get("bounds"), _rico_values(node.get, fields))
        children = node.get("children")
        if isinstance(children, list):
            stack += [(child, index) for child in reversed(children) if child is not None]
    return builder.finish()


def _rico_values(get: Callable[..., Any], fields: _TextFields) -> tuple[str | bool, ...]:
    """What `UIElement` has after its depth, in its order. What nearly all nodes have needs no call of its own."""
    text, description, resource_id = get("text"), get("content-desc"), get("resource-id")
    class_name, package = get("class"), get("package")
    clickable, long_clickable, enabled = get("clickable"), get("long-clickable"), get("enabled", True)
    across, along = get("scrollable-horizontal"), get("scrollable-vertical")
    focused, selected, visible = get("focused"), get("selected"), get("visible-to-user", True)
    known = type(clickable) is type(long_clickable) is type(across) is type(along) is bool
    if not (known and type(focused) is type(selected) is type(enabled) is type(visible) is bool):
        clickable, long_clickable, enabled = _flag(clickable), _flag(long_clickable), _flag(enabled, True)
        across, along, focused, selected = _flag(across), _flag(along), _flag(focused), _flag(selected)
        visible = _flag(visible, True)
    class_name = class_name if type(class_name) is str and class_name.isascii() else text_of(class_name)
    return (
        text if type(text) is str and text.isascii() else text_of(text),
        "" if description == _NO_DESCRIPTION else description_text(description),
        resource_id if type(resource_id) is str and resource_id.isascii() else text_of(resource_id),
        class_name,
        package if type(package) is str and package.isascii() else text_of(package),
        clickable,
        long_clickable,
        across or along,
        False,
        False,
        fields.hold(class_name, get("ancestors")),
        enabled,
        focused,
        selected,
        False,
        visible and get("visibility", "visible") == "visible",
    )


def description_text(value: object) -> str:
    """The words of `content-desc`: RICO writes a list with one item, usually [null]; other tools a string."""
    if not isinstance(value, list):
        return _text(value)
    return " ".join([text for part in value if (text := _text(part))])


class _TextFields:
    """Tells which classes are text fields, by their own name or one of their superclasses': asked once for each
    class."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, bool]] = {}

    def hold(self, class_name: str, ancestors: object) -> bool:
        known = self._known.get(class_name)
        if known is None or not _same(known[0], ancestors):
            known = self._known[class_name] = (ancestors, is_below_text_field(class_name, ancestors))
        return known[1]


def _same(one: object, other: object) -> bool:
    try:
        return one == other
    except RecursionError:  # lists in lists, deeper than they can be compared
        return False


def is_below_text_field(class_name: str, ancestors: object) -> bool:
    """Whether a class is a text field, by its own name or one of its superclasses' in a list."""
    names = [name for name in ancestors if isinstance(name, str)] if isinstance(ancestors, list) else []
    return any(map(is_text_field, (class_name, *names)))


def is_text_field(class_name: str) -> bool:
    """Whether a class is a text field by its name."""
    return class_name.endswith(("EditText", "AutoCompleteTextView"))


def _text(value: object) -> str:
    """The text of a value as `text_of` gives it, quick for what nearly all texts are."""
    return value if type(value) is str and value.isascii() else text_of(value)


def _flag(value: object, default: bool = False) -> bool:
    """A boolean that may be written as text; `default` when it is missing or something else."""
    if value is True or value is False:
        return value
    if isinstance(value, str):
        return _FLAGS.get(value.lower(), default)
    return default


def parse_uiautomator(data: bytes, placement: Placement) -> TreeReading:
    """The tree of a `uiautomator dump`.

    Raises SourceError for XML that is broken, nested more than 256 deep (libxml2's guard), or that declares a document
    type: a dump has none, and entities are a way to make a reader fetch or inflate things.
    """
    root = _xml_root(data)
    builder = TreeBuilder(TreeOrigin.DUMP, placement)
    stack: list[tuple[etree._Element, int]] = [(root, -1)]
    while stack:
        node, parent = stack.pop()
        if not isinstance(node.tag, str):
            continue
        if node.tag == "node" or node.get("bounds") is not None:
            parent = builder.add_values(parent, _edges_from_text(node.get("bounds")), _dump_values(node))
        stack += [(child, parent) for child in reversed(node)]
    return builder.finish()


def _xml_root(data: bytes) -> etree._Element:
    if not data.strip():
        raise SourceError("the XML is empty")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data:
        raise SourceError("XML with a document type or in UTF-16 is refused: a dump has neither")
    check_tags(data)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"broken XML: {error}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise SourceError("XML with a document type is refused: a dump has none")
    return root


def _dump_values(node: etree._Element) -> tuple[str | bool, ...]:
    get = node.get
    class_name = _text(get("class")) or ("" if node.tag == "node" else str(node.tag))
    return (
        _text(get("text")),
        _text(get("content-desc")),
        _text(get("resource-id")),
        class_name,
        _text(get("package")),
        _flag(get("clickable")),
        _flag(get("long-clickable")),
        _flag(get("scrollable")),
        _flag(get("checkable")),
        _flag(get("checked")),
        is_text_field(class_name),
        _flag(get("enabled"), True),
        _flag(get("focused")),
        _flag(get("selected")),
        _flag(get("password")),
        _flag(get("visible-to-user"), True),
    )


def _edges_from_text(text: str | None) -> list[int] | None:
    match = _BOUNDS.fullmatch(text or "")
    return list(map(int, match.groups())) if match else None


def parse_droidbot(form: object, placement: Placement) -> TreeReading:
    """The tree of a DroidBot view list (parsed JSON).

    Views whose parent is -1, missing or unknown are roots; views that are each other's parents are left out.
    """
    if not isinstance(form, list):
        return TreeReading(None, ("the list of views is null" if form is None else "not a list of views",))
    builder = TreeBuilder(TreeOrigin.ACCESSIBILITY, placement)
    views = _views_by_id(form, builder)
    below = _views_below(views)
    stack = [(identity, -1) for identity in reversed(below[None])]
    reached = 0
    while stack:
        identity, parent = stack.pop()
        reached += 1
        view = views[identity]
        index = builder.add_values(parent, _edges_from_corners(view.get("bounds")), _droidbot_values(view.get))
        stack += [(child, index) for child in reversed(below.get(identity, ()))]
    for _ in range(len(views) - reached):
        builder.leave_out("views that are each other's parents")
    return builder.finish()


def _views_by_id(form: list[Any], builder: TreeBuilder) -> dict[int, Mapping[str, Any]]:
    views: dict[int, Mapping[str, Any]] = {}
    for place, view in enumerate(form):
        if not isinstance(view, dict):
            builder.leave_out("a view that is no object")
            continue
        identity = view.get("temp_id", place)
        if type(identity) is not int or identity in views:
            builder.leave_out(f"view {place} has no temp_id of its own")
            continue
        views[identity] = view
    return views


def _views_below(views: Mapping[int, Mapping[str, Any]]) -> dict[int | None, list[int]]:
    """Ids of the views below each view (below None: the roots), in the order of the parent's `children` list."""
    below: dict[int | None, list[int]] = {None: []}
    for identity, view in views.items():
        parent = view.get("parent")
        known = type(parent) is int and parent in views
        below.setdefault(parent if known else None, []).append(identity)
    for parent, children in below.items():
        named = views[parent].get("children") if parent is not None else None
        if isinstance(named, list):
            order = {child: place for place, child in reversed(list(enumerate(named))) if type(child) is int}
            children.sort(key=lambda child: order.get(child, len(order)))
    return below


def _edges_from_corners(corners: object) -> list[Any] | None:
    """[[l, t], [r, b]] as [l, t, r, b]."""
    if isinstance(corners, list) and len(corners) == 2 and all(isinstance(corner, list) for corner in corners):
        return [*corners[0], *corners[1]]
    return None


def _droidbot_values(get: Callable[..., Any]) -> tuple[str | bool, ...]:
    return (
        _text(get("text")),
        _text(get("content_description")),
        _text(get("resource_id")),
        _text(get("class")),
        _text(get("package")),
        _flag(get("clickable")),
        _flag(get("long_clickable")),
        _flag(get("scrollable")),
        _flag(get("checkable")),
        _flag(get("checked")),
        _flag(get("editable")),
        _flag(get("enabled"), True),
        _flag(get("focused")),
        _flag(get("selected")),
        _flag(get("is_password")),
        _flag(get("visible"), True),
    )
