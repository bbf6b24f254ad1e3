"""Pictures of a page as a model gets them, and where in the page a place of them is."""

from __future__ import annotations

import base64
from contextlib import suppress

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.draw import encode_jpeg
from stepscope.core.webtask.actions import CaptureScreen, Click, ScrollBy, ScrollTo
from stepscope.core.webtask.page import Page, PageError, PageLook
from stepscope.models.webtask.prompt import PagePicture

LARGEST = Size(1024, 2048)
"""A picture is scaled to fit into it: a page that is long and narrow stays legible longer than within a square (ours).
"""


@dataclass(frozen=True, slots=True)
class PageShot:
    """The picture, and of the page, in its pixels: what its top left corner shows, and how much a pixel of it is."""

    shot: PagePicture
    left: float
    top: float
    across: float
    down: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place in the page that this place of the picture shows."""
        return self.left + x * self.across, self.top + y * self.down


def page_shot(page: Page) -> PageShot | None:
    """The whole page, None where it gives no picture."""
    with suppress(PageError, SourceError):
        png = page.do(CaptureScreen("page")).png
        look = page.look(())
        return _shot(png, 0, 0, look.size, "the whole page")
    return None


def field_shot(page: Page, field: str) -> PageShot | None:
    """What is on the screen with the field in its middle, None where the page gives no picture."""
    with suppress(PageError):  # a field that is not drawn cannot be scrolled to
        page.do(ScrollTo(field))
    with suppress(PageError, SourceError):
        png = page.do(CaptureScreen("viewport")).png
        look = page.look(())
        return _shot(png, look.scroll.x, look.scroll.y, look.viewport, "the part of the page around the field")
    return None


def click_at(page: Page, shot: PageShot, click: Click, raw: str) -> Click:
    """A click at a place of the picture as one on the screen, scrolled there first where it is not on it. `raw` as in
    `Page.do`. Raises PageError where it cannot be scrolled."""
    x, y = shot.place(click.x, click.y)
    look = page.look(())
    if not _is_on(look, x, y):
        middle_x, middle_y = look.scroll.x + look.viewport.width / 2, look.scroll.y + look.viewport.height / 2
        page.do(ScrollBy(round(x - middle_x), round(y - middle_y)), raw=raw)
        look = page.look(())
    return Click(x - look.scroll.x, y - look.scroll.y)


def _is_on(look: PageLook, x: float, y: float) -> bool:
    return 0 <= x - look.scroll.x < look.viewport.width and 0 <= y - look.scroll.y < look.viewport.height


def _shot(png: bytes, left: float, top: float, covered: Size, what: str) -> PageShot:
    """Raises SourceError for bytes that are no picture."""
    pixels = decode_bytes(png, LARGEST)
    size = Size(pixels.shape[1], pixels.shape[0])
    url = f"data:image/jpeg;base64,{base64.b64encode(encode_jpeg(pixels)).decode()}"
    return PageShot(PagePicture(url, size, what), left, top, covered.width / size.width, covered.height / size.height)
