"""Raw H.264 cut into pictures, however it comes in pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.device.adb.annexb import UNIT_LIMIT, Splitter, looks_like_video
from stepscope.core.device.device import DeviceError

SETS = b"\0\0\0\1\x67\x42\x00\x1f" + b"\0\0\0\1\x68\xce"
KEY = SETS + b"\0\0\0\1\x65\x88\x11\x22"  # the first bit behind the kind is 1: first_mb_in_slice is 0
PLAIN = b"\0\0\0\1\x41\x9a\x33"
SHORT_CODE = b"\0\0\1\x41\x9a\x44"
DELIMITED = b"\0\0\0\1\x09\xf0" + PLAIN
TWO_SLICES = PLAIN + b"\0\0\1\x41\x40\x55"  # the second slice begins with a macroblock that is not the first
PICTURES = [KEY, PLAIN, SHORT_CODE, DELIMITED, TWO_SLICES, KEY, PLAIN]
STREAM = b"".join(PICTURES)


@given(st.lists(st.integers(1, len(STREAM) - 1), max_size=len(STREAM)))
def test_pieces_of_any_length_give_the_same_pictures(cuts: list[int]) -> None:
    splitter, found = Splitter(), []
    edges = [0, *sorted(set(cuts)), len(STREAM)]
    for at, (start, end) in enumerate(pairwise(edges)):
        found += splitter.feed(STREAM[start:end], float(at))
    last = splitter.flush()
    assert last is not None
    assert [unit for unit, _at in (*found, last)] == PICTURES
    assert splitter.cut_short == 0


def test_the_time_is_that_of_the_last_byte() -> None:
    splitter = Splitter()
    assert splitter.feed(KEY[:9], 1.0) == []
    assert splitter.feed(KEY[9:], 2.0) == []
    assert splitter.feed(PLAIN + SHORT_CODE[:2], 3.0) == [(KEY, 2.0)]
    assert splitter.feed(SHORT_CODE[2:], 4.0) == [(PLAIN, 3.0)]


def test_a_silence_ends_a_picture() -> None:
    splitter = Splitter()
    assert splitter.feed(SETS, 1.0) == []
    assert not splitter.pending
    assert splitter.flush() is None, "parameters alone are no picture"
    splitter.feed(KEY[len(SETS) :], 2.0)
    assert splitter.pending
    assert splitter.flush() == (KEY, 2.0)
    assert splitter.feed(PLAIN, 3.0) == []
    assert splitter.cut_short == 0


def test_a_silence_within_a_picture_is_noticed() -> None:
    splitter = Splitter()
    splitter.feed(KEY[:-2], 1.0)
    splitter.flush()
    splitter.feed(KEY[-2:], 2.0)
    assert splitter.cut_short == 1


def test_a_picture_without_end() -> None:
    splitter = Splitter()
    chunk = b"\xa5" * (1 << 20)
    with pytest.raises(DeviceError, match="no picture ends"):
        for _ in range(UNIT_LIMIT // len(chunk) + 1):
            splitter.feed(chunk, 0.0)


def test_beginnings() -> None:
    assert all(looks_like_video(KEY[:count]) for count in range(1, 10))
    assert looks_like_video(SHORT_CODE)
    assert not looks_like_video(b"/system/bin/sh: screenrecord: not found")
