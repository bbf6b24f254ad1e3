"""An agent as the engine asks it: the next action of a step, by its adapter's prompt and reader."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from stepscope.core.domain.model_call import MOST_POINTS, CoordinateSpace, ModelCall, SaidPoint
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.progress import CancelToken
from stepscope.models.agents.adapter import Adapter, ReadAnswer, read_answer
from stepscope.models.agents.question import AgentQuestion, question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.agents.spaces import Space
from stepscope.models.chat.calls import of_screens
from stepscope.models.chat.chat import Chat
from stepscope.models.chat.client import ServerError

SPACES = {
    Space.UNIT: CoordinateSpace.UNIT,
    Space.THOUSAND: CoordinateSpace.THOUSAND,
    Space.NINE99: CoordinateSpace.NINE99,
    Space.RESIZED: CoordinateSpace.SENT,
    Space.ORIGINAL: CoordinateSpace.SCREEN,
}


class AgentPredictor:
    """See `BatchPredictor` and `Cancellable`. A prediction's raw output is the agent's answer as it came, and its call
    has the picture as sent and the places as said: it can be read again in another space."""

    def __init__(
        self, info: ModelInfo, chat: Chat, settings: AskingSettings, *, parallel: int, pictures: bool, fingerprint: str
    ) -> None:
        """`parallel`: questions that are put at once."""
        self.info, self.batch_size, self.fingerprint = info, parallel, fingerprint
        self._chat, self._settings, self._pictures = chat, settings, pictures

    def set_token(self, token: CancelToken) -> None:
        self._chat.set_token(token)

    def predict(self, request: StepRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: StepRequest) -> AgentQuestion:
        return question(request, self._settings, pictures=self._pictures)

    def predict_batch(self, prepared: Sequence[AgentQuestion]) -> list[Prediction]:
        """All at once. Nothing is raised for a server's fault: each item is told."""
        if len(prepared) == 1:
            return [self._answered(prepared[0])]
        with ThreadPoolExecutor(len(prepared), "agent") as pool:
            return [*pool.map(self._answered, prepared)]

    def warm_up(self) -> None:
        """A server is warm or is not."""

    def close(self) -> None:
        """Close nothing: no connection is kept between questions."""

    def _answered(self, asked: AgentQuestion) -> Prediction:
        request = asked.request
        found = self._chat.ask(asked.messages, self._settings.tokens)
        call = found.call
        if isinstance(found, ServerError):
            return Prediction(
                request.episode, request.step, None, PredictionStatus.FAILED, why=str(found), calls=_calls(call, asked)
            )
        if found.status is not PredictionStatus.OK and not found.unended:
            return Prediction(
                request.episode, request.step, None, found.status, latency_ms=found.ms, raw=found.raw, why=found.why,
                calls=_calls(call, asked),
            )  # fmt: skip
        adapter = self._settings.adapter
        read = read_answer(adapter, found.text or found.raw, asked.screen, asked.sent, self._settings.reading)
        answer = prediction_of(request.episode, request.step, read, found.raw)
        if found.unended and read.problem:
            answer = replace(answer, why=f"{found.why} {answer.why}".strip())
        return replace(answer, latency_ms=found.ms, calls=_calls(call, asked, read))


def prediction_of(episode: str, step: int | None, read: ReadAnswer, raw: str) -> Prediction:
    """What was read of a raw output as the prediction of a step: of several actions the first counts, which is told."""
    if read.problem:
        place = f" (at character {read.stopped + 1})" if read.stopped else ""
        why = f"{read.problem[:1].upper()}{read.problem[1:]}{place}."
        return Prediction(episode, step, None, PredictionStatus.MALFORMED, raw=raw, why=why)
    more = len(read.actions) - 1
    why = "" if not more else f"It said {more + 1} actions; the first counts."
    return Prediction(episode, step, ActionAnswer(read.actions[0]), raw=raw, why=why)


def model_version(adapter: Adapter) -> str:
    """Changes whenever the same agent may be asked or read otherwise: adapter and prompt with their content."""
    prompts = "/".join(one.version for one in (adapter.prompt, adapter.prompt_web) if one is not None)
    return f"{adapter.version}, prompt {prompts or 'none'} ({adapter.digest})"


def _calls(call: ModelCall | None, asked: AgentQuestion, read: ReadAnswer | None = None) -> tuple[ModelCall, ...]:
    if call is None:
        return ()
    said = () if read is None else read.said[:MOST_POINTS]
    places = tuple(SaidPoint(x, y, SPACES[read.space]) for x, y in said) if read is not None else ()
    return (replace(of_screens(call, asked.places), said=places),)
