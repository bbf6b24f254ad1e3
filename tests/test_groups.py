"""Tests that need a slow library run in one worker, which alone loads it."""

from __future__ import annotations

import os

import pytest


@pytest.mark.needs("torch")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one process")
def test_what_needs_torch_is_of_one_group(request: pytest.FixtureRequest) -> None:
    """xdist goes by the end of a test's name, and once stopped to write it there without a word."""
    assert request.node.nodeid.endswith("@torch")
