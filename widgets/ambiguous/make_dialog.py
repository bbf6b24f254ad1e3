"""From which data ambiguous tasks are made, by whom, how much is left out, and what it would take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from stepscope.core.domain.model_name import with_settings
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import plain_label, straight, window_title
from stepscope.widgets.format import counted
from stepscope.widgets.forms.form_rows import CommandBox, FormRows, choose_combo
from stepscope.widgets.forms.option_fields import OptionField, calm, option_fields

WIDTH = 540
NUMBERS = ("One step", "Two steps", "Three steps")
MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class MakerChoice:
    """Who can make tasks: the name, what it is in words, what can be set, and whether it is asked, which takes
    questions."""

    name: str
    title: str
    tip: str = ""
    settings: tuple[Option, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """Episodes of which tasks can be made: all that are open, the list's, the one that is shown."""

    value: str
    words: str
    episodes: int


@dataclass(frozen=True, slots=True)
class MakeWish:
    """What is to be made: by whom, of which episodes, how many steps are left out (each number gives a task), of how
    many episodes at most, with how many questions at most (None: no limit), and whether also what is there already."""

    made_by: str
    scope: str
    removed: tuple[int, ...]
    limit: int | None = None
    questions: int | None = None
    again: bool = False


class MakeTasksDialog(QDialog):
    """`wanted` gives a MakeWish; the dialog stays until it is accepted. `estimate_wanted` gives one too: the owner
    answers it with `set_estimate`."""

    wanted = Signal(object)
    estimate_wanted = Signal(object)

    def __init__(
        self,
        scopes: Sequence[ScopeChoice],
        makers: Sequence[MakerChoice],
        known: Mapping[str, int],
        command: Callable[[MakeWish], str],
        parent: QWidget | None = None,
    ) -> None:
        """`known` are tasks that each maker has made already; `command` gives the equal command."""
        super().__init__(parent)
        self.setWindowTitle(window_title("Make ambiguous tasks"))
        self.resize(WIDTH, 0)
        self._scopes = {one.value: one for one in scopes}
        self._makers = {one.name: one for one in makers}
        self._known, self._command_of = dict(known), command
        self.scope, self.maker = ElidedCombo(), ElidedCombo()
        self.scope.setObjectName("scope")
        self.maker.setObjectName("maker")
        self.numbers = [QCheckBox(plain_label(words)) for words in NUMBERS]
        self.numbers[0].setChecked(True)
        self.limit, self.questions = _number("All"), _number("No limit")
        self.again = QCheckBox("Again, also what is made already")
        self.settings: list[OptionField] = []
        self.run = text_button(" Make", primary=True, icon="run")
        self.close_button = text_button("Cancel")
        self._rows, self._about, self._plan, self._estimate = FormRows(), QLabel(), QLabel(), QLabel()
        self._command = CommandBox()
        self._lay_out()
        choose_combo(self.scope, [(one.value, one.words, "", one.episodes > 0) for one in scopes], scopes[0].value)
        choose_combo(self.maker, [(one.name, one.title, one.tip, True) for one in makers], makers[0].name)
        self._connect()
        self._show_maker()

    def wish(self) -> MakeWish:
        """What the fields say."""
        name = str(self.maker.currentData() or "")
        changed = [(one.option.name, one.value()) for one in self.settings if one.value() != one.option.default]
        asks = self._makers[name].asks
        return MakeWish(
            with_settings(name, changed) if changed else name,
            str(self.scope.currentData() or ""),
            tuple(place for place, box in enumerate(self.numbers, start=1) if box.isChecked()),
            self.limit.value() or None,
            (self.questions.value() or None) if asks else None,
            self.again.isChecked(),
        )

    def plan_words(self) -> str:
        """How much it would be, or why it cannot begin."""
        return self._plan.text()

    def estimate_words(self) -> str:
        """What it would take, "" where nothing is asked."""
        return "" if self._estimate.isHidden() else self._estimate.text()

    def command(self) -> str:
        """The equal command."""
        return self._command.text()

    def set_trouble(self, words: str) -> None:
        """Why it cannot begin."""
        self._plan.setText(straight(words))
        self._fit()

    def set_estimate(self, wish: MakeWish, words: str) -> None:
        """What `wish` would take; nothing where the fields say something else by now."""
        if wish == self.wish():
            self._estimate.setText(straight(words))
            self._estimate.setVisible(bool(words))
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the rows and the words are now."""
        self._rows.setMinimumHeight(self._rows.sizeHint().height())
        layout = self.layout()
        if layout is not None:
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _lay_out(self) -> None:
        about = QLabel(
            "A step of each episode that the goal decides is found, its words are taken out of the goal, and a "
            "question with its answer gives them back."
        )
        for label in (about, self._about, self._plan, self._estimate):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self._about, self._plan, self._estimate):
            label.setProperty("role", "dim")
        self._estimate.hide()
        numbers = QWidget()
        numbers.setAccessibleName("Leave out")
        row = QHBoxLayout(numbers)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for box in self.numbers:
            row.addWidget(box)
        row.addStretch(1)
        rows = self._rows
        rows.add("Of", self.scope)
        rows.add("Made by", self.maker)
        rows.options_here()
        rows.add("Leave out", numbers)
        rows.add("Episodes", self.limit)
        rows.add("Questions", self.questions)
        rows.add("", self.again)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.run):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for part in (about, rows, self._about, self._plan, self._estimate, self._command):
            column.addWidget(part)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.maker.currentIndexChanged.connect(lambda _place: self._show_maker())
        self.scope.currentIndexChanged.connect(lambda _place: self._renew())
        for box in (*self.numbers, self.again):
            box.toggled.connect(lambda _on: self._renew())
        for spin in (self.limit, self.questions):
            spin.valueChanged.connect(lambda _value: self._renew())
        self.run.clicked.connect(lambda: self.wanted.emit(self.wish()))
        self.close_button.clicked.connect(self.reject)

    def _show_maker(self) -> None:
        one = self._makers[self.maker.currentData()]
        self.settings = option_fields(one.settings, self._renew)
        self._rows.set_options([(field.label, field.widget) for field in self.settings])
        self._rows.show_row(self.questions, one.asks)
        self._about.setText(straight(one.tip))
        self._about.setVisible(bool(one.tip))
        self._renew()
        if self.isVisible():
            self._fit()

    def _renew(self) -> None:
        wish = self.wish()
        scope = self._scopes[wish.scope]
        episodes = min(scope.episodes, wish.limit or scope.episodes)
        self.again.setVisible(bool(self._known.get(wish.made_by)))
        self._plan.setText(self._plan_of(wish, episodes))
        self._estimate.hide()
        self._command.setText(self._command_of(wish))
        self.run.setEnabled(bool(wish.removed and episodes))
        if self._makers[self.maker.currentData()].asks and wish.removed and episodes:
            self.estimate_wanted.emit(wish)

    def _plan_of(self, wish: MakeWish, episodes: int) -> str:
        if not wish.removed:
            return "Choose how many steps are left out."
        many = len(wish.removed)
        each = "a task" if many == 1 else f"{many} tasks"
        known = self._known.get(wish.made_by, 0)
        kept = f" {counted(known, 'task')} of this kind are kept as they are." if known and not wish.again else ""
        return f"{counted(episodes, 'episode')}: {each} of each, where its goal has enough to leave out.{kept}"


def _number(none: str) -> QSpinBox:
    """A number in which 0 means `none`."""
    spin = QSpinBox()
    spin.setRange(0, MOST)
    spin.setSpecialValueText(none)
    spin.setGroupSeparatorShown(True)
    calm(spin)
    return spin
