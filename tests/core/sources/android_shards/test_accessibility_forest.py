"""Forests: windows in drawing order, children by id, and trees that are none."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.accessibility_forest import ForestReading, parse_forest

SCREEN = Size(1080, 2400)
Forest = Callable[..., bytes]


def words(tree: UITree) -> list[tuple[str, int, int]]:
    """Text, parent and depth of each element."""
    return [(element.text, element.parent, element.depth) for element in tree]


def test_a_window_in_full(forest: Forest) -> None:
    row = {
        "id": 1,
        "bounds": (63, 338, 1017, 470),
        "class_name": "android.widget.EditText",
        "hint_text": "Search settings",
        "package_name": "com.android.settings",
        "view_id_resource_name": "com.android.settings:id/search",
        "is_clickable": True,
        "is_long_clickable": True,
        "is_scrollable": False,
        "is_checkable": True,
        "is_checked": True,
        "is_editable": True,
        "is_enabled": False,
        "is_focused": True,
        "is_selected": True,
        "is_password": True,
        "text_selection_start": -1,
        "tooltip_text": "nowhere shown",
        "drawing_order": 7,
    }
    root = {"id": 0, "bounds": (0, 0, 1080, 2337), "package_name": "com.android.settings", "child_ids": [1]}
    reading = parse_forest(forest({"layer": 0, "window_type": 1, "nodes": [root, row]}), SCREEN)
    assert (reading.package, reading.notes, reading.tree.origin) == (
        "com.android.settings",
        (),
        TreeOrigin.ACCESSIBILITY,
    )
    top, field = reading.tree
    assert (top.box.right, top.box.bottom, top.enabled, top.clickable) == (1080, 2337, True, False)
    box = field.box
    assert (box.left, box.top, box.right, box.bottom, box.size) == (63, 338, 1017, 470, SCREEN)
    assert (field.parent, field.depth, field.text, field.content_description) == (0, 1, "", "Search settings")
    assert (field.class_name, field.short_id) == ("android.widget.EditText", "search")
    flags = (field.clickable, field.long_clickable, field.checkable, field.checked, field.editable, field.focused)
    assert flags == (True,) * 6 and field.selected and field.password
    assert not field.scrollable and not field.enabled and field.visible


def test_windows_are_drawn_from_back_to_front(forest: Forest) -> None:
    keyboard = {"layer": 2, "window_type": 2, "nodes": [{"text": "q", "package_name": "com.keyboard"}]}
    dialog = {
        "layer": 1,
        "window_type": 1,
        "is_active": True,
        "nodes": [{"text": "OK", "package_name": "com.dialog"}],
    }
    app = {"layer": 0, "window_type": 1, "nodes": [{"text": "app", "package_name": "com.app"}]}
    reading = parse_forest(forest(keyboard, app, dialog), SCREEN)
    assert words(reading.tree) == [("app", -1, 0), ("OK", -1, 0), ("q", -1, 0)]
    assert reading.package == "com.dialog"


@pytest.mark.parametrize(
    ("back", "front", "package"),
    [({}, {}, "front"), ({"is_focused": True}, {}, "back"), ({"is_focused": True}, {"is_active": True}, "front")],
)
def test_the_application_is_the_active_window_or_else_the_focused_or_the_front_one(
    forest: Forest, back: dict[str, Any], front: dict[str, Any], package: str
) -> None:
    windows = [
        {"layer": layer, "window_type": 1, "nodes": [{"package_name": name}], **more}
        for layer, (name, more) in enumerate((("back", back), ("front", front)))
    ]
    assert parse_forest(forest(*windows), SCREEN).package == package


def test_ids_are_a_windows_own(forest: Forest) -> None:
    def window(layer: int) -> dict[str, Any]:
        nodes = [{"id": 0, "text": f"root {layer}", "child_ids": [1]}, {"id": 1, "text": f"child {layer}"}]
        return {"layer": layer, "nodes": nodes}

    tree = parse_forest(forest(window(0), window(1)), SCREEN).tree
    assert words(tree) == [("root 0", -1, 0), ("child 0", 0, 1), ("root 1", -1, 0), ("child 1", 2, 1)]


def test_children_come_in_the_order_of_their_parents_list(forest: Forest) -> None:
    nodes = [
        {"id": 4, "text": "d"},
        {"id": 9, "text": "a", "child_ids": [7, 4, 99]},
        {"id": 7, "text": "b", "child_ids": [5]},
        {"id": 5, "text": "c"},
    ]
    reading = parse_forest(forest({"nodes": nodes}), SCREEN)
    assert words(reading.tree) == [("a", -1, 0), ("b", 0, 1), ("c", 1, 2), ("d", 0, 1)]
    assert reading.notes == ()


@pytest.mark.parametrize(
    ("nodes", "expected", "roots"),
    [
        ([(0, [0])], ["0"], "1 node is taken as a root"),
        ([(0, [1]), (1, [0])], ["0", "1"], "1 node is taken as a root"),
        ([(0, []), (1, [2]), (2, [3]), (3, [1])], ["0", "1", "2", "3"], "1 node is taken as a root"),
        ([(1, [1]), (2, [3]), (3, [2])], ["1", "2", "3"], "2 nodes are taken as roots"),
    ],
)
def test_a_circle_is_cut_open_and_said(
    forest: Forest, nodes: list[tuple[int, list[int]]], expected: list[str], roots: str
) -> None:
    records = [{"id": identity, "text": str(identity), "child_ids": children} for identity, children in nodes]
    reading = parse_forest(forest({"nodes": records}), SCREEN)
    assert [element.text for element in reading.tree] == expected
    assert reading.notes == (f"the children run in a circle: {roots}",)


def test_a_node_with_two_parents_or_a_doubled_id_stays_once(forest: Forest) -> None:
    nodes = [
        {"id": 0, "text": "root", "child_ids": [1, 2]},
        {"id": 1, "text": "first", "child_ids": [3]},
        {"id": 2, "text": "second", "child_ids": [3, 3]},
        {"id": 3, "text": "shared"},
        {"id": 3, "text": "its double"},
    ]
    tree = parse_forest(forest({"nodes": nodes}), SCREEN).tree
    assert words(tree) == [("root", -1, 0), ("first", 0, 1), ("shared", 1, 2), ("second", 0, 1), ("its double", -1, 0)]


def test_boxes_turned_inside_out_are_no_place_when_scrolled_away_and_a_note_when_seen(forest: Forest) -> None:
    away = {"id": 1, "bounds": (0, 2400, 1080, 2100), "is_visible_to_user": False, "text": "away"}
    seen = {"id": 2, "bounds": (900, 0, 100, 50), "text": "seen"}
    nowhere = {"id": 3, "text": "no bounds"}
    reading = parse_forest(forest({"nodes": [{"id": 0, "child_ids": [1, 2, 3]}, away, seen, nowhere]}), SCREEN)
    assert [element.text for element in reading.tree] == ["", "away", "no bounds"]
    box = reading.tree.elements[1].box
    assert (box.left, box.top, box.right, box.bottom) == (0, 2400, 1080, 2400)
    assert reading.tree.elements[2].box.area == 0
    assert reading.notes == ("1 element left out: right 100 < left 900",)


def test_a_chain_of_many_thousand_nodes_is_no_trouble(forest: Forest) -> None:
    nodes = [{"id": number, "child_ids": [number + 1]} for number in range(20_000)]
    tree = parse_forest(forest({"nodes": nodes}), SCREEN).tree
    assert tree.elements[-1].depth == 19_999


def test_more_nodes_than_a_screen_can_have_are_refused() -> None:
    tree = b"\x0a\x00" * 100_001
    window = b"\x5a" + length_of(tree) + tree
    with pytest.raises(SourceError, match=r"more than 100,000 windows and elements.*--limit-tree-elements"):
        parse_forest(b"\x0a" + length_of(window) + window, SCREEN)


@pytest.mark.parametrize("group", [b"", b"\x0b\x0c"])
def test_nodes_are_counted_before_they_take_memory(group: bytes) -> None:
    """Two bytes become two hundred. A group, which proto3 does not write, must not end the counting."""
    tree = group + b"\x0a\x00" * 700_000
    window = b"\x5a" + length_of(tree) + tree
    data = b"\x0a" + length_of(window) + window
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(SourceError):
        parse_forest(data, SCREEN)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30 << 10  # it took 150 MB


def length_of(data: bytes) -> bytes:
    """A length of 2^14 to 2^21 as protobuf writes it."""
    return bytes([len(data) & 0x7F | 0x80, len(data) >> 7 & 0x7F | 0x80, len(data) >> 14])


def test_an_empty_forest_is_an_empty_tree_and_a_note() -> None:
    assert parse_forest(b"", SCREEN) == ForestReading(
        UITree((), TreeOrigin.ACCESSIBILITY, SCREEN), "", ("no elements in it",)
    )


def test_text_that_is_not_utf8_costs_itself_and_not_the_tree(forest: Forest) -> None:
    data = forest({"nodes": [{"text": "Caf\u00e9 #"}]}).replace("\u00e9".encode(), b"\xff\xfe")
    assert parse_forest(data, SCREEN).tree.elements[0].text == "Caf\ufffd\ufffd #"


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05\x00", b"version https://git-lfs", b"{}"])
def test_other_bytes_are_no_forest(data: bytes) -> None:
    with pytest.raises(SourceError, match="no AndroidAccessibilityForest"):
        parse_forest(data, SCREEN)


@given(st.binary(max_size=200), st.integers(0, 200), st.integers(0, 30))
@example(b"\x00", 0, 0)
def test_any_bytes_are_a_tree_or_a_source_error(forest: Forest, junk: bytes, place: int, cut: int) -> None:
    whole = forest(
        {
            "layer": 1,
            "window_type": 1,
            "nodes": [
                {"id": 0, "bounds": (0, 0, 9, 7), "text": "ä", "child_ids": [1, 2]},
                {"id": 1, "bounds": (-5, 3, 2_000_000_000, 4), "is_clickable": True},
                {"id": 2, "child_ids": [0]},
            ],
        }
    )
    for data in (junk, whole[:place] + junk[:3] + whole[place + cut :]):
        try:
            reading = parse_forest(data, SCREEN)
        except SourceError:
            continue
        assert all(element.parent < element.index for element in reading.tree)
