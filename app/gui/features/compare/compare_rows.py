"""Rows of a comparison's lists, read page by page, and the lanes of actions side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.app.gui.features.compare.compare_data import RunPair, StepsOf
from stepscope.app.gui.features.compare.compare_rules import FlipSteps
from stepscope.app.gui.shell.answers import short_words
from stepscope.app.gui.shell.judging import JudgedEpisode
from stepscope.app.gui.shell.step_words import element_words, verdict_of
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.domain.run import ItemKey
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.compare import AlignedCell, AlignedLane, AlignedStep, DifferenceRow, FlipRow

if TYPE_CHECKING:
    from stepscope.core.domain.episode import EpisodeSummary
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database

CSV_HEAD = ("run", "model", "episode", "step", "goal", "rule", "verdict", "other_rule", "other_verdict")
PAGE = 500

Shown = Sequence[tuple[int, str]]
"""Runs by their number (0 is A) and id."""


def verdict_at(columns: RunColumns, row: int) -> ShownVerdict:
    """What came of the item at an index of the columns."""
    from stepscope.core.store.columns import ERROR, UNSCORED

    status = int(columns.status[row])
    if status == ERROR:
        return ShownVerdict.ERROR
    if status == UNSCORED:
        return ShownVerdict.UNSCORED
    if columns.malformed[row]:
        return ShownVerdict.NULL if columns.null[row] else ShownVerdict.MALFORMED
    return ShownVerdict.HIT if columns.right[row] else ShownVerdict.MISS


def difference_rows(
    database: Database, source: str, pair: RunPair, columns: Mapping[str, RunColumns], steps: StepsOf, page: range,
    shown: Shown,
) -> list[DifferenceRow]:  # fmt: skip
    """The rows of a page; `page` are places in `steps`, `source` is the path of the data."""
    keys = [steps.key(place) for place in page]
    about = _summaries(database, source, keys)
    rows = []
    for place, key in zip(page, keys, strict=True):
        verdicts = []
        for number, run in shown:
            row = int(pair.places[run][steps.rows[place]]) if run in pair.places else -1
            verdicts.append((number, verdict_at(columns[run], row) if row >= 0 else None))
        rows.append(DifferenceRow(key, _goal(key, about), _where(key, about), tuple(verdicts)))
    return rows


def flip_rows(database: Database, source: str, flips: FlipSteps, page: range) -> list[FlipRow]:
    """The rows of a page of what flips."""
    keys = [flips.key(place) for place in page]
    about = _summaries(database, source, keys)
    return [
        FlipRow(key, flips.number(place), _goal(key, about), _where(key, about), *_turn(flips.now_right(place)))
        for place, key in zip(page, keys, strict=True)
    ]


def flip_table(
    database: Database, source: str, flips: FlipSteps, models: Mapping[str, str], rules: tuple[str, str]
) -> Iterator[tuple[str, ...]]:
    """The lines of a CSV file; `rules` are the current one and the other, `models` names by run."""
    yield CSV_HEAD
    for first in range(0, len(flips), PAGE):
        page = range(first, min(first + PAGE, len(flips)))
        keys = [flips.key(place) for place in page]
        about = _summaries(database, source, keys)
        for place, key in zip(page, keys, strict=True):
            before, after = _turn(flips.now_right(place))
            run = flips.run(place)
            cells = (run, models[run], key.episode, "" if key.step < 0 else str(key.step), _goal(key, about))
            yield (*cells, rules[0], before.word, rules[1], after.word)


def aligned(
    episode: Episode, judged: JudgedEpisode, names: Sequence[str], rule: MatchingRule
) -> tuple[tuple[AlignedStep, ...], tuple[AlignedLane, ...], str]:
    """Reference and runs, a column for each step of the episode, and which runs lack steps.

    Every stored answer belongs to a step of the data, so that runs are aligned by it, however many steps they answer.
    """
    steps = []
    for step in episode.steps:
        words = action_words(step.action, element=_plain(element_words(step, step.action)))
        steps.append(AlignedStep(words.icon, f"{words.word} {words.detail}".strip()))
    lanes = [_lane(number, name, judged, episode, rule) for number, name in _named(judged, names)]
    notes = []
    for lane, name in zip(lanes, names, strict=False):
        asked = sum(step.action is not None for step in episode.steps)
        there = sum(cell is not None for cell in lane.cells)
        if lane.cells and there < asked:
            missing = "nothing here" if not there else f"no answer for {asked - there} of {asked} steps"
            notes.append(f"{name}: {missing}")
    return tuple(steps), tuple(lanes), " · ".join(notes)


def action_said(step: Step, prediction: Prediction | None) -> str:
    """What a run does at a step, with its coordinates."""
    if prediction is None:
        return ""
    action = _action_of(prediction)
    if action is None:
        return f"nothing usable ({prediction.status})" if prediction.answer is None else "does nothing"
    return action_words(action).exact


def _named(judged: JudgedEpisode, names: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(names[: len(judged.runs)]))


def _lane(number: int, name: str, judged: JudgedEpisode, episode: Episode, rule: MatchingRule) -> AlignedLane:
    run = judged.runs[number]
    whole = judged.whole(run)
    if whole is not None:
        return AlignedLane(number, name, words=short_words(whole), verdict=verdict_of(whole.score))
    return AlignedLane(number, name, tuple(_cell(judged, run, step, rule) for step in episode.steps))


def _cell(judged: JudgedEpisode, run: str, step: Step, rule: MatchingRule) -> AlignedCell | None:
    prediction, score = judged.prediction(run, step.index), judged.score(rule, run, step.index)
    if prediction is None or score is None:
        return None
    action = _action_of(prediction)
    if action is None:
        said = "asks" if isinstance(prediction.answer, AskAnswer) and prediction.answer.question else "no action"
        return AlignedCell(said, verdict_of(score), score.why)
    words = action_words(action, element=_plain(element_words(step, action)))
    return AlignedCell(f"{words.word} {words.detail}".strip(), verdict_of(score), score.why)


def _action_of(prediction: Prediction) -> Action | None:
    answer = prediction.answer
    return answer.action if isinstance(answer, AskAnswer) else prediction.action


def _plain(element: str) -> str:
    """`#id “text”` as its text, where it has one: lanes are narrow."""
    _name, quoted, rest = element.partition(" “")
    return rest.removesuffix("”") if quoted else element


def _summaries(database: Database, source: str, keys: Sequence[ItemKey]) -> dict[str, EpisodeSummary]:
    """Index rows of the steps' episodes, by id; none for data that is not in the index."""
    from stepscope.core.store.repositories import sources

    with database.reading() as db:
        known = sources.find(db, source)
        names = list(dict.fromkeys(key.episode for key in keys))
        found = sources.summaries(db, known.id, names) if known is not None else []
    return {summary.id: summary for summary in found}


def _goal(key: ItemKey, about: Mapping[str, EpisodeSummary]) -> str:
    summary = about.get(key.episode)
    return summary.goal if summary and summary.goal else key.episode


def _where(key: ItemKey, about: Mapping[str, EpisodeSummary]) -> str:
    if key.step < 0:
        return "whole episode"
    summary = about.get(key.episode)
    return f"step {key.step + 1}" + (f" of {summary.steps}" if summary else "")


def _turn(now_right: bool) -> tuple[ShownVerdict, ShownVerdict]:
    return (ShownVerdict.MISS, ShownVerdict.HIT) if now_right else (ShownVerdict.HIT, ShownVerdict.MISS)
