"""Which encoders a training stands on: one from a list, or several with + between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QWidget

from stepscope.core.scoring.names import did_you_mean
from stepscope.widgets.common import icon_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import plain_label, tip_words
from stepscope.widgets.forms.form_rows import choose_combo
from stepscope.widgets.training.training_choices import EncoderChoice

TOGETHER = "+"
TIP = "Several may be taken together: write + between their names"


class EncoderField(QWidget):
    """A list in which one may write, and a button that adds another one, there where there is more than one to take.
    `about` is the accessible name."""

    changed = Signal()

    def __init__(self, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[EncoderChoice, ...] = ()
        self.combo = ElidedCombo()
        self.combo.setEditable(True)
        self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.combo.setCompleter(None)  # type: ignore[arg-type]  # None takes it away
        self.combo.setAccessibleName(about)
        self.combo.setToolTip(TIP)
        self.add = icon_button("plus", "Take another encoder with it")
        self.add.setVisible(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.combo, 1)
        row.addWidget(self.add)
        self.setFocusProxy(self.combo)
        self.combo.editTextChanged.connect(lambda _text: self.changed.emit())
        self.add.clicked.connect(lambda: self.menu().popup(self.add.mapToGlobal(QPoint(0, self.add.height()))))

    def set_choices(self, choices: Sequence[EncoderChoice]) -> None:
        """The encoders of this kind; what is written stays."""
        written = self.reference()
        self._choices = tuple(choices)
        rows = [(name, name, one.why_not or one.title, not one.why_not) for one in choices for name in one.references()]
        choose_combo(self.combo, rows, "")
        self._write(written)
        self.add.setVisible(sum(not one.why_not for one in choices) > 1)

    def reference(self) -> str:
        """The encoders as a reference (`models.encoders.registry`), right or not."""
        return TOGETHER.join(part.strip() for part in self.combo.currentText().split(TOGETHER))

    def set_reference(self, reference: str) -> None:
        if reference != self.reference():
            self._write(reference)
            self.changed.emit()

    def menu(self) -> QMenu:
        """What may be taken besides what is written."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        taken = {part.partition(":")[0] for part in self.reference().split(TOGETHER)}
        for one in self._choices:
            if one.name in taken or one.why_not:
                continue
            for name in one.references():
                menu.addAction(plain_label(name), partial(self._add, name)).setToolTip(tip_words(one.title))
        return menu

    def _add(self, reference: str) -> None:
        self.set_reference(TOGETHER.join(filter(None, (self.reference(), reference))))

    def _write(self, reference: str) -> None:
        """Without telling: an index first, so that the list opens at what is chosen."""
        self.combo.blockSignals(True)
        self.combo.setCurrentIndex(self.combo.findData(reference))
        self.combo.setEditText(reference)
        self.combo.blockSignals(False)


def encoder_problem(reference: str, choices: Sequence[EncoderChoice], reads: str) -> str:
    """What is wrong with a reference, "" where nothing is; `choices` are the encoders that read what `reads` names,
    "texts" or "pictures"."""
    known = {one.name: one for one in choices}
    parts = reference.split(TOGETHER)
    if not all(parts):
        return f"Name an encoder of {reads}, or several with + between them."
    for part in parts:
        name, _, output = part.partition(":")
        if name not in known:
            return f"There is no encoder {name} that reads {reads}. {did_you_mean(name, known)}".strip()
        if output and output not in known[name].outputs:
            return f"{name} has no output {output}. It has {', '.join(known[name].outputs)}."
        if known[name].why_not:
            return f"{name} cannot be used: {known[name].why_not}"
    twice = next((part for part in parts if parts.count(part) > 1), "")
    return f"{twice} is named twice among the encoders of {reads}." if twice else ""
