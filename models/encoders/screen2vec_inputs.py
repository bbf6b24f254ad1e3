"""What Screen2Vec (Li et al. 2021) reads of a screen: its components with text, class and place, and its layout as a
picture of boxes.

Released code (tobyli/Screen2Vec) is meant by (code). A component's class is one of 26 of Rico there; here it is one of
`CLASSES`, told by the words of the platform's class name (ours), so that trees of every origin can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass
from stepscope.models.features.element_tokens import name_words

HEIGHT, WIDTH = 100, 56
"""Cells of the layout's picture (Li et al. 2021; code)."""
LAYOUT = 2 * HEIGHT * WIDTH
"""Numbers of a layout: 1 where a box with text lies, then where one without (code)."""
PLACE = 4
"""Numbers of a place: left, top, right, bottom as fractions of the screen."""
MOST_COMPONENTS = 100
"""Of a screen; further ones are not read (ours)."""
NEIGHBOURS = 16
"""Components that one is told from (Li et al. 2021; code)."""

CLASSES: Mapping[str, tuple[str, ...]] = {
    "other": (),
    "image button": ("imagebutton", "floatingactionbutton", "iconbutton"),
    "radio button": ("radiobutton", "radio"),
    "check box": ("checkbox", "checkedtextview"),
    "switch": ("switch", "togglebutton", "toggle"),
    "button": ("button", "chip"),
    "input": ("edittext", "input", "textarea", "autocompletetextview", "searchview"),
    "text": ("text", "textview", "label", "span", "p", "heading"),
    "image": ("image", "imageview", "img", "icon", "svg"),
    "slider": ("seekbar", "slider", "ratingbar"),
    "progress": ("progressbar", "progress"),
    "choice": ("spinner", "select", "picker", "numberpicker"),
    "list": ("listview", "recyclerview", "gridview", "list", "ul", "table"),
    "bar": ("toolbar", "actionbar", "tab", "tablayout", "navigation", "nav", "menu"),
    "web page": ("webview", "iframe"),
    "link": ("link", "a"),
    "container": ("layout", "view", "viewgroup", "div", "section", "cardview"),
}
"""Kinds of components, and what a class name is or ends with, the first that fits (ours)."""


Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Components:
    """The components of one screen, in the tree's order: `texts`, `classes` (n,) as places in `CLASSES`, `places`
    (n, 4), `nearest` (n, 16): for each component those nearest in the tree, -1 where there are fewer. `layout` is
    (11,200)."""

    texts: tuple[str, ...]
    classes: NDArray[np.int64]
    places: Vector
    nearest: NDArray[np.int64]
    layout: Vector

    def __len__(self) -> int:
        return len(self.texts)


def components_of(observation: Observation) -> Components:
    """Visible elements with an area on the screen that have words or are leaves; none without a tree."""
    tree = observation.tree
    chosen: list[tuple[UIElement, Box]] = []
    for element in tree or ():
        box = element.box.rescaled(observation.size).clipped() if element.visible else None
        if tree is not None and box is not None and (_words(element) or not tree.children[element.index]):
            chosen.append((element, box))
    chosen = chosen[:MOST_COMPONENTS]
    classes = np.array([class_of(element.short_class) for element, _ in chosen], np.int64)
    places = np.array([_fractions(box) for _, box in chosen], np.float32).reshape(-1, PLACE)
    near = _nearest(tree, [element.index for element, _ in chosen]) if tree is not None else _none()
    return Components(tuple(_words(one) for one, _ in chosen), classes, places, near, layout_of(observation))


def class_of(name: str) -> int:
    """The number of a class name's kind, 0 where no word fits."""
    whole = "".join(name_words(name)).lower()
    for exact in (True, False):
        for number, words in enumerate(CLASSES.values()):
            if any(whole == word if exact else len(word) > 2 and whole.endswith(word) for word in words):
                return number
    return 0


def layout_of(observation: Observation) -> Vector:
    """Where the visible leaves lie, with text and without (code: the same, on a screen of 1440 × 2560)."""
    found = np.zeros((2, HEIGHT, WIDTH), np.float32)
    tree = observation.tree
    for element in tree or ():
        box = element.box.rescaled(observation.size).clipped() if element.visible else None
        if tree is None or box is None or tree.children[element.index]:
            continue
        left, top, right, bottom = _fractions(box)
        rows, columns = slice(int(top * HEIGHT), int(bottom * HEIGHT)), slice(int(left * WIDTH), int(right * WIDTH))
        found[0 if element.text.strip() else 1, rows, columns] = 1
    return found.reshape(-1)


def _words(element: UIElement) -> str:
    """As the text encoder is asked: a description where there is no text (ours)."""
    return " ".join((element.text or element.content_description).lower().split()[:32])


def _fractions(box: Box) -> tuple[float, float, float, float]:
    width, height = box.size.width, box.size.height
    return box.left / width, box.top / height, box.right / width, box.bottom / height


def _nearest(tree: UITree, chosen: Sequence[int]) -> NDArray[np.int64]:
    """For each of these elements the places of the nearest others: by the edges of the tree between them, of equally
    near ones the next in order (Li et al. 2021 try nearness in the tree and on the screen)."""
    lines = [[index, *(one.index for one in tree.ancestors(index))][::-1] for index in chosen]
    found = np.full((len(chosen), NEIGHBOURS), -1, np.int64)
    for place, line in enumerate(lines):
        others = sorted((_edges(line, lines[other]), abs(other - place), other) for other in range(len(lines)))
        near = [other for _edges_between, _steps, other in others if other != place][:NEIGHBOURS]
        found[place, : len(near)] = near
    return found


def _edges(line: Sequence[int], other: Sequence[int]) -> int:
    """Edges between two elements, each with its ancestors from the root on."""
    shared = 0
    for one, two in zip(line, other, strict=False):
        if one != two:
            break
        shared += 1
    return len(line) + len(other) - 2 * shared


def _none() -> NDArray[np.int64]:
    return np.zeros((0, NEIGHBOURS), np.int64)
