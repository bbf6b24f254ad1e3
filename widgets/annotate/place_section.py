"""Notes about one step or episode: switches, a note, tags; and their authors and times."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.annotate.annotation_notes import CHECKED, DEFECT, STAR, Choices, PlaceNotes, Statement
from stepscope.widgets.annotate.defect_menu import DefectMenu
from stepscope.widgets.annotate.note_field import NoteField
from stepscope.widgets.annotate.tag_row import TagRow
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.inspector.parts import CardFrame, words

GAP = 4
NARROWEST = 28
"""Pixels between the switches; the width of one without its word."""


class PlaceSection(CardFrame):
    """The annotations of one place: what the person does goes out by signals, what is shown comes by `show_notes`."""

    star_toggled = Signal()
    checked_toggled = Signal()
    defect_toggled = Signal(str)
    """a reason"""
    note_edited = Signal(str)
    tag_added = Signal(str)
    tag_removed = Signal(str)

    def __init__(self, choices: Choices, keys: str = "", parent: QWidget | None = None) -> None:
        """`keys` is what stands before S, C and X in the tooltips ("Shift+")."""
        self._title = ElidedLabel("", "title")
        super().__init__(self._title, parent=parent)
        self._keys = keys
        self.star, self.checked, self.defect = _switch(STAR, "Star"), _switch(CHECKED, "Checked"), QToolButton()
        self.menu = DefectMenu(choices.defects, self)
        _dress(self.defect, DEFECT, "Defect")
        self.defect.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.defect.setMenu(self.menu)
        self._said = words("", "dim")
        self.note = NoteField("Note", "Note")
        self._note_by = words("", "dim")
        self.tags = TagRow("")
        self._lay_out()
        self._connect()
        self.set_known_tags(choices.tags)
        self.show_notes(PlaceNotes(""))

    def show_notes(self, notes: PlaceNotes) -> None:
        title = notes.title
        self._title.setText(title)
        self.star.setChecked(notes.star is not None)
        self.checked.setChecked(notes.checked is not None)
        self.defect.setChecked(bool(notes.defects))
        self.menu.check([said.value for said in notes.defects])
        for button, name, key in (
            (self.star, "Star", "S"),
            (self.checked, "Checked", "C"),
            (self.defect, "Defect", "X"),
        ):
            name_button(button, f"{name}: {title}", f"{self._keys}{key}")
        self._tell(self._said, _who(notes))
        self.note.setAccessibleName(f"Note: {title}")
        self.note.show_text(notes.note.value if notes.note else "")
        self._tell(self._note_by, [notes.note.by] if notes.note else [])
        self.tags.set_name(title)
        self.tags.set_tags(notes.tags)

    def set_known_tags(self, tags: Sequence[str]) -> None:
        self.tags.set_known(tags)

    def said(self) -> str:
        """The authors and times of star, check and defect: a line each."""
        return self._said.text()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for button in self._switches():
            row.addWidget(button)
        row.addStretch(1)
        self.body.addLayout(row)
        for part in (self._said, self.note, self._note_by, self.tags):
            self.body.addWidget(part)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the switches icons alone in a narrow dock."""
        super().resizeEvent(event)
        beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in self._switches():
            button.setToolButtonStyle(beside)
        margins = self.body.contentsMargins()
        room = event.size().width() - margins.left() - margins.right()
        if sum(button.sizeHint().width() + GAP for button in self._switches()) > room:
            for button in self._switches():
                button.setToolButtonStyle(alone)

    def _switches(self) -> tuple[QToolButton, QToolButton, QToolButton]:
        return self.star, self.checked, self.defect

    def _connect(self) -> None:
        self.star.clicked.connect(lambda: self.star_toggled.emit())
        self.checked.clicked.connect(lambda: self.checked_toggled.emit())
        self.menu.chosen.connect(self.defect_toggled)
        self.note.edited.connect(self.note_edited)
        self.tags.added.connect(self.tag_added)
        self.tags.removed.connect(self.tag_removed)

    @staticmethod
    def _tell(label: QLabel, lines: Sequence[str]) -> None:
        label.setText("\n".join(lines))
        label.setVisible(bool(lines))


def _who(notes: PlaceNotes) -> list[str]:
    rows: list[tuple[str, Statement | None]] = [("Star", notes.star), ("Checked", notes.checked)]
    rows += [(f"Defect, {said.value}", said) for said in notes.defects]
    return [f"{name}: {said.by}" for name, said in rows if said is not None]


def _switch(icon: str, name: str) -> QToolButton:
    button = QToolButton()
    _dress(button, icon, name)
    return button


def _dress(button: QToolButton, icon: str, name: str) -> None:
    """A flat button with icon and word that stays down while the mark is there, and lights its icon then."""

    def colour() -> str:
        colours = theme.current()
        lit = colours.hit if icon == CHECKED else colours.warn
        return lit if button.isChecked() else colours.secondary

    button.setText(name)
    button.setIcon(icons.icon(icon, colour))
    button.setIconSize(QSize(14, 14))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setAutoRaise(True)
    button.setMinimumWidth(NARROWEST)
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
