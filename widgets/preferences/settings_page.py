"""A page of settings: one line each with its words, why, and the control that changes it, which counts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import EmptyState, icon_button, text_button
from stepscope.widgets.preferences.colour_row import ColourRow
from stepscope.widgets.preferences.grouped_lines import narrow_lines

MARGIN, CONTROL_WIDTH = 16, 260


class SettingKind(StrEnum):
    """What control a setting has: FACT has none but, where it can be acted on, a button."""

    CHOICE = "choice"
    CHECK = "check"
    TEXT = "text"
    COLOURS = "colours"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting as it is shown. `value` is a `choices` value, a bool, a text, four colours
    "#RRGGBB", or the words of a fact; `action` is the fact's button."""

    name: str
    group: str
    words: str
    about: str
    kind: SettingKind
    value: object
    is_usual: bool = True
    choices: tuple[tuple[object, str], ...] = ()
    action: str = ""


class SettingRowsPage(QWidget):
    """`changed(name, value)`: a person chose this; answer with `show_rows`. `reset(names)`: these are to be as usual.
    `pressed(name)`: the button of a fact."""

    changed = Signal(str, object)
    reset = Signal(tuple)
    pressed = Signal(str)

    def __init__(self, title: str, about: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[SettingRow, ...] = ()
        self._lines: dict[str, _SettingLine] = {}
        self._headings: dict[str, QLabel] = {}
        self._text = ""
        self.reset_all = text_button("Reset")
        self.reset_all.clicked.connect(self._reset_all)
        self._none = EmptyState("search", "Nothing here is like that", "")
        self._none.hide()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        name = QLabel(title)
        name.setProperty("role", "subtitle")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, MARGIN, 0)
        head.addWidget(name)
        head.addStretch(1)
        head.addWidget(self.reset_all)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 12, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        if about:
            words = _dim(about)
            words.setContentsMargins(0, 0, MARGIN, 0)
            column.addWidget(words)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._none, 1)

    def show_rows(self, rows: Sequence[SettingRow]) -> None:
        """All settings as they are now; a line stays where it is, and so does the keyboard."""
        alike = [(row.name, row.kind, row.choices) for row in self._rows]
        self._rows = tuple(rows)
        if alike != [(row.name, row.kind, row.choices) for row in rows]:
            self._make_lines()
        for row in rows:
            self._lines[row.name].show_row(row)
        changed = len(self._changed())
        self.reset_all.setText(f"Reset {changed}" if changed else "Reset")
        self.reset_all.setEnabled(bool(changed))
        self.reset_all.setVisible(any(row.kind is not SettingKind.FACT for row in rows))

    def control(self, name: str) -> QWidget:
        """What changes the setting, or the button of a fact."""
        return self._lines[name].control

    def shown(self) -> list[str]:
        """The names of the settings that the search leaves."""
        return [name for name, line in self._lines.items() if line.is_shown]

    def narrow(self, text: str) -> bool:
        """Show only what fits these words; whether there is any."""
        self._text = text
        return narrow_lines(self._lines.values(), self._headings, text, self._scroll, self._none)

    def _changed(self) -> tuple[str, ...]:
        return tuple(row.name for row in self._rows if not row.is_usual)

    def _make_lines(self) -> None:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, MARGIN, MARGIN)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        self._lines, self._headings = {}, {}
        for row in self._rows:
            if row.group and row.group not in self._headings:
                heading = self._headings[row.group] = QLabel(row.group)
                heading.setProperty("role", "heading")
                heading.setContentsMargins(0, 14, 0, 4)
                grid.addWidget(heading, grid.rowCount(), 0, 1, 3)
            line = self._lines[row.name] = _SettingLine(grid, row, self.changed.emit, self.pressed.emit)
            line.back.clicked.connect(partial(self._reset_one, row.name))
        grid.setRowStretch(grid.rowCount(), 1)
        self._scroll.setWidget(inside)
        self.narrow(self._text)

    def _reset_all(self) -> None:
        self._scroll.setFocus()  # the button will rest
        self.reset.emit(self._changed())

    def _reset_one(self, name: str) -> None:
        self._lines[name].control.setFocus()
        self.reset.emit((name,))


class _Choice(QComboBox):
    """Leaves keys with Ctrl to the page: a combo box takes them for letters that an entry begins with."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)


class _SettingLine:
    """A setting: its words and why at the left, its control at the right, and a reset button where it was changed."""

    def __init__(
        self,
        grid: QGridLayout,
        row: SettingRow,
        changed: Callable[[str, object], object],
        pressed: Callable[[str], object],
    ) -> None:
        self.row = row
        self.all_words = f"{row.name} {row.group} {row.words} {row.about} {_labels(row)}".casefold()
        self._name = QLabel(row.words)
        self._name.setWordWrap(True)
        self._about = _dim("")
        self._about.setContentsMargins(0, 0, 0, 10)
        self._fact = QLabel()
        self._fact.setWordWrap(True)
        self._fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.control = _control(row, partial(changed, row.name), partial(pressed, row.name))
        self.control.setAccessibleName(f"{row.action}: {row.words}" if row.action else row.words)
        self.control.setAccessibleDescription(row.about)
        self.back = icon_button("back", "As usual")
        held = QWidget()
        beside = QHBoxLayout(held)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(8)
        beside.addStretch(1)
        beside.addWidget(self._fact)
        beside.addWidget(self.control)
        self._held = held
        held.setMaximumWidth(CONTROL_WIDTH * 2)
        place = grid.rowCount()
        grid.addWidget(self._name, place, 0)
        grid.addWidget(held, place, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.back, place, 2)
        grid.addWidget(self._about, place + 1, 0)
        self.show_row(row)
        self.set_shown(True)

    @property
    def group(self) -> str:
        return self.row.group

    @property
    def is_shown(self) -> bool:
        return not self._name.isHidden()

    def show_row(self, row: SettingRow) -> None:
        self.row = row
        self._about.setText(row.about)
        self.back.setEnabled(not row.is_usual)
        if row.kind is SettingKind.FACT:
            self._fact.setText(str(row.value))
            if row.action:
                self.control.setEnabled(True)
            return
        with QSignalBlocker(self.control):
            _put(self.control, row)

    def set_shown(self, shown: bool) -> None:
        is_fact = self.row.kind is SettingKind.FACT
        self._name.setVisible(shown)
        self._about.setVisible(shown and bool(self.row.about))
        self._held.setVisible(shown)
        self._fact.setVisible(shown and is_fact)
        self.control.setVisible(shown and (not is_fact or bool(self.row.action)))
        self.back.setVisible(shown and not is_fact)


def _control(row: SettingRow, changed: Callable[[object], object], pressed: Callable[[], object]) -> QWidget:
    match row.kind:
        case SettingKind.CHOICE:
            box = _Choice()
            for value, words in row.choices:
                box.addItem(words, value)
            box.setMinimumWidth(CONTROL_WIDTH)
            box.activated.connect(lambda place: changed(box.itemData(place)))
            return box
        case SettingKind.CHECK:
            check = QCheckBox()
            check.toggled.connect(changed)
            return check
        case SettingKind.TEXT:
            field = QLineEdit()
            field.setMinimumWidth(CONTROL_WIDTH)
            field.editingFinished.connect(lambda: changed(field.text()) if field.isModified() else None)
            return field
        case SettingKind.COLOURS:
            colours = ColourRow()
            colours.changed.connect(changed)
            return colours
    button = text_button(row.action or "–")
    button.clicked.connect(lambda: pressed())
    return button


def _put(control: QWidget, row: SettingRow) -> None:
    match control:
        case QComboBox():
            control.setCurrentIndex(max(control.findData(row.value), 0))
        case QCheckBox():
            control.setChecked(bool(row.value))
        case QLineEdit():
            control.setText(str(row.value))
            control.setModified(False)
        case ColourRow():
            control.set_colours(cast("tuple[str, ...]", row.value))


def _labels(row: SettingRow) -> str:
    return " ".join(words for _value, words in row.choices)


def _dim(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "dim")
    label.setWordWrap(True)
    return label
