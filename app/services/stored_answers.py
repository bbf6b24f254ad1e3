"""The answers that a run has, given again as if its model were asked: read in the space that a model's name says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import stepscope.models.registry
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import Prediction
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.lazy import lazy_module
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls, readings, runs
from stepscope.models.agents.predictor import prediction_of

if TYPE_CHECKING:
    from stepscope.models.agents import adapter as adapters
    from stepscope.models.agents import asked
    from stepscope.models.agents.adapter import Adapter
    from stepscope.models.agents.spaces import PlaceReading
else:
    asked = lazy_module("stepscope.models.agents.asked")
    adapters = lazy_module("stepscope.models.agents.adapter")


class StoredAnswers:
    """Answers a step with what the run `run_id` has stored for it, read in the space of the model's name, which is that
    of a model that is asked in words."""

    def __init__(self, database: Database, run_id: str, model: str) -> None:
        self.info = stepscope.models.registry.model_info(model)
        self._database, self._run = database, run_id
        settings = asked.settings_of(model)
        if settings is None:
            raise UsageError(f"{model} is not asked in words: its answers cannot be read again.", hint="Evaluate it.")
        self._adapter: Adapter = settings.adapter
        self._reading: PlaceReading = settings.reading
        self._episode = ""
        self._known: Mapping[int, tuple[Prediction, tuple[ModelCall, ...]]] = {}

    def predict(self, request: StepRequest) -> Prediction:
        if request.episode != self._episode:
            self._look_up(request.episode)
        if request.step not in self._known:
            raise UserError(f"Run {self._run} has no answer for this step.")
        found, calls = self._known[request.step]
        if not found.raw:
            return replace(found, calls=calls)
        read = adapters.read_answer(self._adapter, found.raw, request.observation.size, sent_size(calls), self._reading)
        again = prediction_of(request.episode, request.step, read, found.raw)
        return replace(again, latency_ms=found.latency_ms, confidence=found.confidence, calls=calls)

    def _look_up(self, episode: str) -> None:
        with self._database.reading() as db:
            outcomes = queries.items(db, self._run, episodes=[episode], limit=None).rows
            calls = model_calls.of_episode(db, self._run, episode)
        self._known = {one.key.step: (one.prediction, calls.get(one.key.step, ())) for one in outcomes}
        self._episode = episode


def answers_of(database: Database, run: Run) -> StoredAnswers | None:
    """What a run that is another's, read again, goes on with; None for one whose model is asked. Raises UserError where
    the other run is deleted."""
    with database.reading() as db:
        reading = readings.find(db, run.id)
        there = reading is not None and runs.exists(db, reading.former)
    if reading is None:
        return None
    if not there:
        hint = "Delete this run, and evaluate the model."
        raise UserError(f"The run {reading.former}, whose answers were read again, is deleted.", hint=hint)
    return StoredAnswers(database, reading.former, run.spec.model)


def sent_size(calls: Sequence[ModelCall]) -> Size | None:
    """The size of the step's own picture as it was sent; None where nobody kept it."""
    pictures = calls[-1].pictures if calls else ()
    return Size(pictures[-1].width, pictures[-1].height) if pictures else None
