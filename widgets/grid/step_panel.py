"""The step whose tile has the keyboard's place: its whole screen, what was asked for and done, and why it is wrong."""

from __future__ import annotations

from PySide6.QtCore import QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState, LinkButton, PanelHeader, RunBadge
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.grid.grid_values import WrongStepDetails
from stepscope.widgets.grid.large_tile import LargeTile
from stepscope.widgets.inspector.parts import CardFrame, CardPage, words

_TALL = 150
"""Pixels of width of a tall screen beside the words at most, and of height of a wide one above them."""
_BESIDE = 300
"""Pixels of width from which on a tall screen has words beside it, at the usual text size."""
_SHARE = 0.45
"""Of the height, for a screen above its words."""


class StepPanel(QWidget):
    """`change_wanted()`: the cause is to be another one."""

    change_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("This step")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = PanelHeader("This step", parent=self)
        self.picture = LargeTile(self)
        self.page = CardPage("What is wrong with this step", self)
        self.page.column.setContentsMargins(0, 0, 4, 0)
        self.change: QWidget = self
        """below which causes are offered"""
        self.details: WrongStepDetails | None = None
        self._empty = EmptyState("grid", "No step is chosen.", "The arrow keys go from tile to tile.", (), self)
        self._body = QWidget(self)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._sides.setContentsMargins(12, 8, 8, 8)
        self._sides.setSpacing(12)
        self._sides.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignTop)
        self._sides.addWidget(self.page, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self._body, 1)
        column.addWidget(self._empty, 1)
        self.show_step(None)

    def show_step(self, details: WrongStepDetails | None, chosen: int = 0, image: QImage | None = None) -> None:
        """`chosen` are the tiles that a change is about, this one among them; `image` stands there until `set_picture`
        brings the step's own."""
        self.header.set_detail(f"one of {chosen:,} selected" if chosen > 1 else "")
        self._body.setVisible(details is not None)
        self._empty.setVisible(details is None)
        known, self.details = self.details, details
        if details is None:
            self.picture.show_tile(None, None)
            return
        is_same = known is not None and known.tile.key == details.tile.key
        self.picture.show_tile(details.tile, (self.picture.image if is_same else None) or image)
        if known != details:
            self._fill(details)
        self._fit()

    def set_picture(self, image: QImage) -> None:
        self.picture.show_tile(self.picture.tile, image)

    def _fill(self, details: WrongStepDetails) -> None:
        meant = _answer_row(RunBadge(None, 16), details.reference, details.tile.title)
        taken = _answer_row(RunBadge(details.run, 16), details.answer or "no action", details.tile.taken)
        parts = [words(details.goal, "title"), words(details.place, "secondary"), meant, taken]
        if details.confidence:
            parts.append(words(f"Confidence {details.confidence}", "secondary"))
        self.page.show_parts([*parts, self._cause(details)])

    def _cause(self, details: WrongStepDetails) -> QWidget:
        self.change = change = LinkButton("Change")
        change.setAccessibleName("Change the cause")
        change.setToolTip("Give the step another cause (Shift+Q)")
        change.clicked.connect(self.change_wanted)
        card = CardFrame(parent=self.page)
        card.setAccessibleName(f"Cause: {details.cause}. {details.by_hand or details.explained}")
        card.body.addWidget(words(details.cause, "title"))
        if details.by_hand:
            card.body.addWidget(words(details.by_hand, "secondary"))
        card.body.addWidget(words(details.why or details.explained, "secondary"))
        card.body.addWidget(change)
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """A tall screen stands beside the words, a wide one above them, as does every screen in a narrow panel."""
        tile = self.picture.tile
        if tile is None:
            return
        tall = tile.size.height > tile.size.width
        beside = tall and self.width() >= _BESIDE * pixel_size(self.font()) / BASE_PIXELS
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._sides.direction() != way:
            self._sides.setDirection(way)
        high = self.height() - self.header.height() - 16
        room = QSizeF(self.width() - 20, high * _SHARE if tall else _TALL)
        if beside:
            room = QSizeF(_TALL, high)
        fitting = QSizeF(tile.size.width, tile.size.height).scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        self.picture.setFixedSize(fitting.toSize().expandedTo(QSize(60, 60)))


def _answer_row(badge: QWidget, action: str, on: str) -> QWidget:
    """Who, what was done, and on what."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words(f"{action}\n{on}" if on else action, "value"), 1)
    return row
