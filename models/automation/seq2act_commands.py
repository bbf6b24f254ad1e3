"""Commands made up about the screens that are learned from: by the element's words, its place on the screen, its
neighbour, its number among its like.

Source: the rules of RicoSCA (Li et al. 2020, section 4.2, paper: name and type, absolute location, relative location);
sentences and geometry are ours. They are for the training split alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.domain.action import Action, Tap, Type
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.frozen import dataclass
from stepscope.models.automation.relations import edges_of, fits_kind, lies_beside
from stepscope.models.automation.screen import place_of
from stepscope.models.automation.tower_elements import ElementFeatures
from stepscope.models.seeded_random import drawn_for

COPIES = 4
"""Commands for each item."""
_TRIES = 12
_VERBS = ("click on", "click", "tap", "tap on", "select", "press", "choose", "go to", "open")
_KINDS = {"picture": ("icon", "image", "icon", "logo"), "button": ("button", "button", "option"),
          "words": ("text", "option", "link", "label"), "field": ("field", "text box", "input field"),
          "switch": ("switch", "checkbox", "toggle button")}  # fmt: skip
_SIDES = {
    "left": ("to the left of", "left to", "which is left to", "on the left side of", "left of"),
    "right": ("to the right of", "right to", "which is right to", "beside", "next to", "on the right side of"),
    "above": ("above", "on top of", "which is above", "just above"),
    "below": ("below", "under", "which is below", "just below"),
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_CORNERS = (("top", "left"), ("top", "right"), ("bottom", "left"), ("bottom", "right"), ("top", ""), ("bottom", ""),
            ("bottom", "middle"), ("top", "middle"))  # fmt: skip
_AROUND = ("at the {} of the screen", "at the {} of the page", "in the {} corner", "on the {} side", "at {}", "on {}")
_LEAST_FIT = 0.4
"""From so much on an element lies on a side of another."""


@dataclass(frozen=True, slots=True)
class MadeCommand:
    """A sentence, and which element it means (its place among those that are looked at)."""

    sentence: str
    place: int
    typed: str = ""


def invented(item: Item, request: StepRequest, elements: Sequence[ElementFeatures]) -> list[Item]:
    """At most `COPIES` further items about the same screen, drawn by episode and step."""
    drawn = drawn_for("seq2act commands", 0, request.episode, str(request.step))
    made: dict[str, MadeCommand] = {}
    for _ in range(_TRIES):
        if len(made) == COPIES or len(elements) < 2:
            break
        one = _command(elements, drawn)
        if one is not None:
            made.setdefault(one.sentence, one)
    return [_item(item, request, elements[one.place], one) for one in made.values()]


def _item(item: Item, request: StepRequest, element: ElementFeatures, command: MadeCommand) -> Item:
    point, target = place_of(element.element, request.observation)
    action: Action = Type(command.typed, point, target) if command.typed else Tap(point, target)
    step = replace(item.material, instruction=command.sentence, action=action)
    return replace(item, request=replace(request, instruction=command.sentence), material=step, reference=action.kind)


def _command(elements: Sequence[ElementFeatures], drawn: random.Random) -> MadeCommand | None:
    way = drawn.choice((by_name, by_name, by_corner, by_neighbour, by_neighbour, by_neighbour, by_number))
    return way(elements, drawn)


def by_name(elements: Sequence[ElementFeatures], drawn: random.Random) -> MadeCommand | None:
    """Some words of an element that no other has; None where the drawn one has none of its own."""
    place = drawn.randrange(len(elements))
    one = elements[place]
    words = one.words.split()
    if not words:
        return None
    said = " ".join(words[: drawn.randint(1, min(5, len(words)))])
    if sum(said in other.words for other in elements) > 1:
        return None
    if one.element.editable and drawn.random() < 0.7:
        typed = " ".join(drawn.choice(elements).words.split()[: drawn.randint(1, 4)])
        if typed:
            return MadeCommand(drawn.choice((f"type {typed} into {said}", f"enter {typed} in {said}")), place, typed)
    kind = _kind_of(one, drawn)
    after = f" {kind[1]}" if kind and drawn.random() < 0.4 else ""
    return MadeCommand(f"{drawn.choice(_VERBS)} {said}{after}", place)


def by_corner(elements: Sequence[ElementFeatures], drawn: random.Random) -> MadeCommand | None:
    """The one of a kind that is nearest to a side or corner of the screen."""
    kind = _drawn_kind(elements, drawn)
    like = _like(elements, kind[0])
    down, across = drawn.choice(_CORNERS)
    size = elements[0].box.size
    boxes = edges_of([elements[place].box for place in like])
    x = (boxes[:, 0] + boxes[:, 2]) / 2
    y = (boxes[:, 1] + boxes[:, 3]) / 2 * size.width / size.height
    far = np.abs(y - (down == "bottom"))
    if across:
        far = far + np.abs(x - {"left": 0.0, "right": 1.0, "middle": 0.5}[across])
    order = np.argsort(far, kind="stable")
    if len(like) > 1 and far[order[1]] - far[order[0]] < 0.03:
        return None
    where = f"{down} {across}".strip() if drawn.random() < 0.8 or not across else f"{across} {down}"
    around = drawn.choice(_AROUND).format(where)
    return MadeCommand(f"{drawn.choice(_VERBS)} the {kind[1]} {around}", like[int(order[0])])


def by_neighbour(elements: Sequence[ElementFeatures], drawn: random.Random) -> MadeCommand | None:
    """The one of a kind that is nearest on a side of an element which is named."""
    anchor = drawn.randrange(len(elements))
    words = elements[anchor].words
    if not words or sum(one.words == words for one in elements) > 1:
        return None
    side = drawn.choice(tuple(_SIDES))
    boxes = edges_of([one.box for one in elements])
    fit = lies_beside(boxes, boxes[anchor], side)
    fit[anchor] = 0
    order = np.argsort(-fit, kind="stable")
    kind = _kind_of(elements[int(order[0])], drawn) or ("", "option")
    like = [int(place) for place in order if not kind[0] or fits_kind(elements[place].element, frozenset((kind[0],)))]
    if fit[like[0]] < _LEAST_FIT or (len(like) > 1 and fit[like[1]] > 0.9 * fit[like[0]]):
        return None
    said = " ".join(words.split()[:5])
    what = drawn.choice((kind[1], kind[1], "option"))
    return MadeCommand(f"{drawn.choice(_VERBS)} the {what} {drawn.choice(_SIDES[side])} {said}", like[0])


def by_number(elements: Sequence[ElementFeatures], drawn: random.Random) -> MadeCommand | None:
    """The n-th of a kind, counted by rows from the top or, in one row, from the left."""
    kind = _drawn_kind(elements, drawn)
    like = _like(elements, kind[0])
    boxes = edges_of([elements[place].box for place in like])
    rows = np.round(boxes[:, 1] / 0.05)
    order = np.lexsort((boxes[:, 0], rows))
    if len(like) < 2:
        return None
    if drawn.random() < 0.25:
        return MadeCommand(f"{drawn.choice(_VERBS)} the last {kind[1]}", like[int(order[-1])])
    number = drawn.randrange(min(len(like), len(_ORDINALS)))
    start = drawn.choice(("", " from the top", " on the page")) if len(set(rows)) > 1 else " from the left"
    return MadeCommand(f"{drawn.choice(_VERBS)} the {_ORDINALS[number]} {kind[1]}{start}", like[int(order[number])])


def _kind_of(one: ElementFeatures, drawn: random.Random) -> tuple[str, str] | None:
    """A kind that the element is of, and a word for it."""
    fitting = [kind for kind in _KINDS if fits_kind(one.element, frozenset((kind,)))]
    if not fitting:
        return None
    kind = drawn.choice(fitting)
    return kind, drawn.choice(_KINDS[kind])


def _drawn_kind(elements: Sequence[ElementFeatures], drawn: random.Random) -> tuple[str, str]:
    return _kind_of(drawn.choice(elements), drawn) or ("", "option")


def _like(elements: Sequence[ElementFeatures], kind: str) -> list[int]:
    """Places of the elements of a kind; of all where it is none."""
    return [place for place, one in enumerate(elements) if not kind or fits_kind(one.element, frozenset((kind,)))]
