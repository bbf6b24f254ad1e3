"""Pictures of a real page, and clicks at places of them."""

from __future__ import annotations

import base64
import importlib.util
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.page import Page, PageSource
from stepscope.models.webtask.page_settings import PageSettings
from stepscope.models.webtask.prompt import PagePicture
from stepscope.models.webtask.shots import field_shot, page_shot
from stepscope.models.webtask.solver import PageModel
from tests.models.webtask.talk import Says, request

HTML = """<!DOCTYPE html><body style="margin:0; background:white">
<div style="position:absolute; left:100px; top:1900px; width:200px; height:100px; background:#f00"></div>
<input type=radio name=good value=0 style="position:absolute; left:192px; top:1942px; margin:0; width:16px">
<textarea name=why style="position:absolute; left:100px; top:2500px; width:300px; height:100px"></textarea>
</body>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no browser engine (PySide6)")
    running = Browser()
    yield running
    running.close()


@pytest.fixture
def page(browser: Browser) -> Page:
    names = {"good": FieldType.RADIO, "why": FieldType.TEXTAREA}
    return browser.open(PageSource("test", HTML, tuple(names), names))


def red(shot: PagePicture) -> tuple[float, float]:
    """The middle of what is red in the picture."""
    data = base64.b64decode(shot.url.partition(",")[2])
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None and pixels.shape[:2] == (shot.size.height, shot.size.width)
    rows, columns = np.nonzero((pixels[..., 2] > 150) & (pixels[..., 1] < 100))
    return float(np.median(columns)), float(np.median(rows))


def test_a_place_of_the_picture_is_a_place_of_the_page(page: Page) -> None:
    whole, part = page_shot(page), field_shot(page, "good")
    assert whole is not None and part is not None
    assert whole.shot.size.height == 2048  # a page of 2,600 and more is scaled to it
    for shot in (whole, part):
        assert shot.place(*red(shot.shot)) == pytest.approx((200, 1950), abs=4)
    assert part.top > 1000 and part.shot.what == "the part of the page around the field"


@pytest.mark.parametrize("html", ["full", "relevant"])
def test_a_model_clicks_at_what_it_sees(page: Page, html: str) -> None:
    seen = page_shot(page) if html == "full" else field_shot(page, "good")
    assert seen is not None
    x, y = red(seen.shot)
    program = f"click({x}, {y})"
    setting = PageSettings(html=html, vision=True)  # type: ignore[arg-type]
    look = page.look(("good",))
    PageModel(Says(program), setting).solve(page, look, request())
    assert page.look(("good",)).values == {"good": "0"}


def test_what_is_clicked_is_typed_into(page: Page) -> None:
    seen = page_shot(page)
    assert seen is not None
    x, y = 200 / seen.across, 2550 / seen.down
    look = page.look(("why",))
    PageModel(Says(f"click({x}, {y})\ntype('warm')"), PageSettings(vision=True)).solve(page, look, request())
    assert page.look(("why",)).values == {"why": "warm"}
