"""A Ray cluster of two nodes on this machine, as Ray's own tests make them: of one test process, for all its tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

STORE_BYTES = 100 << 20
"""Of each node's object store."""


class TwoNodes:
    """`address` is that of the first node, which also holds what belongs to the cluster as a whole."""

    def __init__(self, ray_cluster: Any) -> None:
        self._cluster = ray_cluster
        self._second = self.added()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def added(self) -> Any:
        return self._cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES)

    @contextmanager
    def without_second(self) -> Iterator[None]:
        """The second node is pulled out of the cluster, and another comes at the end."""
        self._cluster.remove_node(self._second, allow_graceful=False)
        try:
            yield
        finally:
            self._second = self.added()


@contextmanager
def two_nodes(home: Path) -> Iterator[TwoNodes]:
    """Workers have this folder as their home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_HOME", str(home))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        from ray.cluster_utils import Cluster

        first = {"num_cpus": 1, "object_store_memory": STORE_BYTES, "include_dashboard": False}
        made = Cluster(initialize_head=True, head_node_args=first)
    try:
        yield TwoNodes(made)
    finally:
        made.shutdown()
