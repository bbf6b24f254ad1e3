"""The real reader on a picture whose words are known."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.parts import Pixels
from stepscope.models.ocr.reader import TextReader, lack

pytestmark = [
    pytest.mark.skipif(bool(lack()), reason="rapidocr is not installed"),
    pytest.mark.filterwarnings("default"),  # those of its own imports
]
WORDS = {"Turn on alarm": (30, 100), "Settings": (30, 300), "Wi-Fi": (200, 500)}
"""Where each baseline begins."""


@pytest.fixture(scope="module")
def drawn() -> Pixels:
    """Dark words on white, as large as on a phone."""
    if not hasattr(cv2, "FontFace"):
        pytest.skip("this OpenCV draws no outline fonts")
    pixels = np.full((640, 400, 3), 255, np.uint8)
    for text, place in WORDS.items():
        cv2.putText(pixels, text, place, (20, 20, 20), cv2.FontFace("sans"), 30, 500)
    return pixels


def test_words_are_found_where_they_stand(drawn: Pixels) -> None:
    reader = TextReader()
    found = {line.text: line for line in reader.read(drawn)}
    assert set(found) == set(WORDS)
    for text, (x, baseline) in WORDS.items():
        left, top, right, bottom = found[text].edges
        assert abs(left - x) < 10 and top < baseline - 10 < bottom < baseline + 15 and right > left + 50
        assert found[text].score > 0.8
    assert reader.read(np.full((200, 200, 3), 255, np.uint8)) == ()


def test_the_window_is_not_sent_to_opencvs_own_qt() -> None:
    """The package imports OpenCV by itself; ours is there before it."""
    import os

    assert importlib.util.find_spec("rapidocr") is not None
    TextReader()
    assert "cv2" not in os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "")
