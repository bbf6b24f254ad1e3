"""The fields of the page: what was filled in, what people answered, how it is scored and why."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.spreadsheet import clipboard_lines
from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, EmptyState, SegmentedControl
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.room_row import RoomRow
from stepscope.widgets.webtask.field_row import FieldDelegate, arrow_place
from stepscope.widgets.webtask.fields_item_model import FieldsItemModel, field_lines
from stepscope.widgets.webtask.side_values import FieldRow, FieldsState, PeopleVisibility, people_lines, people_words

RULES = (("official", "Official rules"), ("paper", "Paper rules"))
NOTHING = ("No page is open", "Choose a task, and the fields of its page stand here.")
NO_FIELDS = ("This page has no answer fields", "Nothing of it is scored.")
LEAST_HEIGHT = 96


class FieldsList(QListView):
    """Space, Left and Right open and close a row; Enter tells the field once more; bare letters go to the window."""

    arrow_pressed = Signal(QModelIndex)
    taken = Signal(QModelIndex)
    copy_wanted = Signal()
    pointed = Signal(QModelIndex)

    def __init__(self, model: FieldsItemModel) -> None:
        super().__init__()
        self._rows = model
        self.setAccessibleName("Fields")
        self.setItemDelegate(FieldDelegate(self))
        self.setModel(model)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)  # a narrow open row has more lines
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.entered.connect(self.pointed)
        self.viewportEntered.connect(lambda: self.pointed.emit(QModelIndex()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, LEAST_HEIGHT)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(QModelIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() == Qt.MouseButton.LeftButton and self._on_arrow(index, place):
            self.arrow_pressed.emit(index)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.currentIndex(), event.key()
        field = self._rows.field(index.row())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif field is not None and key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space):
            wanted = not self._rows.is_open(field.name) if key == Qt.Key.Key_Space else key == Qt.Key.Key_Right
            if wanted != self._rows.is_open(field.name):
                self.arrow_pressed.emit(index)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit(index)
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _on_arrow(self, index: QModelIndex, place: QPoint) -> bool:
        return index.isValid() and arrow_place(self.visualRect(index), self.font()).contains(place)


class FieldsPanel(QWidget):
    """Signals fire for what the person does; the fields are named as in the page."""

    field_chosen = Signal(str)
    field_pointed = Signal(str)
    """the field whose row is under the mouse, "" for none"""
    rules_chosen = Signal(str)
    """official or paper"""
    people_toggled = Signal(bool)
    """whether the people's answers are to be shown to somebody who fills the page in"""
    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chosen, self._pointed = "", ""
        self.model = FieldsItemModel(self)
        self.list = FieldsList(self.model)
        self._detail = ElidedLabel("", "dim")
        self.rules = SegmentedControl(RULES, "Rules of scoring")
        self.show_people = QCheckBox("Show people's answers")
        self.show_people.setToolTip("They are hidden until you submit, so that your answers are your own")
        self._empty = EmptyState("app", *NOTHING)
        self._mean = ElidedLabel("mean over scored fields", "secondary")
        self._score = _FigureLabel()
        self._lay_out()
        self._connect()
        self.set_state(None)

    # what the owner tells

    def set_state(self, state: FieldsState | None) -> None:
        """All fields of the page that is open; None: no page is. The chosen field stays chosen where there is one of
        its name."""
        shown = state or FieldsState()
        self.model.set_state(shown)
        self._detail.setText(shown.detail if shown.rows else "")
        self.rules.set_value(shown.rules)
        self.show_people.setVisible(shown.people.blind)
        self.show_people.blockSignals(True)
        self.show_people.setChecked(shown.people is PeopleVisibility.ASKED_FOR)
        self.show_people.blockSignals(False)
        score = formats.confidence(None if shown.people is PeopleVisibility.HIDDEN else shown.score)
        self._score.setText(score)
        self._foot.setAccessibleName(f"Instance: mean over scored fields {score}")
        self._empty.set_words(*(NOTHING if state is None else NO_FIELDS))
        self._stack.setCurrentWidget(self.list if shown.rows else self._empty)
        self._select()

    def choose(self, name: str) -> None:
        """Make a field current and visible without telling; an unknown name leaves none."""
        self._chosen = name
        self._select()

    def chosen(self) -> str:
        return self._chosen

    def show_whole(self, names: set[str]) -> None:
        """Open the rows of these fields, close the others."""
        self.model.set_open(names)

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        return self._empty.words() if self._stack.currentWidget() is self._empty else ""

    def table_text(self) -> str:
        """All fields as a table: tabs between the cells, a field a line, as spreadsheets paste it. Answers and scores
        that are hidden stay so."""
        state = self.model.state
        people = state.people is not PeopleVisibility.HIDDEN
        lines = [["Field", "Type", state.who, *(["People", "Score", "Why"] if people else [])]]
        for row in state.rows:
            score = "" if row.score is None else formats.score(row.score)
            told = [people_words(row), score, row.why] if people else []
            lines.append([row.name, row.type, row.value or "", *told])
        return clipboard_lines(lines)

    def menu_for(self, row: FieldRow) -> QMenu:
        """The context menu of a field."""
        menu = QMenu(self)
        menu.addAction("Copy Value", lambda: self._copy(row.value or "")).setEnabled(bool(row.value))
        people = menu.addAction("Copy People's Answers", lambda: self._copy(_answers(row)))
        people.setEnabled(bool(row.people) and self.model.state.people is not PeopleVisibility.HIDDEN)
        menu.addAction("Copy Name", lambda: self._copy(row.name))
        menu.addAction("Copy Field", lambda: self._copy("\n".join(field_lines(row, self.model.state))))
        menu.addAction("Copy All Fields", lambda: self._copy(self.table_text()))
        menu.addSeparator()
        words = "Close This Row" if self.model.is_open(row.name) else "Show This Row Whole"
        menu.addAction(words, lambda: self.model.toggle(row.name))
        every = {one.name for one in self.model.state.rows}
        menu.addAction("Show All Rows Whole", lambda: self.show_whole(every)).setEnabled(not every <= self.model.open)
        menu.addAction("Close All Rows", lambda: self.show_whole(set())).setEnabled(bool(self.model.open))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = self.list.viewport().mapFromGlobal(event.globalPos())
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.list.currentIndex() if by_key else self.list.indexAt(place)
        row = self.model.field(index.row())
        if row is not None:
            menu = self.menu_for(row)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    # inside

    def _lay_out(self) -> None:
        title = QLabel("Fields")
        title.setProperty("role", "heading")
        words = QWidget()
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout(words)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(title)
        line.addWidget(self._detail, 1)
        head = QWidget()
        head.setProperty("bar", "tools")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        above = QVBoxLayout(head)
        above.setContentsMargins(12, 5, 8, 5)
        above.setSpacing(4)
        above.addWidget(RoomRow(words, self.rules))
        above.addWidget(self.show_people)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)
        column.addWidget(self._build_foot())

    def _build_foot(self) -> QWidget:
        self._foot = QWidget()
        self._foot.setProperty("bar", "foot")
        self._foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        name = QLabel("Instance")
        name.setProperty("role", "title")
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(12, 10, 12, 10)
        row.setSpacing(8)
        row.addWidget(name)
        row.addWidget(self._mean, 1)
        row.addWidget(self._score)
        return self._foot

    def _connect(self) -> None:
        self.rules.chosen.connect(self.rules_chosen)
        self.show_people.toggled.connect(self.people_toggled)
        self.list.arrow_pressed.connect(self._toggle)
        self.list.taken.connect(self._tell_again)
        self.list.copy_wanted.connect(self._copy_current)
        self.list.pointed.connect(self._point)
        # Selection, not the current row: the list makes its first row current when it merely gets the focus.
        self.list.selectionModel().selectionChanged.connect(lambda *_both: self._selection_came())
        self.model.modelReset.connect(self._select)

    def _selection_came(self) -> None:
        for index in self.list.selectionModel().selectedIndexes():
            row = self.model.field(index.row())
            if row is not None and row.name != self._chosen:
                self._chosen = row.name
                self.field_chosen.emit(row.name)

    def _tell_again(self, index: QModelIndex) -> None:
        row = self.model.field(index.row())
        if row is not None:
            self._chosen = row.name
            self.field_chosen.emit(row.name)

    def _toggle(self, index: QModelIndex) -> None:
        row = self.model.field(index.row())
        if row is not None:
            self.model.toggle(row.name)

    def _point(self, index: QModelIndex) -> None:
        row = self.model.field(index.row()) if index.isValid() else None
        name = row.name if row is not None else ""
        if name != self._pointed:
            self._pointed = name
            self.field_pointed.emit(name)

    def _select(self) -> None:
        place = self.model.row_of(self._chosen)
        if place < 0:
            self.list.selectionModel().clear()
            return
        index = self.model.index(place, 0)
        if index != self.list.currentIndex() or not self.list.selectionModel().isSelected(index):
            self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.list.scrollTo(index)

    def _copy_current(self) -> None:
        row = self.model.field(self.list.currentIndex().row())
        if row is not None:
            self._copy(row.value or "")

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()


class _FigureLabel(QLabel):
    """A number in large letters that grow with the text size."""

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._large())
        return QSize(metrics.horizontalAdvance(self.text()) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._large())
        painter.setPen(QColor(theme.current().text))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()

    def _large(self) -> QFont:
        return derived(self.font(), 17, weight=QFont.Weight.DemiBold)


def _answers(row: FieldRow) -> str:
    return "\n".join(people_lines(row))
