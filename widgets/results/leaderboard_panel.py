"""At the left of the leaderboard: tasks and their data, columns by choice and order, what is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import LinkButton, PanelHeader, SearchField
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words
from stepscope.widgets.common.row_delegate import RowDelegate
from stepscope.widgets.common.row_table import keep_space
from stepscope.widgets.format import count
from stepscope.widgets.results.leaderboard_values import BoardColumn, BoardScope

PINNED_FIRST, ONE_ROW_FOR_SEEDS, ARCHIVED = "pinned", "seeds", "archived"
OPTIONS = {
    PINNED_FIRST: "Pinned first",
    ONE_ROW_FOR_SEEDS: "Seeds in one row",
    ARCHIVED: "Archived",
}
REMARK = "Runs under different rules or on different data stand in groups of their own and are never ranked together."
ScopeRole = int(Qt.ItemDataRole.UserRole)


class LeaderboardPanel(QWidget):
    """Signals fire for what the person does, not for what the program sets."""

    scope_chosen = Signal(str, str)
    """task, and the data's path ("" for all of the task)"""
    filter_changed = Signal(str)
    columns_changed = Signal(tuple)
    """ids of the columns that are shown, in their order"""
    option_toggled = Signal(str, bool)
    """a key of OPTIONS"""
    sort_wanted = Signal(str)
    left_to_table = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._silent = False
        self.header = PanelHeader("Leaderboard", parent=self)
        self.filter = SearchField("Filter runs")
        self.scopes = QTreeWidget(self)
        self.columns = ColumnList(self)
        self.sort = QComboBox(self)
        self.sort.setAccessibleName("Sorted by")
        self.sort.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.sort.setMinimumContentsLength(8)
        self.options = {name: QCheckBox(plain_label(words), self) for name, words in OPTIONS.items()}
        self._all = LinkButton("Show all")
        self._lay_out()
        self._connect()

    def set_scopes(self, scopes: Sequence[BoardScope], task: str, source: str) -> None:
        """Tasks with their data, and which of them is shown."""
        self._silent = True
        tree = self.scopes
        tree.clear()
        above: dict[str, QTreeWidgetItem] = {}
        for scope in scopes:
            parent = above.get(scope.task) if scope.source else None
            item = QTreeWidgetItem([straight(scope.title), count(scope.runs)])
            item.setData(0, ScopeRole, (scope.task, scope.source))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(0, tip_words(scope.source or scope.title))
            if parent is None:
                tree.addTopLevelItem(item)
                above[scope.task] = item
            else:
                parent.addChild(item)
            if (scope.task, scope.source) == (task, source):
                if parent is not None:
                    parent.setExpanded(True)
                item.setExpanded(True)
                tree.setCurrentItem(item)
        runs = sum(scope.runs for scope in scopes if not scope.source)
        self.header.set_detail(f"{count(runs)} runs" if runs != 1 else "1 run")
        self._silent = False
        self._fit_scopes()

    def set_columns(self, every: Sequence[BoardColumn], shown: Sequence[str]) -> None:
        """All columns that there are, the shown ones in their order first."""
        self.columns.set_columns(every, shown)

    def set_sort(self, columns: Sequence[BoardColumn], current: str) -> None:
        self.sort.blockSignals(True)
        self.sort.clear()
        for column in columns:
            self.sort.addItem(column.title, column.id)
        self.sort.setCurrentIndex(max(0, self.sort.findData(current)))
        self.sort.blockSignals(False)

    def set_options(self, on: Collection[str], archived: int) -> None:
        for name, box in self.options.items():
            box.blockSignals(True)
            box.setToolTip(OPTIONS[name])
            box.setChecked(name in on)
            box.blockSignals(False)
        self.options[ARCHIVED].setText(f"{OPTIONS[ARCHIVED]}, {count(archived)}")
        self.options[ARCHIVED].setEnabled(archived > 0)

    # inside

    def _lay_out(self) -> None:
        tree = self.scopes
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setAccessibleName("Tasks and data")
        tree.setItemDelegate(RowDelegate(tree))
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setRootIsDecorated(True)
        tree.setIndentation(14)
        tree.setUniformRowHeights(True)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        bar = QVBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.addWidget(self.filter)
        inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(0, 0, 4, 8)
        body.setSpacing(4)
        body.addWidget(tree)
        body.addLayout(_headed("Sorted by"))
        body.addWidget(_beside(self.sort))
        body.addLayout(_headed("Show"))
        for box in self.options.values():
            body.addWidget(_beside(box))
        body.addLayout(_headed("Columns", self._all))
        body.addWidget(_beside(self.columns))
        remark = QLabel(REMARK)
        remark.setWordWrap(True)
        remark.setProperty("role", "dim")
        remark.setContentsMargins(12, 8, 12, 10)
        body.addWidget(remark)
        body.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(bar)
        column.addWidget(scroll, 1)

    def _connect(self) -> None:
        self.filter.settled.connect(self.filter_changed)
        self.filter.left_downwards.connect(self.left_to_table)
        self.scopes.currentItemChanged.connect(self._scope_came)
        self.scopes.itemExpanded.connect(lambda _item: self._fit_scopes())
        self.scopes.itemCollapsed.connect(lambda _item: self._fit_scopes())
        self.columns.changed.connect(lambda: self.columns_changed.emit(self.columns.shown()))
        self._all.clicked.connect(self.columns.show_all)
        self.sort.activated.connect(lambda _place: self.sort_wanted.emit(self.sort.currentData()))
        for name, box in self.options.items():
            box.toggled.connect(lambda on, option=name: self.option_toggled.emit(option, on))

    def _fit_scopes(self) -> None:
        """As high as what is open, up to ten rows."""
        tree, height = self.scopes, self.scopes.fontMetrics().height() + 12
        tops = [top for n in range(tree.topLevelItemCount()) if (top := tree.topLevelItem(n)) is not None]
        rows = len(tops) + sum(top.childCount() for top in tops if top.isExpanded())
        below = [child for top in tops for n in range(top.childCount()) if (child := top.child(n)) is not None]
        for item in (*tops, *below):
            item.setSizeHint(0, QSize(40, height))
        tree.setFixedHeight(min(max(rows, 1), 10) * height + 4)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "options"):
            QTimer.singleShot(0, self, self._fit_scopes)

    def _scope_came(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and not self._silent:
            self.scope_chosen.emit(*item.data(0, ScopeRole))


class ColumnList(QListWidget):
    """Ticked columns are shown, in the order of the list: drag one, or move it with Ctrl+Shift+Up and Down."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Columns, in their order")
        self.setToolTip("Space ticks; drag, or Ctrl+Shift+Up and Down, moves")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._silent = False
        self._without_room: frozenset[str] = frozenset()
        self.itemChanged.connect(self._told)
        self.model().rowsMoved.connect(self._told)

    def set_columns(self, every: Sequence[BoardColumn], shown: Sequence[str]) -> None:
        """The shown ones in this order, then the others as they came."""
        by_id = {column.id: column for column in every}
        ordered = [by_id[name] for name in shown if name in by_id]
        ordered += [column for column in every if column.id not in shown]
        wanted = [(column.id, column.title, column.id in shown) for column in ordered]
        if wanted == [(one.data(ScopeRole), one.text(), _ticked(one)) for one in self._items()]:
            return
        self._silent = True
        row = self.currentRow()
        self.clear()
        for name, title, on in wanted:
            item = QListWidgetItem(straight(title))
            item.setData(ScopeRole, name)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsDragEnabled
            )  # fmt: skip
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(min(row, self.count() - 1))
        self._silent = False
        self.set_without_room(self._without_room)
        self._fit()

    def set_without_room(self, columns: Iterable[str]) -> None:
        """Say of these that the table has no room for them now."""
        self._without_room = frozenset(columns)
        self._silent = True
        for item in self._items():
            squeezed = item.data(ScopeRole) in self._without_room and _ticked(item)
            font = item.font()
            font.setItalic(squeezed)
            item.setFont(font)
            item.setToolTip("No room for it in the table now: it stands in each row's tip" if squeezed else "")
            words = f"{item.text()}, no room now" if squeezed else item.text()
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
        self._silent = False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_silent"):
            QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """As high as all its rows, which grow with the text."""
        height = self.fontMetrics().height() + 6
        self._silent = True
        for item in self._items():
            item.setSizeHint(QSize(40, height))
        self._silent = False
        self.setFixedHeight(max(1, self.count()) * height + 4)

    def shown(self) -> tuple[str, ...]:
        """The ids of the ticked ones, in their order."""
        return tuple(item.data(ScopeRole) for item in self._items() if _ticked(item))

    def show_all(self) -> None:
        self._silent = True
        for item in self._items():
            item.setCheckState(Qt.CheckState.Checked)
        self._silent = False
        self._told()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if way is not None and event.modifiers() & held == held:
            self.move_current(way)
        elif event.text().isprintable() and event.text().strip() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Space is the list's own, whatever it does elsewhere."""
        return keep_space(event) or super().event(event)

    def move_current(self, way: int) -> None:
        """Put the current column one place up (-1) or down (1)."""
        row = self.currentRow()
        if 0 <= row + way < self.count():
            self._silent = True
            item = self.takeItem(row)
            self.insertItem(row + way, item)
            self.setCurrentRow(row + way)
            self._silent = False
            self._told()

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _told(self, *_changes: object) -> None:
        if not self._silent:
            self.changed.emit()


def _ticked(item: QListWidgetItem) -> bool:
    return item.checkState() == Qt.CheckState.Checked


def _headed(words: str, *parts: QWidget) -> QHBoxLayout:
    label = QLabel(words)
    label.setProperty("role", "heading")
    row = QHBoxLayout()
    row.setContentsMargins(12, 10, 12, 2)
    row.addWidget(label, 1)
    for part in parts:
        row.addWidget(part)
    return row


def _beside(part: QWidget) -> QWidget:
    """With the panel's room at its sides."""
    held = QWidget()
    row = QHBoxLayout(held)
    row.setContentsMargins(12, 0, 12, 0)
    row.addWidget(part)
    part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())  # no wider than the dock
    return held
