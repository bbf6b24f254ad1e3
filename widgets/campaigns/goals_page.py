"""Apps, and the goals that were written for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from stepscope.core.domain.campaign import AppEntry, CampaignGoal
from stepscope.widgets.campaigns.campaign_views import CampaignView
from stepscope.widgets.campaigns.parts import Lines
from stepscope.widgets.common import PanelHeader, text_button
from stepscope.widgets.common.cells_table import CampaignTableRow, CellsItemModel, CellsTable
from stepscope.widgets.format import counted

TITLE, PACKAGE, CATEGORY, GOALS = range(4)
TEXT, AUTHOR = range(2)


class GoalsPage(QWidget):
    """Signals: pasted lines of apps; pasted lines of goals with the app's package; an app or a goal with what stands in
    its place; apps and goals to be taken away; a CSV file is to be taken in."""

    apps_added = Signal(str)
    goals_added = Signal(str, str)
    app_changed = Signal(object, object)
    goal_changed = Signal(object, object)
    remove_requested = Signal(object, object)
    import_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = CampaignView("", "", 1)
        columns = CellsItemModel(("App", "Package", "Category", "Goals"), editable=(TITLE, CATEGORY), numbers=(GOALS,))
        self.apps = CellsTable("Apps", columns, stretch=[TITLE])
        self.goals = CellsTable("Goals", CellsItemModel(("Goal", "Author"), editable=(TEXT, AUTHOR)), stretch=[TEXT])
        self.take_in = text_button("Import CSV…", tip="Apps (app, title, category) or goals (app, goal, author)")
        self.remove_apps, self.remove_goals = text_button("Delete"), text_button("Delete")
        self._apps_head = PanelHeader("Apps", self.take_in, self.remove_apps)
        self._goals_head = PanelHeader("Goals", self.remove_goals)
        self.new_apps = Lines("New apps", "package, title, category: one app a line")
        self.new_goals = Lines("New goals", "one goal a line, as if you asked the app to do it")
        self._lay_out()
        self._connect()

    def set_view(self, view: CampaignView) -> None:
        self._view = view
        count = Counter(goal.app for goal in view.goals)
        self.apps.set_rows(
            [
                CampaignTableRow(app, (app.title, app.package, app.category, str(count[app.package])))
                for app in view.apps
            ]
        )
        if view.apps and not self.apps.keys():
            self.apps.choose(view.apps[0])
        self._apps_head.set_detail(counted(len(view.apps), "app"))
        self._show_goals()

    def app(self) -> AppEntry | None:
        """The app whose goals are shown."""
        chosen: Sequence[AppEntry] = self.apps.keys()
        return chosen[0] if len(chosen) == 1 else None

    def _connect(self) -> None:
        self.apps.chosen.connect(self._show_goals)
        self.goals.chosen.connect(self._renew)
        self.apps.cells.edited.connect(self._app_edited)
        self.goals.cells.edited.connect(self._goal_edited)
        for button, table in ((self.remove_apps, self.apps), (self.remove_goals, self.goals)):
            button.clicked.connect(self._ask_apps if table is self.apps else self._ask_goals)
        self.apps.delete_requested.connect(self._ask_apps)
        self.goals.delete_requested.connect(self._ask_goals)
        self.take_in.clicked.connect(self.import_requested)
        self.new_apps.entered.connect(self.apps_added)
        self.new_goals.entered.connect(self._add_goals)

    def _show_goals(self) -> None:
        """Those of the chosen app; of several or none, all with the app's title before them."""
        app, titles = self.app(), {app.package: app.title for app in self._view.apps}
        shown = [goal for goal in self._view.goals if app is None or goal.app == app.package]
        rows = [
            CampaignTableRow(
                goal,
                (goal.text, goal.author),
                f"{titles.get(goal.app, goal.app)}: {goal.text}" if app is None else goal.text,
            )
            for goal in shown
        ]
        self.goals.set_rows(rows)
        where = f" for {app.title}" if app else ""
        self._goals_head.set_detail(f"{counted(len(shown), 'goal')}{where}")
        self._renew()

    def _renew(self) -> None:
        self.remove_apps.setEnabled(bool(self.apps.keys()))
        self.remove_goals.setEnabled(bool(self.goals.keys()))
        self.new_goals.setEnabled(self.app() is not None)

    def _app_edited(self, app: AppEntry, column: int, words: str) -> None:
        title, category = (words if column == place else old for place, old in ((0, app.title), (2, app.category)))
        self.app_changed.emit(app, AppEntry(app.package, title or app.package, category))

    def _goal_edited(self, goal: CampaignGoal, column: int, words: str) -> None:
        text, author = (words if column == place else old for place, old in ((0, goal.text), (1, goal.author)))
        self.goal_changed.emit(goal, CampaignGoal(goal.app, text, author))

    def _add_goals(self, text: str) -> None:
        app = self.app()
        if app is not None:
            self.goals_added.emit(app.package, text)

    def _ask_apps(self) -> None:
        self.remove_requested.emit(self.apps.keys(), ())

    def _ask_goals(self) -> None:
        self.remove_requested.emit((), self.goals.keys())

    def _lay_out(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for head, table, lines in (
            (self._apps_head, self.apps, self.new_apps),
            (self._goals_head, self.goals, self.new_goals),
        ):
            part = QWidget()
            column = QVBoxLayout(part)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(head)
            column.addWidget(table, 1)
            column.addWidget(lines)
            split.addWidget(part)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)
