"""`do-nothing` and `oracle`: the lower and the upper end of what can be scored on web tasks.

Source: the two baselines of TurkingBench (Xu et al. 2024), section 4 and pseudocode 2. The paper's oracle knows text,
radio, select and range; several ticked boxes, areas of text and hidden fields are ours, and so is that it looks whether
the page took its answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        wanted = {
            field.name: (field, candidates(field, request.reference))
            for field in request.task.fields
            if field.name in there
        }
        for name, (_, answers) in wanted.items():
            if answers[0][1] != there[name].value:
                self._fill(page, there[name], answers[0][1])
        for turn in range(max((len(answers) for _, answers in wanted.values()), default=0)):
            left = page.look(tuple(wanted)).values
            lower = [
                (name, answers)
                for name, (field, answers) in wanted.items()
                if turn < len(answers) and _score(field, request.reference, left.get(name, "")) < answers[turn][0]
            ]
            for name, answers in lower:
                self._fill(page, there[name], answers[turn][1])
            if not lower:
                break
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
    """The call that brings the field to this value. None where there is none: a radio button cannot be unchosen, and
    what is no number is no place of a slider."""
    match field.type:
        case FieldType.RADIO:
            return ModifyRadio(field.name, answer) if answer else None
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


def candidates(field: WebField, workers: Sequence[Mapping[str, str]]) -> list[tuple[float, str]]:
    """The workers' different answers with what each would score, best first. A field that is not scored has them in the
    workers' order, each with 0.

    Of a range no other number does better than one of them: the sum of distances is least at the one in the middle. The
    released oracle fills in their mean.
    """
    answers = [worker.get(field.name, "") for worker in workers]
    found = [(_score(field, workers, answer), answer) for answer in dict.fromkeys(answers)]
    return sorted(found, key=lambda one: -one[0])


def best_answers(fields: Sequence[WebField], workers: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What the oracle fills in, by field; nothing where nobody answered."""
    return {field.name: candidates(field, workers)[0][1] for field in fields} if workers else {}


def _score(field: WebField, workers: Sequence[Mapping[str, str]], answer: str) -> float:
    value = score_field(field.type, [worker.get(field.name, "") for worker in workers], answer).value
    return 0.0 if value is None else value


def do_nothing(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(DO_NOTHING, LeaveAlone())


def oracle(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(ORACLE, CopyPeople())
