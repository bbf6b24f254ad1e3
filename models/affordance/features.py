"""A screen as the affordance network sees it: each element's words, class and id, its box, and a small picture of it.

No flag of the tree is looked at: a request has none. All of it is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.evaluation.predictor import ScreenRequest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.resampling import resized
from stepscope.models.automation.seq2act_features import CLASSES, class_of
from stepscope.models.automation.tower_elements import geometry_of, names_of
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Features, Vectors, pixels_of
from stepscope.models.learned.recipe import Array, Example, PreparedRequest, padded

SIDE = 20
"""Pixels of the small picture of an element, across and down."""
GEOMETRY, FACTS = 6, 8 + len(CLASSES)
_MARGIN = 0.15
"""Of the element's width and height, what is seen around it on each side."""


@dataclass(frozen=True, slots=True)
class AskedElement:
    """An element that is asked about, its words, class and id in words, and its box on the screen. `around` is the
    place, among those asked about, of the smallest one that it lies in, −1 for none."""

    element: UIElement
    words: str
    names: str
    box: Box
    around: int


@dataclass(frozen=True, slots=True)
class ScreenElements:
    """A request taken apart; `pictures` (elements, 20, 20, 3) bytes, None where no picture is looked at."""

    tree: UITree | None
    elements: tuple[AskedElement, ...]
    pictures: Array | None


def prepare(request: ScreenRequest, features: Features) -> PreparedRequest:
    """With the texts of all elements and the screen's picture; without encoders of pictures none is looked at. Raises
    SourceError for a picture that cannot be read."""
    tree, picture = request.observation.tree, request.observation.screenshot
    size = request.observation.size
    found = [] if tree is None else [tree.elements[index] for index in request.elements]
    boxes = [_box(element, size) for element in found]
    elements = tuple(
        AskedElement(element, shortened(element.text or element.content_description), names_of(element), box, around)
        for element, box, around in zip(found, boxes, lying_in(boxes), strict=True)
    )
    views = features.views_of(picture)
    seen = picture is not None and views[0] is not None
    pictures = small_pictures(picture, boxes) if seen and picture is not None else None
    texts = dict.fromkeys(text for one in elements for text in (one.words, one.names))
    return PreparedRequest(request, tuple(texts), views, ScreenElements(tree, elements, pictures))


def example(draft: PreparedRequest, vectors: Vectors) -> Example:
    """`screen` (view,); by element `words`, `names` (n, text) in half precision, `geometry` (n, 6), `facts` (n, 23),
    `around` (n, 1) a place from 1 on or 0, `pictures` (n, 20, 20, 3) bytes, `seen` (n, 1) 1 where there is one."""
    asked: ScreenElements = draft.rest
    count = len(asked.elements)
    pictures = np.zeros((count, SIDE, SIDE, 3), np.uint8) if asked.pictures is None else asked.pictures
    return {
        "screen": vectors.view(draft.views[0]),
        "words": _texts([one.words for one in asked.elements], vectors),
        "names": _texts([one.names for one in asked.elements], vectors),
        "geometry": geometry_rows(asked.elements),
        "facts": facts_of(asked),
        "around": np.array([one.around + 1 for one in asked.elements], np.int64).reshape(-1, 1),
        "pictures": pictures,
        "seen": np.full((count, 1), float(asked.pictures is not None), np.float32),
    }


def collate(examples: Sequence[Example]) -> tuple[Array, ...]:
    """Screen (n, view); by element words, names, geometry, facts, around (n, e), pictures in 0..1, seen, mask."""
    screen = np.stack([one["screen"] for one in examples])
    words, names = (padded([one[name].astype(np.float32) for one in examples])[0] for name in ("words", "names"))
    geometry, facts = (padded([one[name] for one in examples])[0] for name in ("geometry", "facts"))
    around = padded([one["around"][:, 0] for one in examples])[0]
    pictures = padded([one["pictures"] for one in examples])[0].astype(np.float32) / 255
    seen, mask = padded([one["seen"][:, 0] for one in examples])
    return screen, words, names, geometry, facts, around, pictures, seen, mask


def lying_in(boxes: Sequence[Box]) -> list[int]:
    """For each box the place of the smallest other one that it lies in, −1 for none; of equal boxes each lies in the
    one before it."""
    if not boxes:
        return []
    edges = np.array([(box.left, box.top, box.right, box.bottom) for box in boxes])
    area, places = np.array([box.area for box in boxes]), np.arange(len(boxes))
    inside = (edges[:, None, :2] >= edges[None, :, :2]).all(axis=2) & (edges[:, None, 2:] <= edges[None, :, 2:]).all(
        axis=2
    )
    same = area[:, None] == area[None, :]
    holds = inside & np.where(same, places[:, None] > places[None, :], True)
    # the smallest first, of the same size the last one
    order = np.lexsort((-places, area))
    first = holds[:, order].argmax(axis=1)
    found = np.where(holds.any(axis=1), order[first], -1)
    return [int(place) for place in found]


def geometry_rows(elements: Sequence[AskedElement]) -> Array:
    """(elements, 6): middle, width, height, root of the area, and whether anything that is asked about lies in it; all
    in fractions of the screen."""
    holders = {one.around for one in elements}
    rows = [[*geometry_of(one.box), float(place in holders)] for place, one in enumerate(elements)]
    return np.array(rows, np.float32).reshape(-1, GEOMETRY)


def facts_of(asked: ScreenElements) -> Array:
    """(elements, 23): which words it has, depth in the tree, children, how many are like it, its place; its class."""
    elements, tree = asked.elements, asked.tree
    like = Counter(one.element.class_name for one in elements)
    rows = np.zeros((len(elements), FACTS), np.float32)
    for place, one in enumerate(elements):
        element = one.element
        children = 0 if tree is None else len(tree.children[element.index])
        rows[place, :8] = [
            bool(element.text), bool(element.content_description), bool(element.short_id), min(element.depth, 20) / 20,
            min(children, 10) / 10, children == 0, min(like[element.class_name], 10) / 10, place / len(elements),
        ]  # fmt: skip
        rows[place, 8 + class_of(element)] = 1.0
    return rows


def small_pictures(picture: Picture, boxes: Sequence[Box]) -> Array:
    """(boxes, 20, 20, 3) bytes: each with a margin, squashed. Raises SourceError."""
    pixels = decode(picture)
    height, width = pixels.shape[:2]
    found = np.zeros((len(boxes), SIDE, SIDE, 3), np.uint8)
    for place, box in enumerate(boxes):
        across, down = _MARGIN * box.width, _MARGIN * box.height
        grown = Box(box.left - across, box.top - down, box.right + across, box.bottom + down, box.size)
        at = pixels_of(grown.rescaled(Size(width, height)), width, height)
        if at is not None:
            left, top, right, bottom = at
            found[place] = resized(np.ascontiguousarray(pixels[top:bottom, left:right]), Size(SIDE, SIDE))
    return found


def _box(element: UIElement, size: Size) -> Box:
    """Its part on the screen; an element that is asked about has one."""
    return element.box.rescaled(size).clipped() or Box(0, 0, 0, 0, size)


def _texts(texts: Sequence[str], vectors: Vectors) -> Array:
    found = np.zeros((len(texts), vectors.text_size), np.float16)
    for place, text in enumerate(texts):
        found[place] = vectors.text(text)
    return found
