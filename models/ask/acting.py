"""An agent that asks with one that acts beside it: the actor, any model of task automation, by a setting in its name,
`always-ask?actor=two-tower`.

The actor is shown the goal as it was told and no instruction; for the second stream also what the person answers, for
the setting in which nothing is left out the whole goal (Navi-plus, table 1, has the four settings). It is told of no
question of its own: `action` stands also where the agent asks. Source: ours.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action
from stepscope.core.domain.model_call import MOST_CALLS
from stepscope.core.domain.model_name import ACTOR, split_name, with_settings
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import (
    Cancellable,
    ModelInfo,
    Predictor,
    Releasable,
    Speaking,
    StepRequest,
    is_batching,
)
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.models.ask.actor_choice import NO_ACTOR, actor_setting
from stepscope.models.learned.model_folders import find_trained

log = logging.getLogger("stepscope")

_ALONE = 32
"""Requests at a time where nothing works in batches."""


def acting_info(info: ModelInfo, actor: ModelInfo) -> ModelInfo:
    """What the agent says of itself with this actor. Raises UsageError for a model that does not act, and for one that
    is told its own answers, which the questions between would break off."""
    if actor.task is not Task.AUTOMATION:
        hint = "Name a model of task automation; 'stepscope models list' has them."
        raise UsageError(f"{actor.name} cannot be the actor of {info.name}: it does not act.", hint=hint)
    if actor.own_history:
        hint = "Leave its history at recorded."
        raise UsageError(f"{actor.name} cannot be an actor: it wants its own answers as history.", hint=hint)
    absent = next((one for one in (info, actor) if one.weights == "absent"), None)
    return replace(
        info,
        name=with_settings(info.name, split_name(info.name)[1] | {ACTOR: actor.name}),
        title=f"{info.title}, acting by {actor.title}",
        runtime=actor.runtime if info.runtime == "none" else info.runtime,
        weights=info.weights if actor.weights == "none" else "absent" if absent else "present",
        weights_from=absent.weights_from if absent else info.weights_from or actor.weights_from,
        trained_on=info.trained_on or actor.trained_on,
        needs_reference=info.needs_reference or actor.needs_reference,
        stand_in=info.stand_in or actor.stand_in,
        inputs=tuple(dict.fromkeys((*info.inputs, *actor.inputs))),
        batches=info.batches or actor.batches,
        version=f"{info.version}; {actor.name} {actor.version}",
        devices=actor.devices if info.runtime == "none" else info.devices,
        past_screens=max(info.past_screens, actor.past_screens),
    )


def without_actor(info: ModelInfo) -> ModelInfo:
    """The same for an agent that only asks."""
    name = with_settings(info.name, split_name(info.name)[1] | {ACTOR: NO_ACTOR})
    return replace(info, name=name, title=f"{info.title}, only asking")


def acting(predictor: Predictor[Any], info: ModelInfo, load: Callable[[str], Predictor[Any]]) -> Predictor[Any]:
    """The predictor with the actor of its name, else the usual one; as it is where it has none.

    The usual one of a trained model may lack or fail to load, which is logged; one that is named may not: raises what
    `load` raises.
    """
    setting = actor_setting(info)
    if setting is None:
        return predictor
    named = split_name(info.name)[1].get(ACTOR)
    chosen = named or str(setting.default)
    if chosen == NO_ACTOR:
        return predictor if named is None else _Acting(predictor, info, None)
    if named is not None:
        return _Acting(predictor, info, load(chosen))
    try:
        return predictor if find_trained(chosen) is None else _Acting(predictor, info, load(chosen))
    except UserError as error:
        log.warning("questions are put without an actor: %s", error)
        return predictor


@dataclass(frozen=True, slots=True)
class _ActingDraft:
    """A request made ready for both; `after` and `whole` None where there is nothing of the kind to act on."""

    asker: Any
    first: Any
    after: Any
    whole: Any


class _Acting:
    """See `BatchPredictor`. Works one by one where neither part works in batches."""

    def __init__(self, asker: Predictor[Any], info: ModelInfo, actor: Predictor[Any] | None) -> None:
        self._asker, self._actor = _Member(asker), None if actor is None else _Member(actor)
        self._parts = [one for one in (self._asker, self._actor) if one is not None]
        self.info = info
        self.batch_size = min(one.batch_size for one in self._parts)
        self.runtime = getattr(asker, "runtime", "auto")
        self.device = getattr(asker, "device", None)
        self.weight_files: Sequence[str | Path] = tuple(file for one in self._parts for file in one.weight_files)

    @property
    def fingerprint(self) -> str:
        """Of both as they are now; "" where one of them says so."""
        own = [one.fingerprint for one in self._parts]
        return "; acting by ".join(own) if all(own) else ""

    def predict(self, request: StepRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: StepRequest) -> _ActingDraft:
        asker = self._asker.prepare(request)
        if self._actor is None:
            return _ActingDraft(asker, None, None, None)
        told = shown_streams(request, reads_reply=self._actor.info.reads_reply)
        return _ActingDraft(asker, *(None if one is None else self._actor.prepare(one) for one in told))

    def predict_batch(self, prepared: Sequence[_ActingDraft]) -> Sequence[Prediction]:
        found = self._asker.answers([one.asker for one in prepared])
        if self._actor is None:
            return found
        places = [
            (place, stream)
            for place, draft in enumerate(prepared)
            for stream in ("first", "after", "whole")
            if getattr(draft, stream) is not None
        ]
        acted = self._actor.answers([getattr(prepared[place], stream) for place, stream in places])
        streams: list[dict[str, Prediction]] = [{} for _ in prepared]
        for (place, stream), one in zip(places, acted, strict=True):
            streams[place][stream] = one
        return [_together(one, actions) for one, actions in zip(found, streams, strict=True)]

    def set_token(self, token: CancelToken) -> None:
        for one in self._parts:
            if isinstance(one.predictor, Cancellable):
                one.predictor.set_token(token)

    def listen(self, heard: Callable[[str], None] | None) -> None:
        if isinstance(self._asker.predictor, Speaking):
            self._asker.predictor.listen(heard)

    def release(self) -> None:
        for one in self._parts:
            if isinstance(one.predictor, Releasable):
                one.predictor.release()

    def warm_up(self) -> None:
        for one in self._parts:
            if is_batching(one.predictor):
                one.predictor.warm_up()

    def close(self) -> None:
        for one in self._parts:
            if is_batching(one.predictor):
                one.predictor.close()


class _Member:
    """A predictor as one that takes several requests, whether it does or not."""

    def __init__(self, predictor: Predictor[Any]) -> None:
        self.predictor, self.info = predictor, predictor.info
        self._batches = predictor if is_batching(predictor) else None
        self.batch_size = _ALONE if self._batches is None else self._batches.batch_size
        self.weight_files: Sequence[str | Path] = getattr(predictor, "weight_files", ())

    @property
    def fingerprint(self) -> str:
        return f"{self.info.name} {self.info.version}" if self._batches is None else self._batches.fingerprint

    def prepare(self, request: StepRequest) -> Any:
        return request if self._batches is None else self._batches.prepare(request)

    def answers(self, drafts: Sequence[Any]) -> list[Prediction]:
        if not drafts:
            return []
        if self._batches is None:
            return [self.predictor.predict(one) for one in drafts]
        return [*self._batches.predict_batch(drafts)]


def shown_streams(
    request: StepRequest, *, reads_reply: bool
) -> tuple[StepRequest, StepRequest | None, StepRequest | None]:
    """What the actor is shown in the first stream, once the person has answered, and where it was told all.

    Question and answer go along as `reply` to a model that reads it; to any other they stand behind the goal.
    """
    plain = replace(request, instruction=None, reply=None, whole=None)
    after = None
    if request.reply is not None:
        after = replace(plain, reply=request.reply)
        if not reads_reply:
            after = replace(after, goal=" ".join((request.goal.strip(), *request.reply)))
    return plain, after, None if request.whole is None else replace(plain, goal=request.whole)


def _together(asked: Prediction, acted: Mapping[str, Prediction]) -> Prediction:
    """The agent's answer with the actor's actions, and the questions that were put to either."""
    if not isinstance(asked.answer, AskAnswer):
        return asked
    actions: dict[str, Action | None] = {name: one.action for name, one in acted.items()}
    answer = replace(asked.answer, action=actions.get("first"), after=actions.get("after"), whole=actions.get("whole"))
    calls = (*asked.calls, *(call for one in acted.values() for call in one.calls))
    return replace(asked, answer=answer, calls=calls[:MOST_CALLS])
