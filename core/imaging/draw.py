"""Marks into pixels, without a window: for exports, reports and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import accumulate, groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import Mark
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.boxes import outlines
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.resampling import resized
from stepscope.core.imaging.sketch import PicturePlacement, sketch
from stepscope.core.imaging.strokes import Fill, Grid, Ink, Pair, Raster, Stroke, TextStroke, dashes, is_closed, polygon

TYPICAL_SIDE = 412
"""Short side, in logical pixels, of the phone screens for which a glyph's 22 units were chosen."""
JPEG_QUALITY = 90
WEBP_QUALITY = 80
"""Words on a small screen are as easy to read as in a JPEG of `JPEG_QUALITY` (looked at)."""
WEBP_EFFORT = 2
"""Of 6: screens are as small as with 4, the library's own, in half the time; with 0 a quarter larger in a third."""
_FINE = 4
"""Masks are drawn this much larger and averaged."""
_FINE_LIMIT = 24_000_000
"""Largest mask in pixels before it is drawn at its own size."""
_SHIFT = 4
"""Bits of a pixel's fraction that OpenCV is given."""
_TREE_LINE = 0.6
"""Width of a UI element's box in units: finer than on the glass, where a line cannot be less than a pixel."""
_FEW = 4
"""A mask of which less than one pixel in so many is touched is gone through by its touched pixels."""
_BAND = 512
"""Rows of an attached picture that are blended at once."""
_FAR = 1_000_000.0
"""Places further out are drawn here: OpenCV counts in 32 bits."""


def render_step(
    pixels: Pixels,
    marks: Sequence[Mark],
    scale: float | None = None,
    strengths: Mapping[Layer, float] | None = None,
    reduced_from: Size | None = None,
) -> Pixels:
    """A copy of the picture with marks on it.

    `scale` is the size of a glyph's unit in pixels; without it, glyphs are as large on the picture as on a phone.
    `strengths` weakens layers (0..1). `reduced_from` is the size that the picture has where `pixels` are a reduced copy
    of the same shape: everything is drawn as much smaller, which is much quicker than to reduce what was drawn.
    """
    height, width = pixels.shape[:2]
    size = reduced_from or Size(width, height)
    share = width / size.width
    unit = max(1.0, min(size.width, size.height) / TYPICAL_SIDE) * share if scale is None else scale
    frame = PicturePlacement(0.0, 0.0, share, unit, size, Rect(0.0, 0.0, float(width), float(height)))
    sheet = Canvas(pixels, unit)
    for ink in sketch(marks, frame, sheet.lettering.width, strengths).inks:
        sheet.draw(ink)
    return sheet.pixels


def encode_png(pixels: Pixels) -> bytes:
    """The picture as a PNG file's bytes."""
    done, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    if not done:
        raise ValueError("the picture cannot be encoded")
    return data.tobytes()


def encode_webp(pixels: Pixels, quality: int = WEBP_QUALITY) -> bytes:
    """The picture as a lossy WebP file; `quality` 0..100. No side may be longer than 16,383 pixels."""
    from PIL import Image  # OpenCV's WebP cannot be told how hard to try

    file = BytesIO()
    Image.fromarray(pixels).save(file, "WEBP", quality=quality, method=WEBP_EFFORT)
    return file.getvalue()


def encode_jpeg(pixels: Pixels, quality: int = JPEG_QUALITY) -> bytes:
    """The picture as a JPEG file; `quality` 0..100."""
    swapped = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".jpg", swapped, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture cannot be encoded")
    return data.tobytes()


class TextRenderer:
    """Text by OpenCV: its own outline fonts, which know most scripts; drawn strokes where the library is older."""

    def __init__(self) -> None:
        self._face = cv2.FontFace("sans") if hasattr(cv2, "FontFace") else None

    def width(self, text: str, size: float, weight: int) -> float:
        """Width in pixels of a text at a font size in pixels."""
        if self._face is None:
            (width, _), _ = cv2.getTextSize(_ascii(text), cv2.FONT_HERSHEY_DUPLEX, size / 30, 1)
            return float(width)
        end, _ = cv2.putText(_NOWHERE, text, (0, 0), (0, 0, 0), self._face, max(1, round(size)), weight)
        return float(end[0])

    def put(self, pixels: Pixels, ink: TextStroke, left: float) -> None:
        """Write into the pixels."""
        place, colour = (round(left), round(ink.baseline)), rgb(ink.colour)
        if self._face is None:
            thick = max(1, round(ink.size * ink.weight / 8000))
            cv2.putText(
                pixels, _ascii(ink.text), place, cv2.FONT_HERSHEY_DUPLEX, ink.size / 30, colour, thick, cv2.LINE_AA
            )
        else:
            cv2.putText(pixels, ink.text, place, colour, self._face, max(1, round(ink.size)), ink.weight)


_NOWHERE: Pixels = np.zeros((1, 1, 3), np.uint8)


def _ascii(text: str) -> str:
    """What the drawn strokes can write; the rest becomes a question mark, dots stay dots."""
    plain = text.translate({ord("●"): "*", ord("“"): '"', ord("”"): '"', ord("…"): "...", ord("–"): "-"})
    return plain.encode("ascii", "replace").decode()


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """A part of the sheet, `fine` times as large, in which shapes are drawn once however they overlap."""

    values: Pixels
    left: int
    top: int
    fine: int

    @classmethod
    def around(cls, shapes: Sequence[NDArray[np.float64]], width: float, sheet: Pixels) -> Mask | None:
        """An empty mask for shapes drawn `width` wide; None when all lie outside the sheet."""
        if not shapes:
            return None
        corners, reach = np.concatenate(shapes), width / 2 + 2
        left, top = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int).tolist()
        limit = (sheet.shape[1], sheet.shape[0])
        right, bottom = np.minimum(np.ceil(corners.max(axis=0) + reach), limit).astype(int).tolist()
        if right <= left or bottom <= top:
            return None
        fine = _FINE if (right - left) * (bottom - top) * _FINE**2 <= _FINE_LIMIT else 1
        return cls(np.zeros(((bottom - top) * fine, (right - left) * fine), np.uint8), left, top, fine)

    def places(self, shapes: Sequence[NDArray[np.float64]]) -> list[NDArray[np.int32]]:
        """Corners of shapes on the sheet, in the mask as OpenCV takes them: from the first pixel's centre, in
        fractions. All at once, since a dashed line is hundreds of shapes."""
        inside = np.clip((np.concatenate(shapes) - (self.left, self.top)) * self.fine - 0.5, -_FAR, _FAR)
        placed = np.round(inside * (1 << _SHIFT)).astype(np.int32)
        ends = list(accumulate(map(len, shapes)))
        return [placed[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def averaged(self) -> Pixels:
        """The mask in the sheet's own pixels."""
        height, width = self.values.shape[0] // self.fine, self.values.shape[1] // self.fine
        return resized(self.values, Size(width, height))


class Canvas:
    """Pixels that are drawn on."""

    def __init__(self, pixels: Pixels, unit: float) -> None:
        self.pixels: Pixels = np.array(pixels[:, :, :3], np.uint8, order="C")
        self.lettering = TextRenderer()
        self._unit = unit

    def draw(self, ink: Ink) -> None:
        match ink:
            case Fill():
                self._fill(ink)
            case Stroke():
                self._stroke(ink)
            case Grid():
                self._grid(ink)
            case TextStroke():
                self._words(ink)
            case Raster():
                self._raster(ink)

    def _fill(self, ink: Fill) -> None:
        shapes = [np.array(polygon(outline)) for outline in ink.outlines]
        mask = Mask.around(shapes, 1.0, self.pixels)
        if mask is not None:
            placed = mask.places(shapes)
            for together in [placed] if ink.even_odd else [[one] for one in placed]:
                cv2.fillPoly(mask.values, together, (255,), cv2.LINE_AA, _SHIFT)
            self._blend(mask.left, mask.top, mask.averaged(), ink.colour, ink.opacity)

    def _stroke(self, ink: Stroke) -> None:
        lines = _lines(ink)
        shapes = [np.array(points) for points, _ in lines]
        mask = Mask.around(shapes, ink.width, self.pixels)
        if mask is not None:
            thick = max(1, round(ink.width * mask.fine))
            placed = zip(mask.places(shapes), (closed for _, closed in lines), strict=True)
            for closed, alike in groupby(placed, itemgetter(1)):
                together = [corners for corners, _ in alike]
                cv2.polylines(mask.values, together, closed, (255,), thick, cv2.LINE_AA, _SHIFT)
            self._blend(mask.left, mask.top, mask.averaged(), ink.colour, ink.opacity)

    def _blend(self, left: int, top: int, mask: Pixels, colour: str, opacity: float) -> None:
        """Lay a colour through a mask (255: wholly) whose corner is at a pixel. An outline touches few pixels of its
        rectangle: only those are counted with."""
        patch = self.pixels[top : top + mask.shape[0], left : left + mask.shape[1]]
        touched = np.nonzero(mask) if cv2.countNonZero(mask) * _FEW < mask.size else ...
        under, share = patch[touched], mask[touched][..., None].astype(np.float32) * (opacity / 255)
        patch[touched] = np.rint(under + (np.array(rgb(colour), np.float32) - under) * share).astype(np.uint8)

    def _grid(self, ink: Grid) -> None:
        height, width = self.pixels.shape[:2]
        thick = max(1, round(self._unit * _TREE_LINE))
        mask = outlines(ink.boxes + np.array([ink.left, ink.top] * 2), width, height, thick)
        self._blend(0, 0, mask * np.uint8(255), ink.colour, ink.opacity)

    def _raster(self, ink: Raster) -> None:
        """Stretched to its rectangle, in whole pixels of the sheet."""
        height, width = self.pixels.shape[:2]
        left, right = (min(max(round(edge), 0), width) for edge in (ink.rect.left, ink.rect.right))
        top, bottom = (min(max(round(edge), 0), height) for edge in (ink.rect.top, ink.rect.bottom))
        if right <= left or bottom <= top:
            return
        layer = resized(ink.pixels, Size(right - left, bottom - top))
        for first in range(0, bottom - top, _BAND):  # a tall page at once would take gigabytes
            some = layer[first : first + _BAND]
            patch = self.pixels[top + first : top + first + len(some), left:right]
            share = some[:, :, 3:].astype(np.float32) * (ink.opacity / 255)
            patch[:] = np.rint(patch + (some[:, :, :3].astype(np.float32) - patch) * share).astype(np.uint8)

    def _words(self, ink: TextStroke) -> None:
        left = ink.x - self.lettering.width(ink.text, ink.size, ink.weight) / 2 if ink.centred else ink.x
        if ink.opacity >= 1:
            self.lettering.put(self.pixels, ink, left)
            return
        before = self.pixels.copy()
        self.lettering.put(self.pixels, ink, left)
        cv2.addWeighted(self.pixels, ink.opacity, before, 1 - ink.opacity, 0, self.pixels)


def _lines(ink: Stroke) -> list[tuple[tuple[Pair, ...], bool]]:
    """The stroke's lines with whether each is closed; a dashed one is cut up here.

    OpenCV rounds the ends of every piece by half the width: pieces are that much shorter.
    """
    lines = [(polygon(outline), is_closed(outline)) for outline in ink.outlines]
    if not ink.dash:
        return lines
    line, gap = ink.dash
    shorter = min(ink.width, line - 0.5)
    return [
        (piece, False) for points, closed in lines for piece in dashes(points, closed, (line - shorter, gap + shorter))
    ]
