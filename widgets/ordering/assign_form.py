"""Who is to order the procedures of the list, and what they are to be shown, in a small window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.format import counted
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.ordering.people_values import AssignChoice

WIDTH, USUAL, MOST, LARGEST_SEED = 440, 3, 1000, 999_999
SHOWN = (("text", "Text"), ("picture", "Picture"), ("both", "Both"))


class AssignForm(QDialog):
    """`wanted(AssignChoice)`: the procedures of the list are to be given out so."""

    wanted = Signal(object)

    def __init__(self, procedures: int, people: Sequence[str] = (), parent: QWidget | None = None) -> None:
        """`procedures`: how many there are; `people` stand there at first."""
        super().__init__(parent)
        self.setWindowTitle("Assign Procedures")
        self.setMinimumWidth(WIDTH)
        self._procedures = procedures
        self.people = QLineEdit(", ".join(people))
        self.people.setPlaceholderText("ann, bob, cem")
        self.k, self.seed = QSpinBox(), QSpinBox()
        self.k.setRange(1, MOST)
        self.k.setValue(USUAL)
        self.seed.setRange(0, LARGEST_SEED)
        for spin in (self.k, self.seed):
            calm(spin)
        self.shown = {word: QCheckBox(plain_label(title)) for word, title in SHOWN}
        self.shown["both"].setChecked(True)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("role", "secondary")
        self.give = text_button("Assign", primary=True)
        self.give.clicked.connect(self._give)
        self.people.textChanged.connect(self._renew)
        self.k.valueChanged.connect(self._renew)
        for box in self.shown.values():
            box.toggled.connect(self._renew)
        self._lay_out()
        self._renew()

    def choice(self) -> AssignChoice:
        """What the form says now."""
        names = (" ".join(name.split()) for name in self.people.text().split(","))
        shown = tuple(word for word, box in self.shown.items() if box.isChecked())
        return AssignChoice(tuple(dict.fromkeys(filter(None, names))), self.k.value(), shown, self.seed.value())

    def _give(self) -> None:
        self.wanted.emit(self.choice())
        self.accept()

    def _renew(self) -> None:
        choice = self.choice()
        self.give.setEnabled(bool(choice.people and choice.shown and self._procedures))
        each = choice.k * len(choice.shown)
        missing = each - len(choice.people)
        words = f"{counted(self._procedures, 'procedure')} of the list, {counted(each, 'person', 'people')} each."
        once = "Nobody gets one twice, so nobody sees one under two conditions."
        more = f"{counted(missing, 'more person', 'more people')} needed." if missing > 0 else ""
        self.words.setText(straight(" ".join(filter(None, (words, once, more)))))

    def _lay_out(self) -> None:
        conditions = QWidget()
        line = QHBoxLayout(conditions)
        line.setContentsMargins(0, 0, 0, 0)
        for box in self.shown.values():
            line.addWidget(box)
        line.addStretch(1)
        rows = FormRows()
        rows.add("People", self.people)
        rows.add("Of each", self.k)
        rows.add("Shown", conditions, self.shown["text"])
        rows.add("Seed", self.seed)
        cancel = text_button("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.give)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(rows)
        column.addWidget(self.words)
        column.addLayout(buttons)
