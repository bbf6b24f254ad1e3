"""A model behind a server as the engine asks it: `served:SERVER/MODEL`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.model_name import SERVED
from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus, Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo
from stepscope.core.progress import CancelToken
from stepscope.models.chat import client, keys, prompt, servers
from stepscope.models.chat.answering_model import AnsweringModel
from stepscope.models.chat.answers import ChatAnswer, sentence
from stepscope.models.chat.calls import of_trajectory
from stepscope.models.chat.servers import ChatServer

_STOPPED = "The run was cancelled before the server answered."


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """`body` None: there is nothing to ask about. `steps` are those whose screens it has, in its order."""

    episode: str
    body: dict[str, Any] | None
    steps: tuple[int, ...] = ()


def server_and_model(name: str) -> tuple[ChatServer, str]:
    """Server and model of `served:SERVER/MODEL`, or of `served:SERVER` where the server has a model of its own. Raises
    UsageError for a server that was not added."""
    place, _, model = name.removeprefix(SERVED).partition("/")
    server = servers.find(place)
    if not (model or server.model):
        hint = f"Name it: {SERVED}{place}/MODEL; stepscope servers check {place} lists them."
        raise UsageError(f"The server {place} has no model of its own.", hint=hint)
    return server, model or server.model


def info_of(server: ChatServer, model: str) -> ModelInfo:
    """What a server's model is called, needs and comes from; made from the settings alone, nothing is asked."""
    return ModelInfo(
        name=f"{SERVED}{server.name}/{model}",
        title=f"{model} at {server.name}",
        task=Task.GOAL,
        description="Asks a model behind a server that was added here for the goal in one sentence, from the screens "
        "with the actions drawn on them." + ("" if server.pictures else " This one is told the steps in words only."),
        source="Berkovitch et al. 2024: screens with the action drawn; prompt of this project",
        runtime="service",
        stand_in=False,
        inputs=("screens", "tree", "history") if server.pictures else ("tree", "history"),
        batches=True,
        version=prompt.VERSION,
        weights_from=f"the server {server.name}, {server.url}",
    )


class ServedGoals:
    """See `BatchPredictor`. The key is looked up when the first request of a run goes out, and kept no longer."""

    def __init__(self, server: ChatServer, model: str, *, patience: client.RetryPolicy | None = None) -> None:
        self.info: ModelInfo = info_of(server, model)
        self.batch_size = server.parallel
        looks = "pictures" if server.pictures else "words"
        self.fingerprint = f"{self.info.name} {server.url}; {prompt.VERSION}, {looks}"
        self._server, self._model, self._patience = server, model, patience
        self._token = CancelToken()
        self._over: client.ServerError | None = None
        self._answering = AnsweringModel()

    def set_token(self, token: CancelToken) -> None:
        """A run begins, which this token may end."""
        self._token, self._over = token, None
        self._answering.begin()

    def predict(self, request: EpisodeRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: EpisodeRequest) -> ChatRequest:
        body = prompt.body(request, self._model, pictures=self._server.pictures)
        steps = prompt.pictured_steps(request) if self._server.pictures else ()
        return ChatRequest(request.episode, body, tuple(steps))

    def predict_batch(self, prepared: Sequence[ChatRequest]) -> list[Prediction]:
        """All at once, as many as the server takes. Nothing is raised for a server's fault: each item is told."""
        bodies = [one.body for one in prepared if one.body is not None]
        following = iter(self._asked(bodies))
        return [_prediction(one, None if one.body is None else next(following)) for one in prepared]

    def warm_up(self) -> None:
        """A server is warm or is not."""

    def close(self) -> None:
        """Close nothing: no connection is kept between batches."""

    def _asked(self, bodies: Sequence[dict[str, Any]]) -> Sequence[ChatAnswer | client.ServerError]:
        if not bodies:
            return ()
        if self._over is not None:
            return [self._over] * len(bodies)
        key = keys.get(self._server.name)
        try:
            found = client.ask(self._server, bodies, key=key, token=self._token, patience=self._patience)
        except client.Cancelled:
            return [client.ServerError(_STOPPED)] * len(bodies)
        self._over = next((one for one in found if isinstance(one, client.ServerError) and one.lasting), None)
        return [one if isinstance(one, client.ServerError) else self._answering.noted(one) for one in found]


def _prediction(request: ChatRequest, found: ChatAnswer | client.ServerError | None) -> Prediction:
    episode = request.episode
    if found is None:
        return Prediction(episode, None, None, PredictionStatus.EMPTY, why="The trajectory has no steps.")
    if isinstance(found, client.ServerError):
        return Prediction(episode, None, None, PredictionStatus.FAILED, why=str(found), calls=_calls(request, found))
    answer = sentence(found)
    goal = GoalAnswer(answer.text) if answer.status is PredictionStatus.OK else None
    why = f"{answer.why} {found.note}".strip()
    return Prediction(
        episode, None, goal, answer.status, latency_ms=found.ms, raw=answer.raw, why=why, calls=_calls(request, found)
    )


def _calls(request: ChatRequest, found: ChatAnswer | client.ServerError) -> tuple[ModelCall, ...]:
    return () if found.call is None else (of_trajectory(found.call, request.steps),)
