"""A run as one HTML file to send to somebody: numbers, drawings, settings, and the wrong items with pictures.

The file loads nothing from anywhere. It names the data by its folder's name, not by the path on this machine.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from stepscope.core.domain.link import DeepLink
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.evaluation.breakdown import FieldGroup, by_task, by_type, confusion
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.report_items import ItemContext, predicted_words
from stepscope.core.evaluation.report_numbers import (
    PaperNumber,
    ReportNumbers,
    count_words,
    interval_words,
    number_words,
    numbers_of,
    p_words,
    share_words,
    signed_words,
)
from stepscope.core.evaluation.report_plots import FEW, Figure, figures, interval_svg
from stepscope.core.evaluation.rules import rule_name
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.rule import AggregatingScorer
from stepscope.core.store import queries
from stepscope.core.store.columns import RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources

MAX_PICTURED = 60
"""So many wrong items are shown at most."""

_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}

EvidenceOf = Callable[[Outcome], ItemContext | None]
"""What the data says about an item, with its pictures; None when it cannot be read."""


@dataclass(frozen=True, slots=True)
class WrongItem:
    """One card of the report. `place` says which step, counted from 1 as people do. `pictures` are data URLs; `link`
    opens the step."""

    episode: str
    place: str
    goal: str
    reference: str
    predicted: str
    why: str
    raw: str
    pictures: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    link: str = ""


def render_report(
    database: Database,
    run_id: str,
    *,
    evidence: EvidenceOf | None = None,
    without_evidence: str = "",
    scorer: AggregatingScorer | None = None,
    scoring_id: int | None = None,
    baseline: str | None = None,
    paper: Mapping[str, PaperNumber] | None = None,
    model: ModelInfo | None = None,
    sample: bool = False,
    stand_in: bool = False,
    below_rules: str = "",
    version: str = "",
    data: str = "",
    now: datetime | None = None,
) -> str:
    """The report as HTML, under the run's own rule or another scoring of it.

    `baseline` is a run to compare with; `paper` holds published numbers for this very data by metric. `sample`: the
    data is the project's own; `stand_in`: the model is one; `below_rules`: where it is below a rule on real data. All
    of these are said at the top. `without_evidence` says why there is nothing from the data; `data` is what links call
    it, without which there are none. At most `MAX_PICTURED` wrong items are shown. Raises UsageError for an unknown
    run.
    """
    from jinja2 import Environment, PackageLoader

    numbers = numbers_of(database, run_id, scorer, scoring_id=scoring_id, baseline=baseline, paper=paper)
    columns = load_columns(database, run_id, scoring_id)
    with database.reading() as db:
        page = queries.items(db, run_id, show="wrong", limit=MAX_PICTURED, scoring_id=scoring_id)
        episodes = len(runs.selection(db, run_id))
        goals = _goals(db, numbers.run, page.rows)
    loader = PackageLoader("stepscope.resources", "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.filters.update(_FILTERS)
    return environment.get_template("report.html").render(
        run=numbers.run,
        numbers=numbers,
        metrics=numbers.metrics,
        rule=numbers.scoring.protocol,
        other=_other_words(numbers),
        dots=[interval_svg(one.value, one.interval, one.gap.b if one.gap else None) for one in numbers.lines],
        few=FEW,
        confusion=confusion(columns),
        figures=[*web_figures(columns), *figures(columns)],
        settings=_settings(numbers, episodes, model, version),
        wrong=[
            replace(_wrong(outcome, numbers.run.spec.task, goals, evidence), link=_link(numbers, data, outcome))
            for outcome in page.rows
        ],
        wrong_total=page.total,
        without_evidence=without_evidence,
        sample=sample,
        stand_in=stand_in,
        below_rules=below_rules,
        made=(now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC"),
    )


_FILTERS: dict[str, Callable[..., Any]] = {
    "number": number_words,
    "count": count_words,
    "share": share_words,
    "signed": signed_words,
    "interval": interval_words,
    "p": p_words,
}


def _other_words(numbers: ReportNumbers) -> str:
    """What the run is compared with and over which items, or why it is not; "" without another run."""
    if numbers.other is None:
        return ""
    other = f"{numbers.other.spec.model} (run {numbers.other.id})"
    found = numbers.comparison
    if found is None:
        return f"Not compared with {other}: {numbers.why_not}"
    apart = [f"{count_words(count)} {words}" for count, words in (
        (len(found.only_a), "only in this run"), (len(found.only_b), "only in the baseline"),
        (len(found.unscored), "unscored in one of the two"),
    ) if count]  # fmt: skip
    left_out = f"; {', '.join(apart)}" if apart else ""
    return (
        f"Baseline: {other}, paired over {count_words(found.n_common)} common items{left_out}. p: McNemar's exact test "
        "for means of yes or no, else paired draws of whole episodes; Holm: corrected for all metrics."
    )


def _goals(db: Session, run: Run, rows: tuple[Outcome, ...]) -> dict[str, str]:
    """Goals by episode, as far as the index still knows them."""
    source = sources.find(db, run.spec.source)
    if source is None:
        return {}
    found = sources.summaries(db, source.id, list(dict.fromkeys(row.key.episode for row in rows)))
    return {summary.id: summary.goal for summary in found}


def _wrong(outcome: Outcome, task: Task, goals: Mapping[str, str], evidence: EvidenceOf | None) -> WrongItem:
    key, prediction = outcome.key, outcome.prediction
    found = evidence(outcome) if evidence is not None else None
    if found is None:
        goal = goals.get(key.episode, "")
        found = ItemContext(reference=goal) if task is Task.GOAL else ItemContext(goal)
    return WrongItem(
        episode=key.episode,
        place=f"step {key.step + 1}" if key.step >= 0 else "whole episode",
        goal=found.goal,
        reference=found.reference or outcome.reference.replace("_", " "),
        predicted=predicted_words(prediction),
        why=outcome.score.why,
        raw=prediction.raw,
        pictures=tuple(filter(None, map(_embedded, found.pictures))),
        columns=found.columns,
        rows=found.rows,
    )


def _link(numbers: ReportNumbers, data: str, outcome: Outcome) -> str:
    """Opens the item's step with the run over it, under the report's rule where that has a short name."""
    key, rule = outcome.key, rule_name(numbers.scoring) or ""
    return str(DeepLink(data, key.episode, max(key.step, 0), ("A",), rule, (numbers.run.id,))) if data else ""


def _embedded(data: bytes) -> str:
    """A data URL, "" for what is neither PNG, JPEG nor WebP."""
    kind = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), None)
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" if kind else ""


def _settings(numbers: ReportNumbers, episodes: int, model: ModelInfo | None, version: str) -> list[tuple[str, str]]:
    run, scoring = numbers.run, numbers.scoring
    spec = run.spec
    rows = [
        ("Run", run.id),
        ("Task", spec.task.value),
        ("Model", spec.model),
        *_model_rows(model),
        ("Predictions", Path(spec.predictions).name),
        ("Data", f"{Path(spec.source).name} ({spec.format})"),
        ("Split", spec.split),
        ("Limit", "" if spec.limit is None else str(spec.limit)),
        ("Chosen", f"{count_words(episodes)} episode{'s' * (episodes != 1)}" if episodes else ""),
        ("Filter", spec.filter or "none"),
        ("Named", f"{count_words(spec.chosen)} one by one" if spec.chosen is not None else ""),
        ("Items", "all of the run"),
        ("Rule", _rule_words(numbers)),
        ("Protocol", f"{scoring.protocol}, version {numbers.version}" if numbers.version else scoring.protocol),
        ("Options", ", ".join(f"{name} = {value}" for name, value in scoring.options)),
        ("Seed", str(spec.seed)),
        ("Device", spec.device),
        ("Runtime", "" if spec.runtime == "auto" else spec.runtime),
        ("Started", run.created.strftime("%Y-%m-%d %H:%M UTC")),
        ("Stepscope", _version_words(run, version)),
        ("Note", run.note),
    ]
    return [(name, value) for name, value in rows if value]


def _model_rows(model: ModelInfo | None) -> list[tuple[str, str]]:
    if model is None:
        return []
    inputs = ", ".join(map(str, model.inputs))
    about = [model.title, f"version {model.version}", "" if model.runtime == "none" else f"runs on {model.runtime}"]
    return [
        ("Model is", ", ".join(filter(None, about))),
        ("Model from", model.source),
        ("Model looks at", inputs),
        ("Trained on", model.trained_on or ""),
    ]


def _rule_words(numbers: ReportNumbers) -> str:
    from stepscope.core.scoring.named_rules import NAMED_RULES

    name = rule_name(numbers.scoring)
    return next((f"{rule.id}: {rule.title}" for rule in NAMED_RULES if rule.id == name), "")


def _version_words(run: Run, version: str) -> str:
    """The version that ran it, and the one that made this report where it is another."""
    ran = run.spec.code_version
    return f"{ran} (report: {version})" if ran and version and ran != version else ran or version


def web_figures(columns: RunColumns) -> list[Figure]:
    """The figures of a run over web tasks; none for another run, or one without a scored field."""
    if columns.task is not Task.WEBTASK:
        return []
    types, tasks = by_type(columns), sorted(by_task(columns), key=lambda task: (task.pages < FEW, task.mean))
    if not types:
        return []
    return [
        _figure("Mean by type of field", "Whiskers: 95 % bootstrap over tasks.", types),
        _figure("Mean by task", "Worst first. Whiskers: 95 % Wilson interval, pages as draws; pale: few pages.", tasks),
    ]


def _figure(title: str, about: str, groups: Sequence[FieldGroup]) -> Figure:
    fields = sum(group.fields for group in groups)
    return Figure(
        title,
        f"{count_words(fields)} scored fields. {about}",
        ("", "Mean", "95 % interval", "Pages", "Fields"),
        tuple(map(_row, groups)),
        bars=tuple(interval_svg(group.mean, group.interval) for group in groups),
        few=tuple(group.pages < FEW for group in groups),
    )


def _row(group: FieldGroup) -> tuple[str, ...]:
    between = " – ".join(map(number_words, group.interval)) if group.interval is not None else "–"
    return group.name, number_words(group.mean), between, count_words(group.pages), count_words(group.fields)
