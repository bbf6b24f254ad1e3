"""Runs under all rules, from their stored scores in the reader lane: scores, what flips, and whether the order of the
runs depends on the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.features.compare.run_comparison import ColumnsOf
from stepscope.app.gui.shell.run_words import metric_title
from stepscope.core.domain.run import ItemKey, Run
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.evaluation import rules as scoring_rules
    from stepscope.core.evaluation.rules import Scoring
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
else:
    scoring_rules = lazy_module("stepscope.core.evaluation.rules")

OWN = "own"
"""Id of the base's own rule, where that has no short name."""
NO_SCORE = -1


@dataclass(frozen=True, slots=True)
class RuleOf:
    """A rule that can be put to the runs, by its id and title."""

    id: str
    title: str
    scoring: Scoring


@dataclass(frozen=True, eq=False)
class RuleResult:
    """A run under a rule: the metric that stands for it, and `verdicts`, one for each item in the order they were
    done: 1 right, 0 wrong, NO_SCORE. `why` there is no value; `part`: it was not put to all items yet."""

    value: float | None = None
    metric: str = ""
    verdicts: Any = None
    why: str = ""
    part: bool = False


class RuleTable:
    """Every rule on every run, filled run by run; kept while the runs have the same scores."""

    def __init__(self, rules: Sequence[RuleOf]) -> None:
        self.rules = tuple(rules)
        self._found: dict[tuple[str, str], RuleResult] = {}
        self._counts: dict[tuple[str, str, str], int | None] = {}

    def under(self, rule: str, run: str) -> RuleResult | None:
        """None while it was not read yet."""
        return self._found.get((rule, run))

    def fill(self, database: Database, runs: Sequence[Run], current: str) -> Iterator[RuleTable]:
        """Read what is not known yet and count what flips from the current rule, off the GUI thread; yields after every
        rule."""
        for rule in sorted(self.rules, key=lambda one: one.id != current):  # all others flip against it
            for run in runs:
                if (rule.id, run.id) not in self._found:
                    self._found[rule.id, run.id] = read_under(database, run, rule.scoring)
                flips = self.flips(current, rule.id, run.id)
                self._counts[current, rule.id, run.id] = None if flips is None else len(flips)
            yield self

    def flip_count(self, current: str, other: str, run: str) -> int | None:
        """How many of the run's items flip, as far as it was counted; None where that cannot be said."""
        return self._counts.get((current, other, run))

    def flips(self, current: str, other: str, run: str) -> Any:
        """Indices of the run's items whose verdict is another under the other rule; None where that cannot be said."""
        before, after = self.under(current, run), self.under(other, run)
        if before is None or after is None or before.verdicts is None or after.verdicts is None:
            return None
        n = min(len(before.verdicts), len(after.verdicts))
        one, two = before.verdicts[:n], after.verdicts[:n]
        return np.flatnonzero((one != two) & (one != NO_SCORE) & (two != NO_SCORE))

    def lacking(self, runs: Sequence[str]) -> bool:
        """Whether some rule was not put to all items of some run."""
        return any(found is not None and found.part for found in map(self._at, self._keys(runs)))

    def _keys(self, runs: Sequence[str]) -> list[tuple[str, str]]:
        return [(rule.id, run) for rule in self.rules for run in runs]

    def _at(self, key: tuple[str, str]) -> RuleResult | None:
        return self._found.get(key)


def rules_of(base: Run) -> list[RuleOf]:
    """The rules with a short name that judge the base's task, and its own rule in front where that has none."""
    from stepscope.app.services.rescoring import rules_for
    from stepscope.core.scoring.named_rules import NAMED_RULES

    titles = {rule.id: rule.title for rule in NAMED_RULES}
    named = [RuleOf(name, titles[name], scoring) for name, scoring in rules_for(base).items()]
    own = scoring_rules.own_as_written(base)
    if any(rule.scoring == own for rule in named):
        return named
    return [RuleOf(OWN, own.words, own), *named]


def read_under(database: Database, run: Run, scoring: Scoring) -> RuleResult:
    """A run's stored scores under a rule."""
    from stepscope.core.evaluation.column_metrics import column_metrics
    from stepscope.core.scoring.options import parse_options
    from stepscope.core.scoring.registry import run_scorer
    from stepscope.core.store.columns import SCORED, load_columns
    from stepscope.core.store.queries import items

    with database.reading() as db:
        known = scoring_rules.stored_scoring(db, run.id, scoring)
    if known is None or not known.items:
        return RuleResult(why=scoring_rules.NOT_SCORED, part=True)
    if (why := scoring_rules.version_warning(known)) and not known.own:
        return RuleResult(why=why, part=True)
    if known.items < run.done:
        return RuleResult(why=f"{known.items} of {run.done} items are scored under it so far.", part=True)
    scorer = run_scorer(scoring.protocol)
    columns = load_columns(database, run.id, known.id, index=False)
    verdicts = np.where(columns.status == SCORED, columns.right, NO_SCORE).astype(np.int8)
    metrics = column_metrics(columns, scorer, parse_options(scorer.info, dict(scoring.options)))
    values = metrics.as_dict()
    main = scorer.info.main_of(values)
    why = ""
    if not metrics.n:
        with database.reading() as db:
            rows = items(db, run.id, show="unscored", scoring_id=known.id, limit=1).rows
        why = rows[0].score.why if rows else "No item could be scored."
    return RuleResult(values.get(main), metric_title(main), verdicts, why)


@dataclass(frozen=True, eq=False)
class FlipSteps:
    """Steps that flip from one rule to another: for each of them the run's place in `runs` and the item's in its
    columns."""

    runs: tuple[tuple[int, RunColumns], ...]
    which: Any
    rows: Any
    right: Any

    def __len__(self) -> int:
        return len(self.rows)

    def number(self, place: int) -> int:
        """The run, 0 for A."""
        return self.runs[int(self.which[place])][0]

    def run(self, place: int) -> str:
        return self.runs[int(self.which[place])][1].run_id

    def key(self, place: int) -> ItemKey:
        columns, row = self.runs[int(self.which[place])][1], int(self.rows[place])
        return ItemKey(columns.episodes[columns.episode[row]], int(columns.step[row]))

    def now_right(self, place: int) -> bool:
        """Right under the other rule, wrong under the current one."""
        return bool(self.right[place])


def flip_steps(
    table: RuleTable, current: str, other: str, runs: Sequence[tuple[int, Run]], columns_of: ColumnsOf
) -> FlipSteps:
    """All steps that flip for these runs (number and run), by episode and step as the first of them has them."""
    about: list[tuple[int, RunColumns]] = []
    which, rows, right, codes, steps = [], [], [], [], []
    for number, run in runs:
        flips, under = table.flips(current, other, run.id), table.under(other, run.id)
        if flips is None or not len(flips) or under is None:
            continue
        columns = columns_of(run.id, None, run.done)
        first = about[0][1] if about else columns
        which.append(np.full(len(flips), len(about)))
        rows.append(flips)
        right.append(under.verdicts[flips] == 1)
        codes.append(columns.episodes_in(first)[columns.episode[flips]])
        steps.append(columns.step[flips])
        about.append((number, columns))
    if not about:
        return FlipSteps((), *(np.zeros(0, np.intp) for _ in range(3)))
    order = np.lexsort((np.concatenate(which), np.concatenate(steps), np.concatenate(codes)))
    found = (np.concatenate(parts)[order] for parts in (which, rows, right))
    return FlipSteps(tuple(about), *found)
