"""What makes a clean tree rough: each change walks the nodes of an app's page and decides by an element's key.

Touched are the app's own elements only; the phone's bars and the keyboard are other programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Box
from stepscope.resources.sample.generator.rough_trees.nodes import KeyedChance, TreeNode, plain
from stepscope.resources.sample.generator.rough_trees.toolkits import Toolkit

MUTE, DOUBLED, ROW_SILENT, ROW_REPEATS = 0.35, 0.2, 0.35, 0.35
"""Icon buttons that say nothing; texts that are their description as well; rows without words of their own, and rows
that say what their first text says."""
BARE, INNER, SNUG = 0.3, 0.35, 0.5
"""Touchable leaves that no flag tells; those whose flag is on a container around them, and such containers that are no
larger than what they hold."""
ROW_WRAPPED, WRAPPED = 0.3, 0.2
"""Rows whose flag is on a container around them; other elements in a container of the same bounds."""
WRONG, LOOSE = 0.08, 0.25
"""Untouchable leaves with bounds that are far off; elements whose bounds are a little off."""
PARTED, LATE_ROWS = 0.6, 2
"""Lists that keep rows which left the screen, and at most so many of them."""
CONTENT = 1
"""Which of a toolkit's containers around the page is the window's content."""
SLACK = 0.008
"""The largest error of bounds that are a little off, as a share of the screen's width: 2 pixels of 270."""


def change_words(nodes: Iterable[TreeNode], kit: Toolkit, chance: KeyedChance) -> None:
    """Descriptions that are missing or repeat what is there."""
    for node in nodes:
        element = node.element
        if node.children:
            if node.touchable:
                node.change(content_description=_row_words(node, kit, chance))
        elif not element.text and element.clickable and chance.hits("mute", node.key, MUTE):
            node.change(content_description="")
        elif not element.editable and element.text and element.content_description in ("", element.text):
            node.change(content_description=element.text if chance.hits("doubled", node.key, DOUBLED) else "")


def _row_words(node: TreeNode, kit: Toolkit, chance: KeyedChance) -> str:
    said = (part.element.text or part.element.content_description for part in node.children if not part.touchable)
    parts = [words for words in said if words]
    if kit.row_words is not None:
        return kit.row_words.join(parts)
    drawn = chance.share("row words", node.key)
    if drawn < ROW_SILENT:
        return ""
    return parts[0] if parts and drawn < ROW_SILENT + ROW_REPEATS else node.element.content_description


def merge_rows(nodes: Iterable[TreeNode], kit: Toolkit) -> None:
    """Touchable rows swallow the parts that only say something, where the toolkit reports them so."""
    for node in nodes:
        if kit.merged and node.touchable:
            gone = [part for part in node.children if not part.children and not part.touchable]
            node.children = [part for part in node.children if part not in gone]
            node.stands_for = (*node.stands_for, *(index for part in gone for index in part.stands_for))


def move_flags(nodes: Iterable[TreeNode], kit: Toolkit, chance: KeyedChance) -> None:
    """Touchable leaves whose flag is gone or on a container around them, and rows in a touchable container."""
    for node in nodes:
        if not node.touchable or node.element.editable:
            continue
        drawn = chance.share("flags", node.key)
        if node.children:
            if drawn < ROW_WRAPPED:
                _hand_over(node, kit, 0.0)
                node.children[0].change(resource_id="")
        elif drawn < BARE:
            node.change(clickable=False, long_clickable=False)
        elif drawn < BARE + INNER:
            _hand_over(node, kit, 0.0 if chance.hits("snug", node.key, SNUG) else 0.1)
            inner = node.children[0]
            spoken = inner.element.text or inner.element.content_description
            if kit.row_words is not None or chance.hits("repeated", node.key, ROW_REPEATS):
                node.change(content_description=spoken)
            if not inner.element.checkable:
                inner.change(resource_id="", class_name=kit.label if inner.element.text else kit.icon)


def _hand_over(node: TreeNode, kit: Toolkit, margin: float) -> None:
    """Flags and id go to a container around the element, which is larger by `margin` of the element on each side."""
    element, box = node.element, node.element.box
    outer = plain(box, kit.wrapper, element.package)
    flags = {name: getattr(element, name) for name in ("clickable", "long_clickable", "enabled", "resource_id")}
    node.put_around(replace(outer, **flags))
    across, down = round(box.width * margin), round(box.height * margin)
    inside = Box(box.left + across, box.top + down, box.right - across, box.bottom - down, box.size)
    node.children[0].change(clickable=False, long_clickable=False, box=inside)


def wrap(nodes: Iterable[TreeNode], kit: Toolkit, chance: KeyedChance) -> None:
    """Containers of the same bounds around elements."""
    for node in nodes:
        if chance.hits("wrapped", node.key, WRAPPED):
            node.put_around(plain(node.element.box, kit.wrapper, node.element.package))
            node.stands_for = ()


def keep_what_left(nodes: Iterable[TreeNode], chance: KeyedChance) -> None:
    """Lists keep rows that left the screen, above it, below it or without a place; pagers keep the page beside."""
    for node in nodes:
        rows = [child for child in node.children if child.element.box.area > 0]
        drawn = chance.share("kept", node.key)
        if drawn >= PARTED or not rows:
            continue
        size = node.element.box.size
        if "pager" in node.key:
            node.children += [_moved(row, size.width, 0) for row in rows if not row.element.scrollable]
        elif node.element.scrollable and len(rows) > LATE_ROWS:
            late = rows[:LATE_ROWS]
            reach = max(row.element.box.bottom for row in late)
            if drawn < PARTED / 3:
                node.children[:0] = [_moved(row, 0, -reach - 1) for row in late]
            elif drawn < 2 * PARTED / 3:
                node.children += [_moved(row, 0, size.height - late[0].element.box.top) for row in late]
            else:
                node.children += [_without_place(row) for row in late]


def _moved(node: TreeNode, across: float, down: float) -> TreeNode:
    """A copy elsewhere, of which nothing is meant by any action."""
    box = node.element.box
    there = Box(box.left + across, box.top + down, box.right + across, box.bottom + down, box.size)
    children = [_moved(child, across, down) for child in node.children]
    return TreeNode(replace(node.element, box=there, focused=False), node.key, children)


def _without_place(node: TreeNode) -> TreeNode:
    nowhere = replace(node.element, box=Box(0, 0, 0, 0, node.element.box.size), focused=False)
    return TreeNode(nowhere, node.key, [_without_place(child) for child in node.children])


def misplace(page: TreeNode, chance: KeyedChance, spared: int | None) -> None:
    """Bounds that are wrong: far off for leaves that nothing is done on, a little for any element below `page`.

    `spared` is the index of the element that the action is done on, which is never far off. What lies in a touchable
    element stays where it is.
    """
    for child in page.children:
        key, box = child.key, child.element.box
        if child.element.package != page.element.package:
            continue
        idle = not (child.touchable or child.children or spared in child.stands_for)
        if idle and chance.hits("wrong", key, WRONG):
            child.change(box=_wrong(box, page.element.box, chance.share("how wrong", key)))
        elif chance.hits("loose", key, LOOSE):
            child.change(box=_loose(box, chance.share("how loose", key)))
        if not child.touchable:
            misplace(child, chance, spared)


def _wrong(box: Box, around: Box, drawn: float) -> Box:
    """Without an area, the parent's bounds, or a row's height too low."""
    if drawn < 1 / 3:
        return Box(box.left, box.top, box.left, box.top, box.size)
    if drawn < 2 / 3:
        return around
    return Box(box.left, box.top + box.height, box.right, box.bottom + box.height, box.size)


def _loose(box: Box, drawn: float) -> Box:
    """Moved by at most `SLACK` both ways."""
    most = max(1, round(SLACK * box.size.width))
    across = round((2 * drawn - 1) * most)
    down = round((2 * (drawn * 7 % 1) - 1) * most)
    return Box(box.left + across, box.top + down, box.right + across, box.bottom + down, box.size)


def rename(nodes: Iterable[TreeNode], kit: Toolkit, chance: KeyedChance) -> None:
    """Classes, ids and the place of the words as the toolkit has them."""
    for node in nodes:
        element = node.element
        node.change(
            class_name=kit.classes.get(element.short_class, kit.other or element.class_name),
            resource_id=_id(element, node.key, kit, chance),
        )
        if kit.words_in and not element.editable:
            words = dict.fromkeys(("text", "content_description"), "")
            node.change(**{**words, kit.words_in: element.content_description or element.text})


def _id(element: UIElement, key: str, kit: Toolkit, chance: KeyedChance) -> str:
    drawn = chance.share("ids", key)
    if not element.resource_id or drawn < kit.ids:
        return element.resource_id
    number = int(chance.share("number", key) * 90) + 10
    return f"{element.package}:id/view_{number}" if drawn < kit.ids + kit.numbered else ""


def frame(root: TreeNode, kit: Toolkit) -> None:
    """The toolkit's own containers around the app's page, and the window's bar that has no place."""
    own = [child for child in root.children if child.element.package == root.element.package]
    if not own:
        return
    place, package = root.children.index(own[0]), root.element.package
    inside = own
    for number, class_name in reversed(list(enumerate(kit.frame))):
        element = plain(root.element.box, class_name, package)
        if number == CONTENT:
            element = replace(element, resource_id="android:id/content")
        inside = [TreeNode(element, f"frame {number}", inside)]
    others = [child for child in root.children if child not in own]
    root.children = [*others[:place], *inside, *others[place:]]
    bar = plain(Box(0, 0, 0, 0, root.element.box.size), "android.view.View", package)
    root.children.append(TreeNode(replace(bar, resource_id="android:id/navigationBarBackground"), "bar"))
