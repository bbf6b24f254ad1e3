"""Fine-tuning a checkpoint on data with goals: from the chosen episodes to an adapter that is a model of one's own.

A stopped tuning goes on with the same request. What was learned, and from what, stands beside the adapter.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from stepscope.app.services.evaluation import EvaluationRequest, selection, unfit
from stepscope.app.services.version import VERSION
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.model_name import LOCAL
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.tasks.goal import goal_request
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.settings import user_data_dir
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.checkpoints import checkpoint as checkpoints
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.facts import facts_of
from stepscope.models.checkpoints.lora_settings import LoraSettings, LoraStep, TuningExample
from stepscope.models.goal.asking import GoalSettings, goal_question, solved

if TYPE_CHECKING:
    from stepscope.models.agents import asked
    from stepscope.models.checkpoints import generation, lora_training
else:
    asked = lazy_module("stepscope.models.agents.asked")
    generation = lazy_module("stepscope.models.checkpoints.generation")
    lora_training = lazy_module("stepscope.models.checkpoints.lora_training")

CARD, PLAN = "stepscope-tuning.json", "plan.json"
FEWEST = 2
"""Examples that can be learned from."""


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """`model` is a checkpoint as it is to be asked, such as "local:qwen?prompt=sentence&steps=3"; `name` what comes out
    of it. `split`, `limit` and `query` choose the episodes. `merged`: the whole model is written there besides.
    `again`: a tuning of that name that was stopped is not gone on with."""

    model: str
    name: str
    split: str = ""
    limit: int | None = None
    query: Query = EVERYTHING
    settings: LoraSettings = field(default_factory=LoraSettings)
    device: str = "auto"
    merged: Path | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class TuningData:
    """A data set with a whole index in the store."""

    source: Source
    source_id: int


@dataclass(frozen=True, slots=True)
class TuningBegun:
    """What is learned from, and where a stopped tuning goes on: after `done` of `steps` moves. `parameters` learn."""

    examples: int
    left_out: int
    parameters: int
    done: int
    steps: int


@dataclass(frozen=True, slots=True)
class TuningMoved:
    """The weights have moved."""

    move: LoraStep
    progress: Progress


@dataclass(frozen=True, slots=True)
class TuningStopped:
    """It was cancelled after so many moves, which are kept."""

    done: int


@dataclass(frozen=True, slots=True)
class TunedCheckpoint:
    """The tuning is over: the model that can be asked now, and its folder."""

    model: str
    folder: Path
    losses: tuple[float, ...]
    skipped: tuple[tuple[str, str], ...]


TuningEvent = TuningBegun | TuningMoved | TuningStopped | TunedCheckpoint


def tune(
    database: Database, data: Sequence[TuningData], request: TuningRequest, token: CancelToken
) -> Iterator[TuningEvent]:
    """Raises UsageError for a model that is no checkpoint asked for goals, a name that is in use, another tuning of
    that name that was stopped, and too few episodes; what loading the checkpoint and learning raise."""
    wanted = _checked(request)
    examples, left_out = _examples(database, data, request)
    if len(examples) < FEWEST:
        raise UsageError(
            f"{len(examples)} of the chosen episodes have a goal; that is too few to learn from.",
            hint="Choose other data, another split or filter.",
        )
    work = user_data_dir() / "checkpoint-tuning" / request.name
    _begin(work, request, _plan(wanted, examples, request))
    loaded = generation.LoadedCheckpoint(wanted.base, request.device)
    training = lora_training.LoraTraining(loaded, request.settings, work)
    steps = request.settings.moves(len(examples))
    yield TuningBegun(len(examples), left_out, training.parameters, training.step, steps)
    make = [(unit, partial(_example, source, unit, wanted.settings)) for source, unit in examples]
    skipped: dict[str, str] = {}
    for move in training.run(make, token):
        skipped.update(move.skipped)
        rate = move.examples / move.seconds if move.seconds else None
        yield TuningMoved(move, Progress(move.step, steps, rate))
    if training.step < steps:
        yield TuningStopped(training.step)
        return
    if not training.losses:
        name, why = next(iter(skipped.items()))
        raise UserError(f"nothing could be learned from any episode: {why}", record=name)
    folder = work / "adapter"
    training.save(folder)
    kept = replace(wanted.base, name=request.name, lora=str(folder))
    if request.merged is not None:
        training.save_merged(request.merged)
        kept = replace(wanted.base, name=request.name, folder=str(request.merged), lora="")
    _write_card(folder, request, wanted, data, examples, training, skipped)
    checkpoints.add(kept, replaces=request.again)
    lora_training.forget(work)
    (work / PLAN).unlink(missing_ok=True)
    yield TunedCheckpoint(wanted.named(request.name), folder, tuple(training.losses), tuple(skipped.items()))


def check_request(request: TuningRequest) -> None:
    """Raises UsageError as `tune` does before anything is read or loaded."""
    _checked(request)


@dataclass(frozen=True, slots=True)
class _TuningBase:
    """The checkpoint that is tuned, and how it is asked."""

    base: Checkpoint
    settings: GoalSettings
    plain: str
    name: str

    def named(self, name: str) -> str:
        """The tuned checkpoint, asked as it was taught."""
        return self.name.replace(self.plain, f"{LOCAL}{name}", 1)


def _checked(request: TuningRequest) -> _TuningBase:
    found = asked.asked_model(request.model) if request.model.startswith(LOCAL) else None
    if found is None or not isinstance(found.origin, Checkpoint) or not isinstance(found.settings, GoalSettings):
        hint = "Give a checkpoint that was added, such as local:NAME; 'stepscope models list' has them."
        raise UsageError(f"{request.model} is no checkpoint that is asked for goals.", hint=hint)
    Checkpoint(request.name, found.origin.folder)  # raises for a name that cannot be
    if not request.again and any(one.name == request.name for one in checkpoints.load()):
        raise UsageError(
            f"There is a checkpoint {request.name!r} already.", hint="Choose another --name, or give --again."
        )
    if request.name == found.origin.name:
        raise UsageError("The tuned checkpoint needs a name of its own.", hint="Choose another --name.")
    facts_of(found.origin)
    if request.merged is not None and request.merged.exists() and any(request.merged.iterdir()):
        raise UsageError("is not empty.", place=request.merged, hint="Choose a new folder for the whole model.")
    return _TuningBase(found.origin, found.settings, found.plain, found.name)


def _examples(
    database: Database, data: Sequence[TuningData], request: TuningRequest
) -> tuple[list[tuple[Source, str]], int]:
    """The chosen episodes that have a goal, and how many have none. Raises UsageError for data without any."""
    found: list[tuple[Source, str]] = []
    left_out = 0
    wanted = EvaluationRequest(
        model=request.model, task=Task.GOAL, split=request.split, limit=request.limit, query=request.query
    )
    for one in data:
        units = selection(database, one.source_id, wanted)
        if why := unfit(database, one.source_id, Task.GOAL, units):
            raise UsageError(why, place=one.source.path, hint="Choose other data, another split or filter.")
        with database.reading() as db:
            goals = {row.id: row.goal for row in sources.summaries(db, one.source_id, units)}
        kept = [unit for unit in units if goals.get(unit, "").strip()]
        found += [(one.source, unit) for unit in kept]
        left_out += len(units) - len(kept)
    return found, left_out


def _example(source: Source, unit: str, settings: GoalSettings) -> TuningExample:
    """Raises UserError for an episode that cannot be told."""
    episode = source.read(unit)
    question = goal_question(goal_request(episode), settings)
    if question.messages is None:
        raise UserError(question.why)
    return TuningExample(unit, question.messages, solved(episode, settings.prompt))


# What is kept ---------------------------------------------------------------------------------------------------------


def _plan(wanted: _TuningBase, examples: Sequence[tuple[Source, str]], request: TuningRequest) -> str:
    """Changes whenever the same moves would come out otherwise."""
    told: list[Any] = [
        facts_of(wanted.base).digest, wanted.settings.version, wanted.name, asdict(request.settings),
        [[str(source.path), unit] for source, unit in examples],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _begin(work: Path, request: TuningRequest, plan: str) -> None:
    """Make the folder; drop what another tuning of that name has left there, where it is wanted."""
    known = work / PLAN
    if request.again:
        shutil.rmtree(work, ignore_errors=True)
    elif known.is_file() and known.read_text("utf-8") != plan:
        raise UsageError(
            f"Another tuning named {request.name} was stopped.",
            hint="Give what it was begun with to go on, another --name, or --again to begin anew.",
        )
    work.mkdir(parents=True, exist_ok=True)
    write_whole(known, plan.encode())


def _write_card(
    folder: Path, request: TuningRequest, wanted: _TuningBase, data: Sequence[TuningData],
    examples: Sequence[tuple[Source, str]], training: Any, skipped: dict[str, str],
) -> None:  # fmt: skip
    per_data = {one.source_id: [unit for source, unit in examples if source is one.source] for one in data}
    card = {
        "base": {"name": wanted.base.name, "digest": facts_of(wanted.base).digest},
        "asked": wanted.name,
        "prompt": wanted.settings.version,
        "settings": asdict(request.settings) | {"alpha": request.settings.scale},
        "data": [
            {"path": str(one.source.path), "split": request.split, "episodes": per_data[one.source_id]} for one in data
        ],
        "skipped": skipped,
        "moves": training.step,
        "losses": training.losses,
        "parameters": training.parameters,
        "made_with": VERSION,
        "note": "No finding: a tuned model says nothing before it is evaluated on episodes that it has not seen.",
    }
    write_whole(folder / CARD, orjson.dumps(card, option=orjson.OPT_INDENT_2))
