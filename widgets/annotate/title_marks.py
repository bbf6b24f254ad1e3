"""Defect, star and note of the step as buttons in the title row."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.annotate.annotation_notes import DEFECT, NOTE, STAR, PlaceNotes
from stepscope.widgets.common import icon_button


class TitleMarks(QWidget):
    """Lit where the step has the mark; `pressed` names the icon of the button."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self.buttons: dict[str, QToolButton] = {}
        for name, words, key in ((DEFECT, "Defect", "X"), (STAR, "Star", "S"), (NOTE, "Note", "W")):
            button = icon_button(name, f"{words} of this step", shortcut=key, checkable=True)
            button.setIcon(icons.icon(name, lambda button=button: _colour(button)))
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
            self.buttons[name] = button
            row.addWidget(button)

    def show_notes(self, notes: PlaceNotes | None) -> None:
        """Show the step's annotations; None hides the buttons."""
        self.setVisible(notes is not None)
        if notes is None:
            return
        held = {DEFECT: notes.defects, STAR: notes.star, NOTE: notes.note}
        for name, button in self.buttons.items():
            button.setChecked(bool(held[name]))
            button.update()


def _colour(button: QToolButton) -> str:
    colours = theme.current()
    return colours.warn if button.isChecked() else colours.secondary
