"""Who goes first where a window and what works ahead of a person share a processor."""

from __future__ import annotations

import os
import sys

import pytest

from stepscope.core.process import children

pytestmark = pytest.mark.skipif(not hasattr(os, "setpriority"), reason="this system has no nice levels")

SAY_NICE = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"
"""It waits until it is spoken to, as every child does: it has its level by then."""


def nice_of_a_child(levels: int) -> int:
    child = children.launch([sys.executable, "-c", f"input(); {SAY_NICE}"], levels=levels)
    said, _ = child.communicate(b"\n")
    return int(said)


@pytest.fixture
def own() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def test_without_a_window_nobody_gives_way(own: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_for_a_window", False)
    assert nice_of_a_child(5) == own


def test_a_window_goes_before_what_is_launched_for_it(own: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_for_a_window", False)
    children.work_for_a_window()
    assert nice_of_a_child(0) == own
    assert nice_of_a_child(5) == min(own + 5, 19)
