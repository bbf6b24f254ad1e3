"""UI trees out of a serialised AndroidAccessibilityForest: AndroidControl and AndroidInteraction keep one per screen.

A forest has windows, a window has a flat list of nodes that name their children by id. Bounds are pixels of the
device's screen, which are those of the screenshot. Field numbers: `protos/a11y.proto`, as in android_env's messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stepscope.core.archives.wire import LENGTH, MessageWalk
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

if TYPE_CHECKING:
    from stepscope.core.sources.protos.a11y_pb2 import Node, Window

_APPLICATION = 1
"""AccessibilityWindowInfo.TYPE_APPLICATION of the Android platform."""

_NO_FOREST = "the accessibility tree is no AndroidAccessibilityForest"
_WINDOWS, _TREE, _NODES = 1, 11, 1
"""Fields of a forest, a window and a tree (`protos/a11y.proto`)."""


@dataclass(frozen=True, slots=True)
class ForestReading:
    """A forest's tree, the package of the application in front ("" where there is none), and notes on what is wrong."""

    tree: UITree
    package: str = ""
    notes: tuple[str, ...] = ()


def parse_forest(data: bytes, size: Size) -> ForestReading:
    """The tree of a whole screen of `size`: windows from back to front, each node before its children.

    Every node becomes an element: where the child lists run in a circle, a node of it is taken as a root and a note
    says so. Raises SourceError for bytes that are no forest.
    """
    from google.protobuf.message import DecodeError

    from stepscope.core.sources.protos.a11y_pb2 import Forest

    most = limit("tree-bytes")
    if len(data) > most:
        raise exceeded("tree-bytes", f"the accessibility tree is larger than {written_figure(BYTES, most)}")
    _check_count(data)
    try:
        forest = Forest.FromString(data)
    except DecodeError as error:
        raise SourceError(_NO_FOREST) from error
    builder = TreeBuilder(TreeOrigin.ACCESSIBILITY, Placement(size))
    circles = 0
    for window in sorted(forest.windows, key=lambda window: window.layer):
        circles += _add_window(window.tree.nodes, builder)
    reading = builder.finish()
    notes = list(reading.notes)
    if circles:
        taken = "1 node is taken as a root" if circles == 1 else f"{circles} nodes are taken as roots"
        notes.append(f"the children run in a circle: {taken}")
    return ForestReading(reading.tree or UITree((), builder.origin, size), _package(forest.windows), tuple(notes))


def _check_count(data: bytes) -> None:
    """Refuse a forest of too many windows and nodes before it is read: an empty node has 2 bytes, and 200 in memory."""
    view = memoryview(data)
    walk = MessageWalk(view, "tree-elements", "windows and elements")
    try:
        for start, length in _inner(walk, 0, len(view), _WINDOWS):
            for tree, size in _inner(walk, start, length, _TREE):
                for _ in _inner(walk, tree, size, _NODES):
                    pass
    except SourceError as error:
        if error.hint:
            raise
        raise SourceError(_NO_FOREST) from error


def _inner(walk: MessageWalk, start: int, length: int, wanted: int) -> Iterator[tuple[int, int]]:
    """Places and lengths of the messages that lie in a message's field `wanted`."""
    for number, wire, place, size in walk.fields(start, start + length):
        if number == wanted and wire == LENGTH:
            yield place, size


def _add_window(nodes: Sequence[Node], builder: TreeBuilder) -> int:
    """Add the window's nodes; returns how many had to be taken as roots though they are somebody's children."""
    below = _children(nodes)
    claimed = {child for children in below for child in children}
    reached = [False] * len(nodes)
    circles = 0
    for place in _roots_first(len(nodes), claimed):
        if reached[place]:
            continue
        circles += place in claimed
        stack = [(place, -1)]
        while stack:
            current, parent = stack.pop()
            if reached[current]:
                continue
            reached[current] = True
            index = builder.add_values(parent, _edges(nodes[current]), _values(nodes[current]))
            stack.extend((child, index) for child in reversed(below[current]))
    return circles


def _roots_first(count: int, claimed: set[int]) -> Iterator[int]:
    """Places of nodes that nobody names as a child, then all others."""
    yield from (place for place in range(count) if place not in claimed)
    yield from (place for place in range(count) if place in claimed)


def _children(nodes: Sequence[Node]) -> list[list[int]]:
    """Places of each node's children. A child named twice stays with the first; ids of no node are passed over."""
    places: dict[int, int] = {}
    for place, node in enumerate(nodes):
        places.setdefault(node.unique_id, place)
    claimed: set[int] = set()
    below: list[list[int]] = []
    for node in nodes:
        children = []
        for identity in node.child_ids:
            child = places.get(identity)
            if child is not None and child not in claimed:
                claimed.add(child)
                children.append(child)
        below.append(children)
    return below


def _edges(node: Node) -> list[int]:
    """[left, top, right, bottom]; no area where the node has no bounds.

    A node that is scrolled out of sight has bounds cut to its container, which turns them inside out: no area either.
    """
    if not node.HasField("bounds_in_screen"):
        return [0, 0, 0, 0]
    box = node.bounds_in_screen
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    if not node.is_visible_to_user:
        right, bottom = max(left, right), max(top, bottom)
    return [left, top, right, bottom]


def _values(node: Node) -> tuple[str | bool, ...]:
    """What `UIElement` has after its depth, in its order. A field's hint stands in for a missing description."""
    return (
        _text(node.text),
        _text(node.content_description) or _text(node.hint_text),
        _text(node.view_id_resource_name),
        _text(node.class_name),
        _text(node.package_name),
        node.is_clickable,
        node.is_long_clickable,
        node.is_scrollable,
        node.is_checkable,
        node.is_checked,
        node.is_editable,
        node.is_enabled,
        node.is_focused,
        node.is_selected,
        node.is_password,
        node.is_visible_to_user,
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _package(windows: Sequence[Window]) -> str:
    """The package of the application window that is active, else focused, else in front."""
    own = [window for window in windows if window.window_type == _APPLICATION and window.tree.nodes]
    if not own:
        return ""
    front = max(own, key=lambda window: (window.is_active, window.is_focused, window.layer))
    return next((_text(node.package_name) for node in front.tree.nodes if node.package_name), "")
