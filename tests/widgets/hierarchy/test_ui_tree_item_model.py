from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from stepscope.core.domain.element_search import ElementFilter, ElementSearch
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.widgets.hierarchy import UITreeItemModel
from stepscope.widgets.hierarchy.ui_tree_item_model import ElementRole, MarksRole

SIZE = Size(1080, 2400)


def element(index: int, parent: int, name: str = "", text: str = "", clickable: bool = False) -> UIElement:
    box = Box(index, 10, index + 20, 40, SIZE)
    return UIElement(
        index, box, parent, text=text, resource_id=name and f"app:id/{name}", class_name="a.View", clickable=clickable
    )


def forest(many: int) -> UITree:
    """Each element hangs below the one half as far: two children each, eleven levels at 3,000."""
    order: list[tuple[int, int]] = []

    def place(node: int, parent: int) -> None:
        index = len(order)
        order.append((index, parent))
        for child in (2 * node + 1, 2 * node + 2):
            if child < many:
                place(child, index)

    place(0, -1)
    return UITree(tuple(element(index, parent, f"n{index}") for index, parent in order), TreeOrigin.DUMP, SIZE)


SMALL = UITree(
    (
        element(0, -1, "content"),
        element(1, 0, "toolbar"),
        element(2, 1, "title", "Unit 1"),
        element(3, 0, "path"),
        element(4, 3, "oval", clickable=True),
        element(5, 3, "", "START", clickable=True),
    ),
    TreeOrigin.VIEW_HIERARCHY,
    SIZE,
)


def names(model: UITreeItemModel, parent: QModelIndex | None = None) -> list[object]:
    """The whole model as nested lists of element numbers."""
    parent = parent or QModelIndex()
    found: list[object] = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        below = names(model, index)
        found.append((index.data(ElementRole).index, below) if below else index.data(ElementRole).index)
    return found


def test_keeps_qts_rules_with_three_thousand_elements(qtbot: QtBot) -> None:
    model = UITreeItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tree = forest(3000)
    model.set_tree(tree)
    deepest = max(range(len(tree)), key=lambda place: sum(1 for _ in tree.ancestors(place)))
    assert model.index_of(deepest).data(ElementRole) is tree.elements[deepest]
    model.set_filter(ElementSearch.read("n299"), ElementFilter.ALL)
    model.set_marks({deepest: (0,)})
    model.set_filter(ElementSearch.read(""), ElementFilter.ALL)
    model.set_tree(None)
    assert tester.model() is model


def test_the_rows_are_the_tree(qtbot: QtBot) -> None:
    model = UITreeItemModel()
    model.set_tree(SMALL)
    assert names(model) == [(0, [(1, [2]), (3, [4, 5])])]


def test_a_search_keeps_the_ancestors_of_what_it_finds(qtbot: QtBot) -> None:
    model = UITreeItemModel()
    model.set_tree(SMALL)
    model.set_filter(ElementSearch.read("unit"), ElementFilter.ALL)
    assert names(model) == [(0, [(1, [2])])] and model.matches == {2}
    model.set_filter(ElementSearch.read(""), ElementFilter.CLICKABLE)
    assert names(model) == [(0, [(3, [4, 5])])]
    model.set_filter(ElementSearch.read(""), ElementFilter.WITH_TEXT)
    assert names(model) == [(0, [(1, [2]), (3, [5])])]
    model.set_filter(ElementSearch.read("nowhere"), ElementFilter.ALL)
    assert names(model) == []


def test_a_flat_list_of_boxes_is_all_roots(qtbot: QtBot) -> None:
    model = UITreeItemModel()
    model.set_tree(UITree(tuple(element(place, -1) for place in range(4)), TreeOrigin.DETECTOR, SIZE))
    assert names(model) == [0, 1, 2, 3]


def test_marks_are_told_for_their_rows_only(qtbot: QtBot) -> None:
    model = UITreeItemModel()
    model.set_tree(SMALL)
    model.set_marks({4: (-1, 1)})
    changed: list[int] = []
    model.dataChanged.connect(lambda index, *_rest: changed.append(model.element_of(index)))
    model.set_marks({5: (0,)})
    assert sorted(changed) == [4, 5]
    assert model.index_of(5).data(MarksRole) == (0,) and model.index_of(4).data(MarksRole) == ()
