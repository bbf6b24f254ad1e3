"""The Notes page of the inspector: what people say about the step, the episode, and its goal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from stepscope.widgets.annotate.annotation_notes import Choices, LabelNotes, PlaceNotes
from stepscope.widgets.common import EmptyState
from stepscope.widgets.inspector.parts import CardPage

if TYPE_CHECKING:
    from stepscope.widgets.annotate.label_section import LabelSection
    from stepscope.widgets.annotate.note_field import NoteField
    from stepscope.widgets.annotate.place_section import PlaceSection


class NotesPage(QWidget):
    """Its sections are made when it is looked at, or one of them is asked for. `finished`: the person is done with
    writing; `note_left`: the next words are another change."""

    made = Signal()
    finished = Signal()
    note_left = Signal()

    def __init__(self, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = choices
        self._notes: tuple[PlaceNotes | None, PlaceNotes | None, LabelNotes] = (None, None, LabelNotes())
        self._tags = tuple(choices.tags)
        self._page: CardPage | None = None
        self._step: PlaceSection
        self._episode: PlaceSection
        self._label: LabelSection
        self._empty: EmptyState

    @property
    def step(self) -> PlaceSection:
        self._make()
        return self._step

    @property
    def episode(self) -> PlaceSection:
        self._make()
        return self._episode

    @property
    def label(self) -> LabelSection:
        self._make()
        return self._label

    def show_notes(self, step: PlaceNotes | None, episode: PlaceNotes | None, label: LabelNotes) -> None:
        """`step` None: the episode has none; `episode` None: there is none."""
        self._notes = step, episode, label
        if self._page is None:
            return
        self._page.setVisible(episode is not None)
        self._empty.setVisible(episode is None)
        self._step.setVisible(step is not None)
        self._step.show_notes(step or PlaceNotes(""))
        self._episode.show_notes(episode or PlaceNotes(""))
        self._label.show_label(label)

    def set_known_tags(self, tags: Sequence[str]) -> None:
        self._tags = tuple(tags)
        if self._page is not None:
            for section in (self._step, self._episode):
                section.set_known_tags(tags)

    def keep(self) -> None:
        """Tell what was typed and not told yet."""
        for field in self._fields():
            field.keep()

    def go_to_note(self, *, episode: bool = False) -> None:
        section = self.episode if episode else self.step
        section.note.setFocus()
        self._make().ensureWidgetVisible(section)

    def go_to_label(self) -> None:
        self.label.label.setFocus()
        self._make().ensureWidgetVisible(self.label)

    def showEvent(self, event: QShowEvent) -> None:
        self._make()
        super().showEvent(event)

    def _make(self) -> CardPage:
        """The page of the sections."""
        if self._page is not None:
            return self._page
        from stepscope.widgets.annotate.label_section import LabelSection
        from stepscope.widgets.annotate.place_section import PlaceSection

        self._step, self._episode = PlaceSection(self._choices), PlaceSection(self._choices, "Shift+")
        self._label = LabelSection(self._choices)
        self._page = CardPage("Notes")
        self._page.show_parts([self._step, self._episode, self._label])
        self._empty = EmptyState("note", "No episode is shown", "Choose one in the list.")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._page)
        column.addWidget(self._empty)
        for field in self._fields():
            field.finished.connect(self.finished)
            field.left.connect(self.note_left)
        self.set_known_tags(self._tags)
        self.show_notes(*self._notes)
        self.made.emit()
        return self._page

    def _fields(self) -> tuple[NoteField, ...]:
        if self._page is None:
            return ()
        return self._step.note, self._episode.note, self._label.questions
