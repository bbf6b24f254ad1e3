"""The window of campaigns: lists, settings, changes that can be undone, tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFileDialog, QVBoxLayout

from stepscope.app.gui.features.campaigns.campaign_pairing_controller import CampaignPairing
from stepscope.app.gui.features.campaigns.campaign_tasks_controller import CampaignTasks
from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.undo import Edit, OutdatedError, UndoHistory
from stepscope.app.services.annotations import user_name
from stepscope.app.services.campaigns import campaign_files, goal_picture
from stepscope.app.services.campaigns.pairing import RULES
from stepscope.core.domain.campaign import (
    AppEntry,
    Campaign,
    CampaignContents,
    CampaignGoal,
    CampaignTask,
    Pair,
    PairOrigin,
    WholeCampaign,
    tidy,
)
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.campaigns import CampaignForm, CampaignListRow, CampaignsView, CampaignView
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.gui.features.campaigns import presenter
    from stepscope.app.services.campaigns import campaigns
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import campaigns as campaign_rows
else:
    presenter = lazy_module("stepscope.app.gui.features.campaigns.presenter")
    campaigns = lazy_module("stepscope.app.services.campaigns.campaigns")
    campaign_rows = lazy_module("stepscope.core.store.repositories.campaigns")

WIDTH, HEIGHT = 1240, 800


class CampaignWindow(QObject):
    """`changed` fires when the shown campaign was read anew. `tasks` and `pairing` do the rest."""

    changed = Signal()

    def __init__(self, context: Context, history: UndoHistory, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._history = context, history
        self._view: CampaignsView | None = None
        self._form: CampaignForm | None = None
        self.person = context.preferences.annotator or user_name()
        self.whole: WholeCampaign | None = None
        self.tasks = CampaignTasks(context, exports, self)
        self.tasks.changed.connect(self.refresh)
        self.pairing = CampaignPairing(context, self)
        self.pairing.accepted.connect(self._accept_pairs)

    # The window -------------------------------------------------------------------------------------------------------

    @property
    def view(self) -> CampaignsView | None:
        return self._view

    def show(self) -> None:
        """The campaigns in a window of their own."""
        if self._view is None:
            self._open()
        assert self._view is not None
        self._view.window().show()
        self._view.window().raise_()
        self._view.window().activateWindow()
        self.refresh()

    def refresh(self, current: str = "") -> None:
        """Read the list and the shown campaign anew."""
        row_of = presenter.campaign_row  # here: no other thread may load Qt's classes

        def look(database: Database) -> list[CampaignListRow]:
            with database.reading() as db:
                names = campaign_rows.names(db, CampaignTask.DEMONSTRATION)
            return [row_of(campaigns.read(database, name)) for name in names]

        def take(found: list[CampaignListRow]) -> None:
            if self._view is not None:
                self._view.set_campaigns(found, current)
                self._look(self._view.current())

        self._context.query("campaigns", look, take)

    def _look(self, name: str) -> None:
        """Read the campaign and put it in words, off the window's thread: it may have thousands of rows."""
        person, view_of = self.person, presenter.campaign_view  # here: no other thread may load Qt's classes

        def look(database: Database) -> tuple[WholeCampaign, CampaignView]:
            whole = campaigns.read(database, name)
            return whole, view_of(whole, person)

        def take(found: tuple[WholeCampaign, CampaignView]) -> None:
            if self._view is not None and self._view.current() == name:
                self._show_whole(*found)

        if name:
            self._context.query("campaign", look, take)
        else:
            self._show_whole(None, None)

    def _show_whole(self, whole: WholeCampaign | None, view: CampaignView | None) -> None:
        self.whole = whole
        if self._view is not None:
            self._view.set_view(view)
        self.pairing.campaign_shown(whole, self._view.pairing if self._view else None)
        self.changed.emit()

    def _open(self) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Campaigns")
        dialog.resize(WIDTH, HEIGHT)
        rules = [(rule.text, rule.source) for rule in RULES]
        view = self._view = CampaignsView(self.person, [str(one) for one in goal_picture.methods()], rules)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        for keys, do in (("Ctrl+Z", self._history.undo), ("Ctrl+Shift+Z", self._history.redo)):
            QShortcut(QKeySequence(keys), dialog).activated.connect(do)
        dialog.finished.connect(self._closed)
        self._connect(view)
        view.list.setFocus()

    def _connect(self, view: CampaignsView) -> None:
        view.chosen.connect(self._look)
        view.new_requested.connect(lambda: self._ask_settings(None))
        view.edit_requested.connect(lambda: self._ask_settings(self.whole.campaign if self.whole else None))
        view.remove_requested.connect(self.remove)
        view.person.editingFinished.connect(self._person_changed)
        view.next_requested.connect(lambda: self.tasks.next(view.current(), self.person))
        view.skip_requested.connect(lambda: self.tasks.skip(self.whole, self.person))
        view.link_requested.connect(lambda: self.tasks.link(self.whole, self.person))
        view.export_requested.connect(lambda what: self.tasks.export(self.whole, what))
        goals, progress = view.goals, view.progress
        goals.apps_added.connect(self.add_apps)
        goals.goals_added.connect(self.add_goals)
        goals.app_changed.connect(self._change_app)
        goals.goal_changed.connect(self._change_goal)
        goals.remove_requested.connect(self._remove_goals)
        goals.import_requested.connect(self._import)
        progress.pair_added.connect(self._add_pair)
        progress.pairs_removed.connect(
            lambda pairs: self._drop(CampaignContents(pairs=pairs), counted(len(pairs), "pair"))
        )
        progress.person_added.connect(self._add_person)
        progress.people_removed.connect(self._remove_people)
        progress.assign_requested.connect(self._assign)
        self.pairing.connect_page(view.pairing)

    def _closed(self) -> None:
        self.pairing.close()
        self._view, self._form, self.whole = None, None, None

    # Campaigns --------------------------------------------------------------------------------------------------------

    def _ask_settings(self, campaign: Campaign | None) -> None:
        assert self._view is not None
        form = self._form = CampaignForm(campaign, self._view)
        form.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        form.finished.connect(self._form_closed)
        form.saved.connect(lambda wanted: self._keep(campaign, wanted))
        form.open()

    def _form_closed(self) -> None:
        self._form = None

    def _keep(self, before: Campaign | None, wanted: Campaign) -> None:
        def write(database: Database) -> str:
            campaign = campaigns.checked(wanted)
            with database.unit_of_work() as db:
                if before is None:
                    campaign_rows.add(db, campaign)
                else:
                    campaign_rows.change(db, before.name, campaign, seen=before)
            return campaign.name

        def kept(name: str) -> None:
            if self._form is not None:
                self._form.accept()
            self.refresh(name)
            if before is not None:
                self._remember_settings(before, name)

        def failed(error: Exception) -> None:
            if isinstance(error, UserError) and self._form is not None:
                self._form.tell(str(error))
            else:
                self._context.messages.failure(error)

        self._context.write("campaign", write, kept, failed=failed)

    def _remember_settings(self, before: Campaign, name: str) -> None:
        """The settings were changed: the way back and forth. What was undone before speaks of the old name."""
        now: list[Campaign] = []

        def do(database: Database) -> None:
            with database.unit_of_work() as db:
                if now:
                    campaign_rows.change(db, before.name, now[0], seen=before)
                else:  # it is changed already
                    now[:] = [campaign_rows.get(db, name)]

        def undo(database: Database) -> None:
            with database.unit_of_work() as db:
                campaign_rows.change(db, now[0].name, before, seen=now[0])

        self._history.make(self._edit(f"change the campaign {before.name}", do, undo))

    def remove(self) -> None:
        """Drop the shown campaign, once that was confirmed; it can be undone."""
        if self.whole is None:
            return
        name = self.whole.campaign.name
        gone: list[WholeCampaign] = []
        detail = "Its lists, pairs and labels are taken away. Recordings stay where they are."
        if not confirmed(self._view or self._context.dialog_parent, f"Delete the campaign {name}?", detail, "Delete"):
            return

        def do(database: Database) -> None:
            with database.unit_of_work() as db:
                gone[:] = [campaign_rows.remove(db, name)]

        def undo(database: Database) -> None:
            with database.unit_of_work() as db:
                campaign_rows.restore(db, gone[0])

        self._history.make(self._edit(f"delete the campaign {name}", do, undo))

    # Apps, goals, pairs, people ---------------------------------------------------------------------------------------

    def add_apps(self, text: str) -> None:
        """Apps that were pasted, one a line."""
        if self.whole is not None:
            self._take(campaign_files.apps_of_text(text, self.whole.contents), "line")
            self._clear(lambda view: view.goals.new_apps.clear())

    def add_goals(self, app: str, text: str) -> None:
        """Goals that were pasted for an app, one a line; the person here wrote them."""
        if self.whole is not None:
            found = campaign_files.goals_of_text(text, app, self.whole.contents, self.person)
            self._take(found, "line")
            self._clear(lambda view: view.goals.new_goals.clear())

    def import_file(self, path: Path) -> None:
        """Apps or goals out of a CSV file."""
        if self.whole is not None:
            contents = self.whole.contents
            self._context.start(
                "read CSV",
                lambda _token: campaign_files.read_file(path, contents),
                lambda found: self._take(found, f"{path.name}, line"),
            )

    def _import(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._view, "Import apps or goals", str(Path.home()), "CSV (*.csv)")
        if chosen:
            self.import_file(Path(chosen))

    def _take(self, found: campaign_files.CampaignFile, where: str) -> None:
        apps, goals = len(found.contents.apps), len(found.contents.goals)
        if found.contents:
            words = [counted(apps, "app")] if apps else [counted(goals, "goal")]
            self._change(f"add {words[0]}", CampaignContents(), found.contents)
        if found.problems:
            told = "; ".join(f"{where} {one.line}: {one.message.rstrip('.')}" for one in found.problems[:3])
            more = f"; and {len(found.problems) - 3} more" if len(found.problems) > 3 else ""
            self._context.messages.warning(f"{told}{more}.", title=f"{counted(len(found.problems), 'line')} kept out.")

    def _change_app(self, before: AppEntry, after: AppEntry) -> None:
        self._change(f"change {before.title}", CampaignContents(apps=(before,)), CampaignContents(apps=(after,)))

    def _change_goal(self, before: CampaignGoal, after: CampaignGoal) -> None:
        if self.whole is None:
            return
        try:
            after = campaigns.checked_goal(after.app, after.text, after.author)
            change = campaigns.renamed_goal(self.whole.contents, before, after)
        except UserError as error:
            self._context.messages.failure(error)
            return
        self._change(f"change “{before.text}”", change.before, change.after)

    def _remove_goals(self, apps: tuple[AppEntry, ...], goals: tuple[CampaignGoal, ...]) -> None:
        words = counted(len(apps), "app") if apps else counted(len(goals), "goal")
        self._drop(CampaignContents(apps=apps, goals=goals), words)

    def _drop(self, gone: CampaignContents, words: str) -> None:
        if gone:
            self._change(f"delete {words}", gone, CampaignContents())

    def _add_pair(self, app: str, goal: CampaignGoal) -> None:
        pair = Pair(app, goal, PairOrigin.BY_HAND)
        if self.whole is not None and all(pair.key != other.key for other in self.whole.contents.pairs):
            self._change("add a pair", CampaignContents(), CampaignContents(pairs=(pair,)))
        else:
            self._context.messages.info("There is this pair already.")

    def _accept_pairs(self, category: str, pairs: tuple[Pair, ...]) -> None:
        if self.whole is not None:
            change = campaigns.paired(self.whole.contents, category, pairs)
            self._change(f"pair {category or 'apps'}", change.before, change.after)
            self._clear(lambda view: view.show_page("progress"))

    def _add_person(self, name: str) -> None:
        self._change(f"add {tidy(name)}", CampaignContents(), CampaignContents(annotators=(tidy(name),)))

    def _remove_people(self, names: tuple[str, ...]) -> None:
        for name in names:
            if self.whole is not None:
                change = campaigns.without_annotator(self.whole.contents, name)
                self._change(f"remove {name}", change.before, change.after)

    def _assign(self) -> None:
        from stepscope.app.services.campaigns.assigning import plan

        if self.whole is not None:
            given = plan(self.whole.contents, self.whole.campaign.k)
            if given:
                self._change(
                    f"give out {counted(len(given), 'assignment')}",
                    CampaignContents(),
                    CampaignContents(assignments=given),
                )
            else:
                self._context.messages.info("Every pair has what can be given out.")

    # Inside -----------------------------------------------------------------------------------------------------------

    def _person_changed(self) -> None:
        if self._view is not None:
            self.person = tidy(self._view.person.text())
            self._look(self._view.current())

    def _clear(self, do: Callable[[CampaignsView], object]) -> None:
        if self._view is not None:
            do(self._view)

    def _change(self, words: str, before: CampaignContents, after: CampaignContents) -> None:
        """A change of the shown campaign that can be undone."""
        if self.whole is None:
            return
        name, shown = self.whole.campaign.name, self.whole.contents
        made: list[campaigns.CampaignChange] = []

        def do(database: Database) -> None:
            seen = made[0].before if made else shown
            made[:] = [campaigns.make(database, name, campaigns.CampaignChange(before, after), seen=seen)]

        def undo(database: Database) -> None:
            campaigns.make(database, name, made[0].undone(), seen=made[0].after)

        self._history.make(self._edit(words, do, undo))

    def _edit(self, words: str, do: Callable[[Database], None], undo: Callable[[Database], None]) -> Edit:
        """The edit of a change; one that cannot be made or undone any more, since others have gone on or the campaign
        is gone, is forgotten."""

        def careful(work: Callable[[Database], None]) -> Callable[[Database], None]:
            def carry_out(database: Database) -> None:
                try:
                    work(database)
                except campaign_rows.ChangeConflictError as error:
                    raise OutdatedError(error.message, hint=error.hint) from error

            return carry_out

        def still(database: Database) -> None:
            try:
                careful(undo)(database)
            except UsageError as error:
                raise OutdatedError(error.message, hint=error.hint) from error

        return Edit(
            words,
            careful(do),
            still,
            show=lambda _done: None,  # read anew once it is written
            settled=lambda _written: self.refresh(),
            in_view=lambda: self._view is not None,
        )
