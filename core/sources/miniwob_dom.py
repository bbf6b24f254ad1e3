"""The page of a MiniWoB++ state as a UI tree.

A node has `tag` ("INPUT_checkbox" for an input of that type, "t" for a piece of text beside elements), `left`, `top`,
`width`, `height` in pixels of the window, `ref`, `id`, `classes`, `children`, and where they apply `text`, `value`,
`focused` and `recordingTarget` (the event's target). Nodes without area are not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import text_of
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_INPUT = "INPUT_"
_CHECKABLE = ("INPUT_checkbox", "INPUT_radio")
_NOT_TYPED_INTO = (
    *_CHECKABLE,
    "INPUT_button",
    "INPUT_submit",
    "INPUT_reset",
    "INPUT_image",
    "INPUT_range",
    "INPUT_color",
    "INPUT_file",
)
_FARTHEST = 1e7
"""A coordinate beyond ten million pixels is a broken number, not a place (ours)."""

_FEW = 3
"""What holds more pieces of text than this is a container and has no name of its own (ours)."""

_CLICKABLE = ("A", "BUTTON", "SELECT", "OPTION", "TEXTAREA")


@dataclass(frozen=True)
class MiniwobPage:
    """A state's tree, notes on what was left out, and the elements that the state names (-1: none).

    The whole page, which is focused when nothing else is, is no focused element.
    """

    tree: UITree | None
    notes: tuple[str, ...]
    pressed: int = -1
    focused: int = -1
    by_key: Mapping[object, int] = field(default_factory=dict)

    def target(self, index: int) -> Target | None:
        """The element as an action's target."""
        if self.tree is None or index < 0:
            return None
        element = self.tree.elements[index]
        return Target(element.box, _name(self.tree, index), element.resource_id or None)


def read_page(dom: object, size: Size) -> MiniwobPage:
    """The page that a state's `dom` describes; no tree, with a note, where it is no node."""
    if not isinstance(dom, dict):
        return MiniwobPage(None, ("no page in it",))
    builder = TreeBuilder(TreeOrigin.DOM, Placement(size))
    by_key: dict[object, int] = {}
    pressed = focused = -1
    stack: list[tuple[object, int]] = [(dom, -1)]
    while stack:
        node, parent = stack.pop()
        if not isinstance(node, dict):
            builder.leave_out("a child that is no object")
            continue
        edges = _edges(node)
        index = builder.add(parent, edges, **_fields(node), visible=edges is not None and _within(edges, size))
        if index != parent:
            by_key[key_of(node)] = index
            if node.get("recordingTarget") is True:
                pressed = index
            if node.get("focused") is True and parent >= 0:
                focused = index
        stack.extend((child, index) for child in reversed(_children(node)))
    reading = builder.finish()
    return MiniwobPage(reading.tree, reading.notes, pressed, focused, by_key)


def nodes_of(dom: object) -> Iterator[Mapping[str, Any]]:
    """Every node, parents before children."""
    stack = [dom]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield node
            stack.extend(reversed(_children(node)))


def key_of(node: Mapping[str, Any]) -> object:
    """The key by which a node is known again in a later state; `ref` alone occurs twice on some pages."""
    ref = node.get("ref")
    return ref if type(ref) is int else None, *(text_of(node.get(name)) for name in ("tag", "id", "classes"))


def dom_of(state: object) -> object:
    """The page of a state, None where there is none."""
    return state.get("dom") if isinstance(state, dict) else None


def number_of(value: object, farthest: float = _FARTHEST) -> float | None:
    """A number that is no farther from zero than that, else None."""
    if isinstance(value, (int, float)) and type(value) is not bool and -farthest <= value <= farthest:
        return float(value)
    return None


def _children(node: Mapping[str, Any]) -> list[Any]:
    children = node.get("children")
    return children if isinstance(children, list) else []


def _edges(node: Mapping[str, Any]) -> list[float] | None:
    left, top, width, height = (number_of(node.get(name)) for name in ("left", "top", "width", "height"))
    if left is None or top is None or width is None or height is None:
        return None
    return [left, top, left + width, top + height]


def _within(edges: list[float], size: Size) -> bool:
    """Whether something of it is in the window: what is scrolled away is recorded too."""
    left, top, right, bottom = edges
    return right > 0 and bottom > 0 and left < size.width and top < size.height


def _fields(node: Mapping[str, Any]) -> dict[str, Any]:
    tag = text_of(node.get("tag"))
    value = node.get("value")
    text = text_of(node.get("text")) or text_of(value)
    identity = text_of(node.get("id"))
    editable = tag == "TEXTAREA" or (tag.startswith(_INPUT) and tag not in _NOT_TYPED_INTO)
    return {
        "text": text,
        "content_description": "" if text or identity or _children(node) else text_of(node.get("classes")),
        "resource_id": identity,
        "class_name": tag,
        "clickable": tag in _CLICKABLE or tag.startswith(_INPUT),
        "checkable": tag in _CHECKABLE,
        "checked": tag in _CHECKABLE and value is True,
        "editable": editable,
        "password": tag == "INPUT_password",
        "focused": node.get("focused") is True,
    }


def _name(tree: UITree, index: int) -> str:
    """The words of an element: its own, else those in it or, for a box to tick, those in the label around it."""
    element = tree.elements[index]
    if element.text or element.content_description:
        return element.text or element.content_description
    around = next((e.index for e in tree.ancestors(index) if e.class_name == "LABEL"), index)
    holder = around if element.checkable else index
    words = []
    for other in tree.elements[holder + 1 :]:
        if other.depth <= tree.elements[holder].depth:
            break
        if other.text:
            words.append(other.text)
    return " ".join(words) if len(words) <= _FEW else ""
