"""Makes of core values what the start page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.run_words import when_words
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.app.services.provenance import source_title
from stepscope.app.services.recent import RecentData, told_apart
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.geometry import Region
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.overlay import RunMarks, build_marks
from stepscope.widgets import format as formats
from stepscope.widgets.screen import ScreenContent, ScreenPicture
from stepscope.widgets.start import RecentDataRow, RecentRunRow, SampleAnswer, SampleStep

if TYPE_CHECKING:
    from stepscope.widgets.results.result_rows import RunListRow

RUNS_SHOWN = 4
RECORDINGS = "recording"


@dataclass(frozen=True)
class ReadSample:
    """The sample's episode at a step, its picture, and what the runs answered in it, by the names of their models."""

    episode: Episode
    step: int
    picture: ScreenPicture | None
    outcomes: Mapping[str, Mapping[ItemKey, Outcome]]


def sample_step(read: ReadSample, region: Region | None = None) -> SampleStep:
    """The step as each of the runs did it, the first of them run A."""
    episode, step = read.episode, read.episode.steps[read.step]
    layers = DEFAULT_LAYERS.without(Layer.TOLERANCE)
    answers = []
    for letter, (model, by_key) in enumerate(read.outcomes.items()):
        here = by_key[ItemKey(episode.id, step.index)]
        marks = build_marks(step, [RunMarks(letter, here.prediction, here.score)], region, layers)
        verdicts = [
            verdict_of(by_key[key].score) for one in episode.steps if (key := ItemKey(episode.id, one.index)) in by_key
        ]
        screen = ScreenContent(step.observation.size, read.picture, marks, read.step + 1, len(episode.steps))
        said = f"Step {read.step + 1} of {len(episode.steps)}. {model}: {verdict_of(here.score).word}. {here.score.why}"
        answers.append(SampleAnswer(letter, model, tuple(verdicts), verdict_of(here.score), screen, said))
    place = f"step {read.step + 1} of {len(episode.steps)}"
    app = formats.app_name(episode.app) if episode.app else ""
    return SampleStep(episode.goal, ", ".join(filter(None, (app, place))), tuple(answers))


def data_rows(
    found: Sequence[RecentData], times: Mapping[str, str], pinned: Sequence[str]
) -> tuple[RecentDataRow, ...]:
    """What was opened, the pinned first."""
    parents = told_apart([one.path for one in found])
    rows = [
        RecentDataRow(
            path=one.path,
            title=source_title(Path(one.path)),
            detail=" · ".join(filter(None, (parents[one.path], one.format_title))),
            steps="" if one.steps is None else formats.counted(one.steps, "step"),
            runs=one.runs,
            skipped=one.skipped,
            when=_when(times.get(one.path, "")),
            pinned=one.path in pinned,
            there=one.there,
            is_recording=one.format_name == RECORDINGS,
        )
        for one in found
    ]
    return tuple(sorted(rows, key=lambda row: not row.pinned))


def _when(moment: str) -> str:
    try:
        return when_words(datetime.fromisoformat(moment)) if moment else ""
    except ValueError:
        return ""


def run_rows(rows: Sequence[RunListRow]) -> tuple[RecentRunRow, ...]:
    """The latest runs that are not put away; `value` says how far one came that stopped."""
    return tuple(_run_row(row) for row in [row for row in rows if not row.archived][:RUNS_SHOWN])


def _run_row(row: RunListRow) -> RecentRunRow:
    whole = row.metric
    if row.state.resumable or row.at_work:
        whole = f"{formats.count(row.done)} of {formats.count(row.total)}" if row.total else row.state.value
    return RecentRunRow(
        id=row.id,
        title=row.name,
        detail="Sample · shipped with it" if row.shipped else row.group,
        letter=row.letter,
        is_new=row.is_new,
        resumable=row.state.resumable,
        value=whole,
        when="not a finding" if row.shipped else f"stopped, {row.when}" if row.state.resumable else row.when,
        doubt=row.doubt,
    )
