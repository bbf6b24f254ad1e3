"""The centre of the Web task workspace: title row, tool row, the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState
from stepscope.widgets.webtask.page_fields import PERSON, YOU, BlockedHost, PageFieldMark, Runner
from stepscope.widgets.webtask.page_view import PageView
from stepscope.widgets.webtask.side_values import none_words
from stepscope.widgets.webtask.title_row import PageTitleRow
from stepscope.widgets.webtask.tool_row import PageToolRow


class WebTaskCentre(QWidget):
    """`title`, `tools` and `view` are its parts, to be connected to directly; here they are kept in step with each
    other. `reload_wanted()`: of the lost page; `host_allowed(host, bool)`; `open_wanted()`, `sample_wanted()`,
    `other_wanted()`: what stands in the page's place offers a folder, the sample, other data that is open."""

    reload_wanted = Signal()
    host_allowed = Signal(str, bool)
    open_wanted = Signal()
    sample_wanted = Signal()
    other_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.tools, self._pages = PageTitleRow(self), PageToolRow(self), QStackedWidget(self)
        self.view = PageView(self._pages)
        open_folder, sample = ("open", "Open a folder"), ("sample", "Open sample web tasks")
        self.empty = EmptyState("app", "", buttons=(sample, open_folder))
        self.elsewhere = EmptyState("app", "", buttons=(("other", ""), open_folder))
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.elsewhere)
        self._pages.addWidget(self.view)
        self._answer_source = PERSON
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.tools)
        column.addWidget(self._pages, 1)
        self._none = self.empty
        self._connect()
        self.set_none("")
        self.set_task("")

    def _connect(self) -> None:
        offers = {"open": self.open_wanted, "sample": self.sample_wanted, "other": self.other_wanted}
        for none in (self.empty, self.elsewhere):
            none.pressed.connect(lambda button: offers[button].emit())
        self.view.reload_wanted.connect(self.reload_wanted)
        self.view.zoom_changed.connect(self.tools.set_zoom)
        self.view.inside_changed.connect(self._inside_changed)
        self.tools.layers_changed.connect(lambda fields, all_: self.view.set_layers(fields=fields, elements=all_))
        self.title.host_allowed.connect(self.host_allowed)

    def set_none(self, data: str, other: str = "") -> None:
        """What stands where there is no task: the data that has none, and open data that has some; "" for none."""
        self.empty.set_words(none_words(data))
        self.elsewhere.set_words(none_words(data), f"Open too: {other}." if other else "")
        self.elsewhere.set_button("other", f"Show {other}")
        empty, self._none = self.is_empty, self.elsewhere if other else self.empty
        if empty:
            self._pages.setCurrentWidget(self._none)

    def set_task(self, name: str, number: int = 0, total: int = 0) -> None:
        """The task's name and which of its pages is open, as people count; "": none is, the empty state."""
        self.title.setVisible(bool(name))
        self.tools.setVisible(bool(name))
        self.title.set_task(name, number, total)
        self._pages.setCurrentWidget(self.view if name else self._none)
        self.view.setAccessibleName(f"Page of {name}" if name else "Page")
        if not name:
            self.view.show_picture(None)
            self.view.set_marks(())
            self.set_lost("")
            self.set_busy("")

    @property
    def is_empty(self) -> bool:
        return self._pages.currentWidget() is not self.view

    def set_runners(self, runners: Sequence[Runner], current: str) -> None:
        """The runners to choose from, and the current one's key. Hands change only the person's own answers."""
        self._answer_source = next((one for one in runners if one.key == current), PERSON)
        self.title.set_runners(runners, current)
        self.tools.set_answer_source(self._answer_source)
        self.set_live(current == YOU)
        self.view.set_marks(self.view.marks, self._answer_source)

    def set_live(self, live: bool) -> None:
        self.view.set_live(live)
        self.tools.set_live(live)

    def set_marks(self, marks: Sequence[PageFieldMark]) -> None:
        """The fields of the page, in the order of the table."""
        self.view.set_marks(marks, self._answer_source)

    def set_actions(self, done: int, total: int) -> None:
        """Show how many of the actions are done on the page."""
        self.tools.set_actions(done, total)

    def set_busy(self, words: str, *, watched: bool = False) -> None:
        """Say what is waited for, such as "Opening page…"; "" when the page is there, which takes hands only then.
        `watched`: somebody is at work on the page, and it is seen how."""
        self.tools.set_busy(words)
        self.view.set_waiting(bool(words), watched=watched and bool(words))
        if words:
            self.set_lost("")

    def set_hosts(self, hosts: Sequence[BlockedHost]) -> None:
        """Show what pages asked of the network, a row for each host."""
        self.title.set_hosts(hosts)

    def set_lost(self, why: str) -> None:
        """The page is no more, why; "" it is there again."""
        self.view.show_lost(why)

    def _inside_changed(self, inside: bool) -> None:
        self.tools.set_note("Keys go to the page. Esc: they leave it." if inside else "")
