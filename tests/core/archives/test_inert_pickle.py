"""Pickles become plain data, whatever they name: nothing is imported or called, and large bytes stay where they are."""

from __future__ import annotations

import datetime
import os
import pickle
import pickletools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.archives import inert_pickle
from stepscope.core.archives.inert_pickle import ByteString, Global, PickledObject, load_inert
from stepscope.core.archives.pickle_stream import PickleError
from stepscope.core.errors import SourceError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


class Evil:
    """What a pickle can do to a reader that trusts it."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("made by a pickle",)


def in_pieces(data: bytes, size: int = 1 << 20) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def load(data: bytes, size: int = 1 << 20) -> Any:
    return load_inert(in_pieces(data, size))


def test_every_instruction_of_cpython_is_known() -> None:
    stop = {ord(".")}
    assert {ord(code.code) for code in pickletools.opcodes} - stop == set(inert_pickle._INSTRUCTIONS)


@given(value=PLAIN, protocol=st.integers(0, 5), size=st.integers(1, 50))
def test_plain_data_comes_out_as_it_went_in(value: object, protocol: int, size: int) -> None:
    assert load(pickle.dumps(value, protocol), size) == value


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_bytes_are_places_and_small_ones_are_kept_too(protocol: int) -> None:
    large = bytes(range(256)) * 300
    data = pickle.dumps(["before", large, b"abc", large], protocol)
    before, first, small, second = load(data, 1000)
    assert before == "before" and small.data == b"abc" and first.data == b"" and second is first
    assert data[first.offset : first.offset + first.length] == large
    assert data[small.offset : small.offset + 3] == b"abc"


@pytest.mark.parametrize("protocol", range(6))
def test_nothing_is_imported_or_called(protocol: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = load(pickle.dumps([Evil()], protocol))[0]
    assert isinstance(record, PickledObject) and isinstance(record.of, Global) and record.of.name == "mkdir"
    assert record.args == ("made by a pickle",) and list(tmp_path.iterdir()) == []


def test_objects_are_records_of_what_was_asked_for() -> None:
    moment = load(pickle.dumps(datetime.datetime(2024, 5, 1)))
    assert moment.of == Global("datetime", "datetime") and moment.args[0].data[:4] == bytes(
        (2024 >> 8, 2024 & 255, 5, 1)
    )
    (record,) = load(pickle.dumps([ByteString(7, 9)]))
    assert record.of == Global("stepscope.core.archives.inert_pickle", "ByteString") and record.state[:2] == [7, 9]


def test_numpy_arrays_name_their_shape_and_their_place() -> None:
    array = np.arange(60 * 400 * 3, dtype=np.uint32).astype(np.uint8).reshape(60, 400, 3)
    for protocol in (3, 4, 5):
        data = pickle.dumps(array, protocol)
        record = load(data)
        bulk = record.args[0] if protocol == 5 else record.state[4]
        assert data[bulk.offset : bulk.offset + bulk.length] == array.tobytes()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b".",
        b"not a pickle",
        b"\x80\x09N.",
        b"\x80\x04]",
        b"(.",
        b"]NNs.",
        b"\x80\x04K\x01K\x02\x93.",
        b"h\x05.",
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x8b\xff\xff\xff\x7f",
        b"I" + b"9" * 5000 + b"\n.",
        b"V" + b"x" * (1 << 21),
    ],
)
def test_what_is_no_pickle_is_refused(data: bytes) -> None:
    with pytest.raises(PickleError):
        load(data)


def test_a_text_that_says_to_be_endless_is_not_waited_for() -> None:
    with pytest.raises(SourceError, match=r"texts are too long.*--limit-json-bytes"):
        load(b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f")


def test_deep_nesting_and_cycles_do_no_harm() -> None:
    assert isinstance(load(b"]" * 100_000 + b"a" * 99_999 + b"."), list)
    assert isinstance(load(b")" + b"\x85" * 100_000 + b"."), tuple)
    cycle = load(b"]\x94h\x00a.")
    assert cycle[0] is cycle


def test_a_dict_keeps_only_keys_that_are_texts_or_numbers() -> None:
    assert load(pickle.dumps({"a": 1, (1, 2): 2, 3: 3, None: 4})) == {"a": 1, 3: 3, None: 4}


@given(data=st.binary(max_size=200) | st.lists(st.sampled_from(list(inert_pickle._INSTRUCTIONS))).map(bytes))
@example(data=b"}(NNNu.")
@example(data=b"]]a0.")
@example(data=b"(i\n\n.")
@example(data=b"V\\ud8\n.")
def test_any_bytes_are_a_value_or_refused(data: bytes) -> None:
    for whole in (data, data + b"."):
        try:
            load(whole, 3)
        except (PickleError, SourceError):
            continue


@given(value=PLAIN, place=st.integers(0, 1000), byte=st.integers(0, 255), protocol=st.integers(0, 5))
def test_changed_pickles_are_a_value_or_refused(value: object, place: int, byte: int, protocol: int) -> None:
    data = bytearray(pickle.dumps([value, Evil(), np.zeros(3)], protocol))
    data[place % len(data)] = byte
    try:
        load(bytes(data))
    except (PickleError, SourceError):
        return
