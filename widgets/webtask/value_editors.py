"""Editors of what an action takes besides its field: one for each way in which it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.growing_text import GrowingText
from stepscope.widgets.common.plain_words import plain_label, straight, tip_words
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.inspector.parts import ScrolledColumn, clear
from stepscope.widgets.webtask.action_kinds import ELEMENT, PARTS, ActionKind, Editor
from stepscope.widgets.webtask.side_values import FieldChoice

LARGEST = 1e9
DIGITS = 6
MOST_TICKS_HEIGHT = 132
"""More boxes scroll."""
EVEN_LINES, EVEN_SECONDS = 4, 10.0
"""Lines above and below a field, and the wait, that the library takes where nobody says otherwise."""
EVEN_SCROLL = 240.0
"""Pixels down that scrolling begins with."""


class ValueEditor(QWidget):
    """`form` gives the parts of the action; `submitted` fires where Enter means to do it."""

    submitted = Signal()
    changed = Signal()

    def show_field(self, field: FieldChoice | None) -> None:
        """Begin with what the field holds now."""

    def form(self) -> dict[str, Any]:
        return {}

    def missing(self) -> str:
        """What has to be chosen first, "" where the form is whole."""
        return ""


class TextEditor(ValueEditor):
    """Several lines; Enter does it, Shift+Enter begins a line."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.text = GrowingText("Text", "Text", most=5)
        self.text.submitted.connect(self.submitted)
        _only(self, self.text)
        self.setFocusProxy(self.text)

    def show_field(self, field: FieldChoice | None) -> None:
        self.text.show_text(field.value if field is not None else "")

    def form(self) -> dict[str, Any]:
        return {self._key: self.text.toPlainText()}


class TicksEditor(ValueEditor):
    """A box for each option."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.boxes: list[tuple[str, QCheckBox]] = []
        inside = ScrolledColumn()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._scroll = _CheckBoxArea(inside)
        _only(self, self._scroll)

    def show_field(self, field: FieldChoice | None) -> None:
        clear(self._column)
        self.boxes = []
        ticked = set(field.value.split("|")) if field is not None else set()
        for value, label in field.options if field is not None else ():
            box = QCheckBox(plain_label(label or value))
            box.setToolTip(tip_words(value))
            box.setChecked(value in ticked)
            self._column.addWidget(box)
            box.show()  # now, not at the layout's next turn: its height counts
            self.boxes.append((value, box))
        self._scroll.updateGeometry()

    def form(self) -> dict[str, Any]:
        return {self._key: [value for value, box in self.boxes if box.isChecked()]}


class _CheckBoxArea(QScrollArea):
    """A scroll area as high as its boxes, up to a limit."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.setAccessibleName("Boxes to tick")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        wanted = self._inside.sizeHint().height() + 2 * self.frameWidth()
        return QSize(160, min(max(wanted, 24), MOST_TICKS_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())


class ChoiceEditor(ValueEditor):
    """One of the options."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.combo = ElidedCombo()
        self.combo.setAccessibleName("Value")
        _only(self, self.combo)
        self.setFocusProxy(self.combo)

    def show_field(self, field: FieldChoice | None) -> None:
        self.combo.clear()
        for value, label in field.options if field is not None else ():
            self.combo.addItem(label or value or "(empty)", value)
        self.combo.setCurrentIndex(max(0, self.combo.findData(field.value)) if field is not None else -1)
        self.changed.emit()

    def form(self) -> dict[str, Any]:
        return {self._key: self.combo.currentData()}

    def missing(self) -> str:
        return "" if self.combo.count() else "The field has nothing to choose from."


class NumberEditor(ValueEditor):
    """One number; `whole` for those that count something."""

    def __init__(self, key: str, name: str, even: float, *, least: float = -LARGEST, whole: bool = False) -> None:
        super().__init__()
        self._key, self._even, self._whole = key, even, whole
        self.number = number_field(name, least)
        _only(self, self.number)
        self.setFocusProxy(self.number)
        self.number.setValue(even)

    def show_field(self, field: FieldChoice | None) -> None:
        if self._key != "value":
            return
        try:
            self.number.setValue(float(field.value) if field is not None else self._even)
        except ValueError:
            self.number.setValue(self._even)

    def form(self) -> dict[str, Any]:
        return {self._key: round(self.number.value()) if self._whole else self.number.value()}


class PlaceEditor(ValueEditor):
    """Two numbers, right and down."""

    def __init__(self, even: float) -> None:
        super().__init__()
        self.across, self.down = number_field("Pixels to the right"), number_field("Pixels down")
        self.down.setValue(even)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for words, field in (("x", self.across), ("y", self.down)):
            label = QLabel(straight(words))
            label.setProperty("role", "dim")
            label.setBuddy(field)
            row.addWidget(label)
            row.addWidget(field, 1)

    def form(self) -> dict[str, Any]:
        return {"x": self.across.value(), "y": self.down.value()}


class PartEditor(ValueEditor):
    """Which part of the page a picture is taken of."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.combo = ElidedCombo()
        self.combo.setAccessibleName("Part of the page")
        for value, words in PARTS:
            self.combo.addItem(words, value)
        self.combo.activated.connect(lambda _place: self.changed.emit())
        _only(self, self.combo)
        self.setFocusProxy(self.combo)

    def form(self) -> dict[str, Any]:
        return {self._key: self.combo.currentData()}

    @property
    def needs_field(self) -> bool:
        return bool(self.combo.currentData() == ELEMENT)


def editor_of(kind: ActionKind) -> ValueEditor:
    """A fresh editor for the action."""
    return _MAKERS[kind.editor](kind)


def number_field(name: str, least: float = -LARGEST) -> QDoubleSpinBox:
    """A number as short as it can be written."""
    field = _NumberField()
    field.setLocale(QLocale.c())  # a point before the decimals, as pages take it
    field.setDecimals(DIGITS)
    field.setRange(least, LARGEST)
    field.setAccessibleName(name)
    field.setMinimumWidth(56)
    calm(field)
    return field


class _NumberField(QDoubleSpinBox):
    def textFromValue(self, value: float) -> str:
        return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")

    def minimumSizeHint(self) -> QSize:
        """Its widest number would ask for more than a dock has."""
        return QSize(56, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(96, super().sizeHint().height())


def _only(editor: QWidget, part: QWidget) -> None:
    row = QHBoxLayout(editor)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(part)


_MAKERS: dict[Editor, Callable[[ActionKind], ValueEditor]] = {
    Editor.NONE: lambda kind: ValueEditor(),
    Editor.TEXT: lambda kind: TextEditor(kind.key),
    Editor.TICKS: lambda kind: TicksEditor(kind.key),
    Editor.CHOICE: lambda kind: ChoiceEditor(kind.key),
    Editor.NUMBER: lambda kind: NumberEditor(kind.key, "Value", 0.0),
    Editor.PLACE: lambda kind: PlaceEditor(EVEN_SCROLL if kind.name == "scroll" else 0.0),
    Editor.LINES: lambda kind: NumberEditor(kind.key, "Lines around the field", EVEN_LINES, least=0, whole=True),
    Editor.PART: lambda kind: PartEditor(kind.key),
    Editor.SECONDS: lambda kind: NumberEditor(kind.key, "Seconds at most", EVEN_SECONDS, least=0),
}
