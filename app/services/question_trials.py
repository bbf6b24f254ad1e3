"""An agent tried on one recorded step: whether it asks there, and what it does without and with an answer (the two
streams of Navi-plus, section 4, at one step). What was tried is kept, so that it is there when the step is shown again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from json import dumps
from pathlib import Path
from typing import Any

from stepscope.app.services.live.agent_streams import acts_and_asks, as_agent
from stepscope.app.services.live.agent_words import NO_ANSWERS, WORDLESS
from stepscope.app.services.live.predicting import LiveModel, live_model
from stepscope.app.services.recordings_consent import check_consent
from stepscope.core.domain.action import Action, AskUser, Say
from stepscope.core.domain.episode import Ask, Episode
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import AskAnswer, Prediction, Task
from stepscope.core.domain.wire import action_from_json, action_to_json
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_data_dir
from stepscope.core.sources.source import Source

log = logging.getLogger("stepscope")

FILE = "question-trials.json"
MOST_KEPT = 500
"""Trials; older ones are dropped."""
FORMAT = 1


@dataclass(frozen=True, slots=True)
class QuestionTrial:
    """What `model` did at a step of an episode of the data at `data`. `question` "" : it did not ask. `first` is what
    it does without an answer (None where it asks), `second` what it does once it was answered, `by` whom ("person" or
    "data"); None where it had no usable answer."""

    data: str
    episode: str
    step: int
    model: str
    question: str = ""
    answer: str = ""
    by: str = ""
    first: Action | None = None
    second: Action | None = None


@dataclass(frozen=True, slots=True)
class StreamAnswer:
    """What a model says in one stream: it asks (`question`, "" where it does not; `wordless`: the words are ours), or
    acts, or `why` it gave nothing usable."""

    question: str = ""
    action: Action | None = None
    why: str = ""
    wordless: bool = False


def asking_models() -> tuple[ModelInfo, ...]:
    """Models that can be asked whether they ask: those that act and ask, and those that only say when."""
    from stepscope.models.registry import registry

    infos = [one.info for one in registry().models.values() if not one.info.needs_reference]
    acting = [one for one in infos if acts_and_asks(one)]
    others = [one for one in infos if one.task is Task.AUTOMATION and is_asked(one.name)]
    timing = [one for one in infos if one.task is Task.ASK and one not in acting]
    return tuple(sorted((*acting, *others, *timing), key=lambda one: one.stand_in))


def open_model(source: Source, name: str) -> LiveModel:
    """The model, not yet loaded. Raises ConsentNeededError for recordings that a person has not agreed to send, and as
    `live_model`."""
    check_consent(source, name)
    return live_model(name)


def request_at(episode: Episode, place: int, model: ModelInfo) -> StepRequest:
    """What the model is asked about the step at `place`, without an answer: the goal, the screen, and the actions
    before as they were recorded, without questions and answers; never the instruction, which may hold what the goal
    leaves out."""
    before = [
        step for step in episode.steps[:place]
        if step.action is not None and not isinstance(step.action, AskUser | Say)
    ]  # fmt: skip
    past = before[max(0, len(before) - model.past_screens) :] if model.past_screens else []
    step = episode.steps[place]
    return StepRequest(
        episode.id,
        step.index,
        episode.goal,
        episode.platform,
        step.observation,
        app=episode.app,
        history=tuple(one.action for one in before if one.action is not None),
        past=tuple(one.observation for one in past),
    )


def answered(request: StepRequest, question: str, answer: str) -> StepRequest:
    """The same request with an answer in its context; an answer that it had before stays under the goal."""
    goal = request.goal
    if request.reply is not None:
        goal = f"{goal}\nQuestion: {request.reply[0]} Answer: {request.reply[1]}"
    return replace(request, goal=goal, reply=(question, answer))


def stream_answer(prediction: Prediction, *, replied: bool) -> StreamAnswer:
    """What the prediction says in the first stream, or in the second (`replied`). One that only says when to ask does
    nothing."""
    timing = prediction.answer
    if isinstance(timing, AskAnswer) and timing.question is None and timing.action is None and not replied:
        return StreamAnswer(why="It does not ask here; it says when to ask, not what to do.")
    read = as_agent(prediction, replied=replied)
    if isinstance(read.action, AskUser):
        words = read.action.text.strip()
        return StreamAnswer(words or WORDLESS, wordless=not words)
    return StreamAnswer(action=read.action, why="" if read.action is not None else read.why or str(read.status))


def reference_ask(episode: Episode, step: int) -> Ask | None:
    """The recorded question that was due nearest this step, of equally near ones the earlier."""
    asked = [one for one in episode.asks if one.answer not in NO_ANSWERS]
    return min(asked, key=lambda one: (abs(one.step - step), one.step), default=None)


# Keeping -------------------------------------------------------------------------------------------------------------


def trials_file() -> Path:
    """Where the trials are kept; may not exist."""
    return user_data_dir() / FILE


def kept_trials(data: str, episode: Episode) -> dict[int, QuestionTrial]:
    """The newest trial of each step of the episode; what cannot be read is logged and left out."""
    found: dict[int, QuestionTrial] = {}
    sizes = {step.index: step.observation.size for step in episode.steps}
    for form in _forms():
        if (form.get("data"), form.get("episode")) == (data, episode.id) and form.get("step") in sizes:
            try:
                found[form["step"]] = _trial(form, sizes[form["step"]])
            except (ValueError, TypeError, KeyError, OverflowError) as error:
                log.warning("a question that was tried cannot be read: %s", error)
    return found


def keep(trial: QuestionTrial) -> None:
    """Keep the trial; the oldest go when there are too many. Raises UserError where it cannot be written."""
    file = trials_file()
    forms = [*_forms(), _form(trial)][-MOST_KEPT:]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, dumps({"format": FORMAT, "trials": forms}, ensure_ascii=False, indent=1).encode())
    except OSError as error:
        raise UserError(f"what was tried cannot be kept: {reason(error)}", place=file, hint=advice(error)) from error


def _forms() -> Iterable[dict[str, Any]]:
    try:
        form = read_json(trials_file())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        log.warning("the questions that were tried cannot be read: %s", error)
        return ()
    trials = form.get("trials") if isinstance(form, Mapping) else None
    return [one for one in trials if isinstance(one, dict)] if isinstance(trials, list) else ()


def _form(trial: QuestionTrial) -> dict[str, Any]:
    form = {name: getattr(trial, name) for name in ("data", "episode", "step", "model", "question", "answer", "by")}
    actions = {"first": trial.first, "second": trial.second}
    return form | {name: None if one is None else action_to_json(one) for name, one in actions.items()}


def _trial(form: Mapping[str, Any], size: Size) -> QuestionTrial:
    words = {name: str(form.get(name, "")) for name in ("data", "episode", "model", "question", "answer", "by")}
    first, second = (
        None if form.get(name) is None else action_from_json(form[name], size) for name in ("first", "second")
    )
    return QuestionTrial(step=int(form["step"]), first=first, second=second, **words)
