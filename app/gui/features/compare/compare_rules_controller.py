"""The right dock of the compare workspace: the compared runs under every rule, and what flips from one to another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.compare.compare_controller import NAME, CompareController
from stepscope.app.gui.features.compare.presenter import flip_rows, flip_table, order_words
from stepscope.app.gui.features.compare.run_comparison import summaries
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.run_letters import LETTERS
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.export.whole_files import whole_text
from stepscope.app.services.provenance import runs_badge
from stepscope.core.domain.run import ItemKey, Run
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.core.spreadsheet import write_rows
from stepscope.widgets import format as words
from stepscope.widgets.compare import FlipRow, FlipTotals, RuleVerdicts
from stepscope.widgets.compare.rules_panel import ALL

if TYPE_CHECKING:
    from stepscope.app.gui.features.compare import compare_rules
    from stepscope.app.gui.features.compare.compare_rules import FlipSteps, RuleOf, RuleTable
    from stepscope.core.store.engine import Database
    from stepscope.widgets.compare import RulesPanel
else:
    compare_rules = lazy_module("stepscope.app.gui.features.compare.compare_rules")


class CompareRulesController(QObject):
    """`other` is the rule whose flips are listed, "" for none."""

    def __init__(
        self,
        context: Context,
        panel: RulesPanel,
        compare: CompareController,
        score_runs: Callable[[Sequence[Run]], object],
    ) -> None:
        super().__init__(context)
        self._context, self._compare, self._score_runs = context, compare, score_runs
        self._panel = panel
        self._judged = JudgedEpisode()
        self._table: RuleTable | None = None
        self._about: tuple[str, ...] = ()
        """runs and numbers of items that the table was read for"""
        self._reading: BackgroundTask | None = None
        self._flips: FlipSteps | None = None
        self.other, self._run = "", ALL
        self._request = 0
        self._connect()

    def _connect(self) -> None:
        panel, selection = self._panel, self._context.selection
        self._compare.taken.connect(self.reload)
        self._context.events.while_shown(NAME, RunsChanged, lambda _: self._forget())
        hear = partial(self._context.events.signal_while_shown, NAME)
        hear(selection.rule_changed, self._rule_changed)
        hear(selection.step_changed, self._show_rules)
        panel.rule_chosen.connect(lambda rule: selection.set_rule(rule_by_id(rule)))
        panel.flips_chosen.connect(self.choose)
        panel.run_chosen.connect(self.choose_run)
        panel.rescore_wanted.connect(self.rescore)
        panel.page_wanted.connect(self._read_rows)
        panel.shown.connect(self._open)
        panel.opened.connect(self._open)
        panel.export_flips_wanted.connect(lambda: self._ask("flips", self.write_flips))
        panel.export_table_wanted.connect(lambda: self._ask("rules", self.write_table))

    # Loading ---------------------------------------------------------------------------------------------------------

    def set_judged(self, judged: JudgedEpisode) -> None:
        """What the rules say of the shown episode."""
        self._judged = judged
        self._show_rules()

    def _forget(self) -> None:
        """Scores may be others than they were."""
        self._table, self._about = None, ()

    def reload(self) -> None:
        """Read the compared runs under all rules, as far as that was not done yet."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        compared, database = self._compare.compared, self._context.database
        if compared is None or database is None:
            self._table = None
            if self._context.selection.runs:
                self._panel.set_rules((), "", title="Reading the runs")
            else:
                self._panel.set_rules((), "", "Tick two of them in Results.", title="No runs are shown")
            self._panel.set_order("", can_rescore=False)
            self._set_flips(None)
            return
        base, runs = compared.base, self._runs()
        about = (base.id, *(f"{run.id} {run.done}" for run in runs))
        known, self._about, current = self._table if about == self._about else None, about, self._current()

        def fill(token: CancelToken) -> Generator[RuleTable, None, RuleTable]:
            table = known or compare_rules.RuleTable(compare_rules.rules_of(base))
            yield table
            for _rule in table.fill(database, runs, current):
                if token.cancelled:
                    break
                yield table
            return table

        self._reading = self._context.start("runs under all rules", fill, self._filled, lane="index", priority=-1)
        self._reading.progressed.connect(self._take)

    def _runs(self) -> list[Run]:
        """The compared runs, by letter."""
        compared = self._compare.compared
        return [one.run for one in compared.standings if one.run.id in compared.columns] if compared else []

    def _numbers(self) -> list[tuple[int, Run]]:
        return [(self._compare.number(run.id), run) for run in self._runs()]

    def _take(self, table: RuleTable) -> None:
        self._table = table
        self._show_rules()

    def _filled(self, table: RuleTable) -> None:
        self._reading = None
        self._take(table)
        self._look_for_flips()

    # Rules -----------------------------------------------------------------------------------------------------------

    def _current(self) -> str:
        return self._context.selection.rule.id

    def _rule_changed(self) -> None:
        if self.other == self._current():
            self.other, self._run = "", ALL
        if self._compare.is_in_front:
            self._show_rules()

    def _show_rules(self) -> None:
        if self._table is None or not self._compare.is_in_front:
            return
        rows = [self._row(rule) for rule in self._table.rules]
        why = ""
        if len(rows) < 2:
            compared = self._compare.compared
            why = f"{rows[0].title if rows else 'This task'} has no others beside it." if compared else ""
            rows = []
        self._panel.set_rules(rows, self._current(), why)
        shown = self._compare.compared.standings if self._compare.compared else ()
        self._panel.set_badge(runs_badge([one.run for one in shown]))
        self._panel.set_order(self._order(), can_rescore=self._table.lacking([run.id for run in self._runs()]))

    def _row(self, rule: RuleOf) -> RuleVerdicts:
        assert self._table is not None
        shown = self._numbers()
        found = [self._table.under(rule.id, run.id) for _number, run in shown]
        scores = [self._score(rule.id, run.id) for _number, run in shown]
        flips = [self._table.flip_count(self._current(), rule.id, run.id) for _number, run in shown]
        known = [count for count in flips if count is not None]
        lacking = [LETTERS[number] for (number, _run), one in zip(shown, found, strict=True) if one and one.why]
        why = next((one.why for one in found if one is not None and one.why), "")
        some = f"{', '.join(lacking)}: {why}" if lacking and len(lacking) < len(shown) else why
        return RuleVerdicts(
            id=rule.id,
            title=rule.title,
            runs=tuple(number for number, _run in shown),
            here=tuple(verdict_of(score) if score is not None else None for score in scores),
            scores=tuple(one.value if one is not None else None for one in found),
            metric=next((one.metric for one in found if one is not None and one.metric), ""),
            flips=sum(known) if known else None,
            why=some,
            here_why=next((s.why for s in scores if s is not None and s.status is not ScoreStatus.SCORED), ""),
        )

    def _score(self, rule: str, run: str) -> Score | None:
        """What the rule says of the run on the step that is shown."""
        step, episode = self._context.selection.step, self._context.selection.episode
        if step is None or episode is None or self._judged.episode != episode.id:
            return None
        return self._judged.scores.get(rule, {}).get(run, {}).get(step.index)

    def _order(self) -> str:
        """Whether the order of the runs depends on the rule."""
        assert self._table is not None
        scores: dict[str, dict[str, float]] = {}
        for rule in self._table.rules:
            row = {LETTERS[number]: self._table.under(rule.id, run.id) for number, run in self._numbers()}
            values = {letter: one.value for letter, one in row.items() if one is not None and one.value is not None}
            if row and len(values) == len(row):
                scores[rule.id] = values
        return order_words(scores)

    def rescore(self) -> None:
        """Put every rule to all compared runs, and to those that are left out for want of scores."""
        compared = self._compare.compared
        if compared is not None:
            runs = [one.run for one in compared.standings if one.run.spec.task is compared.base.spec.task]
            self._score_runs(runs)

    # Flips -----------------------------------------------------------------------------------------------------------

    def choose(self, rule: str) -> None:
        """List what flips under this rule against the current one; the same again lists none."""
        self.other, self._run = ("" if rule == self.other else rule), ALL
        self._look_for_flips()

    def choose_run(self, run: int) -> None:
        """List only the flips of the run of this number."""
        self._run = run
        self._look_for_flips()

    def _look_for_flips(self) -> None:
        """Find the steps in the reader lane, for all runs or one."""
        table, other, current, database = self._table, self.other, self._current(), self._context.database
        self._request += 1
        request = self._request
        if table is None or not other or database is None:
            self._set_flips(None)
            return
        shown = [(number, run) for number, run in self._numbers() if self._run in (ALL, number)]
        columns_of = self._compare.columns_of(database)

        def find(_token: object) -> FlipSteps:
            return compare_rules.flip_steps(table, current, other, shown, columns_of)

        def answer(found: FlipSteps) -> None:
            if request == self._request:
                self._set_flips(found)

        self._context.start("steps that flip", find, answer)

    def _set_flips(self, found: FlipSteps | None) -> None:
        self._flips = found
        if found is None or self._table is None:
            self._panel.set_flips(FlipTotals(self._current()))
            return
        counts = []
        for number, run in self._numbers():
            counts.append((number, self._table.flip_count(self._current(), self.other, run.id) or 0))
        self._panel.set_flips(FlipTotals(self._current(), self.other, tuple(counts)), self._run)

    def _read_rows(self, offset: int, limit: int) -> None:
        flips, compared, panel = self._flips, self._compare.compared, self._panel
        if flips is None or compared is None:
            return
        generation, page = panel.model.generation, range(offset, min(offset + limit, len(flips)))

        def ask(database: Database) -> list[FlipRow]:
            about = summaries(database, compared.base.spec.source, [flips.key(place) for place in page])
            return flip_rows(about, flips, page)

        self._context.query("read flips", ask, lambda rows: panel.set_page(offset, rows, generation), priority=1)

    def _open(self, key: ItemKey) -> None:
        self._compare.open_step(key)

    # Exports ---------------------------------------------------------------------------------------------------------

    def _ask(self, what: str, write: Callable[[Path], None]) -> None:
        name = f"{what}-{self._current()}.csv" if what == "rules" else f"{what}-{self._current()}-{self.other}.csv"
        title = "Export"
        chosen, _ = QFileDialog.getSaveFileName(
            self._context.dialog_parent, title, str(Path.home() / name), "CSV (*.csv)"
        )
        if chosen:
            write(Path(chosen))

    def write_flips(self, path: Path) -> None:
        """The listed steps that flip, a line each."""
        flips, compared, database = self._flips, self._compare.compared, self._context.database
        if flips is None or compared is None or database is None:
            return
        models = {run.id: run.spec.model for run in self._runs()}
        source, rules = compared.base.spec.source, (self._current(), self.other)

        def write(token: CancelToken) -> str:
            with whole_text(path, token) as text:
                write_rows(text, flip_table(partial(summaries, database, source), flips, models, rules))
            return f"Wrote {path.name}, {words.counted(len(flips), 'row')}"

        tell = self._context.messages.wrote
        self._context.start(f"Writing {path.name}", write, lambda said: tell(said, path), lane="index")

    def write_table(self, path: Path) -> None:
        """Every rule with each run's score over all steps and its flips against the current rule."""
        table, shown, current = self._table, self._numbers(), self._current()
        if table is None:
            return
        lines: list[tuple[str, ...]] = [
            ("rule", "title", "metric", "run", "model", "score", "flips", "current_rule", "why")
        ]
        for rule in table.rules:
            lines += [_line(table, rule, run, current) for _number, run in shown]

        def write(token: CancelToken) -> str:
            with whole_text(path, token) as text:
                write_rows(text, lines)
            return f"Wrote {path.name}, {words.counted(len(lines) - 1, 'row')}"

        tell = self._context.messages.wrote
        self._context.start(f"Writing {path.name}", write, lambda said: tell(said, path), lane="index")


def _line(table: RuleTable, rule: RuleOf, run: Run, current: str) -> tuple[str, ...]:
    found, flips = table.under(rule.id, run.id), table.flip_count(current, rule.id, run.id)
    value = "" if found is None or found.value is None else repr(found.value)
    count = "" if flips is None or rule.id == current else str(flips)
    about = (found.metric, found.why) if found else ("", "")
    return (rule.id, rule.title, about[0], run.id, run.spec.model, value, count, current, about[1])
