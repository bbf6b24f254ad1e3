"""A step's screen with the action drawn on it as the paper does: on the web a red box around the element, on Android a
blue plus for a touch and a blue arrow for a scroll (Berkovitch et al. 2024).

Long web pages are cut around the element. Width of lines, the share of a page that is kept and the size are ours.
"""

from __future__ import annotations

import base64
import math

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer, Layers
from stepscope.core.domain.mark import ArrowMark, BoxMark, Mark, PointMark
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import TYPICAL_SIDE, Canvas, encode_jpeg
from stepscope.core.imaging.overlay import build_marks
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.imaging.strokes import Outline, Polyline, RoundedRect, Stroke
from stepscope.models.chat.redaction import painted_over
from stepscope.models.chat.redaction_rules import Redaction, redaction_of

LONGEST_SIDE = 1024
PAGE_SHARE = 1.0
"""Height of what is usually kept of a long web page, as a share of its width."""
RED, BLUE = "#FF0000", "#0050FF"
_ARM, _LINE, _HEAD = 14.0, 4.0, 12.0
"""Half a plus, a line's width and an arrow's head on a phone's screen, in its logical pixels."""
_LAYERS = Layers.of(Layer.REFERENCE, Layer.TARGET)


def picture_url(
    seen: Observation,
    action: Action | None,
    platform: Platform,
    page: float = PAGE_SHARE,
    redaction: Redaction | None = None,
) -> str | None:
    """The drawn screen as a data URL of a JPEG; None where there is no picture. Raises SourceError."""
    file = sent_file(seen, action, platform, page, redaction)
    return None if file is None else f"data:image/jpeg;base64,{base64.b64encode(file).decode()}"


def sent_file(
    seen: Observation,
    action: Action | None,
    platform: Platform,
    page: float = PAGE_SHARE,
    redaction: Redaction | None = None,
) -> bytes | None:
    """The file that is sent of a screen, a JPEG; the same each time for the same screen, action and rules. `page`: the
    height of what is kept of a long web page, as a share of its width. `redaction` None: the rules in force, where the
    app is not known. None where there is no picture. Raises SourceError, UserError for rules that cannot be read."""
    pixels = marked_screen(seen, action, platform, page, redaction)
    if pixels is None:
        return None
    small = resized(pixels, fitted(Size(pixels.shape[1], pixels.shape[0]), Size(LONGEST_SIDE, LONGEST_SIDE)))
    return encode_jpeg(small)


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """What is shown of a screen with the action on it: `pixels` from the row `top` on of a whole picture of `size`."""

    pixels: Pixels
    size: Size
    top: int = 0


def marked_screen(
    seen: Observation,
    action: Action | None,
    platform: Platform,
    page: float = PAGE_SHARE,
    redaction: Redaction | None = None,
) -> Pixels | None:
    """The screen's pixels with the action on them, a web page cut; None where there is no picture. Errors and the rest
    as of `sent_file`."""
    part = marked_part(seen, action, platform, page, redaction)
    return None if part is None else part.pixels


def marked_part(
    seen: Observation,
    action: Action | None,
    platform: Platform,
    page: float = PAGE_SHARE,
    redaction: Redaction | None = None,
) -> MarkedPart | None:
    """The same, with where on the whole screen it lies."""
    if seen.shown is None:
        return None
    pixels = painted_over(decode(seen.shown), seen, redaction_of() if redaction is None else redaction)
    size = Size(pixels.shape[1], pixels.shape[0])
    marks = () if action is None else build_marks(Step(0, seen, action), (), layers=_LAYERS)
    box = _box(marks, size)
    unit = min(size.width, size.height) / TYPICAL_SIDE
    sheet = Canvas(pixels, unit)
    if platform is Platform.WEB:
        if box is not None:
            around = RoundedRect(Rect(box.left, box.top, box.right, box.bottom))
            sheet.draw(Stroke((around,), RED, _LINE * unit))
        top, bottom = _kept_rows(size, box, page)
        return MarkedPart(sheet.pixels[top:bottom], size, top)
    arrows = [mark for mark in marks if isinstance(mark, ArrowMark)]  # with its beginning as a point, which is no tap
    outlines = [outline for mark in arrows or marks for outline in _outlines(mark, size, unit)]
    if outlines:
        sheet.draw(Stroke(tuple(outlines), BLUE, _LINE * unit))
    return MarkedPart(sheet.pixels, size)


def place_on_screen(
    seen: Observation, action: Action | None, platform: Platform, share: tuple[float, float], page: float = PAGE_SHARE
) -> Point | None:
    """The place on the screen that `share`, of width and height of its sent picture, shows; None without a picture."""
    if seen.shown is None:
        return None
    size = seen.shown.size
    top, bottom = 0, size.height
    if platform is Platform.WEB:
        marks = () if action is None else build_marks(Step(0, seen, action), (), layers=_LAYERS)
        top, bottom = _kept_rows(size, _box(marks, size), page)
    return Point(share[0] * size.width, top + share[1] * (bottom - top), size)


def _box(marks: tuple[Mark, ...], size: Size) -> Box | None:
    """Where the action was: its element, else some room around its point."""
    for mark in marks:
        if isinstance(mark, BoxMark):
            return mark.box.rescaled(size)
    for mark in marks:
        if isinstance(mark, PointMark):
            point, room = mark.point.rescaled(size), 2 * _ARM
            return Box(point.x - room, point.y - room, point.x + room, point.y + room, size).clipped()
    return None


def _outlines(mark: Mark, size: Size, unit: float) -> list[Outline]:
    if isinstance(mark, ArrowMark):
        return _arrow(mark.start.rescaled(size), mark.end.rescaled(size), _HEAD * unit)
    if isinstance(mark, PointMark):
        point, arm = mark.point.rescaled(size), _ARM * unit
        across = Polyline(((point.x - arm, point.y), (point.x + arm, point.y)))
        return [across, Polyline(((point.x, point.y - arm), (point.x, point.y + arm)))]
    return []


def _arrow(start: Point, end: Point, head: float) -> list[Outline]:
    if (start.x, start.y) == (end.x, end.y):
        return []
    angle = math.atan2(end.y - start.y, end.x - start.x)
    sides = [angle + math.pi * 5 / 6, angle - math.pi * 5 / 6]
    tips = [(end.x + head * math.cos(side), end.y + head * math.sin(side)) for side in sides]
    return [Polyline(((start.x, start.y), (end.x, end.y))), Polyline((tips[0], (end.x, end.y), tips[1]))]


def _kept_rows(size: Size, box: Box | None, page: float) -> tuple[int, int]:
    """The part of a long page that has the element in its middle; its beginning where no element is known."""
    kept = max(1, round(size.width * page))
    if box is not None:
        kept = max(kept, math.ceil(box.bottom - box.top + 4 * _ARM))
    if size.height <= kept:
        return 0, size.height
    middle = (box.top + box.bottom) / 2 if box is not None else kept / 2
    top = min(max(0, round(middle - kept / 2)), size.height - kept)
    return top, top + kept
