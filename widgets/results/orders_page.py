"""The page of a run of step ordering: what is wrong with its orders, where another run does otherwise, and what its
doubts tell of steps that could change places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QMenu, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.order_card import OrderCard
from stepscope.widgets.results.order_values import OrderOther, OrderSheet
from stepscope.widgets.scores.breakdown_values import Key

WIDE_ENOUGH = 1000
"""From this width on the two small tables stand side by side, with text as it is at first."""
CSV, MARKDOWN = "csv", "markdown"
EXPORTS = {CSV: "CSV…", MARKDOWN: "Markdown…"}
KINDS, DOUBTS, CATEGORIES, FLIPS, CHANGES, REFERENCES = (
    "kinds", "interchangeable", "categories", "flips", "changes", "references",
)  # fmt: skip
"""The tables in the order in which they stand; the first two beside each other."""
NOTHING = "nothing"
LETTERS = 8


class OrdersPage(QWidget):
    """`chosen` and `opened` carry the key of a row."""

    chosen = Signal(object)
    opened = Signal(object)
    other_chosen = Signal(str)
    """the key of what the run is to be compared with, "" for nothing"""
    export_chosen = Signal(str)
    """a key of EXPORTS"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = {name: OrderCard("") for name in (KINDS, DOUBTS, CATEGORIES, FLIPS, CHANGES, REFERENCES)}
        self.said = QLabel()
        self.said.setProperty("role", "secondary")
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.other = ElidedCombo(LETTERS)
        self.other.setAccessibleName("Compared with")
        self.other.setToolTip("Another run or people on the same data: gaps by category, and flips")
        self.export = text_button("Export tables…", icon="export", tip="Write these numbers as CSV or Markdown")
        self.export.setEnabled(False)
        self._upper = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self.set_sheets(())
        self.other.activated.connect(lambda place: self.other_chosen.emit(self.other.itemData(place)))
        self.export.clicked.connect(self.open_export_menu)
        for card in self.cards.values():
            card.chosen.connect(self.chosen)
            card.opened.connect(self.opened)

    @property
    def first(self) -> QWidget:
        """What takes the keys when the page is entered."""
        return self.cards[KINDS].table

    def set_sheets(self, sheets: Sequence[OrderSheet]) -> None:
        """Show the tables, or none; the same again changes nothing."""
        known = {sheet.name: sheet for sheet in sheets}
        for name, card in self.cards.items():
            card.set_sheet(known.get(name, OrderSheet(name, "")))
            card.setVisible(name in known)
        self.export.setEnabled(bool(known))

    def set_others(self, others: Sequence[OrderOther], chosen: str) -> None:
        """What the run can be compared with; tells nobody."""
        self.other.clear()
        self.other.addItem(NOTHING, "")
        for one in others:
            self.other.addItem(straight(one.name), one.key)
        self.other.setCurrentIndex(max(0, self.other.findData(chosen)))
        self.other.setEnabled(bool(others))

    def set_progress(self, done: int, total: int | None) -> None:
        """How far reading is."""
        of = "" if total is None else f" of {formats.counted(total, 'procedure')}"
        self.set_said(f"Reading {formats.count(done)}{of}…")

    def set_said(self, words: str) -> None:
        """Words above the tables: what goes on, or what went wrong."""
        self.said.setText(straight(words))

    def set_chosen(self, key: Key) -> None:
        for card in self.cards.values():
            card.set_chosen(key)

    def open_export_menu(self) -> None:
        """Below its button."""
        menu = self.export_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height())))

    def export_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, words in EXPORTS.items():
            menu.addAction(words, partial(self.export_chosen.emit, kind))
        return menu

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_upper"):
            self._fit()

    def _fit(self) -> None:
        wide = WIDE_ENOUGH * derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        way = QBoxLayout.Direction.LeftToRight if self.width() >= wide else QBoxLayout.Direction.TopToBottom
        self._upper.setDirection(way)

    def _lay_out(self) -> None:
        against = QLabel("Compare with")
        against.setProperty("role", "secondary")
        against.setBuddy(self.other)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(against)
        head.addWidget(self.other, 1)
        head.addStretch(1)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.said, 1)
        below.addWidget(self.export, 0, Qt.AlignmentFlag.AlignTop)
        self._upper.setSpacing(16)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(16)
        column.addLayout(head)
        column.addLayout(below)
        column.addLayout(self._upper)
        for name, card in self.cards.items():
            if name in (KINDS, DOUBTS):
                self._upper.addWidget(card, 1)
            else:
                column.addWidget(card)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)
