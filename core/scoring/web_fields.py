"""The `fields` protocol: web tasks as TurkingBench scores them, field by field, for record files and evaluations.

One field's rule is in `web_fields_match`; rules and marks in docs/protocols/fields.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.prediction import FieldsAnswer, Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.domain.webtask import FieldType, WebField, task_of
from stepscope.core.scoring import fields
from stepscope.core.scoring.fields import Identity
from stepscope.core.scoring.grouping import numbered
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
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
from stepscope.core.scoring.statistics import FloatArray, group_sums, quotient, ratio
from stepscope.core.scoring.tally import IntArray, Tally
from stepscope.core.scoring.web_fields_match import OFFICIAL, PAPER, Answer, score_field

INFO = ProtocolInfo(
    name="fields",
    title="TurkingBench web tasks",
    task=Task.WEBTASK,
    version="2",
    source="TurkingBench (Xu et al. 2024), section 3.5, and its released evaluation",
    options=(
        Option("rules", OFFICIAL, "checkboxes and ranges as the released evaluation scores them, or as the paper "
               "describes them", "code", (OFFICIAL, PAPER)),
    ),
    metrics=("score",),
    unit="task",
    main="score",
    rules=(
        Rule("text, textarea and hidden: the best ROUGE-L F over the answers, words stemmed; identical strings are 1, "
             '"&amp;" reads as "&" on both sides, and empty answers are dropped.', "code"),
        Rule("In text fields an answer that is nan, {} or '{}' is an empty one, also beside real answers, and numbers "
             'are evened out on both sides ("1.0" and "1e0" are "1", "3.50" is "3.5").', "code"),
        Rule("A text field is unscored when all its answers are empty.", "code"),
        Rule("radio and select: 1 when equal to the majority answer, else 0; the vote is over the answers as they "
             "stand, of equally many the first seen.", "code"),
        Rule('Only the comparison of choices evens out numbers ("1.0" is "1"), case, ASCII punctuation and white '
             'space. Dropping punctuation makes "-2" equal "2" and "a|bc" equal "ab|c".', "code"),
        Rule('checkbox, rules=official: the ticked values sorted and joined with "|", compared with each answer like '
             "a choice; the best counts.", "code"),
        Rule("checkbox, rules=paper: intersection over union of the chosen and the answered values, the best over the "
             "answers.", "paper"),
        Rule("range, rules=official: 1 - mean |gold - prediction| / the largest absolute value among golds and "
             "prediction; not floored, so -5 and 5 give -1; all zero is 1.", "code"),
        Rule("range, rules=paper: mean |gold - prediction| divided by the largest gold, subtracted from 1, at least 0.",
             "paper"),
        Rule("With rules=paper a range whose largest gold is 0 or less is unscored.", "ours"),
        Rule("A range with anything that is no number: mean over the answers of being equal as choices are.", "code"),
        Rule("No answers or only empty ones, other than text: 1 for an empty prediction, else 0.", "code"),
        Rule("A null prediction is wrong, on an empty reference too, and malformed; a null answer is an empty one. A "
             'JSON number is read as text in its shortest form (1.00 is "1.0"); in other fields than texts "nan" is an '
             "ordinary string.", "ours"),
        Rule("Numbers are evened out as doubles, so long ids that differ in their last digits only are equal; whole "
             "numbers in text fields keep all their digits.", "ours"),
        Rule("A task's score is the mean over the scored fields of all its instances; by_type is the mean over all "
             "scored fields of a type.", "code"),
        Rule("score is the mean over tasks, and an instance's the mean over its scored fields, ranges included (the "
             "released code books 1 for them there).", "ours"),
        Rule("In an evaluation a field that the answer does not name was left empty, and a page that nobody filled in "
             "is unscored. A field that the page itself did not have when it was loaded is unscored.", "ours"),
    ),
)  # fmt: skip

_STATISTICS = {"score": ratio(2, 3)}
"""The columns are those of `_tally_of_sums`."""

NOT_THERE = "The page does not have this field."
"""Why a field is unscored that the page itself did not have when it was loaded."""

_NAMED = 5
_COUNT = "{}_fields"
"""Name of the part of a score that counts the fields of a type."""


class FilledPage(NamedTuple):
    """The fields of a page and what each worker left in them; no workers: there is no reference."""

    fields: tuple[WebField, ...]
    answers: tuple[Mapping[str, str], ...]


class WebFieldsScorer(RecordScorer, AggregatingScorer):
    """Scorer of `fields`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        rules = str(options["rules"])
        found = [_judged(record, rules) for record in records.each(read_record, exact=True)]
        values = np.array([np.nan if one.value is None else one.value for one in found], dtype=np.float64)
        tasks, task_count = numbered(one.task for one in found)
        instances, instance_count = numbered((one.task, one.instance) for one in found)
        kinds = np.array([TYPES.index(one.type) for one in found], dtype=np.int64)
        task_means = _means(tasks, values, task_count)
        instance_means = _means(instances, values, instance_count)
        kind_means = _means(kinds, values, len(TYPES))
        tally = _tally(tasks, values, task_count)
        null = sum(one.null for one in found)
        return RecordScores(
            tally=tally,
            n=int(np.isfinite(values).sum()),
            unscored=int(np.isnan(values).sum()),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row], instance_means[instances[row]])),
            extra={
                "by_type": {TYPES[kind]: _shown(kind_means[kind]) for kind in sorted(set(kinds.tolist()))},
                "by_task": dict(zip(_names(one.task for one in found), map(_shown, task_means), strict=True)),
            },
            counts={"score": tally.units},
        )

    def score_item(self, reference: FilledPage, prediction: Prediction, options: Options) -> Score:
        """One page: the mean over its scored fields, at least 0. A field that the answer does not name was left empty;
        those that the page did not have are not scored.

        The parts hold for each type the sum of its fields' scores (`radio`) and their number (`radio_fields`).
        """
        answer = prediction.answer if isinstance(prediction.answer, FieldsAnswer) else None
        missing = () if answer is None else _missing(reference, answer)
        found = list(_page_scores(reference, answer, str(options["rules"])))
        if not found:
            return Score.unscored(_nothing_scored(reference, missing))
        parts: dict[str, float] = {}
        for kind, value in found:
            count = _COUNT.format(kind)
            parts[kind], parts[count] = parts.get(kind, 0.0) + value, parts.get(count, 0.0) + 1
        if answer is None:
            return unusable(prediction, **parts)
        values = [value for _, value in found]
        mean, right = sum(values) / len(values), sum(value == 1 for value in values)
        why = f"{right} of {len(values)} fields right, {mean:.2f} on average.{_not_there(missing)}"
        return Score(ScoreStatus.SCORED, max(0.0, mean), why, parts=tuple(parts.items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Units are the tasks that the instances' ids name."""
        of_episode, count = numbered(map(task_of, items.names))
        tasks = of_episode[items.unit]
        total = np.nansum(items.parts(*TYPES), axis=1)
        number = np.nansum(items.parts(*map(_COUNT.format, TYPES)), axis=1)
        tally = _tally_of_sums(group_sums(tasks, total, count), group_sums(tasks, number, count), tasks)
        return tally, {"score": tally.units}


def _page_scores(page: FilledPage, answer: FieldsAnswer | None, rules: str) -> Iterator[tuple[str, float]]:
    """Type and score of each field that can be scored."""
    if not page.answers:
        return
    values = {} if answer is None else dict(answer.fields)
    missing = () if answer is None else answer.missing
    for field in page.fields:
        if field.name in missing:
            continue
        reference = [worker.get(field.name, "") for worker in page.answers]
        value, _ = score_field(field.type, reference, None if answer is None else values.get(field.name, ""), rules)
        if value is not None:
            yield field.type.value, value


def _missing(page: FilledPage, answer: FieldsAnswer) -> tuple[str, ...]:
    return tuple(field.name for field in page.fields if field.name in answer.missing)


def _nothing_scored(page: FilledPage, missing: Sequence[str]) -> str:
    if page.answers and missing and len(missing) == len(page.fields):
        return NOT_THERE if len(missing) == 1 else "The page has none of its fields."
    return f"No field of the page has an answer to compare with.{_not_there(missing)}"


def _not_there(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    names = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
    return f" Not scored, for the page does not have {'it' if len(missing) == 1 else 'them'}: {names}."


class _FieldRecordVerdict(NamedTuple):
    """A record that was judged; `value` None: unscored."""

    line: int
    task: Identity
    instance: Identity
    field: Identity
    type: str
    value: float | None
    null: bool
    why: str


def _judged(record: WebFieldRecord, rules: str) -> _FieldRecordVerdict:
    if record.reference is None:
        value, why = None, "No reference."
    else:
        value, why = score_field(record.type, record.reference, record.prediction, rules)
    null = value is not None and record.prediction is None
    return _FieldRecordVerdict(record.line, record.task, record.instance, record.field, record.type, value, null, why)


def _detail(found: _FieldRecordVerdict, instance: float) -> Mapping[str, Any]:
    return {
        "record": found.line,
        "task": found.task,
        "instance": found.instance,
        "field": found.field,
        "type": found.type,
        "status": "unscored" if found.value is None else "scored",
        "malformed": found.null,
        "null": found.null,
        "score": found.value,
        "instance_score": _shown(instance),
        "why": found.why,
    }


def _tally(tasks: IntArray, values: FloatArray, count: int) -> Tally:
    """One unit for each task with a scored field: sum of scores, fields, task score, 1."""
    scored = np.isfinite(values)
    fields = np.bincount(tasks[scored], minlength=count)
    present = fields > 0
    number = np.cumsum(present) - 1
    total = group_sums(tasks[scored], values[scored], count)[present]
    return _tally_of_sums(total, fields[present].astype(np.float64), np.where(scored, number[tasks], -1))


def _tally_of_sums(total: FloatArray, fields: FloatArray, unit_of: IntArray) -> Tally:
    """A tally out of the sum of scores and the number of fields of each task, none of them without a field."""
    sums = np.stack([total, fields, total / fields, np.ones(len(fields))], axis=1)
    return Tally(sums, _STATISTICS, unit_of)


def _means(groups: IntArray, values: FloatArray, count: int) -> FloatArray:
    """Mean of each group's scored values, NaN where there is none."""
    scored = np.isfinite(values)
    total = group_sums(groups[scored], values[scored], count)
    return quotient(total, group_sums(groups[scored], np.ones(int(scored.sum())), count))


def _shown(mean: float) -> float | None:
    return None if np.isnan(mean) else float(mean)


def _names(tasks: Iterable[Identity]) -> list[str]:
    """Keys for the different tasks, in order of first appearance; 7 beside "7" is told apart."""
    known = dict.fromkeys(tasks)
    return [task if isinstance(task, str) else f"{task} (number)" if str(task) in known else str(task)
            for task in known]  # fmt: skip


TYPES = tuple(kind.value for kind in FieldType)


class WebFieldRecord(NamedTuple):
    """`reference` has one answer for each worker; None: unscored. `prediction` None: malformed."""

    line: int
    task: fields.Identity
    instance: fields.Identity
    field: fields.Identity
    type: str
    reference: list[Answer] | None
    prediction: Answer


def read_record(line: int, record: Mapping[str, Any]) -> WebFieldRecord:
    """Raises UserError with the line and the bad field."""
    kind = fields.one_of(fields.required(record, "type", line), TYPES, "type", line)
    reference = fields.required(record, "reference", line)
    prediction = fields.required(record, "prediction", line)
    several = kind == FieldType.CHECKBOX
    if reference is not None:
        for place, answer in enumerate(fields.list_of(reference, "reference", line)):
            _check(answer, f"reference[{place}]", line, several)
    _check(prediction, "prediction", line, several)
    return WebFieldRecord(
        line,
        fields.identity(record, "task", line),
        fields.identity(record, "instance", line),
        fields.identity(record, "field", line),
        kind,
        reference,
        prediction,
    )


def _check(answer: object, name: str, line: int, several: bool) -> None:
    """Refuse what is no value; `several`: a list of values is one too."""
    if answer is None or type(answer) is str:
        return
    if several and type(answer) is list:
        for place, value in enumerate(answer):
            _check(value, f"{name}[{place}]", line, several=False)
    elif type(answer) is int or type(answer) is float:
        fields.number(answer, name, line)
    else:
        allowed = "text, a number, a list of them or null" if several else "text, a number or null"
        raise fields.bad_field(line, name, f"must be {allowed}, not {fields.quoted_value(answer)}")
