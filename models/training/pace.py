"""How fast a training goes and what it takes: items a second, where the time goes, memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.process.memory import own_bytes

if TYPE_CHECKING:
    import torch

    from stepscope.models.training.drawn_steps import DrawnSteps
else:
    torch = lazy_module("torch")

Part = Literal["data", "forward", "backward"]
SECONDS = 1.0
"""So often it is told."""


@dataclass(frozen=True, slots=True)
class TrainingPace:
    """A training in the middle of an epoch. `rate` is the learning rate now, `items_per_second` over the time since the
    last one; `data`, `forward` and `backward` are shares of that time (the rest is bookkeeping). Memory in bytes: of
    this process alone and, where it computes on a GPU, the most that was taken there. `gpu_use` is the share of time in
    which the GPU was at work, None where nobody tells. `stage` as that of `Epoch`; `drawn` is what a pretraining did to
    the last batch, where it tells."""

    seed: int
    epoch: int
    epochs: int
    batch: int
    batches: int
    loss: float
    rate: float
    items_per_second: float
    data: float
    forward: float
    backward: float
    memory: int
    gpu_memory: int = 0
    gpu_use: float | None = None
    stage: str = ""
    drawn: DrawnSteps | None = None


@dataclass(slots=True)
class Stopwatch:
    """Adds up seconds by part; `clock` returns seconds."""

    device: str
    clock: Callable[[], float] = time.perf_counter
    _spent: dict[Part, float] = field(default_factory=dict)
    _items: int = 0
    _since: float = 0.0
    _lap: float = 0.0

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin anew: an epoch begins, or a pause is over."""
        self._spent = dict.fromkeys(("data", "forward", "backward"), 0.0)
        self._items = 0
        self._since = self._lap = self.clock()

    def lap(self, part: Part) -> None:
        """What was spent since the lap before belongs to `part`. On a GPU it waits for what was asked of it: otherwise
        all of it would look like the part that waits first."""
        if part != "data" and self.device != "cpu":
            torch.cuda.synchronize(self.device)
        now = self.clock()
        self._spent[part] += now - self._lap
        self._lap = now

    def skip(self) -> None:
        """What was spent since the lap before belongs to no part."""
        self._lap = self.clock()

    def told(self, items: int) -> tuple[float, float, float, float] | None:
        """Items a second and the three shares, every second; None in between."""
        self._items += items
        spent = self.clock() - self._since
        if spent < SECONDS:
            return None
        data, forward, backward = (self._spent[part] / spent for part in ("data", "forward", "backward"))
        rate = self._items / spent
        self.restart()
        return rate, data, forward, backward


def memory() -> int:
    """Bytes that this process has for itself."""
    return own_bytes(os.getpid())


def gpu_memory(device: str) -> tuple[int, float | None]:
    """The most bytes that were taken on the GPU, and the share of time in which it was at work; 0, None on none."""
    if device == "cpu":
        return 0, None
    use: float | None = None
    with suppress(Exception):  # asked of NVIDIA's library, which may be missing or say no
        use = torch.cuda.utilization(device) / 100
    return torch.cuda.max_memory_allocated(device), use
