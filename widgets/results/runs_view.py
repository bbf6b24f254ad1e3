"""The list of runs: which are shown as A, B, …, and the progress of those at work."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.domain.run import RunState
from stepscope.core.progress import WorkerPace
from stepscope.widgets import format as formats
from stepscope.widgets import icons
from stepscope.widgets.common import (
    ElidedLabel,
    EmptyState,
    PanelHeader,
    RunNameLabel,
    SearchField,
    icon_button,
    text_button,
)
from stepscope.widgets.common.buttons import name_button
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.row_table import keep_space
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.format import count
from stepscope.widgets.results.result_rows import RunListRow
from stepscope.widgets.results.runs_delegate import RunsDelegate, box_place
from stepscope.widgets.results.runs_item_model import HeadingRole, RunRole, RunsItemModel

_RATES_SHOWN = 3


class RunProgress(QFrame):
    """One card per run at work; the signals carry the run's id."""

    pause_requested = Signal(str)
    resume_requested = Signal(str)
    cancel_requested = Signal(str)

    def __init__(self, run: RunListRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._run, self._paused = run, False
        self._name = RunNameLabel()
        self.pause = icon_button("pause", "Pause")
        self.cancel = icon_button("cancel", "Cancel: ends after the current item, keeps results", shortcut="Ctrl+.")
        self._bar = ThinBar()
        self._counts, self._left = ElidedLabel("", "tiny"), ElidedLabel("", "tiny")
        self._workers, self._metric = ElidedLabel("", "tiny"), ElidedLabel("", "tiny")
        self._written = ElidedLabel("", "tiny", side=Qt.TextElideMode.ElideLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 8)
        column.setSpacing(4)
        for parts in ((self._name, self.pause, self.cancel), (self._bar,), (self._counts, self._left)):
            row = QHBoxLayout()
            row.setSpacing(2)
            for place, part in enumerate(parts):
                row.addWidget(part, 1 if place == 0 else 0)
            column.addLayout(row)
        column.addWidget(self._workers)
        column.addWidget(self._metric)
        column.addWidget(self._written)
        self.pause.clicked.connect(self._pause_or_resume)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(self._run.id))
        self.set_run(run)

    def set_run(self, run: RunListRow) -> None:
        """Newer numbers of the same run."""
        self._run = run
        paused = run.state is RunState.PAUSED
        self._name.setText(run.name)
        self._bar.set_progress(run.done, run.total, "stopped" if paused else "")
        done = (
            formats.count(run.done) if run.total is None else f"{formats.count(run.done)} of {formats.count(run.total)}"
        )
        self._counts.setText(run.phase or " · ".join(filter(None, (done, formats.rate(run.rate)))))
        self._workers.setText(workers_words(run.workers))
        self._workers.set_tip("\n".join(map(pace_words, run.workers)))
        self._workers.setVisible(bool(run.workers))
        waiting = {RunState.PAUSED: "paused", RunState.QUEUED: "waiting"}.get(run.state, "")
        self._left.setText("" if run.phase and not paused else waiting or formats.time_left(run.seconds_left))
        self._metric.setText(run.metric)
        self._metric.setVisible(bool(run.metric))
        self.set_words(run.writing)
        if paused is not self._paused:
            self._paused = paused
            self.pause.setIcon(icons.icon("play" if paused else "pause"))
            name_button(self.pause, "Resume" if paused else "Pause")
        self._bar.setAccessibleName(f"{run.name}: {self._counts.text()}, {self._left.text()}")

    def set_words(self, words: str) -> None:
        """The end of the answer that is being written; "" for none."""
        self._written.setText(words)
        self._written.setVisible(bool(words))

    def writing(self) -> str:
        """What is shown of the answer that is being written."""
        return self._written.cut(self._written.width()) if self._written.isVisibleTo(self) else ""

    def words(self) -> str:
        return f"{self._counts.text()} {self._left.text()}".strip()

    def _pause_or_resume(self) -> None:
        signal = self.resume_requested if self._run.state is RunState.PAUSED else self.pause_requested
        signal.emit(self._run.id)


def workers_words(workers: Sequence[WorkerPace]) -> str:
    """How many workers there are and how quick the first ones are, and how many were lost; "" for none."""
    if not workers:
        return ""
    alive = [pace for pace in workers if not pace.lost]
    lost = len(workers) - len(alive)
    rates = " + ".join(filter(None, (formats.rate(pace.rate) for pace in alive[:_RATES_SHOWN])))
    more = " + …" if len(alive) > _RATES_SHOWN else ""
    parts = formats.counted(len(alive), "worker"), f"{lost} lost" if lost else "", f"{rates}{more}"
    return " · ".join(filter(None, parts))


def pace_words(pace: WorkerPace) -> str:
    """What a worker has done, in a line."""
    words = " · ".join(filter(None, (formats.counted(pace.items, "item"), formats.rate(pace.rate))))
    return f"{pace.name}: {words}{', lost' if pace.lost else ''}"


class RunList(QListView):
    """Click on the box or Space toggles the letter; click or Enter on a heading opens and closes it."""

    box_pressed = Signal(QModelIndex)
    heading_pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Runs")
        self.setItemDelegate(RunsDelegate(self))
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow row has more lines; Qt lays a list out anew for another height only."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._act(index, event.position().toPoint()):
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Space and index.data(RunRole) is not None:
            self.box_pressed.emit(index)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Space) and index.data(HeadingRole) is not None:
            self.heading_pressed.emit(index.data(HeadingRole)[0])
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Space is the list's own, whatever it does elsewhere."""
        return keep_space(event) or super().event(event)

    def _act(self, index: QModelIndex, place: QPoint) -> bool:
        heading = index.data(HeadingRole) if index.isValid() else None
        if heading is not None:
            self.heading_pressed.emit(heading[0])
            return True
        if index.isValid() and box_place(self.visualRect(index)).contains(place):
            self.box_pressed.emit(index)
            return True
        return False


class RunsView(QWidget):
    """All signals carry the run's id."""

    run_chosen = Signal(str)
    run_toggled = Signal(str)
    """Assign a letter to the run, or take it away."""
    pause_requested = Signal(str)
    resume_requested = Signal(str)
    cancel_requested = Signal(str)
    delete_requested = Signal(str)
    export_requested = Signal(str)
    evaluate_requested = Signal()
    renamed = Signal(str, str)
    """id, and the name that was typed"""
    pin_toggled = Signal(str)
    archive_toggled = Signal(str)
    doubt_requested = Signal(str)
    """whether its places are misread is to be shown"""
    about_requested = Signal(str)
    """its tags and what is said of it are to be written"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(240)
        self._chosen = ""
        self._silent = False
        self._cards: dict[str, RunProgress] = {}
        self._model = RunsItemModel(self)
        self._header = PanelHeader("Runs", self._new_button())
        self.filter = SearchField("Filter runs")
        self.list = RunList()
        self.list.setModel(self._model)
        self._empty = EmptyState("results", "No runs yet", "Evaluate a model or predictions.", [("run", "Evaluate")])
        self._stack = QStackedWidget()
        self._pages = QStackedWidget(self)
        self._listing = QWidget(self._pages)
        self._working = QVBoxLayout()
        self._doubtful: list[str] = []
        self.doubts = text_button("", icon="axes")
        self.doubts.setProperty("ghost", True)
        self._lay_out()
        self._connect()
        self.set_runs(())

    def set_runs(self, runs: Sequence[RunListRow]) -> None:
        """All runs, newest numbers; selection and scroll stay."""
        self._silent = True
        self._model.set_runs([run for run in runs if not run.at_work])
        self._show_working([run for run in runs if run.at_work])
        self._header.set_detail(count(len(runs)) if runs else "")
        self._show_doubts([run for run in runs if run.doubt and not run.archived])
        self._stack.setCurrentWidget(self.list if runs else self._empty)
        self._select()
        self._silent = False

    def _show_doubts(self, runs: Sequence[RunListRow]) -> None:
        """At the foot: how many runs may be misread; pressed, each is shown in turn."""
        self._doubtful = [run.id for run in runs]
        self.doubts.setVisible(bool(runs))
        self.doubts.setText(f"{formats.counted(len(runs), 'run')} may be misread")
        self.doubts.setToolTip(tip_words("\n".join(f"{run.name} {run.doubt}" for run in runs)))

    def _next_doubt(self) -> None:
        place = self._doubtful.index(self._chosen) + 1 if self._chosen in self._doubtful else 0
        self.doubt_requested.emit(self._doubtful[place % len(self._doubtful)])

    def choose(self, run_id: str) -> None:
        """Make a run current; tells nobody."""
        self._chosen = run_id
        self._silent = True
        self._select()
        self._silent = False

    def begin_rename(self) -> None:
        """Open the current run's name for typing."""
        index = self._model.index_of(self._chosen)
        if index.isValid():
            self.list.scrollTo(index)
            self.list.edit(index)

    def show_panel(self, panel: QWidget | None) -> None:
        """Show a panel in the place of the list; None shows the list again. What is at work stays in view."""
        if panel is not None and self._pages.indexOf(panel) < 0:
            self._pages.addWidget(panel)
        self._pages.setCurrentWidget(panel or self._listing)

    @property
    def pages(self) -> QWidget:
        """The parent of panels."""
        return self._pages

    def progress_of(self, run_id: str) -> RunProgress | None:
        return self._cards.get(run_id)

    @property
    def model(self) -> RunsItemModel:
        return self._model

    def _new_button(self) -> QWidget:
        button = icon_button("plus", "Evaluate", shortcut="Ctrl+R")
        button.clicked.connect(self.evaluate_requested)
        return button

    def _lay_out(self) -> None:
        bar = QVBoxLayout()
        bar.setContentsMargins(12, 8, 12, 8)
        bar.addWidget(self.filter)
        self._working.setContentsMargins(12, 4, 12, 8)
        self._working.setSpacing(6)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        listing = QVBoxLayout(self._listing)
        listing.setContentsMargins(0, 0, 0, 0)
        listing.setSpacing(0)
        listing.addWidget(self._header)
        listing.addLayout(bar)
        listing.addWidget(self._stack, 1)
        listing.addWidget(self.doubts)
        self._pages.addWidget(self._listing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        column.addLayout(self._working)

    def _connect(self) -> None:
        self.doubts.clicked.connect(self._next_doubt)
        self.filter.settled.connect(self._model.set_filter)
        self.filter.left_downwards.connect(lambda: self.list.setFocus(Qt.FocusReason.OtherFocusReason))
        self.list.box_pressed.connect(lambda index: self.run_toggled.emit(index.data(RunRole).id))
        self.list.heading_pressed.connect(self._model.toggle_group)
        self.list.selectionModel().selectionChanged.connect(self._selection_came)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self._model.modelReset.connect(self._select)
        self._model.renamed.connect(self.renamed)
        self._empty.pressed.connect(lambda _which: self.evaluate_requested.emit())

    def _selection_came(self) -> None:
        for index in self.list.selectionModel().selectedIndexes():
            run = index.data(RunRole)
            if run is not None and not self._silent and run.id != self._chosen:
                self._chosen = run.id
                self.run_chosen.emit(run.id)

    def _select(self) -> None:
        index = self._model.index_of(self._chosen)
        if index.isValid():
            self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show_working(self, runs: Sequence[RunListRow]) -> None:
        for gone in set(self._cards) - {run.id for run in runs}:
            card = self._cards.pop(gone)
            card.hide()
            card.deleteLater()
        for run in runs:
            if run.id in self._cards:
                self._cards[run.id].set_run(run)
                continue
            card = self._cards[run.id] = RunProgress(run)
            card.pause_requested.connect(self.pause_requested)
            card.resume_requested.connect(self.resume_requested)
            card.cancel_requested.connect(self.cancel_requested)
            self._working.addWidget(card)

    def _open_menu(self, place: QPoint) -> None:
        run = self.list.indexAt(place).data(RunRole)
        if run is not None:
            menu = self.menu_for(run)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(place))

    def menu_for(self, run: RunListRow) -> QMenu:
        """The context menu of a run."""
        menu = QMenu(self)
        words = "Show as next letter" if run.letter is None else "Take the letter away"
        menu.addAction(words, lambda: self.run_toggled.emit(run.id))
        resume = menu.addAction("Resume", lambda: self.resume_requested.emit(run.id))
        resume.setEnabled(run.state.resumable)
        menu.addSeparator()
        menu.addAction("Rename\tF2", self.begin_rename)
        menu.addAction("Tags and Remark…", lambda: self.about_requested.emit(run.id))
        menu.addAction("Unpin" if run.pinned else "Pin", lambda: self.pin_toggled.emit(run.id))
        words = "Take out of the Archive" if run.archived else "Archive"
        menu.addAction(words, lambda: self.archive_toggled.emit(run.id))
        menu.addSeparator()
        menu.addAction("Export…", lambda: self.export_requested.emit(run.id))
        menu.addSeparator()
        menu.addAction("Delete…", lambda: self.delete_requested.emit(run.id))
        return menu
