"""What ambiguous tasks of a data set are like, as Navi-plus tells it of its own (appendix H).

Figure 5: how many steps tasks have, and how many of them are informative. Figure 6: the share of tasks with enough
informative steps to leave out one, two and more. By app, kinds and checks are ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from stepscope.core.domain.ambiguous_task import AmbiguousTask
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class EnoughSteps:
    """Of so many tasks from which `removed` steps were to be left out, how many had enough."""

    removed: int
    tasks: int
    enough: int

    @property
    def share(self) -> float | None:
        return self.enough / self.tasks if self.tasks else None


@dataclass(frozen=True, slots=True)
class AmbiguousStatistics:
    """`lengths` and `informative`: how many episodes have so many steps, and so many informative ones. `kinds`: of what
    is left out. `failing`: tasks that do not stand a check, by the check. `by_app` the same of each app, without its
    own apps."""

    episodes: int
    lengths: Mapping[int, int]
    informative: Mapping[int, int]
    enough: tuple[EnoughSteps, ...]
    kinds: Mapping[str, int]
    failing: Mapping[str, int]
    by_app: Mapping[str, AmbiguousStatistics] = field(default_factory=dict)

    @property
    def mean_length(self) -> float | None:
        return _mean(self.lengths)

    @property
    def mean_informative(self) -> float | None:
        return _mean(self.informative)


def ambiguous_statistics(tasks: Sequence[AmbiguousTask]) -> AmbiguousStatistics:
    """Of the tasks of one maker; several of one episode count its steps once."""
    apps: dict[str, list[AmbiguousTask]] = {}
    for task in tasks:
        apps.setdefault(task.app, []).append(task)
    by_app = {app: _of(apps[app]) for app in sorted(apps)} if len(apps) > 1 else {}
    return _of(tasks, by_app)


def _of(tasks: Iterable[AmbiguousTask], by_app: Mapping[str, AmbiguousStatistics] | None = None) -> AmbiguousStatistics:
    every = list(tasks)
    episodes = {task.slot.episode: task for task in every}
    wanted = Counter(task.slot.removed for task in every)
    found = Counter(task.slot.removed for task in every if task.is_enough)
    return AmbiguousStatistics(
        len(episodes),
        _sorted(Counter(len(task.readings) for task in episodes.values())),
        _sorted(Counter(len(task.informative) for task in episodes.values())),
        tuple(EnoughSteps(removed, wanted[removed], found[removed]) for removed in sorted(wanted)),
        dict(Counter(piece.kind.value for task in every for piece in task.pieces).most_common()),
        dict(Counter(check.partition(" (step")[0] for task in every for check in task.failed).most_common()),
        by_app or {},
    )


def _sorted(counts: Counter[int]) -> dict[int, int]:
    return {value: counts[value] for value in sorted(counts)}


def _mean(counts: Mapping[int, int]) -> float | None:
    total = sum(counts.values())
    return sum(value * count for value, count in counts.items()) / total if total else None


def statistics_json(found: AmbiguousStatistics) -> dict[str, object]:
    """The statistics as JSON has them."""
    form: dict[str, object] = {
        "episodes": found.episodes,
        "mean_steps": found.mean_length,
        "mean_informative": found.mean_informative,
        "steps": {str(value): count for value, count in found.lengths.items()},
        "informative": {str(value): count for value, count in found.informative.items()},
        "enough": [
            {"removed": one.removed, "tasks": one.tasks, "enough": one.enough, "share": one.share}
            for one in found.enough
        ],
        "kinds": dict(found.kinds),
        "failing": dict(found.failing),
    }
    if found.by_app:
        form["by_app"] = {app: statistics_json(one) for app, one in found.by_app.items()}
    return form
