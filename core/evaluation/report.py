"""A run as one HTML file to send to somebody: numbers, settings, confusions, and the wrong steps with pictures.

The file loads nothing from anywhere. It names the data by its folder's name, not by the path on this machine.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.orm import Session

from core.domain.action import Action, Finish, PressKey, Scroll, action_end, action_point, action_text
from core.domain.prediction import Prediction
from core.domain.run import Outcome, Run
from core.evaluation.runs import run_metrics
from core.scoring.rule import StepScorer
from core.store import queries
from core.store.engine import Database
from core.store.queries import Confusion
from core.store.repositories import sources

MAX_PICTURED = 60
DRAWS = 1000
"""Bootstrap draws of whole episodes for the intervals."""
FEW = 10
"""Below so many items a number is shown as resting on few."""

_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}

PictureOf = Callable[[str, int], bytes | None]
"""PNG or JPEG of an episode's step, with marks drawn or without; None when there is none."""


@dataclass(frozen=True, slots=True)
class WrongStep:
    """One card of the report. `step` counts from 1 as people do."""

    episode: str
    step: int
    goal: str
    reference: str
    predicted: str
    why: str
    raw: str
    picture: str


def render_report(
    database: Database,
    run_id: str,
    *,
    picture: PictureOf | None = None,
    scorer: StepScorer | None = None,
    sample: bool = False,
    stand_in: bool = False,
    version: str = "",
    now: datetime | None = None,
) -> str:
    """The report as HTML. `sample`: the data is the project's own; `stand_in`: the model is one. Both are said at the
    top. At most `MAX_PICTURED` wrong steps are shown. Raises UsageError for an unknown run."""
    from jinja2 import Environment, PackageLoader

    run, metrics = run_metrics(database, run_id, scorer, bootstrap=DRAWS)
    with database.reading() as db:
        counts = queries.run_counts(db, run_id)
        confusion = queries.confusion(db, run_id)
        page = queries.items(db, run_id, show="wrong", limit=MAX_PICTURED)
        goals = _goals(db, run, page.rows)
    environment = Environment(loader=PackageLoader("resources", "templates"), autoescape=True, trim_blocks=True)
    environment.filters.update(number=number_words, count=count_words)
    return environment.get_template("report.html").render(
        run=run,
        metrics=[(name, value, metrics.n_of(name)) for name, value in metrics.values],
        intervals=dict(metrics.intervals),
        counts=counts,
        scored=metrics.n,
        few=FEW,
        settings=_settings(run, version),
        kinds=_kinds(confusion),
        table={(entry.reference, entry.predicted): entry.count for entry in confusion},
        wrong=[_wrong(outcome, goals, picture) for outcome in page.rows],
        wrong_total=page.total,
        sample=sample,
        stand_in=stand_in,
        made=(now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC"),
    )


def number_words(value: float | None) -> str:
    """A score as it is printed: three places, a dash for none."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def count_words(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def action_words(action: Action) -> str:
    """An action in a few words, places in pixels."""
    words = [action.kind.replace("_", " ")]
    if isinstance(action, Finish):
        words.append(action.status.value)
    if isinstance(action, Scroll):
        words.append(action.direction.value)
    if isinstance(action, PressKey):
        words.append(action.key)
    text, point, end = action_text(action), action_point(action), action_end(action)
    if text is not None:
        words.append(f"“{text}”")
    if point is not None:
        words.append(f"at {point.x:.0f}, {point.y:.0f}")
    if end is not None:
        words.append(f"to {end.x:.0f}, {end.y:.0f}")
    return " ".join(words)


def _goals(db: Session, run: Run, rows: tuple[Outcome, ...]) -> dict[str, str]:
    """Goals by episode, as far as the index still knows them."""
    source = sources.find(db, run.spec.source)
    if source is None:
        return {}
    found = sources.summaries(db, source.id, list(dict.fromkeys(row.key.episode for row in rows)))
    return {summary.id: summary.goal for summary in found}


def _wrong(outcome: Outcome, goals: dict[str, str], picture: PictureOf | None) -> WrongStep:
    key, prediction = outcome.key, outcome.prediction
    return WrongStep(
        episode=key.episode,
        step=key.step + 1,
        goal=goals.get(key.episode, ""),
        reference=outcome.reference.replace("_", " "),
        predicted=_predicted(prediction),
        why=outcome.score.why,
        raw=prediction.raw,
        picture=_embedded(picture(key.episode, key.step) if picture and key.step >= 0 else None),
    )


def _predicted(prediction: Prediction) -> str:
    if prediction.action is not None:
        return action_words(prediction.action)
    return f"nothing usable ({prediction.status.value})" if prediction.answer is None else str(prediction.answer)


def _embedded(data: bytes | None) -> str:
    """A data URL, "" for nothing and for what is neither PNG nor JPEG."""
    if data is None:
        return ""
    kind = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), None)
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" if kind else ""


def _kinds(confusion: list[Confusion]) -> tuple[list[str], list[str]]:
    """Kinds of reference and of predicted actions, the frequent first."""
    references = dict.fromkeys(entry.reference for entry in confusion)
    predicted = dict.fromkeys(entry.predicted for entry in confusion)
    return list(references), [*(kind for kind in references if kind in predicted),
                              *(kind for kind in predicted if kind not in references)]  # fmt: skip


def _settings(run: Run, version: str) -> list[tuple[str, str]]:
    spec = run.spec
    rows = [
        ("Run", run.id),
        ("Task", spec.task.value),
        ("Model", spec.model),
        ("Predictions", Path(spec.predictions).name),
        ("Data", f"{Path(spec.source).name} ({spec.format})"),
        ("Split", spec.split),
        ("Limit", "" if spec.limit is None else str(spec.limit)),
        ("Protocol", f"{spec.protocol} {spec.scorer_version}".strip()),
        ("Options", ", ".join(f"{name} = {value}" for name, value in spec.options)),
        ("Seed", str(spec.seed)),
        ("Device", spec.device),
        ("Started", run.created.strftime("%Y-%m-%d %H:%M UTC")),
        ("Stepscope", version or spec.code_version),
        ("Note", run.note),
    ]
    return [(name, value) for name, value in rows if value]
