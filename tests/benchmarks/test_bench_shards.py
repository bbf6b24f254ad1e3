"""A gigabyte of gzip TFRecords: indexing against plain inflating, memory while scanning, access to the middle.

The shards are AndroidControl's: PNG-like bytes, UI forests and actions, an episode a record. Inflating is zlib's, over
the same files, in the same run. The processes that read and index are warm, as the window makes them after its first
paint.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from statistics import median

import google_crc32c
import pytest

from stepscope.core.settings import HOME_VARIABLE
from tests.benchmarks.figures import Tell

SHARDS, EPISODES, STEPS = 4, 60, 6
SCREEN = 700_000
"""Bytes of a screenshot: 4 × 60 × 6 of them are a gigabyte."""

WORK = """
import json, resource, sys, time
from pathlib import Path
from stepscope.app.services.indexing import known_index, open_aside, warm_up
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
warm_up()
with Database.open(sys.argv[1]) as database:
    known_index(database, Path(sys.argv[2]))  # a window has made and used its store before anything is dropped on it
    began = time.perf_counter()
    first = None
    for index in open_aside(database, Path(sys.argv[2]), CancelToken()):
        first = first or time.perf_counter() - began
print(json.dumps({"seconds": time.perf_counter() - began, "first": first, "episodes": index.episodes}))
"""

SCAN = """
import json, sys, time
from pathlib import Path
from stepscope.core.sources.registry import open_known
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
source = open_known(Path(sys.argv[1]), "android_control")
seen = []
places = {}
began = time.perf_counter()
for row in source.scan():
    seen.append(resident())
    places[row.id] = row.place
seconds = time.perf_counter() - began
names = list(places)
spans = []
from stepscope.core.imaging.decode import decode
from stepscope.core.archives.spans import read_span
for name in names[len(names) // 8 :: len(names) // 12]:
    began = time.perf_counter()
    episode = source.read(name, places[name])
    read = time.perf_counter() - began
    picture = episode.steps[3].observation.screenshot
    began = time.perf_counter()
    read_span(picture.path, picture.part.offset, picture.part.length)
    spans.append((read, time.perf_counter() - began))
print(json.dumps({"seconds": seconds, "memory": seen, "access": spans}))
"""


def varint(number: int) -> bytes:
    made = b""
    while number > 127:
        made += bytes((number & 127 | 128,))
        number >>= 7
    return made + bytes((number,))


def field(number: int, data: bytes) -> bytes:
    return bytes((number << 3 | 2,)) + varint(len(data)) + data


def feature(name: str, values: list[bytes] | list[int]) -> bytes:
    if values and isinstance(values[0], int):
        listed = field(3, field(1, b"".join(varint(int(value)) for value in values)))
    else:
        listed = field(1, b"".join(field(1, bytes(value)) for value in values))  # type: ignore[arg-type]
    return field(1, field(1, name.encode()) + field(2, listed))


def masked(data: bytes) -> bytes:
    crc = google_crc32c.value(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def picture(chance: random.Random) -> bytes:
    """A PNG's beginning and end around bytes of which two thirds deflate no further, as those of a PNG."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII5B", 13, b"IHDR", 1080, 2400, 8, 2, 0, 0, 0)
    noise = chance.randbytes(SCREEN * 2 // 3)
    return head + bytes(4) + noise + bytes(SCREEN // 3) + struct.pack(">I4sI", 0, b"IEND", 0xAE426082)


def write_shards(folder: Path) -> None:
    chance = random.Random(7)
    for shard in range(SHARDS):
        path = folder / f"android_control-{shard:05}-of-{SHARDS:05}"
        with gzip.open(path, "wb", compresslevel=1) as stream:
            for number in range(EPISODES):
                screens = [picture(chance) for _ in range(STEPS)]
                actions = [json.dumps({"action_type": "click", "x": 7, "y": n}).encode() for n in range(STEPS - 1)]
                record = field(1, b"".join((
                    feature("episode_id", [shard * EPISODES + number]),
                    feature("goal", [b"Find a flight and put it into the calendar"]),
                    feature("screenshots", screens),
                    feature("accessibility_trees", [b""] * STEPS),
                    feature("screenshot_widths", [1080] * STEPS),
                    feature("screenshot_heights", [2400] * STEPS),
                    feature("actions", actions),
                    feature("step_instructions", [b"Click it"] * (STEPS - 1)),
                )))  # fmt: skip
                length = struct.pack("<Q", len(record))
                stream.write(length + masked(length) + record + masked(record))


def inflate(folder: Path) -> tuple[float, int]:
    """Seconds and bytes of inflating every file with zlib."""
    began, total = time.perf_counter(), 0
    for path in sorted(folder.iterdir()):
        inflater = zlib.decompressobj(31)
        with path.open("rb") as stream:
            while piece := stream.read(1 << 20):
                total += len(inflater.decompress(piece))
    return time.perf_counter() - began, total


def measured(code: str, home: Path, *arguments: str) -> dict:
    environment = os.environ | {HOME_VARIABLE: str(home)}
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True, env=environment)
    return json.loads(done.stdout)


def test_a_gigabyte_of_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_shards(data)
    inflate(data)
    plain, total = inflate(data)
    scans, wholes = [], []
    for turn in range(3):
        scans.append(measured(SCAN, tmp_path / f"home {turn}", str(data)))
        wholes.append(
            measured(WORK, tmp_path / f"other {turn}", f"sqlite:///{tmp_path / f'store{turn}.db'}", str(data))
        )
        again, _ = inflate(data)
        plain = min(plain, again)
    seconds = median(scan["seconds"] for scan in scans)
    whole = median(work["seconds"] for work in wholes)
    memory = scans[0]["memory"]
    reads, spans = zip(*(pair for scan in scans for pair in scan["access"]), strict=True)
    early, late = memory[len(memory) // 4] // 1024, memory[-1] // 1024
    figure("shards that hardly deflate: scan and index over zlib", seconds / plain, budget=1.3)
    figure("shards that hardly deflate: opened whole over zlib", whole / plain, budget=1.3)
    figure("shards that hardly deflate: a picture in the middle, worst", 1e3 * max(spans), "ms", budget=30)
    with capsys.disabled():
        print(
            f"\n{total / 2**30:.2f} GB inflated, zlib {plain:.2f} s. Scan with check sums and seek index "
            f"{seconds / plain:.2f} x, the whole of opening into an empty store {whole / plain:.2f} x (budget 1.3), "
            f"first rows after {median(work['first'] for work in wholes):.2f} s\n"
            f"access to the middle: a picture's bytes median {1e3 * median(spans):.1f} ms, worst "
            f"{1e3 * max(spans):.1f} (budget 30); an episode of {STEPS} screens median {1e3 * median(reads):.1f} ms\n"
            f"memory while scanning: {early} MB after a quarter, {late} MB at the end"
        )
    assert all(work["episodes"] == SHARDS * EPISODES for work in wholes)
