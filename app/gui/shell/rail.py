"""The rail at the left edge: workspaces above, theme below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QToolBar, QToolButton, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.icons import icon

ICON_PIXELS, DOT = 20, 8


class RailDot(QWidget):
    """A dot at the upper right of a button's sign."""

    def __init__(self, button: QWidget) -> None:
        super().__init__(button)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedSize(DOT, DOT)
        button.installEventFilter(self)
        self._place(button)
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self._place(watched)
        return super().eventFilter(watched, event)

    def _place(self, button: QWidget) -> None:
        self.move((button.width() + ICON_PIXELS) // 2 - 1, DOT // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().accent))
        painter.drawEllipse(self.rect())
        painter.end()


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
        self._workspaces: dict[str, QAction] = {}
        self._spacer = QWidget()
        self._spacer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._spacer.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._spacer_action = self.addWidget(self._spacer)

    def add_workspace(self, name: str, action: QAction, icon_name: str) -> None:
        self._workspaces[name] = action
        action.setIcon(icon(icon_name))
        self.insertAction(self._spacer_action, action)
        self._name(action)

    def mark(self, workspace: str, marked: bool) -> None:
        """Put a dot beside a workspace's sign, where something ended that was not looked at yet, or take it away."""
        action = self._workspaces.get(workspace)
        if action is None:
            return
        button = self.widgetForAction(action)
        dot = button.findChild(RailDot)
        if marked and dot is None:
            RailDot(button)
        elif not marked and dot is not None:
            dot.setParent(None)
            dot.deleteLater()
        self._name(action, ", something new" if marked else "")

    def rename(self) -> None:
        """Tell the keys of now in the tips."""
        for action in self.actions():
            if isinstance(self.widgetForAction(action), QToolButton):
                self._name(action)

    def button_of(self, workspace: str) -> QWidget:
        """The button of a workspace."""
        return self.widgetForAction(self._workspaces[workspace])

    def add_bottom(self, action: QAction) -> None:
        """An action below the gap, shown with its icon and words."""
        self.addAction(action)
        self._name(action)

    def _name(self, action: QAction, more: str = "") -> None:
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        words = action.text().replace("&", "")
        key = action.shortcut().toString()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(words + more)
        button.setToolTip(tip_words(f"{words} ({key})" if key else words))
