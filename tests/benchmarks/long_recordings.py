"""Long recordings with screens like a phone's, for measuring how the window walks through them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np

from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.draw import encode_jpeg, encode_png
from stepscope.core.imaging.parts import Pixels
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.core.sources.sniffers.recording import EPISODE_FILE

ELEMENTS = 80


def screen(size: Size, seed: int) -> Pixels:
    """Flat areas, words, and a photograph's noise on a third of it."""
    random = np.random.default_rng(seed)
    pixels = np.full((size.height, size.width, 3), random.integers(225, 250), np.uint8)
    third = size.height // 3
    base = cv2.resize(random.integers(0, 255, (8, 6, 3)).astype(np.uint8), (size.width, third))
    pixels[:third] = np.clip(base + random.normal(0, 6, base.shape), 0, 255).astype(np.uint8)
    for line in range(size.height // 60):
        x, y = int(random.integers(0, size.width // 2)), int(random.integers(0, size.height))
        colour = tuple(int(part) for part in random.integers(0, 255, 3))
        cv2.rectangle(pixels, (x, y), (x + int(random.integers(40, 400)), y + 40), colour, -1)
        cv2.putText(pixels, f"Some words {line}", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2)
    return pixels


def tree(size: Size, elements: int = ELEMENTS, screen: int = 0) -> UITree:
    """A root with a list of rows that have words, others on each screen and up to six fewer of them."""
    elements = max(2, elements - screen % 7)
    height = size.height / elements
    rows = [
        UIElement(
            1 + row, Box(10, row * height, size.width - 10, (row + 0.9) * height, size), 0, 1,
            text=f"Row {row} of {screen}", class_name="android.widget.TextView", clickable=True,
        )
        for row in range(elements - 1)
    ]  # fmt: skip
    root = UIElement(0, Box(0, 0, size.width, size.height, size), class_name="android.widget.FrameLayout")
    return UITree((root, *rows), TreeOrigin.DUMP, size)


def write_long(folder: Path, size: Size, kind: str, screens: int, steps: int = 0, elements: int = ELEMENTS) -> Path:
    """An episode of `screens` different pictures ("png" or "jpeg"), each with a tree and a tap; `steps` of them where
    that is more: then they come again and again, each time as a file of its own."""
    writer = RecordingWriter(folder, durable=False)
    encode = encode_png if kind == "png" else encode_jpeg
    for index in range(screens):
        point = Point(size.width * (0.3 + 0.05 * (index % 9)), size.height * (0.2 + 0.07 * (index % 8)), size)
        shown = Observation(size, tree=tree(size, elements, index))
        writer.add(Step(index, shown, Tap(point)), encode(screen(size, index)))
    writer.save(Episode(folder.name, "recording", Platform.ANDROID, f"Walk through {folder.name}", ()))
    if steps > screens:
        _repeat(folder, steps)
    return folder


def _repeat(folder: Path, steps: int) -> None:
    path = folder / EPISODE_FILE
    form = json.loads(path.read_text("utf-8"))
    first = form["steps"]
    form["steps"] = []
    for index in range(steps):
        same = first[index % len(first)]
        name = Path(same["screenshot"])
        link = name.with_name(f"again-{index:05}{name.suffix}")
        if index >= len(first):
            os.link(folder / name, folder / link)
        form["steps"].append(same | {"index": index, "screenshot": str(link if index >= len(first) else name)})
    path.write_text(json.dumps(form), "utf-8")
