"""A solver of web pages as a model that evaluations ask: pages side by side in browsers of their own.

Source: the evaluation protocol of TurkingBench (Xu et al. 2024), section 3.6, pseudocode 1: the page is opened, the
solver acts on it, and then its fields are read from the page.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from stepscope.core.domain.model_call import MOST_CALLS
from stepscope.core.domain.prediction import FieldsAnswer, Prediction, PredictionStatus
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Cancellable, FieldsRequest, ModelInfo
from stepscope.core.evaluation.runner import words_of
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.webtask.page import ExecutedCall, Page, PageLook, PageSource
from stepscope.core.webtask.pool import PageBrowser, PagePool
from stepscope.core.webtask.rendering import render
from stepscope.core.webtask.solving import Notes, Solver, Trace, trace_to_json

PATIENCE_SECONDS = 20.0
"""A page that takes longer to open is taken to hang (ours)."""
AHEAD = 8
"""Pages of a batch for each process, where pages take about equally long: so they seldom wait for each other (ours)."""


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """A request with the page that it is about."""

    request: FieldsRequest
    source: PageSource


class PagePredictor:
    """See `BatchPredictor`, `Cancellable` and `Releasable`. The browsers start at `warm_up` and end with the run.

    A page that hangs, crashes or cannot be opened, and a solver that breaks, give a prediction that is failed, with why
    and with what was done until then. Answers are not kept for other runs: `fingerprint` is "".
    """

    fingerprint = ""

    def __init__(
        self,
        info: ModelInfo,
        solver: Solver,
        *,
        pool: PagePool | None = None,
        batch: int = 0,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """`batch` pages are given back at a time, 0: one for each process, `AHEAD` of them for a model that computes
        nothing. `patience` is for opening a page."""
        self.info = info
        self.solver = solver
        self.pool = pool or PagePool()
        self.batch_size = batch or self.pool.processes * (AHEAD if info.runtime == "none" else 1)
        self._patience = patience
        self._token = CancelToken()

    def use(self, pool: PagePool) -> None:
        """Open pages in these browsers from now on; the ones before are ended."""
        self.pool.close()
        self.pool = pool

    def set_token(self, token: CancelToken) -> None:
        self._token = token
        if isinstance(self.solver, Cancellable):
            self.solver.set_token(token)

    def predict(self, request: FieldsRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: FieldsRequest) -> PreparedPage:
        return PreparedPage(request, render(request.task, request.inputs))

    def predict_batch(self, prepared: Sequence[PreparedPage]) -> list[Prediction]:
        """Raises UnavailableError where there is no browser engine; nothing for the fault of a page."""
        found = self.pool.each(self._solved, prepared, self._token)
        return [
            _failed(page.request, words_of(one)) if isinstance(one, Exception) else one
            for page, one in zip(prepared, found, strict=True)
        ]

    def warm_up(self) -> None:
        """Raises UnavailableError where there is no browser engine."""
        self.pool.start()

    def release(self) -> None:
        self.pool.release()

    def close(self) -> None:
        self.pool.close()

    def _solved(self, browser: PageBrowser, prepared: PreparedPage) -> Prediction:
        return solve(browser, prepared, self.solver, self._patience)


def solve(
    browser: PageBrowser, prepared: PreparedPage, solver: Solver, patience: float = PATIENCE_SECONDS
) -> Prediction:
    """Open the page, let the solver act, read the fields. A page that is lost and a solver that breaks make the
    prediction failed; its trace has what was done until then. `latency_ms` is the solver's time alone."""
    request, source = prepared.request, prepared.source
    began = time.perf_counter()
    try:
        page = browser.open(source, patience=patience)
        look = page.look(source.names)
    except UserError as error:
        return _failed(request, words_of(error))
    notes: Notes | None = None
    try:
        acting = time.perf_counter()
        notes = solver.solve(page, look, request)
        seconds = time.perf_counter() - acting
        left = page.look(source.names)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever breaks costs this page alone
        trace = _trace(page, look, time.perf_counter() - began, notes=notes)
        return _failed(request, words_of(error), trace_to_json(trace))
    trace = _trace(page, look, time.perf_counter() - began, left, notes)
    return _prediction(request, notes, trace, left, seconds)


def _prediction(request: FieldsRequest, notes: Notes, trace: Trace, left: PageLook, seconds: float) -> Prediction:
    values = left.values
    usable = notes.status is PredictionStatus.OK
    filled = tuple((field.name, values[field.name]) for field in request.task.fields if field.name in values)
    return Prediction(
        request.instance,
        None,
        FieldsAnswer(filled, trace.missing) if usable else None,
        notes.status,
        latency_ms=seconds * 1000,
        raw="\n\n".join(one.output for one in notes.exchanges if one.output),
        why=notes.why,
        trace=trace_to_json(trace),
        calls=notes.calls[:MOST_CALLS],
    )


def _trace(
    page: Page, look: PageLook, seconds: float, left: PageLook | None = None, notes: Notes | None = None
) -> Trace:
    return Trace(
        log=_in_order(page.log, () if notes is None else notes.kept_back),
        loaded=look.values,
        left={} if left is None else left.values,
        missing=look.missing,
        exchanges=() if notes is None else notes.exchanges,
        blocked=page.blocked,
        dialogs=page.dialogs,
        seconds=seconds,
    )


def _in_order(done: Sequence[ExecutedCall], kept_back: Sequence[ExecutedCall]) -> tuple[ExecutedCall, ...]:
    """All calls by time; of those at the same time the done ones first."""
    return tuple(sorted((*done, *kept_back), key=lambda one: one.at))


def _failed(request: FieldsRequest, why: str, trace: str = "") -> Prediction:
    return Prediction(request.instance, None, None, PredictionStatus.FAILED, why=why, trace=trace)
