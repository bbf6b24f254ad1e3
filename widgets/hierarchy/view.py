"""The UI tree of the current screen, linked to its boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStackedWidget, QVBoxLayout, QWidget

from stepscope.core.domain.element_search import FLAGS, ElementFilter, ElementSearch
from stepscope.core.domain.elements import UITree
from stepscope.widgets.common import EmptyState, ErrorCard, PanelHeader, SearchField, SegmentedControl, icon_button
from stepscope.widgets.format import counted
from stepscope.widgets.hierarchy.locators import bounds, locator
from stepscope.widgets.hierarchy.tree_list import ElementTree
from stepscope.widgets.hierarchy.ui_tree_item_model import UITreeItemModel

if TYPE_CHECKING:
    from stepscope.widgets.hierarchy.changes_list import ChangeRow, ChangesList

MOST_EXPANDED = 400
"""Trees up to this size open whole; larger ones as deep as stays below it."""
CHANGES = "changes"
PAGES = (
    (ElementFilter.ALL.value, "All"),
    (ElementFilter.CLICKABLE.value, "Clickable"),
    (ElementFilter.WITH_TEXT.value, "With text"),
    (CHANGES, "Changes"),
)
NO_TREE = "No UI tree in this source"
ONLY_PICTURE = "The picture and the actions are all it has."
CAN_BE_READ = "The words of the picture can be read instead."
HELP = f"Words, id:, class:, text:, is: ({', '.join(FLAGS)}); - before one turns it round"


class UITreeView(QWidget):
    """Hovering and selecting go out as element numbers (-1: none) and come in through slots that tell nobody."""

    element_hovered = Signal(int)
    element_selected = Signal(int)
    shown_changed = Signal(object)
    """the elements that are listed, a `ElementFilter`"""
    page_changed = Signal()
    """the tree, or what changed, came to the front"""
    change_hovered = Signal(int)
    change_chosen = Signal(int)
    """rows of what changed, by their place, -1 for none"""
    read_wanted = Signal()
    """a person wants the words of the picture to be read"""
    stop_wanted = Signal()
    """… and that to be stopped"""
    error_action = Signal(str)
    """id of a button of the error card"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = UITreeItemModel(self)
        self._told = -1
        self._mistake = ""
        """what is wrong with the words that are looked for"""
        self._silent = False
        self._link = icon_button("link", "Link the tree with the screen", checkable=True)
        self._link.setChecked(True)
        self._header = PanelHeader("UI tree", self._link)
        self.search = SearchField("Find element, text or id", hint="Ctrl+F", name="Find in the UI tree")
        self.search.setToolTip(f"Find in the UI tree (Ctrl+F)\n{HELP}")
        self._shown = SegmentedControl(PAGES, "Elements shown")
        self._shown.spread()
        self.tree = ElementTree(self._model)
        self._changes: tuple[str, Sequence[ChangeRow]] = "", ()
        self._empty = EmptyState("tree", NO_TREE, ONLY_PICTURE)
        self._expanding = QTimer(self)
        self._expanding.setSingleShot(True)
        self._expanding.setInterval(0)
        self._expanding.timeout.connect(self._expand)
        self._lay_out()
        self._connect()
        self.set_tree(None)

    # what the owner tells

    def set_tree(self, tree: UITree | None, *, readable: bool = False, others: bool = False) -> None:
        """Show another screen's tree, None when there is none. Search and filter stay, selection does not. Without a
        tree: `readable` when there is a picture whose words could be read instead, `others` when other steps have
        trees."""
        self._silent = True
        title = "No UI tree on this step" if others else NO_TREE
        self._nothing = self._readable if readable else self._empty
        detail = "The other steps have theirs." if others else ONLY_PICTURE
        self._nothing.set_words(title, CAN_BE_READ if readable else detail)
        self._told = -1
        self.tree.light(-1)
        search = ElementSearch.read(self.search.text())
        self._model.set_tree(tree, search, self.shown)
        self._silent = False
        words = "" if tree is None else f"{tree.origin.value}, {counted(len(tree), 'element')}"
        self._header.set_detail(words)
        self.tree.fit_depth(max(_depths(tree), default=0) if tree is not None else 0)
        self._show_found(search)

    def set_marks(self, marks: Mapping[int, tuple[int, ...]]) -> None:
        """Show which runs acted on which element: -1 the reference, 0 run A, …"""
        self._model.set_marks(marks)

    def set_error(self, title: str, detail: str, buttons: Sequence[tuple[str, str]] = ()) -> None:
        """An error in the place of the tree, until the next `set_tree`."""
        self.set_tree(None)
        self._error.set_error(title, detail, buttons)
        self._stack.setCurrentWidget(self._error_page)

    def set_reading(self, words: str) -> None:
        """The words of the picture are being read; until the next `set_tree`."""
        self.set_tree(None)
        self._reading.set_words("Reading the text", words)
        self._nothing = self._reading
        self._show_page()

    def set_changes(self, words: str, rows: Sequence[ChangeRow]) -> None:
        """List what changed since the step before, below a line of words; none is chosen."""
        self._changes = words, rows
        if "changes" in self.__dict__:
            self.changes.set_changes(words, rows)

    def hover_element(self, element: int) -> None:
        """Light an element's row, from outside."""
        if self._link.isChecked():
            self.tree.light(element)

    def select_element(self, element: int) -> None:
        """Select an element, open its ancestors and scroll to it; -1 selects none. A filter that hides it gives way."""
        if not self._link.isChecked() or element == self._told:
            return
        self._told = element
        self._silent = True
        try:
            self._show_element(element)
        finally:
            self._silent = False

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @property
    def shown(self) -> ElementFilter:
        """Which elements are listed."""
        value = self._shown.value()
        return ElementFilter.ALL if value == CHANGES else ElementFilter(value)

    @property
    def shows_changes(self) -> bool:
        return self._shown.value() == CHANGES

    @property
    def model(self) -> UITreeItemModel:
        return self._model

    def selected_element(self) -> int:
        return self._told

    # inside: what stands in the tree's place is made when it does

    @cached_property
    def changes(self) -> ChangesList:
        from stepscope.widgets.hierarchy.changes_list import ChangesList  # not at the start of a window

        found = ChangesList()
        found.set_changes(*self._changes)
        found.row_hovered.connect(self.change_hovered)
        found.row_chosen.connect(self.change_chosen)
        self._stack.addWidget(found)
        return found

    @cached_property
    def _readable(self) -> EmptyState:
        found = EmptyState("tree", NO_TREE, CAN_BE_READ, [("read", "Read text of this screen")])
        found.pressed.connect(lambda _which: self.read_wanted.emit())
        self._stack.addWidget(found)
        return found

    @cached_property
    def _reading(self) -> EmptyState:
        found = EmptyState("wait", "Reading the text", "", [("stop", "Stop")])
        found.pressed.connect(lambda _which: self.stop_wanted.emit())
        self._stack.addWidget(found)
        return found

    @cached_property
    def _none_found(self) -> EmptyState:
        found = EmptyState("search", "No element matches", "", [("clear", "Clear search")])
        found.pressed.connect(lambda _which: self._show_all())
        self._stack.addWidget(found)
        return found

    @cached_property
    def _error(self) -> ErrorCard:
        found = ErrorCard()
        found.pressed.connect(self.error_action)
        return found

    @cached_property
    def _error_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.addWidget(self._error)
        column.addStretch(1)
        self._stack.addWidget(page)
        return page

    def _lay_out(self) -> None:
        bar = QWidget()
        lines = QVBoxLayout(bar)
        lines.setContentsMargins(12, 8, 12, 8)
        lines.setSpacing(8)
        lines.addWidget(self.search)
        lines.addWidget(self._shown)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.search.settled.connect(lambda _text: self._filter())
        self.search.left_downwards.connect(lambda: self.tree.setFocus(Qt.FocusReason.OtherFocusReason))
        self._shown.chosen.connect(self._choose_page)
        self.tree.hovered.connect(self._hovered)
        self.tree.selectionModel().selectionChanged.connect(self._selection_came)
        self.tree.customContextMenuRequested.connect(self._open_menu)

    def _hovered(self, element: int) -> None:
        if self._link.isChecked():
            self.element_hovered.emit(element)

    def _selection_came(self) -> None:
        if self._silent:
            return
        chosen = self.tree.selectionModel().selectedIndexes()
        element = self._model.element_of(chosen[0]) if chosen else -1
        if element >= 0 and element != self._told:
            self._told = element
            if self._link.isChecked():
                self.element_selected.emit(element)

    def _choose_page(self, _value: str) -> None:
        self._filter()
        self.shown_changed.emit(self.shown)
        self.page_changed.emit()

    def _filter(self) -> None:
        """Show what search and filter leave; the selected element stays selected if it is among it."""
        search = ElementSearch.read(self.search.text())
        self._silent = True
        self._model.set_filter(search, self.shown)
        self._show_found(search)

    def _show_found(self, search: ElementSearch) -> None:
        self._silent = True
        self._mistake = search.mistake
        self._show_page()
        self._select_row(self._told)
        self._silent = False
        self._expand()

    def _show_page(self) -> None:
        tree = self._model.tree
        page: QWidget = self.tree
        if self.shows_changes:
            page = self.changes
        elif tree is None or not len(tree):
            page = self._nothing
        elif self._model.rowCount() == 0:
            page = self._none_found
            self._none_found.set_words("No element matches", self._mistake)
        self._stack.setCurrentWidget(page)

    def _show_all(self) -> None:
        """Search for nothing, and list all elements."""
        self.search.show_text("")
        before = self.shown
        if not self.shows_changes:
            self._shown.set_value(ElementFilter.ALL.value)
        self._filter()
        if before is not ElementFilter.ALL:
            self.shown_changed.emit(ElementFilter.ALL)

    def _show_element(self, element: int) -> None:
        tree = self._model.tree
        if tree is None or not 0 <= element < len(tree):
            self.tree.selectionModel().clearSelection()
            return
        if not self._model.index_of(element).isValid():
            self._show_all()
            self._silent = True
        if self._expanding.isActive():
            self._expand()
        for ancestor in tree.ancestors(element):
            self.tree.expand(self._model.index_of(ancestor.index))
        self._select_row(element)

    def _select_row(self, element: int) -> None:
        index = self._model.index_of(element)
        if not index.isValid():
            return
        seen = self.tree.viewport().rect().contains(self.tree.visualRect(index).center())
        self.tree.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if not seen:
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _expand(self) -> None:
        """Open rows after the step has been painted, and only while someone can see them."""
        self._expanding.stop()
        if not self.isVisible():
            return
        tree = self._model.tree
        if tree is None:
            return
        matches = self._model.matches
        rows = len(tree) if matches is None else len(matches)
        if rows <= MOST_EXPANDED:
            self.tree.expandAll()
        else:
            self.tree.expandToDepth(_depth_below(tree, MOST_EXPANDED))
        self._select_row(self._told)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._expanding.start()

    def _open_menu(self, place: QPoint) -> None:
        index = self.tree.indexAt(place)
        if index.isValid():
            menu = self.menu_for(index)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.tree.viewport().mapToGlobal(place))

    def menu_for(self, index: QModelIndex) -> QMenu:
        """The context menu of a row."""
        tree, element = self._model.tree, self._model.element_of(index)
        menu = QMenu(self)
        if tree is None or element < 0:
            return menu
        menu.addAction("Copy locator", lambda: self.copy_locator(element))
        menu.addAction("Copy bounds", lambda: self.copy_bounds(element))
        if tree.elements[element].text or tree.elements[element].content_description:
            menu.addAction("Copy text", lambda: self.copy_text(element))
        return menu

    def copy_locator(self, element: int) -> None:
        """Put a line into the clipboard that finds the element again."""
        if (tree := self._model.tree) is not None:
            QGuiApplication.clipboard().setText(locator(tree, element))

    def copy_bounds(self, element: int) -> None:
        if (tree := self._model.tree) is not None:
            QGuiApplication.clipboard().setText(bounds(tree.elements[element]))

    def copy_text(self, element: int) -> None:
        """The element's text, else its description."""
        if (tree := self._model.tree) is not None:
            one = tree.elements[element]
            QGuiApplication.clipboard().setText(one.text or one.content_description)


def _depths(tree: UITree) -> list[int]:
    """How deep each element lies in the tree as it is shown; 0 for a root."""
    depths: list[int] = []
    for element in tree.elements:
        depths.append(depths[element.parent] + 1 if element.parent >= 0 else 0)
    return depths


def _depth_below(tree: UITree, rows: int) -> int:
    """The deepest level down to which the tree has no more than `rows` elements."""
    by_depth = Counter(_depths(tree))
    total, depth = 0, 0
    while depth in by_depth and total + by_depth[depth] <= rows:
        total += by_depth[depth]
        depth += 1
    return max(0, depth - 2)
