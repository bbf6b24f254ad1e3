"""Which items an epoch learns from, in which order, and how they come out of worker processes.

All follows from seed and epoch, so a training that is gone on with in the middle of an epoch sees the same batches as
one that was never stopped, and several processes agree on them without a word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Recipe, is_tuned
from stepscope.models.training.examples import Examples, JoinedExamples
from stepscope.models.training.kept_memory import SharedRing, arrays_of, keep_freed_memory

if TYPE_CHECKING:
    import torch
    from torch.utils.data import DataLoader
else:
    torch = lazy_module("torch")

MOST_WORKERS = 8
_AHEAD = 4
"""Batches that a worker process has ready. It has memory for two more: the one that is learned from, and the one
before."""

Batch = tuple[int, tuple[Array, ...], tuple[Array, ...]]
"""How many items, the network's inputs, the targets."""


@dataclass(frozen=True, slots=True)
class Share:
    """Which of the processes that train together this is."""

    rank: int = 0
    size: int = 1


ALONE = Share()


def epoch_order(data: Examples, weights: Sequence[float], number: int) -> NDArray[np.int64]:
    """The items of an epoch in their order, drawn by `number`.

    Of the parts of `JoinedExamples` each gives its weight times as many items as it has (ours): 0.3 a third of them,
    others in each epoch; 2 each of them twice; at least one of a part that has any.
    """
    drawn = np.random.default_rng(number)
    if not isinstance(data, JoinedExamples):
        return drawn.permutation(len(data))
    chosen = []
    for part, begin, weight in zip(data.parts, data.begins[:-1], weights, strict=True):
        count = len(part)
        wanted = max(1, round(weight * count)) if count else 0
        whole, rest = divmod(wanted, max(1, count))
        parts = [np.arange(count)] * whole + [drawn.permutation(count)[:rest]]
        chosen.append(np.concatenate(parts) + int(begin))
    return drawn.permutation(np.concatenate(chosen))


def batch_rows(order: NDArray[np.int64], batch: int, share: Share = ALONE, first: int = 0) -> list[NDArray[np.int64]]:
    """The items of each batch from number `first` on, as far as this process computes them: every `size`-th. The last
    batch may be short; where it has fewer items than there are processes, some of them learn from its first one."""
    found = []
    for at in range(first * batch, len(order), batch):
        rows = order[at : at + batch]
        own = rows[share.rank :: share.size]
        found.append(own if len(own) else rows[:1])
    return found


class BatchLoader:
    """Batches of a set of examples, collated in worker processes where `workers` are given.

    The processes live as long as the loader. Raises what a recipe's `collate` raises.
    """

    def __init__(
        self, recipe: Recipe, config: Config, data: Examples, *, workers: int = 0, pinned: bool = False
    ) -> None:
        self._batches: list[list[int]] = []
        self._set = _CollatedBatches(recipe, config, data)
        self._workers, self._pinned = workers, pinned
        self._loader: DataLoader[Any] | None = None

    def batches(self, rows: Sequence[NDArray[np.int64]]) -> Iterator[Batch]:
        """The batches of these items, in order. The arrays of one hold until the next but one is asked for: out of a
        process they lie in memory that is used again."""
        self._batches[:] = [one.tolist() for one in rows]
        if not self._batches:
            return iter(())
        if not self._workers:
            return (self._set.__getitems__(one) for one in self._batches)
        if self._loader is None:
            self._loader = self._made()
        return map(_arrays, self._loader)

    def _made(self) -> DataLoader[Any]:
        # The processes are not forked: this one has threads (of torch, of whoever can cancel it).
        return torch.utils.data.DataLoader(
            cast(Any, _ToldErrors(self._set)),
            batch_sampler=_Batches(self._batches),
            num_workers=self._workers,
            collate_fn=cast(Any, _InSharedMemory()),
            worker_init_fn=_begin_worker,
            multiprocessing_context="spawn",
            persistent_workers=True,
            prefetch_factor=_AHEAD,
            pin_memory=self._pinned,
            generator=torch.Generator(),  # else it would draw from the numbers that dropout draws from
        )

    def close(self) -> None:
        """End the processes."""
        loader, self._loader = self._loader, None
        iterator = getattr(loader, "_iterator", None)
        if iterator is not None:
            iterator._shutdown_workers()


def workers_for(wanted: int, recipe: Recipe) -> int:
    """How many processes collate; −1 chooses: none where examples are ready vectors, else as many as there are cores
    beside the one that trains."""
    if wanted >= 0:
        return min(wanted, MOST_WORKERS)
    return min(MOST_WORKERS, max(1, (os.cpu_count() or 1) - 1)) if is_tuned(recipe) else 0


@dataclass(frozen=True)
class _CollatedBatches:
    """A batch by its items, in the process that asks. What torch calls a data set."""

    recipe: Recipe
    config: Config
    data: Examples

    def __len__(self) -> int:
        return len(self.data)

    def __getitems__(self, rows: Sequence[int]) -> Batch:
        items = [self.data.item(row) for row in rows]
        examples, targets = [one for one, _ in items], [one for _, one in items]
        return len(rows), self.recipe.collate(examples), self.recipe.collate_targets(targets, self.config)


@dataclass(frozen=True)
class _ToldErrors:
    """The same in another process, out of which torch would bring an error of ours as a page of text."""

    inner: _CollatedBatches

    def __len__(self) -> int:
        return len(self.inner)

    def __getitems__(self, rows: Sequence[int]) -> Batch | UserError:
        try:
            return self.inner.__getitems__(rows)
        except UserError as error:
            return error


class _Batches:
    """The list that the loader was given last: torch asks again in every epoch."""

    def __init__(self, batches: list[list[int]]) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self._batches)

    def __len__(self) -> int:
        return len(self._batches)


class _InSharedMemory:
    """Batches in memory that the process which learns sees too."""

    def __init__(self) -> None:
        self._ring = SharedRing(_AHEAD + 2)

    def __call__(self, batch: Batch | UserError) -> Any:
        if isinstance(batch, UserError):
            return batch
        count, inputs, targets = batch
        return count, len(inputs), *self._ring.put([*inputs, *targets])


def _begin_worker(number: int) -> None:
    keep_freed_memory()


def _arrays(batch: Any) -> Batch:
    if isinstance(batch, UserError):
        raise batch
    count, inputs, block, layout = batch
    arrays = tuple(arrays_of(block, layout))
    return count, arrays[:inputs], arrays[inputs:]
