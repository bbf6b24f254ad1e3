"""Optimizers and how the learning rate goes, by name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.recipe import Hyper

if TYPE_CHECKING:
    import torch
    from torch.nn import Parameter
    from torch.optim import Optimizer
else:
    torch = lazy_module("torch")

OPTIMIZERS = ("adamw", "adam", "sgd")
SCHEDULES = ("constant", "linear", "cosine")
PRECISIONS = ("auto", "float32", "bfloat16", "float16")


Groups = Iterable["Parameter"] | Iterable[dict[str, Any]]
"""Parameters, or groups of them as torch's optimizers take them."""


def optimizer_of(parameters: Groups, hyper: Hyper, rate: float | None = None) -> Optimizer:
    """The optimizer that `hyper` names: `adamw` (decoupled weight decay), `adam` (weight decay in the gradient), `sgd`
    (with `momentum`). Raises UsageError for another name."""
    common: dict[str, Any] = {"lr": hyper.rate if rate is None else rate, "weight_decay": hyper.weight_decay}
    match hyper.optimizer:
        case "adamw":
            return torch.optim.AdamW(parameters, **common)
        case "adam":
            return torch.optim.Adam(parameters, **common)
        case "sgd":
            return torch.optim.SGD(parameters, momentum=hyper.momentum, **common)
    raise UsageError(f"There is no optimizer {hyper.optimizer!r}.", hint=f"Give {', '.join(OPTIMIZERS)}.")


def share_of_rate(hyper: Hyper, step: int, steps: int) -> float:
    """By what the learning rate is multiplied at step `step` of `steps`, from 0: it rises evenly over the first
    `warmup` of them, then stays (`constant`) or falls to 0 at the end, evenly (`linear`) or as half a cosine
    (`cosine`; Loshchilov and Hutter 2017, without restarts). Raises UsageError for another name."""
    rising = round(hyper.warmup * steps)
    if step < rising:
        return (step + 1) / rising
    done = (step - rising) / max(1, steps - rising)
    match hyper.schedule:
        case "constant":
            return 1.0
        case "linear":
            return max(0.0, 1 - done)
        case "cosine":
            return 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    raise UsageError(f"There is no schedule {hyper.schedule!r}.", hint=f"Give {', '.join(SCHEDULES)}.")
