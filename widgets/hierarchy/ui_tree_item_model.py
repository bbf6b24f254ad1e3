"""A UI tree for Qt's tree view. It stands on the flat tuple: an index carries the element's number and nothing else."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from stepscope.core.domain.element_search import ElementFilter, ElementSearch
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.hierarchy.locators import bounds

Index = QModelIndex | QPersistentModelIndex
ElementRole = int(Qt.ItemDataRole.UserRole)
"""The UIElement."""
MarksRole = ElementRole + 1
"""Runs (0 is A, -1 is the reference) whose action is on the element."""


class UITreeItemModel(QAbstractItemModel):
    """Rows are elements; a filter keeps the matching ones and their ancestors."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree: UITree | None = None
        self._roots: Sequence[int] = ()
        self._children: Mapping[int, Sequence[int]] | Sequence[Sequence[int]] = ()
        self._rows: array[int] = array("i")
        self._marks: Mapping[int, tuple[int, ...]] = {}
        self._matches: frozenset[int] | None = None

    @property
    def tree(self) -> UITree | None:
        return self._tree

    @property
    def matches(self) -> frozenset[int] | None:
        """Elements that the filter itself found (without their ancestors), None while it finds all."""
        return self._matches

    def set_tree(
        self, tree: UITree | None, search: ElementSearch | None = None, shown: ElementFilter = ElementFilter.ALL
    ) -> None:
        """Show another tree, and of it what the search finds and `shown` lets through."""
        self.beginResetModel()
        self._tree = tree
        self._marks = {}
        self._show(self._found(search or ElementSearch(), shown))
        self.endResetModel()

    def set_filter(self, search: ElementSearch, shown: ElementFilter) -> None:
        """Keep the elements that the search finds, of those that `shown` lets through."""
        self.beginResetModel()
        self._show(self._found(search, shown))
        self.endResetModel()

    def set_marks(self, marks: Mapping[int, tuple[int, ...]]) -> None:
        """Runs by element: -1 for the reference, 0 for A, …"""
        changed = set(marks) | set(self._marks)
        self._marks = dict(marks)
        for element in changed:
            index = self.index_of(element)
            if index.isValid():
                self.dataChanged.emit(index, index, [MarksRole])

    def index_of(self, element: int) -> QModelIndex:
        """The index of an element; invalid when there is none or the filter hides it."""
        if not 0 <= element < len(self._rows) or self._rows[element] < 0:
            return QModelIndex()
        return self.createIndex(self._rows[element], 0, element)

    def element_of(self, index: Index) -> int:
        """The element's number; -1 for an invalid index."""
        return index.internalId() if index.isValid() else -1

    # Qt's side

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        siblings = self._children_of(parent)
        if column != 0 or not 0 <= row < len(siblings):
            return QModelIndex()
        return self.createIndex(row, 0, siblings[row])

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or self._tree is None:
            return QModelIndex()
        return self.index_of(self._tree.elements[index.internalId()].parent)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._children_of(parent))

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        """Qt would count rows and columns."""
        return bool(self._children_of(parent))

    def columnCount(self, _parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._tree is None:
            return None
        element = self._tree.elements[index.internalId()]
        if role == ElementRole:
            return element
        if role == MarksRole:
            return self._marks.get(element.index, ())
        if role == Qt.ItemDataRole.DisplayRole:
            return element_words(element)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words(tooltip(element))
        return None

    # inside

    def _children_of(self, parent: Index) -> Sequence[int]:
        if not parent.isValid():
            return self._roots
        return self._children[parent.internalId()] if parent.column() == 0 else ()

    def _show(self, kept: set[int] | None) -> None:
        """Lay out the rows: all of them, or the kept ones with their ancestors."""
        tree = self._tree
        if tree is None:
            self._roots, self._children, self._rows, self._matches = (), (), array("i"), None
            return
        self._matches = None if kept is None else frozenset(kept)
        if kept is None:
            self._roots = [element.index for element in tree.elements if element.parent < 0]
            self._children = tree.children
        else:
            visible = set(kept)
            for element in kept:
                visible.update(ancestor.index for ancestor in tree.ancestors(element))
            self._roots = [place for place in sorted(visible) if tree.elements[place].parent < 0]
            self._children = {place: [c for c in tree.children[place] if c in visible] for place in visible}
        self._rows = self._number_rows(tree)

    def _number_rows(self, tree: UITree) -> array[int]:
        """An element's place among its siblings, -1 for a hidden one."""
        rows = array("i", [-1]) * len(tree)
        groups = self._children.values() if isinstance(self._children, dict) else self._children
        for siblings in (self._roots, *groups):
            for row, element in enumerate(siblings):
                rows[element] = row
        return rows

    def _found(self, search: ElementSearch, shown: ElementFilter) -> set[int] | None:
        if self._tree is None or (search.finds_all and shown is ElementFilter.ALL):
            return None
        return {e.index for e in self._tree.elements if shown.lets_through(e) and search.matches(e)}


def element_words(element: UIElement) -> str:
    """The element in a line, for screen readers and copying."""
    said = element.text or element.content_description
    parts = (element.short_class, element.short_id and f"#{element.short_id}", said and f"“{said}”")
    return " ".join(filter(None, parts)) or "element"


def tooltip(element: UIElement) -> str:
    """Class, id, words, bounds and what can be done with it, whole."""
    flags = ("clickable", "long_clickable", "scrollable", "checkable", "checked", "editable", "focused", "selected")
    able = [name.replace("_", " ") for name in flags if getattr(element, name)]
    lines = [
        element.class_name,
        element.resource_id,
        element.text and f"text: {element.text}",
        element.content_description and f"description: {element.content_description}",
        bounds(element),
        ", ".join(able + ([] if element.enabled else ["disabled"]) + ([] if element.visible else ["invisible"])),
    ]
    return "\n".join(line for line in lines if line)
