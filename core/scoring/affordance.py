"""The `affordance` protocol: which kinds of action each element of a screen allows, for record files and evaluations.

The counts are made in `affordance_match`; rules and marks in docs/protocols/affordance.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stepscope.core.domain.affordance import KINDS, Affordance, AffordanceAnswer, affordance_from_json
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
from stepscope.core.scoring.affordance_match import (
    PARTS,
    STATISTICS,
    AllowedActions,
    counts_of,
    screen_f1,
    screen_parts,
    sums_of,
    why_words,
)
from stepscope.core.scoring.grouping import numbered
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    AggregatingScorer,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, group_sums
from stepscope.core.scoring.tally import IntArray, Tally

NO_REFERENCE = "Nothing is known of what the elements allow."

INFO = ProtocolInfo(
    name="affordance",
    title="Kinds of action that elements allow",
    task=Task.AFFORDANCE,
    version="1",
    source="Stepscope; MoTIF (Burns et al. 2022), section 6, names affordance as future work",
    options=(),
    metrics=tuple(STATISTICS),
    unit="episode",
    main="macro_f1",
    rules=(
        Rule("A screen's elements are classified each by itself: tap, long_press, type, scroll and check are allowed "
             "or not. A kind is predicted from a score of .5 on.", "ours"),
        Rule("What the UI tree declares (clickable, long clickable, editable, scrollable, checkable) is the reference. "
             "Kinds that the data does not tell are left out; a screen of which it tells none is unscored.", "ours"),
        Rule("Precision, recall and F1 of a kind are over all elements of all screens. They have no value where "
             "nothing is counted, so none of a kind that never occurs and is never predicted.", "ours"),
        Rule("KIND_ap is the mean, over screens with an element that allows the kind, of the average precision of the "
             "screen's elements ranked by their scores; equal scores are one threshold.", "ours"),
        Rule("macro_f1 and macro_ap are means over the kinds that occur in the references; micro_* count all kinds "
             "together.", "ours"),
        Rule("screen_accuracy is the share of screens on which every kind of every element is right.", "ours"),
        Rule("done_recall is the share of steps on which what the person did (tap, long press, typing at a place) is "
             "predicted for the element it was done on, whatever the tree declares.", "ours"),
        Rule("An element of which nothing is said is wrong in every kind: missed where it is allowed, too many where "
             "it is not, last or first in the ranking. A null prediction says nothing of any element. What is said of "
             "elements that are not in the reference does not count.", "ours"),
        Rule("The score of one screen is its F1 over all kinds together, 1 where nothing is allowed and nothing "
             "predicted.", "ours"),
    ),
)  # fmt: skip


class AffordanceScorer(RecordScorer, AggregatingScorer):
    """Scorer of `affordance`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(_read))
        scored = [one for one in found if one.parts]
        part = np.array([bool(one.parts) for one in found], np.bool_)
        groups, _ = numbered(one.episode for one in scored)
        unit_of = np.full(len(found), -1, np.int64)
        unit_of[part] = groups
        columns = {name: np.array([one.parts.get(name, np.nan) for one in scored], np.float64) for name in PARTS}
        values = np.array([screen_f1(one.parts) for one in scored], np.float64)
        null = sum(one.null for one in scored)
        sums = sums_of(columns, values)
        return RecordScores(
            tally=_tally(sums, groups, unit_of),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
            extra={"elements": int(sum(one.parts["elements"] for one in scored))},
            counts=counts_of(sums),
        )

    def score_item(self, reference: AllowedActions, prediction: Prediction, options: Options) -> Score:
        """One screen. The parts are those of `screen_parts`."""
        if reference.why:
            return Score.unscored(reference.why)
        answer = prediction.answer
        if not isinstance(answer, AffordanceAnswer):
            return unusable(prediction, **screen_parts(reference, {}))
        parts = screen_parts(reference, {one.element: one.scores for one in answer.elements})
        why = why_words(parts, reference.left_out)
        return Score(ScoreStatus.SCORED, screen_f1(parts), why, parts=tuple(parts.items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Episodes are the units."""
        sums = sums_of({name: items.part(name) for name in PARTS}, items.value)
        return _tally(sums, items.unit, items.unit), counts_of(sums)


def _tally(sums: FloatArray, groups: IntArray, unit_of: IntArray) -> Tally:
    """`sums` has a row for each scored screen, `groups` its episode's number; `unit_of` one for each record."""
    count = int(groups.max(initial=-1)) + 1
    by_episode = np.stack([group_sums(groups, column, count) for column in sums.T], axis=1)
    return Tally(by_episode, STATISTICS, unit_of)


@dataclass(frozen=True, slots=True)
class _AffordanceRecord:
    """`parts` empty: unscored."""

    line: int
    episode: fields.Identity
    step: int
    parts: Mapping[str, float]
    null: bool


def _read(line: int, record: Mapping[str, Any]) -> _AffordanceRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    episode = fields.identity(record, "episode", line)
    step = fields.whole(fields.required(record, "step", line), "step", line)
    reference = fields.required(record, "reference", line)
    given = fields.required(record, "prediction", line)
    said = {} if given is None else _elements(given, "prediction", line)
    told = _kinds(record["told"], "told", line) if record.get("told") is not None else KINDS
    done = None if record.get("done") is None else _done(record["done"], line)
    if reference is None:
        return _AffordanceRecord(line, episode, step, {}, given is None)
    wanted = _elements(reference, "reference", line)
    allowed = {
        element: tuple(kind for kind, score in zip(KINDS, scores, strict=True) if score >= 0.5)
        for element, scores in wanted.items()
    }
    if not allowed or not told:
        return _AffordanceRecord(line, episode, step, {}, given is None)
    known = AllowedActions(allowed, told, done if done is not None and done[0] in allowed else None)
    return _AffordanceRecord(line, episode, step, screen_parts(known, said), given is None)


def _elements(value: object, field: str, line: int) -> dict[int, Sequence[float]]:
    """By element its scores, as predictions are written."""
    try:
        return {one.element: one.scores for one in affordance_from_json(value).elements}
    except ValueError as error:
        raise fields.bad_field(line, field, f"is no answer: {error}") from error


def _kinds(value: object, field: str, line: int) -> tuple[Affordance, ...]:
    named = [fields.one_of(one, tuple(KINDS), field, line) for one in fields.list_of(value, field, line)]
    return tuple(kind for kind in KINDS if kind in named)


def _done(value: object, line: int) -> tuple[int, Affordance]:
    """[element, kind]."""
    pair = fields.list_of(value, "done", line)
    if len(pair) != 2:
        raise fields.bad_field(line, "done", f"must be [element, kind], not {fields.quoted_value(value)}")
    return fields.whole(pair[0], "done", line), Affordance(fields.one_of(pair[1], tuple(KINDS), "done", line))


def _detail(record: _AffordanceRecord) -> Mapping[str, Any]:
    scored = bool(record.parts)
    return {
        "record": record.line,
        "episode": record.episode,
        "step": record.step,
        "status": "scored" if scored else "unscored",
        "score": screen_f1(record.parts) if scored else None,
        "malformed": scored and record.null,
        "null": scored and record.null,
        "why": NO_REFERENCE if not scored else NO_PREDICTION if record.null else why_words(record.parts),
    }
