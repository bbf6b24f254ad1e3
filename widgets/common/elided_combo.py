"""A combo box whose words end in … where there is no room, and then stand whole in its tooltip."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStylePainter, QWidget

from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.run_name import cut_run_name


class ElidedCombo(QComboBox):
    """A combo box as narrow as `letters`; `setToolTip` says what it is about, and comes after the words that are
    cut."""

    def __init__(self, letters: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)

    def shown_words(self) -> str:
        """The current words as far as there is room."""
        option = self._option()
        place = self.style().subControlRect(
            QtWidgets.QStyle.ComplexControl.CC_ComboBox, option, QtWidgets.QStyle.SubControl.SC_ComboBoxEditField, self
        )
        room = place.width() - 4 - (0 if option.currentIcon.isNull() else option.iconSize.width() + 4)
        return self.cut(self.currentText(), room)

    def cut(self, text: str, width: int) -> str:
        """Words as they stand in so much room."""
        return self.fontMetrics().elidedText(straight(text), Qt.TextElideMode.ElideRight, width)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and self.shown_words() != self.currentText():
            about = self.toolTip()
            self.setToolTip(tip_words("\n".join(filter(None, (self.currentText(), about)))))
            done = super().event(event)
            self.setToolTip(tip_words(about))
            return done
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = self._option()
        painter.drawComplexControl(QtWidgets.QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_words()
        painter.drawControl(QtWidgets.QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def _option(self) -> QtWidgets.QStyleOptionComboBox:
        option = QtWidgets.QStyleOptionComboBox()
        self.initStyleOption(option)
        return option


class RunNameCombo(ElidedCombo):
    """Runs by name, cut as `cut_run_name` says."""

    def cut(self, text: str, width: int) -> str:
        return cut_run_name(self.fontMetrics(), text, width)
