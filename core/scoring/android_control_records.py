"""Records of `stepscope score android_control`. The format is in docs/protocols/android_control.md; it is read
strictly.

Steps are measured some at a time, so that the boxes of a large file are never all in memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.wire import action_from_json
from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
from stepscope.core.scoring.android_control_actions import encode
from stepscope.core.scoring.android_control_match import (
    PLACED,
    RULE_NAMES,
    AndroidControlAgreement,
    BoolArray,
    ComparedAction,
    FloatArray,
    IntArray,
    ScreenMeasures,
    TapPair,
    Taps,
    compare,
    joined,
    measure,
    named,
)
from stepscope.core.scoring.android_control_released import GUI_R1, ReleasedVerdict, not_counted, verdict
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import NO_PREDICTION, NO_REFERENCE

_STEPS_AT_ONCE = 1 << 12
_LONGEST = 200
"""Letters of a message that may quote what stands in the file."""
NO_PLACE = "The data names the element of the reference, but not where it is."
_NOTHING = AndroidControlAgreement(False, (False,) * 4)


class ControlRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: null."""

    line: int
    episode: fields.Identity
    step: int
    reference: ComparedAction | None
    prediction: ComparedAction | None
    screen: ScreenMeasures
    instruction: str = ""


class RuleColumns(NamedTuple):
    """One rule's verdicts, an entry a step: which it judges, which are right, which are of the right kind, and which
    have a part in its grounding accuracy."""

    scored: BoolArray
    right: BoolArray
    same_kind: BoolArray
    ground: BoolArray


@dataclass(frozen=True, slots=True)
class AndroidControlRecords:
    """A file of records, measured. `answered` says which have a prediction; `ground` which are two placed kinds that
    are equal. `judged` and `right` have one row a rule: which steps the rule can judge, and which it finds right.
    `sides` are reference and prediction as `named` names them, "" where there is none. `released` is what the released
    scorer that was asked for makes of each step."""

    lines: IntArray
    episodes: Sequence[fields.Identity]
    steps: IntArray
    answered: BoolArray
    sides: Sequence[tuple[str, str]]
    same_kind: BoolArray
    ground: BoolArray
    f1: FloatArray
    taps: Taps
    judged: BoolArray
    right: BoolArray
    released: Sequence[ReleasedVerdict | str]

    def under(self, rule: str) -> RuleColumns:
        """The verdicts of one of the four rules, or of the released scorer that the records were read for."""
        if rule in RULE_NAMES:
            place = RULE_NAMES.index(rule)
            return RuleColumns(self.judged[place], self.right[place], self.same_kind, self.ground)
        found = [None if isinstance(one, str) else one for one in self.released]
        columns = [[one is not None and bool(value(one)) for one in found] for value in _VERDICT_COLUMNS]
        return RuleColumns(*(np.array(column, dtype=np.bool_) for column in columns))


_VERDICT_COLUMNS: tuple[Callable[[ReleasedVerdict], bool], ...] = (
    lambda one: True, lambda one: one.right, lambda one: one.same_kind, lambda one: one.ground is not None
)  # fmt: skip


def pair_of(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> TapPair | None:
    """Both places where there are two taps of one kind."""
    if reference.kind != prediction.kind or reference.place is None or prediction.place is None:
        return None
    return TapPair(reference.place, prediction.place, screen)


def judged_by(reference: ComparedAction | None, screen: ScreenMeasures) -> tuple[bool, bool, bool, bool]:
    """Which rules have a verdict: none without a reference or its place, `smallest_box` on a tap not without boxes."""
    if reference is None or (reference.kind in PLACED and reference.place is None):
        return (False,) * 4
    return (reference.kind not in PLACED or screen.boxes is not None, True, True, True)


def released_by(
    scorer: str,
    reference: ComparedAction | None,
    prediction: ComparedAction | None,
    screen: ScreenMeasures,
    instruction: str = "",
) -> ReleasedVerdict | str:
    """The released scorer's verdict, or why it leaves the step out; a prediction that is null is wrong."""
    if reference is None:
        return NO_REFERENCE
    if why := not_counted(scorer, reference.kind):
        return why
    if reference.kind in PLACED and reference.place is None:
        return NO_PLACE
    if prediction is None:
        counted = scorer == GUI_R1 and reference.place is not None  # elsewhere only places of the right kind are
        return ReleasedVerdict(False, False, False if counted else None, NO_PREDICTION)
    return verdict(scorer, reference, prediction, screen, instruction)


@dataclass
class _AndroidControlColumnBuilder:
    """Columns that grow; `agree` and `judged` have four entries a step."""

    scorer: str = ""
    lines: array[int] = field(default_factory=lambda: array("q"))
    steps: array[int] = field(default_factory=lambda: array("q"))
    answered: array[int] = field(default_factory=lambda: array("b"))
    same_kind: array[int] = field(default_factory=lambda: array("b"))
    ground: array[int] = field(default_factory=lambda: array("b"))
    agree: array[int] = field(default_factory=lambda: array("b"))
    judged: array[int] = field(default_factory=lambda: array("b"))
    f1: array[float] = field(default_factory=lambda: array("d"))
    episodes: list[fields.Identity] = field(default_factory=list)
    sides: list[tuple[str, str]] = field(default_factory=list)
    released: list[ReleasedVerdict | str] = field(default_factory=list)

    def add(self, record: ControlRecord) -> TapPair | None:
        """Note all but places; returns what is to be measured where there are two taps of one kind."""
        wanted, answer = record.reference, record.prediction
        words = compare(wanted, answer, record.screen) if wanted and answer else _NOTHING
        self.lines.append(record.line)
        self.steps.append(record.step)
        self.episodes.append(record.episode)
        self.answered.append(answer is not None)
        self.sides.append((named(wanted), named(answer)))
        self.same_kind.append(words.same_kind)
        self.ground.append(words.same_kind and wanted is not None and wanted.kind in PLACED)
        self.agree.extend(words.agree)
        self.f1.append(words.f1)
        self.judged.extend(judged_by(wanted, record.screen))
        if self.scorer:
            self.released.append(released_by(self.scorer, wanted, answer, record.screen, record.instruction))
        return pair_of(wanted, answer, record.screen) if wanted and answer else None

    def sheet(self, parts: Sequence[Taps]) -> AndroidControlRecords:
        def flags(values: array[int], rows: int = 1) -> BoolArray:
            found = np.array(values, dtype=np.bool_).reshape(-1, rows).T
            return found if rows > 1 else found[0]

        taps = joined(parts)
        count = len(RULE_NAMES)
        return AndroidControlRecords(
            lines=np.array(self.lines, dtype=np.int64),
            episodes=self.episodes,
            steps=np.array(self.steps, dtype=np.int64),
            answered=flags(self.answered),
            sides=self.sides,
            same_kind=flags(self.same_kind),
            ground=flags(self.ground),
            f1=np.array(self.f1, dtype=np.float64),
            taps=taps,
            judged=flags(self.judged, count),
            right=flags(self.agree, count) | taps.right(),
            released=self.released,
        )


def read_sheet(records: Records, scorer: str = "") -> AndroidControlRecords:
    """All records, also under a released scorer. Raises UserError with the line of the first bad one."""
    gathered = _AndroidControlColumnBuilder(scorer)
    parts = [measure([gathered.add(record) for record in some]) for some in _some_at_a_time(records)]
    return gathered.sheet(parts or [measure([])])


def read_record(line: int, record: Mapping[str, Any]) -> ControlRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    episode = fields.identity(record, "episode", line)
    step = fields.whole(fields.required(record, "step", line), "step", line)
    size = _size(fields.required(record, "size", line), line)
    boxes = fields.boxes(record, "boxes", line)
    screen = ScreenMeasures(
        (float(size.width), float(size.height)),
        boxes,
        _texts(record.get("texts"), len(boxes or ()) // 4, line),
        fields.boxes(record, "candidates", line),
    )
    reference = _action(fields.required(record, "reference", line), "reference", size, line)
    prediction = _action(fields.required(record, "prediction", line), "prediction", size, line)
    said = record.get("instruction")
    instruction = "" if said is None else fields.text(said, "instruction", line)
    return ControlRecord(line, episode, step, reference, prediction, screen, instruction)


def _some_at_a_time(records: Records) -> Iterator[list[ControlRecord]]:
    each = records.each(read_record)
    while some := list(islice(each, _STEPS_AT_ONCE)):
        yield some


def _size(value: object, line: int) -> Size:
    found = fields.list_of(value, "size", line)
    if len(found) != 2 or any(type(side) is not int or not 0 < side < 2**31 for side in found):
        raise fields.bad_field(
            line, "size", f"must be [width, height] in whole pixels, not {fields.quoted_value(value)}"
        )
    return Size(*found)


def _texts(value: object, count: int, line: int) -> Sequence[str] | None:
    if value is None:
        return None
    found = fields.list_of(value, "texts", line)
    if len(found) != count:
        raise fields.bad_field(line, "texts", f"must have one text a box: {len(found)} texts, {count} boxes")
    return ["" if text is None else fields.text(text, f"texts[{i}]", line) for i, text in enumerate(found)]


def _action(form: object, side: Literal["reference", "prediction"], size: Size, line: int) -> ComparedAction | None:
    """One side of a record; None for null."""
    if form is None:
        return None
    try:
        return encode(action_from_json(fields.mapping(form, side, line), size), size)
    except ValueError as error:
        raise fields.bad_field(line, side, f"is no action: {str(error)[:_LONGEST]}") from error
