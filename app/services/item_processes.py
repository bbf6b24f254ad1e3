"""The items of a run by several processes, where its model has no weights and is nothing but Python.

A run begins in its own process. Once it is seen to take long, the rows of the source that are left are dealt out: share
by share to each process in turn, which reads, predicts and scores them (`app.services.item_child`). Outcomes come back
and are handed on in the order of the rows, so that nobody can tell from what a run has how many worked on it; whoever
stores them is one process as before. A process that dies is started anew with what its shares still lack.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field
from itertools import pairwise
from typing import Any

from stepscope.core import limits
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import Cancellable, ModelInfo, Predictor, Releasable, Speaking
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.frozen import dataclass
from stepscope.core.process import children, pickled
from stepscope.core.process.children import Child
from stepscope.core.process.cores import usable_cores
from stepscope.core.process.pickled import AnswerReader, TalkEnded
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database

LOOK_SECONDS = 1.0
"""So long a run works alone before it is said how long it will take."""
WORTH_SECONDS = 10.0
"""What must be left to do: a process takes half a second of a core to start."""
SHARE_SECONDS = 0.5
"""The work of a share: little is done again when a process dies, and little waits for those before it."""
LARGEST_SHARE = 64
"""Rows of the source in a share, at the most."""
AHEAD = 3
"""Shares that a process has to do or has done and that were not handed on yet: what bounds the memory."""
MOST_TRIES = 3
"""Processes that may die over the same item."""
_POLL_SECONDS = 0.1
_PATIENCE_POLLS = 5
"""Looks without an answer after which the caller may do something else, as `prefetch.PATIENCE_SECONDS`."""
_END_SECONDS = 5.0
_ALONE = (Task.WEBTASK, Task.ROLLOUT)
"""Tasks whose predictors have processes of their own."""


@dataclass(frozen=True, slots=True)
class ItemOrder:
    """A stored run that the child is to work on, and the limits that hold."""

    store: str
    run: str
    limits: Mapping[str, int] = field(default_factory=limits.chosen_limits)


@dataclass(frozen=True, slots=True)
class ItemShare:
    """Rows of the source one behind the other, and which of their items are done."""

    units: tuple[str, ...]
    done: frozenset[ItemKey] = frozenset()


@dataclass(frozen=True, slots=True)
class ShareEnd:
    """The child has sent all outcomes of a share."""


def fits(model: ModelInfo, predictor: Predictor[Any], spec: RunSpec) -> bool:
    """Whether several processes can each have this predictor: it is one of ours, so loaded by its name alone, is
    nothing but Python, and is asked about each item for itself."""
    ours = type(predictor).__module__.startswith("stepscope.models.")
    light = model.runtime == "none" and model.weights == "none" and not model.batches
    apart = not (model.own_history or model.asks_again or isinstance(predictor, Cancellable | Releasable | Speaking))
    return ours and light and apart and spec.task not in _ALONE and not spec.predictions


def cores() -> int:
    """Processes that a run may take: the cores that this program may use, bounded by `run-processes`."""
    return min(usable_cores(), limits.limit("run-processes"))


class ItemProcesses:
    """Stands in the place of `runner.evaluate` for one stored run.

    `look` and `worth` are as `LOOK_SECONDS` and `WORTH_SECONDS`."""

    def __init__(
        self,
        order: ItemOrder,
        count: int,
        *,
        look: float = LOOK_SECONDS,
        worth: float = WORTH_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._order, self._count = order, count
        self._look, self._worth, self._clock = look, worth, clock

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
        """The outcomes of `runner.evaluate`, in its order. Raises what a child raised, and UserError where processes
        die over and over."""
        token = token or CancelToken()
        known = _by_unit(done)
        begun, seconds = self._clock(), 0.0
        for place, unit in enumerate(units):
            left = len(units) - place
            if place and self._clock() - begun >= self._look:
                seconds = (self._clock() - begun) / place
                if seconds * left >= self._worth:
                    yield from self._by_processes(units[place:], known, seconds, token, waiting or (lambda: None))
                    return
            own = known.get(unit, frozenset())
            alone = evaluate(
                source, (unit,), predictor, scorer, options, seed=seed, done=own, token=token, answered=answered
            )
            yield from alone
            if token.cancelled:
                return

    def _by_processes(
        self,
        units: Sequence[str],
        known: Mapping[str, frozenset[ItemKey]],
        seconds: float,
        token: CancelToken,
        waiting: Callable[[], None],
    ) -> Iterator[Outcome]:
        """The outcomes of rows that take so many seconds each."""
        size = max(1, min(LARGEST_SHARE, round(SHARE_SECONDS / seconds) if seconds else LARGEST_SHARE))
        parts = even_parts(units, size, self._count)
        shares = [
            ItemShare(part, frozenset().union(*(known.get(unit, frozenset()) for unit in part))) for part in parts
        ]
        workers = [_Worker(self._order) for _ in range(min(self._count, len(shares)))]
        try:
            for place in range(min(AHEAD * len(workers), len(shares))):
                workers[place % len(workers)].give(shares[place])
            for place in range(len(shares)):
                worker = workers[place % len(workers)]
                with closing(worker.outcomes(token, waiting)) as found:
                    yield from found
                if token.cancelled:
                    return
                if (following := place + AHEAD * len(workers)) < len(shares):
                    worker.give(shares[following])
        finally:
            for worker in workers:
                worker.close()


def even_parts(units: Sequence[str], size: int, hands: int) -> list[tuple[str, ...]]:
    """The rows in parts of at most `size`, all alike to a row and as many for each of the hands that get them in turn,
    so that all end together."""
    count = -(-len(units) // (size * hands)) * hands
    ends = [len(units) * place // count for place in range(count + 1)]
    return [tuple(units[first:last]) for first, last in pairwise(ends) if last > first]


class _Worker:
    """A child process with the shares that it was given."""

    def __init__(self, order: ItemOrder) -> None:
        self._order = order
        self._shares: deque[ItemShare] = deque()
        self._tries = 0
        self._start()

    def _start(self) -> None:
        self._child: Child = children.launch(children.command("stepscope.app.services.item_child"))
        self._reader = AnswerReader(self._child, "items of a run", last=lambda _answer: False)
        self._reader.start()
        pickled.send(self._child, self._order)
        for share in self._shares:
            pickled.send(self._child, share)

    def give(self, share: ItemShare) -> None:
        """One more share, behind those that it has."""
        self._shares.append(share)
        pickled.send(self._child, share)

    def outcomes(self, token: CancelToken, waiting: Callable[[], None]) -> Generator[Outcome, None, None]:
        """Those of its first share, as they come; less when cancelled."""
        silent = 0
        while not token.cancelled:
            try:
                answer = self._reader.answers.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                silent += 1
                if silent % _PATIENCE_POLLS == 0:
                    waiting()
                continue
            if isinstance(answer, ShareEnd):
                self._shares.popleft()
                return
            if isinstance(answer, TalkEnded):
                self._again()
                continue
            if isinstance(answer, BaseException):
                raise answer
            self._tries = 0
            first = self._shares[0]
            self._shares[0] = ItemShare(first.units, first.done.union(outcome.key for outcome in answer))
            yield from answer

    def _again(self) -> None:
        """Another child in the place of one that died, with what its shares still lack."""
        self._tries += 1
        self.close()
        if self._tries >= MOST_TRIES:
            raise UserError(
                f"The processes that work on the run ended {MOST_TRIES} times at the same place.",
                hint="Memory may have run out. What was scored is kept: resume the run, by --limit-run-processes 1.",
            )
        self._start()

    def close(self) -> None:
        """End the child, whatever it is doing."""
        children.end(self._child, self._reader, _END_SECONDS)


def _by_unit(done: frozenset[ItemKey]) -> dict[str, frozenset[ItemKey]]:
    found: dict[str, set[ItemKey]] = {}
    for key in done:
        found.setdefault(key.episode, set()).add(key)
    return {unit: frozenset(keys) for unit, keys in found.items()}


def shared(database: Database, run_id: str, spec: RunSpec, predictor: Predictor[Any]) -> ItemProcesses | None:
    """What works on this run by several processes, None where one is as good or the only way."""
    if database.address is None or cores() < 2 or not fits(predictor.info, predictor, spec):
        return None
    return ItemProcesses(ItemOrder(database.address, run_id), cores())
