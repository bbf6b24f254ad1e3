"""The strip of buttons beside the phone: what its own keys do, a screenshot, the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, name_button, paint_focus_ring
from stepscope.widgets.common.fonts import BASE_PIXELS, derived, pixel_size

CELL = QSize(48, 44)
_BARE = QSize(36, 36)
_BESIDE = 20
"""What the strip needs beside its buttons: margins and the line."""
_ICON = 17.0
_GRID = 16.0


@dataclass(frozen=True, slots=True)
class Tool:
    """`id` is told, `word` written below the sign; `name` and `key` make the tooltip."""

    id: str
    word: str
    name: str
    key: str = ""


TOOLS = (
    Tool("back", "Back", "Back", "B"),
    Tool("home", "Home", "Home", "H"),
    Tool("recents", "Recents", "Recent apps"),
    Tool("rotate", "Rotate", "Rotate the screen"),
    Tool("power", "Power", "Power"),
    Tool("shot", "Shot", "Screenshot", "C"),
    Tool("keys", "Keys", "Keys to the phone", "Ctrl+Shift+K"),
)
_AFTER_RULE = "rotate"
"""The first tool behind the line."""


class ToolButton(PaintedButton):
    """A sign with its word below."""

    def __init__(self, tool: Tool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tool = tool
        self._bare = False
        self.setCheckable(tool.id == "keys")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name_button(self, tool.name, tool.key)

    def set_bare(self, bare: bool) -> None:
        """The sign alone, where there is no room for the word."""
        if bare != self._bare:
            self._bare = bare
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return _BARE if self._bare else self.full_size()

    def full_size(self) -> QSize:
        """Size of the button with its word."""
        metrics = QFontMetrics(derived(self.font(), 10))
        high = CELL.height() - 12 + metrics.height()
        return QSize(max(CELL.width(), metrics.horizontalAdvance(self.tool.word) + 8), max(CELL.height(), high))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.isEnabled() and (self.underMouse() or self.isDown())
        if self.isChecked() or lit:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.selection if self.isChecked() else colours.hover))
            painter.drawRoundedRect(self.rect(), 6, 6)
        ink = colours.warn if self.isChecked() else colours.text if lit else colours.secondary
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        font = derived(self.font(), 10)
        scale = pixel_size(self.font()) / BASE_PIXELS
        side = _ICON * min(scale, 1.3)
        words = 0 if self._bare else QFontMetrics(font).height()
        top = (self.height() - side - words - 1) / 2
        _paint_sign(painter, self.tool.id, QRectF((self.width() - side) / 2, top, side, side), QColor(ink))
        if words:
            painter.setFont(font)
            painter.setPen(QColor(ink))
            below = QRectF(0, top + side + 1, self.width(), words)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.tool.word)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()


class ToolStrip(QFrame):
    """`wanted(str)`: the id of the tool that was pressed; `keys_toggled(bool)` instead for the keyboard."""

    wanted = Signal(str)
    keys_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Phone keys")
        self._line = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._line.setContentsMargins(4, 4, 4, 4)
        self._line.setSpacing(0)
        self._rule = QFrame()
        self._buttons: dict[str, ToolButton] = {}
        for tool in TOOLS:
            if tool.id == _AFTER_RULE:
                self._line.addSpacing(4)
                self._line.addWidget(self._rule, 0, Qt.AlignmentFlag.AlignCenter)
                self._line.addSpacing(4)
            button = self._buttons[tool.id] = ToolButton(tool)
            self._line.addWidget(button, 0, Qt.AlignmentFlag.AlignCenter)
            if button.isCheckable():
                button.toggled.connect(self.keys_toggled)
            else:
                button.clicked.connect(lambda _checked=False, chosen=tool.id: self.wanted.emit(chosen))
        theme.notifier().changed.connect(self._theme_changed)
        self.set_lying(False)
        self._theme_changed()

    def button(self, tool: str) -> ToolButton:
        return self._buttons[tool]

    def set_lying(self, lying: bool, room: int = 0) -> None:
        """The buttons side by side instead of one below the other; without words where `room` pixels are too few."""
        ways = QBoxLayout.Direction
        self._line.setDirection(ways.LeftToRight if lying else ways.TopToBottom)
        self._rule.setFixedSize(*((1, 28) if lying else (36, 1)))
        needed = sum(button.full_size().width() for button in self._buttons.values()) + _BESIDE
        for button in self._buttons.values():
            button.set_bare(lying and needed > room)

    def set_enabled(self, *, on: bool, without: frozenset[str] = frozenset()) -> None:
        """Whether there is a phone; `without` are the ids of what it cannot do."""
        for tool, button in self._buttons.items():
            button.setEnabled(on and tool not in without)

    def set_keys(self, on: bool) -> None:
        """Show whether keys go to the phone, without telling."""
        button = self._buttons["keys"]
        button.blockSignals(True)
        button.setChecked(on)
        button.blockSignals(False)
        button.update()

    def _theme_changed(self) -> None:
        self._rule.setStyleSheet(f"background: {theme.current().line}; border: none;")


def _paint_sign(painter: QPainter, sign: str, place: QRectF, colour: QColor) -> None:
    """A sign on a grid of 16 by 16, with thin round lines."""
    painter.save()
    painter.translate(place.topLeft())
    painter.scale(place.width() / _GRID, place.height() / _GRID)
    painter.setPen(QPen(colour, 1.35, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(_sign_path(sign))
    painter.restore()


def _sign_path(sign: str) -> QPainterPath:
    path = QPainterPath()
    match sign:
        case "back":
            path.addPolygon(QPolygonF([QPointF(10.5, 3), QPointF(5, 8), QPointF(10.5, 13), QPointF(10.5, 3)]))
        case "home":
            path.addEllipse(QPointF(8, 8), 4.5, 4.5)
        case "recents":
            path.addRect(4, 4, 8, 8)
        case "rotate":
            path.addRoundedRect(5, 5, 6, 8.5, 1, 1)
            path.arcMoveTo(2.6, 1.8, 9, 9, 180)
            path.arcTo(2.6, 1.8, 9, 9, 180, -80)
        case "power":
            path.moveTo(8, 2)
            path.lineTo(8, 7.2)
            path.arcMoveTo(3, 3.4, 10, 10, 130)
            path.arcTo(3, 3.4, 10, 10, 130, 280)
        case "shot":
            path.addRoundedRect(1.5, 4.5, 13, 9, 1.4, 1.4)
            path.addEllipse(QPointF(8, 9), 2.5, 2.5)
            path.moveTo(5.5, 4.5)
            for x, y in ((6.5, 2.6), (9.5, 2.6), (10.5, 4.5)):
                path.lineTo(x, y)
        case "keys":
            path.addRoundedRect(1.5, 4, 13, 8.5, 1.3, 1.3)
            for x in (4.0, 6.6, 9.2, 11.8):
                path.moveTo(x, 6.8)
                path.lineTo(x + 0.1, 6.8)
            path.moveTo(4.6, 10)
            path.lineTo(11.4, 10)
    return path
