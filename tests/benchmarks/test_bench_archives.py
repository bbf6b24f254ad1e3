"""A gigabyte of gzip TFRecord: scanned with its index against zlib's bare inflate; any place of it; memory.

Two kinds: PNG pictures, which gzip cannot pack (as AndroidControl), and raw screens, which it can (as Android in the
Wild). Ratios count, since both sides run on the same machine in the same minute; each is the better of two.
"""

from __future__ import annotations

import gzip
import random
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import median

import google_crc32c
import numpy as np
import pytest

from stepscope.core.archives.gzip_access import close_all, prepare, prepared_beside, read_span
from stepscope.core.archives.index_files import FileKey, index_file
from stepscope.core.archives.tfrecord import TfRecord, read_records
from stepscope.core.imaging.opencv import cv2
from tests.benchmarks.figures import Tell

INFLATED = 1_000_000_000
SPAN = 500_000
READS = 40
_MEASURED = """
import sys
from pathlib import Path
from stepscope.core.archives.tfrecord import read_records
from stepscope.core.archives.gzip_access import prepared_beside
def high():
    with open("/proc/self/status") as status:  # getrusage would count the process that this one came from
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
records = read_records(Path(sys.argv[1]))
with prepared_beside(Path(sys.argv[1])):
    for place, _ in enumerate(records):
        if place == 10: early = high()
    late = high()
print(early, late)
"""


def masked(data: bytes) -> bytes:
    value = google_crc32c.value(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def screen(random: np.random.Generator) -> np.ndarray:
    """Flat areas, words and a photograph, as on a phone."""
    pixels = np.full((2400, 1080, 3), 245, np.uint8)
    for _ in range(40):
        x, y, w, h = (int(random.integers(*bounds)) for bounds in ((0, 1080), (0, 2400), (20, 500), (20, 300)))
        cv2.rectangle(pixels, (x, y), (x + w, y + h), tuple(int(v) for v in random.integers(0, 255, 3)), -1)
    for _ in range(60):
        place = (int(random.integers(0, 1080)), int(random.integers(0, 2400)))
        cv2.putText(pixels, f"word {random.integers(10**9)}", place, 0, 1.1, (20, 20, 20), 2)
    noise = random.integers(0, 255, (600, 700, 3), dtype=np.uint8)
    pixels[200:800, 100:800] = cv2.GaussianBlur(noise, (0, 0), 3)
    return pixels


@pytest.fixture(scope="module", params=["png", "raw"])
def shard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    generator = np.random.default_rng(3)
    screens = [screen(generator) for _ in range(24)]
    pictures = [cv2.imencode(".png", pixels)[1].tobytes() for pixels in screens]
    path = tmp_path_factory.mktemp("shard") / f"{request.param}.tfrecord.gz"
    written = 0
    with gzip.open(path, "wb", compresslevel=6) as stream:
        for number in range(1_000_000):
            if written >= INFLATED:
                break
            if request.param == "png":
                data = b"".join(pictures[int(n)] for n in generator.permutation(24)[:8])
            else:
                data = np.roll(screens[number % 24], number * 13, axis=0).tobytes()
            length = struct.pack("<Q", len(data))
            stream.write(length + masked(length) + data + masked(data))
            written += len(data) + 16
    return request.param, path


def best(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def inflate(path: Path) -> None:
    inflater = zlib.decompressobj(31)
    with path.open("rb") as stream:
        while data := stream.read(1 << 18):
            inflater.decompress(data)


def scan(path: Path) -> None:
    assert all(isinstance(record, TfRecord) for record in read_records(path))


def index(path: Path) -> None:
    index_file(FileKey.of(path)).unlink(missing_ok=True)
    prepare(path)


def scan_and_index(path: Path) -> None:
    index_file(FileKey.of(path)).unlink(missing_ok=True)
    with prepared_beside(path):
        scan(path)


def test_scanning_costs_no_more_than_inflating(
    shard: tuple[str, Path], own_home: Path, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    kind, path = shard
    inflate(path)  # the file lies in the system's memory now
    zlibs, both, alone, indexed = (best(lambda f=f: f(path)) for f in (inflate, scan_and_index, scan, index))
    size = index_file(FileKey.of(path)).stat().st_size
    figure(f"{kind}: scan and index over zlib", both / zlibs, budget=1.3)
    with capsys.disabled():
        print(f"\n{kind}: {path.stat().st_size / 1e6:.0f} MB, {INFLATED / 1e9:.0f} GB inflated; zlib {zlibs:.2f} s")
        print(f"  scan and index {both / zlibs:.2f}, scan alone {alone / zlibs:.2f}, index alone {indexed / zlibs:.2f}")
        print(f"  of zlib's time (budget for both: 1.3); the index has {size / 1e6:.0f} MB")


def test_any_place_is_near(
    shard: tuple[str, Path], own_home: Path, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    kind, path = shard
    prepare(path)
    draw, seconds = random.Random(1), []
    for _ in range(READS):
        offset = draw.randrange(INFLATED - SPAN)
        began = time.perf_counter()
        assert len(read_span(path, offset, SPAN)) == SPAN
        seconds.append(time.perf_counter() - began)
    close_all()
    began = time.perf_counter()
    read_span(path, INFLATED // 2, SPAN)
    first = time.perf_counter() - began
    close_all()
    worst = max(seconds[1:]) * 1000
    figure(f"{kind}: {SPAN // 1000} KB anywhere, worst", worst, "ms", budget=30)
    with capsys.disabled():
        print(f"\n{kind}: {SPAN // 1000} KB anywhere: median {median(seconds) * 1000:.1f}, worst {worst:.1f} ms")
        print(f"  the first one, with the index to be read: {first * 1000:.1f} ms (budget: 30)")


def test_memory_stays_flat(shard: tuple[str, Path], own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind, path = shard
    found = subprocess.run([sys.executable, "-c", _MEASURED, path], check=True, capture_output=True, text=True)
    early, late = map(int, found.stdout.split())
    with capsys.disabled():
        print(f"\n{kind}: at most {early} MB resident after ten records, {late} MB after all, index included")
