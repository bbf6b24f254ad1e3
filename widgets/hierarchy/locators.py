"""What a person copies of an element, to find it again with other tools."""

from __future__ import annotations

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree


def bounds(element: UIElement) -> str:
    """[left,top][right,bottom] in pixels of the screenshot, as Android writes it."""
    box = element.box
    return f"[{box.left:.0f},{box.top:.0f}][{box.right:.0f},{box.bottom:.0f}]"


def locator(tree: UITree, index: int) -> str:
    """A line that finds the element again.

    On a page a CSS selector: the tags from the root of what is known of the page. Elsewhere the resource id if that is
    unique, else an XPath: by the words if those are unique, else the whole path.
    """
    element = tree.elements[index]
    if tree.origin is TreeOrigin.DOM:
        return " > ".join(_selectors(tree, index))
    if element.resource_id and sum(e.resource_id == element.resource_id for e in tree.elements) == 1:
        return f"id={element.resource_id}"
    said = element.text or element.content_description
    attribute = "text" if element.text else "content-desc"
    quotable = '"' not in said or "'" not in said
    if said and quotable and sum((e.text or e.content_description) == said for e in tree.elements) == 1:
        return f'//*[@{attribute}="{said}"]' if '"' not in said else f"//*[@{attribute}='{said}']"
    return "/" + "/".join(f"{name or '*'}[{place}]" for name, place, _alone in _path(tree, index))


def _selectors(tree: UITree, index: int) -> list[str]:
    return [
        (name or "*") if alone or not name else f"{name}:nth-of-type({place})"
        for name, place, alone in _path(tree, index)
    ]


def _path(tree: UITree, index: int) -> list[tuple[str, int, bool]]:
    """From the root down: class name, place among the siblings of that class from 1 on, whether it is the only one."""
    parts: list[tuple[str, int, bool]] = []
    while index >= 0:
        element = tree.elements[index]
        siblings = tree.children[element.parent] if element.parent >= 0 else _roots(tree)
        alike = [s for s in siblings if tree.elements[s].class_name == element.class_name]
        parts.append((element.class_name, alike.index(index) + 1, len(alike) == 1))
        index = element.parent
    return parts[::-1]


def _roots(tree: UITree) -> list[int]:
    return [element.index for element in tree.elements if element.parent < 0]
