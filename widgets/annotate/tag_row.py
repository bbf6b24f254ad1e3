"""Tags of a place as small boxes with a cross, and a line for another one that offers those in use."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.annotate.annotation_notes import Statement
from stepscope.widgets.common import ElidedLabel, icon_button
from stepscope.widgets.common.plain_words import tip_words

GAP = 4
MAX_TAG_WIDTH = 180


class TagChip(QWidget):
    """One tag; `removed` fires on its cross."""

    removed = Signal(str)

    def __init__(self, tag: Statement, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tag = tag
        self.setToolTip(tip_words(f"{tag.value}\n{tag.by}"))
        words = ElidedLabel(tag.value, "value")
        words.setMaximumWidth(MAX_TAG_WIDTH)
        words.setMinimumWidth(min(words.sizeHint().width(), MAX_TAG_WIDTH))
        self.cross = icon_button("clear", f"Remove tag {tag.value}")
        self.cross.setFixedSize(18, 18)
        self.cross.setIconSize(QSize(10, 10))
        self.cross.clicked.connect(lambda: self.removed.emit(tag.value))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 2, 1)
        row.setSpacing(2)
        row.addWidget(words)
        row.addWidget(self.cross)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.inset))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()


class _TagLine(QLineEdit):
    """Esc takes back what was typed; only then does it leave the line."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class _FlowBox(QWidget):
    """Puts its children side by side, in as many rows as they need."""

    def __init__(self) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)

    def chips(self) -> list[TagChip]:
        return [child for child in self.children() if isinstance(child, TagChip) and not child.isHidden()]

    def arrange(self) -> None:
        left = top = row = 0
        for chip in self.chips():
            size = chip.sizeHint()
            if left and left + size.width() > self.width():
                left, top, row = 0, top + row + GAP, 0
            chip.setGeometry(QRect(QPoint(left, top), size))
            left, row = left + size.width() + GAP, max(row, size.height())
        self.setFixedHeight(top + row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


class TagRow(QWidget):
    """`added` and `removed` name a tag; what is shown comes back through `set_tags`."""

    added = Signal(str)
    removed = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = _FlowBox()
        self._known = QStringListModel(self)
        self.line = _TagLine()
        self.line.setPlaceholderText("Add a tag")
        self.line.setAccessibleName(f"Add a tag to {name}")
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.line.setCompleter(completer)
        self.line.returnPressed.connect(self._add)
        column: QLayout = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._flow)
        column.addWidget(self.line)
        self.set_tags(())

    def set_name(self, name: str) -> None:
        self.line.setAccessibleName(f"Add a tag to {name}")

    def set_tags(self, tags: Sequence[Statement]) -> None:
        shown = self._flow.chips()
        if [chip.tag for chip in shown] != list(tags):
            for chip in shown:
                chip.hide()
                chip.deleteLater()
            for tag in tags:
                chip = TagChip(tag, self._flow)
                chip.removed.connect(self.removed)
                chip.show()
        self._flow.setVisible(bool(tags))
        self._flow.arrange()

    def set_known(self, tags: Sequence[str]) -> None:
        """Tags that are offered while one is typed."""
        if self._known.stringList() != list(tags):
            self._known.setStringList(list(tags))

    def tags(self) -> list[str]:
        return [chip.tag.value for chip in self._flow.chips()]

    def chips(self) -> list[TagChip]:
        return self._flow.chips()

    def _add(self) -> None:
        tag = " ".join(self.line.text().split())
        self.line.clear()
        if tag:
            self.added.emit(tag)
