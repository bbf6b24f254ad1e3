"""PP-OCR by way of RapidOCR, whose package carries the networks: nothing is fetched, no picture leaves the machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from stepscope.core.errors import UnavailableError
from stepscope.core.imaging.opencv import cv2, load_opencv
from stepscope.core.imaging.parts import Pixels
from stepscope.models.ocr.lines import TextLine

READER = "rapidocr 3"
"""What results are kept under: another reader may read otherwise."""
LEAST_SCORE = 0.5
"""Lines that the reader is less sure of are left out: the reader's own default."""


def lack() -> str:
    """Why no text can be read on this machine and what to do, "" when it can."""
    if find_spec("rapidocr") is None:
        return "Reading text needs rapidocr: pip install 'stepscope[ocr]'."
    return "" if find_spec("onnxruntime") else "Reading text needs onnxruntime: pip install 'stepscope[ocr]'."


class TextReader:
    """Holds the loaded networks. Loading takes seconds, a screen most of one; both belong into a process of their own.

    Raises UnavailableError where the package is not installed.
    """

    def __init__(self) -> None:
        if (why := lack()) != "":
            needed, _, hint = why.partition(": ")
            raise UnavailableError(f"{needed}.", hint=f"Install it: {hint}")
        load_opencv()  # before a package that imports it by itself, so that it leaves Qt's variables alone
        from rapidocr import RapidOCR

        params: dict[str, Any] = {"Global.log_level": "critical", "Global.text_score": LEAST_SCORE}
        params["Global.use_cls"] = False  # screens are not upside down
        self._engine: Any = RapidOCR(params=params)

    def read(self, pixels: Pixels) -> tuple[TextLine, ...]:
        """The lines of text on height × width × 3 bytes (RGB)."""
        found = self._engine(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
        if found.boxes is None:
            return ()
        return tuple(
            TextLine(text, _edges(corners), float(score))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if text.strip()
        )


def _edges(corners: Any) -> tuple[float, float, float, float]:
    """The upright box around four corners."""
    (left, top), (right, bottom) = np.min(corners, axis=0).tolist(), np.max(corners, axis=0).tolist()
    return left, top, right, bottom
