"""Cards of the Step page: the reference, and one per run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import Badge, ElidedLabel, LinkButton, RunBadge, RunNameLabel, icon_button, run_letter
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.inspector.attention import AttentionSection
from stepscope.widgets.inspector.evidence import EvidenceList
from stepscope.widgets.inspector.parts import CardFrame, pairs, value_label, words
from stepscope.widgets.inspector.step_details import RunCard, StepDetails

RAW_LINES = 14
"""Lines of raw output shown at once; the rest scrolls."""


class ReferenceCard(CardFrame):
    """The recorded action with exact coordinates, its target and the step's instruction. It is there for one step after
    the other: making widgets takes longer than all else about a step."""

    def __init__(self, step: StepDetails) -> None:
        title = ElidedLabel("Reference", "title")
        self._exact = ElidedLabel()
        self._exact.setProperty("mono", True)
        title.setMinimumWidth(title.sizeHint().width())
        super().__init__(RunBadge(None, 16), title, self._exact)
        self._names: list[str] = []
        self._values: list[QLabel] = []
        self._rows: QWidget | None = None
        self.show_step(step)

    def show_step(self, step: StepDetails) -> None:
        """Tell this step instead. What is told of it is written over where it has the same names."""
        self._exact.setText(step.action)
        self.setAccessibleName(f"Reference: {step.action}")
        target = " ".join(filter(None, (step.target, step.target_id and f"#{step.target_id}")))
        told = [("Target", target), ("Instruction", step.instruction), *step.facts]
        rows = [(name, value) for name, value in told if value]
        if [name for name, _value in rows] != self._names:
            self._make_rows(rows)
        for label, (_name, value) in zip(self._values, rows, strict=True):
            label.setText(straight(value))

    def _make_rows(self, rows: list[tuple[str, str]]) -> None:
        if self._rows is not None:
            self.body.removeWidget(self._rows)
            self._rows.hide()
            self._rows.deleteLater()
        self._names, self._values, self._rows = [name for name, _ in rows], [value_label("") for _ in rows], None
        if rows:
            self._rows = QWidget(self)
            self._rows.setLayout(pairs(zip(self._names, self._values, strict=True)))
            self.body.addWidget(self._rows)


class RunCardView(CardFrame):
    """A run's answer: action, element, confidence, other facts, evidence, verdict and why; its raw output on demand,
    whole; last where its model looked (`stream`: the title of the stream that is shown). `evidence_chosen` gives the
    place of evidence in the answer."""

    evidence_chosen = Signal(int)

    def __init__(self, card: RunCard, *, raw_shown: bool = False, stream: str = "") -> None:
        title = RunNameLabel(card.name, "title")
        super().__init__(RunBadge(card.run), title, _verdict_badge(card))
        verdict = card.verdict.value if card.verdict else "nothing"
        self.setAccessibleName(f"Run {run_letter(card.run)}, {card.name}: {verdict}. {card.why}")
        self.shown, self.run = card, card.run
        if card.stand_in:
            self.body.addWidget(Badge("stand-in model, not a finding", "warn"))
        rows: list[tuple[str, QWidget]] = []
        if card.action:
            exact = ElidedLabel(card.action)
            exact.setProperty("mono", True)
            rows.append(("Action", exact))
        if card.element:
            rows.append(("Element", ElidedLabel(card.element, "value")))
        facts = [(name, value_label(value)) for name, value in card.facts if value]
        rows += [*facts, *((name, ElidedLabel(value, "value")) for name, value in self._measures(card) if value)]
        if rows:
            self.body.addLayout(pairs(rows))
        self.evidence: EvidenceList | None = None
        if card.evidence:
            self.body.addWidget(words("What spoke for it", "dim", selectable=False))
            self.evidence = EvidenceList(card.evidence, card.run)
            self.evidence.chosen.connect(self.evidence_chosen)
            self.body.addWidget(self.evidence)
        self.raw_link: LinkButton | None = None
        self._raw: RawOutput | None = None
        self._add_reason(card, raw_shown)
        self.attention: AttentionSection | None = None
        if card.attention:
            self.add_rule()
            self.attention = AttentionSection(card.attention, card.run, stream)
            self.body.addWidget(self.attention)

    @staticmethod
    def _measures(card: RunCard) -> list[tuple[str, str]]:
        latency = "" if card.latency_ms is None else formats.duration(card.latency_ms / 1000)
        sure = "" if card.confidence is None else formats.confidence(card.confidence)
        return [("Confidence", sure), ("Latency", latency)]

    def _add_reason(self, card: RunCard, raw_shown: bool) -> None:
        if not card.why and not card.raw:
            return
        self.add_rule()
        if card.why:
            self.body.addWidget(words(card.why, "secondary"))
        if not card.raw:
            return
        self.raw_link = LinkButton()
        self._raw = RawOutput(card.raw, _parsed(card))
        self.body.addWidget(self.raw_link)
        self.body.addWidget(self._raw)
        self.raw_link.clicked.connect(lambda: self.show_raw(not self.raw_is_shown()))
        self.show_raw(raw_shown)

    def raw_is_shown(self) -> bool:
        return self._raw is not None and self._raw.isVisibleTo(self)

    def show_raw(self, shown: bool) -> None:
        """Show or hide the whole raw output."""
        if self._raw is None or self.raw_link is None:
            return
        self._raw.setVisible(shown)
        self.raw_link.setText("Hide raw output" if shown else "Show raw output")
        self.raw_link.setAccessibleName(self.raw_link.text())
        self.raw_link.updateGeometry()

    def raw_text(self) -> str:
        return self._raw.field.toPlainText() if self._raw else ""


class RawOutput(QWidget):
    """The model's whole output, under what was read from it; a button copies it."""

    def __init__(self, text: str, parsed: str) -> None:
        super().__init__()
        read = ElidedLabel(parsed)
        read.setProperty("mono", True)
        self.copy = icon_button("copy", "Copy raw output")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(ElidedLabel("Read as", "dim"))
        head.addWidget(read, 1)
        head.addWidget(self.copy)
        self.field = _raw_field(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.field)


def _parsed(card: RunCard) -> str:
    """The action, or the first thing that an answer without one says."""
    return card.action or next((value for _name, value in card.facts if value), "nothing usable")


def _verdict_badge(card: RunCard) -> QLabel:
    if card.verdict is None:
        return Badge("nothing", "neutral")
    return Badge(card.verdict.words, card.verdict.badge)


def _raw_field(text: str) -> QPlainTextEdit:
    field = QPlainTextEdit(text)
    field.setReadOnly(True)
    field.setProperty("mono", True)
    field.setAccessibleName("Raw output")
    field.setTabChangesFocus(True)
    lines = min(RAW_LINES, max(2, sum(1 + len(line) // 34 for line in text.splitlines() or [""])))
    field.setFixedHeight(lines * QFontMetrics(field.font()).lineSpacing() + 24)
    return field
