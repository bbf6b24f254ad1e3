"""The left dock of Review: who reviews, by what the list is filtered, and the tasks with what was said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets.ambiguous.review_rows import ReviewRowDelegate, StateRows
from stepscope.widgets.ambiguous.review_values import ALL, ReviewChoice, ReviewListHead, ReviewRow
from stepscope.widgets.common import ElidedLabel, EmptyState, PanelHeader, SearchField, icon_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.thin_bar import ThinBar

LEAST_WIDTH, WIDE = 220, 260
ROW = Qt.ItemDataRole.UserRole


class ReviewRowItemModel(QAbstractListModel):
    """Rows that are made when they are looked at: there may be tens of thousands."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._count = 0
        self._row_of: Callable[[int], ReviewRow] = lambda _place: ReviewRow("", "")

    def set_rows(self, count: int, row_of: Callable[[int], ReviewRow]) -> None:
        """So many rows, each as `row_of` says it; as many as before change in place, so that selection and scroll
        stay."""
        if count == self._count:
            self._row_of = row_of
            if count:
                self.dataChanged.emit(self.index(0), self.index(count - 1))
            return
        self.beginResetModel()
        self._count, self._row_of = count, row_of
        self.endResetModel()

    def row_changed(self, place: int) -> None:
        """One row is another."""
        self.dataChanged.emit(self.index(place), self.index(place))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._count

    def row_at(self, place: int) -> ReviewRow:
        return self._row_of(place)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= self._count:
            return None
        if role == ROW:
            return self._row_of(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            row = self._row_of(index.row())
            return f"{row.title}, {row.detail}, {row.state}{', a check fails' if row.fails else ''}"
        return None


class ReviewList(QListView):
    """Letters belong to the window: they say what a person thinks of a task."""

    def keyPressEvent(self, event: Any) -> None:
        if event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)


class AmbiguousTasksPanel(QWidget):
    """`task_chosen` carries a row's number. Filters go by their values, `ALL` for none."""

    task_chosen = Signal(int)
    reviewer_named = Signal(str)
    state_chosen = Signal(str)
    kind_chosen = Signal(str)
    app_chosen = Signal(str)
    searched = Signal(str)
    blind_chosen = Signal(bool)
    make_wanted = Signal()
    export_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.make = icon_button("plus", "Make ambiguous tasks")
        self.more = icon_button("more", "Make, export, what others say")
        self._header = PanelHeader("Tasks", self.make, self.more)
        self.bar = ThinBar()
        self.reviewer = QComboBox()
        self.reviewer.setEditable(True)
        self.reviewer.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.reviewer.setMinimumContentsLength(6)
        self.reviewer.setAccessibleName("Who reviews")
        self.reviewer.setToolTip("Who reviews. Verdicts are kept for each person")
        self._pace = ElidedLabel("", "dim")
        self.states = StateRows()
        self.kind, self.app = ElidedCombo(5), ElidedCombo(5)
        self.kind.setAccessibleName("What is missing")
        self.app.setAccessibleName("App")
        self.search = SearchField("Search goals and questions", name="Search the tasks")
        self.model = ReviewRowItemModel(self)
        self.list = ReviewList()
        self._none = EmptyState("ask", "No ambiguous tasks yet", "", [("make", "Make tasks…")])
        self._nothing = EmptyState("ask", "Nothing is open", "Open data, then leave something out of its goals.")
        self._filtered = EmptyState("filter", "No task matches", "", [("clear", "Show all")])
        self._blind = True
        self._lay_out()
        self._connect()
        self.set_head(ReviewListHead())
        self.show_none("nothing")

    # what the owner tells

    def set_head(self, head: ReviewListHead) -> None:
        done = f"{formats.count(head.done)} of {formats.count(head.total)}"
        self._header.set_detail(done if head.total else "")
        self.bar.setToolTip(tip_words(f"{done} reviewed"))
        self.bar.set_progress(head.done, head.total or None)
        self._pace.setText(head.pace)
        self._head.setVisible(bool(head.total))
        self.states.set_choices(head.states, head.state)
        self._blind = head.blind
        for combo, choices, chosen, every in (
            (self.kind, head.kinds, head.kind, "Any value"),
            (self.app, head.apps, head.app, "All apps"),
        ):
            _fill(combo, choices, chosen, every)
        with QSignalBlocker(self.reviewer):
            self.reviewer.clear()
            self.reviewer.addItems(list(dict.fromkeys((head.reviewer, *head.people))))
            self.reviewer.setCurrentIndex(0)

    def set_rows(self, count: int, row_of: Callable[[int], ReviewRow]) -> None:
        self.model.set_rows(count, row_of)
        self._stack.setCurrentWidget(self.list if count else self._filtered)

    def choose(self, row: int) -> None:
        """Make a row current without telling; -1 for none."""
        with QSignalBlocker(self.list.selectionModel()):
            self.list.setCurrentIndex(self.model.index(row))
        if row >= 0:
            self.list.scrollTo(self.model.index(row))
        self.list.viewport().update()

    def show_none(self, what: str, detail: str = "") -> None:
        """Say why there is no list: "nothing" is open, or "none" was made yet."""
        self.model.set_rows(0, lambda _place: ReviewRow("", ""))
        if detail:
            self._none.set_words("No ambiguous tasks yet", detail)
        self._stack.setCurrentWidget(self._nothing if what == "nothing" else self._none)

    def words(self) -> str:
        """What stands where there is no list."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # inside

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._make_head())
        self.list.setModel(self.model)
        self.list.setItemDelegate(ReviewRowDelegate(self.list))
        self.list.setAccessibleName("Ambiguous tasks")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._stack = QStackedWidget()
        for page in (self.list, self._none, self._nothing, self._filtered):
            self._stack.addWidget(page)
        column.addWidget(self._stack, 1)

    def _make_head(self) -> QWidget:
        head = self._head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 10, 0, 8)
        column.setSpacing(8)
        above = QVBoxLayout()
        above.setContentsMargins(12, 0, 12, 0)
        above.setSpacing(8)
        above.addWidget(self.bar)
        who = QHBoxLayout()
        who.setSpacing(8)
        who.addWidget(ElidedLabel("Who", "secondary"))
        who.addWidget(self.reviewer, 1)
        who.addWidget(self._pace)
        above.addLayout(who)
        column.addLayout(above)
        column.addWidget(self.states)
        below = QVBoxLayout()
        below.setContentsMargins(12, 0, 12, 0)
        below.setSpacing(8)
        both = QHBoxLayout()
        both.setSpacing(8)
        both.addWidget(self.kind, 1)
        both.addWidget(self.app, 1)
        below.addLayout(both)
        below.addWidget(self.search)
        column.addLayout(below)
        return head

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(
            lambda now, _before: self.task_chosen.emit(now.row()) if now.isValid() else None
        )
        self.reviewer.activated.connect(lambda _place: self.reviewer_named.emit(self.reviewer.currentText()))
        line = self.reviewer.lineEdit()
        assert line is not None
        line.editingFinished.connect(lambda: self.reviewer_named.emit(self.reviewer.currentText()))
        self.states.chosen.connect(lambda state: self.state_chosen.emit(state))
        self.kind.activated.connect(lambda _place: self.kind_chosen.emit(self.kind.currentData() or ALL))
        self.app.activated.connect(lambda _place: self.app_chosen.emit(self.app.currentData() or ALL))
        self.search.settled.connect(self.searched)
        self.search.left_downwards.connect(self.list.setFocus)
        self.make.clicked.connect(self.make_wanted)
        self.more.clicked.connect(self._open_menu)
        self._none.pressed.connect(lambda _what: self.make_wanted.emit())
        self._filtered.pressed.connect(lambda _what: self.clear_wanted.emit())

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._pace.setVisible(self.width() >= WIDE)

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def menu(self) -> QMenu:
        """What the button with the dots offers."""
        menu = QMenu(self)
        menu.addAction("Make ambiguous tasks…", self.make_wanted.emit)
        menu.addAction("Export ambiguous tasks…", self.export_wanted.emit)
        menu.addSeparator()
        blind = menu.addAction("Hide what others say until I have said something")
        blind.setCheckable(True)
        blind.setChecked(self._blind)
        blind.toggled.connect(self.blind_chosen)
        return menu


def _fill(combo: ElidedCombo, choices: Sequence[ReviewChoice], chosen: str, every: str) -> None:
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItem(every, ALL)
        for choice in choices:
            combo.addItem(f"{choice.words} ({formats.count(choice.count)})", choice.value)
        combo.setCurrentIndex(max(combo.findData(chosen), 0))
        combo.setVisible(len(choices) > 1)
