"""The three dumps become trees; what is broken in them costs that element only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.tree_builder import Placement, TreeReading, target_at
from stepscope.core.sources.ui_dumps import parse_droidbot, parse_uiautomator, parse_view_hierarchy

SIZE = Size(540, 960)
RICO = Placement.stretched(1440, 2560, SIZE)
PIXELS = Placement(SIZE)


def tree_of(reading: TreeReading) -> UITree:
    assert reading.tree is not None
    return reading.tree


def edges(tree: UITree, index: int) -> tuple[float, float, float, float]:
    box = tree.elements[index].box
    return box.left, box.top, box.right, box.bottom


class TestViewHierarchy:
    def test_boxes_are_scaled_from_the_frame_not_from_the_root(self, node: Any, hierarchy: Any) -> None:
        form = hierarchy(node([160, 315, 1280, 2160], node([216, 371, 1224, 2104]), node([0, 0, 1440, 2560])))
        tree = tree_of(parse_view_hierarchy(form, RICO))
        assert edges(tree, 0) == pytest.approx((60, 118.125, 480, 810))
        assert edges(tree, 1) == pytest.approx((81, 139.125, 459, 789))
        assert edges(tree, 2) == pytest.approx((0, 0, 540, 960))
        assert tree.origin is TreeOrigin.VIEW_HIERARCHY
        assert tree.activity == "com.example/com.example.Main"

    def test_pre_order_parents_and_depth(self, node: Any, hierarchy: Any) -> None:
        a, b, c = (node([i, i, i + 1, i + 1], text=name) for i, name in enumerate("abc"))
        form = hierarchy(node([0, 0, 9, 9], node([0, 0, 5, 5], a, None, b), c))
        tree = tree_of(parse_view_hierarchy(form, RICO))
        assert [(e.text, e.parent, e.depth) for e in tree] == [
            ("", -1, 0),
            ("", 0, 1),
            ("a", 1, 2),
            ("b", 1, 2),
            ("c", 0, 1),
        ]

    def test_words_and_flags(self, node: Any, hierarchy: Any) -> None:
        first = node(
            [0, 0, 1, 1], text="Go", content_desc=["Send", None], resource_id="a:id/go", package="a", clickable=True,
            scrollable_vertical=True, enabled=False, selected=True, long_clickable="true",
        )  # fmt: skip
        field = node([0, 0, 1, 1], name="a.SearchBox", ancestors=["android.widget.EditText"], content_desc="words")
        tree = tree_of(parse_view_hierarchy(hierarchy(node([0, 0, 9, 9], first, field)), RICO))
        one, two = tree.elements[1:]
        assert (one.text, one.content_description, one.resource_id, one.package) == ("Go", "Send", "a:id/go", "a")
        assert one.clickable and one.scrollable and one.long_clickable and one.selected and not one.enabled
        assert two.editable and two.content_description == "words" and not one.editable

    @pytest.mark.parametrize(
        ("fields", "visible"),
        [
            ({}, True),
            ({"visibility": "gone"}, False),
            ({"visibility": "invisible"}, False),
            ({"visible_to_user": False}, False),
        ],
    )
    def test_visible(self, node: Any, hierarchy: Any, fields: dict[str, Any], visible: bool) -> None:
        tree = tree_of(parse_view_hierarchy(hierarchy(node([0, 0, 9, 9], **fields)), RICO))
        assert tree.elements[0].visible is visible

    @pytest.mark.parametrize(
        "bounds",
        [[5, 0, 4, 9], [0, 5, 9, 4], None, [0, 0, 9], ["0", 0, 9, 9], [True, 0, 9, 9], "0099", [0, 0, 10**400, 1]],
    )
    def test_an_element_without_a_usable_box_hands_its_children_up(
        self, node: Any, hierarchy: Any, bounds: object
    ) -> None:
        form = hierarchy(node([0, 0, 9, 9], node(bounds, node([1, 1, 2, 2], text="kept"))))
        reading = parse_view_hierarchy(form, RICO)
        tree = tree_of(reading)
        assert [(e.text, e.parent, e.depth) for e in tree] == [("", -1, 0), ("kept", 0, 1)]
        assert len(reading.notes) == 1 and reading.notes[0].startswith("1 element left out")

    def test_boxes_outside_the_screen_are_kept_whole(self, node: Any, hierarchy: Any) -> None:
        tree = tree_of(parse_view_hierarchy(hierarchy(node([-1440, 0, 0, 5120])), RICO))
        assert edges(tree, 0) == pytest.approx((-540, 0, 0, 1920))

    @pytest.mark.parametrize("form", [None, {}, {"activity": None}, {"activity": {"root": None}}, [], "x"])
    def test_without_a_root_there_is_no_tree(self, form: object) -> None:
        reading = parse_view_hierarchy(form, RICO)
        assert reading.tree is None and reading.notes

    def test_depth_does_no_harm(self, node: Any, hierarchy: Any) -> None:
        root = node([0, 0, 9, 9])
        for _ in range(10_000):
            root = {"bounds": [0, 0, 9, 9], "children": [root]}
        tree = tree_of(parse_view_hierarchy(hierarchy(root), RICO))
        assert len(tree) == 10_001 and tree.elements[-1].depth == 10_000
        while children := root["children"]:  # taken apart, so that freeing it does not recurse
            root["children"] = []
            root = children[0]


def dump(inner: str) -> bytes:
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    return f'{head}<hierarchy rotation="0">{inner}</hierarchy>'.encode()


class TestUiautomator:
    def test_nodes_become_elements(self) -> None:
        tree = tree_of(
            parse_uiautomator(
                dump(
                    '<node class="android.widget.FrameLayout" bounds="[0,0][540,900]">'
                    '<node text="Löschen &amp; mehr" resource-id="a:id/x" class="android.widget.EditText" package="a" '
                    'content-desc="d" checkable="true" checked="true" clickable="true" enabled="false" focused="true" '
                    'scrollable="true" long-clickable="true" password="true" selected="true" bounds="[-10,20][30,40]"/>'
                    "</node>"
                ),
                PIXELS,
            )
        )
        one = tree.elements[1]
        assert edges(tree, 1) == (-10, 20, 30, 40)
        assert (one.text, one.resource_id, one.package) == ("Löschen & mehr", "a:id/x", "a")
        assert one.content_description == "d"
        assert one.checkable and one.checked and one.clickable and one.focused and one.scrollable and one.editable
        assert one.long_clickable and one.password and one.selected and one.visible and not one.enabled
        assert (one.parent, one.depth, tree.origin) == (0, 1, TreeOrigin.DUMP)

    def test_visible_to_user_is_read_where_a_dump_has_it(self) -> None:
        tree = tree_of(parse_uiautomator(dump('<node visible-to-user="false" bounds="[0,0][1,1]"/>'), PIXELS))
        assert not tree.elements[0].visible

    @pytest.mark.parametrize("bounds", ["[5,0][4,9]", "0,0,9,9", "", "[a,b][c,d]"])
    def test_a_broken_box_costs_that_element(self, bounds: str) -> None:
        reading = parse_uiautomator(
            dump(f'<node bounds="{bounds}"><node text="kept" bounds="[0,0][1,1]"/></node>'), PIXELS
        )
        assert [(e.text, e.parent) for e in tree_of(reading)] == [("kept", -1)]
        assert reading.notes == (f"1 element left out: {reading.notes[0].split(': ')[1]}",)

    @pytest.mark.parametrize(
        "data",
        [
            b'<!DOCTYPE x [<!ENTITY a "b">]><hierarchy/>',
            b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><hierarchy/>',
            '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x><hierarchy/>'.encode("utf-16"),
        ],
    )
    def test_document_types_and_entities_are_refused(self, data: bytes) -> None:
        with pytest.raises(SourceError, match="refused"):
            parse_uiautomator(data, PIXELS)

    @pytest.mark.parametrize("data", [b"", b"  ", b"<hierarchy><node></hierarchy>", b"no xml", b"\xff\xfe\xfa"])
    def test_broken_xml_is_a_source_error(self, data: bytes) -> None:
        with pytest.raises(SourceError):
            parse_uiautomator(data, PIXELS)

    def test_nesting_beyond_the_guard_is_a_source_error(self) -> None:
        with pytest.raises(SourceError, match="broken XML"):
            parse_uiautomator(dump('<node bounds="[0,0][1,1]">' * 10_000 + "</node>" * 10_000), PIXELS)

    def test_an_empty_dump_says_so(self) -> None:
        assert parse_uiautomator(dump(""), PIXELS).notes == ("no elements in it",)

    @given(data=st.binary(max_size=300))
    def test_no_bytes_raise_anything_but_a_source_error(self, data: bytes) -> None:
        for whole in (data, b"<hierarchy><node " + data, dump("") + data):
            try:
                parse_uiautomator(whole, PIXELS)
            except SourceError:
                continue


def view(identity: int, parent: int, children: list[int], **more: Any) -> dict[str, Any]:
    fields = {"temp_id": identity, "parent": parent, "children": children, "bounds": [[0, 0], [10 + identity, 20]]}
    return {**fields, "text": None, "visible": True, "enabled": True, **more}


class TestDroidbot:
    def test_links_become_a_tree_in_the_parents_order(self) -> None:
        views = [view(0, -1, [2, 1]), view(1, 0, []), view(2, 0, [3], text="two"), view(3, 2, [], visible=False)]
        tree = tree_of(parse_droidbot(views, PIXELS))
        assert [(e.box.right, e.parent, e.depth) for e in tree] == [(10, -1, 0), (12, 0, 1), (13, 1, 2), (11, 0, 1)]
        assert tree.elements[1].text == "two" and not tree.elements[2].visible
        assert tree.origin is TreeOrigin.ACCESSIBILITY

    def test_fields(self) -> None:
        one = view(
            0, -1, [], editable=True, is_password=True, long_clickable=True, content_description="d", resource_id="r",
            **{"class": "c", "package": "p", "clickable": True, "checkable": True, "checked": True, "scrollable": True},
        )  # fmt: skip
        found = tree_of(parse_droidbot([one], PIXELS)).elements[0]
        assert found.editable and found.password and found.long_clickable and found.clickable and found.scrollable
        assert (found.content_description, found.resource_id, found.class_name, found.package) == ("d", "r", "c", "p")

    def test_circles_and_doubles_are_left_out_and_said(self) -> None:
        views = [view(0, -1, []), view(1, 2, [2]), view(2, 1, [1]), view(0, -1, []), "no view", view(7, 99, [])]
        reading = parse_droidbot(views, PIXELS)
        assert [e.box.right for e in tree_of(reading)] == [10, 17]
        assert reading.notes[0].startswith("4 elements left out")

    def test_depth_does_no_harm(self) -> None:
        views = [view(i, i - 1, [i + 1]) for i in range(10_000)]
        assert tree_of(parse_droidbot(views, PIXELS)).elements[-1].depth == 9_999

    @pytest.mark.parametrize("form", [None, {}, "x"])
    def test_no_list_no_tree(self, form: object) -> None:
        assert parse_droidbot(form, PIXELS).tree is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["bounds", "children", "class", "text", "activity", "root", "temp_id", "parent", "ancestors"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(form=json_values)
def test_any_json_is_read_without_an_error(form: object) -> None:
    parsers: tuple[Callable[[object, Placement], TreeReading], ...] = (parse_view_hierarchy, parse_droidbot)
    for parse in parsers:
        for whole in (form, [form, form], {"activity": {"root": form}}):
            reading = parse(whole, RICO)
            assert reading.tree is None or len(reading.tree) >= 0


class TestTarget:
    def test_a_row_is_named_by_its_label_and_a_container_by_nothing(self, node: Any, hierarchy: Any) -> None:
        row = node([0, 0, 1440, 100], node([9, 9, 99, 99], text="Location"), clickable=True, resource_id="a:id/row")
        many = node([0, 200, 1440, 900], *[node([0, 200, 0, 200], text=str(i)) for i in range(4)], clickable=True)
        tree = tree_of(parse_view_hierarchy(hierarchy(node([0, 0, 1440, 2560], row, many)), RICO))
        found = target_at(tree, Point(20, 20, SIZE))
        assert found is not None and (found.text, found.id) == ("Location", "a:id/row")
        assert found.box == tree.elements[1].box
        container = target_at(tree, Point(300, 200, SIZE))
        assert container is not None and container.text == ""

    def test_nothing_there(self, node: Any, hierarchy: Any) -> None:
        tree = parse_view_hierarchy(hierarchy(node([0, 0, 10, 10])), RICO).tree
        assert target_at(tree, Point(500, 500, SIZE)) is None
        assert target_at(None, Point(1, 1, SIZE)) is None
