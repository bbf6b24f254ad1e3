"""The rail at the left edge: workspaces above, theme below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QToolBar, QToolButton, QWidget

from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.icons import icon

ICON_PIXELS = 20


class Rail(QToolBar):
    """Buttons are the workspaces' own actions, so menu, key and rail always agree."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__("Workspaces", window)
        self.setObjectName("rail")
        self.setMovable(False)
        self.setFloatable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setIconSize(QSize(ICON_PIXELS, ICON_PIXELS))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._spacer = QWidget()
        self._spacer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._spacer.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._spacer_action = self.addWidget(self._spacer)

    def add_workspace(self, action: QAction, icon_name: str) -> None:
        action.setIcon(icon(icon_name))
        self.insertAction(self._spacer_action, action)
        self._name(action)

    def add_bottom(self, action: QAction) -> None:
        """An action below the gap, shown with its icon and words."""
        self.addAction(action)
        self._name(action)

    def _name(self, action: QAction) -> None:
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        words = action.text().replace("&", "")
        key = action.shortcut().toString()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(words)
        button.setToolTip(tip_words(f"{words} ({key})" if key else words))
