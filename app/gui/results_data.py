"""What the results workspace shows of a run under a rule, read from the store in the reader lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.controllers.details import verdict_of
from app.gui.task_titles import TASK_TITLES
from app.provenance import is_sample, is_stand_in
from core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
)
from core.domain.run import Outcome, Run, RunState
from core.domain.score import Metrics
from core.errors import UsageError, UserError
from widgets import format as words
from widgets.common import Verdict
from widgets.common.action_words import action_words
from widgets.results import FlipCounts, ItemRow, ItemsFilter, MetricRow, ResultDetails, RuleChoice, RuleRow

if TYPE_CHECKING:
    from app.published import Beside
    from core.evaluation.comparison import Comparison, SeedSummary
    from core.evaluation.defects import MetricsBeside
    from core.evaluation.rescore import Changes, Scoring
    from core.scoring.paired import Difference
    from core.scoring.rule import ProtocolInfo
    from core.store.engine import Database
    from core.store.queries import RunCounts

DRAWS = 1000
"""Bootstrap draws of an interval, over whole episodes; the seed is 0."""
OWN = "own"
"""Key of the rule under which the run was made, where that rule has no short name."""


@dataclass(frozen=True, slots=True)
class Results:
    """A run under one rule. `scorings` are the rules that can be put to it, by their key in the protocol box; `rule` is
    the key of the one shown and `scoring_id` its scores, None for the run's own. `totals` counts the items by filter.

    `info` is None for a rule that is not known here: such a run has counts but no metrics.
    """

    run: Run
    metrics: Metrics
    counts: RunCounts
    info: ProtocolInfo | None
    rule: str
    own: str
    choices: tuple[RuleChoice, ...]
    scorings: Mapping[str, Scoring]
    totals: Mapping[ItemsFilter, int]
    scoring_id: int | None = None
    flips: FlipCounts | None = None
    baseline: Baseline | None = None
    seeds: SeedSummary | None = None
    beside: MetricsBeside | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Baseline:
    """The run that a run is compared with: its id and name, and the comparison or why there is none."""

    run: str
    name: str
    comparison: Comparison | None
    why: str = ""


def still_there(database: Database, run_id: str) -> bool:
    """Whether the store has the run: another program may delete one."""
    from core.store.repositories import runs

    with database.reading() as db:
        return runs.exists(db, run_id)


def load_results(
    database: Database, run_id: str, rule: str = "", others: Sequence[str] = (), *, without_defects: bool = False
) -> Results:
    """The run, its metrics with intervals, its counts; everything computed from the stored scores. `rule` "" is the
    run's own; one that the run has no scores under is shown as the own one too. The first of the runs `others` that is
    about the same data is its baseline. `without_defects`: the metrics leave out what people called defective."""
    from core.evaluation.defects import defective, metrics_of
    from core.evaluation.rescore import changes
    from core.evaluation.rules import canonical, outdated, own_as_written
    from core.scoring.options import parse_options
    from core.scoring.registry import run_scorer
    from core.store.queries import run_counts, scores, scorings

    with database.reading() as db:
        counts = run_counts(db, run_id)
        known = {canonical(one): one for one in scorings(db, run_id)}
    run = counts.run
    own = own_as_written(run)
    book, titles = _rules_for(run, own, list(known))
    own_key = next(key for key, scoring in book.items() if scoring == own)
    whole = {key for key, scoring in book.items()
             if scoring in known and known[scoring].items >= run.done and not outdated(known[scoring])}  # fmt: skip
    shown = rule if rule in whole else own_key
    stored = known.get(book[shown])
    scoring_id = None if shown == own_key or stored is None else stored.id
    with database.reading() as db:
        rows = scores(db, run_id, scoring_id)
    scorer = run_scorer(book[shown].protocol)
    options = parse_options(scorer.info, dict(book[shown].options))
    with database.reading() as db:
        defects = defective(db, run.spec.source)
    beside = metrics_of(rows, defects, scorer, options, bootstrap=DRAWS)
    metrics = beside.without if without_defects else beside.every
    flips = None
    if scoring_id is not None:
        flips = _flip_counts(changes(database, run_id, book[shown]), titles[shown], titles[own_key])
    every, right = beside.every, sum(score.right for _, _, score in rows)
    choices = tuple(RuleChoice(key, titles[key], key in whole or key == own_key, key == own_key) for key in book)
    return Results(
        run,
        metrics,
        counts,
        scorer.info,
        shown,
        own_key,
        choices,
        book,
        _totals(run, every, right, flips),
        scoring_id=scoring_id,
        flips=flips,
        baseline=_baseline(database, run, others, book[shown]),
        seeds=_seeds(database, run) if shown == own_key else None,
        beside=beside,
        left_out=without_defects,
    )


def _flip_counts(found: Changes, rule: str, own: str) -> FlipCounts:
    now_right = sum(flip.after.right for flip in found.flips)
    apart = len(found.only_before), len(found.only_after)
    return FlipCounts(rule, own, now_right, len(found.flips) - now_right, *apart)


def _totals(run: Run, metrics: Metrics, right: int, flips: FlipCounts | None) -> dict[ItemsFilter, int]:
    """How many items each filter leaves."""
    return {
        ItemsFilter.ALL: run.done,
        ItemsFilter.WRONG: metrics.n - right,
        ItemsFilter.RIGHT: right,
        ItemsFilter.MALFORMED: metrics.malformed,
        ItemsFilter.NULL: metrics.null,
        ItemsFilter.UNSCORED: metrics.unscored,
        ItemsFilter.ERRORS: metrics.errors,
        ItemsFilter.FLIPS: flips.flips if flips else 0,
    }


def _baseline(database: Database, run: Run, others: Sequence[str], scoring: Scoring) -> Baseline | None:
    """The comparison with the first of the others that is about the same data."""
    from core.evaluation.comparison import compare_runs
    from core.store.repositories import runs

    for other in others:
        try:
            with database.reading() as db:
                found = runs.get(db, other)
        except UsageError:  # deleted in this moment
            continue
        if other == run.id or (found.spec.source, found.spec.task) != (run.spec.source, run.spec.task):
            continue
        try:
            return Baseline(other, title_of(found), compare_runs(database, run.id, other, scoring=scoring, draws=DRAWS))
        except UserError as error:
            return Baseline(other, title_of(found), None, error.message)
    return None


def _seeds(database: Database, run: Run) -> SeedSummary | None:
    """The run with its like of other seeds; None when there are none, or it is not done itself."""
    from core.evaluation.comparison import seed_summary, siblings

    others = siblings(database, run) if run.state is RunState.DONE else []
    return seed_summary(database, [run.id, *(other.id for other in others)]) if others else None


def _rules_for(run: Run, own: Scoring, known: list[Scoring]) -> tuple[dict[str, Scoring], dict[str, str]]:
    """Rules by key and their titles: the run's own, those for its task with a short name, and others it was scored
    under."""
    from app.rescoring import rules_for
    from core.scoring.named_rules import RULES

    named = rules_for(run)
    titles = {rule.id: rule.title for rule in RULES}
    book = dict(named)
    if own not in named.values():
        book = {OWN: own, **book}
        titles[OWN] = own.words
    for scoring in known:
        if scoring not in book.values():
            book[scoring.words] = scoring
            titles[scoring.words] = scoring.words
    return book, titles


def rule_rows(database: Database, run_id: str) -> tuple[RuleRow, ...]:
    """The run's scores under all rules."""
    from core.evaluation.rescore import Scoring, rule_table
    from core.scoring.registry import record_scorer

    rows = []
    for row in rule_table(database, run_id, bootstrap=DRAWS):
        key = row.rule or (OWN if row.own else Scoring(row.protocol, row.options).words)
        metrics = row.metrics
        if metrics is None or row.part:
            rows.append(RuleRow(key, row.title, own=row.own, why=row.why))
            continue
        values, intervals = metrics.as_dict(), dict(metrics.intervals)
        main = record_scorer(row.protocol).info.main_of(values)
        rows.append(
            RuleRow(
                key,
                row.title,
                metric_title(main),
                values.get(main),
                intervals.get(main) if metrics.n_of(main) > 1 else None,
                metrics.n,
                metrics.unscored,
                metrics.malformed,
                metrics.null,
                metrics.errors,
                flips=row.flips,
                own=row.own,
                scored=True,
                why=row.why,
                tip=", ".join(
                    f"{metric_title(name)} {value:.3f}" for name, value in metrics.values if value is not None
                ),
            )
        )
    return tuple(rows)


def result_details(found: Results, letters: Sequence[str]) -> ResultDetails:
    """`letters` are the runs shown as A, B, …"""
    run, metrics, info = found.run, found.metrics, found.info
    compared = found.baseline.comparison if found.baseline else None
    gaps = {gap.metric: gap for gap in compared.differences} if compared else {}
    intervals = dict(metrics.intervals)
    main = info.main_of(metrics.as_dict()) if info is not None else ""
    clusters = min((n for _name, n in metrics.counts), default=metrics.n)
    papers = _papers(found)
    rows = tuple(
        MetricRow(
            metric_title(name),
            value,
            intervals.get(name) if clusters > 1 else None,  # one episode says nothing about its like
            metrics.n_of(name),
            lower_is_better=info is not None and name in info.lower_is_better,
            main=name == main,
            baseline=gaps[name].b if name in gaps else None,
            difference=gaps[name].difference if name in gaps else None,
            p=gaps[name].p if name in gaps else None,
            difference_tip=_difference_words(gaps[name], compared) if compared and name in gaps else "",
            paper=papers[name].value if name in papers else None,
            paper_source=papers[name].words if name in papers else "",
            paper_elsewhere=name in papers and papers[name].elsewhere,
        )
        for name, value in metrics.values
    )
    options = ", ".join(f"{name}={value}" for name, value in found.scorings[found.rule].options)
    state = "" if run.state is RunState.DONE else f"{run.state.value}: {run.done} of {run.total or '?'} items."
    note = f"Bootstrap over episodes, {DRAWS:,} draws, seed 0."
    return ResultDetails(
        id=run.id,
        name=title_of(run),
        data=source_name(run),
        letter=letters.index(run.id) if run.id in letters else None,
        items=run.done,
        unscored=metrics.unscored,
        malformed=metrics.malformed,
        null=metrics.null,
        errors=metrics.errors,
        stand_in=is_stand_in(run),
        metrics=rows,
        baseline=letters.index(found.baseline.run) if found.baseline and compared else None,
        note=" ".join(
            filter(
                None,
                (state, run.message, _defect_words(found), _baseline_words(found), _seed_words(found), note, options),
            )
        ),
    )


def _papers(found: Results) -> dict[str, Beside]:
    """The papers' numbers by metric, under the rule that is shown."""
    from app.published import beside_run

    if found.info is None:
        return {}
    return beside_run(found.run, found.scorings[found.rule], found.info.metrics, left_out=found.left_out)


def read_items(
    database: Database, run_id: str, show: str, scoring_id: int | None, offset: int, limit: int
) -> list[ItemRow]:
    """One page of items under a rule; where another than the run's own is shown, with the verdicts that it changes."""
    from core.store.queries import items, verdicts

    with database.reading() as db:
        page = items(db, run_id, show=show, offset=offset, limit=limit, scoring_id=scoring_id)  # type: ignore[arg-type]
        own: dict[tuple[str, int], Verdict] = {}
        if scoring_id is not None:
            found = verdicts(db, [run_id], sorted({outcome.key.episode for outcome in page.rows}))
            own = {(episode, one.step): Verdict(one.verdict.value)
                   for episode, by_run in found.items() for one in by_run.get(run_id, ())}  # fmt: skip
    return [
        item_row(offset + place, outcome, own.get((outcome.key.episode, outcome.key.step)))
        for place, outcome in enumerate(page.rows)
    ]


def item_row(position: int, outcome: Outcome, own: Verdict | None = None) -> ItemRow:
    """`own` is the verdict under the run's own rule; it is shown where this one differs."""
    prediction = outcome.prediction
    said = _answer_words(prediction)
    step = None if outcome.key.step < 0 else outcome.key.step
    verdict = verdict_of(outcome.score)
    return ItemRow(
        position, outcome.key.episode, step, verdict, outcome.score.value, outcome.score.why, said,
        outcome.reference.replace("_", " "), before=own if own is not verdict else None,
    )  # fmt: skip


def _difference_words(gap: Difference, compared: Comparison) -> str:
    """Interval, test and correction, for the tooltip."""
    test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap over episodes"
    parts = [f"Over {words.counted(compared.n_common, 'common item')}.", f"95 % interval of the difference: "
             f"{words.interval(gap.ci)}." if gap.ci else "", f"p by {test}.",
             f"Holm-corrected: {words.p_value(gap.p_holm)}." if gap.p_holm is not None else ""]  # fmt: skip
    return " ".join(filter(None, parts))


def _baseline_words(found: Results) -> str:
    """What the comparison is about, and what it leaves out."""
    baseline = found.baseline
    if baseline is None:
        return ""
    if baseline.comparison is None:
        return f"Not compared with {baseline.name}: {baseline.why}"
    compared = baseline.comparison
    apart = [f"{words.count(number)} only in {whose}" for number, whose in
             ((len(compared.only_a), "this run"), (len(compared.only_b), "the baseline")) if number]  # fmt: skip
    apart += [f"{words.count(len(compared.unscored))} unscored in one"] if compared.unscored else []
    left_out = f" ({', '.join(apart)})" if apart else ""
    return f"Compared with {baseline.name} over {words.counted(compared.n_common, 'common item')}{left_out}."


def _defect_words(found: Results) -> str:
    """The main metric the other way: with what people called defective, or without."""
    beside = found.beside
    if beside is None or not beside.defective or found.info is None:
        return ""
    other, how = (beside.every, "With") if found.left_out else (beside.without, "Without")
    items = words.counted(beside.defective, "defective item")
    main = found.info.main_of(other.as_dict())
    return f"{how} the {items} {metric_title(main)} is {words.score(other.as_dict().get(main))}."


def _answer_words(prediction: Prediction) -> str:
    """What was answered, short."""
    match prediction.answer:
        case None:
            return f"({prediction.status})"
        case ActionAnswer(action):
            return action_words(action).exact
        case FeasibilityAnswer(label, score):
            return label.value if score is None else f"{label.value}, P(infeasible) {score:.2f}"
        case GoalAnswer(text):
            return text
        case OrderAnswer(order):
            return " → ".join(order)
        case AskAnswer(question):
            return question or "does not ask"
        case FieldsAnswer(fields):
            return ", ".join(f"{name}: {value}" for name, value in fields)


def _seed_words(found: Results) -> str:
    """The main metric over trainings that differ in their seed only."""
    if found.seeds is None or found.info is None:
        return ""
    over = dict(found.seeds.metrics).get(found.info.main)
    if over is None or over.mean is None:
        return ""
    mean, deviation = words.score(over.mean), words.score(over.deviation)
    return f"{over.n} seeds: mean {metric_title(found.info.main).lower()} {mean}, SD {deviation}."


def so_far_words(run: Run, metrics: Metrics | None) -> str:
    """The main metric of a run at work, "" before there is one."""
    from core.scoring.registry import run_scorer

    if metrics is None or not metrics.n:
        return ""
    name = run_scorer(run.spec.protocol).info.main_of(metrics.as_dict())
    return f"{metric_title(name)} so far {words.score(metrics.as_dict().get(name))}"


def settings_of(run: Run) -> tuple[tuple[str, str], ...]:
    """What the run was made with, in words."""
    spec = run.spec
    rows = (
        ("Run", run.id),
        ("Task", TASK_TITLES[spec.task]),
        ("Model", spec.model),
        ("Predictions from", spec.predictions),
        ("Data", f"{spec.source} ({spec.format})"),
        ("Split", spec.split or "all"),
        ("Limit", "none" if spec.limit is None else f"{spec.limit:,} episodes"),
        ("Protocol", f"{spec.protocol}, version {spec.scorer_version}"),
        ("Options", ", ".join(f"{name} = {value}" for name, value in spec.options) or "none"),
        ("Seed", str(spec.seed)),
        ("Device", spec.device),
        ("State", run.state.value),
        ("Started", f"{run.created.astimezone():%Y-%m-%d %H:%M}"),
        ("Stepscope", spec.code_version),
        ("Note", run.note),
        ("Message", run.message),
    )
    return tuple((name, value) for name, value in rows if value)


def metric_title(name: str) -> str:
    """step_accuracy as Step accuracy."""
    return name.replace("_", " ").capitalize().replace(" f1", " F1")


def title_of(run: Run) -> str:
    return f"{run.spec.model} · {run.spec.protocol}"


def source_name(run: Run) -> str:
    return "Sample" if is_sample(run.spec.source) else Path(run.spec.source).name


def when_words(moment: datetime) -> str:
    """today 14:02, or the date."""
    local, now = moment.astimezone(), datetime.now().astimezone()
    return f"today {local:%H:%M}" if local.date() == now.date() else f"{local.day} {local:%b}"
