"""The items behind a cell, a bar or a point: a list with pictures, and ways to look closer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common import EmptyState, PanelHeader, icon_button, text_button
from stepscope.widgets.results.selection_delegate import SelectionDelegate
from stepscope.widgets.results.selection_item_model import SelectionItemModel
from stepscope.widgets.scores.breakdown_values import CriterionText, Key, SelectionDetails, SelectionListRow
from stepscope.widgets.scores.flow import Flow, RemovableChip
from stepscope.widgets.scores.keyed_list import KeyedList

LEAST_WIDTH, SIDE = 220, 12
NOTHING = ("Nothing is selected", "Choose a cell, a bar or a point to list its items here.")


class SelectionPanel(QWidget):
    """A dock's contents. Rows come by page and pictures one by one, both when they come into view."""

    opened = Signal(object)
    """a row's key: Enter or a double click"""
    shown = Signal(object)
    """a row's key: it became the current one"""
    criteria_changed = Signal(object)
    """the tuple of Criterion that are left after one was taken away"""
    replay_requested = Signal()
    compare_requested = Signal()
    export_requested = Signal()
    closed = Signal()
    page_wanted = Signal(int, int)
    """offset, limit; answered by `set_page`"""
    thumbnail_wanted = Signal(object)
    """a row's key; answered by `set_thumbnail`"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details = SelectionDetails()
        self.export = icon_button("export", "Export the selection")
        self.close_button = icon_button("cancel", "Close the selection")
        self._header = PanelHeader("Selection", self.export, self.close_button)
        self._chips = Flow()
        self.replay = text_button("Open in Replay", primary=True)
        self.compare = text_button("Compare")
        self._buttons = Flow()
        self._buttons.set_parts([self.replay, self.compare])
        self._delegate = SelectionDelegate()
        self.model = SelectionItemModel(self)
        self.list = KeyedList("Selected items", self._delegate, self.model)
        self._nothing = EmptyState("select", *NOTHING)
        self._no_match = EmptyState("filter", "Nothing matches", "", [("clear", "Clear selection")])
        self._lay_out()
        self._connect()
        self.set_selection(SelectionDetails())

    # what the owner tells

    def set_selection(self, details: SelectionDetails) -> None:
        """Show another selection: rows are read anew, none is current."""
        self._details = details
        self.list.forget()
        self._delegate.run, self._delegate.confidence = details.run, details.confidence
        self.model.confidence = details.confidence
        self.model.set_total(details.total)
        counted = formats.counted(details.total, details.noun)
        self._header.set_detail(counted if details.criteria or details.total else "")
        self._chips.set_parts([self._chip(criterion) for criterion in details.criteria])
        self.compare.setText(details.compare)
        self.compare.setVisible(bool(details.compare))
        self._buttons.arrange()
        self.updateGeometry()
        for button in (self.replay, self.compare, self.export):
            button.setEnabled(details.total > 0)
        self._no_match.set_words(f"No {details.noun} matches", "Take a criterion away, or start anew.")
        empty = self._no_match if details.criteria else self._nothing
        self._head.setVisible(bool(details.criteria or details.total))
        self._stack.setCurrentWidget(self.list if details.total else empty)

    def set_page(self, offset: int, rows: Sequence[SelectionListRow], generation: int | None = None) -> None:
        """Answer to `page_wanted`; `generation` (see the model's) drops an answer to an older question."""
        self.model.set_page(offset, rows, generation)

    def mark_stale(self) -> None:
        """The same rows with other contents, such as a new star: read again, keep the current one."""
        self.model.mark_stale()

    def set_thumbnail(self, key: Key, image: QImage | None) -> None:
        """Answer to `thumbnail_wanted`; None: there is no picture."""
        self.model.set_picture(key, image)
        self.list.viewport().update()

    def choose(self, position: int) -> None:
        """Make a row current and visible without telling; out of range leaves none."""
        self.list.choose(position)

    def show_panel(self, panel: QWidget | None) -> None:
        """Show a panel in the place of the selection; None shows the selection again."""
        if panel is not None and self._pages.indexOf(panel) < 0:
            self._pages.addWidget(panel)
        self._pages.setCurrentWidget(panel or self._own)

    def minimumSizeHint(self) -> QSize:
        """The words of the buttons fit."""
        hint = super().minimumSizeHint()
        widest = max(button.sizeHint().width() for button in (self.replay, self.compare))
        return QSize(max(LEAST_WIDTH, widest + 2 * SIDE), hint.height())

    def words(self) -> str:
        """What stands where there is no list, for tests and screen readers."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    # inside

    def _chip(self, criterion: CriterionText) -> RemovableChip:
        chip = RemovableChip(criterion.words)
        chip.removed.connect(lambda: self._remove(criterion))
        return chip

    def _remove(self, gone: CriterionText) -> None:
        self.criteria_changed.emit(tuple(one for one in self._details.criteria if one != gone))

    def _lay_out(self) -> None:
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(SIDE, 8, SIDE, 8)
        head.setSpacing(8)
        head.addWidget(self._chips)
        head.addWidget(self._buttons)
        self._stack = QStackedWidget()
        for page in (self.list, self._nothing, self._no_match):
            self._stack.addWidget(page)
        self._own, self._pages = QWidget(), QStackedWidget()
        own = QVBoxLayout(self._own)
        whole = QVBoxLayout(self)
        for column in (own, whole):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
        own.addWidget(self._header)
        own.addWidget(self._head)
        own.addWidget(self._stack, 1)
        self._pages.addWidget(self._own)
        whole.addWidget(self._pages)

    def _connect(self) -> None:
        self.export.clicked.connect(self.export_requested)
        self.close_button.clicked.connect(self.closed)
        self.replay.clicked.connect(self.replay_requested)
        self.compare.clicked.connect(self.compare_requested)
        self.model.page_wanted.connect(self.page_wanted)
        self.model.picture_wanted.connect(self.thumbnail_wanted)
        self.list.opened.connect(self.opened)
        self.list.shown.connect(self.shown)
        self._no_match.pressed.connect(lambda _button: self.criteria_changed.emit(()))
