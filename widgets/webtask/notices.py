"""What a page asked of the network and was refused, and which hosts it may reach."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.errors import UsageError
from stepscope.core.webtask.hosts import allowed_host
from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel, text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.webtask.page_fields import BlockedHost

OWN_FILES = "Files of this machine"
NOTHING = "No request was refused."
OFF = "Pages reach nothing beyond this machine. What they ask for is refused and listed here."
NO_NAME = "Only hosts with a name or an IPv4 address can be allowed."
SOME = "Pages reach the hosts that are allowed, and nothing else. Allowing one opens the page anew."
_WIDTH, _MOST_HIGH = 420, 420


def network_words(hosts: Sequence[BlockedHost]) -> str:
    """What the badge says: "network off", "2 hosts allowed"."""
    allowed = sum(1 for host in hosts if host.allowed)
    return f"{formats.counted(allowed, 'host')} allowed" if allowed else "network off"


def refused_words(hosts: Sequence[BlockedHost]) -> str:
    """How many requests were refused, in words; "" for none."""
    refused = sum(host.times for host in hosts if not host.allowed)
    return f"{formats.counted(refused, 'request')} refused" if refused else ""


class NetworkBadge(QPushButton):
    """A click opens the list of what was refused."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("chip", True)
        self.setAutoDefault(False)
        self.setIconSize(QSize(12, 12))
        self._hosts: tuple[BlockedHost, ...] = ()
        self._compact = False
        self.set_hosts(())

    def set_hosts(self, hosts: Sequence[BlockedHost]) -> None:
        self._hosts = tuple(hosts)
        words, refused = network_words(hosts), refused_words(hosts)
        open_now = any(host.allowed for host in hosts)
        self.setIcon(icons.icon("wifi", _warn) if open_now else icons.icon("login"))
        self.setAccessibleName(", ".join(filter(None, (words, refused))))
        self.setToolTip(tip_words("\n".join(filter(None, (words.capitalize(), refused, "Click for the list")))))
        self._show_words()

    def set_compact(self, compact: bool) -> None:
        """Show only the sign, and how many requests were refused."""
        self._compact = compact
        self._show_words()

    def width_for(self, *, compact: bool) -> int:
        metrics, words = self.fontMetrics(), self._words(compact=compact)
        return self.sizeHint().width() + metrics.horizontalAdvance(words) - metrics.horizontalAdvance(self.text())

    def _words(self, *, compact: bool) -> str:
        refused = sum(host.times for host in self._hosts if not host.allowed)
        if compact:
            return formats.count(refused) if refused else ""
        return network_words(self._hosts) + (f" · {formats.count(refused)}" if refused else "")

    def _show_words(self) -> None:
        self.setText(self._words(compact=self._compact))


def _warn() -> str:
    return theme.current().warn


class HostsPanel(QFrame):
    """The hosts that pages asked for, each with a button. `host_allowed(host, bool)`: let pages reach it, or no more.
    Opens under its badge and closes on Esc or a click elsewhere."""

    host_allowed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlag(Qt.WindowType.Popup)
        self.setAccessibleName("Requests to the network")
        self._hosts: tuple[BlockedHost, ...] = ()
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setProperty("role", "secondary")
        self._rows = QWidget()
        self._column = QVBoxLayout(self._rows)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setWidget(self._rows)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._words)
        column.addWidget(self._area, 1)
        theme.notifier().changed.connect(self._renew)
        self._renew()
        self.set_hosts(())

    def set_hosts(self, hosts: Sequence[BlockedHost]) -> None:
        """The hosts in the order given; an open list stays open, and the keyboard where it was."""
        if tuple(hosts) == self._hosts and self._column.count():
            return
        self._hosts = tuple(hosts)
        focused = next((host for host, button in self._buttons().items() if button.hasFocus()), None)
        if focused is not None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        while (item := self._column.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._words.setText(SOME if any(host.allowed for host in hosts) else OFF)
        for host in hosts:
            self._column.addWidget(self._row(host))
        if not hosts:
            self._column.addWidget(QLabel(NOTHING))
        self._column.addStretch(1)
        if focused is not None and (button := self._buttons().get(focused)) is not None:
            button.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.isVisible():
            self._resize()

    def button(self, host: str) -> QPushButton | None:
        return self._buttons().get(host)

    def words(self) -> str:
        """All that it says, for tests and screen readers."""
        return " ".join(label.text() for label in self.findChildren(QLabel) if not label.isHidden())

    def _buttons(self) -> dict[str, QPushButton]:
        items = (self._column.itemAt(place) for place in range(self._column.count()))
        rows = [row for item in items if item is not None and (row := item.widget()) is not None]
        return {button.objectName(): button for row in rows for button in row.findChildren(QPushButton)}

    def _row(self, host: BlockedHost) -> QWidget:
        row = QWidget()
        name = ElidedLabel(host.host or OWN_FILES, "heading")
        times = f"{formats.counted(host.times, 'request')}" if host.times else "not asked for"
        detail = ElidedLabel(", ".join(filter(None, (times, *host.kinds))), "secondary")
        words = QVBoxLayout()
        words.setSpacing(0)
        for label in (name, detail, *((ElidedLabel(host.url, "dim"),) if host.url else ())):
            words.addWidget(label)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addLayout(words, 1)
        if host.host:
            line.addWidget(self._button(host))
        return row

    def _button(self, host: BlockedHost) -> QPushButton:
        verb = "Forbid" if host.allowed else "Allow"
        button = text_button(verb)
        button.setProperty("small", True)
        button.setObjectName(host.host)
        button.setAccessibleName(f"{verb} {host.host}")
        if not (host.allowed or _can_be_allowed(host.host)):
            button.setEnabled(False)
            button.setToolTip(NO_NAME)
        button.clicked.connect(lambda: self.host_allowed.emit(host.host, not host.allowed))
        return button

    # Place

    def open_under(self, widget: QWidget) -> None:
        """Open below a widget, within its screen."""
        self._resize()
        corner = widget.mapToGlobal(QPoint(0, widget.height() + 4))
        screen = QGuiApplication.screenAt(corner) or self.screen()
        room = screen.availableGeometry()
        self.move(max(room.left(), min(corner.x(), room.right() - self.width())), corner.y())
        self.show()
        first = next((button for button in self._buttons().values() if button.isEnabled()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.PopupFocusReason)

    def _resize(self) -> None:
        scale = pixel_size(self.font()) / BASE_PIXELS
        width = round(_WIDTH * scale)
        self._words.setFixedWidth(width - 26)
        self._rows.adjustSize()
        wanted = self._words.heightForWidth(width - 26) + self._rows.sizeHint().height() + 32
        self.setFixedSize(width, min(round(_MOST_HIGH * scale), wanted))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _renew(self) -> None:
        colours = theme.current()
        self.setStyleSheet(
            f"HostsPanel {{ background: {colours.panel}; border: 1px solid {colours.line}; border-radius: 8px; }}"
            "QScrollArea { border: none; }"
        )


def _can_be_allowed(host: str) -> bool:
    with suppress(UsageError):
        return bool(allowed_host(host))
    return False
