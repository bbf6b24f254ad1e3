"""UI trees of a recording as compact JSON: one object per element, what has its default value left out."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.wire import numbers
from stepscope.core.sources.files import mapping_of, text_of

_DEFAULTS: dict[str, str | bool] = {
    field.name: field.default for field in fields(UIElement) if isinstance(field.default, (str, bool))
}
"""The words and flags of an element with their defaults; index, box, parent and depth are written apart."""


def tree_to_json(tree: UITree) -> dict[str, Any]:
    """Elements in pre-order; `depth` only where it is not the parent's plus one.

    Raises ValueError when a box lies on another size than the tree's.
    """
    return {
        "origin": tree.origin.value,
        "size": [tree.size.width, tree.size.height],
        "activity": tree.activity,
        "elements": [_element_to_json(tree, element) for element in tree.elements],
    }


def _element_to_json(tree: UITree, element: UIElement) -> dict[str, Any]:
    if element.box.size != tree.size:
        raise ValueError(f"element {element.index} lies on {element.box.size}, its tree on {tree.size}")
    box = element.box
    form: dict[str, Any] = {"box": [box.left, box.top, box.right, box.bottom]}
    if element.parent >= 0:
        form["parent"] = element.parent
    if element.depth != _usual_depth(element.parent, tree.elements):
        form["depth"] = element.depth
    for name, default in _DEFAULTS.items():
        value = getattr(element, name)
        if value != default:
            form[name] = value
    return form


def _usual_depth(parent: int, elements: tuple[UIElement, ...] | list[UIElement]) -> int:
    return elements[parent].depth + 1 if parent >= 0 else 0


def tree_from_json(form: object) -> UITree:
    """The tree again; ValueError naming the element and field that is wrong."""
    document = mapping_of(form)
    listed = document.get("elements")
    if not isinstance(listed, list):
        raise ValueError("the tree has no list of elements")
    width, height = numbers(document.get("size"), 2, "size")
    size = Size(int(width), int(height))
    elements: list[UIElement] = []
    for index, item in enumerate(listed):
        try:
            elements.append(_element(index, mapping_of(item), elements, size))
        except ValueError as error:
            raise ValueError(f"element {index}: {error}") from error
    origin = document.get("origin")
    if origin not in list(TreeOrigin):
        raise ValueError(f"the tree's origin {origin!r} is not known")
    return UITree(tuple(elements), TreeOrigin(origin), size, text_of(document.get("activity")))


def _element(index: int, item: Any, before: list[UIElement], size: Size) -> UIElement:
    parent = item.get("parent", -1)
    if type(parent) is not int or not -1 <= parent < index:
        raise ValueError("parent must be the number of an earlier element")
    depth = item.get("depth", _usual_depth(parent, before))
    if type(depth) is not int:
        raise ValueError("depth must be a number")
    values = {name: item[name] for name in _DEFAULTS if name in item}
    for name, value in values.items():
        if type(value) is not type(_DEFAULTS[name]):
            raise ValueError(f"{name} must be {'text' if isinstance(_DEFAULTS[name], str) else 'true or false'}")
        values[name] = text_of(value) if isinstance(value, str) else value
    left, top, right, bottom = numbers(item.get("box"), 4, "box")
    return UIElement(index, Box(left, top, right, bottom, size), parent, depth, **values)
