"""The head of the list: which data it lists, how many episodes of how many, and whose runs are looked at."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from stepscope.widgets import icons
from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.plain_words import straight, tip_words

ICON_SIDE, ARROW_ROOM = 16, 44


class ScopeButton(QToolButton):
    """A name that is cut to its room, and opens a menu; the owner fills it when it is about to show."""

    def __init__(self, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what, self._name = what, ""
        self.setMenu(QMenu(self))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(ICON_SIDE, ICON_SIDE))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_name(self, name: str, tip: str = "") -> None:
        """Show what is chosen; `tip` says more of it."""
        self._name = name
        self.setAccessibleName(f"{self._what}: {name}")
        self.setToolTip(tip_words(tip or f"{self._what}: {name}"))
        self._cut()

    @property
    def name(self) -> str:
        """What is chosen, uncut."""
        return self._name

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def _cut(self) -> None:
        room = self.width() - ARROW_ROOM
        cut = self.fontMetrics().elidedText(straight(self._name), Qt.TextElideMode.ElideMiddle, max(room, 20))
        self.setText(f"{cut} ▾".replace("&", "&&"))


class ScopeBar(QWidget):
    """`source` and `task` open menus; `buttons` stand at the right of the first line."""

    def __init__(self, *buttons: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("bar", "tools")
        self.setAccessibleName("Episodes")
        self.source, self.task = ScopeButton("Data"), ScopeButton("Runs of")
        self.source.setProperty("scope", True)
        self._detail = ElidedLabel("", "dim")
        above = QHBoxLayout()
        above.setContentsMargins(6, 4, 6, 0)
        above.setSpacing(4)
        above.addWidget(self.source, 1)
        for button in buttons:
            above.addWidget(button)
        below = QHBoxLayout()
        below.setContentsMargins(12, 0, 6, 4)
        below.setSpacing(4)
        below.addWidget(self._detail, 1)
        below.addWidget(self.task, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addLayout(below)
        self.set_source("Nothing is open", "folder")
        self.set_task("All tasks")

    def set_source(self, name: str, icon: str, tip: str = "") -> None:
        """What is listed: one data set, or all that is open."""
        self.source.setIcon(icons.icon(icon))
        self.source.set_name(name, tip)

    def set_task(self, words: str) -> None:
        """The task whose runs are looked at."""
        self.task.set_name(words, "Replay, Compare and Ordering show runs of this task only")

    def set_detail(self, detail: str) -> None:
        """Counts: "312 of 965"."""
        self._detail.setText(detail)

    def detail(self) -> str:
        return self._detail.text()
