"""What models would do on the live screen, or make of what was done so far, as it changes: each looks at the newest
screen, one look at a time.

Nothing queues: what changed while a model was at work is looked at once, when it is done, however often it changed. An
answer about a screen that is no longer shown is dropped.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from typing import TypeVar

from stepscope.app.services.live.predicting import (
    GUESSES,
    LiveRequest,
    ScreenFiles,
    StepModel,
    episode_request,
    step_request,
)
from stepscope.core.device.session import LiveSession, ScreenSnapshot
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass

T = TypeVar("T")

log = logging.getLogger("stepscope")

PAUSE_SECONDS = 0.2
"""Between one round of looks and the next, so that a moving screen leaves the device time for the person."""
_RATE_SECONDS = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class OverlayPrediction:
    """The action that the model of that letter would do on the screen of this frame, or its guess at the goal or at
    whether that can be reached, from the `steps` that were done so far."""

    frame: int
    letter: str
    prediction: Prediction
    seen: ScreenSnapshot
    steps: int = 0


@dataclass(frozen=True, slots=True)
class OverlayState:
    """The pace of a model: answers a second lately, its mean time in ms (None before the first), answers that came too
    late since the start, and what went wrong last ("" when nothing did)."""

    letter: str
    per_second: float
    latency_ms: float | None
    late: int
    problem: str = ""


@dataclass(slots=True)
class _ModelPace:
    """The measured pace of one model."""

    answers: deque[tuple[float, float]]
    late: int = 0
    problem: str = ""


class LiveOverlay:
    """Shows nothing itself: `on_answer`, `on_state` and `on_clear` (the screen has changed: what was shown is of
    another one) are called in its thread. Call `screen_changed` for every frame; from any thread."""

    def __init__(
        self,
        session: LiveSession,
        on_answer: Callable[[OverlayPrediction], object],
        on_state: Callable[[OverlayState], object] = lambda state: None,
        on_clear: Callable[[], object] = lambda: None,
        *,
        so_far: Callable[[], Sequence[Step]] = tuple,
        pause: float = PAUSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._on_answer, self._on_state, self._on_clear = session, on_answer, on_state, on_clear
        self._so_far, self._pause, self._clock = so_far, pause, clock
        self._goal = ""
        self._models: dict[str, StepModel] = {}
        self._paces: dict[str, _ModelPace] = {}
        self._changed, self._more = threading.Event(), threading.Event()
        self._ended = threading.Event()
        self._arrived = threading.Event()
        """something that is waited for may be there"""
        self._shown: ScreenSnapshot | None = None
        self._thread: threading.Thread | None = None

    def show(self, models: Mapping[str, StepModel], goal: str) -> None:
        """Ask these models, by letter, what they would do for the goal; none: nothing is looked at. Models that are no
        longer among them are closed."""
        old, self._models, self._goal = self._models, dict(models), goal
        for letter, model in old.items():
            if self._models.get(letter) is not model:
                model.close()
                self._paces.pop(letter, None)
        self._shown = None
        if models and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="overlay", daemon=True)
            self._thread.start()
        self._changed.set()

    def screen_changed(self) -> None:
        """A new frame is there."""
        if self._models:
            self._changed.set()

    def more_done(self) -> None:
        """What was done so far is more, or less, than it was: who guesses from it is asked again, on the same screen
        too."""
        if any(model.info.task in GUESSES for model in list(self._models.values())):
            self._more.set()
            self._changed.set()

    def close(self) -> None:
        """End it and its models; from any thread but its own."""
        self._ended.set()
        self._changed.set()
        self._arrived.set()
        models, self._models = self._models, {}
        for model in models.values():
            model.close()
        if self._thread is not None:
            self._thread.join()

    # Its thread -------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        screens = ScreenFiles(pictures=True)
        try:
            while self._changed.wait() and not self._ended.is_set():
                self._changed.clear()
                if self._models:
                    self._round(screens)
                self._ended.wait(self._pause)
        finally:
            screens.close()

    def _round(self, screens: ScreenFiles) -> None:
        """One look, and what every model makes of it as long as it is the newest."""
        try:
            seen = self._result(self._session.look())
            if seen is self._shown and not self._more.is_set():
                return
            self._more.clear()
            self._on_clear()
            observation = screens.observation(seen)
        except (UserError, CancelledError, RuntimeError) as error:
            self._shown = None
            log.info("nothing was overlaid: %s", error)
            return
        self._shown = seen
        for letter, model in list(self._models.items()):
            pace = self._paces.setdefault(letter, _ModelPace(deque()))
            began, done = self._clock(), self._done(model.info.task)
            try:
                prediction = self._result(model.ask(self._request(model.info.task, observation, done)))
            except CancelledError:
                continue
            except Exception as error:  # noqa: BLE001 - whatever a model does, the others go on
                pace.problem = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
            else:
                self._answered(letter, pace, began, prediction, seen, len(done))
            self._on_state(self._state(letter, pace))
            if not self._holds(seen):
                self._shown = None
                self._changed.set()
                return
        if not seen.matched:
            self._shown = None
            self._changed.set()

    def _done(self, task: Task) -> Sequence[Step]:
        """What was done so far, where the task is to guess from it."""
        return self._so_far() if task in GUESSES else ()

    def _request(self, task: Task, seen: Observation, done: Sequence[Step]) -> LiveRequest:
        """What is asked of a model of this task. Raises UserError where a goal is needed and there is none."""
        if task not in GUESSES:
            return step_request(seen, episode="live", step=0, goal=self._goal)
        if task is Task.FEASIBILITY and not self._goal:
            raise UserError("Write the goal: whether it can be reached is what this model is asked.")
        return episode_request(done, seen, episode="live", goal=self._goal if task is Task.FEASIBILITY else None)

    def _holds(self, seen: ScreenSnapshot) -> bool:
        """Whether an answer about it may be shown. A screen that never rests, a film, has always changed meanwhile:
        what was seen of it last is as good as it gets."""
        return not seen.matched or self._session.is_current(seen)

    def _result(self, future: Future[T]) -> T:
        """The future's value; waiting for it ends with the overlay. Raises CancelledError then."""
        future.add_done_callback(lambda _ended: self._arrived.set())
        while not future.done():
            self._arrived.wait()
            self._arrived.clear()
            if self._ended.is_set():
                raise CancelledError
        return future.result()

    def _answered(
        self, letter: str, pace: _ModelPace, began: float, prediction: Prediction, seen: ScreenSnapshot, steps: int
    ) -> None:
        now = self._clock()
        pace.problem = prediction.why if prediction.answer is None else ""
        pace.answers.append((now, 1000 * (now - began)))
        if letter not in self._models or not self._holds(seen):
            pace.late += 1
        else:
            self._on_answer(OverlayPrediction(seen.frame, letter, prediction, seen, steps))

    def _state(self, letter: str, pace: _ModelPace) -> OverlayState:
        now = self._clock()
        while pace.answers and pace.answers[0][0] <= now - _RATE_SECONDS:
            pace.answers.popleft()
        times = [took for _at, took in pace.answers]
        latency = sum(times) / len(times) if times else None
        return OverlayState(letter, len(times) / _RATE_SECONDS, latency, pace.late, pace.problem)
