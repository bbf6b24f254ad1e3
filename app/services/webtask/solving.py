"""One page solved outside of any run: what the model did, what it left in the page, and how that is scored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import stepscope.models.registry
from stepscope.app.services.recordings_consent import check_consent
from stepscope.app.services.webtask.judging import JudgedPage, judged_page
from stepscope.app.services.webtask.tasks import PageRead, read_page
from stepscope.core.domain.prediction import FieldsAnswer, Prediction, Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import Cancellable, FieldsRequest, Predictor
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.web_fields_match import OFFICIAL
from stepscope.core.sources.source import Source
from stepscope.core.webtask.hosts import allowed_host
from stepscope.core.webtask.page import ExecutedCall
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.core.webtask.solving import Trace, trace_from_json


@dataclass(frozen=True, slots=True)
class SolvedPage:
    """`trace` None: the model does not say what it did. `page` has every field with its score."""

    read: PageRead
    model: str
    prediction: Prediction
    trace: Trace | None
    page: JudgedPage

    @property
    def log(self) -> tuple[ExecutedCall, ...]:
        return () if self.trace is None else self.trace.log


def solve_page(
    source: Source,
    instance_id: str,
    model: str,
    *,
    seed: int = 0,
    device: str = "auto",
    rules: str = OFFICIAL,
    allowed: Collection[str] = (),
    token: CancelToken | None = None,
) -> SolvedPage:
    """Opens the page in a browser of its own, which may reach the hosts that are `allowed`, and ends that again.

    Raises UsageError for a model that is for another task and for an instance that there is not, UnavailableError
    without a browser engine.
    """
    info = stepscope.models.registry.model_info(model)
    if info.task is not Task.WEBTASK:
        raise UsageError(f"{info.name} is no model for {Task.WEBTASK}.", hint="See 'stepscope models list'.")
    check_consent(source, model)
    read = read_page(source, instance_id)
    predictor = stepscope.models.registry.load(model, seed=seed, device=device)
    setting = Setting(seed, predictor.info.needs_reference, predictor.info.demonstrations)
    item = next(task_kind(Task.WEBTASK).items(source, instance_id, setting))
    assert isinstance(item.request, FieldsRequest)
    prediction = _asked(predictor, item.request, allowed, token or CancelToken())
    answer = prediction.answer
    values, missing = (dict(answer.fields), answer.missing) if isinstance(answer, FieldsAnswer) else ({}, ())
    page = judged_page(read.task.fields, read.instance.answers, values, rules, missing=missing)
    trace = trace_from_json(prediction.trace) if prediction.trace else None
    return SolvedPage(read, predictor.info.name, prediction, trace, page)


def _asked(
    predictor: Predictor[Any], request: FieldsRequest, allowed: Collection[str], token: CancelToken
) -> Prediction:
    if isinstance(predictor, PagePredictor):
        predictor.use(PagePool(1, allowed=allowed))
    try:
        if isinstance(predictor, Cancellable):
            predictor.set_token(token)
        return predictor.predict(request)
    finally:
        getattr(predictor, "close", lambda: None)()


def named_hosts(hosts: Sequence[str]) -> tuple[str, ...]:
    """Names of hosts that pages may reach. Raises UsageError for an address or a pattern: a host is named as it is."""
    return tuple(map(allowed_host, hosts))
