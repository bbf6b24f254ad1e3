"""TFRecord files are read as TensorFlow writes them; damage is told and costs no more than it must."""

from __future__ import annotations

import gzip
import random
import resource
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import google_crc32c
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.archives.tfrecord import Damage, TfRecord, is_gzip, looks_like_tfrecord, read_records, read_span
from stepscope.core.errors import SourceError
from stepscope.core.limits import limit

Writer = Callable[..., bytes]
RECORDS = (b"first", b"", b"\x00\xff" * 700, b"vierter")
INCOMPRESSIBLE = [random.Random(number).randbytes(2000) for number in range(20)]
"""Always the same bytes: where a broken byte meets the packed data decides what can still be read."""


def masked(data: bytes) -> int:
    value = google_crc32c.value(data)
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def stored(path: Path, data: bytes, zipped: bool) -> Path:
    path.write_bytes(gzip.compress(data) if zipped else data)
    return path


def contents(path: Path) -> list[bytes | Damage]:
    return [found if isinstance(found, Damage) else bytes(found.data) for found in read_records(path)]


@pytest.mark.parametrize("zipped", [False, True])
def test_records_come_in_order_with_number_and_place(tmp_path: Path, tfrecord: Writer, zipped: bool) -> None:
    path = stored(tmp_path / "a", tfrecord(*RECORDS), zipped)
    found = list(read_records(path))
    assert [bytes(record.data) for record in found] == list(RECORDS)
    assert [record.number for record in found] == [1, 2, 3, 4]
    assert [record.offset for record in found] == [12, 12 + 5 + 16, 12 + 5 + 16 + 0 + 16, 12 + 5 + 16 + 16 + 1400 + 16]
    assert is_gzip(path) is zipped


def test_the_writer_of_this_test_agrees_with_a_known_check_sum(tfrecord: Writer) -> None:
    # CRC-32C of "123456789" is E3069283; turned right by 15 bits and moved on, that is C78D0B5A... worked out by hand:
    turned = (0xE3069283 >> 15) | (0xE3069283 << 17) & 0xFFFFFFFF
    assert tfrecord(b"123456789")[-4:] == struct.pack("<I", (turned + 0xA282EAD8) & 0xFFFFFFFF)


@pytest.mark.parametrize("zipped", [False, True])
def test_any_stretch_can_be_read_again(tmp_path: Path, tfrecord: Writer, zipped: bool) -> None:
    path = stored(tmp_path / "a", tfrecord(*RECORDS), zipped)
    for record in read_records(path):
        assert isinstance(record, TfRecord)
        assert read_span(path, record.offset, len(record.data)) == bytes(record.data)
    assert read_span(path, 0, 0) == b""
    for offset, length in ((0, 5000), (10**6, 1), (-1, 4), (4, -1), (2**63, 1), (0, 2**40)):
        with pytest.raises(SourceError):
            read_span(path, offset, length)


@pytest.mark.parametrize("zipped", [False, True])
def test_views_stay_good_after_the_next_record(tmp_path: Path, tfrecord: Writer, zipped: bool) -> None:
    records = [bytes([n]) * 300_000 for n in range(8)]  # some lie across the pieces that are read
    path = stored(tmp_path / "a", b"".join(tfrecord(record[:50]) for record in records), zipped)
    assert [bytes(r.data) for r in list(read_records(path))] == [record[:50] for record in records]


def test_records_larger_than_a_piece(tmp_path: Path) -> None:
    large = bytes(range(256)) * 12_000
    body = b"".join(
        struct.pack("<QI", len(r), masked(struct.pack("<Q", len(r)))) + r + struct.pack("<I", masked(r))
        for r in (large, b"x", large[::-1])
    )
    for zipped in (False, True):
        assert contents(stored(tmp_path / f"{zipped}", body, zipped)) == [large, b"x", large[::-1]]


@pytest.mark.parametrize("zipped", [False, True])
def test_wrong_data_is_left_out_and_reading_goes_on(tmp_path: Path, tfrecord: Writer, zipped: bool) -> None:
    data = bytearray(tfrecord(*RECORDS))
    data[12 + 1] ^= 1
    first, *rest = contents(stored(tmp_path / "a", bytes(data), zipped))
    assert first == Damage(1, "record 1 (byte 0) does not fit its check sum and is left out. Fetch the file again.")
    assert rest == list(RECORDS[1:])


@pytest.mark.parametrize("zipped", [False, True])
def test_a_wrong_length_ends_the_file(tmp_path: Path, tfrecord: Writer, zipped: bool) -> None:
    data = bytearray(tfrecord(*RECORDS))
    data[21] ^= 1  # the length of record 2
    first, damage = contents(stored(tmp_path / "a", bytes(data), zipped))
    assert first == b"first"
    assert isinstance(damage, Damage)
    assert damage.number == 2
    assert "record 2 (byte 21) has a broken length" in damage.message


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("left", [1, 11, 12, 14, 17, 20])
def test_a_cut_file_gives_what_is_whole(tmp_path: Path, tfrecord: Writer, zipped: bool, left: int) -> None:
    data = tfrecord(b"whole") + tfrecord(b"broken")[:left]
    whole, damage = contents(stored(tmp_path / "a", data, zipped))
    assert whole == b"whole"
    assert isinstance(damage, Damage)
    assert damage.message == (
        "the file is cut short at record 2 (byte 21); the records before it are whole. Fetch the file again."
    )


def test_cut_gzip_data_is_told(tmp_path: Path, tfrecord: Writer) -> None:
    data = gzip.compress(tfrecord(*INCOMPRESSIBLE))
    path = tmp_path / "a"
    path.write_bytes(data[:20_000])
    *whole, damage = contents(path)
    assert len(whole) == 9  # 20,000 of some 40,400 bytes that do not get smaller, 2,016 for each record
    assert isinstance(damage, Damage)
    assert damage.number == 10
    assert "the gzip data is cut short at record 10" in damage.message


def test_broken_gzip_data_is_told_once(tmp_path: Path, tfrecord: Writer) -> None:
    data = bytearray(gzip.compress(tfrecord(*RECORDS) * 50))
    data[-8:-4] = b"\0\0\0\0"  # the check sum of the whole
    path = tmp_path / "a"
    path.write_bytes(data)
    *whole, damage = contents(path)
    assert whole == list(RECORDS) * 50
    assert isinstance(damage, Damage)
    assert "the gzip data is broken" in damage.message


def test_a_wrong_byte_in_gzip_data_costs_what_comes_after_it(tmp_path: Path, tfrecord: Writer) -> None:
    """All of this would be inflated in one piece.

    Whether inflating goes on over the wrong bytes depends on what they mean to it; what is broken never comes as whole.
    """
    data = bytearray(gzip.compress(tfrecord(*INCOMPRESSIBLE)))
    data[20_000] ^= 0x55
    data[20_500:20_600] = b"\xff" * 100
    path = tmp_path / "a"
    path.write_bytes(data)
    found = contents(path)
    assert found[:9] == INCOMPRESSIBLE[:9]
    whole = [one for one in found if isinstance(one, bytes)]
    assert len(whole) < 20
    assert all(one in INCOMPRESSIBLE for one in whole)
    assert isinstance(found[-1], Damage)
    assert found[-1].number > 9


def test_gzip_files_joined_and_padded_are_one(tmp_path: Path, tfrecord: Writer) -> None:
    parts = [gzip.compress(tfrecord(record)) for record in RECORDS]
    path = tmp_path / "a"
    path.write_bytes(b"".join(parts) + b"\0" * 700)
    assert contents(path) == list(RECORDS)
    path.write_bytes(b"".join(parts) + b"garbage")
    assert contents(path)[:-1] == list(RECORDS)


def test_a_record_that_says_to_be_huge_is_not_read(tmp_path: Path) -> None:
    header = struct.pack("<Q", limit("record-bytes") + 1)
    path = tmp_path / "a"
    path.write_bytes(header + struct.pack("<I", masked(header)) + b"x" * 100)
    (damage,) = contents(path)
    assert isinstance(damage, Damage)
    assert "more than is read" in damage.message


@pytest.mark.parametrize("first", [b"", b"claimed"])
def test_a_gzip_bomb_stops_at_once(tmp_path: Path, tfrecord: Writer, first: bytes) -> None:
    """300 MB of zeros: a length of nothing has another check sum than nothing."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    path = tmp_path / "a"
    path.write_bytes(
        packer.compress(tfrecord(first)) + b"".join(packer.compress(zeros) for _ in range(300)) + packer.flush()
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    whole, damage = contents(path)
    assert whole == first
    assert isinstance(damage, Damage)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # kilobytes


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    assert contents(stored(tmp_path / "plain", b"", False)) == []
    assert contents(stored(tmp_path / "zipped", b"", True)) == []


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not there"):
        contents(tmp_path / "none")
    with pytest.raises(SourceError, match="not there"):
        contents(tmp_path)
    pointer = tmp_path / "pointer"
    pointer.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(SourceError, match="git-lfs pointer"):
        contents(pointer)
    assert not is_gzip(tmp_path / "none")


def test_the_first_record_is_seen_in_the_beginning_of_a_file(tfrecord: Writer) -> None:
    data = tfrecord(b"goal_info" * 20_000, b"next")
    assert looks_like_tfrecord(data[:200]) == (b"goal_info" * 21)[: 200 - 12]
    assert looks_like_tfrecord(gzip.compress(data)[:300]).startswith(b"goal_info")
    assert looks_like_tfrecord(tfrecord(b"short", b"next")) == b"short"
    for other in (b"", b"{", b"\x1f\x8b", b"\x1f\x8b\x08garbage", b"\x89PNG\r\n\x1a\n" * 20, bytes(100)):
        assert looks_like_tfrecord(other) == b""


@pytest.mark.parametrize("name", ["dev", "test"])
def test_the_real_files_of_uibert(real_data: Path, name: str) -> None:
    path = real_data / "uibert_refexp" / "ref_exp" / f"{name}.tfrecord"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    records = list(read_records(path))
    assert len(records) == {"dev": 509, "test": 616}[name]
    assert all(isinstance(record, TfRecord) for record in records)
    last = records[-1]
    assert isinstance(last, TfRecord)
    assert last.offset + len(last.data) + 4 == path.stat().st_size


@given(data=st.binary(max_size=400), zipped=st.booleans())
@example(data=b"version https://git-lfs", zipped=False)
def test_any_bytes_give_records_or_damage(tmp_path: Path, data: bytes, zipped: bool) -> None:
    path = stored(tmp_path / "fuzz", data, zipped)
    try:
        assert all(isinstance(found, (TfRecord, Damage)) for found in read_records(path))
    except SourceError:
        assert data.startswith(b"version https://git-lfs")


@given(place=st.integers(0, 10_000), value=st.integers(1, 255), zipped=st.booleans(), inside=st.booleans())
def test_one_wrong_byte_never_gives_wrong_data(
    tmp_path: Path, tfrecord: Writer, place: int, value: int, zipped: bool, inside: bool
) -> None:
    """`inside`: the byte is wrong in the gzip data, not in what they hold."""
    data = tfrecord(*RECORDS)
    if zipped and inside:
        data = gzip.compress(data)
    broken = bytearray(data)
    broken[place % len(data)] ^= value
    path = stored(tmp_path / "fuzz2", bytes(broken), zipped and not inside)
    for found in contents(path):
        assert isinstance(found, Damage) or found in RECORDS
