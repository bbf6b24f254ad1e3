"""The fields of a manifest as rows of a form: a choice where there are some, else a line to write in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.forms.form_rows import FormRows, choose_combo
from stepscope.widgets.models.adding.values import ManifestGroup, ManifestRow

CHOOSE = "Choose …"
ASKED = "The file does not tell this"


class FieldRows(FormRows):
    """Shows the rows it is given; those that stay keep the keyboard. `answered` carries the field and its value."""

    answered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options_here()
        self._shown: tuple[tuple[str, bool], ...] = ()
        self._editors: dict[str, ElidedCombo | QLineEdit] = {}
        self._facts: dict[str, QLabel] = {}
        self._labels: dict[str, QLabel] = {}

    def set_rows(self, rows: Sequence[ManifestRow]) -> None:
        shape = tuple((row.field, bool(row.choices)) for row in rows)
        if shape != self._shown:
            self._shown = shape
            self._editors, self._facts = {}, {}
            self.set_options([(self._label(row), self._field(row)) for row in rows])
        for row in rows:
            if row.fixed:
                self._facts[row.field].setText(straight(row.value))
            else:
                self._fill_in(self._editors[row.field], row)

    def editor(self, field: str) -> ElidedCombo | QLineEdit | None:
        """What the field is written or chosen in, None where it is not here."""
        return self._editors.get(field)

    @property
    def facts(self) -> dict[str, str]:
        """What is told of each field that cannot be changed."""
        return {field: label.text() for field, label in self._facts.items()}

    def _label(self, row: ManifestRow) -> QLabel:
        label = QLabel(straight(row.words), self)
        label.setProperty("role", "dim")
        self._labels[row.field] = label
        return label

    def _field(self, row: ManifestRow) -> QWidget:
        if row.fixed:
            fact = self._facts[row.field] = QLabel(self)
            fact.setWordWrap(True)
            fact.setTextFormat(Qt.TextFormat.PlainText)
            fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            return fact
        if row.choices:
            combo = ElidedCombo(parent=self)
            combo.activated.connect(lambda _place, one=row.field, box=combo: self._chosen(one, box))
            self._editors[row.field] = combo
            return combo
        line = QLineEdit(self)
        if row.secret:
            line.setEchoMode(QLineEdit.EchoMode.Password)
        line.editingFinished.connect(lambda one=row.field, field=line: self._written(one, field))
        self._editors[row.field] = line
        if not row.file:
            return line
        holder = QWidget(self)
        side = QHBoxLayout(holder)
        side.setContentsMargins(0, 0, 0, 0)
        side.addWidget(line, 1)
        choose = text_button("Choose")
        choose.clicked.connect(lambda _checked=False, one=row: self._look_for(one))
        side.addWidget(choose)
        return holder

    def _fill_in(self, editor: ElidedCombo | QLineEdit, row: ManifestRow) -> None:
        editor.setAccessibleName(row.words)
        editor.setToolTip(tip_words(ASKED if row.asked else row.tip))
        if isinstance(editor, ElidedCombo):
            known = row.value in [value for value, _words in row.choices]
            first = [] if known else [("", CHOOSE, "", True)]
            choose_combo(editor, [*first, *((value, words, "", True) for value, words in row.choices)], row.value)
            editor.setCurrentIndex(max(0, editor.findData(row.value)) if known else 0)
        elif editor.text() != row.value and not editor.hasFocus():
            editor.setText(row.value)
        label = self._labels[row.field]
        label.setProperty("role", "warning" if row.asked else "dim")
        restyle(label)

    def _chosen(self, field: str, combo: ElidedCombo) -> None:
        if combo.currentData():
            self.answered.emit(field, str(combo.currentData()))

    def _written(self, field: str, line: QLineEdit) -> None:
        if line.isModified():
            line.setModified(False)
            self.answered.emit(field, line.text().strip())

    def _look_for(self, row: ManifestRow) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, straight(row.words), row.value)
        if chosen:
            self.answered.emit(row.field, chosen)


class FieldGroups(QWidget):
    """Groups of fields one below the other, each under its name."""

    answered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._titles: list[QLabel] = []
        self._rows: list[FieldRows] = []

    def set_groups(self, groups: Sequence[ManifestGroup]) -> None:
        while len(self._rows) < len(groups):
            title, rows = QLabel(self), FieldRows(self)
            title.setWordWrap(True)
            title.setProperty("role", "title")
            rows.answered.connect(self.answered)
            self._titles.append(title)
            self._rows.append(rows)
            self._column.addWidget(title)
            self._column.addWidget(rows)
        for place, (title, rows) in enumerate(zip(self._titles, self._rows, strict=True)):
            shown = place < len(groups)
            title.setVisible(shown and bool(groups[place].title))
            rows.setVisible(shown)
            if shown:
                title.setText(straight(f"{groups[place].title}  {groups[place].detail}".strip()))
            rows.set_rows(groups[place].rows if shown else ())

    def editor(self, field: str) -> ElidedCombo | QLineEdit | None:
        """What the field is written or chosen in, None where it is not here."""
        return next((found for rows in self._rows if (found := rows.editor(field)) is not None), None)

    @property
    def facts(self) -> dict[str, str]:
        """What is told of each field that cannot be changed."""
        return {field: words for rows in self._rows for field, words in rows.facts.items()}
