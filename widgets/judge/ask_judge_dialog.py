"""Which judge goes through the pairs, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.core.domain.model_name import with_settings
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, window_title
from stepscope.widgets.forms.form_rows import CommandBox, FormRows, choose_combo
from stepscope.widgets.forms.option_fields import OptionField, option_fields

WIDTH = 520


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """A judge that can be taken, what it is in words, and what can be set."""

    name: str
    title: str
    tip: str = ""
    settings: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeWish:
    """The judge with its settings; `again`: also what it has judged already."""

    name: str
    again: bool = False


class AskJudgeDialog(QDialog):
    """`known` are pairs that each judge has judged already, by its name with settings."""

    asked = Signal(object)
    """a JudgeWish"""

    def __init__(
        self,
        texts: str,
        pairs: int,
        judges: Sequence[JudgeChoice],
        known: Mapping[str, int],
        command: str,
        parent: QWidget | None = None,
    ) -> None:
        """`texts` says which two are judged; `command` is the equal command up to the judge's name, "" for none."""
        super().__init__(parent)
        self.setWindowTitle(window_title("Ask a judge"))
        self.resize(WIDTH, 0)
        self._judges = {one.name: one for one in judges}
        self._pairs, self._known, self._command_start = pairs, dict(known), command
        self.judge = ElidedCombo()
        self.judge.setObjectName("judge")
        self.again = QCheckBox("Again, also what it has judged already")
        self.settings: list[OptionField] = []
        self.run = text_button(" Ask", primary=True, icon="run")
        self.close_button = text_button("Cancel")
        self._rows = FormRows()
        self._plan, self._about = QLabel(), QLabel()
        self._command = CommandBox()
        self._lay_out(texts)
        choose_combo(self.judge, [(one.name, one.title, one.tip, True) for one in judges], judges[0].name)
        self.judge.currentIndexChanged.connect(lambda _place: self._show_settings())
        self.again.toggled.connect(lambda _on: self._renew())
        self.run.clicked.connect(self._ask)
        self.close_button.clicked.connect(self.reject)
        self._show_settings()

    def wish(self) -> JudgeWish:
        """What the fields say."""
        name = self.judge.currentData() or ""
        changed = [
            (field.option.name, field.value()) for field in self.settings if field.value() != field.option.default
        ]
        return JudgeWish(with_settings(name, changed) if changed else name, self.again.isChecked())

    def plan_words(self) -> str:
        """How much it would be, for tests."""
        return self._plan.text()

    def set_trouble(self, words: str) -> None:
        """Why it cannot be asked."""
        self._plan.setText(straight(words))

    def _lay_out(self, texts: str) -> None:
        about = QLabel(straight(texts))
        about.setWordWrap(True)
        about.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self._about, self._plan):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("role", "dim")
        self._rows.add("Judge", self.judge)
        self._rows.options_here()
        self._rows.add("", self.again)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.run):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for part in (about, self._rows, self._about, self._plan, self._command):
            column.addWidget(part)
        column.addLayout(buttons)

    def _show_settings(self) -> None:
        one = self._judges[self.judge.currentData()]
        self.settings = option_fields(one.settings, self._renew)
        self._rows.set_options([(field.label, field.widget) for field in self.settings])
        self._about.setText(straight(one.tip))
        self._renew()

    def _renew(self) -> None:
        wish = self.wish()
        known = 0 if wish.again else min(self._known.get(wish.name, 0), self._pairs)
        left = self._pairs - known
        judged = f", {known:,} are judged already" if known else ""
        self._plan.setText(f"{left:,} of {self._pairs:,} pairs to judge{judged}.")
        quoted = f"'{wish.name}'" if "?" in wish.name or "&" in wish.name else wish.name
        self._command.setText(f"{self._command_start} --judge {quoted}{' --again' if wish.again else ''}")
        self._command.setVisible(bool(self._command_start))
        self.run.setEnabled(left > 0)

    def _ask(self) -> None:
        self.asked.emit(self.wish())
