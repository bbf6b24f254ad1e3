"""A run's items as a table, all of them or those that are of one kind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import ElidedLabel, LinkButton
from stepscope.widgets.common.row_table import RowTable
from stepscope.widgets.results.items_filter import ItemsFilter
from stepscope.widgets.results.items_item_model import (
    EPISODE,
    PREDICTED,
    REFERENCE,
    SCORE,
    STEP,
    VERDICT,
    WHY,
    ItemsItemModel,
)
from stepscope.widgets.results.parts import framed
from stepscope.widgets.results.result_rows import FlipCounts, ItemRow

GOAL_SHARE = 0.6
"""So much of the width that is left goes to the goal, the rest to why."""
TEXT_HEIGHT = 17
"""Height of a line at the text size for which the columns were measured."""
COLUMN_WIDTHS = {EPISODE: 240, STEP: 52, VERDICT: 118, SCORE: 74, PREDICTED: 150, REFERENCE: 96, WHY: 230}
"""The goal gets what the others leave, and no less than this."""


class ItemsPage(QWidget):
    """Rows come by page as they come into view."""

    opened = Signal(str, int)
    """episode, step (-1: the whole episode)"""
    filter_chosen = Signal(str)
    """an ItemsFilter"""
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""
    flips_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ItemsItemModel(self)
        self.table = RowTable("Items")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setStretchLastSection(True)
        self._count = ElidedLabel("", "dim")
        self.filter = QComboBox()
        self.filter.setAccessibleName("Items shown")
        self.filter.setToolTip("Items shown")
        for which in ItemsFilter:
            self.filter.addItem(which.value.capitalize(), which)
        self.flips = LinkButton("")
        self.flips.setToolTip("Show the flipped items")
        self._none = QLabel("No items yet.")
        self._none.setProperty("role", "secondary")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._size_columns()
        self.table.viewport().installEventFilter(self)
        self.model.page_wanted.connect(self.page_wanted)
        self.filter.activated.connect(lambda place: self.filter_chosen.emit(self.filter.itemData(place)))
        self.flips.clicked.connect(self.flips_wanted)
        self.table.opened.connect(self._open)

    def set_total(self, shown: int, total: int) -> None:
        """Show another list: `shown` of `total` items pass the filter."""
        self.model.set_total(shown)
        self._tell(shown, total)

    def mark_stale(self, shown: int, total: int) -> None:
        """Verdicts changed or items came: read again, keep selection and scroll."""
        self.model.mark_stale(shown)
        self._tell(shown, total)

    def set_page(self, offset: int, rows: Sequence[ItemRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`."""
        self.model.set_page(offset, rows, generation)

    def set_filter(self, which: str) -> None:
        """Show a filter as chosen; tells nobody."""
        self.filter.setCurrentIndex(self.filter.findData(ItemsFilter(which)))

    def set_flips(self, found: FlipCounts | None) -> None:
        """Show what the rule changes; None while the run's own rule is shown."""
        self.flips.setVisible(found is not None)
        place = self.filter.findData(ItemsFilter.FLIPS)
        if found is None and place >= 0:
            self.filter.removeItem(place)
        elif found is not None and place < 0:
            self.filter.addItem(ItemsFilter.FLIPS.value.capitalize(), ItemsFilter.FLIPS)
        if found is not None:
            self.flips.setText(_flip_words(found))
            self.flips.setEnabled(found.flips > 0)

    # inside

    def _lay_out(self) -> None:
        heading = QLabel("Items")
        heading.setProperty("role", "heading")
        bar = QHBoxLayout()
        bar.setSpacing(8)
        bar.addWidget(heading)
        bar.addWidget(self._count)
        bar.addStretch(1)
        bar.addWidget(self.flips)
        bar.addWidget(self.filter)
        body = QVBoxLayout(self)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(8)
        body.addLayout(bar)
        body.addWidget(framed(self.table, self._none), 1)

    def _tell(self, shown: int, total: int) -> None:
        every = formats.count(total)
        self._count.setText(every if shown == total else f"{formats.count(shown)} of {every}")
        self._none.setVisible(shown == 0)
        self._none.setText("No items yet." if total == 0 else "No item is like that.")

    def _open(self, index: QModelIndex) -> None:
        row = self.model.peek(index.row()) if index.isValid() else None
        if row is not None:
            self.opened.emit(row.episode, -1 if row.step is None else row.step)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._size_columns()

    def _size_columns(self) -> None:
        """Columns grow with the text."""
        scale = self.fontMetrics().height() / TEXT_HEIGHT
        widths = {column: round(width * scale) for column, width in COLUMN_WIDTHS.items()}
        spare = self.table.viewport().width() - sum(widths.values())
        widths[EPISODE] += max(0, round(spare * GOAL_SHARE))
        widths[WHY] += max(0, spare - round(spare * GOAL_SHARE))
        for column, width in widths.items():
            self.table.setColumnWidth(column, width)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The list itself got another width, which comes after that of the page."""
        if event.type() == QEvent.Type.Resize:
            self._size_columns()
        return super().eventFilter(watched, event)


def _flip_words(found: FlipCounts) -> str:
    if not found.flips:
        words = f"No item flips against {found.own}"
    else:
        words = f"{formats.counted(found.flips, 'item')} flip{'s' if found.flips == 1 else ''} against {found.own}: "
        words += f"{formats.count(found.now_right)} now right, {formats.count(found.now_wrong)} now wrong"
    apart = found.only_before + found.only_after
    return words if not apart else f"{words}; {formats.count(apart)} judged by one of them only"
