from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from stepscope.core.domain.element_search import ElementFilter
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.mark import ChangeSign
from stepscope.widgets.hierarchy import OverlapMenu, UITreeView
from stepscope.widgets.hierarchy.changes_list import ChangeRow

SIZE = Size(1080, 2400)


def tree() -> UITree:
    parents = (-1, 0, 1, 0, 3)
    names = ("content", "toolbar", "title", "path", "oval")
    return UITree(
        tuple(
            UIElement(
                place,
                Box(0, 0, 10, 20, SIZE),
                parent,
                text="Unit 1" if name == "title" else "",
                resource_id=f"app:id/{name}",
                class_name="a.View",
                clickable=name == "oval",
            )
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


def test_the_menu_copies_locator_bounds_and_text(view: UITreeView) -> None:
    menu = view.menu_for(view.model.index_of(4))
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Copy locator", "Copy bounds"], "it has no text"
    actions["Copy locator"].trigger()
    assert QGuiApplication.clipboard().text() == "id=app:id/oval"
    actions["Copy bounds"].trigger()
    assert QGuiApplication.clipboard().text() == "[0,0][10,20]"
    menu = view.menu_for(view.model.index_of(2))
    {action.text(): action for action in menu.actions()}["Copy text"].trigger()
    assert QGuiApplication.clipboard().text() == "Unit 1"


def segment(view: UITreeView, words: str) -> QAbstractButton:
    return next(b for b in view.findChildren(QAbstractButton) if b.text() == words)


def test_the_kinds_of_elements_are_told_and_kept_from_screen_to_screen(view: UITreeView, qtbot: QtBot) -> None:
    told: list[ElementFilter] = []
    view.shown_changed.connect(told.append)
    qtbot.mouseClick(segment(view, "With text"), Qt.MouseButton.LeftButton)
    assert told == [ElementFilter.WITH_TEXT] and view.shown is ElementFilter.WITH_TEXT
    assert view.model.matches == {2}
    view.set_tree(tree())
    assert view.model.matches == {2}
    view.select_element(4)
    assert told == [ElementFilter.WITH_TEXT, ElementFilter.ALL], "what is selected must be listed"


def test_a_search_by_flags_and_a_mistake_in_it(view: UITreeView) -> None:
    view.search.show_text("is:clickable")
    view._filter()
    assert view.model.matches == {4}
    view.search.show_text("is:clickabel")
    view._filter()
    assert page(view) is view._none_found and "is:clickable?" in view._none_found.words()


def test_without_a_tree_the_text_of_the_picture_can_be_read(view: UITreeView, qtbot: QtBot) -> None:
    view.set_tree(None, readable=True)
    with qtbot.waitSignal(view.read_wanted):
        qtbot.mouseClick(segment(view, "Read text of this screen"), Qt.MouseButton.LeftButton)
    assert "No UI tree in this source" in view._readable.words()
    view.set_tree(None, readable=True, others=True)
    assert "No UI tree on this step" in view._readable.words()
    view.set_reading("3 of 12 screens read")
    assert "3 of 12 screens read" in view._reading.words()
    with qtbot.waitSignal(view.stop_wanted):
        qtbot.mouseClick(segment(view, "Stop"), Qt.MouseButton.LeftButton)
    view.set_tree(tree())
    assert page(view) is view.tree


def test_changes_are_listed_and_chosen_by_pointer_and_key(view: UITreeView, qtbot: QtBot) -> None:
    changes = view.changes
    rows = [ChangeRow(ChangeSign.APPEARED, "Button “OK”"), ChangeRow(ChangeSign.CHANGED, "TextView", "now checked")]
    changes.set_changes("Since step 2: 1 appeared, 1 changed.", rows)
    assert not view.shows_changes
    qtbot.mouseClick(segment(view, "Changes"), Qt.MouseButton.LeftButton)
    assert page(view) is changes and view.shows_changes and view.shown is ElementFilter.ALL
    chosen: list[int] = []
    changes.row_chosen.connect(chosen.append)
    place = changes.list.visualRect(changes.list.model().index(1, 0)).center()
    with qtbot.waitSignal(changes.row_hovered) as hovered:
        qtbot.mouseMove(changes.list.viewport(), place)
    assert hovered.args == [1]
    qtbot.mouseClick(changes.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(changes.list, Qt.Key.Key_Up)
    assert chosen == [1, 0]
    read = changes.list.model().index(1, 0).data()
    assert read == "Changed TextView: now checked"
    changes.set_changes("", [])
    assert chosen == [1, 0], "what the program sets is not told"


def test_elements_over_each_other_are_offered(qtbot: QtBot, themed: object) -> None:
    elements = tree().elements[2:]
    menu = OverlapMenu(elements, 3)
    qtbot.addWidget(menu)
    lit: list[int] = []
    taken: list[int] = []
    menu.element_hovered.connect(lit.append)
    menu.element_chosen.connect(taken.append)
    menu.popup(QPoint(0, 0))
    words = [action.text().split("\t") for action in menu.actions()]
    assert words == [[name, "10 × 20"] for name in ("View #title “Unit 1”", "View #path", "View #oval")]
    assert [action.isChecked() for action in menu.actions()] == [False, True, False]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(menu, key)
    assert taken == [3] and lit == [2, 3, -1]
