"""Fine-tuning a checkpoint on episodes: from those that are chosen to an adapter that is a model of one's own.

A stopped tuning goes on with the same request. What was learned, and from what, stands beside the adapter.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from stepscope.app.services.tuning_lessons import (
    HINT,
    LEARNED,
    Lesson,
    Lessons,
    Mixture,
    Taught,
    TuningData,
    check_mixture,
    example_of,
    lessons,
)
from stepscope.app.services.version import VERSION
from stepscope.core.domain.filter import EVERYTHING, Query
from stepscope.core.domain.model_name import LOCAL, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.drafts import write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.store.engine import Database
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.checkpoints import checkpoint as checkpoints
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.facts import facts_of
from stepscope.models.checkpoints.lora_settings import LoraPart, LoraSettings, LoraStep
from stepscope.models.checkpoints.snapshots import CARD, put_in_place, snapshots_of, tuning_folder

if TYPE_CHECKING:
    from stepscope.models.agents import asked
    from stepscope.models.checkpoints import generation, lora_training
else:
    asked = lazy_module("stepscope.models.agents.asked")
    generation = lazy_module("stepscope.models.checkpoints.generation")
    lora_training = lazy_module("stepscope.models.checkpoints.lora_training")

PLAN = "plan.json"
FEWEST = 2
"""Examples that can be learned from."""


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """`model` is a checkpoint as it is to be asked, such as "local:qwen?prompt=sentence&steps=3"; `name` what comes out
    of it. `split`, `limit` and `query` choose the episodes, and `mixture` which of their goals are taught. `merged`:
    the whole model is written there besides. `again`: a tuning of that name that was stopped is not gone on with.
    `takes_finished`: one of that name that would come out the same is taken as it is."""

    model: str
    name: str
    split: str = ""
    limit: int | None = None
    query: Query = EVERYTHING
    settings: LoraSettings = field(default_factory=LoraSettings)
    device: str = "auto"
    merged: Path | None = None
    again: bool = False
    mixture: Mixture = ()
    takes_finished: bool = False


@dataclass(frozen=True, slots=True)
class TuningRead:
    """Episodes are looked through for what can be learned from."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class TuningBegun:
    """What is learned from, and where a stopped tuning goes on: after `done` of `steps` moves. `parameters` learn."""

    examples: int
    left_out: int
    parameters: int
    done: int
    steps: int


@dataclass(frozen=True, slots=True)
class TuningPart:
    """An example of the move at work has been gone through. `progress` counts examples over all epochs."""

    part: LoraPart
    progress: Progress


@dataclass(frozen=True, slots=True)
class TuningMoved:
    """The weights have moved. `progress` counts examples over all epochs."""

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
    task: Task
    folder: Path
    losses: tuple[float, ...]
    skipped: tuple[tuple[str, str], ...]


TuningEvent = TuningRead | TuningBegun | TuningPart | TuningMoved | TuningStopped | TunedCheckpoint


def tune(
    database: Database, data: Sequence[TuningData], request: TuningRequest, token: CancelToken
) -> Iterator[TuningEvent]:
    """Raises UsageError for a model that is no checkpoint asked for a task that can be learned, a name that is in use,
    another tuning of that name that was stopped, and too little to learn from; what loading the checkpoint and learning
    raise."""
    wanted = _checked(request)
    found: Lessons | None = None
    for told in lessons(database, data, wanted.taught, token):
        if isinstance(told, Lessons):
            found = told
        else:
            yield TuningRead(told)
    if found is None:
        yield TuningStopped(0)
        return
    examples = found.lessons
    if len(examples) < FEWEST:
        what = "episodes with a goal" if wanted.taught.task is Task.GOAL else "steps with an action"
        raise UsageError(f"{len(examples)} {what} are too few to learn from.", hint=HINT)
    work, plan = tuning_folder(request.name), _plan(wanted, examples, request)
    if request.takes_finished and (finished := _finished(work, request, wanted, plan)) is not None:
        yield finished
        return
    _begin(work, request, plan)
    loaded = generation.LoadedCheckpoint(wanted.base, request.device)
    training = lora_training.LoraTraining(loaded, request.settings, work)
    steps = request.settings.moves(len(examples))
    yield TuningBegun(len(examples), found.left_out, training.parameters, training.step, steps)
    make = [(one.name, partial(example_of, one, wanted.taught)) for one in examples]
    skipped: dict[str, str] = {}
    settings, count = request.settings, len(examples)
    meter = ProgressMeter(settings.taken(steps, count), settings.taken(training.step, count))
    for one in training.run_in_parts(make, token):
        if isinstance(one, LoraPart):
            yield TuningPart(one, meter.reach(settings.taken(one.step - 1, count) + one.taken))
            continue
        skipped.update(one.skipped)
        yield TuningMoved(one, meter.reach(settings.taken(one.step, count)))
    if training.step < steps:
        yield TuningStopped(training.step)
        return
    if not training.losses:
        name, why = next(iter(skipped.items()))
        raise UserError(f"nothing could be learned from any episode: {why}", record=name)
    fresh, folder = work / "adapter.new", work / "adapter"
    shutil.rmtree(fresh, ignore_errors=True)
    training.save(fresh)
    _write_card(fresh, request, wanted, data, examples, training, skipped, plan)
    kept = replace(wanted.base, name=request.name, lora=str(folder), adapter=wanted.adapter)
    if request.merged is not None:
        training.save_merged(request.merged)
        kept = replace(kept, folder=str(request.merged), lora="")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.replace(folder)
    put_in_place(work)
    checkpoints.add(kept, replaces=request.again)
    lora_training.forget(work)
    (work / PLAN).unlink(missing_ok=True)
    named, task = wanted.named(request.name), wanted.taught.task
    yield TunedCheckpoint(named, task, folder, tuple(training.losses), tuple(skipped.items()))


def check_request(request: TuningRequest) -> None:
    """Raises UsageError as `tune` does before anything is read or loaded."""
    _checked(request)


@dataclass(frozen=True, slots=True)
class _TuningBase:
    """The checkpoint that is tuned, and how it is asked."""

    base: Checkpoint
    taught: Taught
    version: str
    plain: str
    name: str

    def named(self, name: str) -> str:
        """The tuned checkpoint, asked as it was taught."""
        return self.name.replace(self.plain, f"{LOCAL}{name}", 1)

    @property
    def adapter(self) -> str:
        """How the tuned checkpoint is asked and read where its name does not say: as it was taught, whatever it is
        called. Another adapter for this one time stands in its name."""
        settings, given = self.taught.settings, split_name(self.name)[1]
        usual = isinstance(settings, AskingSettings) and "adapter" not in given
        return settings.adapter.name if usual else self.base.adapter  # type: ignore[union-attr]


def _checked(request: TuningRequest) -> _TuningBase:
    found = asked.asked_model(request.model) if request.model.startswith(LOCAL) else None
    if found is None or not isinstance(found.origin, Checkpoint) or found.settings is None or found.task not in LEARNED:
        hint = (
            f"Give a checkpoint that was added: local:NAME for goals, local:NAME#TASK for {' or '.join(LEARNED[1:])}."
        )
        raise UsageError(f"{request.model} is no checkpoint that can be tuned.", hint=hint)
    checkpoints.check_name(request.name)
    check_mixture(request.mixture, found.task)
    if not (request.again or request.takes_finished) and any(one.name == request.name for one in checkpoints.load()):
        raise UsageError(
            f"There is a checkpoint {request.name!r} already.", hint="Choose another --name, or give --again."
        )
    if request.name == found.origin.name:
        raise UsageError("The tuned checkpoint needs a name of its own.", hint="Choose another --name.")
    facts_of(found.origin)
    if request.merged is not None and request.merged.exists() and any(request.merged.iterdir()):
        raise UsageError("is not empty.", place=request.merged, hint="Choose a new folder for the whole model.")
    taught = Taught(found.task, found.settings, request.split, request.limit, request.query, request.mixture)
    return _TuningBase(found.origin, taught, asked.info_of_model(found).version, found.plain, found.name)


# What is kept ---------------------------------------------------------------------------------------------------------


def _plan(wanted: _TuningBase, examples: Sequence[Lesson], request: TuningRequest) -> str:
    """Changes whenever the same moves would come out otherwise, or other snapshots."""
    settings = asdict(request.settings)
    if not request.settings.snapshots:
        del settings["snapshots"]
    told: list[Any] = [
        facts_of(wanted.base).digest, wanted.version, wanted.name, settings,
        [[str(one.data.source.path), one.unit, one.step, one.answered, *["whole"][: one.whole]] for one in examples],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _finished(work: Path, request: TuningRequest, wanted: _TuningBase, plan: str) -> TunedCheckpoint | None:
    """The tuning of this name that is over and came of the same plan; None where there is none yet. Raises UsageError
    where that name is in use for something else."""
    if request.again or not any(one.name == request.name for one in checkpoints.load()):
        return None
    folder = work / "adapter"
    try:
        card = orjson.loads((folder / CARD).read_bytes())
        if card["plan"] == plan and (snapshots_of(request.name) or not request.settings.snapshots):
            losses, skipped = tuple(map(float, card["losses"])), tuple(card["skipped"].items())
            return TunedCheckpoint(wanted.named(request.name), wanted.taught.task, folder, losses, skipped)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise UsageError(
        f"There is a checkpoint {request.name!r} already, tuned in another way.",
        hint="Choose another --name, or give --again.",
    )


def _begin(work: Path, request: TuningRequest, plan: str) -> None:
    """Make the folder; drop how far another tuning of that name had come, where it is wanted. A model that came of it
    stays until there is the new one."""
    known = work / PLAN
    if request.again:
        lora_training.forget(work)
    elif known.is_file() and known.read_text("utf-8") != plan:
        raise UsageError(
            f"Another tuning named {request.name} was stopped.",
            hint="Give what it was begun with to go on, another --name, or --again to begin anew.",
        )
    work.mkdir(parents=True, exist_ok=True)
    write_whole(known, plan.encode())


def _write_card(
    folder: Path, request: TuningRequest, wanted: _TuningBase, data: Sequence[TuningData],
    examples: Sequence[Lesson], training: Any, skipped: dict[str, str], plan: str,
) -> None:  # fmt: skip
    per_data = {
        one.source_id: list(dict.fromkeys(lesson.unit for lesson in examples if lesson.data is one)) for one in data
    }
    card = {
        "base": {"name": wanted.base.name, "folder": wanted.base.folder, "digest": facts_of(wanted.base).digest},
        "asked": wanted.name,
        "prompt": wanted.version,
        "task": wanted.taught.task.value,
        "examples": len(examples),
        "settings": asdict(request.settings) | {"alpha": request.settings.scale},
        "data": [
            {"path": str(one.source.path), "split": request.split, "episodes": per_data[one.source_id]} for one in data
        ],
        "mixture": list(request.mixture),
        "skipped": skipped,
        "snapshots": list(request.settings.snapshot_moves(len(examples))),
        "plan": plan,
        "moves": training.step,
        "losses": training.losses,
        "parameters": training.parameters,
        "made_with": VERSION,
        "note": "No finding: a tuned model says nothing before it is evaluated on episodes that it has not seen.",
    }
    write_whole(folder / CARD, orjson.dumps(card, option=orjson.OPT_INDENT_2))
