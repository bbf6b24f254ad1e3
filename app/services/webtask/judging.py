"""One page field by field: what was filled in, what the workers had said, how far they agree, the score and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.web_fields_match import CHOICES, OFFICIAL, majority, score_field
from stepscope.core.webtask.filling import best_answers as best_answers
from stepscope.core.webtask.page import PageField


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """One answer and how many workers gave it."""

    value: str
    workers: int


@dataclass(frozen=True, slots=True)
class JudgedField:
    """`score` None: unscored, or missing on the page. `agreement` is in words, "" where nobody answered."""

    number: int
    name: str
    type: FieldType
    label: str
    value: str
    said: tuple[AnswerCount, ...]
    agreement: str
    score: float | None
    why: str
    missing: bool = False


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """`score` is the mean over the scored fields, at least 0; None where none is scored."""

    fields: tuple[JudgedField, ...]
    score: float | None

    @property
    def scored(self) -> int:
        return sum(one.score is not None for one in self.fields)


def judged_page(
    fields: Sequence[WebField],
    workers: Sequence[Mapping[str, str]],
    values: Mapping[str, str],
    rules: str,
    *,
    missing: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    scored: bool = True,
) -> JudgedPage:
    """`values` by field name; a field without a value was left empty. `rules` is official or paper. Without `scored`
    no field has a score."""
    labels = labels or {}
    wanted = rules if scored else ""
    found = tuple(
        _judged(number, field, workers, values.get(field.name, ""), wanted, field.name in missing, labels)
        for number, field in enumerate(fields, 1)
    )
    scores = [one.score for one in found if one.score is not None]
    return JudgedPage(found, max(0.0, sum(scores) / len(scores)) if scores else None)


def _judged(
    number: int,
    field: WebField,
    workers: Sequence[Mapping[str, str]],
    value: str,
    rules: str,
    missing: bool,
    labels: Mapping[str, str],
) -> JudgedField:
    reference = [worker.get(field.name, "") for worker in workers]
    score, why = None, "The page does not have this field."
    if not workers:
        why = "Nobody has answered."
    elif not rules:
        why = ""
    elif not missing:
        score, why = score_field(field.type, reference, value, rules)
    said = tuple(AnswerCount(answer, count) for answer, count in Counter(reference).most_common())
    label = labels.get(field.name) or field.label
    return JudgedField(
        number, field.name, field.type, label, value, said, _agreement(field.type, reference), score, why, missing
    )


def _agreement(kind: FieldType, reference: Sequence[str]) -> str:
    """How far the workers agree: the vote for choices, equal answers for all else."""
    if not reference:
        return ""
    _, votes = majority(reference)
    word = "majority" if kind in CHOICES else "alike"
    return f"{word} {votes} of {len(reference)}"


def get_ready() -> None:
    """Load what scores of texts stand on: their stemmer brings in a library that takes a second and more."""
    score_field(FieldType.TEXT, ["one"], "two", OFFICIAL)


def labels_of(fields: Sequence[PageField]) -> dict[str, str]:
    """What the page itself calls its fields."""
    return {one.name: one.label for one in fields if one.label}
