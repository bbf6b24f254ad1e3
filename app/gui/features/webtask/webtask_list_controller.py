"""The tasks of the open data at the left of the Web task workspace, with the scores of the shown runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.services.provenance import NO_FINDING, is_made_here
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.webtask import task_of
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.store import queries, web_tasks
    from stepscope.core.store.engine import Database
    from stepscope.core.store.web_tasks import TaskRow
    from stepscope.widgets.webtask import side_values
    from stepscope.widgets.webtask.parts import WebTaskParts
    from stepscope.widgets.webtask.side_values import ScoreLine
else:
    queries = lazy_module("stepscope.core.store.queries")
    web_tasks = lazy_module("stepscope.core.store.web_tasks")
    side_values = lazy_module("stepscope.widgets.webtask.side_values")

Scores = Mapping[str, Mapping[str, float]]
"""By run, then by task."""


class WebTaskListController(QObject):
    """Reads the list again when other data is open, and the scores when other runs are shown. `worst_wanted()`: the
    page that is opened next is to be shown at its worst field."""

    worst_wanted = Signal()

    def __init__(self, context: Context, task: WebTaskController, library: Library, replay: EpisodeViewer) -> None:
        super().__init__(context)
        self._context, self._task, self._library, self._replay = context, task, library, replay
        self._connected = False
        self._rows: Sequence[TaskRow] = ()
        self._scores: Scores = {}
        self._baselines: tuple[tuple[str, str, float], ...] = ()
        self.instances: list[str] = []
        context.selection.source_changed.connect(self.reload)
        context.selection.runs_changed.connect(self.read_scores)
        context.events.on(RunsChanged, lambda _: self.read_scores())
        task.page_changed.connect(self._show_page)
        task.who_changed.connect(self._show_who)

    def connect_parts(self, parts: WebTaskParts) -> None:
        """Once, when the workspace is first entered."""
        if self._connected:
            return
        self._connected = True
        parts.tasks.task_chosen.connect(self.open_task)
        parts.tasks.task_opened.connect(lambda _name: parts.centre.view.setFocus())
        parts.tasks.run_chosen.connect(self._choose_run)
        parts.centre.other_wanted.connect(self._show_other)
        parts.centre.title.instance_chosen.connect(lambda number: self.open_instance(number - 1))
        parts.centre.title.runner_chosen.connect(self._task.choose)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all open tasks, in the order of the data."""
        return tuple(row.name for row in self._rows)

    # Tasks -----------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        self.reload()

    def reload(self) -> None:
        source = self._context.selection.source
        if not self._connected or not self._task.is_in_front:
            return
        if source is None:
            self._take(())
            return
        key = source.id

        def ask(database: Database) -> list[TaskRow]:
            with database.reading() as db:
                return web_tasks.task_rows(db, key)

        self._context.query("web tasks", ask, self._take)

    def _take(self, rows: Sequence[TaskRow]) -> None:
        self._rows = rows
        self._context.conditions.set("webtasks", bool(rows))
        self._show_tasks()
        self._say_where()
        self.read_scores()
        if rows and self._task.read is None and not self._replay.heading_for:
            self.open_task(rows[0].name)
        self._show_page()

    @property
    def _other(self) -> OpenSource | None:
        """Open data with web tasks that is not the current one, the latest first."""
        current = self._context.selection.source
        return next((one for one in reversed(self._context.sources) if one.has_web_tasks and one is not current), None)

    def _say_where(self) -> None:
        """Without a task: whose there are none, and which open data has some."""
        current, other, parts = self._context.selection.source, self._other, self._task.page.parts
        parts.centre.set_none(current.title if current else "", other.title if other else "")
        parts.tasks.set_none(current.title if current else "")

    def _show_other(self) -> None:
        other = self._other
        if other is not None:
            self._library.choose_source(other)

    def open_task(self, name: str) -> None:
        """The first page of the task."""
        if self._task.read is None or self._task.read.task.name != name:
            self._open(name, 0)

    def open_instance(self, number: int) -> None:
        """Page `number`, from 0, of the open task."""
        if 0 <= number < len(self.instances):
            self._replay.open_episode(self.instances[number])

    def _open(self, task: str, number: int) -> None:
        def arrived(found: list[str]) -> None:
            if found:
                self._replay.open_episode(found[min(number, len(found) - 1)])

        self._ids(task, arrived)

    def _ids(self, task: str, done: object) -> None:
        source = self._context.selection.source
        if source is None:
            return
        key = source.id

        def ask(database: Database) -> list[str]:
            with database.reading() as db:
                return web_tasks.instance_ids(db, key, task)

        self._context.query("pages of a web task", ask, done)  # type: ignore[arg-type]

    # Scores ----------------------------------------------------------------------------------------------------------

    def read_scores(self) -> None:
        """Read the scores of the shown runs, and of the newest whole run of each baseline over this data."""
        source = self._context.selection.source
        if not self._connected or not self._task.is_in_front or source is None:
            return
        shown, path = self._context.selection.runs, str(source.source.path)

        def ask(database: Database) -> tuple[Scores, list[tuple[str, str]]]:
            from stepscope.app.services.webtask.tasks import task_scores

            with database.reading() as db:
                there = [one.run for one in queries.run_list(db, task=Task.WEBTASK, source=path)]
            known = {run.id for run in there}
            newest: dict[str, str] = {}
            for run in there:
                if run.spec.model in BASELINES and run.id not in shown:
                    newest.setdefault(run.spec.model, run.id)
            wanted = [run for run in shown if run in known] + list(newest.values())
            return {run: task_scores(database, run) for run in wanted}, list(newest.items())

        self._context.query("scores of web tasks", ask, lambda found: self._take_scores(*found))

    def _take_scores(self, scores: Scores, baselines: Sequence[tuple[str, str]]) -> None:
        self._scores = scores
        self._context.conditions.set("webpage_run", bool(self._shown_run()))
        self._baselines = tuple((model, run, _mean(scores[run])) for model, run in baselines if scores[run])
        self._show_tasks()
        self._show_lines()

    def _show_tasks(self) -> None:
        from stepscope.app.gui.features.webtask.presenter import task_rows

        if self._connected:
            rows = [(row.name, row.split, row.instances) for row in self._rows]
            panel = self._task.page.parts.tasks
            panel.set_tasks(task_rows(rows, self._scores.get(self._shown_run())))
            panel.set_run(self._task.run_place)

    def _shown_run(self) -> str:
        """The run whose scores stand beside the tasks: the one in the page, else the first that is shown."""
        if self._task.who in self._scores:
            return self._task.who
        return next((run for run in self._context.selection.runs if run in self._scores), "")

    def _show_lines(self) -> None:
        selection, names = self._context.selection, {run.id: run.spec.model for run in self._task.runs}
        lines: list[ScoreLine] = []
        for run, place in selection.runs.items():
            if self._scores.get(run):
                mean = _mean(self._scores[run])
                name = names.get(run) or "predictions"
                lines.append(
                    side_values.ScoreLine(name, mean, run, side_values.ScoreLineKind.RUN, place, len(self._scores[run]))
                )
        for model, run, mean in self._baselines:
            lines.append(
                side_values.ScoreLine(model, mean, run, side_values.ScoreLineKind.BASELINE, n=len(self._scores[run]))
            )
        source = selection.source
        sample = source is not None and is_made_here(source.source.path)
        if lines and not sample:
            lines += published_lines()
        tasks = len(self._scores.get(self._shown_run(), {})) or None
        self._task.page.parts.tasks.set_scores(lines, tasks, badge=NO_FINDING if sample else "")
        self._task.page.parts.tasks.set_shown_run(self._shown_run())

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"webtask.worst": self.open_worst}

    def open_worst(self) -> None:
        """The page with the lowest score of the shown run."""
        run = self._shown_run()

        def ask(database: Database) -> str | None:
            with database.reading() as db:
                found = [(score.value, episode) for episode, _, score in queries.scores(db, run)
                         if score.value is not None]  # fmt: skip
            return min(found)[1] if found else None

        def arrived(instance: str | None) -> None:
            if instance is not None:
                self.worst_wanted.emit()
                self._task.choose(run)
                self._replay.open_episode(instance)

        if run:
            self._context.query("worst page", ask, arrived)

    def _choose_run(self, run: str) -> None:
        if not run:
            return
        self._context.selection.show_run(run)
        self._task.choose(run)

    # The open page ---------------------------------------------------------------------------------------------------

    def _show_page(self) -> None:
        if not self._connected:
            return
        parts, read = self._task.page.parts, self._task.read
        if read is None:
            parts.tasks.choose("")
            parts.centre.set_task("")
            return
        name, instance = read.task.name, read.instance.id
        parts.tasks.choose(name)
        if instance in self.instances:
            parts.centre.set_task(name, self.instances.index(instance) + 1, len(self.instances))
            return

        def arrived(found: list[str]) -> None:
            if self._task.read is read and instance in found:
                self.instances = found
                parts.centre.set_task(name, found.index(instance) + 1, len(found))

        self._ids(task_of(instance), arrived)

    def _show_who(self) -> None:
        if not self._connected:
            return
        parts = self._task.page.parts
        parts.centre.set_runners(self._task.runners(), self._task.who)
        self._show_tasks()
        self._show_lines()


BASELINES = ("do-nothing", "oracle")
PUBLISHED = 2
"""Published numbers that stand below the runs; the others are in Results."""


def _mean(scores: Mapping[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def published_lines() -> list[ScoreLine]:
    """The paper's best numbers to hold the runs against."""
    from stepscope.core.scoring.published_numbers import of_protocol

    numbers = [one for one in of_protocol("fields") if one.metric == "score" and not one.context]
    best = sorted(numbers, key=lambda one: -one.value)[:PUBLISHED]
    return [
        side_values.ScoreLine(
            f"Paper, {one.model}", one.value, "", side_values.ScoreLineKind.PAPER, tip=f"{one.data}; {one.source}."
        )
        for one in best
    ]
