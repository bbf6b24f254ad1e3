"""Records are found by their bytes, whatever the pieces in which a file is read, and read again by their place."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.domain.episode import Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources import json_records
from stepscope.core.sources.files import json_words
from stepscope.core.sources.json_records import (  # fmt: skip
    ByteSpan,
    find_items,
    find_records,
    read_record,
    read_span,
    record_value,
    span_at,
)
from stepscope.core.sources.look import list_folder
from stepscope.core.sources.sniffers.json_heads import first_record, locate_by_head

HARD = [{"a": 'x "]} \\'}, {"b": [[{"c": "\\\\"}], "é]"]}, {}, {"d": "\u2028", "e": "{["}]


def in_pieces(patch: pytest.MonkeyPatch, size: int) -> None:
    """Read files in pieces of so many bytes."""
    patch.setattr(json_records, "_CHUNK", size)
    patch.setattr(json_records, "_LIST_CHUNK", size)


def values(path: Path) -> list[object]:
    """All records of a file, and the messages of its problems."""
    return [
        item.message if isinstance(item, Problem) else record_value(read_span(path, item), path, item)
        for item in find_records(path)
    ]


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1 << 20])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("head", ["", "\ufeff", " \n"])
def test_a_list_in_pieces_of_any_size(tmp_path: Path, monkeypatch: Any, piece: int, indent: int, head: str) -> None:
    in_pieces(monkeypatch, piece)
    path = tmp_path / "a.json"
    path.write_text(head + json.dumps(HARD, indent=indent, ensure_ascii=False), encoding="utf-8")
    assert values(path) == HARD


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.ndjson"])
def test_lines_are_told_by_content_too(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("\n".join(map(json.dumps, HARD)) + "\n\n")
    assert values(path) == HARD
    spans = [item for item in find_records(path) if isinstance(item, ByteSpan)]
    assert read_record(path, span_at(spans[3].place)) == HARD[3]
    assert [span.number for span in spans] == [1, 2, 3, 4]


def test_one_object_over_many_lines_is_one_record(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(HARD[1], indent=4))
    assert values(path) == [HARD[1]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"a": 1}, {"b": ', [{"a": 1}, "the file ends before its list does; 1 whole records are in it"]),
        ('[{"a": 1}', [{"a": 1}, "the file ends before its list does; 1 whole records are in it"]),
        ('[{"a": 1}, "]", 5, {"b": 2}]',
         [{"a": 1}, {"b": 2}, "the list has items that are no records: the first one after record 1"]),
        ("[1]", ["the list has items that are no records: the first one after record 0"]),
        ('[{"a": 1}]\n[{"b": 2}]', [{"a": 1}, "something follows the end of the list; it is not read"]),
        ("[{}] \n" + 20 * " " + "{}", [{}, "something follows the end of the list; it is not read"]),
        ('[{"a": 1},]', [{"a": 1}, "the list has items that are no records: the first one after record 1"]),
        ("[]", []),
        (" \n", ["the file is empty"]),
        ("", ["the file is empty"]),
    ],
)  # fmt: skip
def test_where_a_file_stops_making_sense(tmp_path: Path, monkeypatch: Any, text: str, found: list[object]) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert values(path) == found
    in_pieces(monkeypatch, 7)
    assert values(path) == found


def test_a_list_is_one_whatever_its_file_is_called(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(HARD))
    assert values(path) == HARD


def test_a_list_inside_an_object_is_found_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"version": [1], "data": [{"a": "]"}, [2]], "more": [{}]}')
    spans = [item for item in find_items(path, 26) if isinstance(item, ByteSpan)]
    assert [read_span(path, span) for span in spans] == [b'{"a": "]"}', b"[2]"]
    assert list(find_items(path, 26)) == spans, "what follows belongs to the object"


def test_a_broken_line_costs_that_line_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b": \n{"c": "\xff"}\n[1]\n{"d": 4}')
    found = []
    for span in find_records(path):
        assert isinstance(span, ByteSpan)
        try:
            found.append(read_record(path, span))
        except SourceError as error:
            found.append(error.record)
    assert found == [{"a": 1}, "2", "3", "4", {"d": 4}]


def test_a_pointer_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("version https://git-lfs.github.com/spec/v1\n")
    for name in ("a.json", "b.json"):
        with pytest.raises(SourceError):
            list(find_records(tmp_path / name))


@pytest.mark.parametrize("place", ["", "1", "a b", "-1 2", "1 2 3", "1 99", "٣ 4"])
def test_a_place_that_is_none_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(SourceError):
        read_record(tmp_path / "a.json", span_at(place))


def test_a_line_without_end_does_not_fill_the_memory_and_the_lines_around_it_are_read(tmp_path: Path) -> None:
    limits.choose({"json-bytes": 10})
    (tmp_path / "a.jsonl").write_text('{"a":1}\n' + "x" * 100 + '\n{"b":2}\n' + "y" * 11)
    first, long, other, last = find_records(tmp_path / "a.jsonl")
    assert first == ByteSpan(1, 0, 8) and other == ByteSpan(3, 109, 8)
    assert isinstance(long, Problem) and long.message.startswith("line 2: the line is longer than 10 bytes")
    assert "--limit-json-bytes" in long.message
    assert isinstance(last, Problem) and last.message.startswith("line 4: ")


def test_records_without_end_are_told_once(tmp_path: Path) -> None:
    limits.choose({"file-records": 3})
    (tmp_path / "a.jsonl").write_text("{}\n" * 9)
    (tmp_path / "b.json").write_text("[" + ",".join(["{}"] * 9) + "]")
    for name in ("a.jsonl", "b.json"):
        *records, last = find_records(tmp_path / name)
        assert len(records) == 3 and isinstance(last, Problem)
        assert last.message.startswith("the file has more than 3 records") and "--limit-file-records 6" in last.message


def test_the_first_record_of_a_beginning() -> None:
    assert first_record(b'\xef\xbb\xbf [ {"a": 1}, {"b"') == {"a": 1}
    assert first_record(b'{"a": 1}\n{"b": 2}') == {"a": 1}
    assert first_record(b'{"a": "\xff') is None and first_record(b"[1, 2]") is None and first_record(b"") is None
    assert first_record(b"[" * 100_000) is None and first_record(b'{"a":' * 10_000) is None


def test_told_is_short_and_never_fails() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert json_words(deep) == "a list of lists or objects"
    assert (json_words({"a": 1}), json_words([1, None]), json_words("x" * 100)) == (
        "an object",
        "[1, None]",
        "'" + "x" * 58 + "…",
    )


def test_thousands_of_files_are_not_opened_to_be_found(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.json").write_text("yes" if number != 5 else "no")
    listing = list_folder(tmp_path)
    opened = []

    def known(name: str) -> bool:
        opened.append(name)
        return listing.head(name) == b"yes"

    found = list(locate_by_head(listing, (".json",), known))
    assert len(found) == 299 and tmp_path / "5.json" not in found and len(opened) <= 16


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=5), st.integers(1, 9), st.booleans())
def test_every_list_comes_back_as_it_was(tmp_path: Path, records: list[Any], piece: int, plain: bool) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(records, ensure_ascii=plain), encoding="utf-8", errors="surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        in_pieces(patch, piece)
        spans = list(find_records(path))
    assert all(isinstance(span, ByteSpan) for span in spans) and len(spans) == len(records)
    if plain:
        assert values(path) == records


@given(st.binary() | st.text(alphabet='[]{}",\\ a1:\n').map(str.encode), st.sampled_from(["x.json", "x.jsonl"]))
@example(b'{"a": 1}\n', "x.json")
@example(b"version https://git-lfs", "x.json")
def test_any_bytes_are_records_or_problems(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    first_record(data)
    with contextlib.suppress(SourceError):
        spans = [item for item in find_records(path) if isinstance(item, ByteSpan)]
        for span in spans:
            with contextlib.suppress(SourceError):
                read_record(path, span)
