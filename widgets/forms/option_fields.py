"""A field per option of a protocol or setting of a model, made from its own description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QLineEdit, QSpinBox, QWidget

from stepscope.core.scoring.option import Option, OptionValue
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, tip_words

LARGEST = 1_000_000_000
NARROW = 56
MARK_WORDS = {"paper": "from the paper", "code": "from the released code", "ours": "our own addition"}


class OptionField:
    """A label, a widget, and the value that the widget holds."""

    def __init__(self, option: Option, changed: Callable[[], None]) -> None:
        self.option = option
        words = option.name.replace("_", " ").capitalize()
        self.label = QLabel(straight(words))
        self.label.setProperty("role", "dim")
        self.widget, self.value = _field(option, changed)
        self.tip = tip = f"{option.help} ({MARK_WORDS[option.mark]})".strip()
        for part in (self.label, self.widget):
            part.setToolTip(tip_words(tip))
        self.widget.setAccessibleName(words)
        self.widget.setAccessibleDescription(tip)
        self.label.setBuddy(self.widget)

    def set(self, text: str) -> None:
        """Take a value as it is written on the command line; one that does not fit changes nothing."""
        match self.widget:
            case QComboBox() as combo if combo.findText(text) >= 0:
                combo.setCurrentText(text)
            case QLineEdit() as line:
                line.setText(text)
            case QCheckBox() as box if text in ("0", "1"):
                box.setChecked(text == "1")
            case QSpinBox() as spin:
                with suppress(ValueError, OverflowError):
                    spin.setValue(int(text))
            case QDoubleSpinBox() as spin:
                with suppress(ValueError):
                    spin.setValue(float(text))


def option_fields(options: Sequence[Option], changed: Callable[[], None]) -> list[OptionField]:
    """Fields in the protocol's order; `changed` is called on every edit."""
    return [OptionField(option, changed) for option in options]


def _field(option: Option, changed: Callable[[], None]) -> tuple[QWidget, Callable[[], OptionValue]]:
    if option.choices:
        return _choice(option, changed)
    if isinstance(option.default, str):
        line = QLineEdit(option.default)
        line.textChanged.connect(lambda _text: changed())
        return line, line.text
    whole = isinstance(option.default, int)
    if whole and (option.low, option.high) == (0, 1):
        return _switch(option, changed)
    return _whole_number(option, changed) if whole else _number(option, changed)


def _choice(option: Option, changed: Callable[[], None]) -> tuple[QWidget, Callable[[], OptionValue]]:
    combo = ElidedCombo()
    combo.addItems(list(option.choices))
    combo.setCurrentText(str(option.default))
    combo.currentIndexChanged.connect(lambda _place: changed())
    return combo, combo.currentText


def _switch(option: Option, changed: Callable[[], None]) -> tuple[QWidget, Callable[[], OptionValue]]:
    """A whole number that is 0 or 1: off or on."""
    box = QCheckBox()
    box.setChecked(bool(option.default))
    box.toggled.connect(lambda _on: changed())
    return box, lambda: int(box.isChecked())


def _whole_number(option: Option, changed: Callable[[], None]) -> tuple[QWidget, Callable[[], OptionValue]]:
    spin = QSpinBox()
    spin.setRange(int(option.low), int(min(option.high, LARGEST)))
    spin.setValue(int(option.default))
    spin.valueChanged.connect(lambda _value: changed())
    calm(spin)
    return spin, spin.value


def _number(option: Option, changed: Callable[[], None]) -> tuple[QWidget, Callable[[], OptionValue]]:
    spin = QDoubleSpinBox()
    fine = 0 < float(option.default) < 0.001
    spin.setDecimals(6 if fine else 3)
    spin.setSingleStep(1e-4 if fine else 0.01 if option.high <= 1 or float(option.default) < 1 else 0.1)
    spin.setRange(option.low, min(option.high, float(LARGEST)))
    spin.setValue(float(option.default))
    spin.valueChanged.connect(lambda _value: changed())
    calm(spin)
    return spin, lambda: round(spin.value(), 6)


# Under a style sheet, Qt gives the line of a spin box with NoButtons a width of 1: so the buttons stay, without size;
# and the frame of a line belongs to the spin box, not to the line inside it.
QUIET = """
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  width: 0px; height: 0px; border: none; subcontrol-origin: margin; }
QLineEdit { border: none; background: transparent; padding: 0; min-height: 0; }
"""
INSET = 6
"""Pixels before the figure: a style sheet's padding does not reach the line inside a spin box."""


def calm(spin: QSpinBox | QDoubleSpinBox) -> None:
    """Take away arrows, and changes by a wheel that merely passes over; make the field as narrow as the dock wants."""
    spin.setStyleSheet(QUIET)
    spin.lineEdit().setTextMargins(INSET, 0, 0, 0)
    spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    spin.setMinimumWidth(NARROW)
