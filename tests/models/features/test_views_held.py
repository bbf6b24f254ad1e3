from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.opencv import cv2
from stepscope.models.features import vectors
from stepscope.models.features.vectors import Features


class Plain:
    """An encoder that takes pictures as they are."""

    fingerprint = computed_by = "plain"
    size, sequence = 3, False

    def prepared(self, pixels: Any) -> Any:
        return pixels.copy()


def test_a_screen_that_a_waiting_request_holds_is_not_decoded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((4, 3, 3), 7, np.uint8))
    picture, decoded = Picture(tmp_path / "a.png", Size(3, 4)), []
    decode = vectors.decode
    monkeypatch.setattr(vectors, "decode", lambda one: decoded.append(one) or decode(one))
    features = Features((), (Plain(),))  # type: ignore[arg-type]
    (first,) = features.views_of(picture)
    (second,) = features.views_of(picture)
    assert first is not None and second is not None
    assert second.pixels[0] is first.pixels[0] and len(decoded) == 1
    del first, second
    gc.collect()
    features.views_of(picture)
    assert len(decoded) == 2  # nothing is kept beyond the requests
