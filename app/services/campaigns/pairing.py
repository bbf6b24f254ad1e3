"""Which goals are demonstrated in which apps: goals of a category in clusters by their meaning, one for each cluster.

Vectors come in, one row a goal; where they come from is `goal_vectors`. All is decided by the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.campaign import CampaignGoal, Pair, PairOrigin
from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress

MOST_CLUSTERS = 30
"""So many are tried at most where nobody says how many there are."""
STARTS = 10
"""Times that k-means begins anew; the best end is kept."""
CLOSE = 0.5
"""Share of their goals that two apps have in common clusters, from which on they are called close."""

SKLEARN = "Install it with pip install 'stepscope[campaigns]'."

Vectors = NDArray[np.float32] | NDArray[np.float64]


class PairingRule(NamedTuple):
    """A rule of pairing, and its source."""

    text: str
    source: str


_SECTION = "MoTIF, section 3.1"
RULES = (
    PairingRule("Goals are clustered within each category of apps, by k-means over their vectors.", _SECTION),
    PairingRule("Vectors are means of FastText's word vectors where a file of them is given.", _SECTION),
    PairingRule("Else vectors are those of all-MiniLM-L6-v2.", "ours"),
    PairingRule(f"k is given, or the one with the best silhouette from 2 to {MOST_CLUSTERS}; the smaller of equals.",
                "ours"),
    PairingRule(f"k-means starts {STARTS} times by the seed; equal vectors count as one in the largest k.", "ours"),
    PairingRule("Each cluster has a representative, which is demonstrated in every app of the category.", _SECTION),
    PairingRule("The representative is the goal next to the cluster's centre; of equals the first by app and words.",
                "ours"),
    PairingRule("An app whose goals are isolated from all other clusters keeps its own goals, and only those.",
                _SECTION),
    PairingRule("Isolated is an app when no cluster with a goal of it has a goal of another app.", "ours"),
    PairingRule("Two apps whose goals are closely clustered are grouped.", _SECTION),
    PairingRule(f"Close are two apps that have {CLOSE:g} of their goals or more in common clusters: for each cluster "
                "the smaller of the two apps' shares, summed. It is a suggestion.", "ours"),
    PairingRule("Apps that were grouped count as one app when it is asked what is isolated; the representatives of an "
                "isolated group go to its own apps.", "ours"),
    PairingRule("On demand every goal is demonstrated in its own app too. The paper speaks of the original pairs as "
                "well, and has 4,707 demonstrations of 6,100 goals: it cannot have taken all.", "ours"),
    PairingRule("An app has the same words once, however many goals say them.", "ours"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GoalCluster:
    """`number` counts from 1, the largest cluster first."""

    number: int
    goals: tuple[CampaignGoal, ...]
    representative: CampaignGoal

    @property
    def apps(self) -> tuple[str, ...]:
        """The apps that its goals were written for."""
        return tuple(sorted({goal.app for goal in self.goals}))


@dataclass(frozen=True, slots=True)
class Clustering:
    """A category's goals in clusters. `tried` has the silhouette of every k that was looked at, None where there is
    none; `silhouette` is that of what was taken."""

    category: str
    clusters: tuple[GoalCluster, ...]
    silhouette: float | None
    tried: tuple[tuple[int, float | None], ...]
    seed: int

    @property
    def k(self) -> int:
        return len(self.clusters)

    def cluster_of(self) -> dict[CampaignGoal, int]:
        """The number of each goal's cluster."""
        return {goal: cluster.number for cluster in self.clusters for goal in cluster.goals}


@dataclass(frozen=True, slots=True)
class AppGroup:
    """Apps whose goals are closely clustered; `share` is that of the least close two that were joined."""

    apps: tuple[str, ...]
    share: float


# Clusters -------------------------------------------------------------------------------------------------------------


def clustered(
    category: str,
    goals: Sequence[CampaignGoal],
    vectors: Vectors,
    token: CancelToken,
    *,
    k: int | None = None,
    seed: int = 0,
) -> Iterator[Progress | Clustering]:
    """Progress after each k, then the clusters (not when it is cancelled). `vectors`: a row a goal.

    Raises UsageError without goals or where k does not fit, UnavailableError without scikit-learn.
    """
    order = sorted(range(len(goals)), key=lambda place: (goals[place].key, goals[place].author))
    sorted_goals, rows = [goals[place] for place in order], np.asarray(vectors, np.float64)[order]
    if not sorted_goals:
        raise UsageError(f"No goal was written for an app of the category “{category}”.", hint="Add goals first.")
    candidates = _candidates(rows, k)
    best: tuple[float | None, NDArray[np.int64], NDArray[np.float64]] | None = None
    tried: list[tuple[int, float | None]] = []
    for done, count in enumerate(candidates, start=1):
        labels, centres = _k_means(rows, count, seed)
        found = _silhouette(rows, labels)
        tried.append((count, found))
        if best is None or (found is not None and found > (best[0] if best[0] is not None else -2.0)):
            best = found, labels, centres
        yield Progress(done, len(candidates))
        if token.cancelled:
            return
    assert best is not None
    silhouette, labels, centres = best
    yield Clustering(category, _clusters(sorted_goals, rows, labels, centres), silhouette, tuple(tried), seed)


def _candidates(rows: NDArray[np.float64], k: int | None) -> list[int]:
    different = len(np.unique(rows, axis=0))
    if k is None:
        return list(range(2, min(MOST_CLUSTERS, different, len(rows) - 1) + 1)) or [1]
    if not 1 <= k <= different:
        raise UsageError(f"{k} clusters cannot be made of {different} different goals.", hint="Choose a smaller k.")
    return [k]


def _k_means(rows: NDArray[np.float64], k: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    try:
        from sklearn.cluster import KMeans
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise UnavailableError(f"clusters need the package {error.name}.", hint=SKLEARN) from error
    with threadpool_limits(1):  # several threads would sum in another order each time
        found = KMeans(k, n_init=STARTS, random_state=seed).fit(rows)
    return np.asarray(found.labels_, np.int64), np.asarray(found.cluster_centers_, np.float64)


def _silhouette(rows: NDArray[np.float64], labels: NDArray[np.int64]) -> float | None:
    """None where it is not defined: one cluster, or each goal its own."""
    if not 2 <= len(np.unique(labels)) < len(rows):
        return None
    from sklearn.metrics import silhouette_score

    return round(float(silhouette_score(rows, labels)), 12)  # equal up to rounding is equal


def _clusters(
    goals: Sequence[CampaignGoal],
    rows: NDArray[np.float64],
    labels: NDArray[np.int64],
    centres: NDArray[np.float64],
) -> tuple[GoalCluster, ...]:
    places = [np.flatnonzero(labels == label) for label in range(len(centres))]
    order = sorted(range(len(places)), key=lambda label: (-len(places[label]), places[label][0]))
    found = []
    for number, label in enumerate(order, start=1):
        there = places[label]
        distance = np.linalg.norm(rows[there] - centres[label], axis=1).round(12)
        members = tuple(goals[int(place)] for place in there)
        found.append(GoalCluster(number, members, members[int(distance.argmin())]))
    return tuple(found)


# Apps -----------------------------------------------------------------------------------------------------------------


def isolated(clustering: Clustering, groups: Iterable[AppGroup] = ()) -> tuple[str, ...]:
    """The apps whose goals share no cluster with those of others (of other groups)."""
    unit = _units(clustering, groups)
    mixed = {app for cluster in clustering.clusters if len({unit[app] for app in cluster.apps}) > 1
             for app in cluster.apps}  # fmt: skip
    shared = {unit[app] for app in mixed}
    return tuple(sorted(app for app, name in unit.items() if name not in shared))


def close_apps(clustering: Clustering, least: float = CLOSE) -> tuple[AppGroup, ...]:
    """Groups of apps whose goals are closely clustered, as a suggestion."""
    shares = _shares(clustering)
    edges = [
        (one, other, common)
        for one, other in combinations(sorted(shares), 2)
        if (common := sum(min(share, shares[other].get(number, 0.0)) for number, share in shares[one].items())) >= least
    ]
    group = {app: frozenset((app,)) for app in shares}
    for one, other, _ in edges:
        joined = group[one] | group[other]
        group |= dict.fromkeys(joined, joined)
    found = {tuple(sorted(some)) for some in group.values() if len(some) > 1}
    return tuple(AppGroup(apps, min(common for one, _, common in edges if one in apps)) for apps in sorted(found))


def pairs_of(
    clustering: Clustering, apps: Sequence[str], groups: Iterable[AppGroup] = (), *, originals: bool = False
) -> tuple[Pair, ...]:
    """The pairs that the clusters give; `apps` are all of the category. `groups`: those that were accepted;
    `originals`: each goal in its own app too."""
    groups = tuple(groups)
    alone, unit = set(isolated(clustering, groups)), _units(clustering, groups)
    number = clustering.cluster_of()
    found: dict[tuple[str, str], Pair] = {}

    def add(app: str, goal: CampaignGoal, origin: PairOrigin) -> None:
        found.setdefault((app, goal.text), Pair(app, goal, origin, number[goal]))

    for cluster in clustering.clusters:
        inside = [app for app in cluster.apps if app in alone]
        if not inside:
            there: Sequence[str] = [app for app in apps if app not in alone]
        else:
            mates = [app for app in unit if unit[app] == unit[inside[0]]]
            there = mates if len(mates) > 1 else []
        for app in there:
            add(app, cluster.representative, PairOrigin.CATEGORY)
    grouped = {app for group in groups for app in group.apps}
    for goal in (goal for cluster in clustering.clusters for goal in cluster.goals):
        if originals or (goal.app in alone and goal.app not in grouped):
            add(goal.app, goal, PairOrigin.APP_SPECIFIC)
    return tuple(sorted(found.values(), key=lambda pair: (pair.cluster or 0, pair.app, pair.goal.text)))


def _units(clustering: Clustering, groups: Iterable[AppGroup]) -> dict[str, str]:
    """What an app counts as: its group's first app, else itself."""
    unit = {app: app for cluster in clustering.clusters for app in cluster.apps}
    return unit | {app: group.apps[0] for group in groups for app in group.apps}


def _shares(clustering: Clustering) -> Mapping[str, Mapping[int, float]]:
    """The share of each app's goals in each cluster."""
    counts: dict[str, Counter[int]] = {}
    for cluster in clustering.clusters:
        for goal in cluster.goals:
            counts.setdefault(goal.app, Counter())[cluster.number] += 1
    return {app: {number: count / sum(of.values()) for number, count in of.items()} for app, of in counts.items()}
