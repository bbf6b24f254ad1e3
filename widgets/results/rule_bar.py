"""The row above a run's results: which page, and under which rule."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from widgets.common import Segmented, text_button
from widgets.results.values import RuleChoice

SUMMARY, RULES = "summary", "rules"


class RuleBar(QWidget):
    """Signals fire for what the person does, not for what the program sets."""

    page_chosen = Signal(str)
    """SUMMARY or RULES"""
    rule_chosen = Signal(str)
    score_all_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "tool")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._pages = Segmented([(SUMMARY, "Summary"), (RULES, "All rules")], "Page of the results")
        label = QLabel("Protocol")
        label.setProperty("role", "secondary")
        self._rules = QComboBox()
        self._rules.setAccessibleName("Protocol")
        self._rules.setToolTip("Put another rule to the stored predictions; no model runs")
        self._rules.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        label.setBuddy(self._rules)
        self._all = text_button(
            " Score under all rules", icon="refresh", tip="Put every rule to the stored predictions"
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self._pages)
        row.addStretch(1)
        row.addWidget(self._all)
        row.addWidget(label)
        row.addWidget(self._rules)
        self._pages.chosen.connect(self.page_chosen)
        self._rules.activated.connect(lambda place: self.rule_chosen.emit(self._rules.itemData(place)))
        self._all.clicked.connect(self.score_all_requested)

    def set_rules(self, rules: Sequence[RuleChoice], chosen: str) -> None:
        """The rules that can be put to the run; those that have no scores yet say so."""
        self._rules.clear()
        for rule in rules:
            note = " (this run's own)" if rule.own else "" if rule.scored else " – not scored yet"
            self._rules.addItem(f"{rule.title}{note}", rule.id)
        self._rules.setCurrentIndex(max(0, self._rules.findData(chosen)))
        self._all.setVisible(any(not rule.scored for rule in rules))

    def set_page(self, page: str) -> None:
        self._pages.set_value(page)

    def set_busy(self, busy: bool) -> None:
        """While scores are made anew nothing else can be asked for."""
        self._rules.setEnabled(not busy)
        self._all.setEnabled(not busy)

    @property
    def rule(self) -> str:
        return self._rules.currentData() or ""
