"""Values of JSON texts are counted before they are parsed, exactly where it matters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.json_bounds import TooManyValues, bounded_loads, check_values
from stepscope.core.json_counting import ValueCounter

TEXTS = st.text(st.sampled_from('ab,[]{}":\\ \n\té😀'), max_size=6)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    yield
    limits.choose({})


def values_in(document: Any) -> int:
    """Counted on the parsed document, in another way than the text's."""
    count, left = 0, [document]
    while left:
        one = left.pop()
        count += 1
        left += list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
    return count


def counted(text: str, size: int) -> int:
    counter, data = ValueCounter(), text.encode("utf-8", "surrogatepass")
    for start in range(0, len(data), size):
        counter.feed(data[start : start + size])
    return counter.values


@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 1]), st.sampled_from([1, 3, 64, 65, 4096]))
def test_the_text_has_as_many_values_as_the_document(document: Any, ascii: bool, indent: int | None, size: int) -> None:
    assert counted(json.dumps(document, ensure_ascii=ascii, indent=indent), size) == values_in(document)


@given(DOCUMENTS)
def test_a_document_is_taken_at_its_number_of_values_and_refused_below(document: Any) -> None:
    text, count = json.dumps(document), values_in(document)
    limits.choose({"json-nodes": count})
    assert bounded_loads(text) == json.loads(text)
    if count > 1:
        limits.choose({"json-nodes": count - 1})
        with pytest.raises(TooManyValues, match=f"more than {count - 1:,} values"):
            bounded_loads(text)
        with pytest.raises(TooManyValues):
            check_values(text.encode())


@given(st.binary(max_size=200), st.sampled_from([1, 7, 64]))
def test_broken_text_is_counted_without_ado(data: bytes, size: int) -> None:
    counter = ValueCounter()
    for start in range(0, len(data), size):
        counter.feed(data[start : start + size])
    assert 0 <= counter.values <= len(data) + 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1", 1),
        ("[]", 1),
        ("[ \n]", 1),
        ("{}", 1),
        ('{"a": 1}', 2),
        ('{"a": [1, {}], "b": ",[{"}', 5),
        ('["\\"", "\\\\", "]"]', 4),
        ('["\\\\\\",[", 1]', 3),
    ],
)
def test_counts_worked_out_by_hand(text: str, count: int) -> None:
    assert counted(text, 1) == counted(text, 1000) == count


def test_commas_in_texts_are_no_values() -> None:
    limits.choose({"json-nodes": 3})
    assert bounded_loads('["a,b,c,d,e,f,g", "[[[[[["]') == ["a,b,c,d,e,f,g", "[[[[[["]
