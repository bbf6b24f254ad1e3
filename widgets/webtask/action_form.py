"""Do one action of the library to the page by hand: which, to what field, with what value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, LinkButton, icon_button, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.inspector.parts import DividerLine
from stepscope.widgets.webtask.action_kinds import KINDS, ActionKind, fitting, kind_of
from stepscope.widgets.webtask.side_values import FieldChoice
from stepscope.widgets.webtask.value_editors import PartEditor, ValueEditor, editor_of

ADD, FOLD = "Add an action…", "Fold"


class ActionForm(QWidget):
    """`do_requested` carries the action as it is stored: `{"do": "modify_text", "field": …, "text": …}`. Folded it is
    one line; Undo and Reload stay at hand."""

    do_requested = Signal(dict)
    undo_requested = Signal()
    """Take the last action back: the page is loaded anew and the others are done again."""
    reload_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fields: tuple[FieldChoice, ...] = ()
        self.unfold = LinkButton(ADD)
        self.undo = icon_button("back", "Undo the last action", shortcut="Ctrl+Z")
        self.reload = icon_button("refresh", "Reload the page")
        self.kinds, self.field = ElidedCombo(), ElidedCombo()
        for kind in KINDS:
            self.kinds.addItem(kind.name, kind.name)
            self.kinds.setItemData(self.kinds.count() - 1, tip_words(kind.tip), Qt.ItemDataRole.ToolTipRole)
        self.do = text_button("Do", primary=True, tip="Do this to the page (Enter)")
        self._rows = FormRows(self)
        self._value_row = QWidget(self._rows)
        self._editors: dict[str, ValueEditor] = {}
        self._hint = ElidedLabel("", "dim")
        self._lay_out()
        self._connect()
        self.set_folded(True)
        self.set_can_undo(False)
        self._show_kind()

    # what the owner tells

    def set_fields(self, fields: Sequence[FieldChoice]) -> None:
        """The page's fields as they are now; what is being written stays."""
        new, before = tuple(fields), self.choice()
        if new == self._fields:
            return
        self._fields = new
        self._offer_fields(before.name if before is not None else "")
        after = self.choice()
        if before is None or after is None or (before.name, before.options) != (after.name, after.options):
            self._show_field()
        self._tell()

    def set_field(self, name: str) -> None:
        """Take the field that was chosen, and the action that fills it in."""
        chosen = next((one for one in self._fields if one.name == name), None)
        if chosen is None or (self.choice() == chosen and self.kind().editor is not kind_of("click").editor):
            return
        if not self.kind().takes(chosen.type):
            self.kinds.setCurrentIndex(self.kinds.findData(fitting(chosen.type).name))
            self._show_kind()
        self.field.setCurrentIndex(self.field.findData(name))
        self._show_field()

    def set_can_undo(self, can: bool) -> None:
        self.undo.setEnabled(can)

    def set_folded(self, folded: bool) -> None:
        self._rows.setVisible(not folded)
        self._hint.setVisible(not folded and bool(self._hint.text()))
        self.do.setVisible(not folded)
        self.unfold.setText(ADD if folded else FOLD)
        self.unfold.updateGeometry()

    # what may be asked

    def hasHeightForWidth(self) -> bool:
        """No: a layout would then take the least that its parts can bear, which cuts the combo boxes."""
        return False

    def folded(self) -> bool:
        return self._rows.isHidden()

    def kind(self) -> ActionKind:
        return kind_of(self.kinds.currentData())

    def choice(self) -> FieldChoice | None:
        """The field that is chosen; None for none, and for the whole page."""
        name = self.field.currentData()
        return next((one for one in self._fields if one.name == name), None) if name else None

    def editor(self) -> ValueEditor:
        """That of the chosen action, made when it is first chosen."""
        kind = self.kind()
        if kind.name not in self._editors:
            editor = self._editors[kind.name] = editor_of(kind)
            editor.submitted.connect(self._do)
            editor.changed.connect(self._show_rows)
            self._value_column.addWidget(editor)
        return self._editors[kind.name]

    def form(self) -> dict[str, Any]:
        """The action as it stands in the form."""
        kind = self.kind()
        form: dict[str, Any] = {"do": kind.name}
        if self._asks_field():
            form["field"] = self.field.currentData() or ""
        return {**form, **self.editor().form()}

    def missing(self) -> str:
        """What has to be chosen before it can be done, "" for nothing."""
        if self._asks_field() and not self.field.count():
            types = " or ".join(self.kind().types)
            return f"The page has no {types} field." if types else "The page has no field."
        return self.editor().missing()

    # inside

    def _lay_out(self) -> None:
        self._rows.add("Action", self.kinds)
        self._rows.add("Field", self.field)
        self._value_column = QVBoxLayout(self._value_row)
        self._value_column.setContentsMargins(0, 0, 0, 0)
        self._rows.add("Value", self._value_row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(DividerLine())
        inside = QVBoxLayout()
        inside.setContentsMargins(12, 8, 8, 8)
        inside.setSpacing(8)
        inside.addWidget(self._rows)
        inside.addWidget(self._hint)
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in (self.unfold, self.do, self.undo, self.reload):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)  # unaligned, the lowest would bound them all
        row.insertStretch(1, 1)
        inside.addLayout(row)
        column.addLayout(inside)

    def _connect(self) -> None:
        self.unfold.clicked.connect(lambda: self.set_folded(not self.folded()))
        self.kinds.activated.connect(lambda _place: self._show_kind())
        self.field.activated.connect(lambda _place: self._show_field())
        self.do.clicked.connect(self._do)
        self.undo.clicked.connect(self.undo_requested)
        self.reload.clicked.connect(self.reload_requested)

    def _do(self) -> None:
        if not self.missing():
            self.do_requested.emit(self.form())

    def _asks_field(self) -> bool:
        """Whether the action as it stands is about a field."""
        editor = self.editor()
        return self.kind().field and (not isinstance(editor, PartEditor) or editor.needs_field)

    def _show_kind(self) -> None:
        """Show another action: the fields that it can be done to, and its editor."""
        now = self.choice()
        self._offer_fields(now.name if now is not None and not self.kind().whole else "")
        shown = self.editor()
        for editor in self._editors.values():
            editor.setVisible(editor is shown)
        self._show_field()

    def _show_field(self) -> None:
        self.editor().show_field(self.choice())
        self._show_rows()

    def _show_rows(self) -> None:
        kind, asks = self.kind(), self._asks_field()
        self._rows.show_row(self.field, asks)
        self._rows.show_row(self._value_row, bool(kind.editor != "none"))
        self._tell()

    def _tell(self) -> None:
        problem = self.missing()
        self._hint.setText(problem)
        self._hint.setVisible(bool(problem) and not self.folded())
        self.do.setEnabled(not problem)

    def _offer_fields(self, kept: str) -> None:
        kind = self.kind()
        self.field.clear()
        if kind.whole:
            self.field.addItem(kind.whole, "")
        for one in self._fields:
            if kind.takes(one.type):
                self.field.addItem(one.name, one.name)
        self.field.setCurrentIndex(max(0, self.field.findData(kept)) if self.field.count() else -1)
