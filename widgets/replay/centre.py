"""The centre of the replay workspace: title row, layer chips, screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.domain.episode import Episode, FeasibilityLabel
from stepscope.widgets.common import Badge, ElidedLabel, SegmentedControl
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.icons import icon
from stepscope.widgets.screen import LayerBar, ScreenView

NUMBER_WIDTH = 48
SWITCH_FITS = 560
"""Pixels of width from which on the badge stands beside the switch of the views, at the usual text size."""
ENDS_FIT = 520
"""The same for the views side by side, and for what stands at the end of the title row."""


SCREEN = "screen"
"""The name of the view that is there from the start."""


class ReplayCentre(QWidget):
    """`step_typed` gives the index (from 0) of the step that a person asked for by number, `view_changed` the name of
    the view of the selection that is shown now."""

    step_typed = Signal(int)
    back_clicked = Signal()
    view_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._is_open = self._is_labelled = False
        self._made: dict[str, QWidget] = {}
        self._makers: dict[str, Callable[[QWidget], QWidget]] = {}
        self._switch: SegmentedControl | None = None
        self._compact = QComboBox(self)
        self._compact.hide()
        self._ends: list[QWidget] = []
        """what stands at the right end of the title row, and gives way to the goal"""
        self.view = ScreenView()
        self.layers = LayerBar()
        self.layers.setProperty("bar", "tools")
        self.layers.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.title = self._make_title_row()
        column.addWidget(self.title)
        screen = QWidget(self)
        inside = QVBoxLayout(screen)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.layers)
        inside.addWidget(self.view, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(screen)
        self._made[SCREEN] = screen
        column.addWidget(self._stack, 1)
        self.show_episode(None, "")

    def _make_title_row(self) -> QWidget:
        row = QWidget()
        row.setProperty("bar", "title")
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 0, 12, 0)
        line.setSpacing(8)
        self._back = QToolButton()
        self._back.setIcon(icon("chevron_left"))
        self._back.setAccessibleName("Back")
        self._back.setToolTip("Back (Alt+Left)")
        self._back.clicked.connect(self.back_clicked)
        self._goal = ElidedLabel()
        self._goal.setProperty("role", "title")
        self._badge = Badge()
        self._origin = ElidedLabel("", "secondary")
        self._word, self._total = QLabel("Step"), QLabel()
        self._number = QLineEdit()
        self._number.setAccessibleName("Step number")
        self._number.setValidator(QIntValidator(1, 1_000_000, self))
        self._number.returnPressed.connect(self._go)
        line.addWidget(self._back)
        line.addWidget(self._goal, 1)
        line.addWidget(self._badge)
        line.addWidget(self._origin)
        line.addSpacing(16)
        for widget in (self._word, self._number, self._total):
            line.addWidget(widget)
        line.addSpacing(8)
        self._title_line = line
        return row

    def bars_height(self) -> int:
        """Pixels that the rows above the picture take, once it is shown."""
        return self.view.mapTo(self, QPoint()).y()

    # Views of the selection ------------------------------------------------------------------------------------------

    def add_view(self, name: str, icon: str, make: Callable[[QWidget], QWidget]) -> None:
        """Offer another view of the same selection beside the screen; `make` makes it, in the room that it is given,
        when it is first shown."""
        self._makers[name] = make
        if self._switch is not None:
            self._title_line.removeWidget(self._switch)
            self._switch.deleteLater()
            self._compact.deleteLater()
        choices = [(one, one.capitalize()) for one in (SCREEN, *self._makers)]
        self._switch = SegmentedControl(choices, "View of the episode", self)
        self._switch.set_value(self.shown_view)
        self._switch.chosen.connect(self.show_view)
        self._switch.setMinimumWidth(self._switch.sizeHint().width())
        self._compact = self._make_compact(choices)
        for switch in (self._switch, self._compact):
            self._title_line.insertWidget(self._title_line.indexOf(self._origin), switch)
        self._show_origin()

    def _make_compact(self, choices: Sequence[tuple[str, str]]) -> QComboBox:
        """The same choice where there is little room."""
        box = QComboBox(self)
        box.setAccessibleName("View of the episode")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(6)
        for name, words in choices:
            box.addItem(words, name)
        box.setCurrentIndex(box.findData(self.shown_view))
        box.activated.connect(lambda place: self.show_view(box.itemData(place)))
        return box

    @property
    def views(self) -> tuple[str, ...]:
        """The names of all views of the selection."""
        return SCREEN, *self._makers

    @property
    def shown_view(self) -> str:
        """The name of the view that is shown."""
        return next(name for name, made in self._made.items() if made is self._stack.currentWidget())

    def show_view(self, name: str) -> None:
        """Show this view of the selection, and give it the keyboard."""
        if name not in self._made:
            self._made[name] = made = self._makers[name](self._stack)
            self._stack.addWidget(made)
        before = self.shown_view
        self._stack.setCurrentWidget(self._made[name])
        if self._switch is not None:
            self._switch.set_value(name)
            self._compact.setCurrentIndex(self._compact.findData(name))
        if name != before:
            self.view_changed.emit(name)
        (self.view if name == SCREEN else self._made[name]).setFocus()

    def add_to_title(self, widget: QWidget) -> None:
        """Put something at the right end of the title row."""
        self._title_line.addWidget(widget)
        self._ends.append(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The goal has the room; where it comes from is said where both fit."""
        super().resizeEvent(event)
        self._show_origin()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show_origin()

    def _show_origin(self) -> None:
        scale = pixel_size(self.font()) / BASE_PIXELS
        self._number.setFixedWidth(round(NUMBER_WIDTH * scale))
        narrow = self._switch is not None and self.width() < SWITCH_FITS * scale
        self._word.setVisible(self._is_open and not narrow)
        self._badge.setVisible(self._is_labelled and not narrow)
        tight = self._switch is not None and self.width() < ENDS_FIT * scale
        for end in self._ends:
            end.setVisible(not tight)
        if self._switch is not None:
            self._switch.setMinimumWidth(self._switch.sizeHint().width())
            self._switch.setVisible(not tight)
            self._compact.setVisible(tight)
        self._origin.setVisible(self._is_open and self._title_width() <= self.width())

    def _title_width(self) -> int:
        """What the title row would take with the whole goal and where the episode comes from."""
        line = self._title_line
        items = (line.itemAt(place) for place in range(line.count()))
        shown = [one for one in items if one is not None and ((part := one.widget()) is None or not part.isHidden())]
        widths = [one.sizeHint().width() + line.spacing() for one in shown if one.widget() is not self._origin]
        margins = line.contentsMargins()
        return sum(widths) + self._origin.sizeHint().width() + margins.left() + margins.right()

    def show_episode(self, episode: Episode | None, source_title: str) -> None:
        """The title row for an episode; None empties it."""
        self._is_open = episode is not None
        self._is_labelled = episode is not None and episode.feasibility.label is not None
        for widget in (self._number, self._total):
            widget.setVisible(self._is_open)
        if episode is None:
            self._goal.setText("No episode is open")
            self._show_origin()
            return
        self._goal.setText(episode.goal or episode.id)
        self._origin.setText(f"{source_title} · episode {_short(episode.id)}")
        self._origin.setToolTip(tip_words(episode.id))
        label = episode.feasibility.label
        if label is not None:
            infeasible = label is FeasibilityLabel.INFEASIBLE
            reason = episode.feasibility.reason
            self._badge.set_words(f"{label}: {reason}" if reason else str(label), "warn" if infeasible else "hit")
        self._total.setText(f"of {len(episode.steps)}")
        self._show_origin()

    def show_step(self, index: int) -> None:
        self._number.setText(str(index + 1))

    def ask_for_number(self) -> None:
        """Put the cursor into the step number."""
        self._number.setFocus()
        self._number.selectAll()

    def set_back_enabled(self, enabled: bool) -> None:
        self._back.setEnabled(enabled)

    def _go(self) -> None:
        if self._number.hasAcceptableInput():
            self.step_typed.emit(int(self._number.text()) - 1)
        self.view.setFocus()


def _short(identity: str) -> str:
    return identity if len(identity) <= 24 else f"{identity[:10]}…{identity[-10:]}"
