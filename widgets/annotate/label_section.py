"""What people say of a goal: whether it can be reached, why not, and what would have to be asked."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from stepscope.widgets.annotate.annotation_notes import Choices, LabelNotes
from stepscope.widgets.annotate.note_field import NoteField
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.inspector.parts import CardFrame, words

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
