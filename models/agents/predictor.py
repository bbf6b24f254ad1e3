"""Models that are asked in words and pictures, as the engine asks them: the next action, whether to ask, and questions
about the whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from stepscope.core.domain.action import Action, AskUser, Finish, FinishStatus
from stepscope.core.domain.model_call import MOST_CALLS, MOST_POINTS, CoordinateSpace, ModelCall, SaidPoint
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.errors import OutOfMemory
from stepscope.core.evaluation.predictor import ModelInfo, Request, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.models.agents.adapter import PROMPTS, Adapter, ReadAnswer, read_answer
from stepscope.models.agents.question import AgentQuestion, question
from stepscope.models.agents.settings import MOST_TOKENS, AskingSettings
from stepscope.models.agents.spaces import Space
from stepscope.models.agents.whole_questions import WholeQuestion
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.calls import of_screens, of_trajectory
from stepscope.models.chat.chat import BatchChat, Chat
from stepscope.models.chat.client import ServerError
from stepscope.models.chat.redaction_rules import mark

SPACES = {
    Space.UNIT: CoordinateSpace.UNIT,
    Space.THOUSAND: CoordinateSpace.THOUSAND,
    Space.NINE99: CoordinateSpace.NINE99,
    Space.RESIZED: CoordinateSpace.SENT,
    Space.ORIGINAL: CoordinateSpace.SCREEN,
}
MOST_SMALLER = 4
"""How often pictures are sent smaller, by half their area each time (ours)."""
Message = dict[str, Any]
RequestT = TypeVar("RequestT", bound=Request)
Prepared = TypeVar("Prepared")


class _AskedPredictor(ABC, Generic[RequestT, Prepared]):
    """See `BatchPredictor` and `Cancellable`: the questions of a batch are put at once."""

    def __init__(
        self,
        info: ModelInfo,
        chat: Chat,
        *,
        parallel: int,
        pictures: bool,
        fingerprint: str,
        tokens: int = MOST_TOKENS,
        weight_files: Sequence[Path] = (),
    ) -> None:
        """`parallel`: questions that are put at once; `pictures`: whether the model is shown any; `tokens`: the longest
        answer; `weight_files`: those that the model was loaded from here."""
        self._info, self.batch_size, self._fingerprint = info, parallel, fingerprint
        self.weight_files = weight_files
        self._chat, self._pictures, self._tokens = chat, pictures, tokens
        self._heard: Callable[[str], None] | None = None

    @property
    def info(self) -> ModelInfo:
        """As the model is asked now: a person's rules of what is never sent are part of the version."""
        return replace(self._info, version=f"{self._info.version}{mark()}")

    @property
    def fingerprint(self) -> str:
        """The same: a model stays loaded while rules come and go."""
        return f"{self._fingerprint}{mark()}"

    def set_token(self, token: CancelToken) -> None:
        self._chat.set_token(token)

    def listen(self, heard: Callable[[str], None] | None) -> None:
        self._heard = heard

    def predict(self, request: RequestT) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    @abstractmethod
    def prepare(self, request: RequestT) -> Prepared:
        """Decode and resize what is shown."""

    def predict_batch(self, prepared: Sequence[Prepared]) -> list[Prediction]:
        """Nothing is raised for a server's fault: each item is told. Raises OutOfMemory."""
        return self._asked(prepared)

    def _asked(self, prepared: Sequence[Prepared]) -> list[Prediction]:
        """All their questions at once, and what the answers say."""
        questions = [self._questions(one) for one in prepared]
        answers = iter(self._put([messages for several in questions for messages in several]))
        return [
            self._read(one, [next(answers) for _ in several]) for one, several in zip(prepared, questions, strict=True)
        ]

    def warm_up(self) -> None:
        """A server is warm or is not; a checkpoint is loaded."""

    def close(self) -> None:
        """Close nothing: no connection is kept between questions."""

    @abstractmethod
    def _questions(self, asked: Prepared) -> list[list[Message]]:
        """What is put to the model, as messages."""

    @abstractmethod
    def _read(self, asked: Prepared, answers: Sequence[ChatAnswer | ServerError]) -> Prediction:
        """What its answers to these questions say."""

    def _put(self, several: Sequence[list[Message]]) -> Sequence[ChatAnswer | ServerError]:
        if isinstance(self._chat, BatchChat):
            heard = self._heard if len(several) == 1 else None
            return self._chat.ask_all(several, self._tokens, heard=heard) if several else ()
        if len(several) < 2:
            return [self._chat.ask(one, self._tokens) for one in several]
        with ThreadPoolExecutor(min(len(several), self.batch_size), "agent") as pool:
            return [*pool.map(lambda one: self._chat.ask(one, self._tokens), several)]


class AgentPredictor(_AskedPredictor[StepRequest, Any]):
    """The next action. A prediction's raw output is the agent's answer as it came, and its call has the picture as sent
    and the places as said: it can be read again in another space.

    Where memory runs out over one question, its pictures are sent smaller, this and all that follow, and each item
    says so.
    """

    def __init__(self, info: ModelInfo, chat: Chat, settings: AskingSettings, **more: Any) -> None:
        """`more` as for every predictor that asks."""
        super().__init__(info, chat, tokens=settings.tokens, **more)
        self._settings = settings
        self._smaller = 0

    def prepare(self, request: StepRequest) -> Any:
        return self._question(request)

    def predict_batch(self, prepared: Sequence[Any]) -> list[Prediction]:
        """As of every predictor that asks, with smaller pictures where one question alone is too much."""
        try:
            return super().predict_batch(prepared)
        except OutOfMemory:
            if len(prepared) > 1 or self._smaller >= MOST_SMALLER or not self._settings.adapter.can_send_less:
                raise
        self._smaller += 1
        return self.predict_batch([self.prepare(_request_of(prepared[0]))])

    def _question(self, request: StepRequest) -> AgentQuestion:
        adapter = self._settings.adapter.sending_less(self._smaller)
        return question(request, replace(self._settings, adapter=adapter), pictures=self._pictures)

    def _questions(self, asked: Any) -> list[list[Message]]:
        return [asked.messages]

    def _read(self, asked: Any, answers: Sequence[ChatAnswer | ServerError]) -> Prediction:
        return self._acted(asked, answers[0])

    def _acted(self, asked: AgentQuestion, found: ChatAnswer | ServerError) -> Prediction:
        """The action that is answered."""
        request, adapter, call = asked.request, self._settings.adapter, found.call
        if isinstance(found, ServerError) or (found.status is not PredictionStatus.OK and not found.unended):
            return _unanswered(request.episode, request.step, found, _calls(call, asked))
        read = read_answer(adapter, found.text or found.raw, asked.screen, asked.sent, self._settings.reading)
        answer = self._meant(request, read, found.raw)
        if found.unended and read.problem:
            answer = replace(answer, why=f"{found.why} {answer.why}".strip())
        if asked.sent != adapter.sent(asked.screen):
            told = f"Memory ran out: the picture was sent at {asked.sent}."
            answer = replace(answer, why=f"{answer.why} {told}".strip())
        answer = replace(answer, why=f"{answer.why} {found.note}".strip())
        return replace(answer, latency_ms=found.ms, calls=_calls(call, asked, read))

    def _meant(self, request: StepRequest, read: ReadAnswer, raw: str) -> Prediction:
        """What was read as the prediction of the step."""
        return prediction_of(request.episode, request.step, read, raw)


@dataclass(frozen=True, slots=True)
class AskingQuestion:
    """A step in an evaluation of asking, by what the agent is told: `now` without the person's answer, `at_once` what
    else is asked with it, and `then` what is asked only if it asks now. By the fields of `AskAnswer`."""

    made_of: StepRequest
    now: AgentQuestion
    at_once: Mapping[str, AgentQuestion]
    then: Mapping[str, StepRequest]


class AskingPredictor(AgentPredictor):
    """Whether the agent asks at a step, and what it does: the first stream without the person's answer, the second one
    with it (Navi-plus, section 2.3). An agent asks by the word for it that its adapter has.

    The second stream runs from its first ask on and nowhere else (`StepRequest.asked`; where that is not known it runs
    wherever an answer is, and no more). With `streams` other than two it is told the whole goal as well, where the data
    has one, and where it asks or was told something already also that it cannot ask (ours).
    """

    def prepare(self, request: StepRequest) -> Any:
        alone = replace(request, reply=None, whole=None)
        again = None if request.reply is None else replace(request, whole=None)
        at_once: dict[str, StepRequest] = {}
        then: dict[str, StepRequest] = {}
        if again is not None:
            (then if request.asked is False else at_once)["after"] = again
        if self._settings.streams != "two" and request.asked is not None:
            if request.whole not in (None, request.goal):
                at_once["whole"] = replace(alone, goal=str(request.whole), told=())
            (at_once if request.told else then)["unasked"] = replace(alone, goal=f"{request.goal} {MAY_NOT}", told=())
        now = self._question(alone)
        return AskingQuestion(request, now, {name: self._question(one) for name, one in at_once.items()}, then)

    def _asked(self, prepared: Sequence[Any]) -> list[Prediction]:
        """Two rounds: what an agent does once answered is not asked before it has asked."""
        firsts = iter(self._put([m.messages for one in prepared for m in (one.now, *one.at_once.values())]))
        heard = [[next(firsts) for _ in range(1 + len(one.at_once))] for one in prepared]
        now = [self._acted(one.now, answers[0]) for one, answers in zip(prepared, heard, strict=True)]
        then = [
            {name: self._question(request) for name, request in one.then.items()}
            if isinstance(first.action, AskUser)
            else {}
            for one, first in zip(prepared, now, strict=True)
        ]
        seconds = iter(self._put([one.messages for several in then for one in several.values()]))
        found = []
        for one, answers, first, more in zip(prepared, heard, now, then, strict=True):
            asked = {**one.at_once, **more}
            said = zip(asked, [*answers[1:], *(next(seconds) for _ in more)], strict=True)
            acted = {name: self._acted(asked[name], answer) for name, answer in said}
            found.append(_asking(first, acted, behind=bool(one.made_of.behind)))
        return found


MAY_NOT = "(You cannot ask the person: do what is most likely meant.)"
"""What an agent is told besides the goal for what it does when it may not ask."""


def _asking(first: Prediction, others: Mapping[str, Prediction], *, behind: bool) -> Prediction:
    """What it says now, with what it does when told otherwise, by the fields of `AskAnswer`. An answer that cannot be
    read is left out there, and makes no prediction where it is the first.

    `behind` a question that it has asked the answer is part of what was said: there it asks only where it asks again
    once answered (Navi-plus, section 2.1: what was asked and said is logged into the context).
    """
    calls = tuple(call for one in (first, *others.values()) for call in one.calls)[:MOST_CALLS]
    if first.action is None:
        return replace(first, calls=calls)
    speaks = others["after"].action if behind and "after" in others else first.action
    answer = AskAnswer(
        speaks.text if isinstance(speaks, AskUser) else None,
        action=None if isinstance(first.action, AskUser) else first.action,
        after=_done(others.get("after")),
        whole=_done(others.get("whole")),
        unasked=_done(others.get("unasked")),
    )
    return replace(first, answer=answer, calls=calls)


def _done(one: Prediction | None) -> Action | None:
    return None if one is None else one.action


class PointingPredictor(AgentPredictor):
    """Where what an expression means is: asked in the adapter's own words for it, else as a task to tap it."""

    def _question(self, request: StepRequest) -> AgentQuestion:
        adapter = self._settings.adapter.sending_less(self._smaller)
        if adapter.prompt_grounding is None:
            words = f"Tap what this describes: {request.goal}"
            request = replace(request, goal=words, instruction=words)
        return question(request, replace(self._settings, adapter=adapter.pointing), pictures=self._pictures)

    def _meant(self, request: StepRequest, read: ReadAnswer, raw: str) -> Prediction:
        """As an action; that nothing on the screen is meant is an answer here, (-1, -1) of UI-Venus's models."""
        if read.refused:
            return Prediction(request.episode, request.step, ActionAnswer(Finish(FinishStatus.IMPOSSIBLE)), raw=raw)
        return super()._meant(request, read, raw)


class WholePredictor(_AskedPredictor[Any, WholeQuestion]):
    """Goal, feasibility and order: one question about the whole."""

    def __init__(self, info: ModelInfo, chat: Chat, ask: Callable[..., WholeQuestion], **more: Any) -> None:
        """`ask` makes the question of a request alone. `more` as for every predictor that asks."""
        super().__init__(info, chat, **more)
        self._ask = ask

    def prepare(self, request: Any) -> WholeQuestion:
        return self._ask(request)

    def _questions(self, asked: WholeQuestion) -> list[list[Message]]:
        return [] if asked.messages is None else [asked.messages]

    def _read(self, asked: WholeQuestion, answers: Sequence[ChatAnswer | ServerError]) -> Prediction:
        if not answers:
            return Prediction(asked.name, None, None, PredictionStatus.EMPTY, why=asked.why)
        found = answers[0]
        calls = () if found.call is None else (of_trajectory(found.call, asked.steps),)
        if isinstance(found, ServerError) or found.status is not PredictionStatus.OK:
            return _unanswered(asked.name, None, found, calls)
        read = asked.read(found.text)
        why = f"{read.why} {found.note}".strip()
        return replace(read, latency_ms=found.ms, raw=found.raw, calls=calls, why=why)


def _request_of(asked: Any) -> StepRequest:
    """The request that a question was made of."""
    if isinstance(asked, AskingQuestion):
        return asked.made_of
    found: StepRequest = asked.request
    return found


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
    prompts = "/".join(one.version for name in PROMPTS if (one := getattr(adapter, name)) is not None)
    return f"{adapter.version}, prompt {prompts or 'none'} ({adapter.digest})"


def _unanswered(
    name: str, step: int | None, found: ChatAnswer | ServerError, calls: tuple[ModelCall, ...]
) -> Prediction:
    """What is booked where there is no answer to read."""
    if isinstance(found, ServerError):
        return Prediction(name, step, None, PredictionStatus.FAILED, why=str(found), calls=calls)
    return Prediction(name, step, None, found.status, latency_ms=found.ms, raw=found.raw, why=found.why, calls=calls)


def _calls(call: ModelCall | None, asked: AgentQuestion, read: ReadAnswer | None = None) -> tuple[ModelCall, ...]:
    if call is None:
        return ()
    said = () if read is None else read.said[:MOST_POINTS]
    places = tuple(SaidPoint(x, y, SPACES[read.space]) for x, y in said) if read is not None else ()
    return (replace(of_screens(call, asked.places), said=places),)
