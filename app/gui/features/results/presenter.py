"""A run's results in the words of the results' pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.gui.shell.run_words import DRAWS, metric_title, source_name, title_of
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.provenance import not_a_finding
from stepscope.core.domain.affordance import AffordanceAnswer, allowed_words
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    Task,
)
from stepscope.core.domain.run import Outcome, Run, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.domain.walk import WalkAnswer, walk_words
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.results.result_rows import ItemRow, MetricRow, ResultDetails, RuleRow

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.run_results import Results
    from stepscope.app.services.published_numbers import PublishedComparison
    from stepscope.app.services.run_costs import RunCosts
    from stepscope.core.evaluation.comparison import Comparison
    from stepscope.core.evaluation.rescore import RuleMetrics
    from stepscope.core.scoring.paired_tests import Difference
    from stepscope.core.scoring.rule import ProtocolInfo


WRONG_PAGES = "A page is wrong when its score is below 1: one field that is not fully right is enough."


def result_details(found: Results, letters: RunLetters, names: Mapping[str, str]) -> ResultDetails:
    """`letters` are those of the runs that are shown on the run's data, `names` those of all runs."""
    run, metrics, info = found.run, found.metrics, found.info
    compared = found.baseline.comparison if found.baseline else None
    gaps = {gap.metric: gap for gap in compared.differences} if compared else {}
    intervals = dict(metrics.intervals)
    main = info.main_of(metrics.as_dict()) if info is not None else ""
    clusters = min((n for _name, n in metrics.counts if n), default=metrics.n)
    papers = _papers(found)
    parts = {label: part.as_dict() for label, part in found.by_feasibility.items()}
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
            of_feasible=parts[FeasibilityLabel.FEASIBLE].get(name) if parts else None,
            of_infeasible=parts[FeasibilityLabel.INFEASIBLE].get(name) if parts else None,
            paper=papers[name].value if name in papers else None,
            paper_source=papers[name].words if name in papers else "",
            paper_elsewhere=name in papers and papers[name].elsewhere,
            why=why_none(name, metrics) if value is None else "",
        )
        for name, value in sorted(metrics.values, key=lambda pair: (pair[1] is None, pair[0] != main))
    )
    options = ", ".join(f"{name}={value}" for name, value in found.scorings[found.rule].options)
    state = "" if run.state is RunState.DONE else f"{run.state.value}: {run.done} of {run.total or '?'} items."
    note = f"Bootstrap over episodes, {DRAWS:,} draws, seed 0."
    wrong = WRONG_PAGES if run.spec.task is Task.WEBTASK else ""
    return ResultDetails(
        id=run.id,
        name=names.get(run.id) or title_of(run),
        data=source_name(run),
        letter=letters.get(run.id),
        items=run.done,
        unscored=metrics.unscored,
        malformed=metrics.malformed,
        null=metrics.null,
        errors=metrics.errors,
        no_finding=not_a_finding(run),
        below_rules=found.below_rules,
        metrics=rows,
        baseline=letters.get(found.baseline.run) if found.baseline and compared else None,
        note=" ".join(
            filter(
                None,
                (
                    state,
                    run.message,
                    wrong,
                    _defect_words(found),
                    _baseline_words(found, names),
                    _seed_words(found),
                    note,
                    options,
                ),
            )
        ),
    )


NO_ACTIONS = "The model only asks: without actions no step is right or wrong"
WHY_NONE = {
    "ssr": NO_ACTIONS,
    "sr": NO_ACTIONS,
    "ssr_before": "No step comes before a question that was due",
    "ssr_after": "No step comes after a question that was due",
    "ask_precision": "It never asked",
    "ask_recall": "No question was due",
    "ask_f1": "No question was due, and none was asked",
    "ask_fpr": "A question was due at every step",
    "meteor": "It asked nothing where a question was due",
    "average_precision": "An answer has no P(infeasible), or no goal is infeasible",
}
"""Why a metric has no value where items were scored."""


def why_none(name: str, metrics: Metrics) -> str:
    """Why there is no value for a metric of these."""
    values = metrics.as_dict()
    if not metrics.n:
        return "No item is scored"
    if name.startswith("ssr_") and values.get("ssr") is None:
        return NO_ACTIONS
    if name == "cos_sim":
        no_pair = values.get("meteor") is None
        return WHY_NONE["meteor"] if no_pair else "No sentence model was there to compare the questions"
    return WHY_NONE.get(name, "No item has what it is made of")


def _papers(found: Results) -> dict[str, PublishedComparison]:
    """The papers' numbers by metric, under the rule that is shown."""
    from stepscope.app.services.published_numbers import beside_run

    if found.info is None:
        return {}
    return beside_run(found.run, found.scorings[found.rule], found.info.metrics, left_out=found.left_out)


def item_row(
    position: int, outcome: Outcome, own: ShownVerdict | None = None, goals: Mapping[str, str] = MappingProxyType({})
) -> ItemRow:
    """`own` is the verdict under the run's own rule; it is shown where this one differs. `goals` by episode."""
    prediction = outcome.prediction
    said = _answer_words(prediction)
    step = None if outcome.key.step < 0 else outcome.key.step
    verdict = verdict_of(outcome.score)
    return ItemRow(
        position, outcome.key.episode, step, verdict, outcome.score.value, outcome.score.why, said,
        outcome.reference.replace("_", " "), goals.get(outcome.key.episode, ""),
        before=own if own is not verdict else None,
    )  # fmt: skip


def rule_row(key: str, row: RuleMetrics, info: ProtocolInfo | None) -> RuleRow:
    """A run under one rule; `info` is about the rule where the run has all its scores under it."""
    metrics = row.metrics
    if metrics is None or info is None:
        return RuleRow(key, row.title, own=row.own, why=row.why)
    values, intervals = metrics.as_dict(), dict(metrics.intervals)
    main = info.main_of(values)
    return RuleRow(
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
        tip=", ".join(f"{metric_title(name)} {value:.3f}" for name, value in metrics.values if value is not None),
        left_out=row.left_out,
    )


def _difference_words(gap: Difference, compared: Comparison) -> str:
    """Interval, test and correction, for the tooltip."""
    test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap over episodes"
    parts = [f"Over {words.counted(compared.n_common, 'common item')}.", f"95 % interval of the difference: "
             f"{words.interval(gap.ci)}." if gap.ci else "", f"p by {test}.",
             f"Holm-corrected: {words.p_value(gap.p_holm)}." if gap.p_holm is not None else ""]  # fmt: skip
    return " ".join(filter(None, parts))


def _baseline_words(found: Results, names: Mapping[str, str]) -> str:
    """What the comparison is about, and what it leaves out."""
    baseline = found.baseline
    if baseline is None:
        return ""
    name = names.get(baseline.run, "another run")
    if baseline.comparison is None:
        return f"Not compared with {name}: {baseline.why}"
    compared = baseline.comparison
    apart = [f"{words.count(number)} only in {whose}" for number, whose in
             ((len(compared.only_a), "this run"), (len(compared.only_b), "the baseline")) if number]  # fmt: skip
    apart += [f"{words.count(len(compared.unscored))} unscored in one"] if compared.unscored else []
    left_out = f" ({', '.join(apart)})" if apart else ""
    return f"Compared with {name} over {words.counted(compared.n_common, 'common item')}{left_out}."


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
        case FeasibilityAnswer(label, score, reason=reason):
            said = label.value if reason is None else f"{label.value} ({reason.value})"
            return said if score is None else f"{said}, P(infeasible) {score:.2f}"
        case GoalAnswer(text):
            return text
        case OrderAnswer(order):
            return " → ".join(order)
        case AskAnswer(question):
            return question or "does not ask"
        case FieldsAnswer(fields):
            return ", ".join(f"{name}: {value}" for name, value in fields)
        case WalkAnswer() as walk:
            return walk_words(walk)
        case AffordanceAnswer() as said:
            return allowed_words(said)


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
    from stepscope.core.scoring.registry import run_scorer

    if metrics is None or not metrics.n:
        return ""
    name = run_scorer(run.spec.protocol).info.main_of(metrics.as_dict())
    return f"{metric_title(name)} so far {words.score(metrics.as_dict().get(name))}"


def settings_of(run: Run, costs: RunCosts | None = None) -> tuple[tuple[str, str], ...]:
    """What the run was made with and what it took, in words."""
    from stepscope.app.services.run_costs import costs_rows, machine_rows

    spec = run.spec
    rows = (
        ("Run", run.id),
        ("Task", TASK_TITLES[spec.task]),
        ("Model", spec.model),
        ("Predictions from", spec.predictions),
        ("Data", f"{spec.source} ({spec.format})"),
        ("Split", spec.split or "all"),
        ("Limit", "none" if spec.limit is None else f"{spec.limit:,} episodes"),
        ("Filter", spec.filter or "none"),
        ("Named one by one", "" if spec.chosen is None else f"{spec.chosen:,} episodes"),
        ("Protocol", f"{spec.protocol}, version {spec.scorer_version}"),
        ("Options", ", ".join(f"{name} = {value}" for name, value in spec.options) or "none"),
        ("Seed", str(spec.seed)),
        ("Device", spec.device),
        ("Runtime", "" if spec.runtime == "auto" else spec.runtime),
        ("State", run.state.value),
        ("Started", f"{run.created.astimezone():%Y-%m-%d %H:%M}"),
        *(() if costs is None else costs_rows(run, costs, words.duration)),
        *machine_rows(run),
        ("Stepscope", spec.code_version),
        ("Note", run.note),
        ("Message", run.message),
    )
    return tuple((name, value) for name, value in rows if value)
