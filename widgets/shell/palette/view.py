"""The command palette: everything that can be done or gone to, a few letters away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QListView, QVBoxLayout, QWidget
from shiboken6 import isValid

from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.format import count
from stepscope.widgets.shell.palette.delegate import PaletteDelegate
from stepscope.widgets.shell.palette.palette_item_model import PaletteItemModel
from stepscope.widgets.shell.palette.palette_row import PaletteRow

WIDTH, TOP, MOST_ROWS = 560, 56, 11
LEAST_ROW = 34
ROOM_AROUND = 110
"""What line, hints and the window's edge take beside the rows, where a row is LEAST_ROW high."""
HINTS = ("> command", "@ app", "# episode", ": step", "= rule")
DIMMED = QColor(0, 0, 0, 70)
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QWidget):
    """Lies over its window while it is open; a click beside it or Esc closes it. `chosen` gives kind and id. `made_of`
    makes a row of what is typed, such as a link; it then is all that is offered."""

    chosen = Signal(str, str)
    closed = Signal()

    def __init__(self, parent: QWidget, made_of: Callable[[str], PaletteRow | None] = lambda _query: None) -> None:
        super().__init__(parent)
        self._window = parent
        self.setAccessibleName("Command palette")
        self._before: QWidget | None = None
        self._model = PaletteItemModel(self, made_of)
        self._box = QFrame(self)
        self._box.setProperty("card", True)
        self.line = QLineEdit()
        self.line.setPlaceholderText("Search commands, episodes, apps")
        self.line.setAccessibleName("Search commands, episodes, apps, steps, rules")
        self.line.setFrame(False)
        sign = icons.icon("search", lambda: theme.current().accent)
        self.line.addAction(sign, QLineEdit.ActionPosition.LeadingPosition)
        self._count = QLabel()
        self._count.setProperty("role", "dim")
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(PaletteDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Found")
        self._lay_out()
        self.line.textChanged.connect(self._search)
        self.line.installEventFilter(self)
        self.list.clicked.connect(self._take)
        parent.installEventFilter(self)
        self.hide()

    def open_with(self, rows: Sequence[PaletteRow], query: str = "") -> None:
        """Show it with these rows, empty or with a query such as ">"."""
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self.line.setText(query)
        self._model.set_rows(rows)
        self._search(query)
        self._place()
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def add_rows(self, rows: Sequence[PaletteRow]) -> None:
        """Rows that came later; what is chosen stays chosen if it still is the best."""
        current = self._model.row(self.list.currentIndex().row())
        self._model.add_rows(rows)
        self._show_found(current)

    def dismiss(self) -> None:
        """Close it and give the keyboard back to who had it."""
        if self.isHidden():
            return
        self.hide()
        if self._before is not None and isValid(self._before):
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None
        self.closed.emit()

    @property
    def model(self) -> PaletteItemModel:
        return self._model

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 12, 6)
        head.setSpacing(8)
        head.addWidget(self.line, 1)
        head.addWidget(self._count)
        hints = QLabel("     ".join(words.replace(" ", "\u00a0") for words in HINTS))
        hints.setProperty("role", "tiny")
        hints.setWordWrap(True)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 6, 12, 6)
        foot.addWidget(hints)
        column = QVBoxLayout(self._box)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list)
        column.addLayout(foot)

    def _search(self, query: str) -> None:
        self._model.search(query)
        self._show_found(None)

    def _show_found(self, current: PaletteRow | None) -> None:
        total = self._model.total
        self._count.setText(f"{count(total)} found" if total else "nothing found")
        places = range(self._model.rowCount())
        kept = next((place for place in places if current is not None and self._model.row(place) == current), 0)
        self.list.setCurrentIndex(self._model.index(kept, 0))
        self._place()

    def _place(self) -> None:
        """Over the whole window; the box at the top, as high as what was found."""
        parent = self._window
        self.setGeometry(parent.rect())
        row = max(1, self.list.sizeHintForRow(0)) if self._model.rowCount() else LEAST_ROW
        fit = max(1, (parent.height() - TOP - ROOM_AROUND * row // LEAST_ROW) // row)
        shown = max(1, min(MOST_ROWS, fit, self._model.rowCount()))
        self.list.setFixedHeight(row * shown)
        policy = Qt.ScrollBarPolicy
        all_seen = shown >= self._model.rowCount()
        self.list.setVerticalScrollBarPolicy(policy.ScrollBarAlwaysOff if all_seen else policy.ScrollBarAsNeeded)
        wide = round(WIDTH * derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS)
        width = min(wide, parent.width() - 32)
        self._box.setFixedWidth(width)
        layout = self._box.layout()
        assert layout is not None
        self._box.setFixedHeight(layout.totalHeightForWidth(width))  # the hints may need two lines
        self._box.move((parent.width() - width) // 2, TOP)

    def _take(self, index: QModelIndex) -> None:
        row = self._model.row(index.row())
        if row is not None and row.enabled:
            self.dismiss()
            self.chosen.emit(row.kind, row.id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() is QEvent.Type.Resize and not self.isHidden():
                self._place()
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._key(event)
        elif event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.accept()  # the window's bare keys rest while one types here
            return True
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        """Keys of the line that are the list's."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.list.currentIndex())
        elif event.key() in LIST_KEYS:
            self._move(event)
        else:
            return False
        return True

    def _move(self, event: QKeyEvent) -> None:
        """Up and Down go round, a page stops at the ends."""
        many, now = self._model.rowCount(), self.list.currentIndex().row()
        if not many:
            return
        page = {Qt.Key.Key_PageUp: -MOST_ROWS, Qt.Key.Key_PageDown: MOST_ROWS}.get(Qt.Key(event.key()))
        if page is not None:
            target = min(max(0, now + page), many - 1)
        else:
            target = (now + (1 if event.key() == Qt.Key.Key_Down else -1)) % many
        self.list.setCurrentIndex(self._model.index(target, 0))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Dim what lies below a little: the keyboard is here now."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), DIMMED)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._box.geometry().contains(event.position().toPoint()):
            self.dismiss()
