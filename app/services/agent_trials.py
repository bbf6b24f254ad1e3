"""An agent tried on one screen: what it is sent, what it says while it says it, and what that means in every space."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from itertools import islice
from pathlib import Path

import stepscope.models.registry
from stepscope.app.services.coordinate_check import candidates_of_adapter
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.recordings_consent import check_server
from stepscope.app.services.stored_answers import sent_size
from stepscope.core.domain.action import Action, action_point
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.evaluation.predictor import Cancellable, StepRequest
from stepscope.core.evaluation.runner import score_item
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.options import default_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.registry import open_source
from stepscope.core.sources.source import Source
from stepscope.models.agents.adapter import Adapter, read_answer
from stepscope.models.agents.asked import AskedModel, asked_checkpoint, asked_model, asked_server, load_model
from stepscope.models.agents.predictor import AgentPredictor, prediction_of
from stepscope.models.agents.question import sent_picture
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.agents.spaces import reading_of
from stepscope.models.chat.redaction_rules import redaction_of
from stepscope.models.chat.servers import ChatServer
from stepscope.models.checkpoints.checkpoint import Checkpoint

RULE = "aitw"
REDUCED = Size(480, 960)
"""Pixels of the screen that is shown, at the most."""
LOOKED_AT = 20
"""Episodes among which one with a place is looked for."""
_NO_REFERENCE = Score(ScoreStatus.UNSCORED, None, "The goal is a person's own: nobody has recorded what is right.")


@dataclass(frozen=True, slots=True)
class NewServer:
    """A model behind a server that need not have been added. `key` goes with the question and is kept nowhere; None:
    the one that is kept for this server."""

    server: ChatServer
    model: str
    key: str | None = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class AgentTrialRequest:
    """`model` by its name, or one that need not have been added; `data` None: the sample. `episode` and `step`
    name the screen, None the first one on which something is touched, after `skip` of them. `protocol` is the rule that
    says whether the answer is right. `goal` is put in the place of the episode's own; no recorded action belongs to it
    then, and nothing is right or wrong."""

    model: str | Checkpoint | NewServer
    data: Path | None = None
    format: str | None = None
    episode: str | None = None
    step: int | None = None
    skip: int = 0
    goal: str = ""
    device: str = "auto"
    protocol: str = RULE


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """The same answer read in this space (a word of `READINGS`): its place in pixels of the recorded screen, and
    whether it would be right."""

    space: str
    point: Point | None
    right: bool | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AgentTrial:
    """`sent` is the size of the picture as it was sent, `picture` its file, and `recorded` that of the screen, of which
    `screenshot` is a reduced PNG. `readings` are those of the same answer in all spaces, the chosen one first."""

    episode: str
    step: int
    goal: str
    adapter: Adapter
    reference: Action | None
    recorded: Size
    sent: Size | None
    picture: bytes | None
    screenshot: bytes | None
    call: ModelCall | None
    prediction: Prediction
    score: Score
    readings: tuple[SpaceReading, ...]
    load_seconds: float
    answer_seconds: float


def try_agent(
    request: AgentTrialRequest, token: CancelToken | None = None, heard: Callable[[str], None] | None = None
) -> AgentTrial:
    """Load the agent and ask it about one screen; `heard` gets its words as they come, where it gives them so. Raises
    UsageError for a model that is none of task automation, ConsentNeededError for recordings that a person has not
    agreed to send, UserError where it cannot be loaded, and where no screen fits."""
    asked_for, key = _asked_for(request.model)
    settings = asked_for.settings
    if not isinstance(settings, AskingSettings) or asked_for.task is not Task.AUTOMATION:
        raise UsageError(f"{request.model} is no agent.", hint="Name served:SERVER/MODEL or local:CHECKPOINT.")
    scorer = run_scorer(request.protocol)
    if scorer.info.task is not Task.AUTOMATION:
        raise UsageError(f"{request.protocol} is no rule for automation.", hint=f"Give --protocol {RULE}.")
    source = open_source(request.data or SAMPLE, request.format)
    if isinstance(asked_for.origin, ChatServer):
        check_server(source, asked_for.origin)
    begun = time.monotonic()
    predictor = load_model(asked_for, request.device, key)
    assert isinstance(predictor, AgentPredictor)
    if token is not None and isinstance(predictor, Cancellable):
        predictor.set_token(token)
    loaded = time.monotonic()
    item = _item(source, request, predictor.info.past_screens)
    asked = item.request
    assert isinstance(asked, StepRequest)
    if request.goal:
        asked = replace(asked, goal=request.goal, instruction=None)
    predictor.listen(heard)
    prediction = predictor.predict(asked)
    answered = time.monotonic()
    options = default_options(scorer.info)
    kind, call = task_kind(Task.AUTOMATION), prediction.calls[-1] if prediction.calls else None
    adapter, screen, sent = settings.adapter, asked.observation.size, sent_size(prediction.calls)

    def read(space: str) -> SpaceReading:
        found = read_answer(adapter, prediction.raw, screen, sent, reading_of(space, adapter.space))
        again = prediction_of(asked.episode, asked.step, found, prediction.raw)
        score = score_item(kind, item, again, scorer, options)
        point = None if again.action is None else action_point(again.action)
        right = None if request.goal or score.value is None else score.right
        return SpaceReading(space, point, right, found.problem)

    others = [one for one in candidates_of_adapter(adapter) if one != settings.space]
    readings = tuple(map(read, (settings.space, *others))) if prediction.raw else ()
    picture, screenshot = _pictures(asked, sent)
    return AgentTrial(
        episode=asked.episode,
        step=asked.step,
        goal=asked.goal,
        adapter=adapter,
        reference=None if request.goal else item.material.action,
        recorded=screen,
        sent=sent,
        picture=picture,
        screenshot=screenshot,
        call=call,
        prediction=prediction,
        score=_NO_REFERENCE if request.goal else score_item(kind, item, prediction, scorer, options),
        readings=readings,
        load_seconds=loaded - begun,
        answer_seconds=answered - loaded,
    )


def _asked_for(model: str | Checkpoint | NewServer) -> tuple[AskedModel, str | None]:
    """The model, and the key that goes to its server, None the one that is kept."""
    if isinstance(model, Checkpoint):
        return asked_checkpoint(model), None
    if isinstance(model, NewServer):
        return asked_server(model.server, model.model), model.key
    return asked_model(stepscope.models.registry.named_for(model, Task.AUTOMATION)), None


def _pictures(asked: StepRequest, sent: Size | None) -> tuple[bytes | None, bytes | None]:
    """The picture as it was sent, and the screen, reduced."""
    seen = asked.observation
    if seen.shown is None:
        return None, None
    pixels = decode(seen.shown)
    small = fitted(Size(pixels.shape[1], pixels.shape[0]), REDUCED)
    shown = None if sent is None else sent_picture(seen, sent, redaction_of(asked.app))
    return shown, encode_png(resized(pixels, small))


def _item(source: Source, request: AgentTrialRequest, past: int) -> Item:
    """The screen that was named, or the first on which something is touched."""
    setting, kind = Setting(past_screens=past), task_kind(Task.AUTOMATION)
    names = [request.episode] if request.episode else (row.id for row in islice(_rows(source), LOOKED_AT))
    fitting = (
        item
        for name in names
        for item in kind.items(source, name, setting)
        if (item.key.step == request.step if request.step is not None else _touches(item))
    )
    found = next(islice(fitting, request.skip, None), None)
    if found is not None:
        return found
    what = f"step {request.step} with an action" if request.step is not None else "screen on which something is touched"
    raise SourceError(f"There is no {what}.", place=source.path, hint="Name --episode and --step.")


def _rows(source: Source) -> Iterator[EpisodeSummary]:
    return (row for row in source.scan() if isinstance(row, EpisodeSummary) and row.kind == "episode")


def _touches(item: Item) -> bool:
    return item.material.action is not None and action_point(item.material.action) is not None
