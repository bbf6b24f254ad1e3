"""The items of a run by a Ray cluster. Rows of the source are dealt out in shares, to whichever worker is free.
Outcomes are handed on in the order of the rows, so that what a run has tells nobody how many worked on it, and whoever
stores them is one process as before.

A share whose worker died is given to another one. What a worker was at is done again; nothing of it had been stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import Cluster, connected
from stepscope.app.services.cluster.messages import ClusterOrder, ClusterShare, ShareResult, WorkerReady
from stepscope.app.services.cluster.shipping import ship, way_of
from stepscope.app.services.cluster.workers import ClusterWorkers, LostShare
from stepscope.app.services.item_processes import MOST_TRIES, ItemShare
from stepscope.app.services.verified_index_source import StoredIndex, VerifiedIndexSource
from stepscope.core.domain.prediction import Prediction
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import ModelInfo, Predictor
from stepscope.core.progress import CancelToken, WorkerPace
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source

SHARE_SECONDS, BATCHED_SECONDS = 1.0, 4.0
"""The work of a share: little is done again when a worker dies, and what asking costs is a thousandth of it. Of a model
that takes batches more, since the first batch of a share is prepared while its model waits."""
LARGEST = 256
"""Rows of a share, at the most."""
AHEAD = 4
"""Shares for each worker that were dealt and not handed on yet, at the most: what bounds the memory."""
COMMITTED_AT_ONCE = 256
"""Items of a transaction: outcomes come in whole shares, and a transaction costs as much as storing thirty of them."""
_POLL_SECONDS = 0.1
_PATIENCE_POLLS = 5
"""Looks without an answer after which the caller may do something else."""


class AwayPredictor:
    """Stands for a model that is loaded on other machines; `remembered` counts the answers that were known there."""

    def __init__(self, info: ModelInfo) -> None:
        self.info, self.remembered = info, 0

    def predict(self, request: object) -> Prediction:
        raise UserError(f"{self.info.name} is not loaded here: the run is worked on by a cluster.")


class ClusterItems:
    """Stands in the place of `runner.evaluate` for one run. `met` hears of each worker, once it is ready."""

    def __init__(
        self, choice: ClusterChoice, spec: RunSpec, met: Callable[[WorkerReady], None] = lambda _: None
    ) -> None:
        self._choice, self._spec, self._met = choice, spec, met
        self._workers: ClusterWorkers | None = None

    def paces(self) -> tuple[WorkerPace, ...]:
        """What the workers have done so far."""
        return self._workers.paces() if self._workers is not None else ()

    def __call__(
        self,
        source: Source,
        units: Sequence[str],
        predictor: Predictor[Any],
        scorer: AggregatingScorer,
        options: Options,
        *,
        seed: int = 0,
        done: frozenset[ItemKey] = frozenset(),
        token: CancelToken | None = None,
        waiting: Callable[[], None] | None = None,
        answered: Callable[[str], Mapping[int, Prediction]] | None = None,
    ) -> Iterator[Outcome]:
        """The outcomes of `runner.evaluate`, in its order. Raises what a worker could not do, and UserError where
        workers die over and over, or the cluster is gone."""
        token, waiting = token or CancelToken(), waiting or (lambda: None)
        index = source.index if isinstance(source, VerifiedIndexSource) else None
        stored = index if isinstance(index, StoredIndex) else None
        way = way_of(self._choice, source)
        order = ClusterOrder(_with_any_gpu(self._spec), way, stored.fingerprint() if stored else "")
        seconds = BATCHED_SECONDS if predictor.info.batches else SHARE_SECONDS
        shares = _Shares(units, done, seconds, stored, answered if _hears_itself(predictor.info) else None)
        with connected(self._choice) as cluster:
            gpus = _gpus(self._choice, cluster, predictor.info, self._spec.device)
            self._workers = workers = ClusterWorkers(
                cluster, self._choice, gpus, order, lambda put: ship(Path(self._spec.source), put), self._met
            )
            try:
                for result in _in_order(workers, shares, token, waiting):
                    if isinstance(predictor, AwayPredictor):
                        predictor.remembered += result.remembered
                    yield from result.outcomes
            finally:
                workers.close()


class _Shares:
    """The rows of a run, cut into shares as they are asked for: as long as a share should take, by what rows took so
    far, and shorter towards the end, so that all workers end together."""

    def __init__(
        self,
        units: Sequence[str],
        done: frozenset[ItemKey],
        seconds: float,
        index: StoredIndex | None,
        answered: Callable[[str], Mapping[int, Prediction]] | None,
    ) -> None:
        self._units, self._seconds, self._index, self._answered = units, seconds, index, answered
        self._done: dict[str, set[ItemKey]] = {}
        for key in done:
            self._done.setdefault(key.episode, set()).add(key)
        self._next = 0
        self._rows = 0
        self._took = 0.0

    @property
    def left(self) -> int:
        return len(self._units) - self._next

    def cut(self, hands: int) -> ClusterShare:
        """The next rows, for one of so many workers."""
        size = 1
        if self._rows:
            size = round(self._seconds * self._rows / self._took) if self._took else LARGEST
            size = max(1, min(size, LARGEST, -(-self.left // (2 * hands))))
        units = tuple(self._units[self._next : self._next + size])
        self._next += size
        begun = [unit for unit in units if unit in self._done]
        done = frozenset(key for unit in begun for key in self._done[unit])
        index = None if self._index is None else self._index.excerpt(units)
        answered = {} if self._answered is None else {unit: self._answered(unit) for unit in begun}
        return ClusterShare(ItemShare(units, done), index, answered)

    def took(self, share: ClusterShare, seconds: float) -> None:
        """A share came back after so long."""
        self._rows += len(share.rows.units)
        self._took += seconds


def _in_order(
    workers: ClusterWorkers, shares: _Shares, token: CancelToken, waiting: Callable[[], None]
) -> Iterator[ShareResult]:
    """The results of all shares, each when those before it are there."""
    dealt: dict[int, ClusterShare] = {}
    found: dict[int, ShareResult] = {}
    tries: dict[int, int] = {}
    again: deque[int] = deque()
    head = following = silent = 0
    while shares.left or dealt:
        while again and workers.give(again[0], dealt[again[0]]):
            again.popleft()
        while not again and shares.left and len(dealt) < AHEAD * workers.ready and workers.has_free_hand:
            dealt[following] = shares.cut(workers.ready)
            workers.give(following, dealt[following])
            following += 1
        silent += 1
        for event in workers.events(_POLL_SECONDS):
            silent = 0
            if isinstance(event, LostShare):
                tries[event.place] = tries.get(event.place, 0) + event.at_work
                _check_tries(tries[event.place], dealt[event.place], event.worker)
                again.append(event.place)
            else:
                found[event.place] = event.result
                shares.took(dealt[event.place], event.result.seconds)
        while head in found:
            yield found.pop(head)
            del dealt[head]
            head += 1
        if token.cancelled:
            return
        if silent and silent % _PATIENCE_POLLS == 0:
            waiting()


def _check_tries(tries: int, share: ClusterShare, worker: str) -> None:
    if tries >= MOST_TRIES:
        first = share.rows.units[0]
        raise UserError(
            f"{MOST_TRIES} workers died over the same rows, from {first} on, the last on {worker}.",
            hint="Memory may have run out. What was scored is kept: resume the run with larger --cluster-cpus.",
        )


def _hears_itself(model: ModelInfo) -> bool:
    """Whether it is asked about a step with what it answered before."""
    return bool(model.own_history or model.asks_again)


def _gpus(choice: ClusterChoice, cluster: Cluster, model: ModelInfo, device: str) -> float:
    if choice.gpus is not None:
        return choice.gpus
    if "cuda" not in model.devices or device == "cpu":
        return 0.0
    some = any(machine.gpus for machine in cluster.machines())
    return float(some or device.startswith("cuda"))


def _with_any_gpu(spec: RunSpec) -> RunSpec:
    """The settings without the number of a GPU: a worker sees those only that it was given."""
    return replace(spec, device=spec.device.partition(":")[0])
