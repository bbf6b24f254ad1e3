"""One training of one network: epochs, validation, early stop; can be stopped after any batch and gone on with.

What an epoch sees follows from seed and epoch alone, and the state of a training is kept in the middle of an epoch too,
so a training that was killed and resumed ends with the same weights as one that was not, up to the order in which sums
are rounded.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Array, Example, Hyper, Recipe, came_with_weights, is_taught, keeps_last
from stepscope.models.runtimes.memory import ran_out
from stepscope.models.runtimes.module_state import learned_state, take_state
from stepscope.models.training.batches import (
    ALONE,
    Batch,
    BatchLoader,
    Share,
    batch_rows,
    epoch_order,
    workers_for,
)
from stepscope.models.training.distributed import agreed, any_of, summed, wrapped
from stepscope.models.training.examples import Examples, JoinedExamples
from stepscope.models.training.pace import Stopwatch, TrainingPace, gpu_memory, memory
from stepscope.models.training.schedules import PRECISIONS, optimizer_of, share_of_rate
from stepscope.models.training.state import Epoch, TrainingCheckpoint, keep, keep_best, restore

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_LEAPS = 3
"""How often a training whose loss is no number goes back to its best epoch with a tenth of the rate."""
KEEP_SECONDS = 60.0
"""So often the state is kept in the middle of an epoch."""
_MEASURED = 64
"""Items that are measured at once."""
_CAME = "came with the encoders"
"""Marks the optimizer's group of such parameters."""


@dataclass(frozen=True, slots=True)
class TrainingWarning:
    """Something went wrong that the training got over; in one sentence."""

    seed: int
    text: str


Event = Epoch | TrainingPace | TrainingWarning | TrainingCheckpoint


def fit(
    recipe: Recipe,
    config: Config,
    hyper: Hyper,
    seed: int,
    train: Examples,
    validation: Examples,
    *,
    weights: Sequence[float] = (),
    device: str = "cpu",
    folder: Path | None = None,
    token: CancelToken | None = None,
    share: Share = ALONE,
    begin: Mapping[str, Tensor] | None = None,
) -> Iterator[Event]:
    """Train with one seed; the last thing yielded is the `TrainingCheckpoint`.

    `begin` has tensors that the network begins with in place of its own, by name.

    `weights` are those of the parts of `train` (`epoch_order`). `folder` keeps the state after every epoch, every
    `KEEP_SECONDS` and when the token is cancelled, which ends it after the batch; what is there is gone on with, its
    epochs told again first. `share`: this process is one of several that train together.

    Raises UserError when no epoch gave a usable network, UsageError for settings that there are not.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(hyper.threads or before)
    try:
        given = begin or {}
        fitting = _Fitting(recipe, config, hyper, seed, train, validation, weights, device, folder, token, share, given)
        try:
            yield from fitting.events()
        finally:
            fitting.close()
    finally:
        torch.set_num_threads(before)


def with_threads(hyper: Hyper) -> Hyper:
    """The settings with so many threads as each seed has where none are asked for: all, or its share of them."""
    at_once = min(hyper.side_by_side, len(hyper.seeds))
    return replace(hyper, threads=hyper.threads or max(1, torch.get_num_threads() // at_once))


def outputs_of(
    recipe: Recipe, module: Module, examples: Sequence[Example], device: str = "cpu", batch: int = _MEASURED
) -> list[tuple[Array, ...]]:
    """The network's outputs, one entry an example, without learning from them."""
    module.eval()
    found: list[tuple[Array, ...]] = []
    with torch.inference_mode():
        for at in range(0, len(examples), batch):
            part = examples[at : at + batch]
            outputs = _listed(module(*_moved(recipe.collate(part), device)))
            arrays = [one.float().cpu().numpy() if one.is_floating_point() else one.cpu().numpy() for one in outputs]
            found += [tuple(array[place] for array in arrays) for place in range(len(part))]
    return found


def training_dtype(precision: str, device: str) -> Any:
    """torch's name of the numbers that are computed with; None for float32. `auto` is float32 on a processor, on a GPU
    bfloat16 where it knows it, else float16. Raises UsageError for another name, and for float16 on a processor."""
    if precision not in PRECISIONS:
        raise UsageError(f"There is no precision {precision!r}.", hint=f"Give {', '.join(PRECISIONS)}.")
    if precision == "auto":
        if device == "cpu":
            return None
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    if precision == "float16" and device == "cpu":
        raise UsageError("A processor does not train in float16.", hint="Give bfloat16 or float32.")
    return None if precision == "float32" else getattr(torch, precision)


class _Fitting:
    """The training of one seed, at work."""

    def __init__(
        self,
        recipe: Recipe,
        config: Config,
        hyper: Hyper,
        seed: int,
        train: Examples,
        validation: Examples,
        weights: Sequence[float],
        device: str,
        folder: Path | None,
        token: CancelToken | None,
        share: Share,
        begin: Mapping[str, Tensor],
    ) -> None:
        self.begin, self.taught = begin, is_taught(recipe)
        self.recipe, self.config, self.hyper, self.seed = recipe, config, hyper, seed
        self.train, self.validation, self.weights = train, validation, weights
        self.device, self.folder, self.token, self.share = device, folder, token or CancelToken(), share
        self.module = self._beginning().to(device)
        self.dtype = training_dtype(hyper.precision, device)
        self.scaler = torch.amp.GradScaler(device.partition(":")[0], enabled=self.dtype is torch.float16)
        self.optimizer = self._optimizer(hyper.rate)
        self.done = TrainingCheckpoint(seed, parts=max(1, hyper.accumulate))
        if folder is not None:
            kept = restore(folder, seed, self.module, self.optimizer, self.scaler)
            self.done = kept if kept.history or kept.batch else self.done
            if not (kept.history or kept.batch):
                self._begin_anew()
        self.model = wrapped(self.module, device, share)
        self.watch = Stopwatch(device)
        pinned = device != "cpu"
        self.loader = BatchLoader(recipe, config, train, workers=workers_for(hyper.workers, recipe), pinned=pinned)
        self.steps = hyper.epochs * len(self._batches(0))

    def close(self) -> None:
        self.loader.close()

    def events(self) -> Iterator[Event]:
        done, hyper = self.done, self.hyper
        yield from tuple(done.history)
        while done.epoch < hyper.epochs and not done.over:
            if not done.batch:
                torch.manual_seed(_number(self.seed, done.epoch))  # dropout, whatever came before
            whole = yield from self._epoch()
            if not whole:
                break
            if not math.isfinite(done.loss):
                done.leaps += 1
                if done.leaps > _LEAPS:
                    break
                yield self._leap()
                continue
            yield self._end_of_epoch()
        if not done.state and not self.token.cancelled:
            hint = "Lower the learning rate, or look at the data."
            raise UserError("The training gave no usable network.", hint=hint)
        done.over = done.over or (bool(done.state) and not self.token.cancelled)
        yield done

    # an epoch

    def _epoch(self) -> Generator[Event, None, bool]:
        """Learn from what is left of the epoch; its sums are in `done`, not a number as soon as a loss is not. Whether
        it came to its end: False when it was cancelled."""
        done = self.done
        batches = self._batches(done.epoch)
        rows = batch_rows(self._order(done.epoch), self.hyper.batch, self.share, done.batch)
        self.model.train()
        self.watch.restart()
        kept = time.monotonic()
        for batch in self.loader.batches(rows):
            self.watch.lap("data")
            if self._cancelled():
                self._keep()
                return False
            loss = yield from self._step(batch)
            if not any_finite(loss, self.share):
                done.loss = math.nan
                return True
            done.batch += 1
            done.items += batch[0]
            done.loss += loss * batch[0]
            if (pace := self._pace(batch[0], len(batches))) is not None:
                yield pace
            if time.monotonic() - kept >= KEEP_SECONDS:
                self._keep()
                kept = time.monotonic()
            self.watch.skip()
        return True

    def _step(self, batch: Batch) -> Generator[Event, None, float]:
        """One step of the optimizer; the mean loss of its items. A batch that does not fit is divided into twice as
        many parts until it does, and so are those that follow."""
        rate = self.hyper.rate * self.done.factor * share_of_rate(self.hyper, self._step_number(), self.steps)
        for group in self.optimizer.param_groups:
            came = group.get(_CAME, False)
            group["lr"] = rate * (self._share_of_encoder() if came else 1.0)
        while True:
            try:
                return self._learned(batch)
            except Exception as error:
                if not ran_out(error) or self.done.parts >= batch[0]:
                    raise
            self.optimizer.zero_grad(set_to_none=True)
            if self.device != "cpu":
                torch.cuda.empty_cache()
            self.done.parts = min(2 * self.done.parts, batch[0])
            size = -(-batch[0] // self.done.parts)
            yield TrainingWarning(
                self.seed, f"A batch of {batch[0]} does not fit into memory: it is computed {size} items at a time."
            )

    def _learned(self, batch: Batch) -> float:
        count, inputs, targets = batch
        total = 0.0
        self.optimizer.zero_grad(set_to_none=True)
        pieces = [one for one in np.array_split(np.arange(count), min(self.done.parts, count)) if len(one)]
        for place, piece in enumerate(pieces):
            part = slice(int(piece[0]), int(piece[-1]) + 1)
            waits = place + 1 < len(pieces)
            with self.model.no_sync() if waits and self.share.size > 1 else nullcontext():  # type: ignore[operator]
                with torch.autocast(self.device.partition(":")[0], dtype=self.dtype, enabled=self.dtype is not None):
                    wanted = _moved([one[part] for one in targets], self.device)
                    given = [*_moved([one[part] for one in inputs], self.device), *(wanted if self.taught else ())]
                    loss = self.recipe.loss(_listed(self.model(*given)), wanted, self.config)
                value = float(loss.detach())
                self.watch.lap("forward")
                if not math.isfinite(value):
                    return math.nan
                self.scaler.scale(loss * (len(piece) / count)).backward()  # type: ignore[no-untyped-call]
                self.watch.lap("backward")
            total += value * len(piece)
        self.scaler.unscale_(self.optimizer)
        if self.hyper.clip:
            torch.nn.utils.clip_grad_norm_(self._learning(), self.hyper.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.watch.lap("backward")
        return total / count

    def _pace(self, items: int, batches: int) -> TrainingPace | None:
        told = self.watch.told(items * self.share.size)
        if told is None:
            return None
        done = self.done
        rate = float(self.optimizer.param_groups[0]["lr"])
        place = (self.seed, done.epoch, self.hyper.epochs, done.batch, batches)
        used = (memory(), *gpu_memory(self.device))
        drawn = getattr(self.module, "drawn", None)
        return TrainingPace(*place, done.loss / max(1, done.items), rate, *told, *used, drawn=drawn)

    def _cancelled(self) -> bool:
        """Whether this training, or one that it trains together with, was cancelled."""
        if self.token.paused:
            self.token.wait_if_paused()
            self.watch.restart()
        if any_of(self.token.cancelled, self.share):
            self.token.cancel()
        return self.token.cancelled

    # between epochs

    def _end_of_epoch(self) -> Epoch:
        done = self.done
        loss, items = summed((done.loss, float(done.items)), self.share)
        train_loss = loss / max(1.0, items)
        found = self._validated() if self.share.rank == 0 else (math.nan, math.nan)
        validation_loss, measure = agreed(found, self.share)
        best = math.isfinite(measure) and (measure > done.measure or keeps_last(self.recipe))
        if best:
            done.best, done.measure, done.state = done.epoch, measure, learned_state(self.module)
        told = Epoch(self.seed, done.epoch, self.hyper.epochs, train_loss, validation_loss, measure, best)
        done.history.append(told)
        done.over = done.epoch - done.best >= self.hyper.patience or done.epoch + 1 == self.hyper.epochs
        done.epoch, done.batch, done.items, done.loss = done.epoch + 1, 0, 0, 0.0
        if best and self.folder is not None and self.share.rank == 0:
            keep_best(self.folder, done)
        self._keep()
        return told

    def _leap(self) -> TrainingWarning:
        """Back to the best epoch, or to the beginning, with a tenth of the rate."""
        done = self.done
        done.factor /= 10
        done.epoch, done.batch, done.items, done.loss = done.epoch + 1, 0, 0, 0.0
        if done.state:
            take_state(self.module, done.state)
        else:
            self.module.load_state_dict(self._beginning().state_dict())
        self.optimizer = self._optimizer(self.hyper.rate * done.factor)
        rate = self.hyper.rate * done.factor
        return TrainingWarning(
            self.seed, f"The loss of epoch {done.epoch} is no number: back to the best one, rate {rate:g}."
        )

    def _validated(self) -> tuple[float, float]:
        """Loss and measure on the validation split."""
        self.module.eval()
        total, outputs = 0.0, []
        examples, targets = self.validation.examples, self.validation.targets
        kind = self.device.partition(":")[0]
        with torch.inference_mode(), torch.autocast(kind, dtype=self.dtype, enabled=self.dtype is not None):
            for at in range(0, len(self.validation), _MEASURED):
                part = examples[at : at + _MEASURED]
                wanted = targets[at : at + _MEASURED]
                moved = _moved(self.recipe.collate_targets(wanted, self.config), self.device)
                given = self._outputs(part, moved if self.taught else ())
                found = [one.float() if one.is_floating_point() else one for one in given]
                total += float(self.recipe.loss(found, moved, self.config)) * len(wanted)
                arrays = [one.cpu().numpy() for one in found]
                outputs += [tuple(array[place] for array in arrays) for place in range(len(part))]
        return total / len(self.validation), self._measured(outputs)

    def _measured(self, outputs: Sequence[tuple[Array, ...]]) -> float:
        """The recipe's measure; of several sources the mean of theirs, so that a small one counts as a large one
        (ours)."""
        targets = self.validation.targets
        begins = self.validation.begins if isinstance(self.validation, JoinedExamples) else (0, len(targets))
        parts = [(int(a), int(b)) for a, b in pairwise(begins) if b > a]
        found = [self.recipe.measure(outputs[a:b], targets[a:b], self.config) for a, b in parts]
        return float(np.mean(found))

    def _outputs(self, examples: Sequence[Example], taught: Sequence[Tensor]) -> Sequence[Tensor]:
        return _listed(self.module(*_moved(self.recipe.collate(examples), self.device), *taught))

    # what they stand on

    def _learning(self) -> list[torch.nn.Parameter]:
        return [one for one in self.module.parameters() if one.requires_grad]

    def _optimizer(self, rate: float) -> torch.optim.Optimizer:
        """Of one group, or, where what came with the encoders moves otherwise than the rest, of two."""
        if self.hyper.encoder_rate == 1 and not self.hyper.head_first:
            return optimizer_of(self._learning(), self.hyper, rate)
        begins = came_with_weights(self.recipe)
        parts: dict[bool, list[torch.nn.Parameter]] = {False: [], True: []}
        for name, one in self.module.named_parameters():
            if one.requires_grad:
                parts[name.startswith(begins)].append(one)
        groups = [{"params": part, _CAME: came} for came, part in parts.items() if part]
        return optimizer_of(groups, self.hyper, rate)

    def _share_of_encoder(self) -> float:
        """Of the rate, for what came with the encoders."""
        return 0.0 if self.done.epoch < self.hyper.head_first else self.hyper.encoder_rate

    def _order(self, epoch: int) -> Any:
        return epoch_order(self.train, self.weights, _number(self.seed, epoch))

    def _batches(self, epoch: int) -> list[Any]:
        return batch_rows(self._order(epoch), self.hyper.batch)

    def _step_number(self) -> int:
        return self.done.epoch * (self.steps // self.hyper.epochs) + self.done.batch

    def _begin_anew(self) -> None:
        """What could not be restored may have been put in by halves."""
        self.module.load_state_dict(self._beginning().state_dict())
        self.optimizer = self._optimizer(self.hyper.rate)

    def _beginning(self) -> Module:
        """The network as it is before it has learned anything here."""
        torch.manual_seed(self.seed)
        module = self.recipe.network(self.config)
        if self.begin:
            module.load_state_dict({**module.state_dict(), **self.begin})
        return module

    def _keep(self) -> None:
        if self.folder is not None and self.share.rank == 0:
            keep(self.folder, self.module, self.optimizer, self.scaler, self.done)


def any_finite(loss: float, share: Share) -> bool:
    """Whether the loss is a number in all processes that train together."""
    return not any_of(not math.isfinite(loss), share)


def _number(seed: int, epoch: int) -> int:
    return seed * 100_003 + epoch


def _listed(found: Any) -> Sequence[Tensor]:
    return found if isinstance(found, tuple | list) else (found,)


def _moved(arrays: Sequence[Array], device: str) -> list[Tensor]:
    # What lies on disk is mapped for reading only, which torch warns of.
    return [
        torch.from_numpy(np.require(array, requirements=["C", "W"])).to(device, non_blocking=True) for array in arrays
    ]
