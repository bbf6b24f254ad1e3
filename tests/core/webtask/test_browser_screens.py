"""Pictures of pages: of what is on the screen, of the whole page and of a field, never older than the call."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Size
from stepscope.core.webtask.actions import CaptureScreen, Click, Maximize, ModifyText, ScrollBy, ScrollTo
from stepscope.core.webtask.browser import Browser, OpenPage
from stepscope.core.webtask.page import VIEWPORT, PageError, PageSource, Result
from tests.core.webtask.conftest import Opens

RED, GREEN, BLUE, GREY = (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 128, 128)


def pixels(result: Result) -> NDArray[np.uint8]:
    """Height × width × 3, red green blue."""
    image = cv2.imdecode(np.frombuffer(result.png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image[:, :, ::-1].astype(np.uint8)


def colour(image: NDArray[np.uint8], x: int, y: int) -> tuple[int, ...]:
    return tuple(int(part) for part in image[y, x])


def block(style: str, inside: str = "") -> str:
    return f'<div style="{style}">{inside}</div>'


TALL = (
    '<!doctype html><body style="margin:0;background:white">'
    + block("position:fixed;left:0;top:0;width:100%;height:20px;background:grey")
    + block("height:500px;background:red")
    + block("height:500px;background:green", '<input name="f" style="position:absolute;left:300px;top:700px">')
    + block("position:sticky;top:0;height:100px;background:lime")
    + block("height:1900px;background:blue")
)


def test_the_screen_is_what_can_be_seen(opened: Opens) -> None:
    page = opened(TALL)
    image = pixels(page.do(CaptureScreen()))
    assert image.shape == (800, 1280, 3)
    assert [colour(image, 5, y) for y in (5, 100, 499, 500, 799)] == [GREY, RED, RED, GREEN, GREEN]
    page.do(ScrollBy(y=300))
    assert page.look().scroll.y == 300
    image = pixels(page.do(CaptureScreen()))
    assert [colour(image, 5, y) for y in (5, 100, 199, 200)] == [GREY, RED, RED, GREEN]


def test_the_whole_page_has_each_of_its_parts_once(opened: Opens) -> None:
    """3,000 pixels of page through a window of 800: what stays on the screen is at its own place only."""
    page = opened(TALL)
    page.do(ScrollBy(y=200))
    size = page.look().size
    before = page.look(())
    image = pixels(page.do(CaptureScreen("page")))
    assert image.shape == (3000, size.width, 3)
    column = [colour(image, 5, y) for y in range(3000)]
    assert column[:20] == [GREY] * 20
    assert column[20:500] == [RED] * 480
    assert column[500:1000] == [GREEN] * 500
    assert column[1000:1100] == [(0, 255, 0)] * 100
    assert column[1100:] == [BLUE] * 1900
    assert page.look(()) == before
    image = pixels(page.do(CaptureScreen()))
    assert colour(image, 5, 5) == GREY  # what was hidden for the picture is there again


def test_a_wide_page_is_put_together_both_ways(opened: Opens) -> None:
    page = opened(
        '<!doctype html><body style="margin:0">'
        + block("width:3000px;height:2000px;background:linear-gradient(90deg, red 0 1500px, blue 1500px)")
    )
    image = pixels(page.do(CaptureScreen("page")))
    assert image.shape == (2000, 3000, 3)
    assert {colour(image, x, y) for x in (0, 1300, 1499) for y in (0, 900, 1999)} == {RED}
    assert {colour(image, x, y) for x in (1500, 2600, 2999) for y in (0, 900, 1999)} == {BLUE}


def test_a_field_is_cut_out_of_the_page(opened: Opens) -> None:
    page = opened(
        '<!doctype html><body style="margin:0"><div style="height:1500px"></div><textarea name="f" '
        'style="box-sizing:border-box;width:200px;height:1000px;border:0;background:blue;resize:none"></textarea>'
        '<input type="hidden" name="h">'
    )
    image = pixels(page.do(CaptureScreen("element", "f")))
    box = page.look().fields[0].box
    assert box is not None
    assert image.shape == (1000, 200, 3)
    assert {colour(image, x, y) for x in (1, 198) for y in (1, 500, 998)} == {BLUE}
    assert page.look().scroll.y == 0
    with pytest.raises(PageError, match="Field “h” is not drawn"):
        page.do(CaptureScreen("element", "h"))


def painted(style: str = "", inside: str = "") -> str:
    """A page of the colour that is filled into its field."""
    place = "position:absolute;left:600px;top:300px"
    field = f'<input name="f" style="{place}" oninput="document.body.style.background = this.value">'
    return f'<!doctype html><style>{style}</style><body style="margin:0;background:white">{field}{inside}'


PART = ("viewport", "page")
IN_TURN = [(number * 6, 255 - number * 6, number) for number in range(20)] + [(0, 0, 0), (255, 255, 255)] * 10


@pytest.mark.parametrize("part", PART)
def test_no_picture_is_older_than_the_call(opened: Opens, part: str) -> None:
    """Forty times a field makes its page another colour, and the picture taken at once has it in all its corners."""
    page = opened(painted())
    for shade in IN_TURN:
        page.do(ModifyText("f", f"rgb{shade}"))
        image = pixels(page.do(CaptureScreen(part)))
        assert [colour(image, x, y) for x, y in ((0, 0), (1279, 0), (0, 799), (1279, 799))] == [shade] * 4


def test_no_picture_of_a_tall_page_is_older_than_the_call(opened: Opens) -> None:
    """2,000 pixels of page, of which each screen has its mark in the first column."""
    page = opened(painted(inside=block("height:2000px")))
    for shade in IN_TURN[:10]:
        page.do(ModifyText("f", f"rgb{shade}"))
        image = pixels(page.do(CaptureScreen("page")))
        assert len(image) == 2000
        assert (image[:, 0] == shade).all() and (image[:, 1200] == shade).all()


@pytest.mark.parametrize(
    "hides",
    [
        ":root { filter: invert(1) }",
        ':root::after { content: "" }',
        ":root { transform: translateX(3px) }",
        ":root::after { visibility: hidden !important; opacity: 0 !important }",
    ],
)
def test_a_page_that_hides_the_mark_of_new_pictures_has_none_that_is_older(opened: Opens, hides: str) -> None:
    page = opened(painted(hides))
    for shade in IN_TURN[:2]:
        page.do(ModifyText("f", f"rgb{shade}"))
        seen = tuple(255 - part for part in shade) if "invert" in hides else shade
        assert colour(pixels(page.do(CaptureScreen())), 900, 500) == seen


def test_what_a_picture_is_known_by_is_not_told_to_the_page(opened: Opens) -> None:
    """Nothing is added to its elements, its style sheets are as before, and a dialog above all does not stand in the
    way. The names of the page's forms hide nothing."""
    page = opened(
        painted(inside='<form name="adoptedStyleSheets"></form><dialog id="d">hello</dialog><input name="told">')
        + '<input name="asked" oninput="document.querySelector(`[name=told]`).value = `${count} ${Object'
        ".getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets').get.call(document).length}`\">"
        "<script>d.showModal(); let count = 0;"
        "new MutationObserver((all) => { count += all.length; }).observe(document, {subtree: true, childList: true, "
        "attributes: true});</script>"
    )
    for part in PART:
        page.do(CaptureScreen(part))
    page.do(ModifyText("asked", "x"))
    assert page.look().values["told"] == "0 0"


def test_the_largest_window_is_that_of_a_usual_screen(opened: Opens, shared_browser: Browser) -> None:
    page = opened(TALL)
    page.do(Maximize())
    assert page.look().viewport == Size(1920, 1080)
    assert pixels(page.do(CaptureScreen())).shape == (1080, 1920, 3)
    assert opened(TALL).look().viewport == VIEWPORT


@pytest.fixture
def doubled(shared_browser: Browser) -> Iterator[OpenPage]:
    """A window of 1000 × 600 pixels, two of them for a CSS pixel."""
    shared_browser.resize(Size(1000, 600), 2.0)
    yield shared_browser.open(PageSource("test", TALL, ()))
    shared_browser.resize(VIEWPORT, 1.0)


def test_places_are_pixels_of_the_picture_at_any_scale(doubled: OpenPage) -> None:
    """The field is at 300, 700 CSS pixels, the page 3,000 of them high."""
    look = doubled.look()
    assert look.viewport == Size(1000, 600)
    assert look.size.height == 6000
    box = look.fields[0].box
    assert box is not None
    assert (box.left, box.top) == (600, 1400)
    image = pixels(doubled.do(CaptureScreen("page")))
    assert image.shape[0] == 6000
    assert [colour(image, 5, y) for y in (39, 40, 999, 1000, 1999)] == [GREY, RED, RED, GREEN, GREEN]
    doubled.do(ScrollTo("f"))
    look = doubled.look()
    doubled.do(Click(box.centre.x - look.scroll.x, box.centre.y - look.scroll.y))
    doubled.do(ModifyText("f", "x"))
    assert doubled.look().values == {"f": "x"}


def test_a_page_without_end_has_a_picture_with_one(opened: Opens) -> None:
    page = opened('<!doctype html><body style="margin:0">' + block("height:100000px;background:red"))
    assert page.look().size.height == 100_000
    assert pixels(page.do(CaptureScreen("page"))).shape[0] == 16_000
