"""Models that are asked about a live screen: off the window's thread, the newest question only.

Models without weights answer in a thread here; all others in a process of their own, because loading their libraries
would stall the window.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation, Picture, Platform, Step
from stepscope.core.domain.prediction import (
    ActionAnswer,
    Answer,
    AskAnswer,
    FeasibilityAnswer,
    GoalAnswer,
    Prediction,
    Task,
)
from stepscope.core.drafts import is_full, reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo, StepRequest
from stepscope.core.progress import CancelToken

LIVE_TASKS = (Task.AUTOMATION, Task.ASK)
"""Tasks of models that can be asked about a screen."""
GUESSES = (Task.FEASIBILITY, Task.GOAL)
"""Tasks of models that can be asked about what was done so far, with the screen to which it led."""
_ANSWERS: dict[Task, type[Answer]] = {
    Task.AUTOMATION: ActionAnswer, Task.ASK: AskAnswer, Task.FEASIBILITY: FeasibilityAnswer, Task.GOAL: GoalAnswer,
}  # fmt: skip

LiveRequest = StepRequest | EpisodeRequest
Work = Callable[[Any, CancelToken], Prediction]


class StepModel(Protocol):
    """A model that answers questions about a screen, or what led to it, one at a time."""

    @property
    def info(self) -> ModelInfo: ...

    def ask(self, request: LiveRequest) -> Future[Prediction]:
        """Its answer. A question that still waits for one before it is dropped (its future cancelled) for a newer
        one."""
        ...

    def close(self) -> None:
        """Stop answering; what waits is dropped."""
        ...


class LiveModel:
    """`work` answers, in a thread that this has for itself. What it raises is the future's."""

    def __init__(self, info: ModelInfo, work: Work) -> None:
        self.info = info
        self._work = work
        self._token = CancelToken()
        self._ready = threading.Condition()
        self._next: tuple[LiveRequest, Future[Prediction]] | None = None
        self._thread: threading.Thread | None = None

    def ask(self, request: LiveRequest) -> Future[Prediction]:
        future: Future[Prediction] = Future()
        with self._ready:
            old, self._next = self._next, (request, future)
            if self._token.cancelled:
                self._next = None
            elif self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"model {self.info.name}", daemon=True)
                self._thread.start()
            self._ready.notify()
        for dropped in (old and old[1], future if self._token.cancelled else None):
            if dropped is not None:
                dropped.cancel()
        return future

    def close(self) -> None:
        with self._ready:
            self._token.cancel()
            old, self._next = self._next, None
            self._ready.notify()
        if old is not None:
            old[1].cancel()

    def _run(self) -> None:
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._next is not None or self._token.cancelled)
                if self._next is None:
                    return
                request, future = self._next
                self._next = None
            if future.set_running_or_notify_cancel():
                self._answer(request, future)

    def _answer(self, request: LiveRequest, future: Future[Prediction]) -> None:
        began = time.monotonic()
        try:
            answer = checked(self._work(request, self._token), request, self.info)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a model does, who asked is told
            future.set_exception(error if isinstance(error, Exception) else RuntimeError("it called sys.exit"))
            return
        if answer.latency_ms is None:
            answer = replace(answer, latency_ms=1000 * (time.monotonic() - began))
        future.set_result(answer)


def checked(answer: Any, request: LiveRequest, info: ModelInfo) -> Prediction:
    """The answer, if it is one to this request. Raises TypeError or ValueError."""
    if not isinstance(answer, Prediction):
        raise TypeError(f"it answered with {type(answer).__name__}, not with a prediction")
    step = request.step if isinstance(request, StepRequest) else None
    if (answer.episode, answer.step) != (request.episode, step):
        raise ValueError(f"it answered step {answer.step} of episode {answer.episode}")
    wanted = _ANSWERS[info.task]
    if answer.answer is not None and not isinstance(answer.answer, wanted):
        raise TypeError(f"it answered with {type(answer.answer).__name__}, where {wanted.__name__} is asked for")
    return answer


def live_model(name: str, *, seed: int = 0, device: str = "auto", guesses: bool = False) -> LiveModel:
    """The model of that name, of those that `models list` tells; nothing is loaded before it is asked. With `guesses`
    also one that is asked about what was done so far.

    Raises UsageError for a model that there is not, or that cannot answer about a live screen.
    """
    from stepscope.models.registry import load, model_info

    info = model_info(name)
    if info.task not in (LIVE_TASKS + GUESSES if guesses else LIVE_TASKS):
        raise UsageError(f"{name} is no model for live screens.", hint="Choose one for automation or ask.")
    if info.needs_reference:
        hint = "Choose another model: on a live screen nobody has written the right answer down."
        raise UsageError(f"{name} must be shown the right answer.", hint=hint)
    if info.runtime == "none":
        loaded: list[Any] = []

        def here(request: LiveRequest, _token: CancelToken) -> Prediction:
            if not loaded:
                loaded.append(load(name, seed=seed, device=device))
            return loaded[0].predict(request)  # type: ignore[no-any-return]  # a predictor of any request

        return LiveModel(info, here)

    def elsewhere(request: LiveRequest, token: CancelToken) -> Prediction:
        from stepscope.app.services.worker import PredictJob, predicting_worker

        answers = list(predicting_worker().run(PredictJob(name, request, seed, device), token))
        if not answers:
            raise UserError(f"{name} gave no answer.")
        return answers[0]  # type: ignore[no-any-return]  # a prediction, which is looked at further on

    return LiveModel(info, elsewhere)


class ScreenFiles:
    """Looks as requests have them. Pictures lie in a folder of their own while a model may look at them, the newest
    `kept` of them, and are gone with `close`."""

    def __init__(self, *, pictures: bool, kept: int = 2) -> None:
        self._kept = kept
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="stepscope-live-")) if pictures else None
        except OSError as error:
            raise _not_kept(error, Path(tempfile.gettempdir())) from error
        self._numbers = count()

    def observation(self, seen: ScreenSnapshot) -> Observation:
        """What was seen, with its picture as a file where pictures are wanted. Raises UserError where it cannot be
        written."""
        picture = None
        if self._folder is not None:
            number = next(self._numbers)
            path = self._folder / str(number)
            try:
                path.write_bytes(seen.picture)
                (self._folder / str(number - self._kept)).unlink(missing_ok=True)  # the one before may be looked at
            except OSError as error:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
                raise _not_kept(error, path) from error
            picture = Picture(path, seen.size)
        return Observation(seen.size, picture, seen.tree, None, seen.activity)

    def close(self) -> None:
        if self._folder is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._folder)


def _not_kept(error: OSError, place: Path) -> UserError:
    hint = "Make room where temporary files lie." if is_full(error) else "See that temporary files can be written."
    return UserError(f"The screen cannot be kept for the model: {reason(error)}", place=place, hint=hint)


def episode_request(done: Sequence[Step], seen: Observation, *, episode: str, goal: str | None) -> EpisodeRequest:
    """A request about what was done on a phone and the screen to which it led, where nothing is done yet; `goal` None
    asks for the goal."""
    return EpisodeRequest(
        episode,
        goal,
        Platform.ANDROID,
        (*(step.observation for step in done), seen),
        (*(step.action for step in done), None),
    )


def step_request(
    seen: Observation,
    *,
    episode: str,
    step: int,
    goal: str,
    app: str | None = None,
    history: tuple[Action, ...] = (),
    instruction: str | None = None,
    reply: tuple[str, str] | None = None,
) -> StepRequest:
    """A request about a phone's screen."""
    return StepRequest(
        episode, step, goal, Platform.ANDROID, seen, instruction=instruction, app=app, history=history, reply=reply
    )
