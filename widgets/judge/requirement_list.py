"""The requirements that judges listed, each with its mark: a tick, a cross, or a dash where no step shows it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.judge.judge_values import RequirementGroup, RequirementShown

SIGN, SIDE, GAP, TOP = 16, 12, 10, 6


class RequirementButton(PaintedButton):
    """A requirement and, below it, what the steps say; a click goes there. One that no step shows leads nowhere."""

    def __init__(self, shown: RequirementShown) -> None:
        super().__init__()
        self.shown = shown
        self.setText(shown.text)
        self.setAccessibleName(f"{shown.text}. {shown.says}")
        self.setToolTip(tip_words(f"{shown.text}\n{shown.says}"))
        self.setEnabled(shown.leads)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if shown.leads:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        heights = [QFontMetrics(font).height() for font in self._fonts()]
        return QSize(200, 2 * TOP + sum(heights) + 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, mark = theme.current(), self.shown.mark
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or (self.underMouse() and self.isEnabled()):
            painter.fillRect(self.rect(), QColor(colours.hover))
        if self.isChecked():
            painter.fillRect(0, 0, 3, self.height(), QColor(colours.selection_line))
        inks = {
            "supported": (colours.hit, colours.hit_background),
            "contradicted": (colours.miss, colours.miss_background),
        }
        ink, ground = inks.get(mark, (colours.dim, colours.inset))
        paint_requirement_sign(painter, QRectF(SIDE, (self.height() - SIGN) / 2, SIGN, SIGN), mark, ink, ground)
        left = SIDE + SIGN + GAP
        width = self.width() - left - SIDE
        top = TOP
        for font, words, colour in zip(
            self._fonts(), (self.shown.text, self.shown.says), (colours.text, colours.secondary), strict=True
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            metrics = painter.fontMetrics()
            line = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRectF(left, top, width, metrics.height()), Qt.AlignmentFlag.AlignVCenter, line)
            top += metrics.height() + 1
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 12.5, weight=QFont.Weight.Medium), derived(self.font(), 11.5)


class RequirementList(QWidget):
    """`chosen` carries the place of a requirement, counted through all groups."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[RequirementButton] = []
        self._groups: tuple[RequirementGroup, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    def set_groups(self, groups: Sequence[RequirementGroup]) -> None:
        """The same again leaves all as it is."""
        if tuple(groups) == self._groups:
            return
        self._groups, self.buttons = tuple(groups), []
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for group in self._groups:
            title = QLabel(straight(group.title))
            title.setTextFormat(Qt.TextFormat.PlainText)
            title.setWordWrap(True)
            title.setProperty("role", "secondary")
            title.setContentsMargins(SIDE, 8, SIDE, 2)
            self._column.addWidget(title)
            for shown in group.rows:
                self._add(shown)
        self.setVisible(bool(self.buttons))

    def set_chosen(self, place: int) -> None:
        """-1 for none."""
        for number, button in enumerate(self.buttons):
            button.setChecked(number == place)

    def words(self) -> list[str]:
        """Title, requirement and what the steps say, row by row, for tests."""
        return [f"{group.title}: {row.text}: {row.says}" for group in self._groups for row in group.rows]

    def _add(self, shown: RequirementShown) -> None:
        button, place = RequirementButton(shown), len(self.buttons)
        button.clicked.connect(lambda: self.chosen.emit(place))
        self.buttons.append(button)
        self._column.addWidget(button)


def paint_requirement_sign(painter: QPainter, place: QRectF, mark: str, ink: str, ground: str) -> None:
    """A disc with a tick, a cross or a dash."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground))
    painter.drawEllipse(place)
    painter.setPen(QPen(QColor(ink), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    middle, unit = place.center(), place.width() / 16

    def at(x: float, y: float) -> QPointF:
        return QPointF(middle.x() + x * unit, middle.y() + y * unit)

    if mark == "supported":
        painter.drawPolyline([at(-3.4, 0.2), at(-1, 2.8), at(3.6, -2.8)])
    elif mark == "contradicted":
        painter.drawLine(at(-2.8, -2.8), at(2.8, 2.8))
        painter.drawLine(at(-2.8, 2.8), at(2.8, -2.8))
    else:
        painter.drawLine(at(-3, 0), at(3, 0))
    painter.restore()
