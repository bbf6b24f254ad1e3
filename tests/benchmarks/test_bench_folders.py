"""Indexing 10,000 MoTIF traces against reading the same bytes once, and UI trees against parsing their JSON.

The set is generated: five states each, with a JPEG of some 20 KB and a view hierarchy of some 30 KB.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.motif import open_motif
from stepscope.core.sources.tree_builder import Placement
from stepscope.core.sources.view_hierarchies import read_view_hierarchy
from tests.benchmarks.figures import Tell

TRACES, STATES, APPS = 10_000, 5, 125
TASK = {"trace_type": "action", "seconds_spent": 31, "feasibility": {"binary": "No", "reason": "unclear"}}
ROUNDS = 5


def picture() -> bytes:
    noise = np.random.default_rng(0).integers(0, 90, (16, 9, 3), np.uint8)
    encoded, data = cv2.imencode(".jpg", cv2.resize(noise, (540, 960)), [cv2.IMWRITE_JPEG_QUALITY, 75])
    assert encoded and 12_000 < data.size < 40_000
    return data.tobytes()


def node(index: int, children: list[dict[str, Any]]) -> dict[str, Any]:
    left, top = index * 7 % 900, index * 31 % 1700
    return {
        "scrollable-horizontal": False, "draw": True, "ancestors": ["android.view.View", "java.lang.Object"],
        "clickable": index % 3 == 0, "pressed": "not_pressed", "focusable": False, "long-clickable": False,
        "enabled": True, "bounds": [left, top, left + 150, top + 60], "visibility": "visible",
        "content-desc": [None], "rel-bounds": [0, 0, 150, 60], "focused": False, "selected": False,
        "scrollable-vertical": False, "adapter-view": False, "abs-pos": True, "pointer": f"{index:08x}",
        "class": "android.widget.TextView", "visible-to-user": True, "package": "com.example.app",
        "resource-id": f"com.example.app:id/row_{index}", "text": f"Row number {index}", "children": children,
    }  # fmt: skip


def hierarchy() -> str:
    root = node(0, [node(index, []) for index in range(1, 46)]) | {"bounds": [0, 0, 1080, 1920]}
    text = json.dumps({"activity_name": "com.example.app/com.example.app.Main", "activity": {"root": root}})
    assert 25_000 < len(text) < 40_000
    return text


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("motif") / "raw_data"
    jpeg, tree = picture(), hierarchy().encode()
    gestures = {f"view_{state}.jpg": [[0.1 * state, 0.5], [0.1 * state, 0.5 - 0.1 * (state % 2)]] for state in range(4)}
    metadata = json.dumps({"gestures": gestures | {"view_4.jpg": []}}).encode()
    ids = [str(uuid.UUID(int=index + 1)) for index in range(TRACES)]
    for index, trace in enumerate(ids):
        folder = root / f"com.example.app{index % APPS}" / trace
        for name, data in (("screens", jpeg), ("view_hierarchies", tree)):
            (folder / name).mkdir(parents=True)
            for state in range(STATES):
                (folder / name / f"view_{state}.jpg").write_bytes(data)
        (folder / "metadata.json").write_bytes(metadata)
        (folder / "trace_info.json").write_text(json.dumps(TASK | {"task_command": f"open row {index}"}))
    (root.parent / "tasknames.csv").write_text("".join(f"{trace} open a row\n" for trace in ids))
    return root


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def read_everything(root: Path) -> int:
    """Every byte of every file, as plainly as Python can read them."""
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            file = os.open(f"{folder}/{name}", os.O_RDONLY)
            total += len(os.read(file, os.fstat(file).st_size))
            os.close(file)
    return total


def test_indexing_against_reading_the_same_bytes(
    data_set: Path, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    def index() -> None:
        rows = [row for row in open_motif(data_set).scan() if isinstance(row, EpisodeSummary)]
        assert len(rows) == TRACES
        assert rows[0].steps == STATES and dict(rows[0].actions) == {"tap": 2, "swipe": 2} and not rows[0].problems

    size = read_everything(data_set)
    index()
    pairs = [(timed(index), timed(lambda: read_everything(data_set))) for _ in range(ROUNDS)]
    ratios = [indexing / reading for indexing, reading in pairs]
    figure("indexing MoTIF traces over reading the bytes", median(ratios), budget=1.3)
    with capsys.disabled():
        print(
            f"\n{TRACES:,} MoTIF traces, {size / 1e9:.2f} GB: indexed in {median(a for a, _ in pairs):.2f} s, read in"
            f" {median(b for _, b in pairs):.2f} s, ratio {median(ratios):.2f} (budget 1.3),"
            f" {min(ratios):.2f} to {max(ratios):.2f}"
        )
    assert ratios


def test_first_rows_do_not_wait_for_the_rest(data_set: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    waits = [timed(lambda: next(iter(open_motif(data_set).scan()))) for _ in range(ROUNDS)]
    figure("first row of MoTIF traces", median(waits), "s", budget=0.3)
    with capsys.disabled():
        print(f"\nfirst row of {TRACES:,} traces after {median(waits) * 1e3:.0f} ms")


def processor_time(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def test_trees_against_parsing_their_json(capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    """The least of many, of the processor: a tree takes less than a turn of the system's clock."""
    data = hierarchy().encode()
    placement = Placement.stretched(1080, 1920, Size(540, 960))
    pairs = [
        (
            processor_time(lambda: orjson.loads(data)),
            processor_time(lambda: read_view_hierarchy(data).tree(placement)),
        )
        for _ in range(500)
    ]
    assert len(read_view_hierarchy(data).tree(placement).tree or ()) == 46
    parsing, reading = (min(column) for column in zip(*pairs, strict=True))
    figure("a view hierarchy read whole, over orjson", reading / parsing, budget=1.5)
    with capsys.disabled():
        print(
            f"\na view hierarchy of {len(data) / 1e3:.0f} KB: orjson {parsing * 1e6:.0f} µs, the tree out of its"
            f" bytes {reading * 1e6:.0f} µs: {reading / parsing:.2f} times the parser alone (budget 1.5)"
        )
