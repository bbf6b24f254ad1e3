"""Texts that were read, kept by what the pictures show: the same screen is read once, whichever file it is in."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stepscope.core.drafts import write_whole
from stepscope.core.imaging.parts import Pixels
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_cache_dir
from stepscope.models.ocr.lines import TextLine
from stepscope.models.ocr.reader import READER

log = logging.getLogger("stepscope")

FOLDER = "texts"


class TextCache:
    """One small file for each picture, in a folder that can be deleted at any time. Trouble with it costs only time."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or user_cache_dir() / FOLDER

    def get(self, pixels: Pixels) -> tuple[TextLine, ...] | None:
        """The lines of a picture of height × width × 3 bytes; None when it was not read, or the file is no good."""
        if not self._folder.is_dir():
            return None
        try:
            kept = read_json(self._file(pixels))
            return tuple(TextLine(text, _four(edges), float(score)) for text, edges, score in kept["lines"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("a kept text is read anew: %s", error)
            return None

    def put(self, pixels: Pixels, lines: Sequence[TextLine]) -> None:
        file = self._file(pixels)
        rows = [(line.text, line.edges, line.score) for line in lines]
        try:
            write_whole(file, json.dumps({"reader": READER, "lines": rows}, ensure_ascii=False).encode())
        except OSError as error:
            log.warning("texts of pictures are not kept: %s", error)

    def _file(self, pixels: Pixels) -> Path:
        digest = hashlib.blake2b(f"{READER} {pixels.shape}".encode(), digest_size=20)
        digest.update(np.ascontiguousarray(pixels).data)
        name = digest.hexdigest()
        return self._folder / name[:2] / f"{name}.json"


def _four(edges: Sequence[float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = map(float, edges)
    return left, top, right, bottom
