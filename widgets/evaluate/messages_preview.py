"""What is sent, message by message: texts and pictures in their order; what a picture shows can be pointed at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QImage, QPixmap
from PySide6.QtWidgets import QLabel, QMenu, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.plain_words import straight

ROLES = {"system": "System", "user": "User", "assistant": "The answer shown"}


@dataclass(frozen=True, slots=True)
class PreviewPart:
    """One message: who speaks, and what it says, pictures as they are shown here."""

    role: str
    parts: tuple[str | QImage, ...]


class PointedPicture(QLabel):
    """A picture that is sent. `pointed(x, y)`: the element at these shares of its width and height is never to be
    sent."""

    pointed = Signal(float, float)

    def __init__(self, picture: QImage) -> None:
        super().__init__()
        self.setPixmap(QPixmap.fromImage(picture))
        self.setFixedSize(picture.size())
        self.setAccessibleName("A picture that is sent")
        self.setToolTip("Right-click what is never to be sent")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        share = (event.pos().x() + 0.5) / self.width(), (event.pos().y() + 0.5) / self.height()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Never Send This Element").triggered.connect(lambda: self.pointed.emit(*share))
        menu.popup(event.globalPos())


class MessagesPreview(QScrollArea):
    """Messages one below the other, texts and pictures in their order; it stays where it was scrolled to.
    `pointed(number, x, y)`: the same of a `PointedPicture`, the pictures counted from 0."""

    pointed = Signal(int, float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setAccessibleName("What is sent")
        self._texts: list[str] = []
        self.pictures: list[PointedPicture] = []
        self._fill(())

    def words(self) -> str:
        """All that is said, without the pictures."""
        return "\n".join(self._texts)

    def set_messages(self, messages: Sequence[PreviewPart]) -> None:
        """Show these in the place of what was there."""
        at = self.verticalScrollBar().value()
        self._fill(messages)
        self.verticalScrollBar().setValue(at)

    def _fill(self, messages: Sequence[PreviewPart]) -> None:
        self._texts, self.pictures = [], []
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        for message in messages:
            role = QLabel(straight(ROLES.get(message.role, message.role)))
            role.setProperty("role", "heading")
            column.addWidget(role)
            for part in message.parts:
                column.addWidget(self._label(part))
            column.addSpacing(12)
        column.addStretch(1)
        self.setWidget(inside)

    def _label(self, part: str | QImage) -> QLabel:
        if isinstance(part, QImage):
            return self._picture(part)
        self._texts.append(part)
        found = QLabel(straight(part))
        found.setTextFormat(Qt.TextFormat.PlainText)
        found.setWordWrap(True)
        found.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return found

    def _picture(self, image: QImage) -> PointedPicture:
        picture, number = PointedPicture(image), len(self.pictures)
        picture.pointed.connect(lambda x, y: self.pointed.emit(number, x, y))
        self.pictures.append(picture)
        return picture
