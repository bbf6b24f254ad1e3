"""A training as it is kept: written after an epoch, in its middle now and then, and when it is stopped.

Beside the state lies the best epoch's network, written when there is a better one. What is frozen is in neither: a
recipe makes it out of the weights that it stands on.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.models.runtimes.module_state import learned_state, take_state

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
    from torch.optim import Optimizer
else:
    torch = lazy_module("torch")

_STATE, _BEST = "state.pt", "best.pt"


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of one seed is over. `measure` is the recipe's, on the validation split; `best`: better than before.
    `stage` says what it was of, "" the training itself."""

    seed: int
    epoch: int
    epochs: int
    train_loss: float
    validation_loss: float
    measure: float
    best: bool
    stage: str = ""


@dataclass(slots=True)
class TrainingCheckpoint:
    """A training as it stands. `state` are the best epoch's tensors by name, without what is frozen; `over`: it came to
    its own end.

    `epoch` and `batch` say where it goes on: at batch number `batch` of that epoch, of which `items` were learned from
    with a sum of losses of `loss`. `factor` is what the rate was cut to after losses that were no numbers, `leaps` how
    often; `parts` into how many a batch is divided by now.
    """

    seed: int
    state: dict[str, Tensor] = field(default_factory=dict)
    best: int = -1
    measure: float = -math.inf
    history: list[Epoch] = field(default_factory=list)
    over: bool = False
    epoch: int = 0
    batch: int = 0
    items: int = 0
    loss: float = 0.0
    factor: float = 1.0
    leaps: int = 0
    parts: int = 1


_KEPT = ("best", "measure", "over", "epoch", "batch", "items", "loss", "factor", "leaps", "parts")


def keep(folder: Path, module: Module, optimizer: Optimizer, scaler: Any, done: TrainingCheckpoint) -> None:
    """Write the state, whole or not at all. Raises UserError."""
    state = {
        "seed": done.seed,
        "module": learned_state(module),
        "optimizer": optimizer.state_dict(),
        "scaler": scaler.state_dict(),
        "random": torch.get_rng_state(),
        "random_gpu": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        "history": [
            (one.epoch, one.epochs, one.train_loss, one.validation_loss, one.measure, one.best) for one in done.history
        ],
        **{name: getattr(done, name) for name in _KEPT},
    }
    _write(_file(folder, done.seed, _STATE), state)


def keep_best(folder: Path, done: TrainingCheckpoint) -> None:
    """Write the best epoch's network. Raises UserError."""
    _write(_file(folder, done.seed, _BEST), {"best": done.best, "state": done.state})


def best_state(folder: Path, seed: int) -> dict[str, Tensor]:
    """The best epoch's network, as it was kept; none where none was."""
    file = _file(folder, seed, _BEST)
    return torch.load(file, weights_only=True, map_location="cpu")["state"] if file.is_file() else {}


def restore(folder: Path, seed: int, module: Module, optimizer: Optimizer, scaler: Any) -> TrainingCheckpoint:
    """What was kept, put into module, optimizer and torch's random numbers; a beginning where nothing (or nothing
    usable) was."""
    done = TrainingCheckpoint(seed)
    file = _file(folder, seed, _STATE)
    if not file.is_file():
        return done
    try:
        kept = torch.load(file, weights_only=True, map_location="cpu")
        if kept["best"] >= 0:
            best = torch.load(_file(folder, seed, _BEST), weights_only=True, map_location="cpu")
            if best["best"] < kept["best"]:  # a better one was written later than the state: killed between the two
                raise ValueError("the best epoch is not there")
            done.state = best["state"]
        for name in _KEPT:
            setattr(done, name, kept[name])
        done.history = [Epoch(seed, *row) for row in kept["history"]]
        take_state(module, kept["module"])
        optimizer.load_state_dict(kept["optimizer"])
        scaler.load_state_dict(kept["scaler"])
        torch.set_rng_state(kept["random"])
        if kept["random_gpu"] and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(kept["random_gpu"])
    except Exception:  # noqa: BLE001 - half written, or of another network: this seed begins anew
        return TrainingCheckpoint(seed)
    return done


def _file(folder: Path, seed: int, ending: str) -> Path:
    return folder / f"seed-{seed}.{ending}"


def _write(file: Path, state: Mapping[str, Any]) -> None:
    whole = io.BytesIO()  # into a file torch would write itself, and tell of a full disk in words of its own
    torch.save(state, whole)
    try:
        write_whole(file, whole.getvalue())
    except OSError as error:
        hint = "Make room, then train again with the same settings: it goes on from there."
        raise UserError(f"the training cannot be kept: {reason(error)}", place=file.parent, hint=hint) from error
