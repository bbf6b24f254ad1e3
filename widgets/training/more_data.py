"""Further data to learn from, each with a weight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, LinkButton, icon_button
from stepscope.widgets.common.plain_words import plain_label, tip_words
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.training.number_spin import NumberSpin
from stepscope.widgets.training.training_choices import MoreData, SourceChoice

LEAST_WEIGHT, MOST_WEIGHT = 0.05, 10.0
WEIGHT_TIP = "How much of it is learned from in each epoch. 1: all of it; 0.3: a third; 2: each item twice"
ADD = "Add data…"


class WeightSpin(NumberSpin):
    """The share of a data set in each epoch; 1 is usual."""

    def __init__(self, about: str) -> None:
        super().__init__(LEAST_WEIGHT, MOST_WEIGHT, 0.1)
        calm(self)
        self.setPrefix("× ")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # wide enough for the largest text too
        self.setAccessibleName(f"Weight of {about}")
        self.setToolTip(tip_words(WEIGHT_TIP))
        self.setValue(1.0)


class MoreDataField(QWidget):
    """A row for each further data set, and a button whose menu offers those that are known; `folder_wanted` asks for
    one of the person's own."""

    changed = Signal()
    folder_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: tuple[SourceChoice, ...] = ()
        self._rows: list[_DataRow] = []
        self.add_button = LinkButton(ADD)
        self.add_button.setAccessibleName("Add data to learn from")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.add_button)
        self.add_button.clicked.connect(
            lambda: self.menu().popup(self.add_button.mapToGlobal(QPoint(0, self.add_button.height())))
        )

    def set_offered(self, offered: Sequence[SourceChoice]) -> None:
        """The data sets that are known and fit."""
        self._offered = tuple(offered)

    def source(self, path: str) -> SourceChoice | None:
        """What is known of the data there."""
        return next((one for one in self._offered if one.path == path), None)

    def shares(self) -> tuple[MoreData, ...]:
        return tuple(MoreData(row.path, row.weight.number()) for row in self._rows)

    def set_shares(self, shares: Sequence[MoreData]) -> None:
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for share in shares:
            self._append(share)
        self.changed.emit()

    def add(self, path: str) -> None:
        """Learn from this too, once."""
        if all(row.path != path for row in self._rows):
            self._append(MoreData(path))
            self.changed.emit()

    def menu(self) -> QMenu:
        """What may be learned from besides what is chosen."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        taken = {row.path for row in self._rows}
        for one in self._offered:
            if one.path not in taken:
                action = menu.addAction(plain_label(one.title), partial(self.add, one.path))
                action.setToolTip(tip_words(one.path))
        if menu.actions():
            menu.addSeparator()
        menu.addAction("Folder…", self.folder_wanted.emit)
        return menu

    def _append(self, share: MoreData) -> None:
        row = _DataRow(share)
        row.weight.valueChanged.connect(lambda _value: self.changed.emit())
        row.remove.clicked.connect(lambda: self._remove(row))
        self._rows.append(row)
        self._column.insertWidget(len(self._rows) - 1, row)

    def _remove(self, row: _DataRow) -> None:
        self.set_shares([MoreData(one.path, one.weight.number()) for one in self._rows if one is not row])
        self.add_button.setFocus()


class _DataRow(QWidget):
    """A data set, its weight, and a button that takes it away."""

    def __init__(self, share: MoreData) -> None:
        super().__init__()
        self.path = share.path
        title = source_title(share.path)
        name = ElidedLabel(title)
        name.set_tip(share.path)
        self.weight = WeightSpin(title)
        self.weight.setValue(share.weight)
        self.remove = icon_button("clear", f"Do not learn from {title}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(name, 1)
        row.addWidget(self.weight)
        row.addWidget(self.remove)


def source_title(path: str) -> str:
    """What a data set is called by its path."""
    return PurePath(path).name or path
