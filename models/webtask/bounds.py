"""`do-nothing` and `oracle`: the lower and the upper end of what can be scored on web tasks.

Source: the two baselines of TurkingBench (Xu et al. 2024), section 4 and pseudocode 2. The paper's oracle knows text,
radio, select and range; several ticked boxes, areas of text and hidden fields are ours, and so is that it looks whether
the page took its answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from core.domain.prediction import PredictionStatus
from core.domain.webtask import FieldType, WebField
from core.evaluation.predictor import FieldsRequest
from core.scoring.web_fields_match import score_field, ticked
from core.webtask.actions import (
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollTo,
    WaitTillLoaded,
)
from core.webtask.page import Page, PageError, PageField, PageLook
from core.webtask.predictor import PagePredictor
from core.webtask.solving import Notes
from models.catalog import DO_NOTHING, ORACLE


class LeaveAlone:
    """Leaves the page as it loads: what it comes filled in with is its answer."""

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        return Notes()


class CopyPeople:
    """Fills each field with that worker's answer that scores best there; of equally good ones the first.

    A page may not take an answer (a line break in a line of text) or only once another field is filled in: fields that
    then hold less than the best get it again, and after that the next best.
    """

    def __init__(self, *, scrolls: bool = True) -> None:
        """`scrolls`: bring each field onto the screen first, as the paper's does. Its answers are the same without."""
        self._scrolls = scrolls

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        if not request.reference:
            return Notes(status=PredictionStatus.MALFORMED, why="there are no workers' answers to copy")
        there = {one.name: one for one in look.fields}
        copied = [_Copied(field, request.reference) for field in request.task.fields if field.name in there]
        for one in copied:
            if one.answer != there[one.field.name].value:
                self._fill(page, there[one.field.name], one.answer)
        again = True
        while copied:
            left = page.look([one.field.name for one in copied]).values
            copied = [one for one in copied if one.lower(left.get(one.field.name, "")) and (again or one.next())]
            for one in copied:
                self._fill(page, there[one.field.name], one.answer)
            again = False
        return Notes()

    def _fill(self, page: Page, field: PageField, answer: str) -> None:
        """An action that the page does not take is in its log; the others are done all the same."""
        with suppress(PageError):
            action = fills(field, answer)
            if action is None:
                return
            if self._scrolls:
                page.do(WaitTillLoaded(field.name))
                page.do(ScrollTo(field.name))
            page.do(action)


def fills(field: PageField, answer: str) -> PageAction | None:
    """The call that brings the field to this value; None where it is no number and the field a slider."""
    match field.type:
        case FieldType.RADIO:
            return ModifyRadio(field.name, answer)
        case FieldType.SELECT:
            return ModifySelect(field.name, answer)
        case FieldType.CHECKBOX:
            return ModifyCheckbox(field.name, tuple(ticked(answer)))
        case FieldType.RANGE:
            try:
                return ModifyRange(field.name, float(answer))
            except ValueError:
                return None
        case _:
            return ModifyText(field.name, answer)


class _Copied:
    """A field with the answer that it is to get: `answer` would score `worth`."""

    def __init__(self, field: WebField, workers: Sequence[Mapping[str, str]]) -> None:
        self.field = field
        self._workers = workers
        self._candidates = candidates(field, workers)
        self.worth, self.answer = next(self._candidates)

    def lower(self, value: str) -> bool:
        """Whether this value scores less than the answer would."""
        return value != self.answer and _score(self.field, self._workers, value) < self.worth

    def next(self) -> bool:
        """Go on to the next best answer; False where there is none."""
        self.worth, self.answer = next(self._candidates, (-math.inf, self.answer))
        return self.worth > -math.inf


def candidates(field: WebField, workers: Sequence[Mapping[str, str]]) -> Iterator[tuple[float, str]]:
    """The workers' different answers with what each would score, best first, found when they are asked for. A field
    that is not scored has them in the workers' order, each with 0.

    Of a range no other number does better than one of them: the sum of distances is least at the one in the middle. The
    released oracle fills in their mean.
    """
    lower = []
    for answer in dict.fromkeys(worker.get(field.name, "") for worker in workers):
        score = _score(field, workers, answer)
        if score == 1:
            yield score, answer
        else:
            lower.append((score, answer))
    yield from sorted(lower, key=lambda one: -one[0])


def best_answers(fields: Sequence[WebField], workers: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What the oracle fills in, by field; nothing where nobody answered."""
    return {field.name: next(candidates(field, workers))[1] for field in fields} if workers else {}


def _score(field: WebField, workers: Sequence[Mapping[str, str]], answer: str) -> float:
    value = score_field(field.type, [worker.get(field.name, "") for worker in workers], answer).value
    return 0.0 if value is None else value


def do_nothing(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(DO_NOTHING, LeaveAlone())


def oracle(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(ORACLE, CopyPeople())
