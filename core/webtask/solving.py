"""A solver fills in a page through the action library; what it did is kept as a trace.

Source: the evaluation protocol of TurkingBench (Xu et al. 2024), section 3.6, pseudocode 1: the solver gets the page
and the names of its fields, acts, and then the fields are read from the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Protocol

from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import FieldsRequest
from stepscope.core.frozen import dataclass
from stepscope.core.typed_forms import dataclass_of, fits
from stepscope.core.webtask.actions import action_from_json, action_to_json
from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.page import BlockedRequest, ExecutedCall, Page, PageLook

TRACE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Notes:
    """A solver's notes on its work: `status` other than ok with `why` where it gave nothing usable. `kept_back` are
    calls that a model wrote and the solver did not do, each with why; they are no part of the page's own log. `calls`
    are what was sent to the model and came back, whole."""

    exchanges: tuple[Exchange, ...] = ()
    status: PredictionStatus = PredictionStatus.OK
    why: str = ""
    kept_back: tuple[ExecutedCall, ...] = ()
    calls: tuple[ModelCall, ...] = ()


class Solver(Protocol):
    """May be called from several threads at once, each with a page of its own."""

    def solve(self, page: Page, look: PageLook, request: FieldsRequest) -> Notes:
        """`look` is the page as it loaded, its answer fields in the task's order. What is raised is this item's
        error."""
        ...


@dataclass(frozen=True, slots=True)
class Trace:
    """All that happened on one page; enough to do it again. `loaded` are the values that the page came with, `left`
    those that it was left with; `missing` the task's fields that the page does not have."""

    log: tuple[ExecutedCall, ...]
    loaded: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    blocked: tuple[BlockedRequest, ...] = ()
    dialogs: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens read and written, as far as told."""
        return (
            sum(one.tokens_in or 0 for one in self.exchanges),
            sum(one.tokens_out or 0 for one in self.exchanges),
        )


def trace_to_json(trace: Trace) -> str:
    """The trace as it is stored beside the prediction (`Prediction.trace`)."""
    form: dict[str, Any] = {
        "version": TRACE_VERSION,
        "log": [_logged(one) for one in trace.log],
        "loaded": dict(trace.loaded),
        "left": dict(trace.left),
        "missing": list(trace.missing),
        "exchanges": [{name: getattr(one, name) for name in Exchange.__slots__} for one in trace.exchanges],
        "blocked": [{name: getattr(one, name) for name in BlockedRequest.__slots__} for one in trace.blocked],
        "dialogs": list(trace.dialogs),
        "seconds": trace.seconds,
    }
    return json.dumps(form, ensure_ascii=False)


def trace_from_json(text: str) -> Trace:
    """Raises ValueError for what is no trace, or one of a later version: it may come out of a stranger's bundle."""
    try:
        form = json.loads(text)
        if form["version"] > TRACE_VERSION:
            raise ValueError(f"a trace of version {form['version']}, of which {TRACE_VERSION} is known")
        return Trace(
            tuple(_logged_from(one) for one in form["log"]),
            _texts(form["loaded"]),
            _texts(form["left"]),
            _words(form["missing"]),
            tuple(dataclass_of(Exchange, one) for one in form["exchanges"]),
            tuple(dataclass_of(BlockedRequest, one) for one in form["blocked"]),
            _words(form["dialogs"]),
            _seconds(form["seconds"]),
        )
    except (KeyError, TypeError, AttributeError, RecursionError, UserError) as error:
        raise ValueError(f"this is no trace: {error!r}") from error


def _logged_from(form: Mapping[str, Any]) -> ExecutedCall:
    parts = {name: value for name, value in form.items() if name != "action"}
    call = dataclass_of(_CallDraft, parts)
    return ExecutedCall(action_from_json(form["action"]), call.at, call.took, call.ok, call.said, call.raw)


@dataclass(frozen=True, slots=True)
class _CallDraft:
    """A `ExecutedCall` without its action."""

    at: float
    took: float
    ok: bool = True
    said: str = ""
    raw: str = ""


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(type(one) is str for one in value.values()):
        raise ValueError("values of a page are no texts")
    return value


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(type(one) is str for one in value):
        raise ValueError("names or dialogs are no texts")
    return tuple(value)


def _seconds(value: object) -> float:
    if not fits(value, float):
        raise ValueError("seconds are no number")
    return float(value)  # type: ignore[arg-type]


def _logged(one: ExecutedCall) -> dict[str, Any]:
    form = {name: getattr(one, name) for name in ExecutedCall.__slots__}
    return {**form, "action": action_to_json(one.action)}
