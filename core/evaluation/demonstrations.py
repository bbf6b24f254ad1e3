"""Pages that people solved, shown to a model beside the one that it is asked about.

Source: TurkingBench (Xu et al. 2024), section 4.1: up to 7 demonstrations of tasks and desired actions. Which ones the
paper does not say: here they are of other tasks, one each, of the split `train` where the data has one, drawn by the
run's seed, the same for all pages of a task (ours).
"""

from __future__ import annotations

import random
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.webtask import task_of
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import PageDemonstration
from stepscope.core.sources.source import WebTaskSource

TRAIN = "train"
MOST = 7
"""Demonstrations at most (paper)."""
_DRAWS = 5
"""Pages of a task that are looked at for one that somebody filled in."""


def demonstrations_for(source: WebTaskSource, task: str, count: int, seed: int) -> tuple[PageDemonstration, ...]:
    """Up to `count` solved pages, none of them of this task; fewer where the data has no more other tasks. What cannot
    be read is passed over."""
    if count < 1:
        return ()
    found: list[PageDemonstration] = []
    for other in _pool(source).drawn(seed, task):
        found.append(other)
        if len(found) == count:
            break
    return tuple(found)


@dataclass
class _DemonstrationPool:
    """The tasks of a source that demonstrations may be of, with their instances; each draw is read once."""

    source: weakref.ReferenceType[WebTaskSource]
    instances: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Id and place by task"""
    read: dict[tuple[int, str], PageDemonstration | None] = field(default_factory=dict)

    def drawn(self, seed: int, task: str) -> Iterator[PageDemonstration]:
        """One page of each other task, in the order of the seed."""
        names = sorted(self.instances)
        random.Random(f"demonstrations {seed}").shuffle(names)
        for name in names:
            if name == task:
                continue
            if (seed, name) not in self.read:
                self.read[seed, name] = self._solved(seed, name)
            found = self.read[seed, name]
            if found is not None:
                yield found

    def _solved(self, seed: int, name: str) -> PageDemonstration | None:
        """A page of the task that somebody filled in; None where none was found."""
        source, rows = self.source(), self.instances[name]
        assert source is not None, "whoever asks holds it"
        for instance_id, place in random.Random(f"demonstrations {seed} {name}").sample(rows, min(_DRAWS, len(rows))):
            try:
                instance = source.read_instance(instance_id, place)
                if any(value for answers in instance.answers for value in answers.values()):
                    return PageDemonstration(instance.id, source.read_task(name), instance.inputs, instance.answers)
            except UserError:
                continue
        return None


_lock = threading.Lock()
_kept: list[_DemonstrationPool] = []
"""That of the source that was asked last: runs go one after the other."""


def _pool(source: WebTaskSource) -> _DemonstrationPool:
    with _lock:
        if not (_kept and _kept[0].source() is source):
            _kept[:] = [_scanned(source)]
        return _kept[0]


def _scanned(source: WebTaskSource) -> _DemonstrationPool:
    rows = [row for row in source.scan() if isinstance(row, EpisodeSummary)]
    trains = {task_of(row.id) for row in rows if TRAIN in row.splits}
    pool = _DemonstrationPool(weakref.ref(source))
    for row in rows:
        name = task_of(row.id)
        if not trains or name in trains:
            pool.instances.setdefault(name, []).append((row.id, row.place))
    return pool
