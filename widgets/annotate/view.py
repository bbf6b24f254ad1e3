"""The Notes page of the inspector: what people say about the step, the episode, and its goal."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from stepscope.widgets.annotate.annotation_notes import Choices, LabelNotes, PlaceNotes
from stepscope.widgets.annotate.label_section import LabelSection
from stepscope.widgets.annotate.note_field import NoteField
from stepscope.widgets.annotate.place_section import PlaceSection
from stepscope.widgets.common import EmptyState
from stepscope.widgets.inspector.parts import CardPage


class NotesPage(QWidget):
    """`finished`: the person is done with writing; `note_left`: the next words are another change."""

    finished = Signal()
    note_left = Signal()

    def __init__(self, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step, self.episode = PlaceSection(choices), PlaceSection(choices, "Shift+")
        self.label = LabelSection(choices)
        self._page = CardPage("Notes")
        self._page.show_parts([self.step, self.episode, self.label])
        self._empty = EmptyState("note", "No episode is shown", "Choose one in the list.")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._page)
        column.addWidget(self._empty)
        for field in self._fields():
            field.finished.connect(self.finished)
            field.left.connect(self.note_left)
        self.show_notes(None, None, LabelNotes())

    def show_notes(self, step: PlaceNotes | None, episode: PlaceNotes | None, label: LabelNotes) -> None:
        """`step` None: the episode has none; `episode` None: there is none."""
        self._page.setVisible(episode is not None)
        self._empty.setVisible(episode is None)
        self.step.setVisible(step is not None)
        self.step.show_notes(step or PlaceNotes(""))
        self.episode.show_notes(episode or PlaceNotes(""))
        self.label.show_label(label)

    def set_known_tags(self, tags: Sequence[str]) -> None:
        for section in (self.step, self.episode):
            section.set_known_tags(tags)

    def keep(self) -> None:
        """Tell what was typed and not told yet."""
        for field in self._fields():
            field.keep()

    def go_to_note(self, *, episode: bool = False) -> None:
        section = self.episode if episode else self.step
        section.note.setFocus()
        self._page.ensureWidgetVisible(section)

    def go_to_label(self) -> None:
        self.label.label.setFocus()
        self._page.ensureWidgetVisible(self.label)

    def _fields(self) -> tuple[NoteField, ...]:
        return self.step.note, self.episode.note, self.label.questions
