"""Screens as batches of arrays for Screen2Vec: texts to vectors by the text encoder, padded to one length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.models.encoders.encoder import TextEncoder
from stepscope.models.encoders.screen2vec_inputs import NEIGHBOURS, PLACE, Components, Vector

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ScreenBatch:
    """n screens with up to c components: `texts` (n, c, t), `classes` (n, c), `places` (n, c, 4), `lengths` (n,) from 1
    on (a screen without components has one of zeros), `layouts` (n, 11200), `nearest` (n, c, 16), `words` (n, c): the
    components' texts as places in `vocabulary` (v, t), -1 for none."""

    texts: Vector
    classes: Numbers
    places: Vector
    lengths: Numbers
    layouts: Vector
    nearest: Numbers
    words: Numbers
    vocabulary: Vector


def text_vectors(encoder: TextEncoder, screens: Sequence[Components]) -> dict[str, Vector]:
    """The vectors of all texts, each once. Raises UsageError for an encoder that gives sequences."""
    if encoder.sequence:
        raise UsageError("Screen2Vec needs one vector a text.", hint="Choose the encoder's pooled output.")
    texts = list(dict.fromkeys(text for screen in screens for text in screen.texts if text))
    return dict(zip(texts, encoder.embed(texts), strict=True)) if texts else {}


def batch_of(screens: Sequence[Components], vectors: Mapping[str, Vector], size: int) -> ScreenBatch:
    """`size` is that of the texts' vectors. A component without a text has zeros for it."""
    count, longest = len(screens), max(1, *map(len, screens)) if screens else 1
    words = {
        text: at for at, text in enumerate(dict.fromkeys(one for screen in screens for one in screen.texts if one))
    }
    batch = ScreenBatch(
        np.zeros((count, longest, size), np.float32),
        np.zeros((count, longest), np.int64),
        np.zeros((count, longest, PLACE), np.float32),
        np.array([max(1, len(screen)) for screen in screens], np.int64),
        np.stack([screen.layout for screen in screens]),
        np.full((count, longest, NEIGHBOURS), -1, np.int64),
        np.full((count, longest), -1, np.int64),
        np.stack([vectors[text] for text in words]) if words else np.zeros((0, size), np.float32),
    )
    for row, screen in enumerate(screens):
        length = len(screen)
        batch.classes[row, :length], batch.places[row, :length] = screen.classes, screen.places
        batch.nearest[row, :length] = screen.nearest
        for place, text in enumerate(screen.texts):
            if text:
                batch.texts[row, place], batch.words[row, place] = vectors[text], words[text]
    return batch
