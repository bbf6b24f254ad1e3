"""Vectors of texts, of screens and of parts of them, by the encoders that a model stands on.

Preparing (reading, decoding, cutting) may happen in any thread; the encoders run in the caller's, in batches of what is
not known yet. Several encoders of one kind are told as one: their vectors stand one behind the other. The usual ones
are all-MiniLM-L6-v2 (int8; 384 numbers of length 1) and MobileNetV2 on ImageNet (the 1280 numbers before the classes,
of length 1), both in ONNX Runtime whichever runtime the model above them uses, so that it sees the same numbers.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from weakref import WeakValueDictionary

import numpy as np

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import picture_digest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.settings import user_cache_dir
from stepscope.models.encoders.encoder import TextEncoder, ViewEncoder
from stepscope.models.encoders.registry import TEXTS, VIEWS
from stepscope.models.features.cache import FILE_NAME, FeatureCache, KeptVectors, Vector
from stepscope.models.learned.encoder_choice import TEXT_SIZE, VIEW_SIZE

_BATCH = 32
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture or a part of one, on its way: `key` names the content, `pixels` what each encoder is still to see of it
    (None: its vector is known already)."""

    key: bytes
    pixels: tuple[Pixels | None, ...] = field(repr=False, compare=False, default=())


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors that were asked for. A text or view that was not asked for is a KeyError. The sizes are those of all
    encoders of a kind together."""

    texts: Mapping[str, Vector]
    views: Mapping[bytes, Vector]
    text_size: int = TEXT_SIZE
    view_size: int = VIEW_SIZE

    def text(self, text: str) -> Vector:
        """(text_size,); zeros for no words. Of encoders that give sequences (tokens, text_size)."""
        return self.texts[text] if text.strip() else np.zeros(self.text_size, np.float32)

    def mean_text(self, texts: Sequence[str]) -> Vector:
        """The mean over the texts with words; zeros for none."""
        found = [self.texts[text] for text in texts if text.strip()]
        return np.mean(found, axis=0, dtype=np.float32) if found else np.zeros(self.text_size, np.float32)

    def view(self, view: ImageView | None) -> Vector:
        """(view_size,); zeros for no picture. Of encoders that give sequences (places, view_size)."""
        return np.zeros(self.view_size, np.float32) if view is None else self.views[view.key]


class Features:
    """The encoders of a model over one cache. `fingerprint` names them all: a model is asked with vectors of the
    fingerprint that it was trained on. `computed_by` tells what they run in here."""

    def __init__(
        self, texts: Sequence[TextEncoder], views: Sequence[ViewEncoder] = (), kept: KeptVectors | None = None
    ) -> None:
        """Without `views` every picture is None, for models that look at no pictures. Raises UsageError where encoders
        that give sequences stand beside others: these cannot be put one behind the other."""
        for encoders in (texts, views):
            if len({(one.sequence, one.size if one.sequence else 0) for one in encoders}) > 1:
                raise UsageError(
                    "Encoders that give sequences can stand only beside such of the same size.",
                    hint="Name encoders with one vector each, or one encoder with a sequence.",
                )
        self._texts, self._views, self._kept = tuple(texts), tuple(views), kept
        # Cut already and held by a request on its way: neighbours often show the same screen.
        self._held: WeakValueDictionary[bytes, Pixels] = WeakValueDictionary()
        self.gives_sequences = any(one.sequence for one in texts) or any(one.sequence for one in views)
        self.text_size = _size(self._texts)
        self.view_size = _size(self._views) if views else VIEW_SIZE
        self.fingerprint = "; ".join([*_fingerprints(texts), *(_fingerprints(views) or ["no pictures"])])
        parts = [one.computed_by for one in texts] + [one.computed_by for one in views]
        self.computed_by = "; ".join(dict.fromkeys(parts))

    def views_of(self, picture: Picture | None, boxes: Sequence[Box | None] = (None,)) -> tuple[ImageView | None, ...]:
        """A view for each box in pixels of the picture, None for the whole. Decodes at most once, and only when a
        vector is missing. None for a box without area inside the picture. Raises SourceError."""
        if picture is None or not self._views:
            return tuple(None for _ in boxes)
        digest = picture_digest(picture)
        pixels: Pixels | None = None
        found: list[ImageView | None] = []
        for box in boxes:
            place = pixels_of(box, picture.size.width, picture.size.height)
            if place is None:
                found.append(None)
                continue
            content = f"{digest} {place if box else ''}"
            wanted: list[Pixels | None] = []
            for encoder in self._views:
                key = _key(encoder, content)
                if self._kept is not None and self._kept.has(key):
                    wanted.append(None)
                    continue
                cut = self._held.get(key)
                if cut is None:
                    if pixels is None:
                        pixels = decode(picture)
                    left, top, right, bottom = place
                    cut = self._held[key] = encoder.prepared(pixels[top:bottom, left:right])
                wanted.append(cut)
            found.append(ImageView(content.encode(), tuple(wanted)))
        return tuple(found)

    def vectors(self, texts: Iterable[str], views: Iterable[ImageView | None] = ()) -> Vectors:
        """All that is asked for, each distinct one once. Raises OutOfMemory."""
        words = list(dict.fromkeys(text for text in texts if text.strip()))
        seen = {view.key: view for view in views if view is not None}
        by_text = [self._texts_by(encoder, words) for encoder in self._texts]
        by_view = [self._views_by(place, list(seen.values())) for place in range(len(self._views))]
        return Vectors(
            {text: _joined(encoder[at] for encoder in by_text) for at, text in enumerate(words)},
            {key: _joined(encoder[at] for encoder in by_view) for at, key in enumerate(seen)},
            self.text_size,
            self.view_size,
        )

    def _texts_by(self, encoder: TextEncoder, texts: Sequence[str]) -> list[Vector]:
        keys = [_key(encoder, text) for text in texts]
        known = self._kept.get(keys) if self._kept else {}
        new = [place for place, key in enumerate(keys) if key not in known]
        fresh: dict[bytes, Vector] = {}
        if new:
            fresh = dict(zip((keys[at] for at in new), encoder.embed([texts[at] for at in new]), strict=True))
        return self._all(encoder, keys, known, fresh)

    def _views_by(self, place: int, views: Sequence[ImageView]) -> list[Vector]:
        encoder = self._views[place]
        keys = [_key(encoder, view.key.decode()) for view in views]
        known = self._kept.get(keys) if self._kept else {}
        new = [at for at, key in enumerate(keys) if key not in known]
        fresh: dict[bytes, Vector] = {}
        for first in range(0, len(new), _BATCH):
            part = new[first : first + _BATCH]
            pixels = [views[at].pixels[place] for at in part]
            if any(one is None for one in pixels):
                raise RuntimeError("a vector that was kept is gone: was the cache cleared?")
            made = encoder.embed([one for one in pixels if one is not None])
            fresh.update(zip((keys[at] for at in part), made, strict=True))
        return self._all(encoder, keys, known, fresh)

    def _all(
        self,
        encoder: TextEncoder | ViewEncoder,
        keys: Sequence[bytes],
        known: Mapping[bytes, Vector],
        fresh: Mapping[bytes, Vector],
    ) -> list[Vector]:
        """Those that were kept and those that are new, which are kept from now on."""
        if self._kept is not None:
            self._kept.put({key: np.ravel(vector) for key, vector in fresh.items()})
        whole = {**known, **fresh}
        found = [whole[key] for key in keys]
        return [one.reshape(-1, encoder.size) for one in found] if encoder.sequence else found


def _joined(parts: Iterable[Vector]) -> Vector:
    """What the encoders give of one thing. Sequences stand one after the other; vectors one behind the other, each
    brought to length 1 so that none drowns the others, and the whole too, so that products are cosines (ours)."""
    several = list(parts)
    if several[0].ndim > 1:
        return several[0] if len(several) == 1 else np.concatenate(several)
    whole = several[0] if len(several) == 1 else np.concatenate([_unit(one) for one in several])
    return _unit(whole)


def _unit(vector: Vector) -> Vector:
    """The vector at length 1; itself where it has that length up to rounding, or none."""
    length = float(np.linalg.norm(vector))
    return vector if not length or abs(length - 1) < _ROUNDING else vector / np.float32(length)


def _size(encoders: Sequence[TextEncoder] | Sequence[ViewEncoder]) -> int:
    if encoders and encoders[0].sequence:
        return encoders[0].size
    return sum(one.size for one in encoders)


def _fingerprints(encoders: Sequence[TextEncoder] | Sequence[ViewEncoder]) -> list[str]:
    return [one.fingerprint for one in encoders]


def _key(encoder: TextEncoder | ViewEncoder, content: str) -> bytes:
    name = f"{encoder.fingerprint}, {encoder.computed_by}"
    whole = name.encode() + b"\x1f" + content.encode("utf-8", "replace")
    return hashlib.blake2b(whole, digest_size=16).digest()


def pixels_of(box: Box | None, width: int, height: int) -> tuple[int, int, int, int] | None:
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


def load_features(
    texts: str = TEXTS, views: str = VIEWS, *, device: str = "auto", kept: KeptVectors | None = None
) -> Features:
    """The encoders that these references name (`models.encoders.registry`); without `texts` none of texts, without
    `views` none of pictures. Raises
    UsageError for names that there are not, UnavailableError with what to install, UserError for files that are not
    those they should be."""
    from stepscope.models.encoders.registry import load_texts, load_views

    seen = load_views(views, device=device) if views else ()
    read = load_texts(texts, device=device) if texts else ()
    return Features(read, seen, kept or feature_cache())
