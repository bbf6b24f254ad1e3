"""Filters kept under names, at the foot of the list: a pill each with its count, and a field in which one is named."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.area import fill_area
from stepscope.widgets.common.buttons import icon_button, name_button
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.format import count, counted
from stepscope.widgets.library.chips import REMOVE_KEYS, Chip
from stepscope.widgets.library.episode_list_rows import SavedFilter

LONGEST_NAME = 40


class NameField(QLineEdit):
    """Takes a name: Enter gives it, Esc and leaving the field do not."""

    named = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMaxLength(LONGEST_NAME)
        self.setPlaceholderText("Name, then Enter")
        self.setAccessibleName("Name of the filter")
        self.returnPressed.connect(self._give)
        self.editingFinished.connect(self.left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _give(self) -> None:
        if name := " ".join(self.text().split()):
            self.named.emit(name)


class SavedPill(Chip):
    """A saved filter; its menu renames, replaces and deletes it."""

    menu_wanted = Signal(QPoint)

    def __init__(self, saved: SavedFilter) -> None:
        many = "" if saved.count is None else f" {count(saved.count)}"
        super().__init__(saved.name + many, f"Saved filter {saved.name}")
        self.saved = saved
        told = saved.wrong or ("" if saved.count is None else f"{counted(saved.count, 'episode')} here")
        self.setToolTip(tip_words("\n".join(filter(None, (saved.text, told)))))
        self.setAccessibleDescription(told)
        self.setEnabled(not saved.wrong)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in REMOVE_KEYS:
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class SavedFilters(QWidget):
    """`save_wanted(name)`: keep the filter in force; `renamed(old, new)`, `replaced(name)` and `deleted(name)` are
    about a saved one, `chosen(text)` is to become the filter."""

    chosen = Signal(str)
    save_wanted = Signal(str)
    renamed = Signal(str, str)
    replaced = Signal(str)
    deleted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[SavedFilter, ...] = ()
        self._pills: list[SavedPill] = []
        self._renaming = ""
        self._can_save = False
        self.star = icon_button("star", "Save this filter")
        self.star.clicked.connect(self.begin_name)
        self._title = ElidedLabel("Saved filters", "secondary")
        self.field = NameField()
        self.field.named.connect(self._name)
        self.field.left.connect(self._end_name)
        self._room = QWidget()
        self._flow = FlowLayout(4, self._room)
        self._flow.setContentsMargins(0, 2, 0, 2)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self.star, 0, top)
        row.addWidget(self._title, 0, top)
        row.addSpacing(4)
        row.addWidget(self._room, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 12, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.field)
        self.field.hide()
        self._title.setMinimumHeight(self.star.height())
        self.set_can_save(False)
        self._renew()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        fill_area(painter, QRect(0, 0, self.width(), 1), theme.current().line)
        painter.end()

    def set_saved(self, saved: Sequence[SavedFilter]) -> None:
        """Show these, left to right."""
        now = tuple(saved)
        if now != self._shown:
            focus = next((place for place, pill in enumerate(self._pills) if pill.hasFocus()), None)
            self._shown = now
            self._renew()
            if focus is not None and self._pills:
                self._pills[min(focus, len(self._pills) - 1)].setFocus()

    def set_can_save(self, can: bool) -> None:
        """Whether there is a filter that could be saved."""
        self._can_save = can
        self.star.setEnabled(can)
        name_button(self.star, "Save this filter" if can else "Save this filter (no filter is set)")

    def pills(self) -> tuple[SavedPill, ...]:
        return tuple(self._pills)

    def begin_name(self) -> None:
        """Ask for the name under which the filter in force is kept."""
        if self._can_save:
            self._ask("", "")

    def _renew(self) -> None:
        for pill in self._pills:
            self._flow.removeWidget(pill)
            pill.hide()
            pill.deleteLater()
        self._pills = [self._pill(saved) for saved in self._shown]
        self._title.setVisible(len(self._shown) < 3)
        self._room.updateGeometry()

    def _pill(self, saved: SavedFilter) -> SavedPill:
        pill = SavedPill(saved)
        pill.clicked.connect(lambda: self.chosen.emit(saved.text))
        pill.removed.connect(lambda: self.deleted.emit(saved.name))
        pill.menu_wanted.connect(lambda place: self.menu_of(saved).popup(place))
        self._flow.addWidget(pill)
        pill.show()
        return pill

    def menu_of(self, saved: SavedFilter) -> QMenu:
        """What can be done with a saved filter."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Use").triggered.connect(lambda: self.chosen.emit(saved.text))
        menu.addAction("Rename…").triggered.connect(lambda: self._ask(saved.name, saved.name))
        replace = menu.addAction("Replace by the Filter in Force")
        replace.setEnabled(self._can_save)
        replace.triggered.connect(lambda: self.replaced.emit(saved.name))
        menu.addSeparator()
        menu.addAction("Delete").triggered.connect(lambda: self.deleted.emit(saved.name))
        return menu

    def _ask(self, text: str, renaming: str) -> None:
        self._renaming = renaming
        self.field.setText(text)
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def _name(self, name: str) -> None:
        renaming = self._renaming
        self._end_name()
        if renaming:
            self.renamed.emit(renaming, name)
        else:
            self.save_wanted.emit(name)

    def _end_name(self) -> None:
        self._renaming = ""
        self.field.hide()
