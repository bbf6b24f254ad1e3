"""Records, gzip files and their indexes that were made to take memory or time: each is told, and costs little."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import google_crc32c
import numpy as np
import pytest

from stepscope.core import limits
from stepscope.core.archives import gzip_access, index_files
from stepscope.core.archives.example import Example
from stepscope.core.archives.gzip_access import prepare
from stepscope.core.archives.index_files import FileKey, index_file, load_index
from stepscope.core.archives.inert_pickle import load_inert
from stepscope.core.archives.spans import read_span
from stepscope.core.archives.tfrecord import Damage, TfRecord, read_records
from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.android_control_steps import count_steps
from stepscope.core.sources.example_items import read_examples
from stepscope.core.sources.tfrecord_fields import Fields

MIB = 1 << 20


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


def masked(data: bytes) -> bytes:
    value = google_crc32c.value(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def header(length: int) -> bytes:
    """A record's length with its right check sum."""
    packed = struct.pack("<Q", length)
    return packed + masked(packed)


def framed(data: bytes) -> bytes:
    return header(len(data)) + data + masked(data)


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def inside(field: int, data: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(data)) + data


def example(name: bytes, kind: int, values: bytes) -> bytes:
    """An Example of one feature; its list stands there as given."""
    return inside(1, inside(1, inside(1, name) + inside(2, inside(kind, values))))


@pytest.mark.parametrize("length", [1 << 63, (1 << 64) - 1, 1 << 40, (512 << 20) + 1])
@pytest.mark.parametrize("packed", [False, True])
def test_a_length_beyond_the_limit_ends_the_reading_though_its_sum_is_right(
    tmp_path: Path, length: int, packed: bool
) -> None:
    data = framed(b"first") + header(length) + bytes(100)
    (tmp_path / "a").write_bytes(gzip.compress(data) if packed else data)
    first, damage = read_records(tmp_path / "a")
    assert isinstance(first, TfRecord) and isinstance(damage, Damage)
    assert damage.number == 2 and "--limit-record-bytes 1GB" in damage.message


def test_a_gzip_file_gives_no_more_than_its_size_allows(tmp_path: Path) -> None:
    """Empty records, each whole and sound, without number."""
    limits.choose({"archive-ratio": 100, "archive-bytes": MIB})
    (tmp_path / "a").write_bytes(gzip.compress(framed(b"") * 250_000, 9))  # 4 MB
    *records, damage = read_records(tmp_path / "a")
    most = MIB + 100 * (tmp_path / "a").stat().st_size
    assert len(records) <= most // 16
    assert isinstance(damage, Damage)
    assert "--limit-archive-" in damage.message and "records before it are whole" in damage.message


def test_many_thousand_gzip_members_cost_no_more_than_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(b"") * 20_000 + gzip.compress(framed(b"last")))
    (record,) = read_records(tmp_path / "a")
    assert isinstance(record, TfRecord) and bytes(record.data) == b"last"
    assert read_span(tmp_path / "a", 12, 4) == b"last"


def test_a_list_in_many_parts_is_read_in_one_go() -> None:
    """As protobuf merges them; adding each to a tuple took quadratic time, minutes for these."""
    parts = inside(3, b"\x08\x07") * 200_000
    data = inside(1, inside(1, inside(1, b"a") + inside(2, parts)))
    assert Example.parse(data).ints("a") == [7] * 200_000


MANY = {
    "parts of a list": inside(1, inside(1, inside(1, b"a") + inside(2, b"\x1a\x00" * 1_001))),
    "features": inside(1, b"".join(inside(1, inside(1, b"%d" % number)) for number in range(600))),
    "unknown fields": b"\x10\x01" * 1_001,
}


@pytest.mark.parametrize("kind", MANY)
def test_fields_of_a_record_are_counted(kind: str) -> None:
    limits.choose({"record-values": 1_000})
    with pytest.raises(SourceError, match=r"more than 1,000 fields.*--limit-record-values 2000") as told:
        Example.parse(MANY[kind], place="shard", record=3)
    assert (told.value.place, told.value.record) == ("shard", "3")


LISTS: dict[str, tuple[bytes, Callable[[Example], object]]] = {
    "packed numbers": (example(b"a", 3, inside(1, bytes(1_001))), lambda found: found.ints("a")),
    "numbers": (example(b"a", 3, b"\x08\x01" * 1_001), lambda found: found.ints("a")),
    "packed fractions": (example(b"a", 2, inside(1, bytes(4_004))), lambda found: found.floats("a")),
    "texts": (example(b"a", 1, b"\x0a\x00" * 1_001), lambda found: found.texts("a")),
}


@pytest.mark.parametrize("kind", LISTS)
def test_values_of_a_feature_are_counted_before_they_are_made(kind: str) -> None:
    data, read = LISTS[kind]
    limits.choose({"record-values": 1_000})
    found = Example.parse(data)
    with pytest.raises(SourceError, match=r"'a' .*more than 1,000 fields.*--limit-record-values 2000"):
        read(found)
    limits.choose({"record-values": 1_002})  # the field, and what is packed in it
    assert read(found)


def test_a_stretch_longer_than_a_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(b"x"))
    with pytest.raises(SourceError, match=r"--limit-record-bytes 1GB"):
        read_span(tmp_path / "a", 0, 1 << 40)


def test_places_beyond_what_a_gzip_file_may_hold_are_not_looked_for(tmp_path: Path) -> None:
    limits.choose({"archive-ratio": 1, "archive-bytes": MIB})
    (tmp_path / "a").write_bytes(gzip.compress(bytes(8 * MIB)))
    assert read_span(tmp_path / "a", MIB - 10, 10) == bytes(10)
    for offset in (2 * MIB, 1 << 61):
        with pytest.raises(SourceError, match=r"unpacks to more than .*--limit-archive-bytes 2MB"):
            read_span(tmp_path / "a", offset, 10)


@pytest.fixture
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, bytes]:
    """A gzip file with an index of several places, and what it holds."""
    monkeypatch.setattr(gzip_access, "SPACING", 200_000)
    content = np.random.default_rng(3).bytes(1_500_000)
    (tmp_path / "a.gz").write_bytes(gzip.compress(content, 1))
    prepare(tmp_path / "a.gz")
    return tmp_path / "a.gz", content


def forged(index: bytes, place: int, data: bytes) -> bytes:
    return index[:place] + data + index[place + len(data) :]


FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda index: b"",
    "four thousand million places": lambda index: forged(index, 31, b"\xff" * 4),
    "no places": lambda index: forged(index, 31, bytes(4)),
    "a window of four gigabytes": lambda index: forged(index, 27, b"\xff" * 4),
    "another file's size": lambda index: forged(index, 7, struct.pack("<Q", 1 << 62)),
    "a place far behind the file": lambda index: forged(index, 35 + 18, struct.pack("<Q", 1 << 62)),
    "places in disorder": lambda index: forged(index, 35 + 18 + 8, bytes(8)),
    "more bits than an octet has": lambda index: forged(index, 35 + 18 + 16, b"\xff"),
    "a window that is not there": lambda index: index[:-1000],
    "more than it says": lambda index: index + bytes(1000),
    "noise": lambda index: np.random.default_rng(1).bytes(len(index)),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_index_with_a_right_sum_is_built_again(indexed: tuple[Path, bytes], kind: str) -> None:
    path, content = indexed
    key = FileKey.of(path)
    sound = load_index(key)
    assert sound is not None
    body = FORGERIES[kind](sound)
    head = index_files._HEADER.pack(index_files._MAGIC, len(body), google_crc32c.value(body))
    index_file(key).write_bytes(head + body)
    assert load_index(key) is None
    assert read_span(path, 1_200_000, 50) == content[1_200_000:1_200_050]
    assert load_index(key) == sound


def test_an_index_larger_than_all_may_be_is_not_read(indexed: tuple[Path, bytes]) -> None:
    path, _ = indexed
    limits.choose({"gzip-index-bytes": 1_000})
    assert load_index(FileKey.of(path)) is None


def test_values_and_texts_of_a_pickle_are_counted() -> None:
    limits.choose({"pickle-values": 1_000, "json-bytes": 1_000})
    with pytest.raises(SourceError, match=r"--limit-pickle-values 2000"):
        load_inert(iter((b"N" * 1_001,)))
    with pytest.raises(SourceError, match=r"--limit-json-bytes"):
        load_inert(iter((b"\x80\x04(" + b"X\xf4\x01\0\0" + b"a" * 500 + b"X\xf5\x01\0\0" + b"a" * 501 + b"l.",)))


def test_a_record_beyond_a_limit_is_told_with_what_to_do_and_the_rest_is_read(tmp_path: Path) -> None:
    limits.choose({"record-values": 1_000})
    (tmp_path / "a").write_bytes(framed(MANY["features"]) + framed(example(b"a", 3, b"\x08\x07")))
    problem, found = read_examples(tmp_path / "a")
    assert isinstance(problem, Problem) and isinstance(found, tuple)
    assert problem.message.startswith("record 1: ") and "--limit-record-values 2000" in problem.message
    assert found[1].ints("a") == [7]


def test_an_episode_of_more_steps_than_a_recording_has_is_refused() -> None:
    limits.choose({"episode-steps": 100})
    found = Example.parse(example(b"screenshots", 1, b"\x0a\x00" * 101))
    with pytest.raises(SourceError, match=r"101 steps.*--limit-episode-steps 200"):
        count_steps(Fields(found, lambda field, message: None))
