"""MoTIF's partitions of demonstrations: tests on apps and tasks that training has seen or has not.

Source: MoTIF, section 5.1 (paper: app seen and app unseen; the four are in its supplement), names and meaning as in the
released split files. Ours: how a data set without such files is dealt out (docs/formats/splits.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

PARTITIONS = ("app_seen_task_unseen_all", "app_seen_task_unseen_curr", "app_unseen_task_seen", "app_unseen_task_unseen")
"""A task is unseen in all apps, or (`curr`) in the current one alone."""
FEASIBILITY = "feasibility"
"""The partition of MoTIF's feasibility experiments, with a part to learn from and one to test on."""
FOLD = re.compile(r"fold-(\d{1,3})-of-(\d{1,3})")
"""One of the parts of a cross-validation, `fold-1-of-5`: measured on, while the others are learned from."""
TRAIN, TEST = "train", "test"
HELD_OUT = 0.15
"""The share of apps, then of the others' tasks, then of pairs of both that is held out, one at least (ours)."""

Pair = tuple[str, str]


class EpisodeTask(NamedTuple):
    """An episode's id with what it shows; `app` or `goal` "" where the data names none."""

    id: str
    app: str
    goal: str

    @property
    def task(self) -> str:
        """The goal's words."""
        return task_words(self.goal)

    @property
    def pair(self) -> Pair:
        """App and task."""
        return self.app, self.task


def task_words(goal: str) -> str:
    """What two goals have in common that are one task: the words, whatever their case and spaces (ours)."""
    return " ".join(goal.casefold().split())


def partition_of(split: str) -> str:
    """The partition whose name the split is, alone or before a `/`, in any case of letters; "" for another."""
    name = split.partition("/")[0].lower()
    return name if name in (*PARTITIONS, FEASIBILITY) or fold_of(name) else ""


def fold_of(partition: str) -> tuple[int, int] | None:
    """Which fold of how many, of two and more, the name says; None for another name."""
    found = FOLD.fullmatch(partition)
    fold, folds = map(int, found.groups()) if found else (0, 0)
    return (fold, folds) if 1 <= fold <= folds and folds > 1 else None


def part_of_partition(split: str, part: str) -> str:
    """The split; where it is a partition's name alone, that part of it."""
    return f"{split}/{part}" if "/" not in split and partition_of(split) else split


def dealt_parts(demonstrations: Iterable[EpisodeTask], apps_held_out: Collection[str] = ()) -> Mapping[str, str]:
    """For each id `TRAIN`, or the partition whose test it is in. All four have this one training part, so that every
    episode with app and goal is in one part; the others are in none.

    Held out are the given apps (else a share of them), of the other apps a share of tasks, and of what then is left a
    share of the pairs of app and task whose task another app has too: the first by the SHA-256 of their names. No task
    or pair is taken that is an app's last. A task that only held-out apps have is unseen.
    """
    every = [one for one in demonstrations if one.app and one.task]
    unseen_apps = _unseen_apps(every, apps_held_out)
    learned = {one.pair for one in every if one.app not in unseen_apps}
    learned -= _tasks_held_out(learned)
    learned -= _pairs_held_out(learned)
    known = _LearnedPairs(learned)
    return {one.id: known.part(one.pair) for one in every}


def dealt_by_app(demonstrations: Iterable[EpisodeTask], apps_held_out: Collection[str] = ()) -> Mapping[str, str]:
    """For each id with app and goal `TEST` where its app is held out, as `dealt_parts` chooses apps, else `TRAIN`."""
    every = [one for one in demonstrations if one.app and one.task]
    unseen_apps = _unseen_apps(every, apps_held_out)
    return {one.id: TEST if one.app in unseen_apps else TRAIN for one in every}


def dealt_fold(demonstrations: Iterable[EpisodeTask], fold: int, folds: int) -> Mapping[str, str]:
    """For each id `TEST` in that fold of so many, else `TRAIN`: whole apps, else single episodes where there are fewer
    apps than folds, dealt out in turn by the SHA-256 of their names (ours)."""
    every = list(demonstrations)
    by_app = len({one.app for one in every if one.app}) >= folds
    name_of = {one.id: one.app if by_app else one.id for one in every}
    tested = set(_by_hash(set(name_of.values()))[fold - 1 :: folds])
    return {one: TEST if name in tested else TRAIN for one, name in name_of.items()}


def shares_unseen(own: Iterable[EpisodeTask], learned: Collection[str], other: Iterable[EpisodeTask]) -> set[str]:
    """Ids of `other` demonstrations from which nothing may be learned beside `learned` ones of one's own: their app,
    task or pair is one of `own` that those do not have (ours; MoTIF filters RicoSCA by app)."""
    every = list(own)
    known = {one.pair for one in every if one.id in learned}
    hidden = {one.pair for one in every} - known
    apps, tasks = ({pair[at] for pair in hidden} - {pair[at] for pair in known} - {""} for at in (0, 1))
    return {one.id for one in other if one.app in apps or one.task in tasks or (all(one.pair) and one.pair in hidden)}


def set_aside(demonstrations: Iterable[EpisodeTask], share: float, least: int = 2) -> set[str]:
    """Ids of a share of the pairs of app and task, one pair or more until there are `least` episodes, never all: the
    first by the SHA-256 of their names. Of one pair alone a share of its episodes; none of a single episode."""
    every = list(demonstrations)
    by_name: dict[str, list[str]] = {}
    for one in every:
        by_name.setdefault("\n".join(one.pair), []).append(one.id)
    if len(by_name) < 2:
        ids = _by_hash({one.id for one in every})
        return set(ids[: max(_wanted(len(ids), share), min(least, len(ids) - 1))]) if ids else set()
    names, found = _by_hash(by_name), set[str]()
    for place, name in enumerate(names[:-1]):
        if place >= _wanted(len(names), share) and len(found) >= least:
            break
        found.update(by_name[name])
    return found


class _LearnedPairs:
    """What a training has seen, by the pairs of app and task that are learned from."""

    def __init__(self, pairs: Collection[Pair]) -> None:
        self._pairs = pairs
        self._apps, self._tasks = {app for app, _ in pairs}, {task for _, task in pairs}

    def part(self, pair: Pair) -> str:
        """`TRAIN`, or the partition whose test a pair belongs to."""
        if pair in self._pairs:
            return TRAIN
        app, task = pair[0] in self._apps, pair[1] in self._tasks
        return PARTITIONS[(1 if task else 0) if app else (2 if task else 3)]


def _unseen_apps(every: Iterable[EpisodeTask], held_out: Collection[str]) -> set[str]:
    apps = {one.app for one in every}
    return apps & set(held_out) or _first(apps)


def _tasks_held_out(learned: Collection[Pair]) -> set[Pair]:
    """The pairs of the tasks that are held out in all apps."""
    of_app = Counter(app for app, _ in learned)
    apps_of: dict[str, list[str]] = {}
    for app, task in sorted(learned):
        apps_of.setdefault(task, []).append(app)
    found: set[Pair] = set()
    left = _wanted(len(apps_of), HELD_OUT)
    for task in _by_hash(apps_of):
        if left and all(of_app[app] > 1 for app in apps_of[task]):
            of_app.subtract(apps_of[task])
            found |= {(app, task) for app in apps_of[task]}
            left -= 1
    return found


def _pairs_held_out(learned: Collection[Pair]) -> set[Pair]:
    """The pairs that are held out in one app, while others show their task."""
    of_app, of_task = Counter(app for app, _ in learned), Counter(task for _, task in learned)
    shared = {"\n".join(pair): pair for pair in learned if of_task[pair[1]] > 1}
    found: set[Pair] = set()
    left = _wanted(len(shared), HELD_OUT)
    for name in _by_hash(shared):
        app, task = shared[name]
        if left and of_app[app] > 1 and of_task[task] > 1:
            of_app[app] -= 1
            of_task[task] -= 1
            found.add((app, task))
            left -= 1
    return found


def _first(names: Collection[str], share: float = HELD_OUT) -> set[str]:
    """A share of the names, one at least where there are two."""
    return set(_by_hash(names)[: _wanted(len(names), share)])


def _wanted(count: int, share: float) -> int:
    return max(1, round(count * share)) if count > 1 else 0


def _by_hash(names: Iterable[str]) -> list[str]:
    import hashlib  # brings OpenSSL, which no start needs

    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())
