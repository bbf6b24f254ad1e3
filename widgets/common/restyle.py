"""A property that the style sheet asks for has changed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a widget's properties as they are now; one that was never shown is seen so anyway."""
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)
