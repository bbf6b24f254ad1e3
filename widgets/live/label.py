"""The survey after a demonstration: was the goal reached, and if not, why (MoTIF, section 3.1)."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import PanelHeader, SegmentedControl, text_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.growing_text import GrowingText
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.restyle import restyle
from stepscope.widgets.common.room_row import RoomRow
from stepscope.widgets.live.live_state import LabelPhase, LabelState, SurveyAnswers

FEASIBLE, INFEASIBLE, NOT_YET = "feasible", "infeasible", ""
LABELS = ((FEASIBLE, "Feasible"), (INFEASIBLE, "Infeasible"), (NOT_YET, "Not yet"))
REASONS = {
    "impossible": "It cannot be completed in this app",
    "unclear": "It is unclear or under-specified",
    "premature": "It seems possible, but how is not clear, or other tasks must be completed first",
}
FOLLOW_UP_TIP = "A question whose answer would let you complete the goal, or do something else for the user"
TITLE, TITLE_DUE = "Label this episode", "Was the goal reached?"


class LabelPanel(QWidget):
    """Values in, signals out. It never opens a dialog: when a demonstration has ended its title asks."""

    survey_changed = Signal(object)
    """a Survey"""
    save_requested = Signal(object)
    """the Survey to save the recording with"""
    discard_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = LabelState()
        self.labels = SegmentedControl(LABELS, "Was the goal reached")
        self.labels.spread()
        self.labels.set_value(NOT_YET)
        self._build_reasons()
        self.why = GrowingText("Why", "Why, in your words", most=4)
        self.follow_up = GrowingText("Follow-up questions", "A question that would help, one a line", most=4)
        self.follow_up.setToolTip(FOLLOW_UP_TIP)
        self.save = text_button("Save recording", primary=True)
        self.discard = text_button("Discard", tip="Throw this recording away")
        self._kept, self._message = QLabel(), QLabel()
        self._lay_out()
        self._connect()
        self._renew()

    # what the owner tells

    def show_state(self, state: LabelState) -> None:
        """Show another phase; a new recording begins without a label."""
        begun = state.phase is LabelPhase.RECORDING and self._state.phase is not LabelPhase.RECORDING
        self._state = state
        if begun:
            self.show_survey(SurveyAnswers())
        self._renew()

    def show_survey(self, survey: SurveyAnswers) -> None:
        """Show answers that were given before. Emits nothing."""
        self.labels.set_value(survey.label)
        self._check_reason(survey.reason)
        self.why.show_text(survey.why)
        self.follow_up.show_text("\n".join(survey.follow_up))
        self._renew()

    def ask_for_label(self) -> None:
        """Lead the person here."""
        self.labels.focus_value()

    def ask_infeasible(self) -> None:
        """The person says that it cannot be done: reason and question are asked for."""
        self.labels.set_value(INFEASIBLE)
        self._renew()
        self.reasons["impossible"].setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell()

    # what holds

    def survey(self) -> SurveyAnswers:
        label = self.labels.value()
        if label == NOT_YET:
            return SurveyAnswers(follow_up=self._questions(), why=self.why.text())
        reason = next((name for name, chip in self.reasons.items() if chip.isChecked()), "")
        return SurveyAnswers(label, reason if label == INFEASIBLE else "", self.why.text(), self._questions())

    def problem(self) -> str:
        """What is missing before it can be saved, "" when nothing is."""
        if self._state.phase is LabelPhase.NOTHING:
            return "Nothing is recorded yet."
        if self._state.phase is LabelPhase.SAVING:
            return "Saving the recording…"
        if self.survey().label == INFEASIBLE and not self.survey().reason:
            return "Choose why it cannot be done."
        return ""

    def words(self) -> str:
        """All that it says below the fields."""
        shown = [label.text() for label in (self._kept, self._message) if not label.isHidden()]
        return " ".join(shown)

    # inside

    def _build_reasons(self) -> None:
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.reasons: dict[str, QPushButton] = {}
        for name, meaning in REASONS.items():
            chip = QPushButton(name)
            chip.setProperty("chip", True)
            chip.setCheckable(True)
            chip.setAutoDefault(False)
            chip.setToolTip(tip_words(meaning))
            chip.setAccessibleName(f"{name.capitalize()}: {meaning}")
            self._group.addButton(chip)
            self.reasons[name] = chip

    def _lay_out(self) -> None:
        chips = QWidget()
        flow = FlowLayout(6, chips)
        for chip in self.reasons.values():
            flow.addWidget(chip)
        self._tick = QLabel()
        self._paint_tick()
        kept = QHBoxLayout()
        kept.setSpacing(6)
        kept.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)
        kept.addWidget(self._kept, 1)
        for label in (self._kept, self._message):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._kept.setProperty("role", "secondary")
        self._buttons = RoomRow(self.save, self.discard)
        self._header = PanelHeader(TITLE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        body = QVBoxLayout()
        body.setContentsMargins(12, 12, 12, 12)
        body.setSpacing(12)
        for part in (self.labels, chips, self.why, self.follow_up):
            body.addWidget(part)
        body.addLayout(kept)
        for part in (self._message, self._buttons):
            body.addWidget(part)
        column.addLayout(body)

    def _connect(self) -> None:
        self.labels.chosen.connect(lambda _label: self._tell())
        self._group.buttonClicked.connect(self._take_reason)
        for field in (self.why, self.follow_up):
            field.edited.connect(lambda _text: self._tell())
            field.submitted.connect(self._send)
        self.save.clicked.connect(self._send)
        theme.notifier().changed.connect(self._paint_tick)
        self.discard.clicked.connect(self.discard_requested)

    def _paint_tick(self) -> None:
        self._tick.setPixmap(icons.icon("check", theme.current().hit).pixmap(13, 13))

    def _questions(self) -> tuple[str, ...]:
        lines = (line.strip() for line in self.follow_up.toPlainText().splitlines())
        return tuple(line for line in lines if line)

    def _check_reason(self, reason: str) -> None:
        for name, chip in self.reasons.items():
            chip.setChecked(name == reason)

    def _take_reason(self, chip: QPushButton) -> None:
        """One reason at most; a second click takes it away."""
        self._check_reason(chip.text() if chip.isChecked() else "")
        self._tell()

    def _tell(self) -> None:
        self._renew()
        self.survey_changed.emit(self.survey())

    def _send(self) -> None:
        if self.save.isEnabled():
            self.save_requested.emit(self.survey())

    def _renew(self) -> None:
        """Fields and words as the phase and the label have them."""
        phase, label = self._state.phase, self.labels.value()
        usable, infeasible = phase in (LabelPhase.RECORDING, LabelPhase.DUE), label == INFEASIBLE
        self._header.set_title(TITLE_DUE if phase is LabelPhase.DUE else TITLE)
        self._header.set_detail(self._state.name)
        self.labels.setEnabled(usable)
        for chip in self.reasons.values():
            chip.setEnabled(usable and infeasible)
        for field in (self.why, self.follow_up):
            field.setVisible(usable and (infeasible or phase is LabelPhase.DUE))
        kept = _kept_words(self._state, len(self._questions()) if usable else 0)
        self._kept.setText(straight(kept))
        self._kept.setVisible(bool(kept))
        self._tick.setVisible(bool(kept))
        missing = self.problem()
        self.save.setEnabled(not missing)
        self.discard.setEnabled(usable)
        self._buttons.setVisible(phase in (LabelPhase.DUE, LabelPhase.SAVING))
        told = self._state.problem or (missing if phase in (LabelPhase.DUE, LabelPhase.SAVING) else "")
        self._say(told, "miss" if self._state.problem else "warn" if phase is LabelPhase.DUE else "neutral")

    def _say(self, words: str, kind: str) -> None:
        self._message.setText(straight(words))
        self._message.setVisible(bool(words))
        self._message.setProperty("badge", kind)
        restyle(self._message)


def _kept_words(state: LabelState, follow_ups: int) -> str:
    """What of the talk goes into the recording: "One question and answer will be kept"."""
    if state.phase is LabelPhase.NOTHING:
        return ""
    asked = ""
    if state.questions:
        asked = (
            f"{_number(state.questions)} {'question and answer' if state.questions == 1 else 'questions and answers'}"
        )
    follow = formats.counted(follow_ups, "follow-up question") if follow_ups else ""
    told = " and ".join(filter(None, (asked, follow)))
    return f"{told[:1].upper()}{told[1:]} will be kept" if told else ""


def _number(value: int) -> str:
    return ("no", "one", "two", "three")[value] if value < 4 else formats.count(value)
