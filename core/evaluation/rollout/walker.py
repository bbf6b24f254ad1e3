"""A predictor of single steps that walks alone until it says that it is done, or is stopped.

It is asked about what it sees with its own actions as history: nothing of the demonstration is told to it. Asking a
question is answered where the data has an answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from stepscope.core.domain.action import Action, AskUser, Finish
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.model_call import MOST_CALLS, ModelCall
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.walk import WalkAnswer, WalkEnd, WalkStep, WalkUnderWay
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Cancellable, OwnAnswer, Predictor, StepRequest, WalkRequest
from stepscope.core.evaluation.rollout.world import WalkWorld
from stepscope.core.progress import CancelToken

Watch = Callable[[WalkUnderWay], None]
"""Is told of a walk when it begins and after each of its actions, in the thread that predicts."""

PATIENCE = 3
"""Actions in a row that lead nowhere, or answers that are none, after which a walk ends."""
SAME = 3
"""Times that one action may be done on one screen before the walk ends as a loop."""
LONGEST_RAW = 20_000
"""Characters that are kept of what a model said at a step."""


class WalkCancelled(UserError):  # noqa: N818 - a fact
    """The run was cancelled while something walked."""


@dataclass
class _Walk:
    """A walk on its way."""

    request: WalkRequest
    steps: list[WalkStep] = field(default_factory=list)
    history: tuple[Action, ...] = ()
    own: tuple[OwnAnswer, ...] = ()
    past: tuple[Observation, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    reply: tuple[str, str] | None = None
    done: Counter[tuple[str, Action]] = field(default_factory=Counter)
    in_vain: int = 0
    unusable: int = 0


class Walker:
    """A predictor of `Task.ROLLOUT`. `inner` predicts single steps; a walk ends after `stop_after` times the person's
    actions. `watch` is told how far it is."""

    def __init__(
        self, inner: Predictor[Any], world: WalkWorld, *, stop_after: float, watch: Watch | None = None
    ) -> None:
        self.info = replace(inner.info, task=Task.ROLLOUT, batches=False, own_history=False)
        self.weight_files = getattr(inner, "weight_files", ())
        self._inner, self._world, self._stop_after, self._watch = inner, world, stop_after, watch
        self._token = CancelToken()

    def set_token(self, token: CancelToken) -> None:
        self._token = token
        if isinstance(self._inner, Cancellable):
            self._inner.set_token(token)

    def predict(self, request: WalkRequest) -> Prediction:
        """The walk. Raises UserError where there is nothing to walk on, or when the run is cancelled."""
        world = self._world
        world.begin(request)
        walk = _Walk(request)
        most = max(1, math.ceil(self._stop_after * max(world.human_actions, 1)))
        goal_at = 0 if world.holds() else None
        end = None
        while end is None:
            place, seen = world.look()
            self._tell(walk, place)
            end = self._step(walk, place, seen, most)
            if goal_at is None and world.holds():
                goal_at = len(walk.steps) - (end is WalkEnd.FINISHED)
        reached = world.holds(at_end=True)
        if reached and goal_at is None:
            goal_at = len(walk.steps) - (end is WalkEnd.FINISHED)
        latency = [step.latency_ms for step in walk.steps if step.latency_ms is not None]
        answer = WalkAnswer(
            steps=tuple(walk.steps),
            end=end,
            last=world.look()[0],
            human=world.human,
            human_actions=world.human_actions,
            reached=reached,
            goal_at=goal_at,
            way_on=world.way_on(),
            world=world.kind,
            check=world.check,
        )
        return Prediction(
            request.episode, None, answer, latency_ms=sum(latency) if latency else None, calls=walk.calls[:MOST_CALLS]
        )

    def release(self) -> None:
        self._world.close()
        release = getattr(self._inner, "release", None)
        if release is not None:
            release()

    def _tell(self, walk: _Walk, place: str) -> None:
        if self._watch is not None:
            request, world = walk.request, self._world
            self._watch(
                WalkUnderWay(
                    request.episode, request.goal, request.app or "", tuple(walk.steps), place, world.human,
                    world.human_actions,
                )
            )  # fmt: skip

    def _step(self, walk: _Walk, place: str, seen: Observation, most: int) -> WalkEnd | None:
        """One step more, on the screen `place`; how the walk ended with it, None where it goes on."""
        if self._token.cancelled:
            raise WalkCancelled("The walk was cancelled.")
        prediction = self._ask(walk, seen)
        action = prediction.action
        walk.calls += prediction.calls
        walk.own += (OwnAnswer(action, prediction.raw),)
        step = WalkStep(
            place, action, False, prediction.why, prediction.confidence, prediction.latency_ms,
            prediction.raw[:LONGEST_RAW],
        )  # fmt: skip
        if isinstance(action, Finish):
            walk.steps.append(step)
            return WalkEnd.FINISHED
        led = action is not None and self._do(walk, action)
        walk.steps.append(replace(step, led=led))
        walk.past += (seen,)
        if action is not None:
            walk.history += (action,)
            walk.done[place, action] += led
        walk.unusable = 0 if action is not None else walk.unusable + 1
        walk.in_vain = 0 if led else walk.in_vain + 1
        if walk.unusable >= PATIENCE:
            return WalkEnd.FAILED
        if walk.in_vain >= PATIENCE:
            return WalkEnd.STUCK
        if action is not None and walk.done[place, action] >= SAME:
            return WalkEnd.LOOP
        return WalkEnd.LIMIT if len(walk.steps) >= most else None

    def _do(self, walk: _Walk, action: Action) -> bool:
        if not isinstance(action, AskUser):
            return self._world.do(action)
        answer = self._world.answer_to(action.text)
        walk.reply = (action.text, answer) if answer else walk.reply
        return bool(answer)

    def _ask(self, walk: _Walk, seen: Observation) -> Prediction:
        request, info = walk.request, self._inner.info
        answer: Prediction = self._inner.predict(
            StepRequest(
                episode=request.episode,
                step=len(walk.steps),
                goal=request.goal,
                platform=request.platform,
                observation=seen,
                app=request.app,
                history=walk.history,
                reference=self._world.shown() if info.needs_reference else None,
                reply=walk.reply,
                past=walk.past[max(0, len(walk.past) - info.past_screens) :],
                own=walk.own if info.own_history else (),
            )
        )
        return answer
