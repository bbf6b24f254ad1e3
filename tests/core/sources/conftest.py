"""Writers of tiny data sets as the formats' own pages describe them, with numbers that can be checked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from stepscope.core import limits
from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.sources.source import Source

WritePicture = Callable[..., Path]
Node = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    """What a test chooses is no longer in force after it."""
    yield
    limits.choose({})


@pytest.fixture
def write_picture() -> WritePicture:
    """Write a picture of `width` × `height`, all of one grey."""

    def write(path: Path, width: int, height: int, grey: int = 128) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        assert cv2.imwrite(str(path), np.full((height, width, 3), grey, np.uint8))
        return path

    return write


@pytest.fixture
def write_json() -> Callable[[Path, object], Path]:
    def write(path: Path, form: object) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(form), encoding="utf-8")
        return path

    return write


@pytest.fixture
def node() -> Node:
    """A node of RICO's view hierarchy with the keys that every released node has."""

    def make(bounds: object, *children: object, name: str = "android.widget.TextView", **more: Any) -> dict[str, Any]:
        extra = {key.replace("_", "-"): value for key, value in more.items()}
        return {
            "bounds": bounds,
            "rel-bounds": [0, 0, 1, 1],
            "class": name,
            "ancestors": ["android.view.View", "java.lang.Object"],
            "content-desc": [None],
            "clickable": False,
            "enabled": True,
            "visibility": "visible",
            "visible-to-user": True,
            "children": list(children),
            **extra,
        }

    return make


@pytest.fixture
def hierarchy() -> Callable[..., dict[str, Any]]:
    """A RICO view hierarchy around a root node."""

    def make(root: object, activity: str = "com.example/com.example.Main") -> dict[str, Any]:
        return {"activity_name": activity, "activity": {"root": root, "added_fragments": []}, "request_id": "1"}

    return make


@pytest.fixture
def rows() -> Callable[[Source], tuple[list[EpisodeSummary], list[Problem]]]:
    """All that a scan yields: episodes, and problems of episodes that could not be read."""

    def scan(source: Source) -> tuple[list[EpisodeSummary], list[Problem]]:
        found = list(source.scan())
        return (
            [row for row in found if isinstance(row, EpisodeSummary)],
            [row for row in found if isinstance(row, Problem)],
        )

    return scan
