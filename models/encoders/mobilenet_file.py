"""MobileNetV2 for ONNX Runtime: made once out of the packaged weights, kept in the user's cache folder."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.imaging.parts import Pixels
from stepscope.core.settings import user_cache_dir
from stepscope.models.encoders import screen_files
from stepscope.models.encoders.images import (
    NAME_KEY,
    PREPARATION_KEY,
    WEIGHTS_KEY,
    ImageEncoder,
    load_onnx,
    packaged_mobilenet,
)
from stepscope.models.encoders.mobilenet_graph import MAP_SIZE, build, read_weights
from stepscope.models.encoders.preparation import Preparation
from stepscope.models.encoders.screen_files import MOBILENET_SHA256

log = logging.getLogger("stepscope")

PREPARATION = Preparation(224, 224, None, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225), "bilinear")
"""The whole screen squashed: a phone's screen cut to its middle would lose bars and keyboard (ours)."""
_GRAPH = 1
POOLED, MAP = "pooled", "map"
"""Outputs: the 1280 numbers before the classes; 320 in each of the 49 places of the last bottleneck's map, row by row,
which tell where something is."""


class ScreenEncoder:
    """The encoder of screens and parts of them; see `ViewEncoder`."""

    def __init__(self, encoder: ImageEncoder, output: str = POOLED) -> None:
        self._encoder = encoder
        self.sequence = output == MAP
        self.size = MAP_SIZE if self.sequence else 1280
        self.device = encoder.runtime.device
        which = f", {output}" if self.sequence else ""
        name = f"MobileNetV2 {MOBILENET_SHA256[:16]}, graph {_GRAPH}{which}"
        self.fingerprint = f"{name}, preparation {PREPARATION.name}"
        self.computed_by = encoder.runtime.computed_by

    def prepared(self, pixels: Pixels) -> Pixels:
        """224 × 224 × 3 bytes."""
        return PREPARATION.apply(pixels)

    def embed(self, prepared: Sequence[Pixels]) -> NDArray[np.float32]:
        """n × 1280 numbers, or n × 49 × 320, each row of length 1."""
        return self._encoder.embed(prepared)


def load_screens(*, device: str = "auto", folder: Path | None = None, output: str = POOLED) -> ScreenEncoder:
    """The encoder; its file is made in `folder` (the user's cache) where it is not there yet, or for this time alone
    where nothing can be kept there.

    Raises UnavailableError with what to install, UserError for weights that are not those they should be.
    """
    screen_files.find()
    which = "-map" if output == MAP else ""
    place = (folder or user_cache_dir()) / f"mobilenet_v2-{MOBILENET_SHA256[:8]}-{_GRAPH}{which}.onnx"
    if place.is_file():
        try:
            return ScreenEncoder(load_onnx(place, device=device), output)
        except UserError:
            with suppress(OSError):
                place.unlink(missing_ok=True)  # half written or of another program: made anew
    try:
        _make(place, output)
        return ScreenEncoder(load_onnx(place, device=device), output)
    except OSError as error:
        log.warning("%s cannot be kept, and is made anew each time: %s", place, reason(error))
    try:
        with tempfile.TemporaryDirectory(prefix="stepscope-") as passing:
            _make(Path(passing) / place.name, output)
            return ScreenEncoder(load_onnx(Path(passing) / place.name, device=device), output)
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=place, hint=advice(error)) from error


def _make(place: Path, output: str) -> None:
    metadata = {
        NAME_KEY: "MobileNetV2",
        PREPARATION_KEY: json.dumps(asdict(PREPARATION)),
        WEIGHTS_KEY: MOBILENET_SHA256,
    }
    weights, places = read_weights(packaged_mobilenet()), output == MAP
    data = build(weights, PREPARATION.mean, PREPARATION.std, metadata, places=places)
    write_whole(place, data)
