"""Name, instructions and k of a campaign, in a small window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QSpinBox, QVBoxLayout, QWidget

from stepscope.core.domain.campaign import DEMONSTRATIONS, MAX_DEMONSTRATIONS, Campaign
from stepscope.widgets.campaigns.parts import line, plain
from stepscope.widgets.common import text_button
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm

WIDTH = 420


class CampaignForm(QDialog):
    """`saved` carries the campaign that is wanted; the window stays until it is told that this was kept."""

    saved = Signal(object)

    def __init__(self, campaign: Campaign | None, parent: QWidget | None = None) -> None:
        """None: for a new one."""
        super().__init__(parent)
        self.setWindowTitle("Campaign" if campaign else "New campaign")
        self.setMinimumWidth(WIDTH)
        known = campaign or Campaign("", k=DEMONSTRATIONS)
        self.name, self.instructions, self.k = line("Name", "such as music-apps"), QPlainTextEdit(), QSpinBox()
        self.name.setText(known.name)
        self.instructions.setPlainText(known.instructions)
        self.instructions.setPlaceholderText("What those who demonstrate are told")
        self.instructions.setTabChangesFocus(True)
        self.k.setRange(1, MAX_DEMONSTRATIONS)
        self.k.setValue(known.k)
        self.k.setToolTip("Demonstrations of each pair; MoTIF has at least five")
        calm(self.k)
        self.trouble = plain(QLabel(), "secondary")
        self.trouble.setProperty("badge", "warn")
        self.trouble.hide()
        self.save = text_button("Save" if campaign else "Make campaign", primary=True)
        self._lay_out()
        self.name.textChanged.connect(self._renew)
        self.name.returnPressed.connect(self._save)
        self.save.clicked.connect(self._save)
        self._renew()

    def tell(self, words: str) -> None:
        """Why it cannot be kept."""
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))

    def _save(self) -> None:
        if self.save.isEnabled():
            self.saved.emit(Campaign(self.name.text(), self.instructions.toPlainText(), self.k.value()))

    def _renew(self) -> None:
        self.save.setEnabled(bool(self.name.text().strip()))

    def _lay_out(self) -> None:
        rows = FormRows()
        rows.add("Name", self.name)
        rows.add("Instructions", self.instructions)
        rows.add("Of each pair", self.k)
        cancel = text_button("Cancel")
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(rows)
        column.addWidget(self.trouble)
        column.addLayout(buttons)
