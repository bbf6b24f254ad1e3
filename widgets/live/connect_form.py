"""Connecting a phone over the network, in the panel itself: its address, and the pairing that a new phone wants."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, LinkButton, icon_button, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.restyle import restyle

ADDRESS_HINT = (
    "Phone and computer are in the same network. On the phone, Settings ▸ System ▸ Developer options ▸ "
    "Wireless debugging shows the address."
)
PAIR_HINT = (
    "On the phone, Wireless debugging ▸ Pair device with pairing code shows a code and an address; its port is another "
    "than the one for connecting."
)
LAST_PORT = 65_535
USUAL_PORT = 5555


def address_problem(text: str) -> str:
    """What is wrong with a host:port, "" when nothing is. Without a port the usual one is meant."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or text.strip().endswith("]"):
        host, port = text.strip(), str(USUAL_PORT)
    if not host or any(character.isspace() or character == "/" for character in host):
        return "Write the phone's address, such as 192.168.1.20:5555."
    if ":" in host and not (host.startswith("[") and host.endswith("]")):
        return "Put an IPv6 address into brackets, such as [fe80::1]:5555."
    if not (port.isascii() and port.isdigit() and 0 < int(port) <= LAST_PORT):
        return f"The port after the colon is a number from 1 to {LAST_PORT:,}."
    return ""


def whole_address(text: str) -> str:
    """The address with its port."""
    host, colon, _port = text.strip().rpartition(":")
    return text.strip() if colon and host and not text.strip().endswith("]") else f"{text.strip()}:{USUAL_PORT}"


class ConnectForm(QFrame):
    """Two steps, of which the second is only for phones that were never paired with this computer."""

    address_given = Signal(str)
    pair_requested = Signal(str, str)
    """address for pairing, code"""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._title = ElidedLabel("", "title")
        self.address = _field("Address of the phone", "192.168.1.20:5555")
        self.code = _field("Pairing code", "6 digits")
        self.code.setMaxLength(12)
        self._hint, self._message = _words("dim"), _words("secondary")
        self.go = text_button("Connect", primary=True)
        self.other = LinkButton("Pair first…")
        self._pairing = False
        self._lay_out()
        self.go.clicked.connect(self._send)
        self.other.clicked.connect(lambda: self._show_step(not self._pairing))
        for field in (self.address, self.code):
            field.returnPressed.connect(self._send)
            field.textEdited.connect(lambda _text: self._say(""))
        self._show_step(False)

    @property
    def pairing(self) -> bool:
        return self._pairing

    def message(self) -> str:
        return self._message.text()

    def begin(self) -> None:
        """Show the first step anew."""
        self._show_step(False)
        self.show()
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_busy(self, words: str) -> None:
        """Something is under way: `words` say what."""
        self._enable(False)
        self._say(words)

    def set_failed(self, words: str) -> None:
        self._enable(True)
        self._say(words, "error")

    def set_paired(self, words: str) -> None:
        """The phone knows this computer now: on to its address, whose host is known already."""
        host = self.address.text().strip().rpartition(":")[0]
        self._enable(True)
        self._show_step(False)
        self.address.setText(f"{host}:" if host else "")
        self._say(words, "done")
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_done(self) -> None:
        self._enable(True)
        self._say("")
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        close = icon_button("clear", "Close", shortcut="Esc")
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(close)
        foot = QHBoxLayout()
        foot.addWidget(self.other)
        foot.addStretch(1)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 12)
        column.setSpacing(8)
        column.addLayout(head)
        for part in (self.address, self.code, self._hint, self._message):
            column.addWidget(part)
        column.addLayout(foot)

    def _show_step(self, pairing: bool) -> None:
        self._pairing = pairing
        self._title.setText("Pair a new phone" if pairing else "Connect over the network")
        self.address.setPlaceholderText("192.168.1.20:37123" if pairing else "192.168.1.20:5555")
        self.address.setAccessibleName("Address for pairing" if pairing else "Address of the phone")
        self.code.setVisible(pairing)
        self._hint.setText(PAIR_HINT if pairing else ADDRESS_HINT)
        self.go.setText("Pair" if pairing else "Connect")
        self.other.setText("It is paired" if pairing else "Pair first…")
        self.other.setAccessibleName("Back to the address" if pairing else "Pair a phone that was never connected")
        self.other.updateGeometry()
        self._say("")

    def _send(self) -> None:
        if not self.go.isEnabled():
            return
        problem = address_problem(self.address.text())
        code = self.code.text().strip()
        if not problem and self._pairing and not (code.isascii() and code.isdigit() and len(code) >= 6):
            problem = "Write the 6 digits that the phone shows."
        if problem:
            self._say(problem, "error")
        elif self._pairing:
            self.pair_requested.emit(whole_address(self.address.text()), code)
        else:
            self.address_given.emit(whole_address(self.address.text()))

    def _enable(self, enabled: bool) -> None:
        for part in (self.address, self.code, self.go, self.other):
            part.setEnabled(enabled)

    def _say(self, words: str, kind: str = "") -> None:
        self._message.setText(straight(words))
        self._message.setVisible(bool(words))
        role = {"error": "miss", "done": "hit"}.get(kind)
        self._message.setProperty("badge", role)
        restyle(self._message)


def _field(name: str, placeholder: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(placeholder)
    field.setInputMethodHints(Qt.InputMethodHint.ImhNoPredictiveText)
    return field


def _words(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label
