"""A label that ends in … where there is no room, and then tells the whole text as a tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from stepscope.widgets.common.plain_words import straight, tip_words


class ElidedLabel(QLabel):
    """One line of plain text; takes the style properties of a label (role, mono). `side` is where it is cut."""

    def __init__(
        self,
        text: str = "",
        role: str = "",
        parent: QWidget | None = None,
        *,
        side: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._side = side
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._tip = ""
        if role:
            self.setProperty("role", role)
        self.setText(text)

    def setText(self, text: str) -> None:
        """The same again asks for no new layout."""
        line = straight(" ".join(text.split()))
        if line == self.text():
            return
        super().setText(line)
        self.setAccessibleName(self.text())
        self._renew_tip()

    def set_tip(self, tip: str) -> None:
        """Further words for the tooltip, shown whether or not the text is cut."""
        self._tip = tip
        self._renew_tip()

    def minimumSizeHint(self) -> QSize:
        return QSize(min(super().sizeHint().width(), 24), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 2, hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        inside = self.contentsRect()
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(inside, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), self.cut(inside.width()))
        painter.end()

    def cut(self, width: int) -> str:
        """The text as it stands in so much room."""
        return self.fontMetrics().elidedText(self.text(), self._side, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew_tip()

    def _renew_tip(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
        self.setToolTip(tip_words("\n".join(filter(None, (self.text() if cut else "", self._tip)))))
