"""The centre of Review: which task it is, the task, how far people agree, or the statistics of all tasks."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.ambiguous.figures_page import ReviewFiguresPage
from stepscope.widgets.ambiguous.task_page import ReviewPage
from stepscope.widgets.common import ElidedLabel, EmptyState, SegmentedControl, icon_button, text_button

WIDE = 640
PAGES = (("task", "Task"), ("agreement", "Agreement"), ("statistics", "Statistics"))


class ReviewCentre(QWidget):
    """`page_chosen` carries task, agreement or statistics."""

    back_clicked = Signal()
    page_chosen = Signal(str)
    make_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = icon_button("chevron_left", "Previous task", shortcut="K")
        self._title, self._detail = ElidedLabel("", "title"), ElidedLabel("", "secondary")
        self.page = SegmentedControl(list(PAGES), "The task, agreement of people, or statistics")
        self.export = text_button(" Export", icon="export")
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
        line.addWidget(self.export)
        self.task = ReviewPage()
        self.agreement = ReviewFiguresPage("Agreement")
        self.statistics = ReviewFiguresPage("Statistics", saves=True)
        self._none = EmptyState("ask", "", "", [("make", "Make Ambiguous Tasks…")])
        self._nothing = EmptyState("ask", "Nothing to review", "")
        self._stack = QStackedWidget()
        for page in (self.task, self.agreement, self.statistics, self._none, self._nothing):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(self._stack, 1)
        self.back.clicked.connect(self.back_clicked)
        self.export.clicked.connect(self.export_wanted)
        self.page.chosen.connect(self.page_chosen)
        self._none.pressed.connect(lambda _what: self.make_wanted.emit())
        self.show_empty("Nothing to review", "")

    def show_title(self, title: str, detail: str) -> None:
        self._title.setText(title)
        self._detail.setText(detail)
        self.back.setEnabled(bool(title))

    def title(self) -> str:
        return self._title.text()

    def show_page(self, page: str) -> None:
        """One of PAGES."""
        self.page.set_value(page)
        self.page.show()
        self.export.show()
        shown = {"agreement": self.agreement, "statistics": self.statistics}.get(page, self.task)
        self._stack.setCurrentWidget(shown)
        self._take_lost_focus()

    def show_empty(self, title: str, detail: str, *, can_make: bool = False) -> None:
        page = self._none if can_make else self._nothing
        page.set_words(title, detail)
        self.show_title("", "")
        self.page.hide()
        self.export.hide()
        self._stack.setCurrentWidget(page)
        self._take_lost_focus()

    def empty_words(self) -> str:
        """What stands where there is nothing to review, "" where there is something."""
        page = self._stack.currentWidget()
        return page.words() if isinstance(page, EmptyState) else ""

    def focus_task(self) -> None:
        """Give the keys to what is shown: the task, the tables, the button that helps, else the window."""
        page = self._stack.currentWidget()
        if isinstance(page, EmptyState):
            wants: QWidget = page.findChild(QPushButton) or self.window()
        else:
            wants = page or self.window()
        wants.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_lost_focus(self) -> None:
        """What had the keys is hidden now, or nobody has them."""
        focus = self.window().focusWidget()
        if self.isVisible() and (focus is None or focus is self.window() or not focus.isVisible()):
            self.focus_task()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.export.setText(" Export" if self.width() >= WIDE else "")
