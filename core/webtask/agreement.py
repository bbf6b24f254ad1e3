"""How far people agree who filled in the same pages: with each other, and with the workers of the data.

The measures are ours, from what others use for each type of field; coefficients are those of `core.scoring.agreement`,
which names their sources.

* Radio buttons and drop-down lists: Cohen's kappa of each two people over the instances that both submitted, mean over
  the pairs; observed is the share of equal answers, Krippendorff's nominal alpha is over all people at once.
* Checkboxes likewise, a label being the whole set of ticked boxes.
* Texts: ROUGE-L of each two answers, as the `fields` protocol takes it; equal answers count 1, two empty ones too.
* Sliders: the mean absolute difference of each two answers, in the slider's own units; lower is better.
* Against the workers: a person's answer is scored as a model's is, by the `fields` protocol.

A field that was left empty in a submitted page was answered with nothing, and that counts. A mean over nothing is None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.agreement import krippendorff_alpha, pairwise_agreement
from stepscope.core.scoring.web_fields_match import CHOICES, OFFICIAL, score_field, ticked
from stepscope.core.scoring.web_fields_rouge import rouge_l

KAPPA, ROUGE_L, DIFFERENCE = "kappa", "rouge_l", "difference"

Answers = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Fields by instance and annotator, of submitted answers."""


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """`value` is the `measure` over `n` pairs of answers (rouge_l, difference), or the mean kappa over `pairs` pairs of
    people. `observed` is the share of equal answers among the n pairs of answers; `alpha` only where labels are
    compared. `instances` are those that two people at least submitted."""

    field: str
    type: FieldType
    measure: str
    value: float | None
    observed: float | None
    alpha: float | None
    instances: int
    pairs: int
    n: int


@dataclass(frozen=True, slots=True)
class WorkerComparison:
    """A person's answers scored against the workers': the mean over the `n` scored fields of `instances` instances;
    None when nothing is scored."""

    annotator: str
    score: float | None
    n: int
    instances: int


@dataclass(frozen=True, slots=True)
class TaskAgreement:
    """The agreement on one task. `people` have submitted something; `instances` are those that two of them at least
    submitted."""

    task: str
    people: tuple[str, ...]
    instances: int
    fields: tuple[FieldAgreement, ...]
    workers: tuple[WorkerComparison, ...]

    def mean(self, measure: str) -> tuple[float | None, int]:
        """The mean over the fields that have this measure, and how many they are."""
        found = [one.value for one in self.fields if one.measure == measure and one.value is not None]
        return (fmean(found) if found else None), len(found)


def agreement(
    task: WebTask,
    answers: Answers,
    workers: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
    rules: str = OFFICIAL,
) -> TaskAgreement:
    """`workers` are the data's own answers by instance; `rules` those of the `fields` protocol."""
    shared = {instance: given for instance, given in answers.items() if len(given) > 1}
    people = sorted({name for given in answers.values() for name in given})
    return TaskAgreement(
        task.name,
        tuple(people),
        len(shared),
        tuple(_of_field(field, shared) for field in task.fields),
        tuple(_against(task, answers, workers or {}, name, rules) for name in people),
    )


def _of_field(field: WebField, shared: Answers) -> FieldAgreement:
    given = [{name: fields.get(field.name, "") for name, fields in people.items()} for people in shared.values()]
    if field.type in CHOICES:
        return _of_labels(field, given)
    if field.type is FieldType.CHECKBOX:
        boxes = [{name: "|".join(ticked(value)) for name, value in people.items()} for people in given]
        return _of_labels(field, boxes)
    both = list(_pairs(given))
    names = {tuple(sorted(two)) for people in given for two in combinations(people, 2)}
    if field.type is FieldType.RANGE:
        numbers = [(a, b) for a, b in ((_number(first), _number(second)) for first, second in both) if not _lacks(a, b)]
        values, measure = [abs(a - b) for a, b in numbers], DIFFERENCE
    else:
        values, measure = [1.0 if first == second else rouge_l(first, second) for first, second in both], ROUGE_L
    value = fmean(values) if values else None
    return FieldAgreement(
        field.name, field.type, measure, value, _equal(both), None, len(given), len(names), len(values)
    )


def _of_labels(field: WebField, given: Sequence[Mapping[str, str]]) -> FieldAgreement:
    found = pairwise_agreement(given)
    codes: dict[str, int] = {}
    item = np.repeat(np.arange(len(given)), [len(people) for people in given])
    label = [codes.setdefault(value, len(codes)) for people in given for value in people.values()]
    alpha = krippendorff_alpha(item, label)
    both = list(_pairs(given))
    return FieldAgreement(
        field.name,
        field.type,
        KAPPA,
        found.kappa,
        _equal(both),
        None if math.isnan(alpha) else alpha,
        len(given),
        found.pairs,
        len(both),
    )


def _against(
    task: WebTask,
    answers: Answers,
    workers: Mapping[str, Sequence[Mapping[str, str]]],
    name: str,
    rules: str,
) -> WorkerComparison:
    scores: list[float] = []
    instances = 0
    for instance, people in answers.items():
        references = workers.get(instance, ())
        if name not in people or not references:
            continue
        instances += 1
        for field in task.fields:
            said = [one.get(field.name, "") for one in references]
            value = score_field(field.type, said, people[name].get(field.name, ""), rules).value
            if value is not None:
                scores.append(value)
    return WorkerComparison(name, fmean(scores) if scores else None, len(scores), instances)


def _pairs(given: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    for people in given:
        yield from combinations(people.values(), 2)


def _equal(both: Sequence[tuple[str, str]]) -> float | None:
    return fmean(float(first == second) for first, second in both) if both else None


def _number(text: str) -> float:
    """NaN for what is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _lacks(*numbers: float) -> bool:
    return not all(map(math.isfinite, numbers))
