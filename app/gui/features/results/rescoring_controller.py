"""The switch of rules above the results: stored predictions scored again under other rules, without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.features.results.run_results import rule_rows
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.run import Run
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.sources.source import Source
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.results.result_rows import RuleRow

if TYPE_CHECKING:
    from stepscope.app.services import rescoring as rescoring_service
    from stepscope.core.evaluation.rescore import RescoreUpdate, Scoring
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.results_view import ResultsView
else:
    rescoring_service = lazy_module("stepscope.app.services.rescoring")


class RescoringController(QObject):
    """One rescoring at a time. A rule with a short name that is chosen here is the one that Replay shows, too."""

    def __init__(self, context: Context, view: ResultsView, results: ResultsController) -> None:
        super().__init__(context)
        self._context, self._results = context, results
        self._view = view
        self._chip = context.long_work.chip
        self._task: BackgroundTask | None = None
        self._progress = Progress(0, None)
        self._wanted = ""
        self._reading: BackgroundTask | None = None
        self._outdated = False
        self._view.rule_chosen.connect(self.choose)
        self._view.score_all_requested.connect(self.score_all)
        results.shown.connect(self._refresh_table)
        self._view.rules_shown.connect(self._refresh_table)
        self._chip.cancel_requested.connect(self._if_own(self.cancel))
        self._chip.pause_toggled.connect(self._if_own(self.toggle_pause))

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Of the run that a person has chosen, though another one's results may still be shown."""
        return {
            "run.rescore": lambda: self._results.when_shown(self.score_again),
            "run.rescore_all": lambda: self._results.when_shown(self.score_all),
        }

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def choose(self, rule: str) -> None:
        """Show the current run under a rule of the protocol box, scoring it first where that was not done yet."""
        found = self._results.results
        if found is None or rule not in found.scorings:
            return
        named = next((known for known in RULES if known.id == rule), None)
        if named is not None:
            self._context.selection.set_rule(named)
        if any(choice.id == rule and choice.scored for choice in found.choices):
            self._results.show_under(rule)
        else:
            self._begin([rule], show=rule)

    def score_again(self) -> None:
        """Score the current run anew under the rule that is shown: for another version of it, or mended data."""
        found = self._results.results
        if found is not None:
            self._begin([found.rule], show=found.rule)

    def score_all(self) -> None:
        """Score the current run under every rule that it has no scores under."""
        found = self._results.results
        if found is not None:
            self._begin([choice.id for choice in found.choices if not choice.scored], show=found.rule)

    def toggle_pause(self) -> None:
        if self._task is not None:
            token = self._task.token
            (token.resume if token.paused else token.pause)()
            self._show_chip()

    def cancel(self) -> None:
        """End after the current item; what was scored is kept and not done again."""
        if self._task is not None:
            self._task.cancel()

    def score_runs(self, runs: Sequence[Run]) -> None:
        """Score runs of one task under every rule with a short name that they have no scores under."""
        if self._is_free():
            shown = self._results.results
            self._start(runs, list(rescoring_service.rules_for(runs[0]).values()), shown.rule if shown else "")

    # Work ------------------------------------------------------------------------------------------------------------

    def _begin(self, rules: Sequence[str], show: str) -> None:
        found = self._results.results
        if found is None:
            return
        if not self._is_free():
            self._results.show_under(found.rule)
        elif not rules:
            self._context.messages.info("This run is scored under all rules.")
        else:
            others = [] if found.baseline is None else [self._results.run_of(found.baseline.run)]
            kept = [run for run in others if run is not None]  # the two are to stay comparable
            self._start([found.run, *kept], [found.scorings[rule] for rule in rules], show)

    def _is_free(self) -> bool:
        """Whether nothing is being scored, which is told otherwise."""
        if self._task is not None:
            told = "Scores are being made. Wait for them or cancel it in the menu row."
            self._context.messages.warning(told, about=self)
        return self._task is None and self._context.database is not None

    def _start(self, runs: Sequence[Run], scorings: Sequence[Scoring], show: str) -> None:
        """Score the runs under the rules; the first one is shown under `show` afterwards, where it is still shown."""
        database, first = self._context.database, runs[0]
        if database is None:
            return
        source = self._context.selection.source_at(first.spec.source)
        self._wanted = show
        self._progress = Progress(0, first.done)
        self._view.rule_bar.set_busy(True)
        self._task = self._context.start(
            f"Scoring {first.spec.model} again",
            lambda token: rescoring(database, [run.id for run in runs], scorings, token, source),
            failed=self._failed,
            lane="index",
        )
        self._task.progressed.connect(self._progressed)
        self._task.finished.connect(lambda: self._finished(first))
        self._show_chip()

    def _progressed(self, update: RescoreUpdate) -> None:
        self._progress = update.progress
        self._show_chip()

    def _failed(self, error: Exception) -> None:
        self._wanted = ""
        self._context.messages.failure(error)

    def _finished(self, run: Run) -> None:
        cancelled = self._task is not None and self._task.token.cancelled
        self._task = None
        self._context.messages.settle(self)
        self._show_chip()
        self._view.rule_bar.set_busy(False)
        if cancelled:
            done, total = self._progress.done, self._progress.total or 0
            kept = f"{done:,} of {total:,} items are scored; the rest next time."
            self._context.messages.info(kept, title="Cancelled.")
        current = self._results.current
        if current is not None and current.id == run.id:
            self._results.show_under(self._wanted)
        self._context.events.publish(RunsChanged())

    def _if_own(self, do: Callable[[], object]) -> Callable[[str], None]:
        """Act on a signal of the chip where the row is this work."""

        def act(row: str) -> None:
            if self._task is not None and row == str(id(self._task)):
                do()

        return act

    def _show_chip(self) -> None:
        rows = []
        if self._task is not None:
            progress = self._progress
            rows.append(
                TaskProgress(
                    id=str(id(self._task)),
                    name=self._task.name,
                    done=progress.done,
                    total=progress.total,
                    rate=progress.rate,
                    seconds_left=progress.seconds_left,
                    paused=self._task.token.paused,
                )
            )
        self._context.long_work.show("rescoring", rows)

    # All rules -------------------------------------------------------------------------------------------------------

    def _refresh_table(self) -> None:
        """The table of all rules for what is shown, while its page is in view: on a large run it takes seconds.

        While it is being read the old one stays, and what changes meanwhile is asked for once more afterwards.
        """
        found = self._results.results
        if found is None or not self._view.shows_rules:
            return
        if self._reading is not None:
            self._outdated = True
            return
        run, rule = found.run.id, found.rule

        def ended() -> None:
            self._reading = None
            if self._outdated:
                self._outdated = False
                self._refresh_table()

        def answer(rows: tuple[RuleRow, ...]) -> None:
            self._view.set_rule_rows(rows, rule)

        self._reading = self._context.query(
            "scores under all rules", lambda database: rule_rows(database, run), answer, priority=-1
        )
        if self._reading is not None:
            self._reading.finished.connect(ended)


def rescoring(
    database: Database, runs: Sequence[str], scorings: Sequence[Scoring], token: CancelToken, source: Source | None
) -> Iterator[RescoreUpdate]:
    """Score the runs under the rules, one after the other, on the data that is open or else opened for them."""
    for run in runs:
        if not token.cancelled:
            yield from rescoring_service.rescore_run(database, run, scorings, token=token, source=source)
