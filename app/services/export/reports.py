"""The HTML report of a run with pictures of its wrong items, for both faces."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice

import stepscope.models.registry
from stepscope.app.services.export.run_pictures import RunScreens
from stepscope.app.services.provenance import below_rules_of, is_made_here, is_stand_in, title_of_key
from stepscope.app.services.published_numbers import beside_run
from stepscope.app.services.version import VERSION
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.run import ItemKey, Outcome, Run
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.export import scoring_of_run
from stepscope.core.evaluation.latex import latex_table
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.report import MAX_PICTURED, render_report
from stepscope.core.evaluation.report_items import ItemContext, evidence
from stepscope.core.evaluation.report_numbers import PaperNumber
from stepscope.core.evaluation.rules import canonical
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_webp
from stepscope.core.imaging.parts import Pixels
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

PICTURE_SIZE = Size(360, 800)
"""Pictures of a report are no larger: it is one file to send."""
SMALL_SIZE = Size(320, 240)
"""Of a whole episode the first screens are shown small."""
SMALL_SCREENS = 3
_AHEAD = 16
"""So many items are drawn before the first of them is waited for."""


def report_of(database: Database, run_id: str, *, scoring_id: int | None = None, baseline: str | None = None) -> str:
    """All of `report_steps` at once."""
    steps = report_steps(database, run_id, CancelToken(), scoring_id=scoring_id, baseline=baseline)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return str(end.value)


def report_steps(
    database: Database, run_id: str, token: CancelToken, *, scoring_id: int | None = None, baseline: str | None = None
) -> Generator[Progress, None, str]:
    """The run's report as HTML, under its own rule or another scoring of it, beside another run if one is named; ""
    when it was cancelled. What takes long is drawing the pictures of its wrong items. Without the run's data it has
    none and says why. Raises UsageError for an unknown run."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        wrong = queries.items(db, run_id, show="wrong", limit=MAX_PICTURED, scoring_id=scoring_id).rows
    drawn: dict[ItemKey, ItemContext | None] = {}
    screens: RunScreens | None = None
    why_not = ""
    try:
        screens = RunScreens(database, run, scoring_id)
    except UserError as error:
        wrong, why_not = (), error.message
    meter = ProgressMeter(len(wrong))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        begun = deque[tuple[ItemKey, ItemContext | None, list[Future[bytes]]]]()
        ahead = iter(wrong)
        while screens is not None and meter.done < len(wrong):
            if token.cancelled:
                pool.shutdown(cancel_futures=True)
                return ""
            for outcome in islice(ahead, _AHEAD - len(begun)):
                words = _words(run, screens, outcome)
                pictures = [] if words is None else [pool.submit(_drawn, one) for one in _drawings(screens, outcome)]
                begun.append((outcome.key, words, pictures))
            key, words, pictures = begun.popleft()
            found = tuple(filter(None, (picture.result() for picture in pictures)))
            drawn[key] = None if words is None else replace(words, pictures=found)
            yield meter.advance()
    return render_report(
        database,
        run_id,
        evidence=None if screens is None else lambda outcome: drawn.get(outcome.key),
        without_evidence=why_not,
        scoring_id=scoring_id,
        baseline=baseline,
        paper=_papers(database, run, scoring_id),
        model=_model(run),
        sample=is_made_here(run.spec.source),
        stand_in=is_stand_in(run),
        below_rules=below_rules_of(run),
        version=VERSION,
        data=title_of_key(run.spec.source),
    )


def latex_of(database: Database, run_id: str, *, scoring_id: int | None = None) -> str:
    """The run's metrics as a LaTeX table. Raises UsageError for an unknown run."""
    return latex_table(database, run_id, scoring_id=scoring_id, version=VERSION)


def _papers(database: Database, run: Run, scoring_id: int | None) -> dict[str, PaperNumber]:
    """Papers' numbers on this very data by metric; none beside a stand-in."""
    with database.reading() as db:
        stored = scoring_of_run(db, run.id, scoring_id)
    if stored is None or is_stand_in(run):
        return {}
    rule = canonical(stored)
    try:
        found = beside_run(run, rule, run_scorer(rule.protocol).info.metrics)
    except UsageError:
        return {}
    return {metric: PaperNumber(one.value, one.words) for metric, one in found.items() if not one.elsewhere}


def _model(run: Run) -> ModelInfo | None:
    """What the model says of itself; None for predictions made elsewhere and for one that is not known here."""
    if run.spec.predictions:
        return None
    try:
        return stepscope.models.registry.model_info(run.spec.model)
    except UserError:
        return None


def _words(run: Run, screens: RunScreens, outcome: Outcome) -> ItemContext | None:
    """What the data says about an item, without pictures; None where it cannot be read."""
    try:
        return evidence(run.spec.task, screens.source, outcome, screens.read)
    except UserError:
        return None


def _drawings(screens: RunScreens, outcome: Outcome) -> list[Callable[[], Pixels]]:
    """What draws the step with its marks, or the first screens of the episode; none where there is nothing to draw."""
    try:
        if outcome.key.step >= 0:
            return [screens.step_drawing(outcome, max_size=PICTURE_SIZE)]
        shown = screens.screens(screens.read(outcome.key.episode), SMALL_SCREENS)
    except UserError:
        return []
    return [partial(decode, picture, SMALL_SIZE) for picture in shown]


def _drawn(draw: Callable[[], Pixels]) -> bytes:
    """A WebP file, b"" for a picture that cannot be had."""
    try:
        return encode_webp(draw())
    except UserError:
        return b""
