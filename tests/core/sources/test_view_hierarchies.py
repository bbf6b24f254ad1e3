"""Files of view hierarchies are read as the strict reader reads them, be they ordinary or odd."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core import limits
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.files import parse_json_bytes
from stepscope.core.sources.tree_builder import Placement, TreeReading
from stepscope.core.sources.ui_dumps import parse_view_hierarchy, view_hierarchy_root
from stepscope.core.sources.view_hierarchies import read_view_hierarchy

SIZE = Size(540, 960)
RICO = Placement.stretched(1440, 2560, SIZE)
MIRRORED = Placement(SIZE, -1.0, 1.0)
SHIFTED = Placement(SIZE, 0.5, 0.3, -65)

texts = st.sampled_from(["", "Go", "Loading…", "😀", 'a "b" \\', "android.widget.EditText", "a.b.TextView", "\x7f"])
edges = st.integers(-5, 2600) | st.sampled_from([10**7, -(10**7), 10**7 + 1])
boxes = st.lists(edges, min_size=4, max_size=4) | st.tuples(edges, edges).map(lambda at: [*at, at[0] + 9, at[1] + 7])
ORDINARY: Mapping[str, st.SearchStrategy[Any]] = {
    "bounds": boxes,
    "text": texts | st.none(),
    "content-desc": st.just([None]) | st.lists(texts | st.none(), max_size=3) | texts | st.none(),
    "resource-id": texts | st.none(),
    "class": texts | st.none(),
    "package": texts | st.none(),
    "ancestors": st.lists(texts, max_size=3) | st.none(),
    "visibility": st.sampled_from(["visible", "gone", None]),
    "pointer": st.just("7f"),
    "rel-bounds": boxes,
} | dict.fromkeys(
    (
        "clickable", "long-clickable", "enabled", "scrollable-horizontal", "scrollable-vertical", "focused", "selected",
        "visible-to-user",
    ),
    st.booleans(),
)  # fmt: skip
ODD_VALUES = st.sampled_from((
    None, True, 0, 5.5, 1e300, 10**400, -0.0, "true", "false", "gone", [], [0, 0, 9], [0, 0, 9.5, 9], [[1]], {},
    {"a": 1}, ["x", 3, "android.widget.EditText"], [0, 0, float("inf"), 1], [True, 0, 9, 9], "\ud800",
))  # fmt: skip
PIECES = st.sampled_from((
    b"", b"{", b"}", b"[", b"]", b",", b'"', b"\\", b"\\ud800", b"0", b"-", b".5", b"1e999", b"null", b"NaN", b"\x00",
    b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b'"bounds":[0,0,1,1],', b'"text":1,',
))  # fmt: skip


def nodes(values: Mapping[str, st.SearchStrategy[Any]], others: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Trees of nodes with some of these fields; `others` stand where a child is expected."""
    fields = st.fixed_dictionaries(
        {"bounds": values["bounds"]}, optional={name: value for name, value in values.items() if name != "bounds"}
    )
    return st.recursive(
        fields,
        lambda inner: st.builds(
            lambda node, children: node | {"children": children},
            fields,
            st.lists(inner | others, max_size=4) | st.none(),
        ),
        max_leaves=12,
    )


def files(roots: st.SearchStrategy[Any]) -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda root, name, ascii_only, indent: json.dumps(
            {"activity_name": name, "activity": {"root": root}, "request_id": "7"},
            ensure_ascii=ascii_only,
            indent=indent,
        ).encode("utf-8", "surrogatepass"),
        roots,
        texts | st.none(),
        st.booleans(),
        st.sampled_from([None, 2]),
    )


ordinary_files = files(nodes(ORDINARY, st.none()))
odd_files = files(
    nodes({name: values | ODD_VALUES for name, values in ORDINARY.items()}, st.none() | ODD_VALUES) | ODD_VALUES
)
placements = st.sampled_from([RICO, MIRRORED, SHIFTED])


def strictly(data: bytes, placement: Placement) -> tuple[TreeReading, Any] | str:
    """What the strict reader makes of a file, with the root's bounds; the error's words where it refuses it."""
    try:
        form = parse_json_bytes(data, "a file")
    except SourceError as error:
        return str(error)
    root = view_hierarchy_root(form)
    return parse_view_hierarchy(form, placement), root.get("bounds") if root else None


def quickly(data: bytes, placement: Placement) -> tuple[TreeReading, Any] | str:
    try:
        found = read_view_hierarchy(data, "a file")
    except SourceError as error:
        return str(error)
    bounds = found.root_bounds
    return found.tree(placement), list(bounds) if isinstance(bounds, tuple) else bounds


@given(data=ordinary_files, placement=placements)
def test_an_ordinary_file_has_a_record_and_the_tree_of_the_strict_reader(data: bytes, placement: Placement) -> None:
    assert read_view_hierarchy(data).record is not None
    quick, strict = quickly(data, placement), strictly(data, placement)
    assert quick == strict
    assert repr(quick[0]) == repr(strict[0]), "floats are floats, to their sign"


@given(data=odd_files, placement=placements)
def test_an_odd_file_is_read_as_the_strict_reader_does(data: bytes, placement: Placement) -> None:
    assert quickly(data, placement) == strictly(data, placement)


cuts_of_a_file = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 3), PIECES), min_size=1, max_size=3)


@given(data=ordinary_files, cuts=cuts_of_a_file)
def test_a_damaged_file_is_refused_or_read_as_the_strict_reader_does(
    data: bytes, cuts: list[tuple[int, int, bytes]]
) -> None:
    for at, length, piece in cuts:
        at %= len(data) + 1
        data = data[:at] + piece + data[at + length :]
    assert quickly(data, RICO) == strictly(data, RICO)


def whole(node: str) -> bytes:
    return f'{{"activity": {{"root": {node}}}}}'.encode()


@pytest.mark.parametrize(
    "data",
    [
        whole('{"bounds": [0, 0, 9, 9], "bounds": [0, 0, 5, 5], "text": "a", "text": "b"}'),
        whole('{"\\u0062ounds": [0, 0, 9, 9], "t\\u0065xt": "a"}'),
        whole('{"bounds": [-0, 0, 9, 9], "class": "a", "ancestors": ["\\ud800", "android.widget.EditText"]}'),
        whole('{"bounds": [0, 0, 9, 9], "ancestors": ["\\ud83d\\ude00EditText"]}'),
        whole('{"bounds": [0, 0, 9, 9], "pointer": "x"}').replace(b"x", b"\xff"),
        whole('{"bounds": [0, 0, 9, 9], "pointer": 1e999}'),
        whole('{"bounds": [0, 0, 9, 9], "ancestors": %s}' % ("[" * 5000 + "]" * 5000)),
        whole('{"bounds": [0, 0, 9, 9], "children": [' * 400 + "]}" * 400),
        whole('{"bounds": [0, 0, 9, 9], "children": [' * 5000 + "]}" * 5000),
        whole('{"bounds": [0, 0, 9, 9]}') + b" x",
        b"\xef\xbb\xbf" + whole('{"bounds": [0, 0, 9, 9]}'),
        b'{"activity": {"root": {"bounds": [0, 0, 9, 9]}}, "activity": {}}',
        b"null",
        b"[]",
        b"{}",
        b"",
    ],
)
def test_what_json_allows_and_nobody_writes(data: bytes) -> None:
    assert quickly(data, RICO) == strictly(data, RICO)


def test_null_is_told_from_a_file_without_a_root() -> None:
    assert read_view_hierarchy(b"null").is_null
    assert not read_view_hierarchy(b"{}").is_null
    assert not read_view_hierarchy(whole('{"bounds": [0, 0, 9, 9]}')).is_null


def test_a_class_is_asked_again_when_its_superclasses_are_others() -> None:
    field = '{"bounds": [0, 0, 1, 1], "class": "a.Box", "ancestors": ["android.widget.EditText"]}'
    other = '{"bounds": [0, 0, 1, 1], "class": "a.Box", "ancestors": ["android.view.View"]}'
    data = whole(f'{{"bounds": [0, 0, 9, 9], "children": [{field}, {other}, {field}]}}')
    reading = read_view_hierarchy(data).tree(RICO)
    assert reading.tree is not None
    assert [element.editable for element in reading.tree] == [False, True, False, True]


def test_a_tree_beyond_the_limit_is_left_out_with_a_word() -> None:
    children = ", ".join(['{"bounds": [0, 0, 1, 1]}'] * 3)
    data = whole(f'{{"bounds": [0, 0, 9, 9], "children": [{children}]}}')
    assert read_view_hierarchy(data).record is not None
    limits.choose({"tree-elements": 3})
    reading = read_view_hierarchy(data).tree(RICO)
    assert reading == strictly(data, RICO)[0]
    assert reading.tree is None and reading.notes[0].startswith("the tree has more than 3 elements")
    limits.choose({"tree-elements": 4})
    assert read_view_hierarchy(data).tree(RICO).tree is not None
