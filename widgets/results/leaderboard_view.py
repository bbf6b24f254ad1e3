"""The leaderboard: a table of runs, below it runs over time and what two of them differ in."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import Badge, ElidedLabel, EmptyState, SegmentedControl, text_button
from stepscope.widgets.common.fonts import BASE_PIXELS, derived
from stepscope.widgets.plot_library import plot_library
from stepscope.widgets.results.differences import NOTHING, DifferencesCard
from stepscope.widgets.results.leaderboard_table import LeaderboardTable
from stepscope.widgets.results.leaderboard_values import BoardContent, DifferenceDetails, RowKey, TimeLine
from stepscope.widgets.results.run_title import HEIGHT, view_switch

if TYPE_CHECKING:
    from stepscope.widgets.results.over_time import OverTimeCard
    from stepscope.widgets.results.run_bars_card import RunBarsCard

OVER_TIME, DIFFERS = "time", "differs"
TABLE, BARS = "table", "bars"
"""What the leaderboard is shown as."""
LATEX, MARKDOWN, CSV, COPY_LATEX, COPY_MARKDOWN = "latex", "markdown", "csv", "copy latex", "copy markdown"
EXPORTS = {
    LATEX: "&LaTeX Table…",
    MARKDOWN: "&Markdown…",
    CSV: "&CSV…",
    COPY_LATEX: "Copy as LaTeX",
    COPY_MARKDOWN: "Copy as Markdown",
}
BARS_PICTURE, BARS_CSV = "bars picture", "bars csv"
BARS_EXPORTS = {BARS_PICTURE: "&Picture of the Bars…", BARS_CSV: "&CSV of the Bars…"}
NARROW = 900
"""Below so many pixels of width, with text as it is at first, the two cards are tabs."""
LEAST_CARDS, USUAL_CARDS, LEAST_TABLE = 180, 250, 120
FRAME = 8
"""Pixels of the card around the table, above and below together."""


class LeaderboardView(QWidget):
    """`table` has the signals of its rows."""

    view_chosen = Signal(str)
    export_chosen = Signal(str)
    """a key of EXPORTS or, of the bars, of BARS_EXPORTS"""
    form_chosen = Signal(str)
    """TABLE or BARS"""
    differs_wanted = Signal()
    evaluate_requested = Signal()
    point_chosen = Signal(object)
    """the RowKey of a run over time"""
    compare_wanted = Signal(object)
    bars_made = Signal()
    """`bars` is there"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = TimeLine()
        self._over_time: OverTimeCard | None = None
        self._bars: RunBarsCard | None = None
        self._form = TABLE
        self._tabbed = False
        self.title, self._about = ElidedLabel("", "title"), ElidedLabel("", "dim")
        self._selected, self._badge = Badge(), Badge("", "warn")
        self.switch = view_switch()
        self.form = SegmentedControl([(TABLE, "Table"), (BARS, "Bars")], "What the runs are shown as")
        self.differs = text_button(" What differs", icon="compare", tip="What differs between two ticked runs (D)")
        self.export = text_button(" LaTeX, Markdown, CSV", icon="export", tip="Export what is seen (Ctrl+E)")
        self._buttons = {self.differs: self.differs.text(), self.export: self.export.text()}
        for button, words in self._buttons.items():
            button.setAccessibleName(words.strip())
        self.table = LeaderboardTable(self)
        self.differences = DifferencesCard()
        self._cards = QWidget(self)
        self._tabs = SegmentedControl([(OVER_TIME, "Over time"), (DIFFERS, "What differs")], "Card")
        self._alone = EmptyState("results", "One run", "Add a second run to compare.", [("run", "Evaluate")])
        self._time_room = QWidget(self._cards)
        self._lay_out()
        self._connect()
        plot_library().ready.connect(self._renew_soon)

    def set_title(self, title: str, about: str, selected: int, badge: str = "") -> None:
        """What is shown: the task, how many runs under how many rules, how many are ticked."""
        self.title.setText(title)
        self._about.setText(about)
        self._selected.set_words(f"{selected} ticked", "neutral")
        self._selected.setVisible(selected > 0)
        self._badge.set_words(badge, "warn")
        self._badge.setVisible(bool(badge))
        self._fit_title()

    def set_content(self, content: BoardContent, *, runs: int) -> None:
        """The table; `runs` over all groups: one alone has nothing to be compared with."""
        self.table.set_content(content)
        self._alone.setVisible(runs == 1)
        self._cards.setVisible(runs != 1)
        self._share_height()

    def set_line(self, line: TimeLine) -> None:
        self._line = line
        self._show_line()

    def set_differences(self, details: DifferenceDetails | None, hint: str = NOTHING) -> None:
        self.differences.set_details(details, hint)

    def show_form(self, form: str) -> None:
        """TABLE or BARS; tells nobody."""
        self._form = form
        self.form.set_value(form)
        self._show_form()

    def focus_page(self) -> None:
        """The keys go to the table, or to the bars."""
        bars = self._bars.plot if self._bars is not None and self.shows_bars else None
        (bars or self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def shows_bars(self) -> bool:
        return self._form == BARS

    @property
    def bars(self) -> RunBarsCard | None:
        """The card of bars, None until it is first wanted and its library is there."""
        return self._bars

    def set_chosen(self, key: RowKey | None) -> None:
        """Mark a run in the table and over time."""
        self.table.choose(key)
        if self._over_time is not None:
            self._over_time.set_chosen(key)

    def show_differences(self) -> None:
        """The card of differences comes to the front and gets the keyboard."""
        if self._tabbed:
            self._tabs.set_value(DIFFERS)
            self._arrange()
        self.differences.copy.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_export_menu(self) -> None:
        """Below its button."""
        self._popup(self.export_menu(), self.export.mapToGlobal(QPoint(0, self.export.height())))

    def export_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, words in (BARS_EXPORTS if self.shows_bars else EXPORTS).items():
            if kind == COPY_LATEX:
                menu.addSeparator()
            menu.addAction(words, partial(self.export_chosen.emit, kind))
        return menu

    @property
    def over_time(self) -> OverTimeCard | None:
        """The plot, None until there is first something for it."""
        return self._over_time

    # inside

    def _lay_out(self) -> None:
        bar = QWidget(self)
        bar.setProperty("bar", "titles")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(HEIGHT)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        parts: tuple[QWidget, ...] = (self.title, self._about, self._selected, self._badge)
        for part in parts:
            row.addWidget(part)
        row.addStretch(1)
        for part in (self.switch, self.form, self.differs, self.export):
            row.addWidget(part)
        frame = QFrame()
        frame.setProperty("card", True)
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.table)
        frame.setMinimumHeight(LEAST_TABLE)
        time = QVBoxLayout(self._time_room)
        time.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(self._cards)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._tabs, 0, Qt.AlignmentFlag.AlignLeft)
        self._beside = QHBoxLayout()
        self._beside.setSpacing(14)
        self._beside.addWidget(self._time_room, 4)
        self._beside.addWidget(self.differences, 3)
        column.addLayout(self._beside, 1)
        self._cards.setMinimumHeight(LEAST_CARDS)
        held = QWidget()
        both = QVBoxLayout(held)
        both.setContentsMargins(0, 6, 0, 0)
        both.addWidget(self._cards, 1)
        both.addWidget(self._alone, 1)
        self._alone.setVisible(False)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(frame)
        self._splitter.addWidget(held)
        self._body = QStackedWidget()
        self._body.addWidget(self._splitter)
        page = QVBoxLayout()
        page.setContentsMargins(14, 12, 14, 14)
        page.addWidget(self._body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(bar)
        whole.addLayout(page, 1)
        self._arrange()

    def _connect(self) -> None:
        self.switch.chosen.connect(self.view_chosen)
        self.differs.clicked.connect(self.differs_wanted)
        self.export.clicked.connect(self.open_export_menu)
        self.form.chosen.connect(self._choose_form)
        self._tabs.chosen.connect(lambda _which: self._arrange())
        self._alone.pressed.connect(lambda _which: self.evaluate_requested.emit())
        self.differences.compare_wanted.connect(self.compare_wanted)

    def _popup(self, menu: QMenu, place: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _renew_soon(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self._show_line)
            QTimer.singleShot(0, self, self._show_form)

    def _choose_form(self, form: str) -> None:
        self.show_form(form)
        self.form_chosen.emit(form)

    def _show_form(self) -> None:
        """The bars need the library of plots: until it is there the table stays."""
        if self._form == BARS and self._bars is None:
            if not plot_library().is_ready:
                plot_library().begin()
                return
            from stepscope.widgets.results.run_bars_card import RunBarsCard

            self._bars = RunBarsCard(self._body)
            self._body.addWidget(self._bars)
            self.bars_made.emit()
        shown = self._bars if self._form == BARS and self._bars is not None else self._splitter
        self._body.setCurrentWidget(shown)
        self.differs.setVisible(shown is self._splitter)
        words = " LaTeX, Markdown, CSV" if shown is self._splitter else " Picture, CSV"
        self._buttons[self.export] = words
        self.export.setAccessibleName(words.strip())
        self._fit_title()

    def _show_line(self) -> None:
        if not self._line.points:
            if self._over_time is not None:
                self._over_time.set_line(self._line)
            return
        if not plot_library().is_ready:
            plot_library().begin()
            return
        if self._over_time is None:
            from stepscope.widgets.results.over_time import OverTimeCard

            self._over_time = OverTimeCard(self._time_room)
            self._over_time.chosen.connect(self.point_chosen)
            layout = self._time_room.layout()
            assert layout is not None
            layout.addWidget(self._over_time)
        self._over_time.set_line(self._line)

    def _arrange(self) -> None:
        """The two cards side by side, or one at a time where there is little room."""
        scale = derived(self.font(), BASE_PIXELS).pixelSize() / BASE_PIXELS
        self._tabbed = self.width() < NARROW * scale
        self._tabs.setVisible(self._tabbed)
        which = self._tabs.value()
        self._time_room.setVisible(not self._tabbed or which == OVER_TIME)
        self.differences.setVisible(not self._tabbed or which == DIFFERS)

    def _fit_title(self) -> None:
        """Words on the buttons where they have room."""
        fixed = self.switch.sizeHint().width() + self.form.sizeHint().width() + 7 * 8 + 24
        needed = self.title.sizeHint().width() + self._about.sizeHint().width() + fixed
        alone = self.title.sizeHint().width() + fixed + 2 * self.export.minimumSizeHint().height()
        badges = sum(part.sizeHint().width() for part in (self._selected, self._badge) if not part.isHidden())
        self._about.setVisible(alone + badges + self._about.sizeHint().width() <= self.width())
        needed += sum(part.sizeHint().width() for part in (self._selected, self._badge) if not part.isHidden())
        words = sum(60 + button.fontMetrics().horizontalAdvance(text) for button, text in self._buttons.items())
        for button, text in self._buttons.items():
            button.setText(text if needed + words <= self.width() else "")

    def _share_height(self) -> None:
        """The table gets what its rows need, up to half of the height and more where the cards have enough."""
        height = self._splitter.height() - self._splitter.handleWidth()
        wanted = self.table.content_height() + FRAME
        cards = max(USUAL_CARDS, round(height * 0.36))
        table = max(LEAST_TABLE, min(wanted, max(height - cards, height // 2)))
        self._splitter.setSizes([table, max(height - table, 0)])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            QTimer.singleShot(0, self, self._share_height)  # the table measures its rows first

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._fit_title()
        QTimer.singleShot(0, self, self._share_height)
