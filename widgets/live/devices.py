"""The list of devices: the simulated phone first, then what is plugged in or was connected over the network."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QListView, QMenu, QSizePolicy, QStyleOptionViewItem, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, ErrorCard, PanelHeader, icon_button
from stepscope.widgets.common.states import paint_skeleton_bar
from stepscope.widgets.live.connect_form import ConnectForm
from stepscope.widgets.live.device_rows import DeviceDelegate, DevicesItemModel, can_connect
from stepscope.widgets.live.live_state import DeviceRow, RowState

SIMULATED = "simulated"
"""Serial of the simulated phone."""
LOADING_AFTER_MS = 100
ALONE = "No phone found. Plug one in with USB debugging on, or connect one over the network with +."
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class DevicesList(QListView):
    """A list as high as its rows; Enter and a double click take the current row."""

    taken = Signal(QModelIndex)
    copy_wanted = Signal(QModelIndex)
    menu_wanted = Signal(QModelIndex, QPoint)
    """a row and where on the screen: by mouse the one under it, by key the current one"""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Devices")
        self.setItemDelegate(DeviceDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        model = self.model()
        rows = model.rowCount() if model is not None else 0
        return QSize(240, sum(self.sizeHintForRow(row) for row in range(rows)) + 2 * self._frame())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():  # hints wrap anew
            self.scheduleDelayedItemsLayout()
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.scheduleDelayedItemsLayout()
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.taken.emit(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit(self.currentIndex())
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()  # bare letters belong to the window
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            spot = self.visualRect(index).center() if by_key else event.pos()
            self.menu_wanted.emit(index, self.viewport().mapToGlobal(spot))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the pill that says Connect does so."""
        super().mouseReleaseEvent(event)
        spot = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and self._on_pill(spot):
            self.taken.emit(self.indexAt(spot))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        spot = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not self._on_pill(spot):
            self.taken.emit(self.indexAt(spot))

    def _on_pill(self, spot: QPoint) -> bool:
        index, delegate = self.indexAt(spot), self.itemDelegate()
        row = index.data(Qt.ItemDataRole.UserRole)
        if row is None or row.state is not RowState.READY:
            return False
        assert isinstance(delegate, DeviceDelegate)
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        return delegate.pill_place(option, row, offered=True).contains(spot)

    def _frame(self) -> int:
        return max(self.height() - self.viewport().height(), 0) // 2 if self.isVisible() else 2


class _DeviceSkeleton(QWidget):
    """Grey bars for devices that are being looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(2 * 54)
        self.setAccessibleName("Looking for devices")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row in range(2):
            paint_skeleton_bar(painter, 44, row * 54 + 19, 96, 9)
            paint_skeleton_bar(painter, 44, row * 54 + 36, 150, 7)
        painter.end()


class DevicesPanel(QWidget):
    """Values in, signals out; `serial` names a device throughout."""

    refresh_requested = Signal()
    connect_requested = Signal(str)
    disconnect_requested = Signal(str)
    forget_requested = Signal(str)
    serial_copied = Signal(str)
    address_given = Signal(str)
    pair_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = DevicesItemModel()
        self.list = DevicesList()
        self.list.setModel(self._model)
        self.form = ConnectForm()
        self.refresh = icon_button("refresh", "Look for devices again", shortcut="F5")
        self.plus = icon_button("plus", "Connect over the network", checkable=True)
        self._note, self._problem, self._skeleton = QLabel(ALONE), ErrorCard(), _DeviceSkeleton()
        self._empty = EmptyState("device", "No phone found", buttons=[(SIMULATED, "Use the simulated phone")])
        self._loading = QTimer(self)
        self._loading.setSingleShot(True)
        self._loading.setInterval(LOADING_AFTER_MS)
        self._lay_out()
        self._connect()
        self._arrange()

    # what the owner tells

    def set_devices(self, rows: Sequence[DeviceRow]) -> None:
        """The devices there are now; the current row stays on its device, or goes to one that has just come in use."""
        before = self.current()
        was_open = self._serial_at(self._model.open_place())
        self._model.set_rows(rows)
        now_open = self._serial_at(self._model.open_place())
        wanted = now_open if now_open and now_open != was_open else before or now_open
        place = self._model.place_of(wanted)
        self.list.setCurrentIndex(self._model.index(max(place, 0)) if rows else QModelIndex())
        self._loading.stop()
        self._arrange()

    def set_loading(self, loading: bool) -> None:
        """Devices are being looked for; said after a moment, where nothing is shown yet."""
        self.refresh.setEnabled(not loading)
        if loading:
            self._loading.start()
        else:
            self._loading.stop()
            self._skeleton.hide()
            self._arrange()

    def set_problem(self, title: str, detail: str = "") -> None:
        """Why phones cannot be listed and what to do; "" takes it away. The simulated phone needs none of it."""
        self._problem.set_error(title, detail, [("refresh", "Try again")] if title else [])
        self._problem.setVisible(bool(title))
        self._arrange()

    def show_connect_form(self) -> None:
        self.plus.setChecked(True)
        self.form.begin()

    def connect_busy(self, words: str) -> None:
        self.form.set_busy(words)

    def connect_failed(self, words: str) -> None:
        self.form.set_failed(words)

    def paired(self, words: str = "Paired. Now connect with the address.") -> None:
        self.form.set_paired(words)

    def connect_done(self) -> None:
        """The phone is in the list: the form closes."""
        self.form.set_done()
        self.plus.setChecked(False)

    # what is shown

    def current(self) -> str:
        """Serial of the current row, "" without any."""
        return self._serial_at(self.list.currentIndex().row())

    def menu_for(self, serial: str) -> QMenu:
        """What can be done with the device."""
        row = self._model.row(self._model.place_of(serial))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, signal, possible in (
            ("Connect", self.connect_requested, row is not None and can_connect(row)),
            ("Disconnect", self.disconnect_requested, row is not None and row.state.open),
            ("Copy serial", None, row is not None),
            ("Forget", self.forget_requested, row is not None and row.forgettable and not row.state.open),
        ):
            entry = menu.addAction(words)
            entry.setEnabled(possible)
            told = self._copy if signal is None else signal.emit
            entry.triggered.connect(lambda _checked=False, tell=told: tell(serial))
        return menu

    # inside

    def _lay_out(self) -> None:
        self._note.setWordWrap(True)
        self._note.setProperty("role", "dim")
        self._note.setContentsMargins(12, 8, 12, 8)
        self.form.hide()
        self._problem.hide()
        self._skeleton.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(PanelHeader("Devices", self.refresh, self.plus))
        boxed = QVBoxLayout()
        boxed.setContentsMargins(8, 0, 8, 0)
        boxed.setSpacing(8)
        boxed.addWidget(self.form)
        boxed.addWidget(self._problem)
        column.addLayout(boxed)
        for part in (self.list, self._skeleton, self._note, self._empty):
            column.addWidget(part)

    def _connect(self) -> None:
        self.refresh.clicked.connect(self.refresh_requested)
        self.plus.clicked.connect(lambda shown: self.form.begin() if shown else self.form.hide())
        self.form.closed.connect(self._close_form)
        self.form.address_given.connect(self.address_given)
        self.form.pair_requested.connect(self.pair_requested)
        self.list.taken.connect(self._take)
        self.list.copy_wanted.connect(lambda index: self._copy(self._serial_at(index.row())))
        self.list.menu_wanted.connect(lambda index, spot: self.menu_for(self._serial_at(index.row())).popup(spot))
        self._empty.pressed.connect(self.connect_requested)
        self._problem.pressed.connect(lambda _button: self.refresh_requested.emit())
        self._loading.timeout.connect(self._show_loading)

    def _arrange(self) -> None:
        """The list, or what stands in its place."""
        kinds = [self._kind_at(place) for place in range(self._model.rowCount())]
        quiet = not self._problem.isHidden() or not self._skeleton.isHidden()
        if kinds:
            self._skeleton.hide()
        self.list.setVisible(bool(kinds))
        in_use = self._model.open_place() >= 0
        self._note.setVisible(kinds == [SIMULATED] and not in_use and self._problem.isHidden())
        self._empty.setVisible(not kinds and not quiet)
        self.list.updateGeometry()

    def _show_loading(self) -> None:
        self._skeleton.setVisible(not self._model.rowCount())
        self._arrange()

    def _close_form(self) -> None:
        self.form.hide()
        self.plus.setChecked(False)
        self.plus.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self, index: QModelIndex) -> None:
        row = self._model.row(index.row())
        if row is not None and can_connect(row):
            self.connect_requested.emit(row.serial)

    def _copy(self, serial: str) -> None:
        if serial:
            QGuiApplication.clipboard().setText(serial)
            self.serial_copied.emit(serial)

    def _serial_at(self, place: int) -> str:
        row = self._model.row(place)
        return row.serial if row is not None else ""

    def _kind_at(self, place: int) -> str:
        row = self._model.row(place)
        return row.kind if row is not None else ""
