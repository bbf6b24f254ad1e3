"""The next task of a campaign, its demonstration, and a campaign's exports."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork, safe_name
from stepscope.app.services.campaigns import campaign_files
from stepscope.app.services.campaigns.campaign_export import CampaignExportFormat, CampaignExportReport, export
from stepscope.app.services.export.whole_files import whole_file
from stepscope.core.domain.campaign import AssignmentKey, AssignmentState, CampaignContents, WholeCampaign
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services.campaigns import campaigns
    from stepscope.app.services.campaigns.campaigns import DemonstrationTask
    from stepscope.core.domain.campaign import Demonstration
    from stepscope.core.store.engine import Database
else:
    campaigns = lazy_module("stepscope.app.services.campaigns.campaigns")

TABLES = {
    "apps": campaign_files.write_apps,
    "goals": campaign_files.write_goals,
    "pairs": campaign_files.write_pairs,
}


class CampaignTasks(QObject):
    """`wanted` carries the goal and the app's package of a task that was handed out; `changed` fires when the campaign
    is not what it was."""

    wanted = Signal(str, str)
    changed = Signal()

    def __init__(self, context: Context, exports: ExportWork, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._exports = context, exports
        self.at_hand: DemonstrationTask | None = None
        """what is being demonstrated here"""

    def next(self, campaign: str, person: str) -> None:
        """Hand out what the person is to do next."""
        if campaign:
            self._context.write(
                "next task", lambda database: campaigns.next_task(database, campaign, person), self._handed_out
            )

    def skip(self, whole: WholeCampaign | None, person: str) -> None:
        """Leave the person's open task to others."""
        key = _open_task(whole, person)
        if whole is not None and key is not None:
            self.at_hand = None
            name = whole.campaign.name
            self._context.write(
                "skip task", lambda database: campaigns.skip(database, name, key), lambda _done: self.changed.emit()
            )

    def link(self, whole: WholeCampaign | None, person: str) -> None:
        """Ask for the folder of a recording that shows the person's open task."""
        key = _open_task(whole, person)
        chosen = QFileDialog.getExistingDirectory(
            self._context.dialog_parent, "Folder of the recording", str(Path.home())
        )
        if whole is not None and key is not None and chosen:
            self._keep(whole.campaign.name, key, Path(chosen))

    def demonstrated(self, folder: Path, episode: str = "") -> None:
        """The task at hand was recorded in `folder`, or as `episode` in a folder below it. A recording of another goal
        is told, and the task stays."""
        task = self.at_hand
        if task is not None:
            inside = folder / episode if episode else folder
            self._keep(task.campaign, task.key, inside if inside.is_dir() else folder, same_goal=True)

    def _handed_out(self, task: DemonstrationTask | None) -> None:
        self.at_hand = task
        if task is None:
            self._context.messages.info("There is nothing left for you in this campaign.")
        else:
            self.wanted.emit(task.goal, task.package)
        self.changed.emit()

    def _keep(self, campaign: str, key: AssignmentKey, folder: Path, *, same_goal: bool = False) -> None:
        def keep(database: Database) -> Demonstration:
            shown = campaigns.demonstrated(folder, key, same_goal=same_goal)
            campaigns.done(database, campaign, shown)
            return shown

        def kept(shown: Demonstration) -> None:
            if self.at_hand is not None and self.at_hand.key == key:
                self.at_hand = None
            label = f", {shown.said.label}" if shown.said.label else ""
            self._context.messages.done(f"Kept for {campaign}: “{key.pair.goal.text}”{label}.")
            self.changed.emit()

        self._context.write("demonstration", keep, kept)

    # Exports ----------------------------------------------------------------------------------------------------------

    def export(self, whole: WholeCampaign | None, what: str) -> None:
        """Ask where, and write: a table, or the recordings in one of the layouts."""
        if whole is None:
            return
        name = safe_name(whole.campaign.name)
        if what in TABLES:
            self._exports.choose(f"{name}-{what}.csv", "CSV (*.csv)", lambda path: self._write_table(whole, what, path))
            return
        chosen, _ = QFileDialog.getSaveFileName(
            self._context.dialog_parent, "Folder of the export", str(Path.home() / f"{name}-{what}")
        )
        if chosen:
            self._exports.start(
                f"Exporting {whole.campaign.name}",
                lambda token: _events(whole, Path(chosen), CampaignExportFormat(what), token),
                self._exported,
                total=len(whole.contents.demonstrations),
                keeps=True,
            )

    def _write_table(self, whole: WholeCampaign, what: str, path: Path) -> None:
        write: Callable[[CampaignContents, IO[bytes]], None] = TABLES[what]

        def work(_token: CancelToken) -> None:
            with whole_file(path) as stream:
                write(whole.contents, stream)

        self._exports.start(f"Exporting {what}", work, self._exports.wrote(path))

    def _exported(self, found: CampaignExportReport | None) -> None:
        if found is None:
            return
        words = f"Wrote {counted(found.written, 'recording')} to {found.folder.name}."
        if found.missing:
            first, why = found.missing[0]
            left = f"{counted(len(found.missing), 'recording')} left out: {first}: {why}."
            self._context.messages.warning(left, title=words)
        else:
            self._context.messages.done(words)


def _events(
    whole: WholeCampaign, folder: Path, layout: CampaignExportFormat, token: CancelToken
) -> Generator[Progress, None, CampaignExportReport | None]:
    """Progress; the end is the value of the generator."""
    for event in export(whole, folder, layout, token):
        if isinstance(event, CampaignExportReport):
            return event
        yield event
    return None


def _open_task(whole: WholeCampaign | None, person: str) -> AssignmentKey | None:
    given = whole.contents.assignments if whole else ()
    return next((one.key for one in given if one.annotator == person and one.state is AssignmentState.OPEN), None)
