"""A UI tree that can be changed, and chances that are the same for an element on every screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from hashlib import blake2b

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass


@dataclass(slots=True, eq=False)
class TreeNode:
    """One element with its children. The element's own index, parent and depth count for nothing.

    `key` is equal for the same element on other screens, and for the rows of one list. `stands_for` are indices of
    elements in the tree that the node came from; none for what was added.
    """

    element: UIElement
    key: str
    children: list[TreeNode] = field(default_factory=list)
    stands_for: tuple[int, ...] = ()

    @property
    def touchable(self) -> bool:
        """Whether the element says that it takes a touch or text."""
        return self.element.clickable or self.element.long_clickable or self.element.editable

    def change(self, **values: object) -> None:
        """Give the element other values."""
        self.element = replace(self.element, **values)  # type: ignore[arg-type]

    def walk(self) -> Iterator[TreeNode]:
        """This node and all below it, a parent before its children."""
        yield self
        for child in list(self.children):
            yield from child.walk()

    def put_around(self, outer: UIElement) -> None:
        """This node becomes `outer`, and what it was its only child."""
        self.children = [TreeNode(self.element, self.key, self.children, self.stands_for)]
        self.element = outer


@dataclass(frozen=True, slots=True)
class KeyedChance:
    """Chances that depend on nothing but a seed, a purpose and a key."""

    seed: str

    def share(self, purpose: str, key: str) -> float:
        """A number in [0, 1), uniform over keys."""
        drawn = blake2b(f"{self.seed}\n{purpose}\n{key}".encode(), digest_size=6).digest()
        return int.from_bytes(drawn, "big") / 2**48

    def hits(self, purpose: str, key: str, share: float) -> bool:
        """Whether the key is among the `share` of keys that the purpose is for."""
        return self.share(purpose, key) < share


def plain(box: Box, class_name: str, package: str) -> UIElement:
    """An element that only holds others."""
    return UIElement(0, box, class_name=class_name, package=package)


def nodes_of(tree: UITree) -> list[TreeNode]:
    """The tree's roots."""
    nodes: list[TreeNode] = []
    roots: list[TreeNode] = []
    for element in tree:
        above = nodes[element.parent] if element.parent >= 0 else None
        stem = re.sub(r"\d+", "#", element.short_id)
        key = stem or f"{above.key if above else ''}>{element.short_class}"
        nodes.append(TreeNode(element, key, stands_for=(element.index,)))
        (above.children if above else roots).append(nodes[-1])
    return roots


def tree_of(roots: list[TreeNode], like: UITree) -> tuple[UITree, list[TreeNode]]:
    """The tree of these roots with origin, size and activity of `like`, and the node of each element."""
    elements: list[UIElement] = []
    nodes: list[TreeNode] = []

    def add(node: TreeNode, parent: int, depth: int) -> None:
        index = len(elements)
        elements.append(replace(node.element, index=index, parent=parent, depth=depth))
        nodes.append(node)
        for child in node.children:
            add(child, index, depth + 1)

    for root in roots:
        add(root, -1, 0)
    return replace(like, elements=tuple(elements)), nodes
