"""Which screens are asked about, what a model sees of them, and what the data is taken to tell."""

from typing import Any

import pytest

from stepscope.core.domain.action import Action, Scroll, Tap, Type
from stepscope.core.domain.affordance import MOST_ELEMENTS, Affordance
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.tasks import Setting, task_kind

SIZE = Size(200, 100)


def element(index: int, **more: Any) -> UIElement:
    return UIElement(index, more.pop("box", Box(10 * index, 10, 10 * index + 10, 20, SIZE)), **more)


ROW = (
    element(0, text="Next", class_name="android.widget.Button", clickable=True, long_clickable=True),
    element(1, editable=True, clickable=True, focused=True, password=True),
    element(2, scrollable=True, checkable=True, checked=True, enabled=False, selected=True),
    element(3, visible=False, clickable=True),
    element(4, box=Box(300, 0, 400, 50, SIZE), clickable=True),
)
TAP, LONG, TYPE, SCROLL, CHECK = Affordance


class OneEpisode:
    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    def read(self, _id: str, _place: str = "") -> Episode:
        return self._episode


def item_of(
    elements: tuple[UIElement, ...] | None = ROW, origin: TreeOrigin = TreeOrigin.ACCESSIBILITY,
    action: Action | None = None, platform: Platform = Platform.ANDROID, format: str = "f",
) -> Any:  # fmt: skip
    tree = None if elements is None else UITree(elements, origin, SIZE)
    steps = (Step(3, Observation(SIZE, tree=tree), action),)
    source: Any = OneEpisode(Episode("e", format, platform, "buy a lamp", steps, "shop"))
    (found,) = task_kind(Task.AFFORDANCE).items(source, "e", Setting())
    return found


def test_a_model_sees_words_and_boxes_and_no_flag() -> None:
    found = item_of()
    assert found.key.step == 3 and found.request.elements == (0, 1, 2), (
        "neither hidden ones nor those beside the screen"
    )
    shown = found.request.observation.tree
    assert [one.box for one in shown] == [one.box for one in ROW] and shown.elements[0].text == "Next"
    for one in shown:
        flags = (one.clickable, one.long_clickable, one.scrollable, one.checkable, one.checked, one.editable,
                 one.focused, one.selected, one.password)  # fmt: skip
        assert not any(flags) and one.enabled
    assert not hasattr(found.request, "goal")
    assert found.material.allowed == {0: {TAP, LONG}, 1: {TAP, TYPE}, 2: {SCROLL, CHECK}}
    assert found.material.told == tuple(Affordance) and found.material.done is None


def test_what_a_person_did_belongs_to_an_element() -> None:
    at = Point(15, 15, SIZE)
    assert item_of(action=Tap(at)).material.done == (1, TAP)
    assert item_of(action=Type("lamp", at)).material.done == (1, TYPE)
    assert item_of(action=Tap(Point(150, 90, SIZE))).material.done is None, "nothing is there"
    assert item_of(action=Type("lamp")).material.done is None
    assert item_of(action=Scroll(Direction.DOWN, at)).material.done is None, "which element it is on is not known"


@pytest.mark.parametrize(
    ("origin", "platform", "format", "told"),
    [
        (TreeOrigin.ACCESSIBILITY, Platform.ANDROID, "android_control", (TAP, LONG, TYPE, SCROLL, CHECK)),
        (TreeOrigin.DUMP, Platform.ANDROID, "gui_odyssey", (TAP, LONG, TYPE, SCROLL, CHECK)),
        (TreeOrigin.VIEW_HIERARCHY, Platform.ANDROID, "motif", (TAP, LONG, TYPE, SCROLL)),
        (TreeOrigin.VIEW_HIERARCHY, Platform.ANDROID, "ricosca", (TAP,)),
        (TreeOrigin.DOM, Platform.ANDROID, "recording", (TAP, LONG, TYPE, SCROLL, CHECK)),
    ],
)
def test_what_a_format_tells(origin: TreeOrigin, platform: Platform, format: str, told: tuple[Affordance, ...]) -> None:
    assert item_of(origin=origin, platform=platform, format=format).material.told == told


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"elements": None}, "The screen has no UI tree."),
        ({"elements": ()}, "The UI tree has no element that can be seen."),
        ({"elements": (element(0),)}, "The data does not tell what its elements allow."),
        ({"origin": TreeOrigin.DETECTOR}, "The data does not tell what its elements allow."),
        ({"origin": TreeOrigin.DOM, "platform": Platform.WEB}, "The data does not tell what its elements allow."),
        ({"origin": TreeOrigin.VIEW_HIERARCHY, "format": "uibert_refexp"},
         "The data does not tell what its elements allow."),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_says_why(how: dict[str, Any], why: str) -> None:
    assert item_of(**how).material.why == why


def test_of_5000_elements_the_first_are_asked_about() -> None:
    many = tuple(element(n, box=Box(0, 0, 1 + n % 50, 9, SIZE), clickable=True) for n in range(5_000))
    found = item_of(many)
    assert found.request.elements == tuple(range(MOST_ELEMENTS))
    assert found.material.left_out == 5_000 - MOST_ELEMENTS and len(found.material.allowed) == MOST_ELEMENTS
