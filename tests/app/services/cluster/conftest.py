"""The cluster as a person names it."""

from __future__ import annotations

from typing import Any

import pytest

from stepscope.app.services.cluster.choice import ClusterChoice


@pytest.fixture
def choice(two_nodes: Any) -> ClusterChoice:
    return ClusterChoice(two_nodes.address)
