"""The Notes page of the inspector: what people say about the step, the episode, and its goal."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from stepscope.widgets.annotate.annotation_notes import Choices, LabelNotes, PlaceNotes
from stepscope.widgets.annotate.note_field import NoteField
from stepscope.widgets.annotate.place_section import PlaceSection
from stepscope.widgets.common import ElidedLabel, EmptyState
from stepscope.widgets.inspector.parts import CardFrame, CardPage, words

LABELS = (("", "Not labelled"), ("feasible", "Feasible"), ("infeasible", "Infeasible"))


class LabelSection(CardFrame):
    """`labelled(label, reason, questions)` gives the whole label anew; label "" takes it away."""

    labelled = Signal(str, str, list)

    def __init__(self, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(ElidedLabel("Feasibility", "title"), parent=parent)
        self.label, self.reason = QComboBox(), QComboBox()
        self.label.setAccessibleName("Feasibility label")
        self.reason.setAccessibleName("Reason of infeasibility")
        for box in (self.label, self.reason):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, name in LABELS:
            self.label.addItem(name, value)
        self.reason.addItem("No reason", "")
        for reason in choices.reasons:
            self.reason.addItem(reason[:1].upper() + reason[1:], reason)
        self.questions = NoteField("Follow-up questions", "Follow-up questions, one a line")
        self._by, self._data = words("", "dim"), words("", "dim")
        for part in (self._data, self.label, self.reason, self.questions, self._by):
            self.body.addWidget(part)
        self.label.activated.connect(lambda _place: self._tell())
        self.reason.activated.connect(lambda _place: self._tell())
        self.questions.edited.connect(lambda _text: self._tell())
        self.show_label(LabelNotes())

    def show_label(self, notes: LabelNotes) -> None:
        blocked = [QSignalBlocker(box) for box in (self.label, self.reason)]
        self.label.setCurrentIndex(max(self.label.findData(notes.label), 0))
        self.reason.setCurrentIndex(max(self.reason.findData(notes.reason), 0))
        del blocked
        self.reason.setEnabled(notes.label == "infeasible")
        self.questions.setEnabled(bool(notes.label))
        self.questions.show_text("\n".join(notes.follow_up))
        for label, text in ((self._by, notes.by), (self._data, notes.data)):
            label.setText(text)
            label.setVisible(bool(text))

    def _tell(self) -> None:
        label = self.label.currentData()
        reason = self.reason.currentData() if label == "infeasible" else ""
        lines = [line.strip() for line in self.questions.toPlainText().splitlines()]
        self.labelled.emit(label, reason, [line for line in lines if line])


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
