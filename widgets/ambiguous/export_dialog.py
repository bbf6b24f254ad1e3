"""In which form ambiguous tasks are written, which of them, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, window_title
from stepscope.widgets.forms.form_rows import CommandBox, FormRows, choose_combo

WIDTH = 540


@dataclass(frozen=True, slots=True)
class ExportFormChoice:
    """A form of the file: `opens` where it can be opened as data at once, `folder` where it is a folder, `name` what it
    is called unless the person says something else."""

    value: str
    words: str
    tip: str
    name: str
    folder: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class ExportWhichChoice:
    """Which tasks are written, and how many those are."""

    value: str
    words: str
    tasks: int


@dataclass(frozen=True, slots=True)
class ExportWish:
    """The form, which tasks, the path, and whether the data is opened then."""

    form: str
    which: str
    path: str
    opens: bool = False


class ExportTasksDialog(QDialog):
    """`wanted` gives an ExportWish; the dialog stays until it is accepted. `browse(form, path)` asks the person for a
    path, "" where they give none."""

    wanted = Signal(object)

    def __init__(
        self,
        forms: Sequence[ExportFormChoice],
        which: Sequence[ExportWhichChoice],
        folder: str,
        browse: Callable[[ExportFormChoice, str], str],
        command: Callable[[ExportWish], str],
        parent: QWidget | None = None,
    ) -> None:
        """`folder` is where files go at first; `command` gives the equal command."""
        super().__init__(parent)
        self.setWindowTitle(window_title("Export ambiguous tasks"))
        self.resize(WIDTH, 0)
        self._forms = {one.value: one for one in forms}
        self._which = {one.value: one for one in which}
        self._folder, self._ask_for_path, self._command_of = folder, browse, command
        self.form, self.which = ElidedCombo(), ElidedCombo()
        self.form.setObjectName("form")
        self.which.setObjectName("which")
        self.path = QLineEdit()
        self.browse = text_button("Choose…")
        self.opens = QCheckBox("Open it afterwards")
        self.opens.setChecked(True)
        self.run = text_button(" Export", primary=True, icon="export")
        self.close_button = text_button("Cancel")
        self._rows, self._about, self._command = FormRows(), QLabel(), CommandBox()
        self._lay_out()
        choose_combo(self.form, [(one.value, one.words, one.tip, True) for one in forms], forms[0].value)
        some = next((one.value for one in which if one.tasks), which[0].value)
        choose_combo(self.which, [(one.value, one.words, "", one.tasks > 0) for one in which], some)
        self._connect()
        self._show_form()

    def wish(self) -> ExportWish:
        """What the fields say."""
        form = self._forms[self.form.currentData()]
        opens = form.opens and self.opens.isChecked()
        return ExportWish(form.value, str(self.which.currentData() or ""), self.path.text().strip(), opens)

    def command(self) -> str:
        """The equal command."""
        return self._command.text()

    def set_trouble(self, words: str) -> None:
        """Why it cannot begin."""
        self._about.setText(straight(words))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._rows.setMinimumHeight(self._rows.sizeHint().height())
        layout = self.layout()
        if layout is not None:
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _lay_out(self) -> None:
        self._about.setWordWrap(True)
        self._about.setTextFormat(Qt.TextFormat.PlainText)
        self._about.setProperty("role", "dim")
        where = QWidget()
        row = QHBoxLayout(where)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.path, 1)
        row.addWidget(self.browse)
        rows = self._rows
        rows.add("Form", self.form)
        rows.add("Tasks", self.which)
        rows.add("To", where, self.path)
        rows.add("", self.opens)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.run):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for part in (rows, self._about, self._command):
            column.addWidget(part)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.form.currentIndexChanged.connect(lambda _place: self._show_form())
        self.which.currentIndexChanged.connect(lambda _place: self._renew())
        self.path.textChanged.connect(lambda _text: self._renew())
        self.opens.toggled.connect(lambda _on: self._renew())
        self.browse.clicked.connect(self._choose)
        self.run.clicked.connect(lambda: self.wanted.emit(self.wish()))
        self.close_button.clicked.connect(self.reject)

    def _choose(self) -> None:
        chosen = self._ask_for_path(self._forms[self.form.currentData()], self.path.text())
        if chosen:
            self.path.setText(chosen)

    def _show_form(self) -> None:
        form = self._forms[self.form.currentData()]
        self.path.setText(f"{self._folder}/{form.name}")
        self._about.setText(straight(form.tip))
        self._rows.show_row(self.opens, form.opens)
        self._renew()
        if self.isVisible():
            self._fit()

    def _renew(self) -> None:
        wish = self.wish()
        self._command.setText(self._command_of(wish))
        self.run.setEnabled(bool(wish.path) and self._which[wish.which].tasks > 0)
