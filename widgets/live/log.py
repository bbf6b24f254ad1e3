"""What was done on the device and what it said, with times."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import EmptyState, SearchField, SegmentedControl, icon_button, text_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.paged_list import PagedList
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.row_delegate import paint_row_ground
from stepscope.widgets.inspector.parts import words as wrapped
from stepscope.widgets.live.live_state import LogLine, LogLineKind
from stepscope.widgets.live.log_item_model import LogItemModel, clock_words, line_words

Index = QModelIndex | QPersistentModelIndex
SIDE, SIGN, GAP, ROOM = 12, 13, 8, 10
SIGNS = {LogLineKind.DONE: "tap", LogLineKind.SAID: "device", LogLineKind.NEWS: "info", LogLineKind.PROBLEM: "warning"}
FILTERS = {
    "all": frozenset(LogLineKind),
    "done": frozenset({LogLineKind.DONE}),
    "said": frozenset({LogLineKind.SAID}),
    "problem": frozenset({LogLineKind.PROBLEM}),
}
NOTHING = ("Nothing was done yet", "What you do on the phone and what it says stands here.")
CHOICES = (("all", "All"), ("done", "Done"), ("said", "Said"), ("problem", "Problems"))


class LogDelegate(QStyledItemDelegate):
    """Time, an icon that tells where the line comes from, its words."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(Qt.ItemDataRole.UserRole)
        colours = theme.current()
        painter.save()
        paint_row_ground(painter, option)
        place = option.rect.adjusted(SIDE, 0, -SIDE, -1)
        painter.setFont(derived(option.font, 11))
        painter.setPen(QColor(colours.dim))
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        when = clock_words(line.time)
        painter.drawText(place, aligned, when)
        left = place.left() + painter.fontMetrics().horizontalAdvance(when) + GAP
        ink = {LogLineKind.PROBLEM: colours.miss, LogLineKind.DONE: colours.reference}.get(line.kind, colours.secondary)
        icons.icon(SIGNS[line.kind], ink).paint(painter, QRect(left, place.center().y() - SIGN // 2, SIGN, SIGN))
        painter.setFont(derived(option.font, 12))
        painter.setPen(QColor(colours.miss if line.kind is LogLineKind.PROBLEM else colours.text))
        room = QRect(left + SIGN + 6, place.top(), place.right() - left - SIGN - 6, place.height())
        text = " ".join(line.words.split())
        painter.drawText(
            room, aligned, painter.fontMetrics().elidedText(straight(text), Qt.TextElideMode.ElideRight, room.width())
        )
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(option.rect.left(), option.rect.top(), 2, place.height()), QColor(colours.accent))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, QFontMetrics(derived(option.font, 12)).height() + ROOM)


class _LogList(PagedList):
    copy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("Log of the device", LogDelegate())
        self.horizontalHeader().setStretchLastSection(False)  # it would leave out a frame of its own
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)


class DeviceLog(QWidget):
    """The newest lines stay in view unless the person has scrolled up. `save_requested`: write `text()` to a file."""

    save_requested = Signal()
    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = LogItemModel()
        self.list = _LogList()
        self.list.setModel(self._model)
        self.search = SearchField("Filter the log", name="Filter the log")
        self.kinds = SegmentedControl(CHOICES, "Lines to show")
        self.kinds.spread()
        self.copy = icon_button("copy", "Copy lines", shortcut="Ctrl+C")
        self.save = text_button("Save…", tip="Write the whole log to a file")
        self._detail = wrapped("", "secondary", mono=True)
        self._count = QLabel()
        self._count.setProperty("role", "dim")
        self._empty = EmptyState(
            "info", "Nothing was done yet", "What you do on the phone and what it says stands here."
        )
        self._lay_out()
        self._connect()
        self._renew()

    def add(self, line: LogLine) -> None:
        bar = self.list.verticalScrollBar()
        end = bar.value() >= bar.maximum() - 4
        self._model.add(line)
        self._renew()
        if end:
            self.list.scrollToBottom()

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        self._model.set_lines(lines)
        self._renew()
        self.list.scrollToBottom()

    def clear(self) -> None:
        self.set_lines(())

    def text(self) -> str:
        """All lines that are kept, shown or not, one a line."""
        return "".join(f"{line_words(line)}\n" for line in self._model.lines())

    def shown(self) -> tuple[LogLine, ...]:
        """Lines that pass the filter."""
        return self._model.shown()

    # inside

    def _lay_out(self) -> None:
        self._detail.setContentsMargins(SIDE, 6, SIDE, 6)
        head = QVBoxLayout()
        head.setContentsMargins(SIDE, 8, SIDE, 8)
        head.setSpacing(8)
        head.addWidget(self.search)
        head.addWidget(self.kinds)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 6, SIDE, 6)
        foot.addWidget(self._count, 1)
        foot.addWidget(self.copy)
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self._empty, 1)
        column.addWidget(self._detail)
        column.addLayout(foot)

    def _connect(self) -> None:
        self.search.settled.connect(lambda _text: self._filter())
        self.search.left_downwards.connect(lambda: self.list.setFocus(Qt.FocusReason.OtherFocusReason))
        self.kinds.chosen.connect(lambda _kind: self._filter())
        self.list.copy_wanted.connect(self._copy)
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self.save_requested)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._tell_detail())

    def _filter(self) -> None:
        self._model.set_filter(self.search.text(), FILTERS[self.kinds.value()])
        self._renew()
        self.list.scrollToBottom()

    def _copy(self) -> None:
        """The chosen lines; without any, all that are shown."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedRows())
        chosen = [line for line in map(self._model.line, rows) if line is not None] or list(self._model.shown())
        if chosen:
            QGuiApplication.clipboard().setText("".join(f"{line_words(line)}\n" for line in chosen))
            self.copied.emit()

    def _tell_detail(self) -> None:
        """All that the current line says, where its row does not."""
        line = self._model.line(self.list.currentIndex().row())
        self._detail.setText("\n".join(filter(None, (line.words, line.detail))) if line is not None else "")
        self._detail.setVisible(line is not None and bool(line.detail))

    def _renew(self) -> None:
        kept, shown = len(self._model.lines()), len(self._model.shown())
        words = formats.counted(kept, "line")
        self._count.setText(straight(words if shown == kept else f"{formats.count(shown)} of {words}"))
        self.list.setVisible(shown > 0)
        self._empty.setVisible(shown == 0)
        if kept and not shown:
            self._empty.set_words("No line matches", "Change or clear the filter.")
        elif not kept:
            self._empty.set_words(*NOTHING)
        for button in (self.copy, self.save):
            button.setEnabled(kept > 0)
        self._tell_detail()
