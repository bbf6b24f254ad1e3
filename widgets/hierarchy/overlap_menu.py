"""Elements that lie over each other at one place, to choose one of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QMenu, QWidget

from stepscope.core.domain.elements import UIElement
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.hierarchy.ui_tree_item_model import element_words

_WIDEST = 360


class OverlapMenu(QMenu):
    """Elements in the order given, each with its size. The lit entry, by pointer or arrow key, is told (-1 when the
    list closes), and the one that is taken."""

    element_hovered = Signal(int)
    element_chosen = Signal(int)

    def __init__(self, elements: Sequence[UIElement], chosen: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Elements at this place")
        metrics = QFontMetrics(self.font())
        for element in elements:
            words = " ".join(element_words(element).split())
            shown = metrics.elidedText(straight(words), Qt.TextElideMode.ElideRight, _WIDEST)
            size = f"{element.box.width:.0f} × {element.box.height:.0f}"
            action = self.addAction(f"{plain_label(shown)}\t{size}")
            action.setData(element.index)
            action.setCheckable(element.index == chosen)
            action.setChecked(element.index == chosen)
        self.hovered.connect(lambda action: self.element_hovered.emit(action.data()))
        self.triggered.connect(lambda action: self.element_chosen.emit(action.data()))
        self.aboutToHide.connect(lambda: self.element_hovered.emit(-1))
