"""The centre of Judge: which pair it is, its trajectory, or the agreement of all who judge."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import ElidedLabel, EmptyState, KeyButton, SegmentedControl, icon_button
from stepscope.widgets.judge.agreement_page import AgreementPage
from stepscope.widgets.judge.trajectory import TrajectoryView

WIDE = 620


class JudgeCentre(QWidget):
    """`page_chosen` carries "trajectory" or "agreement"."""

    back_clicked = Signal()
    reject_clicked = Signal()
    page_chosen = Signal(str)
    evaluate_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = icon_button("chevron_left", "Previous pair", shortcut="Backspace")
        self._title, self._detail = ElidedLabel("", "title"), ElidedLabel("", "secondary")
        self.page = SegmentedControl(
            [("trajectory", "Trajectory"), ("agreement", "Agreement")], "Trajectory, or what judges say together"
        )
        self.reject = KeyButton("Reject as bad data", "X", "flag", ghost=True)
        row = QWidget(self)
        row.setProperty("bar", "title")
        row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self.back)
        line.addWidget(self._title)
        line.addWidget(self._detail, 1)
        line.addWidget(self.page)
        line.addWidget(self.reject)
        self.trajectory = TrajectoryView()
        self.agreement = AgreementPage()
        self._empty = EmptyState("judge", "", "", [("evaluate", "Evaluate")])
        self._nothing = EmptyState("judge", "Nothing to judge", "")
        self._stack = QStackedWidget()
        for page in (self.trajectory, self.agreement, self._empty, self._nothing):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self._stack, 1)
        self.back.clicked.connect(self.back_clicked)
        self.reject.clicked.connect(self.reject_clicked)
        self.page.chosen.connect(self.page_chosen)
        self._empty.pressed.connect(lambda _what: self.evaluate_wanted.emit())
        self.show_empty("Nothing to judge", "")

    def show_title(self, title: str, detail: str, *, can_reject: bool) -> None:
        self._title.setText(title)
        self._detail.setText(detail)
        self.reject.setVisible(can_reject)
        self.back.setEnabled(bool(title))

    def title(self) -> str:
        return self._title.text()

    def show_page(self, page: str) -> None:
        """ "trajectory" or "agreement"."""
        self.page.set_value(page)
        self.page.show()
        self._stack.setCurrentWidget(self.agreement if page == "agreement" else self.trajectory)
        self._take_lost_focus()

    def show_empty(self, title: str, detail: str, *, can_evaluate: bool = False) -> None:
        page = self._empty if can_evaluate else self._nothing
        page.set_words(title, detail)
        self.show_title("", "", can_reject=False)
        self.page.hide()
        self._stack.setCurrentWidget(page)
        self._take_lost_focus()

    def focus_screen(self) -> None:
        """Give the keys to what is shown: the screen, the tables, the button that helps, else the window."""
        page = self._stack.currentWidget()
        if page is self.trajectory:
            wants: QWidget = self.trajectory.picture
        elif page is self.agreement:
            wants = self.agreement
        else:
            wants = page.findChild(QPushButton) or self.window() if page is not None else self.window()
        wants.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_lost_focus(self) -> None:
        """What had the keys is hidden now, or nobody has them."""
        focus = self.window().focusWidget()
        if self.isVisible() and (focus is None or focus is self.window() or not focus.isVisible()):
            self.focus_screen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.reject.set_compact(self.width() < WIDE)
