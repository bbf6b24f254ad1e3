"""`do-nothing` and `oracle`: the lower and the upper end of what can be scored on web tasks.

Source: the two baselines of TurkingBench (Xu et al. 2024), section 4 and pseudocode 2. The paper's oracle knows text,
radio, select and range; several ticked boxes, areas of text and hidden fields are ours, and so is that it looks whether
the page took its answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.webtask import WebField
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.webtask.actions import ScrollTo, WaitTillLoaded
from stepscope.core.webtask.filling import candidates, filling, score_among
from stepscope.core.webtask.page import Page, PageError, PageField, PageLook
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import Notes
from stepscope.models.catalog import DO_NOTHING, ORACLE


class UnchangedPage:
    """Leaves the page as it loads: what it comes filled in with is its answer."""

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        return Notes()


class WorkerAnswerOracle:
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
        copied = [_FieldCopy(field, request.reference) for field in request.task.fields if field.name in there]
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
            action = filling(field.name, field.type, answer)
            if action is None:
                return
            if self._scrolls:
                page.do(WaitTillLoaded(field.name))
                page.do(ScrollTo(field.name))
            page.do(action)


class _FieldCopy:
    """A field with the answer that it is to get: `answer` would score `worth`."""

    def __init__(self, field: WebField, workers: Sequence[Mapping[str, str]]) -> None:
        self.field = field
        self._workers = workers
        self._candidates = candidates(field, workers)
        self.worth, self.answer = next(self._candidates)

    def lower(self, value: str) -> bool:
        """Whether this value scores less than the answer would."""
        return value != self.answer and score_among(self.field, self._workers, value) < self.worth

    def next(self) -> bool:
        """Go on to the next best answer; False where there is none."""
        self.worth, self.answer = next(self._candidates, (-math.inf, self.answer))
        return self.worth > -math.inf


def do_nothing(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(DO_NOTHING, UnchangedPage())


def oracle(*, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Seed and device are taken as every model takes them; neither matters here."""
    return PagePredictor(ORACLE, WorkerAnswerOracle())
