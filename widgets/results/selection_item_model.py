"""Rows of the selection, read by page, and their small pictures, asked for as they come into view."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from stepscope.widgets import format as formats
from stepscope.widgets.common.paged_item_model import PagedItemModel
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.scores.breakdown_values import Key, SelectionListRow

KEPT_PICTURES = 512
WAITING_PICTURES = 24
"""When someone scrolls fast only the pictures asked for last are read."""
PICTURE = QSize(32, 66)
SHARPNESS = 2
"""Pictures are kept at so many pixels each way, for dense displays."""


class SelectionItemModel(PagedItemModel[SelectionListRow]):
    columns = ("Item",)

    picture_wanted = Signal(object)
    """a row's key; answered by `set_picture`"""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.confidence = "Confidence"
        self._pictures: OrderedDict[Key, QPixmap | None] = OrderedDict()
        self._pictures_wanted: OrderedDict[Key, None] = OrderedDict()
        self._pictures_asked: set[Key] = set()
        self._asking_pictures = QTimer(self)
        self._asking_pictures.setSingleShot(True)
        self._asking_pictures.setInterval(0)
        self._asking_pictures.timeout.connect(self._ask_pictures)

    def set_total(self, total: int) -> None:
        self._pictures_wanted.clear()
        self._pictures_asked.clear()
        super().set_total(total)

    def picture(self, key: Key) -> QPixmap | None:
        """The row's picture; None while there is none, which asks for it once."""
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        if key not in self._pictures_asked:
            self._pictures_wanted[key] = None
            self._pictures_wanted.move_to_end(key)
            while len(self._pictures_wanted) > WAITING_PICTURES:
                self._pictures_wanted.popitem(last=False)
            if not self._asking_pictures.isActive():
                self._asking_pictures.start()
        return None

    def set_picture(self, key: Key, image: QImage | None) -> None:
        """Answer to `picture_wanted`; None: there is none."""
        self._pictures_asked.discard(key)
        self._pictures[key] = None if image is None or image.isNull() else _small(image)
        self._pictures.move_to_end(key)
        while len(self._pictures) > KEPT_PICTURES:
            self._pictures.popitem(last=False)

    def cell(self, value: SelectionListRow, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return value.goal
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_words("\n".join(filter(None, (value.goal, value.said, value.why, value.question))))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(value)
        return None

    def _spoken(self, row: SelectionListRow) -> str:
        marks = [word for word, shown in (("star", row.star), ("note", row.note), ("defect", row.defect)) if shown]
        sure = "" if row.confidence is None else f"{self.confidence} {formats.confidence(row.confidence)}"
        return ", ".join(
            filter(None, (row.goal, row.app, row.detail, row.badge, sure, row.said, row.why, row.question, *marks))
        )

    def _ask_pictures(self) -> None:
        wanted, self._pictures_wanted = list(self._pictures_wanted), OrderedDict()
        self._pictures_asked.update(wanted)
        for key in wanted:
            self.picture_wanted.emit(key)


def _small(image: QImage) -> QPixmap:
    """The picture scaled so that it covers its place, cut from its top as screens are known by their head."""
    size = PICTURE * SHARPNESS
    scaled = image.scaled(
        size, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    cut = scaled.copy((scaled.width() - size.width()) // 2, 0, size.width(), size.height())
    pixmap = QPixmap.fromImage(cut)
    pixmap.setDevicePixelRatio(SHARPNESS)
    return pixmap
