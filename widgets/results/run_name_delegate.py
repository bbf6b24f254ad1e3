"""A run's own name is typed where it stands: in the list and in the leaderboard."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from stepscope.core.domain.run import LONGEST_NAME


class RunNameDelegate(QStyledItemDelegate):
    """Subclasses paint, and say where the line of the name is."""

    def name_line(self, row: QRect) -> QRect:
        """The place of the name in a row, as high as the row."""
        raise NotImplementedError

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(LONGEST_NAME)
        editor.setAccessibleName("Name of the run")
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, QLineEdit):
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = self.name_line(option.rect)
        line.setHeight(editor.sizeHint().height())
        editor.setGeometry(line)
