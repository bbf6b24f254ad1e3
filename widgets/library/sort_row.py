"""The row above the list: its order and groups, and which run each row of cells is of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.area import fill_area
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import plain_label, straight
from stepscope.widgets.library.episode_list_rows import EpisodeGrouping
from stepscope.widgets.library.order import ListOrder, orders

MARGIN, ARROW = 6, 10
STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}


class SortRow(QWidget):
    """Order and groups of the list in one menu; the arrow keys step through the orders, R turns the one in force."""

    chosen = Signal(object)
    """a ListOrder"""
    grouping_chosen = Signal(object)
    """a Grouping"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order, self._grouping, self._runs = ListOrder(), EpisodeGrouping.NONE, tuple[int, ...]()
        self._button = _SortButton()
        self._button.stepped.connect(self._step)
        self._button.turned.connect(lambda: self._take(self._order.the_other_way()))
        self.menu = QMenu(self._button)
        self.menu.aboutToShow.connect(self._fill)
        self._button.setMenu(self.menu)
        self._legend = ElidedLabel("", "tiny")
        self._legend.setAlignment(Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 12, 1)
        row.addWidget(self._button)
        row.addWidget(self._legend, 1)
        self.set_order(self._order)

    def set_order(self, order: ListOrder) -> None:
        """Show the order in force; tells nobody."""
        self._order = order
        self._show_words()

    def set_grouping(self, grouping: EpisodeGrouping) -> None:
        """Show what the episodes are grouped by; tells nobody."""
        self._grouping = grouping
        self._show_words()

    def order(self) -> ListOrder:
        return self._order

    def set_runs(self, runs: Sequence[int], legend: str, why: str = "") -> None:
        """Set which runs are shown (0 is A), by which the list can be ordered, and how their cells stand; `why` is what
        can be done about it."""
        self._runs = tuple(runs)
        self._legend.setText(legend)
        self._legend.set_tip(why)

    def legend(self) -> str:
        """How the cells of the rows stand, in words."""
        return self._legend.text()

    def open_menu(self) -> None:
        """Show the orders and groups to choose from."""
        self.menu.popup(self._button.mapToGlobal(self._button.rect().bottomLeft()))

    def words(self) -> str:
        """What the button says."""
        return self._button.text()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A ground and a line below, as a table's head has them."""
        colours = theme.current()
        painter = QPainter(self)
        fill_area(painter, self.rect(), colours.inset)
        fill_area(painter, QRect(0, 0, self.width(), 1), colours.line)
        fill_area(painter, QRect(0, self.height() - 1, self.width(), 1), colours.line2)
        painter.end()

    def _show_words(self) -> None:
        grouped = "" if self._grouping is EpisodeGrouping.NONE else f"{self._grouping.words}, "
        words = self._order.words
        words = grouped + (words[:1].lower() + words[1:] if grouped else words)
        self._button.setText(plain_label(words))
        self._button.setAccessibleName(f"Order: {words}")
        self._button.updateGeometry()

    def _fill(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for order in orders(self._runs):
            same = (order.key, order.run) == (self._order.key, self._order.run)
            shown = self._order if same else order
            self._add(group, shown.words, same, lambda order=shown: self._take(order))
        self.menu.addSeparator()
        self.menu.addAction("Turn Round (R)").triggered.connect(lambda: self._take(self._order.the_other_way()))
        groups = self.menu.addMenu("Group")
        group = QActionGroup(groups)
        for grouping in EpisodeGrouping:
            chosen = grouping is self._grouping
            groups.addAction(self._action(group, grouping.words, chosen, lambda g=grouping: self._group(g)))

    def _add(self, group: QActionGroup, words: str, checked: bool, call: object) -> None:
        self.menu.addAction(self._action(group, words, checked, call))

    def _action(self, group: QActionGroup, words: str, checked: bool, call: object) -> QAction:
        action = QAction(plain_label(words), group)
        action.setCheckable(True)
        action.setChecked(checked)
        action.triggered.connect(lambda _checked=False: call())  # type: ignore[operator]
        return action

    def _take(self, order: ListOrder) -> None:
        if order != self._order:
            self.set_order(order)
            self.chosen.emit(order)

    def _group(self, grouping: EpisodeGrouping) -> None:
        if grouping is not self._grouping:
            self.set_grouping(grouping)
            self.grouping_chosen.emit(grouping)

    def _step(self, by: int) -> None:
        every = orders(self._runs)
        now = next((i for i, one in enumerate(every) if (one.key, one.run) == (self._order.key, self._order.run)), 0)
        self._take(every[(now + by) % len(every)])


class _SortButton(QToolButton):
    """Words and a small arrow right behind them."""

    stepped = Signal(int)
    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip("Order and groups of the list (Left and Right step through, R turns round)")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * MARGIN + ARROW + 4, max(24, metrics.height() + 6))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setFont(self._font())
        lit = colours.text if self.underMouse() and self.isEnabled() else colours.dim
        painter.setPen(QColor(lit))
        inside = self.rect().adjusted(MARGIN, 0, -MARGIN - ARROW - 4, 0)
        words = painter.fontMetrics().elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, inside.width() + 1)
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)
        left = inside.left() + painter.fontMetrics().horizontalAdvance(words) + 4
        icons.icon("chevron_down", lit).paint(painter, QRect(left, (self.height() - ARROW) // 2, ARROW, ARROW))
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Its own keys are not the window's while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _own(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_R:
            self.turned.emit()
        else:
            self.stepped.emit(STEPS[Qt.Key(event.key())])

    def _font(self) -> QFont:
        return derived(self.font(), 11)


def _own(event: QKeyEvent) -> bool:
    bare = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
    return bare and (event.key() in STEPS or event.key() == Qt.Key.Key_R)
