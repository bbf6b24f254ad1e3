"""Pickles give plain values; what a pickle would run is refused by name and never run."""

from __future__ import annotations

import collections
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.archives.pickles import load_plain
from stepscope.core.errors import SourceError

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


class Evil:
    """What a pickle can do to a reader that trusts it."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("made by a pickle",)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=settings().max_examples // 5)
@given(value=PLAIN)
def test_plain_values_of_every_protocol(protocol: int, value: object) -> None:
    data = pickle.dumps(value, protocol)
    assert load_plain(data) == value


def test_texts_as_python_2_wrote_them() -> None:
    by_hand = b"(lp0\nS'h\\xc3\\xa4 \\\\ it\\'s \\n'\np1\naV\\u00e4\np2\naI7\naL8L\naI01\na."
    assert load_plain(by_hand) == ["hä \\ it's \n", "ä", 7, 8, True]
    assert load_plain(b"\x80\x02]q\x00(U\x03Yesq\x01T\x03\x00\x00\x00\xc3\xa4bq\x02e.") == ["Yes", "äb"]
    assert load_plain(b"\x80\x02}U\x03keyU\x05values.") == {"key": "value"}


def test_shared_values_are_made_once() -> None:
    inner = ["x"] * 3
    one, two = load_plain(pickle.dumps([inner, inner]))  # type: ignore[misc]
    assert one is two


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_is_run(protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"posix\.mkdir|nt\.mkdir"):
        load_plain(pickle.dumps([Evil()], protocol))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (collections.OrderedDict(a=1), "collections.OrderedDict"),
        (Path("x"), "Path"),
        (print, "print"),
        (1j, "complex"),
        (np.float32(1), "scalar"),
        (np.arange(3), "numpy"),
    ],
)
def test_other_objects_are_refused_by_name(value: object, name: str) -> None:
    with pytest.raises(SourceError, match=name):
        load_plain(pickle.dumps(value))


def test_a_value_that_holds_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(SourceError, match="holds itself"):
        load_plain(pickle.dumps(endless))


@pytest.mark.parametrize("opening", [b"]" * 100_000 + b"a" * 99_999, b")" + b"\x85" * 100_000])
def test_deep_nesting_is_refused(opening: bytes) -> None:
    with pytest.raises(SourceError, match="nested too deeply"):
        load_plain(opening + b".")


def test_a_small_pickle_of_a_huge_value_is_refused() -> None:
    value: object = "lol"
    for _ in range(40):
        value = [value, value]
    with pytest.raises(SourceError, match=r"more than 10,000,000 values.*--limit-pickle-values"):
        load_plain(pickle.dumps(value))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b".",
        b"\x80\x04\x95",
        b"\x80\x05\x96\xff\xff\xff\xff\xff\xff\xff\x7f.",
        b"\x80\x04\x8d\xff\xff\xff\xff\x00\x00\x00\x00x.",
        b"Nr\xff\xff\xff\xff0j\x00\x00\x00\x00.",
        b"\x80\x63N.",
        b"not a pickle at all",
        b"I" + b"9" * 100_000 + b"\n.",
    ],
)
def test_what_is_no_pickle_is_told(data: bytes) -> None:
    with pytest.raises(SourceError):
        load_plain(data)


@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_source_error(data: bytes) -> None:
    try:
        load_plain(data)
    except SourceError:
        return


@given(
    protocol=st.sampled_from(PROTOCOLS),
    edits=st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_a_damaged_pickle_gives_a_value_or_a_source_error(protocol: int, edits: list[tuple[int, int]]) -> None:
    data = bytearray(pickle.dumps([["ä", 2**70, None, True], "x", {"k": (1, 2.5, b"y")}, b""], protocol))
    for place, value in edits:
        data[place % len(data)] = value
    try:
        load_plain(bytes(data))
    except SourceError:
        return
