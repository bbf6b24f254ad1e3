"""Data made ready by a Ray cluster, as pipelines of Ray Data: episodes read whole for the index, and vectors of their
words and screens for the models that stand on these. Rows come back in any order; who asked keeps them.

A worker that dies and a machine that goes cost nothing: Ray does their rows again elsewhere.
"""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stepscope.app.services.cluster.choice import ClusterChoice
from stepscope.app.services.cluster.connection import Cluster
from stepscope.app.services.cluster.shipping import ShippedData, not_shared, ship, unpack, way_of
from stepscope.app.services.version import VERSION
from stepscope.core import limits
from stepscope.core.domain.episode import Episode
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken
from stepscope.core.regular_files import is_there
from stepscope.core.sources.reader_process import EpisodePlace, Piece, checked
from stepscope.core.sources.registry import open_known
from stepscope.core.sources.source import Source
from stepscope.core.store.fingerprint import fingerprint
from stepscope.models.encoders.registry import TEXTS, VIEWS
from stepscope.models.features.cache import FeatureCache, Vector
from stepscope.models.features.screens import screen_texts, shortened
from stepscope.models.features.vectors import load_features

READ_AT_ONCE, EMBEDDED_AT_ONCE = 16, 4
"""Episodes of a batch: as many as a worker does in about a second."""
_NODE = "ray.io/node-id"


@dataclass(frozen=True, slots=True)
class DataOrder:
    """Data for workers: where it lies, or as it was sent to them, which `ray.get` fetches; and the limits that hold."""

    path: Path
    format: str
    limits: Mapping[str, int]
    version: str = VERSION
    sent: ShippedData | None = None
    get: Any = None

    def opened(self) -> Source:
        """The data here. Raises UserError where this machine has another version of the program."""
        if self.version != VERSION:
            raise UserError(f"Stepscope is {VERSION} here and {self.version} where the work was begun.")
        limits.choose(self.limits)
        return open_known(self.path if self.sent is None else unpack(self.sent, self.get), self.format)


def read_whole(
    cluster: Cluster, choice: ClusterChoice, source: Source, wanted: Sequence[EpisodePlace], token: CancelToken
) -> Iterator[Piece]:
    """The rows of these episodes after reading each whole, in any order; less when cancelled."""
    order = _order(cluster, choice, source)
    for batch in _batches(cluster, choice, RowReader, (order,), wanted, READ_AT_ONCE, 0.0):
        yield [pickle.loads(row) for row in batch["row"]]
        if token.cancelled:
            return


@dataclass(frozen=True, slots=True)
class Encoders:
    """The encoders of words and of screens, by the references of `models.encoders.registry`."""

    texts: str = TEXTS
    views: str = VIEWS


def vectors_here(
    source: Source, wanted: Sequence[EpisodePlace], encoders: Encoders, kept: FeatureCache, token: CancelToken
) -> Iterator[tuple[int, dict[bytes, Vector]]]:
    """How many more episodes are done, and the vectors of their words and screens that are not `kept` yet, by what the
    cache calls them; less when cancelled."""
    maker = VectorMaker(source, encoders, kept)
    for first in range(0, len(wanted), EMBEDDED_AT_ONCE):
        if token.cancelled:
            return
        part = wanted[first : first + EMBEDDED_AT_ONCE]
        yield len(part), maker.made(part)


def vectors_there(
    source: Source,
    wanted: Sequence[EpisodePlace],
    encoders: Encoders,
    cluster: Cluster,
    choice: ClusterChoice,
    token: CancelToken,
) -> Iterator[tuple[int, dict[bytes, Vector]]]:
    """The same by a cluster, kept or not: its workers do not know what is."""
    order = _order(cluster, choice, source)
    made = _batches(cluster, choice, VectorWorker, (order, encoders), wanted, EMBEDDED_AT_ONCE, choice.gpus or 0.0)
    for batch in made:
        pairs = zip(batch["key"], batch["vector"], strict=True)
        found = {bytes(key): np.frombuffer(value, np.float32) for key, value in pairs if key}
        yield int(sum(batch["episodes"])), found
        if token.cancelled:
            return


class RowReader:
    """Reads episodes whole on a machine of the cluster."""

    def __init__(self, order: DataOrder) -> None:
        self._source = order.opened()

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[bytes]]:
        return {"row": [pickle.dumps(checked(self._source, place)) for place in _places(batch)]}


class VectorWorker:
    """Makes vectors on a machine of the cluster."""

    def __init__(self, order: DataOrder, encoders: Encoders) -> None:
        self._maker = VectorMaker(order.opened(), encoders)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        places = _places(batch)
        found = self._maker.made(places)
        counts = [len(places), *(0 for _ in found)]
        written = [vector.astype(np.float32, copy=False).tobytes() for vector in found.values()]
        return {"key": [b"", *found], "vector": [b"", *written], "episodes": counts}


class VectorMaker:
    """Gives episodes' words and screens to encoders."""

    def __init__(self, source: Source, encoders: Encoders, kept: FeatureCache | None = None) -> None:
        self._source, self._fresh = source, FreshVectors(kept)
        self._features = load_features(encoders.texts, encoders.views, kept=self._fresh)

    def made(self, places: Sequence[EpisodePlace]) -> dict[bytes, Vector]:
        """What is new for these episodes."""
        for place in places:
            try:
                self._embed(self._source.read(place.id, place.place))
            except UserError:
                continue  # what cannot be read is told where the index is made
        return self._fresh.take()

    def _embed(self, episode: Episode) -> None:
        observations = [step.observation for step in episode.steps]
        words = [shortened(text) for text in (episode.goal, *(step.instruction for step in episode.steps)) if text]
        words += [text for one in observations for text in screen_texts(one)]
        screens = [view for one in observations for view in self._features.views_of(one.screenshot)]
        self._features.vectors(words, screens)


class FreshVectors:
    """Vectors that were made since they were taken last. Stands in the place of the cache behind it, if there is one,
    and writes nothing there."""

    def __init__(self, kept: FeatureCache | None) -> None:
        self._kept = kept
        self._taken: set[bytes] = set()
        self._fresh: dict[bytes, Vector] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """Those that are there or on their way."""
        fresh = {key: self._fresh[key] for key in keys if key in self._fresh}
        return fresh if self._kept is None else self._kept.get([key for key in keys if key not in fresh]) | fresh

    def has(self, key: bytes) -> bool:
        """Whether its vector is there or on its way."""
        return key in self._fresh or (self._kept is not None and self._kept.has(key))

    def put(self, vectors: Mapping[bytes, Vector]) -> None:
        self._fresh.update(vectors)

    def take(self) -> dict[bytes, Vector]:
        """Those that are new since the last time."""
        fresh = {key: vector for key, vector in self._fresh.items() if key not in self._taken}
        self._taken.update(fresh)
        self._fresh = {}
        return fresh


def _places(batch: Mapping[str, Any]) -> list[EpisodePlace]:
    columns = zip(batch["id"], batch["place"], batch["kind"], strict=True)
    return [EpisodePlace(str(name), str(place), str(kind)) for name, place, kind in columns]  # type: ignore[arg-type]


def _order(cluster: Cluster, choice: ClusterChoice, source: Source) -> DataOrder:
    """The data as workers come by it: where it lies if all see it there, else sent. Raises UserError where it is to be
    shared and is not."""
    here = DataOrder(source.path, source.format, limits.chosen_limits())
    way = way_of(choice, source)
    if way == "shipped" or not _seen_everywhere(cluster, choice, source.path):
        if way == "shared":
            raise not_shared(source.path, "each machine", choice)
        return replace(here, sent=ship(source.path, cluster.ray.put), get=cluster.ray.get)
    return here


def _seen_everywhere(cluster: Cluster, choice: ClusterChoice, path: Path) -> bool:
    """Whether the path is the same data on every machine that could work on it."""
    mark = fingerprint(path)
    look = cluster.ray.remote(num_cpus=choice.cpus, max_retries=1)(_is_same)
    machines = [node["NodeID"] for node in cluster.ray.nodes() if node["Alive"]]
    asked = [look.options(label_selector={_NODE: one}).remote(path, mark) for one in machines]
    for one in asked:
        try:
            if not cluster.ray.get(one):
                return False
        except cluster.ray.exceptions.RayError:
            continue  # a machine that has gone meanwhile
    return True


def _is_same(path: Path, mark: str) -> bool:
    return is_there(path) and fingerprint(path) == mark


def _batches(
    cluster: Cluster,
    choice: ClusterChoice,
    worker: type[Any],
    given: tuple[Any, ...],
    wanted: Sequence[EpisodePlace],
    at_once: int,
    gpus: float,
) -> Iterator[dict[str, Any]]:
    """What the workers give for these episodes, in batches."""
    room = cluster.room(choice.cpus, gpus)
    if not room:
        raise UserError("No machine of the cluster has room for a worker.", hint="Give a smaller --cluster-cpus.")
    most = min(room, choice.workers or room)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Ray Data about itself
        import ray.data
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        rows = [{"id": one.id, "place": one.place, "kind": one.kind} for one in wanted]
        data = ray.data.from_items(rows, override_num_blocks=max(1, -(-len(rows) // at_once)))
        made = data.map_batches(
            worker, fn_constructor_args=given, batch_size=at_once, num_cpus=choice.cpus, num_gpus=gpus,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=most),
        )  # fmt: skip
        yield from made.iter_batches(batch_size=None, batch_format="numpy", prefetch_batches=0)
