"""A turn's page in WebLINX: `pages/page-<i>-<j>.html` and the elements' boxes, `bboxes/bboxes-<i>.json`.

Elements are told apart by their `data-webtasks-id`; boxes are {x, y, width, height, …} in pixels of the viewport.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import mapping_of, read_bytes, read_json, safe_join, shortened
from stepscope.core.sources.findings import Findings, told_reason
from stepscope.core.sources.page_bounds import check_page, check_tags
from stepscope.core.sources.tree_builder import Placement, TreeBuilder, TreeReading
from stepscope.core.sources.weblinx_actions import number_of

_NUMBERS = re.compile(r"(\d{1,9})-\d{1,9}\.\w{1,5}\Z")
_UID = "data-webtasks-id"
_SIDES = ("x", "y", "width", "height")
_PRINTABLE = bytes(byte if byte >= 32 or byte in b"\t\n\r" else 32 for byte in range(256))
"""Control characters may stand in a page, and lxml gives them out in names that it does not take back."""
_MAX_TEXT = 300
_WORDS = ("aria-label", "alt", "placeholder", "title", "value")
_CLICKED = ("a", "button", "select", "option", "label", "summary")
_NOT_WRITTEN = ("checkbox", "radio", "submit", "button", "image", "reset", "file", "range", "color", "hidden")
_TICKED = ("checkbox", "radio")


@dataclass
class _UidElement:
    """An element of the page that has an id: its parent's number and the texts directly in it."""

    uid: str
    parent: int
    tag: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)


class Pages:
    """The pages of one demonstration; a page that several turns show is read once, and is one tree where it lies alike
    on their pictures."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = ""
        self._parts: tuple[list[_UidElement], Mapping[str, Any], tuple[str, ...]] = ([], {}, ())
        self._readings: dict[tuple[str, Placement | None], TreeReading] = {}

    def tree(self, name: str, placement: Placement, step: int, findings: Findings) -> UITree | None:
        """The page's elements that have boxes, nested as in its HTML; findings say what could not be read. Raises
        SourceError as `Findings.tree`."""
        reading = self._readings.get((name, placement)) or self._readings.get((name, None))
        if reading is not None:
            return findings.tree(None, reading.notes, step=step, file=name) or reading.tree
        reading = self._reading(name, placement)
        self._readings[name, placement if reading.tree is not None else None] = reading
        return findings.tree(reading.tree, reading.notes, step=step, file=name)

    def _reading(self, name: str, placement: Placement) -> TreeReading:
        if name != self._name:
            self._name, self._parts = name, self._read(name)
        nodes, boxes, notes = self._parts
        if notes:
            return TreeReading(None, notes)
        builder = TreeBuilder(TreeOrigin.DOM, placement)
        places: list[int] = []
        for node in nodes:
            parent = places[node.parent] if node.parent >= 0 else -1
            box = boxes.get(node.uid)
            places.append(_add(builder, parent, node, box) if isinstance(box, dict) else parent)
        return builder.finish()

    def _read(self, name: str) -> tuple[list[_UidElement], Mapping[str, Any], tuple[str, ...]]:
        match = _NUMBERS.search(name)
        if match is None:
            return [], {}, (f"the page's name {shortened(name)!r} has no number to find its boxes by",)
        try:
            boxes = mapping_of(read_json(safe_join(self._folder, f"bboxes/bboxes-{match[1]}.json")))
        except SourceError as error:
            return [], {}, (f"bboxes-{match[1]}.json: {told_reason(error)}",)
        try:
            nodes = _nodes(read_bytes(safe_join(self._folder, f"pages/{name}")))
        except SourceError as error:
            return [], {}, (told_reason(error),)
        return nodes, boxes, ()


def _nodes(html: bytes) -> list[_UidElement]:
    """The elements with an id in document order; none when the page cannot be parsed at all."""
    from lxml import etree

    check_page(len(html))
    check_tags(html)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, recover=True)
    try:
        root = etree.fromstring(html.translate(_PRINTABLE), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError("the page's HTML cannot be read") from error
    nodes: list[_UidElement] = []
    around = [-1]
    for event, element in etree.iterwalk(root, events=("start", "end")) if root is not None else ():
        if event == "start":
            uid = element.get(_UID)
            if uid:
                nodes.append(_UidElement(uid, around[-1], str(element.tag), dict(element.items())))
            around.append(len(nodes) - 1 if uid else around[-1])
            text = element.text if element.tag not in ("script", "style", "noscript") else None
        else:
            around.pop()
            text = element.tail
        if text and around[-1] >= 0 and (text := " ".join(text.split())):
            nodes[around[-1]].texts.append(text[:_MAX_TEXT])
    return nodes


def _add(builder: TreeBuilder, parent: int, node: _UidElement, box: Mapping[str, Any]) -> int:
    numbers = [number for side in _SIDES if (number := number_of(box.get(side))) is not None]
    x, y, width, height = numbers if len(numbers) == 4 else (0.0, 0.0, 0.0, 0.0)
    kind = node.attributes.get("type", "").lower()
    written = node.tag == "textarea" or (node.tag == "input" and kind not in _NOT_WRITTEN)
    named = next((words for name in _WORDS if (words := node.attributes.get(name, ""))), "")
    return builder.add(
        parent,
        (x, y, x + width, y + height) if len(numbers) == 4 else None,
        text=" ".join(node.texts)[:_MAX_TEXT],
        content_description=" ".join(named.split())[:_MAX_TEXT],
        resource_id=node.uid,
        class_name=node.tag,
        clickable=node.tag in _CLICKED or node.tag == "input",
        editable=written,
        checkable=kind in _TICKED,
        checked="checked" in node.attributes,
        enabled="disabled" not in node.attributes,
        visible=width > 0 and height > 0,
    )
