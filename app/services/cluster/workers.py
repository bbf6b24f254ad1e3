"""The workers of a run on a cluster: Ray's actors, started as there is room for them, given shares and watched."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import Cluster
from stepscope.app.services.cluster.messages import (
    WORKER,
    ClusterOrder,
    ClusterShare,
    DataNotHere,
    ShareResult,
    WorkerReady,
)
from stepscope.app.services.cluster.shipping import ShippedData, not_shared
from stepscope.app.services.item_processes import MOST_TRIES
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.runner import words_of
from stepscope.core.frozen import dataclass
from stepscope.core.progress import WorkerPace

IN_HAND = 2
"""Shares that a worker has at once: the next one lies there when it is done with one."""
LOOK_SECONDS = 2.0
"""How often it is asked whether the cluster has room for more workers."""
_MOST_WORDS = 300
GONE_SECONDS = 60.0
"""So long a run waits for a machine to come where the cluster has none left that can hold a worker."""


@dataclass(frozen=True, slots=True)
class FinishedShare:
    """A share came back."""

    place: int
    result: ShareResult


@dataclass(frozen=True, slots=True)
class LostShare:
    """A share's worker died, or its machine is gone. `at_work`: it was this share's turn, and not one before it."""

    place: int
    worker: str
    at_work: bool


class _ShareActor:
    """An actor; `name` is known once it is ready."""

    def __init__(self, actor: Any, beginning: Any) -> None:
        self.actor, self.beginning = actor, beginning
        self.shares: dict[Any, int] = {}
        self.name = ""
        self.items = 0
        self.since = 0.0

    @property
    def ready(self) -> bool:
        return bool(self.name)

    def pace(self, now: float, *, lost: bool = False) -> WorkerPace:
        return WorkerPace(self.name, self.items, self.items / max(now - self.since, 1e-6), lost)


class ClusterWorkers:
    """Use it in one thread. `send` gives the data to be sent, the first time that a worker lacks it; `met` hears of
    each worker that is ready."""

    def __init__(
        self,
        cluster: Cluster,
        choice: ClusterChoice,
        gpus: float,
        order: ClusterOrder,
        send: Callable[[Callable[[bytes], Any]], ShippedData],
        met: Callable[[WorkerReady], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cluster, self._choice, self._gpus, self._clock = cluster, choice, gpus, clock
        self._ray = cluster.ray
        self._order = self._ray.put(order)
        self._way, self._path, self._send, self._met = order.way, Path(order.spec.source), send, met
        self._shipped: Any = None
        module, name = WORKER
        self._actor = self._ray.remote(num_cpus=choice.cpus, num_gpus=gpus, max_restarts=0)(
            getattr(import_module(module), name)
        )
        self._workers: list[_ShareActor] = []
        self._lost: list[WorkerPace] = []
        self._told: tuple[WorkerPace, ...] | None = None
        self._weights: str | None = None
        self._due = self._none_since = 0.0
        self._stillborn = 0
        self._expect(self._room())

    @property
    def ready(self) -> int:
        """Workers that can be given shares."""
        return sum(worker.ready for worker in self._workers)

    @property
    def has_free_hand(self) -> bool:
        """Whether `give` would hand a share on."""
        return any(worker.ready and len(worker.shares) < IN_HAND for worker in self._workers)

    def paces(self) -> tuple[WorkerPace, ...]:
        """What each has done, those that are lost too."""
        if self._told is not None:
            return self._told
        now = self._clock()
        return (*(worker.pace(now) for worker in self._workers if worker.ready), *self._lost)

    def give(self, place: int, share: ClusterShare) -> bool:
        """Hand the share to the worker that has least to do; False where all have enough."""
        free = [worker for worker in self._workers if worker.ready and len(worker.shares) < IN_HAND]
        if not free:
            return False
        worker = min(free, key=lambda one: len(one.shares))
        worker.shares[worker.actor.work.remote(share)] = place
        return True

    def events(self, seconds: float) -> Iterator[FinishedShare | LostShare]:
        """What happened, after so long at the most. Raises UserError for what a worker could not do, and where the
        cluster has no machine left for one."""
        if self._clock() >= self._due:
            self._look()
        waited = {ref: worker for worker in self._workers for ref in (worker.beginning, *worker.shares) if ref}
        if not waited:
            time.sleep(seconds)
            return
        come, _ = self._ray.wait(list(waited), num_returns=len(waited), timeout=0)
        if not come:
            come, _ = self._ray.wait(list(waited), num_returns=1, timeout=seconds)
        for ref in come:
            worker = waited[ref]
            if worker in self._workers:  # else it was found dead in this round
                yield from self._come(worker, ref)

    def close(self) -> None:
        """End all workers, whatever they are doing; what they have done is still told."""
        self._told = self.paces()
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._workers = []

    def _come(self, worker: _ShareActor, ref: Any) -> Iterator[FinishedShare | LostShare]:
        try:
            answer = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:  # a worker tells its own troubles: this is on the way to it
            raise UserError(f"The cluster's worker could not be asked: {words_of(error.cause)}") from error
        except self._ray.exceptions.RayError as error:
            yield from self._died(worker, error)
            return
        if isinstance(answer, UserError):
            raise answer
        if isinstance(answer, ShareResult):
            worker.items += len(answer.outcomes)
            yield FinishedShare(worker.shares.pop(ref), answer)
        elif isinstance(answer, DataNotHere):
            self._ship_to(worker, answer)
        elif isinstance(answer, WorkerReady):
            worker.beginning, worker.since = None, self._clock()
            self._stillborn = 0
            self._check_weights(answer)
            worker.name = answer.name
            self._met(answer)

    def _died(self, worker: _ShareActor, error: Exception) -> Iterator[LostShare]:
        self._workers.remove(worker)
        self._ray.kill(worker.actor)
        if worker.ready:
            self._lost.append(worker.pace(self._clock(), lost=True))
        else:
            self._stillborn += 1
            if self._stillborn >= MOST_TRIES * max(1, self._room()):
                raise UserError(
                    f"Workers die while they load the model ({words_of(error)[:_MOST_WORDS]}).",
                    hint="Memory may not be enough for so many: give --cluster-workers, or larger --cluster-cpus.",
                )
        self._due = self._clock()
        for turn, place in enumerate(worker.shares.values()):
            yield LostShare(place, worker.name, turn == 0)

    def _ship_to(self, worker: _ShareActor, missing: DataNotHere) -> None:
        if self._way == "shared":
            raise not_shared(self._path, missing.name, self._choice)
        if self._shipped is None:
            self._shipped = self._ray.put(self._send(self._ray.put))
        worker.beginning = worker.actor.begin.remote(self._shipped, self._ray.get)

    def _check_weights(self, ready: WorkerReady) -> None:
        """Raises UserError where the machines' models differ: one run has one model."""
        if self._weights is None:
            self._weights = ready.weights
        if ready.weights != self._weights:
            raise UserError(
                f"The model has other weights on {ready.name} than on the machine before it.",
                hint="Put the same files on every machine.",
            )

    def _look(self) -> None:
        self._due = self._clock() + LOOK_SECONDS
        room = self._room()
        if room:
            self._none_since = 0.0
            self._start(room)
        elif not self.ready:
            self._none_since = self._none_since or self._clock()
            if self._clock() - self._none_since >= GONE_SECONDS:
                hint = "What was scored is kept: resume the run."
                raise UserError("The cluster has no machine left for a worker.", hint=hint)

    def _start(self, count: int) -> None:
        for _ in range(count - len(self._workers)):
            actor = self._actor.remote(self._order)
            self._workers.append(_ShareActor(actor, actor.begin.remote()))

    def _room(self) -> int:
        room = self._cluster.room(self._choice.cpus, self._gpus)
        return room if self._choice.workers is None else min(room, self._choice.workers)

    def _expect(self, room: int) -> None:
        if room:
            return
        wanted = _counted(self._choice.cpus, "core") + (f" and {_counted(self._gpus, 'GPU')}" if self._gpus else "")
        has = "; ".join(f"{one.name} {one.cpus:g} and {one.gpus:g}" for one in self._cluster.machines()) or "none"
        raise UsageError(
            f"No machine of the cluster has {wanted} for a worker.",
            hint=f"Machines with their cores and GPUs: {has}. Give smaller numbers: --cluster-cpus, --cluster-gpus.",
        )


def _counted(count: float, thing: str) -> str:
    return f"{count:g} {thing}{'' if count == 1 else 's'}"
