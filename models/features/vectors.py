"""MiniLM vectors of texts and MobileNetV2 vectors of screens and parts of them.

Preparing (reading, decoding, cutting) may happen in any thread; the encoders run in the caller's, in batches of what is
not known yet. Texts become 384 numbers of length 1 (all-MiniLM-L6-v2, int8), pictures 1280 of length 1 (MobileNetV2 on
ImageNet, the last before the classes). Both encoders run in ONNX Runtime whichever runtime the model above them uses,
so that both see the same numbers.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.evaluation.prediction_cache import picture_digest
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.settings import user_cache_dir
from stepscope.models.features.cache import FILE_NAME, FeatureCache, Vector

TEXT_SIZE, VIEW_SIZE = 384, 1280
_BATCH = 32


class TextEncoder(Protocol):
    """See `models.encoders.sentences.SentenceEncoder`."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class ViewEncoder(Protocol):
    """See `models.encoders.images.ImageEncoder`. `fingerprint` tells weights and preparation."""

    @property
    def fingerprint(self) -> str: ...

    def prepared(self, pixels: Pixels) -> Pixels: ...

    def embed(self, prepared: Sequence[Pixels]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture or a part of one, on its way: `pixels` None when its vector is known already."""

    key: bytes
    pixels: Pixels | None = field(repr=False, compare=False, default=None)


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors that were asked for. A text or view that was not asked for is a KeyError."""

    texts: Mapping[str, Vector]
    views: Mapping[bytes, Vector]

    def text(self, text: str) -> Vector:
        """384 numbers; zeros for no words."""
        return self.texts[text] if text.strip() else _NO_TEXT

    def mean_text(self, texts: Sequence[str]) -> Vector:
        """The mean over the texts with words; zeros for none."""
        found = [self.texts[text] for text in texts if text.strip()]
        return np.mean(found, axis=0, dtype=np.float32) if found else _NO_TEXT

    def view(self, view: ImageView | None) -> Vector:
        """1280 numbers; zeros for no picture."""
        return _NO_VIEW if view is None else self.views[view.key]


_NO_TEXT = np.zeros(TEXT_SIZE, np.float32)
_NO_VIEW = np.zeros(VIEW_SIZE, np.float32)


class Features:
    """The two encoders over one cache. `fingerprint` names both; vectors of other fingerprints are others."""

    def __init__(self, texts: TextEncoder, views: ViewEncoder | None, kept: FeatureCache | None = None) -> None:
        """`views` None: every picture is None, for models that look at no pictures."""
        self._texts, self._views, self._kept = texts, views, kept
        self._text_name = texts.name.encode()
        self._view_name = views.fingerprint.encode() if views else b""
        self.fingerprint = f"{texts.name}; {views.fingerprint if views else 'no pictures'}"

    def views_of(self, picture: Picture | None, boxes: Sequence[Box | None] = (None,)) -> tuple[ImageView | None, ...]:
        """A view for each box in pixels of the picture, None for the whole. Decodes at most once, and only when a
        vector is missing. None for a box without area inside the picture. Raises SourceError."""
        if picture is None or self._views is None:
            return tuple(None for _ in boxes)
        digest = picture_digest(picture)
        pixels: Pixels | None = None
        found: list[ImageView | None] = []
        for box in boxes:
            place = _pixels_of(box, picture.size.width, picture.size.height)
            if place is None:
                found.append(None)
                continue
            key = _key(self._view_name, f"{digest} {place if box else ''}")
            if self._kept is not None and self._kept.has(key):
                found.append(ImageView(key))
                continue
            if pixels is None:
                pixels = decode(picture)
            left, top, right, bottom = place
            found.append(ImageView(key, self._views.prepared(pixels[top:bottom, left:right])))
        return tuple(found)

    def vectors(self, texts: Iterable[str], views: Iterable[ImageView | None] = ()) -> Vectors:
        """All that is asked for, each distinct one once. Raises OutOfMemory."""
        wanted_texts = {text: _key(self._text_name, text) for text in texts if text.strip()}
        wanted_views = {view.key: view for view in views if view is not None}
        known = self._kept.get([*wanted_texts.values(), *wanted_views]) if self._kept else {}
        fresh: dict[bytes, Vector] = {}
        new_texts = [text for text, key in wanted_texts.items() if key not in known]
        if new_texts:
            keys = [wanted_texts[text] for text in new_texts]
            fresh.update(zip(keys, self._texts.embed(new_texts), strict=True))
        new_views = [view for key, view in wanted_views.items() if key not in known]
        for at in range(0, len(new_views), _BATCH):
            part = new_views[at : at + _BATCH]
            fresh.update(zip((view.key for view in part), self._embed(part), strict=True))
        if self._kept is not None:
            self._kept.put(fresh)
        known |= fresh
        return Vectors(
            {text: known[key] for text, key in wanted_texts.items()}, {key: known[key] for key in wanted_views}
        )

    def _embed(self, views: Sequence[ImageView]) -> NDArray[np.float32]:
        assert self._views is not None  # there is no View without
        pixels = [view.pixels for view in views]
        if any(one is None for one in pixels):
            raise RuntimeError("a vector that was kept is gone: was the cache cleared?")
        return self._views.embed([one for one in pixels if one is not None])


def _key(name: bytes, content: str) -> bytes:
    whole = name + b"\x1f" + content.encode("utf-8", "replace")
    return hashlib.blake2b(whole, digest_size=16).digest()


def _pixels_of(box: Box | None, width: int, height: int) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom in whole pixels inside the picture; None where nothing of it is."""
    if box is None:
        return 0, 0, width, height
    left, top = max(0, math.floor(box.left)), max(0, math.floor(box.top))
    right, bottom = min(width, math.ceil(box.right)), min(height, math.ceil(box.bottom))
    return (left, top, right, bottom) if right > left and bottom > top else None


@cache
def feature_cache() -> FeatureCache:
    """The user's own, one for the process."""
    return FeatureCache(user_cache_dir() / FILE_NAME)


def load_features(*, device: str = "auto", pictures: bool = True, kept: FeatureCache | None = None) -> Features:
    """The packaged encoders. Raises UnavailableError with what to install, UserError for files that are not those
    they should be."""
    from stepscope.models.encoders.mobilenet_file import load_screens
    from stepscope.models.encoders.sentences import load

    views = load_screens(device=device) if pictures else None
    return Features(load(device=device), views, kept or feature_cache())
