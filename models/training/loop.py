"""One training of one network: epochs, validation, early stop; can be stopped after any batch and gone on with.

What an epoch sees follows from seed and epoch alone, so a training that was killed and resumed ends with the same
weights as one that was not, up to the order in which sums are rounded.
"""

from __future__ import annotations

import copy
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.learned.recipe import Array, Config, Example, Hyper, Recipe
from stepscope.models.training.collect import TrainingData

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
    from torch.optim import Optimizer
else:
    torch = lazy_module("torch")

_LEAPS = 3
"""How often a training whose loss is no number goes back to its best epoch with a tenth of the rate."""
_CLIP = 5.0
_STATE = "state.pt"


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of one seed is over. `measure` is the recipe's, on the validation split; `best`: better than before."""

    seed: int
    epoch: int
    epochs: int
    train_loss: float
    validation_loss: float
    measure: float
    best: bool


@dataclass(frozen=True, slots=True)
class TrainingWarning:
    """Something went wrong that the training got over; in one sentence."""

    seed: int
    text: str


@dataclass(slots=True)
class TrainingCheckpoint:
    """A training as it stands. `state` are the best epoch's tensors by name; `over`: it came to its own end."""

    seed: int
    state: dict[str, Tensor] = field(default_factory=dict)
    best: int = -1
    measure: float = -math.inf
    history: list[Epoch] = field(default_factory=list)
    over: bool = False


def fit(
    recipe: Recipe,
    config: Config,
    hyper: Hyper,
    seed: int,
    train: TrainingData,
    validation: TrainingData,
    *,
    device: str = "cpu",
    folder: Path | None = None,
    token: CancelToken | None = None,
) -> Iterator[Epoch | TrainingWarning | TrainingCheckpoint]:
    """Train with one seed; the last thing yielded is the `TrainingCheckpoint`. `folder` keeps the state after every
    epoch, and what is there is gone on with, its epochs told again first. A cancelled token ends it after the batch;
    the epoch in work is then done again by a resumed training. Raises UserError when no epoch gave a usable network."""
    torch.manual_seed(seed)
    module = recipe.network(config).to(device)
    optimizer = _optimizer(module, hyper)
    done = TrainingCheckpoint(seed)
    rate, leaps = hyper.rate, 0
    start = _restore(folder, seed, module, optimizer, done) if folder else 0
    yield from tuple(done.history)
    token = token or CancelToken()
    for epoch in range(start, hyper.epochs):
        if done.over:
            break
        torch.manual_seed(_number(seed, epoch))  # dropout, whatever came before
        loss = _epoch(recipe, module, optimizer, config, hyper, train, _number(seed, epoch), device, token)
        if token.cancelled:
            break
        if not math.isfinite(loss):
            leaps += 1
            if leaps > _LEAPS:
                break
            rate /= 10
            yield TrainingWarning(
                seed, f"The loss of epoch {epoch + 1} is no number: back to the best one, rate {rate:g}."
            )
            if done.state:
                module.load_state_dict(done.state)
            else:
                torch.manual_seed(seed)
                module.load_state_dict(recipe.network(config).state_dict())
            optimizer = _optimizer(module, hyper, rate)
            continue
        validation_loss, measure = _validate(recipe, module, config, validation, device)
        best = math.isfinite(measure) and measure > done.measure
        if best:
            done.best, done.measure, done.state = epoch, measure, copy.deepcopy(module.state_dict())
        told = Epoch(seed, epoch, hyper.epochs, loss, validation_loss, measure, best)
        done.history.append(told)
        done.over = epoch - done.best >= hyper.patience or epoch + 1 == hyper.epochs
        if folder:
            _keep(folder, module, optimizer, done)
        yield told
    if not done.state and not token.cancelled:
        raise UserError("The training gave no usable network.", hint="Lower the learning rate, or look at the data.")
    done.over = done.over or (bool(done.state) and not token.cancelled)
    yield done


def outputs_of(
    recipe: Recipe, module: Module, examples: Sequence[Example], device: str = "cpu", batch: int = 64
) -> list[tuple[Array, ...]]:
    """The network's outputs, one entry an example, without learning from them."""
    module.eval()
    found: list[tuple[Array, ...]] = []
    with torch.inference_mode():
        for at in range(0, len(examples), batch):
            part = examples[at : at + batch]
            outputs = _listed(module(*_moved(recipe.collate(part), device)))
            arrays = [one.cpu().numpy() for one in outputs]
            found += [tuple(array[place] for array in arrays) for place in range(len(part))]
    return found


def _epoch(
    recipe: Recipe,
    module: Module,
    optimizer: Optimizer,
    config: Config,
    hyper: Hyper,
    data: TrainingData,
    number: int,
    device: str,
    token: CancelToken,
) -> float:
    """The mean loss over the split, learned from in batches drawn by `number`; not a number as soon as one is not."""
    module.train()
    order = np.random.default_rng(number).permutation(len(data))
    total = 0.0
    for at in range(0, len(order), hyper.batch):
        token.wait_if_paused()
        if token.cancelled:
            return math.nan
        rows = order[at : at + hyper.batch]
        inputs = _moved(recipe.collate([data.examples[row] for row in rows]), device)
        targets = _moved(recipe.collate_targets([data.targets[row] for row in rows], config), device)
        loss = recipe.loss(_listed(module(*inputs)), targets, config)
        if not torch.isfinite(loss):
            return math.nan
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(module.parameters(), _CLIP)
        optimizer.step()
        total += float(loss.detach()) * len(rows)
    return total / len(order)


def _validate(recipe: Recipe, module: Module, config: Config, data: TrainingData, device: str) -> tuple[float, float]:
    """Loss and measure on the validation split."""
    module.eval()
    total, outputs = 0.0, []
    with torch.inference_mode():
        for at in range(0, len(data), 64):
            part = slice(at, at + 64)
            found = _listed(module(*_moved(recipe.collate(data.examples[part]), device)))
            targets = _moved(recipe.collate_targets(data.targets[part], config), device)
            total += float(recipe.loss(found, targets, config)) * len(data.targets[part])
            arrays = [one.cpu().numpy() for one in found]
            outputs += [tuple(array[place] for array in arrays) for place in range(len(arrays[0]))]
    return total / len(data), recipe.measure(outputs, data.targets, config)


def _optimizer(module: Module, hyper: Hyper, rate: float | None = None) -> Optimizer:
    kinds: dict[str, Any] = {"adam": torch.optim.AdamW, "sgd": torch.optim.SGD}
    if hyper.optimizer not in kinds:
        raise UserError(f"There is no optimizer {hyper.optimizer!r}.", hint=f"Give {' or '.join(kinds)}.")
    made: Optimizer = kinds[hyper.optimizer](
        module.parameters(), lr=rate or hyper.rate, weight_decay=hyper.weight_decay
    )
    return made


def _number(seed: int, epoch: int) -> int:
    return seed * 100_003 + epoch


def _listed(found: Any) -> Sequence[Tensor]:
    return found if isinstance(found, tuple | list) else (found,)


def _moved(arrays: Sequence[Array], device: str) -> list[Tensor]:
    return [torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays]


def _keep(folder: Path, module: Module, optimizer: Optimizer, done: TrainingCheckpoint) -> None:
    """The state after an epoch, whole or not at all."""
    state = {
        "seed": done.seed,
        "module": module.state_dict(),
        "optimizer": optimizer.state_dict(),
        "best": done.best,
        "measure": done.measure,
        "state": done.state,
        "over": done.over,
        "history": [
            (one.epoch, one.epochs, one.train_loss, one.validation_loss, one.measure, one.best) for one in done.history
        ],
    }
    whole = io.BytesIO()  # into a file torch would write itself, and tell of a full disk in words of its own
    torch.save(state, whole)
    try:
        write_whole(folder / f"seed-{done.seed}.{_STATE}", whole.getvalue())
    except OSError as error:
        hint = "Make room, then train again with the same settings: it goes on from there."
        raise UserError(f"the training cannot be kept: {reason(error)}", place=folder, hint=hint) from error


def _restore(folder: Path, seed: int, module: Module, optimizer: Optimizer, done: TrainingCheckpoint) -> int:
    """Fill in what was kept and return the epoch to begin with; 0 where nothing (or nothing usable) was."""
    file = folder / f"seed-{seed}.{_STATE}"
    if not file.is_file():
        return 0
    try:
        kept = torch.load(file, weights_only=True)
        module.load_state_dict(kept["module"])
        optimizer.load_state_dict(kept["optimizer"])
        done.state, done.best, done.measure, done.over = kept["state"], kept["best"], kept["measure"], kept["over"]
        done.history = [Epoch(seed, *row) for row in kept["history"]]
    except Exception:  # noqa: BLE001 - half written, or of another network: this seed begins anew
        done.state, done.best, done.measure, done.over, done.history = {}, -1, -math.inf, False, []
        return 0
    return done.history[-1].epoch + 1 if done.history else 0
