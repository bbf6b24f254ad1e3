"""Screenshots as small files: few colours, WebP without loss.

A screen of the sample apps is made of flat colours and the edges of letters. Taking 64 colours instead of several
thousand changes no shape and halves the file; the file itself loses nothing more (docs/sample.md has the measures).
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2

COLOURS = 64
JPEG_QUALITY = 90
_LOSSLESS = 101
"""A WebP quality above 100 asks OpenCV for the lossless kind."""

_OWN_COLOUR = 0.3
"""A group takes its most frequent colour when that covers this share of the group's pixels, else the mean."""


def encode(pixels: bytes, size: Size, colours: int = COLOURS) -> bytes:
    """RGB rows as a WebP file with at most `colours` colours; the same pixels always give the same bytes."""
    image = _blue_first(reduced(_image(pixels, size), colours))
    ok, data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, _LOSSLESS])
    if not ok:
        raise RuntimeError("the picture could not be encoded")
    return bytes(data)


def encode_quickly(pixels: bytes, size: Size) -> bytes:
    """RGB rows as a JPEG file of good quality: a twentieth of the time of `encode`, for small pictures in numbers."""
    ok, data = cv2.imencode(".jpg", _blue_first(_image(pixels, size)), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not ok:
        raise RuntimeError("the picture could not be encoded")
    return bytes(data)


def _image(pixels: bytes, size: Size) -> NDArray[np.uint8]:
    return np.frombuffer(pixels, np.uint8).reshape(size.height, size.width, 3)


def _blue_first(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(image[:, :, ::-1])


def reduced(image: NDArray[np.uint8], colours: int) -> NDArray[np.uint8]:
    """The image with at most `colours` colours, found by splitting the group that varies most until there are enough.

    Groups are weighed by the square root of their area, so that small coloured things keep their colours.
    """
    flat = image.reshape(-1, 3).astype(np.int32)
    keys, places, counts = np.unique(
        (flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2], return_inverse=True, return_counts=True
    )
    found = np.stack([keys >> 16, (keys >> 8) & 255, keys & 255], axis=1)
    if len(found) <= colours:
        return image
    table = np.zeros((len(found), 3), np.uint8)
    for group in _groups(found.astype(np.float64), np.sqrt(counts), colours):
        table[group] = _colour_of(found[group], counts[group])
    result: NDArray[np.uint8] = table[places.reshape(-1)].reshape(image.shape)
    return result


def _groups(found: NDArray[np.float64], weights: NDArray[np.float64], wanted: int) -> list[NDArray[np.intp]]:
    everything = np.arange(len(found))
    heap = [(-_spread(found, weights).sum(), 0, everything)]
    made = 1
    while len(heap) < wanted and heap[0][0] < 0:
        group = heapq.heappop(heap)[2]
        inside, weight = found[group], weights[group]
        axis = int(_spread(inside, weight).argmax())
        low = inside[:, axis] <= np.average(inside[:, axis], weights=weight)
        for half in (group[low], group[~low]):
            if len(half):
                heapq.heappush(heap, (-_spread(found[half], weights[half]).sum(), made, half))
                made += 1
    return [group for _, _, group in heap]


def _spread(colours: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted squared distance from the mean, by channel."""
    mean = np.average(colours, axis=0, weights=weights)
    spread: NDArray[np.float64] = (((colours - mean) ** 2) * weights[:, None]).sum(axis=0)
    return spread


def _colour_of(colours: NDArray[np.int32], counts: NDArray[np.intp]) -> NDArray[np.int32]:
    most = int(counts.argmax())
    own = counts[most] >= counts.sum() * _OWN_COLOUR
    colour = colours[most] if own else np.rint(np.average(colours, axis=0, weights=counts))
    return np.asarray(colour, np.int32)
