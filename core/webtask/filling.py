"""Which of the workers' answers scores best in a field, and the call that brings a field to a value.

The oracle of evaluations, demonstrations and the window's view of people's answers stand on these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.scoring.web_fields_match import score_field, ticked
from stepscope.core.webtask.actions import (
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
)


def filling(name: str, kind: FieldType, value: str) -> PageAction | None:
    """The call that brings a field of this type to this value; None for a range where the value is no finite number.

    Source: the action for each type of field in TurkingBench (Xu et al. 2024), section 4; the call for ticked boxes and
    that hidden fields and areas of text are written as text are ours.
    """
    match kind:
        case FieldType.RADIO:
            return ModifyRadio(name, value)
        case FieldType.SELECT:
            return ModifySelect(name, value)
        case FieldType.CHECKBOX:
            return ModifyCheckbox(name, tuple(ticked(value)))
        case FieldType.RANGE:
            number = _number(value)
            return None if number is None else ModifyRange(name, number)
        case _:
            return ModifyText(name, value)


def candidates(field: WebField, workers: Sequence[Mapping[str, str]]) -> Iterator[tuple[float, str]]:
    """The workers' different answers with what each would score, best first, found when they are asked for. A field
    that is not scored has them in the workers' order, each with 0.

    Of a range no other number does better than one of them: the sum of distances is least at the one in the middle. The
    released oracle fills in their mean.
    """
    lower = []
    for answer in dict.fromkeys(worker.get(field.name, "") for worker in workers):
        score = score_among(field, workers, answer)
        if score == 1:
            yield score, answer
        else:
            lower.append((score, answer))
    yield from sorted(lower, key=lambda one: -one[0])


def best_answers(fields: Sequence[WebField], workers: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The worker's answer for each field that scores best against all of them, of equally good ones the first; nothing
    where nobody answered."""
    return {field.name: next(candidates(field, workers))[1] for field in fields} if workers else {}


def score_among(field: WebField, workers: Sequence[Mapping[str, str]], answer: str) -> float:
    """What an answer to the field scores against all the workers' by the official rules; 0 where it is not scored."""
    value = score_field(field.type, [worker.get(field.name, "") for worker in workers], answer).value
    return 0.0 if value is None else value


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
