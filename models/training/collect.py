"""Episodes to numbers: the examples and targets that a network learns from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.prefetch import prepared_ahead
from stepscope.core.evaluation.runner import words_of
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.source import Source
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Example, PreparedRequest, Recipe

_PREPARING = min(8, os.cpu_count() or 1)
_AT_ONCE = 32


@dataclass(slots=True)
class TrainingData:
    """The training data of a split, in the source's order. `left_out`: episode (or item) and why nothing can be learned
    from it. `digest` is a hash of all requests and references."""

    items: list[Item] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    targets: list[Example] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    digest: str = ""

    def __len__(self) -> int:
        return len(self.items)


def collect(
    recipe: Recipe, source: Source, units: Sequence[str], features: Features, data: TrainingData, token: CancelToken
) -> Iterator[Progress]:
    """Fill `data` from these rows of the source; yields how many rows are read. What cannot be read, or tells nothing
    of what is to be learned, is left out and named; a cancelled token ends the work."""
    meter = ProgressMeter(len(units))
    content = hashlib.sha256()
    waiting: list[tuple[Item, Example, PreparedRequest]] = []
    for unit in units:
        token.wait_if_paused()
        if token.cancelled:
            return
        for item, target, draft in _drafts(recipe, source, unit, features, data):
            content.update(request_key("training", item.request) + repr(sorted(target)).encode())
            waiting.append((item, target, draft))
        if len(waiting) >= _AT_ONCE:
            _flush(recipe, features, data, waiting)
        yield meter.advance()
    _flush(recipe, features, data, waiting)
    data.digest = content.hexdigest()


def _drafts(
    recipe: Recipe, source: Source, unit: str, features: Features, data: TrainingData
) -> Iterator[tuple[Item, Example, PreparedRequest]]:
    """The items of one row from which something can be learned, prepared in other threads."""

    def prepare(pair: tuple[Item, Example]) -> PreparedRequest:
        return recipe.prepare(pair[0].request, features)

    found: list[tuple[Item, Example]] = []
    try:
        for item in task_kind(recipe.info.task).items(source, unit, Setting(show_reference=False)):
            target = recipe.target(item)
            if target is not None:
                found.append((item, target))
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the training
        data.left_out.append((unit, words_of(error)))
    with closing(prepared_ahead(iter(found), prepare, workers=_PREPARING, depth=2 * _PREPARING)) as ready:
        for (item, target), draft in ready:
            if isinstance(draft, Exception):
                data.left_out.append((unit, words_of(draft)))
            else:
                yield item, target, draft


def _flush(
    recipe: Recipe, features: Features, data: TrainingData, waiting: list[tuple[Item, Example, PreparedRequest]]
) -> None:
    """The waiting drafts become examples."""
    vectors = vectors_of(features, [draft for _, _, draft in waiting])
    data.items += [item for item, _, _ in waiting]
    data.targets += [target for _, target, _ in waiting]
    data.examples += [recipe.example(draft, vectors) for _, _, draft in waiting]
    waiting.clear()
