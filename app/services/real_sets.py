"""Measuring a trained model on real data beside the rules that it has to beat, and keeping that in its card.

The engine of every evaluation does it, as for the held-out split (`training_measures`).
"""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from stepscope.app.services.library import passing
from stepscope.app.services.splits import in_split, no_split
from stepscope.app.services.training_measures import HeldOutEvaluation
from stepscope.app.services.training_splits import SplitNames, splits_of
from stepscope.core.domain.filter import EVERYTHING
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.evaluation.tasks.kind import Setting
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.real_sets import ALL, RealResult, RuleOnSet
from stepscope.models.learned.recipes import recipe

UNSEEN = "held out"
"""The part of a set that a model learned from which it was not shown."""
ONE_EPISODE = 1
"""From so few episodes no interval can be drawn: one says nothing about its like."""


@dataclass(frozen=True, slots=True)
class RealSet:
    """The data to measure on: what people call it, an indexed source, a split ("" for all of it), at most so many
    episodes, drawn by the seed."""

    name: str
    source: Source
    source_id: int
    split: str = ""
    limit: int | None = None
    seed: int = 0


def measure(
    database: Database, trained: TrainedModel, data: RealSet, token: CancelToken, device: str = "auto"
) -> Generator[tuple[str, Progress | None], None, RealResult | None]:
    """Yields what is being done; returns the result, None when cancelled.

    Raises UsageError where the set has no episode for the model's task, UserError where no item of it can be scored.
    """
    known = recipe(trained.card.recipe)
    found, split = _units(database, data, trained.card)
    units = _drawn(found, data)
    if not units:
        hint = "Choose other data or another split."
        raise UsageError(f"No episode is left to measure {trained.card.task} on.", place=data.source.path, hint=hint)
    seeds = trained.card.seeds or ({"seed": 0},)
    with tempfile.TemporaryDirectory(prefix="stepscope-measure-") as folder:
        work = HeldOutEvaluation(known, data.source, units, Path(folder) / "real.db", device)
        try:
            for _stage, progress in work.run((replace(trained, card=replace(trained.card, seeds=seeds)),), token):
                yield f"Measuring on {data.name}" if progress else f"Reading {data.name}", progress
        except UserError:
            if not token.cancelled:  # else it was cancelled while it read
                raise
        if token.cancelled:
            return None
        found_out = work.summary(0)
    if found_out["metrics"].get(known.metric) is None:
        raise UserError(f"No item of it can be scored by {known.protocol}.", place=data.source.path)
    enough = len(units) > ONE_EPISODE
    against = {
        name: RuleOnSet(one["baseline"], one["difference"], _interval(one["ci"]) if enough else None, one["p"])
        for name, one in found_out["against"].items()
    }
    return RealResult(
        set=data.name,
        format=data.source.format,
        split=split,
        items=found_out["n"],
        episodes=len(units),
        sha256=questions_digest(data.source, units, trained.card.task),
        protocol=known.protocol,
        metric=known.metric,
        value=found_out["metrics"][known.metric],
        ci=_interval(found_out["ci"].get(known.metric)) if enough else None,
        drawn_from=len(found) if len(units) < len(found) else None,
        draw_seed=data.seed if len(units) < len(found) else None,
        against=against,
    )


def keep(trained: TrainedModel, result: RealResult) -> TrainedModel:
    """The model with the result in its card, in the place of an earlier one of the same set. Raises UserError."""
    others = tuple(one for one in trained.card.real if one.key != result.key)
    card = replace(trained.card, real=(*others, result))
    card.write(trained.folder)
    return replace(trained, card=card)


def questions_digest(source: Source, units: Sequence[str], task: Task) -> str:
    """SHA-256 of what a model is asked over these episodes and of the right answers, pictures included: the same data
    gives the same hash wherever it lies. An episode that cannot be read has no part in it."""
    digest = hashlib.sha256()
    for unit in units:
        with suppress(UserError):
            for item in task_kind(task).items(source, unit, Setting(show_reference=True)):
                digest.update(request_key("", item.request))
    return digest.hexdigest()


def _units(database: Database, data: RealSet, card: ModelCard) -> tuple[list[str], str]:
    """The episodes to measure on, and which part of the data they are: of data that it learned from only those that it
    was not shown."""
    units, learned = _named(database, data, card.task), card.learned_from(data.source.path.name)
    if learned is None:
        return units, data.split or ALL
    if learned["splits"]["train"]["name"] == ALL:
        return [], ALL
    names = SplitNames(*(str(learned["splits"][part]["name"]) for part in ("train", "validation", "held_out")))
    unseen = set(splits_of(database, data.source, data.source_id, names, EVERYTHING).held_out)
    return [unit for unit in units if unit in unseen], f"{data.split}, {UNSEEN}" if data.split else UNSEEN


def _named(database: Database, data: RealSet, task: Task) -> list[str]:
    with database.reading() as db:
        units = passing(db, data.source_id, EVERYTHING)
        if data.split:
            part = in_split(db, data.source_id, data.split)
            if not part:
                raise no_split(db, data.source_id, data.split)
            units = [unit for unit in units if unit in part]
        if task is Task.ORDERING:
            fit = sources.with_order(db, data.source_id)
            units = [unit for unit in units if unit in fit]
    return units


def _drawn(units: Sequence[str], data: RealSet) -> list[str]:
    """In the order of the data."""
    if data.limit is None or data.limit >= len(units):
        return list(units)
    chosen = set(random.Random(data.seed).sample(range(len(units)), data.limit))
    return [unit for place, unit in enumerate(units) if place in chosen]


def _interval(found: Sequence[float] | None) -> tuple[float, float] | None:
    return None if found is None else (found[0], found[1])
