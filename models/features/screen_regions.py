"""Regions of a screen, as a stream of words and regions reads them: the elements of its UI tree.

Source: VisualBERT (Li et al. 2019) and Wu et al. 2022, section 5.2 (paper): a picture as regions that a detector found,
each a vector with its place. On a screen the elements of its UI tree stand for them (ours): what kind of element it is,
its state and where it lies. What is written on it is not among the numbers, so that a screen alone is no words.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Box
from stepscope.models.encoders.screen2vec_inputs import CLASSES, class_of

MOST_REGIONS = 36
"""Of a picture; so many a detector of the papers gives (Anderson et al. 2018)."""
BOX = 6
"""Numbers of a place: left, top, right, bottom, width, height as shares of the picture (Chen et al. 2020, UNITER)."""
_ROWS, _COLUMNS = 12, 6
"""Cells of the screen in which a region's middle lies."""
_STATES = ("clickable", "checked", "selected", "editable", "scrollable")
SIZE = len(CLASSES) + len(_STATES) + 1 + BOX + _ROWS + _COLUMNS
"""Numbers of a region: its kind (`screen2vec_inputs.CLASSES`), its states, whether it has words, its place, and the row
and the column of its middle."""
VERSION = 1


def tree_regions(tree: UITree) -> NDArray[np.float16]:
    """(n, SIZE) of the visible elements on the screen that have words or nothing inside, in the tree's order; where
    there are more than MOST_REGIONS, so many spread evenly over them."""
    found = [(one, box) for one in tree if (box := _shown(tree, one)) is not None]
    if len(found) > MOST_REGIONS:
        found = [found[at] for at in np.linspace(0, len(found) - 1, MOST_REGIONS).round().astype(int)]
    whole = np.zeros((len(found), SIZE), np.float16)
    for row, (element, box) in zip(whole, found, strict=True):
        _fill(row, element, box)
    return whole


def place_of(left: float, top: float, right: float, bottom: float) -> tuple[float, ...]:
    """The numbers of a place, of its edges as shares of the picture."""
    return left, top, right, bottom, right - left, bottom - top


def _shown(tree: UITree, element: UIElement) -> Box | None:
    """Its box on the screen, None of one that is not read."""
    words = element.text or element.content_description
    if not element.visible or (tree.children[element.index] and not words):
        return None
    return element.box.rescaled(tree.size).clipped()


def _fill(row: NDArray[np.float16], element: UIElement, box: Box) -> None:
    size = box.size
    kinds = len(CLASSES)
    states = kinds + len(_STATES) + 1
    row[_kind(element.short_class)] = 1
    row[kinds:states] = [
        *(getattr(element, name) for name in _STATES),
        bool(element.text or element.content_description),
    ]
    edges = box.left / size.width, box.top / size.height, box.right / size.width, box.bottom / size.height
    row[states : states + BOX] = place_of(*edges)
    down, across = (edges[1] + edges[3]) / 2, (edges[0] + edges[2]) / 2
    row[states + BOX + min(_ROWS - 1, int(down * _ROWS))] = 1
    row[states + BOX + _ROWS + min(_COLUMNS - 1, int(across * _COLUMNS))] = 1


@cache
def _kind(name: str) -> int:
    return class_of(name)
