"""A long list is cut into the same items that `json.loads` finds, wherever the pieces end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.episode import Problem
from stepscope.core.sources import json_records
from stepscope.core.sources.json_records import ByteSpan, find_items, find_records, read_record

TRICKY = st.text(st.sampled_from('"\\[]{},: a\né\ud83d'), max_size=12) | st.text(max_size=5)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TRICKY,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TRICKY, inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.dictionaries(TRICKY, VALUES, max_size=4) | st.lists(VALUES, max_size=4)


Cut = Callable[[bytes, int], tuple[list[bytes], list[str]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lists")


@pytest.fixture(scope="module")
def cut(folder: Path) -> Cut:
    """`cut(data, size)`: the bytes of a file's items, read in pieces of that size, and what was said of the list."""

    def cut_up(data: bytes, size: int) -> tuple[list[bytes], list[str]]:
        path = folder / "list.json"
        path.write_bytes(data)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_records, "_LIST_CHUNK", size)
            found = list(find_records(path))
        spans = [span for span in found if isinstance(span, ByteSpan)]
        assert [span.number for span in spans] == list(range(1, len(spans) + 1))
        return (
            [data[span.offset : span.offset + span.length] for span in spans],
            [problem.message for problem in found if isinstance(problem, Problem)],
        )

    return cut_up


@given(st.lists(RECORDS, max_size=6), st.integers(1, 40), st.sampled_from([None, 0, 2]), st.booleans(), st.booleans())
@example([{"a": 'x\\"]'}, {"b": "\\\\"}], 1, None, True, False)
@example([[], {}], 1, None, False, True)
def test_the_items_are_those_of_json(
    cut: Cut, items: list[Any], size: int, indent: int | None, plain: bool, mark: bool
) -> None:
    text = json.dumps(items, indent=indent, ensure_ascii=plain)
    data = (b"\xef\xbb\xbf" if mark else b"") + b" \n" + text.encode("utf-8", "surrogatepass") + b"\n"
    pieces, said = cut(data, size)
    assert [json.loads(piece.decode("utf-8", "surrogatepass")) for piece in pieces] == items
    assert said == []


@given(st.lists(VALUES, max_size=6), st.integers(1, 40))
@example([1, {}, "a]", [2], None, {}], 3)
@example(["{", {}], 1)
def test_other_items_are_passed_over_and_said(cut: Cut, items: list[Any], size: int) -> None:
    pieces, said = cut(json.dumps(items).encode(), size)
    assert [json.loads(piece) for piece in pieces] == [item for item in items if isinstance(item, dict | list)]
    assert bool(said) == any(not isinstance(item, dict | list) for item in items)


@given(st.lists(RECORDS, min_size=1, max_size=4), st.data())
def test_a_list_that_is_cut_short_gives_its_whole_items(cut: Cut, items: list[Any], data: st.DataObject) -> None:
    whole = json.dumps(items).encode()
    end = data.draw(st.integers(1, len(whole) - 1))
    pieces, said = cut(whole[:end], data.draw(st.integers(1, 40)))
    assert [json.loads(piece) for piece in pieces] == items[: len(pieces)]
    assert f"the file ends before its list does; {len(pieces)} whole records are in it" in said


@given(st.binary(max_size=60) | st.text('"\\[]{}, 1', max_size=40).map(str.encode), st.integers(1, 20))
def test_any_bytes_end(folder: Path, data: bytes, size: int) -> None:
    path = folder / "any.json"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_records, "_LIST_CHUNK", size)
        found = list(find_items(path, 0))
    offsets = [span.offset for span in found if isinstance(span, ByteSpan)]
    assert offsets == sorted(offsets) and all(0 <= offset < len(data) for offset in offsets)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{}] {}", ["something follows the end of the list; it is not read"]),
        ("[{} {}]", ["the list has items that are no records: the first one after record 1"]),
        ("[{},]", ["the list has items that are no records: the first one after record 1"]),
        ("[7]", ["the list has items that are no records: the first one after record 0"]),
        ("[]", []),
        ("[{}]\n\n", []),
    ],
)
def test_slips_are_said(cut: Cut, text: str, said: list[str]) -> None:
    for size in (1, 3, 100):
        assert cut(text.encode(), size)[1] == said


def test_records_are_found_and_read_again_by_their_places(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text('[{"a": "}{"},\n {"b": [1, {"c": "\\""}]}]')
    spans = [span for span in find_records(path) if isinstance(span, ByteSpan)]
    assert [(span.offset, span.length) for span in spans] == [(1, 11), (15, 23)]
    assert read_record(path, spans[1]) == {"b": [1, {"c": '"'}]}
