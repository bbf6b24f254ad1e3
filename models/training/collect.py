"""Episodes to numbers: the examples and targets that a network learns from, made once and kept on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import field
from pathlib import Path
from typing import cast

from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.prefetch import prepared_ahead
from stepscope.core.evaluation.runner import words_of
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.source import Source
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Example, PreparedRequest, Recipe, Shortening, with_invented
from stepscope.models.training.examples import ExampleWriter, StoredExamples

_PREPARING = min(8, os.cpu_count() or 1)
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class TrainingData:
    """The training data of a split of one source, in the source's order. `left_out`: episode (or item) and why nothing
    can be learned from it. `digest` is a hash of all requests and references."""

    examples: StoredExamples
    left_out: tuple[tuple[str, str], ...] = ()
    digest: str = ""

    def __len__(self) -> int:
        return len(self.examples)


@dataclass(slots=True)
class _Collecting:
    """A split as it grows."""

    recipe: Recipe
    features: Features
    writer: ExampleWriter
    prefixes: int = 0
    invents: bool = False
    left_out: list[tuple[str, str]] = field(default_factory=list)
    waiting: list[tuple[Example, PreparedRequest]] = field(default_factory=list)

    def flush(self) -> None:
        """The waiting drafts become examples."""
        vectors = vectors_of(self.features, [draft for _, draft in self.waiting])
        for target, draft in self.waiting:
            self.writer.add(self.recipe.example(draft, vectors), target)
            if self.prefixes:
                for shorter in cast(Shortening, self.recipe).shortened(draft, vectors, self.prefixes):
                    self.writer.add(shorter, target)
        self.waiting.clear()


def collect(
    recipe: Recipe,
    source: Source,
    units: Sequence[str],
    features: Features,
    folder: Path,
    token: CancelToken,
    *,
    prefixes: int = 0,
    invents: bool = False,
) -> Generator[Progress, None, TrainingData]:
    """These rows of the source as examples in `folder`; yields how many rows are read. What cannot be read, or tells
    nothing of what is to be learned, is left out and named; a cancelled token ends the work with what there is by then.
    `prefixes` shortened copies of each item stand behind it, where the recipe makes such; with `invents` those items
    that it makes up of each. Raises UserError where
    nothing can be written."""
    meter = ProgressMeter(len(units))
    content = hashlib.sha256()
    with closing(ExampleWriter(folder)) as writer:
        work = _Collecting(recipe, features, writer, prefixes, invents)
        for unit in units:
            token.wait_if_paused()
            if token.cancelled:
                break
            for item, target, draft in _drafts(work, source, unit):
                content.update(request_key("training", item.request) + _said(target))
                work.waiting.append((target, draft))
            if len(work.waiting) >= _AT_ONCE:
                work.flush()
            yield meter.advance()
        work.flush()
        return TrainingData(writer.finish(), tuple(work.left_out), content.hexdigest())


def _said(target: Example) -> bytes:
    """All that a target says."""
    return b"".join(
        f"{name} {value.dtype.str} {value.shape}".encode() + value.tobytes() for name, value in sorted(target.items())
    )


def _drafts(work: _Collecting, source: Source, unit: str) -> Iterator[tuple[Item, Example, PreparedRequest]]:
    """The items of one row from which something can be learned, prepared in other threads."""
    recipe = work.recipe

    def prepare(pair: tuple[Item, Example]) -> PreparedRequest:
        return recipe.prepare(pair[0].request, work.features)

    found: list[tuple[Item, Example]] = []
    info = recipe.info
    setting = Setting(show_reference=False, past_screens=info.past_screens, step_instructions=info.step_instructions)
    try:
        for item in task_kind(recipe.info.task).items(source, unit, setting):
            for one in with_invented(recipe, item) if work.invents else [item]:
                target = recipe.target(one)
                if target is not None:
                    found.append((one, target))
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the training
        work.left_out.append((unit, words_of(error)))
    with closing(prepared_ahead(iter(found), prepare, workers=_PREPARING, depth=2 * _PREPARING)) as ready:
        for (item, target), draft in ready:
            if isinstance(draft, Exception):
                work.left_out.append((unit, words_of(draft)))
            else:
                yield item, target, draft
