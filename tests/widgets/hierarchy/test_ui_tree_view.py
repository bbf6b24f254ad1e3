from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.domain.elements import TreeOrigin, UIElement, UITree
from core.domain.geometry import Box, Size
from widgets.hierarchy import UITreeView

SIZE = Size(1080, 2400)


def tree() -> UITree:
    parents = (-1, 0, 1, 0, 3)
    names = ("content", "toolbar", "title", "path", "oval")
    return UITree(
        tuple(
            UIElement(place, Box(0, 0, 10, 20, SIZE), parent, resource_id=f"app:id/{name}", class_name="a.View")
            for place, (parent, name) in enumerate(zip(parents, names, strict=True))
        ),
        TreeOrigin.VIEW_HIERARCHY,
        SIZE,
    )


@pytest.fixture
def view(qtbot: QtBot, themed: object) -> UITreeView:
    shown = UITreeView()
    qtbot.addWidget(shown)
    shown.resize(340, 500)
    shown.show()
    qtbot.waitExposed(shown)
    shown.set_tree(tree())
    qtbot.waitUntil(lambda: shown.tree.isExpanded(shown.model.index_of(3)))
    return shown


def page(view: UITreeView) -> object:
    return view._stack.currentWidget()


def test_the_title_names_the_origin_and_counts(view: UITreeView) -> None:
    assert view._header.detail() == "view hierarchy, 5 elements"


def test_clicking_a_row_selects_its_element_once(view: UITreeView, qtbot: QtBot) -> None:
    selected: list[int] = []
    view.element_selected.connect(selected.append)
    place = view.tree.visualRect(view.model.index_of(4)).center()
    qtbot.mouseClick(view.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    view.select_element(4)
    assert selected == [4]


def test_selecting_from_outside_opens_and_scrolls_and_tells_nobody(view: UITreeView, qtbot: QtBot) -> None:
    view.tree.collapseAll()
    with qtbot.assertNotEmitted(view.element_selected):
        view.select_element(4)
    assert view.model.element_of(view.tree.currentIndex()) == 4
    assert view.tree.isExpanded(view.model.index_of(3)) and view.tree.isExpanded(view.model.index_of(0))


def test_hovering_goes_both_ways_without_a_loop(view: UITreeView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.element_hovered) as told:
        qtbot.mouseMove(view.tree.viewport(), view.tree.visualRect(view.model.index_of(2)).center())
    assert told.args == [2]
    with qtbot.assertNotEmitted(view.element_hovered):
        view.hover_element(3)
    assert view.tree.lit() == 3


def test_an_unlinked_tree_keeps_to_itself(view: UITreeView, qtbot: QtBot) -> None:
    view._link.setChecked(False)
    view.hover_element(3)
    view.select_element(4)
    assert view.tree.lit() == -1 and view.selected_element() == -1
    with qtbot.assertNotEmitted(view.element_selected):
        view.tree.setCurrentIndex(view.model.index_of(1))


def test_a_search_that_hides_the_element_gives_way_when_it_is_selected(view: UITreeView, qtbot: QtBot) -> None:
    qtbot.keyClicks(view.search, "title")
    qtbot.keyClick(view.search, Qt.Key.Key_Return)
    assert not view.model.index_of(4).isValid()
    view.select_element(4)
    assert view.search.text() == "" and view.selected_element() == 4
    assert view.model.element_of(view.tree.currentIndex()) == 4


def test_states_without_a_tree(view: UITreeView, qtbot: QtBot) -> None:
    view.search.show_text("nowhere")
    view._filter()
    assert page(view) is view._none_found
    view._none_found.pressed.emit("clear")
    assert page(view) is view.tree
    view.set_tree(None)
    assert page(view) is view._empty and "No UI tree in this source" in view._empty.words()
    view.set_error("Cannot read step 3", "3.xml is not valid XML (line 41).", [("file", "Show file")])
    assert page(view) is view._error_page and "line 41" in view._error.words()
    view.set_tree(tree())
    assert page(view) is view.tree


def test_the_menu_copies_locator_and_bounds(view: UITreeView, qtbot: QtBot) -> None:
    menu = view.menu_for(view.model.index_of(4))
    actions = {action.text(): action for action in menu.actions()}
    actions["Copy locator"].trigger()
    assert QGuiApplication.clipboard().text() == "id=app:id/oval"
    actions["Copy bounds"].trigger()
    assert QGuiApplication.clipboard().text() == "[0,0][10,20]"
    with qtbot.waitSignal(view.target_requested) as told:
        actions["Use as target"].trigger()
    assert told.args == [4]
