"""A page of Mind2Web: its candidate elements with their places, nested and named by the cleaned HTML.

A candidate is `{tag, backend_node_id, attributes, is_original_target?, is_top_level_target?}`, as an object or as its
JSON text; `attributes` is JSON text in either case. `bounding_box_rect` is "x,y,w,h" in CSS pixels of the whole page,
which are pixels of its screenshot; "-1,-1,-1,-1" is an element that was not drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import bounded_loads
from stepscope.core.lazy import lazy_module
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.findings import told_reason
from stepscope.core.sources.page_bounds import check_page, check_tags
from stepscope.core.sources.tree_builder import Placement, TreeBuilder, TreeReading

if TYPE_CHECKING:
    from lxml import etree
else:
    etree = lazy_module("lxml.etree")

PAGE_WIDTH = 1280
"""Width of the browser window of all recordings (Multimodal-Mind2Web: no picture is narrower)."""

_PAGE_HEIGHT = 720
_TALLEST = 100_000
"""What lies farther down does not make the page longer: such boxes are slips (ours)."""

_MAX_TEXT = 300
_NOT_DRAWN = (-1.0, -1.0, -1.0, -1.0)
_NAMES = ("aria_label", "aria_description", "label", "placeholder", "title", "alt", "name")
_WORDS = ("text_value", "input_value", "value")
_CLICKABLE = frozenset({"a", "button", "input", "select", "textarea", "option", "summary"})
_WRITTEN = frozenset({"", "text", "search", "email", "tel", "url", "number", "password", "date", "time"})

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mind2WebCandidate:
    """`rect` is x, y, width, height; None where the element was not drawn or its place cannot be read."""

    id: str
    tag: str
    rect: Rect | None
    attributes: Mapping[str, Any]
    positive: bool = False
    original: bool = False
    top_level: bool = False
    slip: str = ""

    @property
    def named(self) -> str:
        """The words that its attributes give it."""
        return next((text for name in _NAMES if (text := text_of(self.attributes.get(name)).strip())), "")


def candidates_of(record: Mapping[str, Any], slips: list[str]) -> list[Mind2WebCandidate]:
    """Positive and negative candidates of an action, each id once; what cannot be read is told in `slips`."""
    found: dict[str, Mind2WebCandidate] = {}
    for name, positive in (("pos_candidates", True), ("neg_candidates", False)):
        listed = record.get(name)
        if not isinstance(listed, list):
            slips.append(f"no list of {name}")
            continue
        for item in listed:
            candidate = _candidate(_object(item), positive)
            if candidate is None:
                slips.append("a candidate without backend_node_id")
            else:
                found.setdefault(candidate.id, candidate)
    return list(found.values())


def _candidate(item: Mapping[str, Any], positive: bool) -> Mind2WebCandidate | None:
    identity = item.get("backend_node_id")
    identity = str(identity) if type(identity) is int and abs(identity) < 10**18 else text_of(identity)
    if not identity:
        return None
    attributes = _object(item.get("attributes"))
    rect, slip = rect_of(attributes.get("bounding_box_rect"))
    original, top_level = item.get("is_original_target") is True, item.get("is_top_level_target") is True
    return Mind2WebCandidate(identity, text_of(item.get("tag")), rect, attributes, positive, original, top_level, slip)


def _object(value: object) -> Mapping[str, Any]:
    """A JSON object that may be written as text."""
    if isinstance(value, str):
        try:
            value = bounded_loads(value)
        except (ValueError, RecursionError):
            return {}
    return mapping_of(value)


def rect_of(text: object) -> tuple[Rect | None, str]:
    """Place of an element, and what is wrong with it. An element that was not drawn has none, and nothing is wrong."""
    try:
        numbers = tuple(float(part) for part in text.split(",")) if isinstance(text, str) else ()
    except ValueError:
        numbers = ()
    if len(numbers) != 4 or not all(math.isfinite(number) and abs(number) <= 1e7 for number in numbers):
        return None, "no bounding_box_rect of four numbers"
    x, y, width, height = numbers
    if numbers == _NOT_DRAWN:
        return None, ""
    if width < 0 or height < 0:
        return None, "a bounding_box_rect of negative size"
    return (x, y, width, height), ""


def chosen_of(candidates: Sequence[Mind2WebCandidate]) -> Mind2WebCandidate | None:
    """The positive candidate that stands for the target: one that was drawn, if possible the one that was labelled."""
    positives = [candidate for candidate in candidates if candidate.positive]
    return max(positives, key=lambda one: (one.rect is not None, one.original, one.top_level), default=None)


def page_size(candidates: Sequence[Mind2WebCandidate]) -> Size:
    """The page's size by its elements, for pages without a picture.

    As wide as the root element, as high as the lowest element that is not beside the page.
    """
    roots = [one.rect for one in candidates if one.tag in ("html", "body") and one.rect is not None]
    width = max([PAGE_WIDTH, *(x + across for x, _, across, _ in roots if x + across <= _TALLEST)])
    bottoms = [one.rect[1] + one.rect[3] for one in candidates if one.rect and one.rect[0] < width]
    height = max((bottom for bottom in bottoms if 0 < bottom <= _TALLEST), default=_PAGE_HEIGHT)
    return Size(math.ceil(width), math.ceil(height))


def page_tree(candidates: Sequence[Mind2WebCandidate], html: object, placement: Placement) -> TreeReading:
    """The candidates as a tree: nested as in the HTML, with its texts; without readable HTML a flat list.

    What is no candidate has no place and is left out; its text goes to the nearest candidate around it.
    """
    outline, notes = _outline(candidates, html)
    builder = TreeBuilder(TreeOrigin.DOM, placement)
    indices: list[int] = []
    for node in outline:
        parent = indices[node.parent] if node.parent >= 0 else -1
        indices.append(_add(builder, parent, node))
    reading = builder.finish()
    return TreeReading(reading.tree, (*notes, *reading.notes))


@dataclass(slots=True)
class _CandidateNode:
    candidate: Mind2WebCandidate
    parent: int
    texts: list[str] = field(default_factory=list)


def _outline(candidates: Sequence[Mind2WebCandidate], html: object) -> tuple[list[_CandidateNode], tuple[str, ...]]:
    """Candidates in pre-order with the texts around them; those that the HTML does not hold come last."""
    left = {candidate.id: candidate for candidate in candidates}
    nodes: list[_CandidateNode] = []
    notes: tuple[str, ...] = ()
    if isinstance(html, str) and html.strip():
        try:
            root = _parsed(html)
        except SourceError as error:
            root, notes = None, (f"{told_reason(error)} The elements are listed without nesting",)
        if root is None:
            notes = notes or ("the cleaned HTML cannot be read; the elements are listed without nesting",)
        else:
            _walk(root, left, nodes)
    nodes.extend(_CandidateNode(candidate, -1) for candidate in left.values())
    return nodes, notes


def _walk(root: Any, left: dict[str, Mind2WebCandidate], nodes: list[_CandidateNode]) -> None:
    """Take the candidates of the document out of `left`, in its order."""
    around = [-1]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            candidate = left.pop(element.get("backend_node_id"), None)
            if candidate is not None:
                nodes.append(_CandidateNode(candidate, around[-1]))
            around.append(len(nodes) - 1 if candidate is not None else around[-1])
            text = element.text
        else:
            around.pop()
            text = element.tail
        if text and around[-1] >= 0 and (text := " ".join(text.split())):
            nodes[around[-1]].texts.append(text)


def _parsed(html: str) -> Any:
    """The root of the cleaned HTML, which is written as XML; None when it cannot be read, SourceError beyond a limit.

    Document types are refused: the released pages have none, and entities are a way to inflate things.
    """
    check_page(len(html))
    if "<!DOCTYPE" in html or "<!ENTITY" in html:
        return None
    data = text_of(html).replace("\0", " ").encode()
    check_tags(data)
    strict = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    loose = etree.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True, recover=True
    )
    for parser in (strict, loose):
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError):
            continue
    return None


def _add(builder: TreeBuilder, parent: int, node: _CandidateNode) -> int:
    candidate = node.candidate
    if candidate.slip:
        builder.leave_out(candidate.slip)
        return parent
    x, y, width, height = candidate.rect or (0.0, 0.0, 0.0, 0.0)
    drawn = candidate.rect is not None
    edges = (x, y, x + width, y + height) if drawn else _corner(builder.placement)
    attributes, tag = candidate.attributes, candidate.tag
    kind = text_of(attributes.get("type")).lower()
    written = tag == "textarea" or (tag == "input" and kind in _WRITTEN)
    text = " ".join(node.texts) or next((text for name in _WORDS if (text := text_of(attributes.get(name)))), "")
    return builder.add(
        parent,
        edges,
        text=text[:_MAX_TEXT],
        content_description=candidate.named[:_MAX_TEXT],
        resource_id=candidate.id,
        class_name=tag,
        clickable=attributes.get("is_clickable") == "true" or tag in _CLICKABLE,
        checkable=kind in ("checkbox", "radio"),
        checked=attributes.get("input_checked") == "true",
        selected=attributes.get("option_selected") == "true",
        editable=written,
        password=kind == "password",
        visible=drawn,
    )


def _corner(placement: Placement) -> Rect:
    """The edges, in the page's frame, that come to lie in the screenshot's corner."""
    top = -placement.shift_y / placement.scale_y
    return (0.0, top, 0.0, top)


def words_of(tree: UITree | None, identity: str) -> str:
    """What the element of that id is called: its own words, else the first ones inside it. A field is called by its
    label, not by what stands in it."""
    for element in tree or ():
        if element.resource_id == identity:
            inside = (one.text or one.content_description for one in _below(tree, element.index))
            own = (element.text, element.content_description)[:: -1 if element.editable else 1]
            return next(filter(None, (*own, *inside)), "")
    return ""


def _below(tree: UITree | None, index: int) -> Iterator[Any]:
    elements = tree.elements if tree is not None else ()
    for element in elements[index + 1 :]:
        if element.depth <= elements[index].depth:
            return
        yield element
