"""Texts as tokens and pictures as bytes, for recipes that learn from them themselves.

Stands in the place of `Features`: what is asked for comes back as tokens and packed pictures rather than vectors. A
picture is made ready once (cut, reduced) and packed without loss; it is unpacked where batches are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import picture_digest
from stepscope.core.imaging.decode import decode, decode_bytes
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.parts import Pixels
from stepscope.models.features.vectors import Features, ImageView, Vectors, pixels_of
from stepscope.models.learned.recipe import Array

if TYPE_CHECKING:
    from stepscope.models.encoders.torch_encoders import TorchTexts, TorchViews


class TunedInputs(Features):
    """`vectors` gives for each text its tokens, (tokens, inputs of the network) int64, and for each picture its packed
    bytes (n,) uint8. `frame` is height and width of a picture as the encoder takes it."""

    def __init__(self, texts: TorchTexts, views: TorchViews | None) -> None:
        super().__init__([texts], [views] if views else ())
        self.texts, self.screens = texts, views
        self.frame = (0, 0) if views is None else views.prepared(np.zeros((64, 48, 3), np.uint8)).shape[:2]

    def views_of(self, picture: Picture | None, boxes: Sequence[Box | None] = (None,)) -> tuple[ImageView | None, ...]:
        """A packed picture for each box. See `Features.views_of`."""
        if picture is None or self.screens is None:
            return tuple(None for _ in boxes)
        digest, whole = picture_digest(picture), decode(picture)
        found: list[ImageView | None] = []
        for box in boxes:
            place = pixels_of(box, picture.size.width, picture.size.height)
            if place is None:
                found.append(None)
                continue
            left, top, right, bottom = place
            prepared = self.screens.prepared(whole[top:bottom, left:right])
            found.append(ImageView(f"{digest} {place if box else ''}".encode(), (packed(prepared),)))
        return tuple(found)

    def vectors(self, texts: Iterable[str], views: Iterable[ImageView | None] = ()) -> Vectors:
        """Tokens and packed pictures of all that is asked for, of no words too."""
        tokens = {text: self._tokens(text) for text in dict.fromkeys((*texts, ""))}
        pictures = {view.key: cast(Any, view.pixels[0]) for view in views if view is not None}
        return Vectors(cast(Any, tokens), pictures, self.text_size, self.view_size)

    def _tokens(self, text: str) -> Array:
        return np.stack([one[0] for one in self.texts.tokens([text]).inputs], axis=1)


def packed(pixels: Pixels) -> Pixels:
    """A picture's bytes (n,), packed without loss."""
    return np.frombuffer(encode_png(pixels), np.uint8)


def unpacked(data: Array) -> Pixels:
    """height × width × 3 bytes."""
    return decode_bytes(data.tobytes())


def load_tuned_inputs(texts: str, views: str = "") -> TunedInputs:
    """The inputs of the encoders that are named, one of texts and one of pictures. Raises UsageError for encoders that
    do not run in torch, for several, and for those that give sequences; UnavailableError and UserError as those of
    `load_features`."""
    from stepscope.models.encoders.registry import load_texts, load_views
    from stepscope.models.encoders.torch_encoders import TorchTexts, TorchViews

    found: list[Any] = []
    for reference, load, kind in ((texts, load_texts, TorchTexts), (views, load_views, TorchViews)):
        if not reference:
            found.append(None)
            continue
        encoders: Sequence[Any] = load(reference, device="cpu")
        if len(encoders) != 1 or not isinstance(encoders[0], kind) or encoders[0].sequence:
            raise UsageError(
                f"{reference} cannot be tuned.",
                hint="Name one encoder that runs in torch and gives one vector: add its weights by "
                "'stepscope weights add', then see 'stepscope weights list'.",
            )
        found.append(encoders[0])
    return TunedInputs(*found)
