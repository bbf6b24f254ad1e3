"""The page of a model that is added, or that is there: models by where they come from, the form in three steps, the
trial."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets.common import Badge, text_button
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.forms.form_rows import CommandBox
from stepscope.widgets.models.adding.field_rows import FieldGroups, FieldRows
from stepscope.widgets.models.adding.listed_delegate import ListedModelDelegate, ListedRole
from stepscope.widgets.models.adding.trial_panel import TrialPanel
from stepscope.widgets.models.adding.values import AddModelState, FoundModel, ListedModel

MARGIN, GAP, INDENT = 12, 8, 12
NEW, NOT_YET = "New model", "not added yet"
ADD, SAVE = "Add model", "Save changes"
NOTHING_KEPT, WHEN_SAVED = "nothing is kept until you add it", "changes count when they are saved"
SIDE, FORM, TRIAL = 270, 450, 500
"""Widths of the three parts at first."""


class AddModelPage(QWidget):
    """`answered` carries a field of the manifest and its value; `model_chosen` the name of a model that is there, ""
    for the one that is added."""

    path_chosen = Signal(str)
    file_wanted = Signal()
    folder_wanted = Signal()
    answered = Signal(str, str)
    add_requested = Signal()
    model_chosen = Signal(str)
    closed = Signal()
    remove_requested = Signal()
    evaluate_requested = Signal()
    prompt_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trial = TrialPanel(self)
        self.path = QLineEdit()
        self.path.setAccessibleName("Model file, folder or URL")
        self.path.setPlaceholderText("an ONNX or TorchScript file, a folder, or the URL of a server")
        self.models = QTreeWidget()
        self.models.setHeaderHidden(True)
        self.models.setAccessibleName("Models by where they come from")
        self.where, self.runs = FieldRows(), FieldRows()
        self.speaks = FieldGroups()
        self._count = _dim()
        self._head, self._head_detail, self._step = _heading(ADD), _dim(), QWidget()
        self._found, self._found_is, self._found_detail, self._checks = QFrame(), _heading(""), _dim(), _words()
        self._doubts = _words("warn")
        self._trouble, self._missing = _words("miss"), _words("warn")
        self._command = CommandBox()
        self.copy = text_button("Copy command", icon="copy")
        self.copy.setProperty("ghost", True)
        self.prompt = text_button("Prompt…", icon="note", tip="The words that it is asked in, to be read and changed")
        self.cancel = text_button("Cancel")
        self.add = text_button(f" {ADD}", primary=True, icon="check")
        self.remove = text_button("Remove…")
        self.remove.setProperty("ghost", True)
        self.evaluate = text_button("Evaluate with it")
        self._steps: list[QWidget] = []
        self._looking: list[QWidget] = []
        self._adds = ADD
        self._lay_out()
        self._connect()
        self.set_state(AddModelState())

    def set_models(self, models: Sequence[ListedModel], current: str = "") -> None:
        """Those that are there, in groups of their order; the one that is being added ("") stands before them. The
        current one is marked."""
        was = self.models.blockSignals(True)
        self._fill_in(models, current)
        self.models.blockSignals(was)

    def _fill_in(self, models: Sequence[ListedModel], current: str) -> None:
        self.models.clear()
        self._count.setText(str(len(models)))
        new = chosen = QTreeWidgetItem([NEW])
        new.setToolTip(0, NOT_YET)
        new.setData(0, Qt.ItemDataRole.UserRole, "")
        self.models.addTopLevelItem(new)
        groups: dict[str, QTreeWidgetItem] = {}
        for one in models:
            if one.group not in groups:
                groups[one.group] = QTreeWidgetItem([straight(one.group)])
                groups[one.group].setFlags(Qt.ItemFlag.ItemIsEnabled)
                self.models.addTopLevelItem(groups[one.group])
                groups[one.group].setExpanded(True)
            row = QTreeWidgetItem([straight(one.name)])
            row.setToolTip(0, tip_words("\n".join(filter(None, (one.name, one.detail, one.below_rules)))))
            row.setData(0, Qt.ItemDataRole.UserRole, one.name)
            row.setData(0, ListedRole, one)
            groups[one.group].addChild(row)
            chosen = row if one.name == current else chosen
        for group in groups.values():
            group.setText(0, f"{group.text(0)}  {group.childCount()}")
        self.models.setCurrentItem(chosen)

    def set_state(self, state: AddModelState) -> None:
        if self.path.text() != state.path and not self.path.hasFocus():
            self.path.setText(state.path)
        self._show_whose(state)
        self._show_found(state.found)
        self._trouble.setText(straight(state.trouble))
        self._missing.setText(straight(state.missing))
        for label in (self._trouble, self._missing):
            label.setVisible(bool(label.text()))
        self.where.set_rows(state.where)
        self.speaks.set_groups(state.speaks)
        self.runs.set_rows(state.runs)
        for step, shown in zip(self._steps, (bool(state.speaks), bool(state.runs)), strict=True):
            step.setVisible(shown)
        self._command.setText(state.command)
        self._command.setVisible(bool(state.command))
        self.copy.setEnabled(bool(state.command))
        self.add.setEnabled(state.can_add)
        usual = "Nothing is changed" if state.title and not state.can_add else f"{self._adds} (Ctrl+Enter)"
        self.add.setToolTip(tip_words(state.missing or usual))
        self.trial.set_possible(state.can_try, goals=state.has_prompt)
        self.prompt.setVisible(state.has_prompt)

    def _show_whose(self, state: AddModelState) -> None:
        """A new model, or one that is there: that stays where it is, and its changes are saved."""
        there = bool(state.title)
        self._head.setText(straight(state.title or ADD))
        self._head_detail.setText("" if there and not state.speaks else WHEN_SAVED if there else NOTHING_KEPT)
        self.path.setReadOnly(there)
        self.path.setVisible(bool(state.path) or not there)
        for part in self._looking:
            part.setVisible(not there)
        self._step.setVisible(not there)
        self._adds = SAVE if there else ADD
        self.add.setText(f" {self._adds}")
        self.add.setAccessibleName(self._adds)
        self.add.setVisible(not there or bool(state.speaks))
        self.cancel.setText("Close" if there else "Cancel")
        self.remove.setVisible(bool(state.removal))
        self.evaluate.setVisible(there)
        self.evaluate.setEnabled(not state.trouble)

    def told(self) -> str:
        """What is wrong or missing, as it is shown."""
        return "\n".join(filter(None, (self._trouble.text(), self._missing.text())))

    def command(self) -> str:
        return self._command.text()

    def _show_found(self, found: FoundModel | None) -> None:
        self._found.setVisible(found is not None)
        if found is not None:
            self._found_is.setText(straight(found.title))
            self._found_detail.setText(straight(found.detail))
            self._checks.setText("\n".join(f"✓ {straight(one)}" for one in found.checks))
            self._doubts.setText("\n".join(straight(one) for one in found.doubts))
            self._doubts.setVisible(bool(found.doubts))

    def _connect(self) -> None:
        self.path.editingFinished.connect(self._path_written)
        for rows in (self.where, self.runs, self.speaks):
            rows.answered.connect(self.answered)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command()))
        self.cancel.clicked.connect(self.closed)
        self.prompt.clicked.connect(self.prompt_wanted)
        self.remove.clicked.connect(self.remove_requested)
        self.evaluate.clicked.connect(self.evaluate_requested)
        self.add.clicked.connect(self.add_requested)
        self.models.currentItemChanged.connect(lambda item, _before: self._model_chosen(item))
        for keys, button in (("Ctrl+Return", self.add), ("Ctrl+Enter", self.add), ("Ctrl+T", self.trial.try_it)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda one=button: self._press(one))

    def _press(self, button: QWidget) -> None:
        """As the button is pressed; what is still being written is taken first."""
        focus = self.focusWidget()
        if isinstance(focus, QLineEdit):
            focus.editingFinished.emit()
        if button.isEnabled():
            (self.add_requested if button is self.add else self.trial.tried).emit()

    def _path_written(self) -> None:
        if self.path.isModified():
            self.path.setModified(False)
            self.path_chosen.emit(self.path.text().strip())

    def _model_chosen(self, item: QTreeWidgetItem | None) -> None:
        name = None if item is None else item.data(0, Qt.ItemDataRole.UserRole)
        if name is not None:  # the heads of groups have none
            self.model_chosen.emit(name)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal)
        for part, width in ((self._side(), SIDE), (self._form(), FORM), (self.trial, TRIAL)):
            splitter.addWidget(part)
            part.setMinimumWidth(width // 2)
        splitter.setSizes([SIDE, FORM, TRIAL])
        splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(splitter)

    def _side(self) -> QWidget:
        self.models.setItemDelegate(ListedModelDelegate(self.models))
        self.models.setIndentation(INDENT)
        self.models.setRootIsDecorated(False)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(MARGIN, MARGIN, 0, 0)
        column.setSpacing(GAP)
        column.addLayout(_beside(_heading("Models"), self._count))
        column.addWidget(self.models, 1)
        return whole

    def _found_card(self) -> QWidget:
        self._found.setProperty("card", True)
        column = QVBoxLayout(self._found)
        column.setSpacing(GAP // 2)
        column.addLayout(_beside(self._found_is, self._found_detail))
        column.addWidget(self._checks)
        column.addWidget(self._doubts)
        return self._found

    def _form(self) -> QWidget:
        inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        body.setSpacing(GAP)
        body.addLayout(_beside(self._head, self._head_detail))
        body.addSpacing(GAP)
        first = _beside(Badge("1"), _heading("Where it is"))
        first.setContentsMargins(0, 0, 0, 0)
        self._step.setLayout(first)
        body.addWidget(self._step)
        body.addLayout(self._path_row())
        for part in (self._trouble, self._found_card(), self.where):
            body.addWidget(part)
        for number, words, fields in (("2", "How it speaks", self.speaks), ("3", "How it runs", self.runs)):
            step = QWidget()
            column = QVBoxLayout(step)
            column.setContentsMargins(0, GAP, 0, 0)
            column.addLayout(_beside(Badge(number), _heading(words)))
            column.addWidget(fields)
            if fields is self.speaks:
                column.addWidget(self.prompt, 0, Qt.AlignmentFlag.AlignLeft)
            self._steps.append(step)
            body.addWidget(step)
        body.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inside)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(MARGIN, GAP, MARGIN, MARGIN)
        foot.addWidget(self._missing)
        foot.addWidget(self._command)
        whole_model = QHBoxLayout()
        whole_model.addWidget(self.remove)
        whole_model.addStretch(1)
        whole_model.addWidget(self.evaluate)
        foot.addLayout(whole_model)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.add)
        foot.addLayout(buttons)
        column.addLayout(foot)
        return whole

    def _path_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        for words, wanted in (("File…", self.file_wanted), ("Folder…", self.folder_wanted)):
            button = text_button(words)
            button.clicked.connect(wanted)
            row.addWidget(button)
            self._looking.append(button)
        return row

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def _heading(words: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "heading")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _dim(words: str = "") -> QLabel:
    label = QLabel(words)
    label.setProperty("role", "dim")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _beside(*parts: QWidget) -> QHBoxLayout:
    """The parts at the left of a row."""
    row = QHBoxLayout()
    row.setSpacing(GAP)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    return row


def _words(badge: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if badge:
        label.setProperty("badge", badge)
    return label
