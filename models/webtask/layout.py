"""A page as its words with their places and nothing else: what a model of layouts gets to see.

Source: TurkingBench (Xu et al. 2024), which names layout-only models beside those of text and of pictures; how a layout
is written down is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Box
from stepscope.core.webtask.page import PageField

_LONGEST = 400
"""Letters of one element that are told."""
_OPTIONS = 40
"""Choices of a field that are told."""


def layout_of(tree: UITree, fields: Sequence[PageField]) -> str:
    """A line for each element that is drawn and has words of its own, and for each of these fields that is drawn:
    left, top, right and bottom in pixels of the page, in reading order."""
    words = [(one.box, _text(one)) for one in tree if one.visible and one.box.area and _text(one)]
    lines = [*words, *((field.box, _field(field)) for field in fields if field.box is not None)]
    lines.sort(key=lambda line: (round(line[0].top), line[0].left))
    return "\n".join(f"{_edges(box)} {text}" for box, text in lines)


def _text(element: UIElement) -> str:
    """Its own words; fields are told apart."""
    if element.editable or element.checkable or element.class_name in ("select", "option"):
        return ""
    return " ".join((element.text or element.content_description).split())[:_LONGEST]


def _field(field: PageField) -> str:
    choices = " | ".join(one.value for one in field.options[:_OPTIONS])
    told = [f"field {field.name} ({field.type})", field.label[:_LONGEST], f"choices: {choices}" if choices else ""]
    return ", ".join(filter(None, (" ".join(one.split()) for one in told)))


def _edges(box: Box) -> str:
    return f"[{round(box.left)} {round(box.top)} {round(box.right)} {round(box.bottom)}]"
