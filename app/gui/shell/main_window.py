"""The window: it makes the views and lays them out in docks. What they do is the controllers' business."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QByteArray, QEvent, QPoint, QRect, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepscope.app.gui.shell.detached_docks import DetachedDocks
from stepscope.app.gui.shell.detached_pages import DetachedPages
from stepscope.app.gui.shell.dock_sizes import WideDockSizes
from stepscope.app.gui.shell.docks import Docks, side_of
from stepscope.app.gui.shell.focus_order import enter, following
from stepscope.app.gui.shell.layouts import (
    DOCKS,
    FORMS,
    GIVE_WAY,
    HEIGHTS,
    KEPT_AS,
    LATE_VIEWS,
    LATE_VIEWS_OF,
    LAYOUT_VERSION,
    LEFT,
    NARROW_DOCK_WIDTH,
    PAGES,
    RIGHT,
    VIEW_IN,
    WIDE,
    WIDTHS,
    WORKSPACES,
    empty_room,
)
from stepscope.app.gui.shell.menu_corner import MenuCorner
from stepscope.app.gui.shell.rail import Rail
from stepscope.app.gui.shell.status import StatusLine
from stepscope.core.lazy import lazy_module
from stepscope.widgets.common import MessageBar, TaskChip
from stepscope.widgets.hierarchy import UITreeView
from stepscope.widgets.inspector import StepInspector
from stepscope.widgets.library import EpisodesView
from stepscope.widgets.replay.centre import ReplayCentre
from stepscope.widgets.timeline import Timeline

if TYPE_CHECKING:
    from stepscope.widgets import compare as compare_views
    from stepscope.widgets import ordering as ordering_views
    from stepscope.widgets.ambiguous.centre import ReviewCentre
    from stepscope.widgets.ambiguous.step_side import ReviewedStep
    from stepscope.widgets.ambiguous.tasks_panel import AmbiguousTasksPanel
    from stepscope.widgets.compare import AlignedPanel, ComparePanel, CompareScreens, RulesPanel
    from stepscope.widgets.evaluate.form import EvaluateForm
    from stepscope.widgets.forms.evaluate_choices import EvaluateRequest
    from stepscope.widgets.judge.centre import JudgeCentre
    from stepscope.widgets.judge.judge_side import JudgeSide
    from stepscope.widgets.judge.pairs_panel import PairsPanel
    from stepscope.widgets.live.parts import LiveParts
    from stepscope.widgets.ordering import OrderPanel, ProceduresPanel, ThisProcedurePanel
    from stepscope.widgets.ordering.centre import OrderingCentre
    from stepscope.widgets.preferences import PreferencesView
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.runs_view import RunsView
    from stepscope.widgets.results.selection import SelectionPanel
    from stepscope.widgets.start import StartPage
    from stepscope.widgets.training import RecipeChoice, TrainPanel, TrainRequest
    from stepscope.widgets.webtask.parts import WebTaskParts
else:
    compare_views = lazy_module("stepscope.widgets.compare")
    ordering_views = lazy_module("stepscope.widgets.ordering")


View = TypeVar("View", bound=QWidget)

FIRST = "replay"
"""The workspace of which the window is made."""
SHOWN_AS = "layout shown first"
"""Under which setting the names of the docks are kept that were shown in it at last."""
DOCKS_AT_ONCE = 4
"""Docks made in a turn while the window rests: 2 ms each."""


class Room(QWidget):
    """The place of a view that is made when it is first seen."""

    def __init__(self, window: MainWindow, name: str) -> None:
        super().__init__()
        self._window, self._name = window, name
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)

    def showEvent(self, event: QShowEvent) -> None:
        getattr(self._window, self._name)
        super().showEvent(event)


class MainWindow(QMainWindow):
    """Signals what reaches the window as a whole, such as things dropped on it."""

    paths_dropped = Signal(list)
    workspace_changed = Signal(str)
    closing = Signal(QCloseEvent)
    """the window is to be closed; whoever does not want that ignores the event"""
    docks_changed = Signal()
    escaped = Signal()
    """Esc where there is nothing to leave any more"""

    def __init__(
        self,
        settings: QSettings,
        command_line: Callable[[EvaluateRequest], str],
        training_line: Callable[[TrainRequest, RecipeChoice | None], str],
    ) -> None:
        super().__init__()
        self.setWindowTitle("Stepscope")
        self.setMinimumSize(1024, 680)
        self.resize(1600, 1000)
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.GroupedDragging
        )
        self._settings = settings
        self.workspace = self.last_workspace = FIRST
        """what is in front, and what was last that is no page"""
        self._states: dict[str, QByteArray] = {}
        self._shown_first: list[str] = []
        self._making_room: list[QDockWidget] = []
        self._command_line, self._training_line = command_line, training_line
        self._views: dict[str, QWidget] = {}
        self._awaited: dict[str, list[Callable[[], object]]] = {}
        self._make_views()
        self.docks = Docks(self, WORKSPACES[self.workspace], self._content_of, self.docks_changed)
        self.detached = DetachedDocks(self)
        self.detached_pages = DetachedPages(self, self.stack)
        self._wide_sizes = WideDockSizes(self, self.docks, lambda: self.workspace, settings)
        self.docks.on_made = self._wide_sizes.follow
        self.rail = Rail(self)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.status = StatusLine(self)
        self.setStatusBar(self.status)
        self._lay_out()

    # Views -----------------------------------------------------------------------------------------------------------

    def _make_views(self) -> None:
        self.episodes = EpisodesView()
        self.replay = ReplayCentre()
        self.inspector = StepInspector()
        self.tree = UITreeView()
        self.tree_room = QStackedWidget()
        """The UI tree, or what a view of the selection shows in its place."""
        self.tree_room.addWidget(self.tree)
        self.timeline = Timeline()
        self.messages = MessageBar()
        self.task_chip = TaskChip()
        self.stack = QStackedWidget()
        self._rooms: dict[str, QWidget] = {
            name: Room(self, name) for name in LATE_VIEWS if name not in VIEW_IN.values()
        }
        self._live_room, self._webtask_room = empty_room(), empty_room()
        self._pages = (
            self.replay, self._rooms["results"], self._rooms["compare"], self._rooms["ordering"],
            self._rooms["judge"], self._live_room, self._webtask_room, self._rooms["ambiguous"],
            self._rooms["start"], self._rooms["preferences"],
        )  # as WORKSPACES  # fmt: skip
        for page in self._pages:
            self.stack.addWidget(page)
        self._show_page(0)
        centre = QWidget()
        centre.setObjectName("centre")
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.messages)
        column.addWidget(self.stack, 1)
        self.messages.float_over(centre)
        self.setCentralWidget(centre)

    def set_menu_corner(self, palette_key: str, open_palette: Callable[[], object]) -> None:
        """Put the running task and the palette's field at the right end of the menu row."""
        MenuCorner(self.menuBar(), self.task_chip, palette_key, open_palette, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wide_sizes.window_resized()
        if self.isVisible():
            self._limit_timeline()

    def _limit_timeline(self) -> None:
        """The picture has half of the window's height at the least, however many runs are shown."""
        beside = self.menuBar().height() + self.statusBar().height() + self.replay.bars_height()
        self.timeline.set_most_height(self.height() - beside - self.height() // 2)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._wide_sizes.text_changed()
            QTimer.singleShot(0, self, self._limit_timeline)

    # Docks -----------------------------------------------------------------------------------------------------------

    def _content_of(self, dock: str) -> QWidget:
        """What the dock of this name holds from its first moment."""
        views = {
            "episodes": self.episodes, "inspector": self.inspector, "tree": self.tree_room, "timeline": self.timeline
        }  # fmt: skip
        if dock in views:
            return views[dock]
        if dock not in VIEW_IN:
            return empty_room()
        room = self._rooms[VIEW_IN[dock]] = Room(self, VIEW_IN[dock])
        return room

    def make_docks_later(self) -> list[Callable[[], None]]:
        """What makes the docks that nobody asked for yet, a few at a time."""
        times = -(-(len(DOCKS) - len(self.docks)) // DOCKS_AT_ONCE)
        return [partial(self.docks.make, DOCKS_AT_ONCE)] * times

    # Views that are made when they are first wanted -------------------------------------------------------------------

    def _late(self, name: str, make: Callable[[QWidget], View]) -> View:
        """`make` gets the room as parent: a view that is put there when it is whole has all its parts styled anew."""
        found = self._views.get(name)
        if found is None:
            if name not in self._rooms:
                self.docks.make()
            found = self._views[name] = make(self._rooms[name])
            found.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            layout = self._rooms[name].layout()
            assert layout is not None
            layout.addWidget(found)
            for then in self._awaited.pop(name, ()):
                then()
        return cast("View", found)

    def when_made(self, name: str, then: Callable[[], object]) -> None:
        """Do this once the view of this name is made, or now where it is."""
        if name in self._views:
            then()
        else:
            self._awaited.setdefault(name, []).append(then)

    def is_made(self, name: str) -> bool:
        """Whether the view of this name has been wanted yet."""
        return name in self._views

    def _make_late_views(self, workspace: str) -> None:
        """A workspace is about to be entered: its docks are laid out with what is in them."""
        for name in LATE_VIEWS_OF.get(workspace, ()):
            getattr(self, name)

    @property
    def results(self) -> ResultsView:
        from stepscope.widgets.results.results_view import ResultsView

        return self._late("results", ResultsView)

    @property
    def selected(self) -> SelectionPanel:
        from stepscope.widgets.results.selection import SelectionPanel

        return self._late("selected", SelectionPanel)

    @property
    def runs(self) -> RunsView:
        from stepscope.widgets.results.runs_view import RunsView

        return self._late("runs", RunsView)

    @property
    def compare(self) -> CompareScreens:
        return self._late("compare", compare_views.CompareScreens)

    @property
    def compared(self) -> ComparePanel:
        return self._late("compared", compare_views.ComparePanel)

    @property
    def rules(self) -> RulesPanel:
        return self._late("rules", compare_views.RulesPanel)

    @property
    def aligned(self) -> AlignedPanel:
        return self._late("aligned", compare_views.AlignedPanel)

    @property
    def ordering(self) -> OrderingCentre:
        from stepscope.widgets.ordering.centre import OrderingCentre

        return self._late("ordering", OrderingCentre)

    @property
    def orders(self) -> OrderPanel:
        return self._late("orders", ordering_views.OrderPanel)

    @property
    def procedures(self) -> ProceduresPanel:
        return self._late("procedures", ordering_views.ProceduresPanel)

    @property
    def ordered(self) -> ThisProcedurePanel:
        return self._late("ordered", ordering_views.ThisProcedurePanel)

    @property
    def start(self) -> StartPage:
        from stepscope.widgets.start import StartPage

        return self._late("start", StartPage)

    @property
    def preferences(self) -> PreferencesView:
        from stepscope.widgets.preferences import PreferencesView

        return self._late("preferences", PreferencesView)

    @property
    def judge(self) -> JudgeCentre:
        from stepscope.widgets.judge.centre import JudgeCentre

        return self._late("judge", JudgeCentre)

    @property
    def pairs(self) -> PairsPanel:
        from stepscope.widgets.judge.pairs_panel import PairsPanel

        return self._late("pairs", PairsPanel)

    @property
    def judged(self) -> JudgeSide:
        from stepscope.widgets.judge.judge_side import JudgeSide

        return self._late("judged", JudgeSide)

    @property
    def ambiguous(self) -> ReviewCentre:
        from stepscope.widgets.ambiguous.centre import ReviewCentre

        return self._late("ambiguous", ReviewCentre)

    @property
    def ambiguous_list(self) -> AmbiguousTasksPanel:
        from stepscope.widgets.ambiguous.tasks_panel import AmbiguousTasksPanel

        return self._late("ambiguous_list", AmbiguousTasksPanel)

    @property
    def ambiguous_step(self) -> ReviewedStep:
        from stepscope.widgets.ambiguous.step_side import ReviewedStep

        return self._late("ambiguous_step", ReviewedStep)

    @property
    def evaluate(self) -> EvaluateForm:
        from stepscope.widgets.evaluate.form import EvaluateForm

        return self._late("evaluate", lambda room: EvaluateForm(self._command_line, parent=room))

    @property
    def training(self) -> TrainPanel:
        from stepscope.app.services.own_models import name_note
        from stepscope.widgets.training import TrainPanel

        return self._late("training", lambda room: TrainPanel(self._training_line, name_note, parent=room))

    @cached_property
    def live(self) -> LiveParts:
        """The views of the Live workspace, made when they are first asked for: few sessions need them."""
        from stepscope.widgets.live.parts import LiveParts

        return LiveParts(self._live_room, *(self.docks[name].widget() for name in WORKSPACES["live"]))

    @cached_property
    def webtask(self) -> WebTaskParts:
        """The views of the Web task workspace, made when they are first asked for."""
        from stepscope.widgets.webtask.parts import WebTaskParts

        return WebTaskParts(self._webtask_room, *(self.docks[name].widget() for name in WORKSPACES["webtask"]))

    def _lay_out(self) -> None:
        """The layout that the workspace has by itself."""
        for name, dock in self.docks.items():
            dock.setFloating(False)
            dock.setVisible(name in WORKSPACES[self.workspace])
            self.addDockWidget(side_of(name), dock)
        self.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        self.splitDockWidget(self.docks["inspector"], self.docks["tree"], Qt.Orientation.Vertical)
        self._show_only(WORKSPACES[self.workspace])
        self._size_docks()

    def _size_docks(self) -> None:
        """The sizes that the workspace has by itself; they hold once the window is shown."""
        wide = WIDTHS if self.width() >= WIDE else dict.fromkeys(WIDTHS, NARROW_DOCK_WIDTH)
        for sizes, way in ((wide, Qt.Orientation.Horizontal), (HEIGHTS, Qt.Orientation.Vertical)):
            shown = {name: size for name, size in sizes.items() if self.docks.is_shown(name)}
            self.resizeDocks([self.docks[name] for name in shown], list(shown.values()), way)

    def _show_only(self, names: tuple[str, ...]) -> None:
        for name, dock in self.docks.items():
            dock.setVisible(name in names)

    def show_dock(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

    def hide_dock(self, name: str) -> None:
        if self.docks.is_shown(name):
            self.docks[name].hide()

    def is_dock_hidden(self, name: str) -> bool:
        return not self.docks.is_shown(name)

    def show_evaluate(self) -> None:
        self._show_form("evaluate")

    def hide_evaluate(self) -> None:
        self._hide_form("evaluate")

    def show_training(self) -> None:
        self._show_form("training")

    def hide_training(self) -> None:
        self._hide_form("training")

    def _show_form(self, form: str) -> None:
        """The form takes the place of the other docks at the right until it is hidden, in a narrow window of the list
        of runs too."""
        getattr(self, form)  # made now, so that it has its size when it is placed
        for other in FORMS:
            if other != form:
                self._hide_form(other)
        if self.docks[form].isHidden():
            names = (*GIVE_WAY, *(("runs",) if self.width() < WIDE else ()))
            there = [dock for name, dock in self.docks.items() if name in names]
            self._making_room = [dock for dock in there if not dock.isHidden() and not dock.isFloating()]
            for dock in self._making_room:
                dock.hide()
        self.show_dock(form)
        QTimer.singleShot(0, self, self._size_docks)  # a dock takes a size once the layout has placed it

    def _hide_form(self, form: str) -> None:
        if self.is_dock_hidden(form):
            return
        self.docks[form].hide()
        for dock in self._making_room:
            dock.show()
        self._making_room = []
        self._size_docks()

    def _hide_forms(self) -> None:
        for form in FORMS:
            self._hide_form(form)

    def toggle_area(self, area: Qt.DockWidgetArea) -> None:
        """Hide all docks of one side, or show those of the workspace again."""
        there = [dock for dock in self.docks.values() if self.dockWidgetArea(dock) == area and not dock.isFloating()]
        if any(not dock.isHidden() for dock in there):
            for dock in there:
                dock.hide()
        else:
            for name in WORKSPACES[self.workspace]:
                if self.docks[name] in there:
                    self.docks[name].show()

    def area_shown(self, area: Qt.DockWidgetArea) -> bool:
        return any(not dock.isHidden() and self.dockWidgetArea(dock) == area for dock in self.docks.values())

    # Workspaces ------------------------------------------------------------------------------------------------------

    def set_workspace(self, name: str) -> None:
        """Switch the dock layout and the centre; the selection stays."""
        if name != self.workspace:
            self.docks.make()
            self._hide_forms()
            self._make_late_views(name)
            self._keep_state()
            self.workspace = name
            self.last_workspace = self.last_workspace if name in PAGES else name
            if name not in PAGES:  # a wide page would have the docks that come back squeezed
                self._show_page(list(WORKSPACES).index(name))
            if name in self._states:
                self.restoreState(self._states[name], LAYOUT_VERSION)
                self._wide_sizes.window_resized()
                self._wide_sizes.give_back()
            else:
                self._show_only(WORKSPACES[name])
                self._size_docks()
                QTimer.singleShot(0, self, self._size_docks)  # once more when the layout has placed them
        self._show_page(list(WORKSPACES).index(name))
        self.rail.mark(name, False)
        self.workspace_changed.emit(name)

    def _keep_state(self) -> None:
        self._states[self.workspace] = self.saveState(LAYOUT_VERSION)
        if self.workspace == FIRST:
            self._shown_first = [name for name in self.docks if self.docks.is_shown(name)]

    def leave_page(self) -> None:
        """Go back to where one was before a page; nothing changes in a workspace."""
        if self.workspace in PAGES:
            self.set_workspace(self.last_workspace)

    def toggle_page(self, name: str) -> None:
        """Bring a page to the front, or leave it."""
        if self.workspace == name:
            self.leave_page()
        else:
            self.set_workspace(name)

    def place_of(self, part: str) -> QRect | None:
        """Where a part of the window lies, in its own coordinates (logical pixels); None while it is not shown."""
        if part == "evaluate":
            return self._place_in_menu("Ev&aluate")
        if part == "compare":
            return self._place_on_window(self.rail.button_of(part))
        found = {
            "title": self.replay.title, "layers": self.replay.layers, "inspector": self.inspector,
            "timeline": self.timeline,
        }[part]  # fmt: skip
        return self._place_on_window(found)

    def _place_on_window(self, part: QWidget) -> QRect | None:
        return QRect(part.mapTo(self, QPoint()), part.size()) if part.isVisible() and self.isAncestorOf(part) else None

    def _place_in_menu(self, title: str) -> QRect | None:
        bar = self.menuBar()
        entry = next((action for action in bar.actions() if action.text() == title), None)
        return bar.actionGeometry(entry).translated(bar.mapTo(self, QPoint())) if entry is not None else None

    def mark_workspace(self, name: str) -> None:
        """Put a dot on a workspace in the rail until it is entered: something there is new."""
        self.rail.mark(name, name != self.workspace)

    def _show_page(self, index: int) -> None:
        """Bring a centre to the front; only the one in front decides how narrow the window may be."""
        for place in range(self.stack.count()):
            policy = QSizePolicy.Policy.Preferred if place == index else QSizePolicy.Policy.Ignored
            self._pages[place].setSizePolicy(policy, policy)
        self.stack.setCurrentIndex(index)

    def reset_layout(self) -> None:
        """All workspaces are as they are at first."""
        self.docks.make()
        self.detached_pages.put_all_back()
        self._states.clear()
        self._wide_sizes.forget()
        self._lay_out()

    def save_layout(self) -> None:
        """Keep the docks of the workspace in front as they are now, to come back to."""
        self.docks.make()
        self._hide_forms()
        self._settings.setValue(f"saved layout/{self.workspace}", self.saveState(LAYOUT_VERSION))

    def restore_layout(self) -> bool:
        """Lay the workspace in front out as it was saved; False where it never was."""
        self.docks.make()
        state = self._settings.value(f"saved layout/{self.workspace}")
        return isinstance(state, QByteArray) and self.restoreState(state, LAYOUT_VERSION)

    def save_geometry(self) -> None:
        """Keep window size and dock layouts for the next start."""
        self.docks.make()
        self._hide_forms()  # a form is filled when it is opened, not when a layout comes back
        self._keep_state()
        self._settings.setValue(SHOWN_AS, self._shown_first)
        self._settings.setValue("geometry", self.saveGeometry())
        self._wide_sizes.save()
        for name, state in self._states.items():
            self._settings.setValue(f"layout/{KEPT_AS.get(name, name)}", state)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._limit_timeline)
        if not self._states:
            self._size_docks()

    def restore_geometry(self) -> None:
        self._wide_sizes.restore_squeezed()
        geometry = self._settings.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        for name in WORKSPACES:
            state = self._settings.value(f"layout/{KEPT_AS.get(name, name)}")
            if isinstance(state, QByteArray):
                self._states[name] = state
        if self.workspace in self._states:
            shown = self._settings.value(SHOWN_AS)
            if not isinstance(shown, list) or any(name not in self.docks for name in shown):
                self.docks.make()
            self.restoreState(self._states[self.workspace], LAYOUT_VERSION)

    def createPopupMenu(self) -> QMenu | None:
        """The list of all docks, at the window's edges."""
        self.docks.make()
        menu = super().createPopupMenu()
        if menu is not None:  # once Qt has shown what was chosen
            menu.triggered.connect(lambda action: QTimer.singleShot(0, self, partial(self._bring_to_front, action)))
        return menu

    def _bring_to_front(self, action: QAction) -> None:
        """A dock that is shown by the list is seen: it may lie behind another, and Qt leaves one outside of the window
        that was put away among others which are hidden."""
        for dock in self.docks.values():
            if dock.toggleViewAction() is action and not dock.isHidden():
                dock.raise_()
                if not (dock.isFloating() or self.rect().intersects(dock.geometry())):
                    self.addDockWidget(self.dockWidgetArea(dock), dock)

    # Events ----------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.paths_dropped.emit(paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc that nobody else wants leads back to the screen, and from a page to where one was."""
        if event.key() == Qt.Key.Key_Escape and self.workspace in PAGES:
            self.leave_page()
        elif event.key() == Qt.Key.Key_Escape and self.stack.currentWidget() is self.replay:
            if self.replay.view.hasFocus():
                self.escaped.emit()
            self.replay.view.setFocus()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Tab goes through the window as one reads it, not in the order in which its parts were made. Where a part was
        hidden with the keyboard in it, the view in front gets it, not what would be next."""
        here, view = self.focusWidget(), self.stack.currentWidget()
        was_hidden = here is not None and not here.isVisible()
        if was_hidden and view is not None and enter(view, Qt.FocusReason.OtherFocusReason):
            return True
        there = following(self, here, 1 if forwards else -1)
        if there is None:
            return False
        there.setFocus(Qt.FocusReason.TabFocusReason if forwards else Qt.FocusReason.BacktabFocusReason)
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closing.emit(event)
        if event.isAccepted():
            self.detached_pages.put_all_back()
