from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.widgets.hierarchy.locators import bounds, locator

SIZE = Size(1080, 2400)


def node(index: int, parent: int, identity: str = "", text: str = "", name: str = "a.View") -> UIElement:
    box = Box(index, 10, index + 20, 40, SIZE)
    return UIElement(index, box, parent, text=text, resource_id=identity, class_name=name)


def tree(*elements: UIElement, origin: TreeOrigin = TreeOrigin.DUMP) -> UITree:
    return UITree(elements, origin, SIZE)


def test_a_unique_id_comes_before_the_words_and_they_before_the_path() -> None:
    screen = tree(node(0, -1), node(1, 0, "app:id/oval", "OK"), node(2, 0, "", "START"), node(3, 0), node(4, 0))
    assert locator(screen, 1) == "id=app:id/oval"
    assert locator(screen, 2) == '//*[@text="START"]'
    assert locator(screen, 4) == "/a.View[1]/a.View[4]"


def test_an_id_that_several_bear_is_no_locator() -> None:
    rows = tree(node(0, -1), node(1, 0, "row", "One"), node(2, 0, "row", "Two"))
    assert locator(rows, 2) == '//*[@text="Two"]'


def test_descriptions_and_quotes() -> None:
    screen = tree(node(0, -1), node(1, 0, "", 'Say "hi"'), replace(node(2, 0), content_description="More"))
    assert locator(screen, 1) == "//*[@text='Say \"hi\"']"
    assert locator(screen, 2) == '//*[@content-desc="More"]'
    both = tree(node(0, -1), node(1, 0, "", 'It\'s "it"'))
    assert locator(both, 1) == "/a.View[1]/a.View[1]", "XPath has no way to write both quotes"


def test_a_page_is_told_by_tags() -> None:
    page = tree(
        node(0, -1, "1", name="body"),
        node(1, 0, "2", name="p"),
        node(2, 0, "3", name="div"),
        node(3, 2, "4", "Go", name="a"),
        node(4, 2, "5", name="a"),
        node(5, 2, "6", name=""),
        origin=TreeOrigin.DOM,
    )
    assert locator(page, 3) == "body > div > a:nth-of-type(1)"
    assert locator(page, 4) == "body > div > a:nth-of-type(2)"
    assert locator(page, 5) == "body > div > *"


def test_bounds_as_android_writes_them() -> None:
    assert bounds(node(4, -1)) == "[4,10][24,40]"
