"""Several trainings of one network at the same time, each with another seed in a process of its own.

Worth it where one training leaves much of the machine idle: small heads on many cores, or on a GPU.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.recipe import Hyper, Recipe
from stepscope.models.training.examples import Examples
from stepscope.models.training.loop import Event, fit
from stepscope.models.training.state import TrainingCheckpoint, best_state

_POLL_SECONDS = 0.2
_END_SECONDS = 10.0


@dataclass(frozen=True)
class SeedTraining:
    """All that a training of one seed is given. `folder` keeps its state, as `fit` has it."""

    recipe: Recipe
    config: Config
    hyper: Hyper
    train: Examples
    validation: Examples
    weights: tuple[float, ...]
    device: str
    folder: Path


def fit_side_by_side(work: SeedTraining, at_once: int, token: CancelToken) -> Iterator[Event]:
    """The events of the trainings of all seeds of `work.hyper`, mixed, and in the end a `TrainingCheckpoint` of each
    seed in order. `at_once` of them run at a time. Raises what one of them raises, after all have ended."""
    context = multiprocessing.get_context("spawn")
    told: multiprocessing.queues.Queue[Any] = context.Queue()
    waiting, done = list(work.hyper.seeds), {}
    running: dict[int, _SeedProcess] = {}
    trouble: UserError | None = None
    try:
        while running or (waiting and not token.cancelled and trouble is None):
            while waiting and len(running) < at_once and not token.cancelled and trouble is None:
                seed = waiting.pop(0)
                running[seed] = _SeedProcess(context, work, seed, told)
            if token.cancelled or trouble is not None:
                for process in running.values():
                    process.cancel()
            seed, event = _next(told, running)
            if isinstance(event, UserError):
                trouble = trouble or event
            elif isinstance(event, TrainingCheckpoint):
                done[seed] = replace(event, state=best_state(work.folder, seed))
            elif event is not None:
                yield event
                continue
            if event is not None:
                running.pop(seed).end()
    finally:
        for process in running.values():
            process.end()
    if trouble is not None:
        raise trouble
    yield from (done[seed] for seed in work.hyper.seeds if seed in done)


class _SeedProcess:
    """The process of one seed. What cancels it goes through a pipe: of one that has died nobody waits for anything."""

    def __init__(self, context: Any, work: SeedTraining, seed: int, told: Any) -> None:
        heard, self._said = context.Pipe(duplex=False)
        self._process = context.Process(target=_train, args=(work, seed, told, heard), daemon=True)
        self._process.start()
        heard.close()

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    @property
    def exit_status(self) -> int | None:
        status: int | None = self._process.exitcode
        return status

    def cancel(self) -> None:
        self._said.close()

    def end(self) -> None:
        """Let it come to its end, or end it."""
        self.cancel()
        self._process.join(_END_SECONDS)
        self._process.terminate()
        self._process.join()
        self._process.close()


def _next(told: Any, running: dict[int, _SeedProcess]) -> tuple[int, Any]:
    """What a training says; (−1, None) where none says anything for a while; an error where one has died."""
    try:
        return told.get(timeout=_POLL_SECONDS)  # type: ignore[no-any-return]
    except queue.Empty:
        for seed, process in running.items():
            if not process.is_alive and told.empty():
                why = f"The training with seed {seed} was ended with exit status {process.exit_status}."
                return seed, UserError(why, hint="Train again with the same settings: it goes on from there.")
        return -1, None


def _train(work: SeedTraining, seed: int, told: Any, heard: Any) -> None:
    """In the process of one seed; it is cancelled when nobody holds the other end of the pipe `heard`."""
    token = CancelToken()

    def wait() -> None:
        heard.poll(None)
        token.cancel()

    threading.Thread(target=wait, daemon=True).start()
    try:
        for event in fit(
            work.recipe, work.config, work.hyper, seed, work.train, work.validation,
            weights=work.weights, device=work.device, folder=work.folder, token=token,
        ):  # fmt: skip
            # Tensors would be shared with a process that is gone: the best ones lie in the folder.
            told.put((seed, replace(event, state={}) if isinstance(event, TrainingCheckpoint) else event))
    except UserError as error:
        told.put((seed, error))
    except Exception as error:  # noqa: BLE001 - told where the trainings are waited for
        told.put((seed, UserError(f"The training with seed {seed} failed: {type(error).__name__}: {error}")))
