"""Runs beside each other, out of their columns in the reader lane: who can be compared, how far they are apart, and
which steps lie in each of the four cells of a pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.shell.run_words import DRAWS, noun_of
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.run import ItemKey, Run
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.named_rules import MatchingRule

if TYPE_CHECKING:
    from stepscope.core.evaluation import defects as step_defects
    from stepscope.core.evaluation import rules as scoring_rules
    from stepscope.core.evaluation.breakdown import PairedComparison
    from stepscope.core.evaluation.rules import Scoring
    from stepscope.core.scoring import registry as scorers
    from stepscope.core.scoring.paired_tests import Difference
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories.scorings import StoredScoring
else:
    step_defects = lazy_module("stepscope.core.evaluation.defects")
    scoring_rules = lazy_module("stepscope.core.evaluation.rules")
    scorers = lazy_module("stepscope.core.scoring.registry")

DIFFERS = "differs"
"""In the place of a cell's name: the steps that just one of the two has right."""
CELLS = ("both_right", "only_a", "only_b", "both_wrong", DIFFERS)
NO_ITEMS = "no item of it is done yet"
_WHOLE = 2
"""Width of an episode's keys where no item is about a step."""

Summaries = Mapping[str, EpisodeSummary]
"""Index rows of episodes by id."""
ColumnsOf = Callable[[str, int | None, int], "RunColumns"]
"""The columns of a run under a scoring of it (None: its own), of which it has so many items."""


@dataclass(frozen=True, eq=False)
class RunStanding:
    """A run in the comparison: `gap` is what it has more than the base in the metric that stands for the rule, None for
    the base and for a run that cannot be compared; `why` it cannot."""

    run: Run
    gap: Difference | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class BaselineComparison:
    """Runs against their base under one rule. `columns` are those of the base and of all that can be compared with it;
    `score` is the base's own. `chosen`: the rule is the one that was asked for, or that does not judge this task."""

    base: Run
    score: float | None
    metric: str
    lower_is_better: bool
    standings: tuple[RunStanding, ...]
    columns: Mapping[str, RunColumns]
    scoring: Scoring
    chosen: bool
    left_out: bool = False

    @property
    def noun(self) -> str:
        return noun_of(self.base)

    def others(self) -> list[str]:
        """The runs that are compared with the base."""
        return [one.run.id for one in self.standings if one.run.id in self.columns and one.run.id != self.base.id]


@dataclass(frozen=True, eq=False)
class RunPair:
    """Two runs on the same items. `places` has for each compared run its item for each of a's items, -1 for none;
    `p` is McNemar's, exact."""

    a: str
    b: str
    columns: RunColumns
    versus: PairedComparison
    places: Mapping[str, Any]
    p: float | None
    _kept: dict[str, StepsOf] = field(default_factory=dict, repr=False)

    def count(self, which: str) -> int:
        return int(np.count_nonzero(getattr(self.versus, which)))

    def steps(self, which: str) -> StepsOf:
        """The items of a cell (both_right, only_a, only_b, both_wrong) or of DIFFERS."""
        if which not in self._kept:
            found = self.versus
            part = found.only_a | found.only_b if which == DIFFERS else getattr(found, which)
            self._kept[which] = StepsOf.of(self.columns, found.a[part])
        return self._kept[which]


@dataclass(frozen=True, eq=False)
class StepsOf:
    """Items of a run's columns, by episode and step: `rows` are their indices, `keys` rise with them. Where items are
    about whole episodes any step stands for its episode."""

    columns: RunColumns
    rows: Any
    keys: Any
    width: int

    @classmethod
    def of(cls, columns: RunColumns, rows: Any) -> StepsOf:
        width = int(columns.step.max(initial=-1)) + _WHOLE + 1  # room for a step behind the last one
        keys = columns.episode[rows].astype(np.int64) * width + columns.step[rows] + 1
        order = np.argsort(keys, kind="stable")
        return cls(columns, rows[order], keys[order], width)

    def __len__(self) -> int:
        return len(self.rows)

    def key(self, place: int) -> ItemKey:
        row = int(self.rows[place])
        return ItemKey(self.columns.episodes[self.columns.episode[row]], int(self.columns.step[row]))

    def place_of(self, episode: str, step: int) -> int:
        """Where the step stands among these, -1 where it is none of them."""
        key = self._key_of(episode, step)
        if key is None:
            return -1
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self.keys) and self.keys[place] == key else -1

    def next_to(self, episode: str, step: int, way: int) -> int:
        """The next (1) or previous (-1) of these after a step that need not be one of them, -1 for none. Of an episode
        that the run does not have: the first or the last."""
        if not len(self.keys):
            return -1
        key = self._key_of(episode, step)
        if key is None:
            return 0 if way > 0 else len(self.keys) - 1
        if way > 0:
            place = int(np.searchsorted(self.keys, key, side="right"))
            return place if place < len(self.keys) else -1
        return int(np.searchsorted(self.keys, key)) - 1

    def _key_of(self, episode: str, step: int) -> int | None:
        try:
            first = self.columns.episodes.index(episode) * self.width
        except ValueError:
            return None
        return first + (0 if self.width == _WHOLE else min(step + 1, self.width - 1))


def why_apart(base: Run, other: Run) -> str:
    """Why two runs cannot be compared whatever the rule, "" when nothing speaks against it."""
    if other.spec.task is not base.spec.task:
        return f"another task: {TASK_TITLES[other.spec.task].lower()}"
    return "" if other.spec.source == base.spec.source else "about other data"


def load_compared(
    database: Database,
    run_ids: Sequence[str],
    base_id: str,
    rule: MatchingRule,
    columns_of: ColumnsOf,
    *,
    without_defects: bool = False,
    draws: int = DRAWS,
) -> BaselineComparison | None:
    """The runs against their base: under `rule` where most of them are scored by it, else under the base's own rule.
    Intervals by so many `draws`, 0 for none. None when the base is gone, or nothing of it is done."""
    from stepscope.core.evaluation.comparison import compare_columns

    found = _runs(database, run_ids)
    base = next((run for run in found if run.id == base_id), None)
    if base is None or not base.done:
        return None
    apart = {run.id: why_apart(base, run) or ("" if run.done else NO_ITEMS) for run in found}
    fitting = [run for run in found if not apart[run.id]]
    scoring, chosen, known = _common_rule(database, base, fitting, rule)
    with database.reading() as db:
        defects = step_defects.defective(db, base.spec.source) if without_defects else step_defects.Defects()
    columns = {run.id: columns_of(run.id, known[run.id].id, run.done) for run in fitting if run.id in known}
    version = known[base.id].version
    scorer = scorers.run_scorer(scoring.protocol)
    standings, score, main = [RunStanding(base)], None, ""
    for run in found:
        if run.id == base.id:
            continue
        why = apart[run.id] or _why_not(scoring, known.get(run.id), version)
        if why:
            columns.pop(run.id, None)
            standings.append(RunStanding(run, None, why))
            continue
        gaps = compare_columns(scoring, columns[run.id], columns[base.id], draws=draws, defects=defects).differences
        main = main or scorer.info.main_of({gap.metric: gap.b for gap in gaps})
        gap = next(gap for gap in gaps if gap.metric == main)
        score = gap.b if score is None else score
        standings.append(RunStanding(run, gap))
    if not main:
        main, score = _score_of(columns[base.id], scoring, None if not defects else defects.mask_of(columns[base.id]))
    lower = main in scorer.info.lower_is_better
    ordered = tuple(sorted(standings, key=lambda one: run_ids.index(one.run.id)))
    return BaselineComparison(base, score, main, lower, ordered, columns, scoring, chosen, without_defects)


def load_pair(database: Database, compared: BaselineComparison, a: str, b: str) -> RunPair:
    """Two of the compared runs item by item."""
    from stepscope.core.evaluation.breakdown import versus
    from stepscope.core.evaluation.breakdown.matching import places
    from stepscope.core.scoring.paired_tests import mcnemar

    first, second = compared.columns[a], compared.columns[b]
    mask = None
    if compared.left_out:
        with database.reading() as db:
            mask = step_defects.defective(db, compared.base.spec.source).mask_of(first)
    found = versus(first, second, mask, None)
    where = {run: places(first, columns) for run, columns in compared.columns.items()}
    p = mcnemar(found.right_a.astype(np.float64), found.right_b.astype(np.float64))
    pair = RunPair(a, b, first, found, where, p)
    for which in CELLS:
        pair.steps(which)  # here rather than in the GUI thread
    return pair


def _runs(database: Database, run_ids: Sequence[str]) -> list[Run]:
    """Those that are still there, in this order."""
    from stepscope.core.store.repositories import runs

    with database.reading() as db:
        return [runs.get(db, run) for run in run_ids if runs.exists(db, run)]


def _common_rule(
    database: Database, base: Run, fitting: Sequence[Run], rule: MatchingRule
) -> tuple[Scoring, bool, dict[str, StoredScoring]]:
    """The rule under which most of the runs have all their scores, the base among them; whether it is the one that was
    asked for (or that judges another task); and each run's scores under it."""
    from stepscope.app.services.rescoring import rules_for

    asked = rules_for(base).get(rule.id)
    best: tuple[Scoring, bool, dict[str, StoredScoring]] | None = None
    for scoring in (asked, scoring_rules.own_as_written(base)):
        if scoring is None:
            continue
        known = {run.id: one for run in fitting if (one := whole_scores(database, run, scoring)) is not None}
        if base.id in known and (best is None or len(known) > len(best[2])):
            best = scoring, asked is None or scoring == asked, known
    if best is None:
        raise UsageError(f"Run {base.id} has no scores under its own rule.", hint="Score it again.")
    return best


def whole_scores(database: Database, run: Run, scoring: Scoring) -> StoredScoring | None:
    """The run's scores under the rule, when it has one for every item that is done."""
    with database.reading() as db:
        known = scoring_rules.stored_scoring(db, run.id, scoring)
    return known if known is not None and known.items >= run.done else None


def _why_not(scoring: Scoring, known: StoredScoring | None, version: str) -> str:
    if known is None:
        return f"not scored under {scoring_rules.rule_title(scoring)} yet"
    return "" if known.version == version else f"scored by version {known.version} of the rule, the base by {version}"


def _score_of(columns: RunColumns, scoring: Scoring, mask: Any) -> tuple[str, float | None]:
    """Name and value of the metric that stands for the rule."""
    from stepscope.core.evaluation.column_metrics import column_metrics
    from stepscope.core.scoring.options import parse_options

    scorer = scorers.run_scorer(scoring.protocol)
    values = column_metrics(columns, scorer, parse_options(scorer.info, dict(scoring.options)), mask).as_dict()
    main = scorer.info.main_of(values)
    return main, values.get(main)


def summaries(database: Database, source: str, keys: Sequence[ItemKey]) -> Summaries:
    """Summaries of the steps' episodes; none for data that is not in the index, where `source` is its path."""
    from stepscope.core.store.repositories import sources

    with database.reading() as db:
        known = sources.find(db, source)
        names = list(dict.fromkeys(key.episode for key in keys))
        found = sources.summaries(db, known.id, names) if known is not None else []
    return {summary.id: summary for summary in found}
