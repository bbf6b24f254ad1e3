"""Children that let a window go first."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from stepscope.core.process import children, right_of_way


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    given: list[int] = []
    monkeypatch.setattr(os, "nice", given.append, raising=False)
    monkeypatch.setattr(right_of_way, "_for_a_window", False)
    return given


def test_a_child_of_a_command_gives_way_to_nobody(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["child", *children.way_words()])
    children.give_way(5)
    assert levels == []


def test_a_child_of_a_window_gives_way(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    right_of_way.work_for_a_window()
    monkeypatch.setattr(sys, "argv", ["child", *children.way_words()])
    children.give_way(5)
    assert levels == [5]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows levels of threads")
@pytest.mark.parametrize("has_window", [False, True])
def test_a_thread_that_works_ahead_stands_behind_the_window(levels: list[int], *, has_window: bool) -> None:
    if has_window:
        right_of_way.work_for_a_window()
    before = os.getpriority(os.PRIO_PROCESS, 0)

    def ahead() -> int:
        right_of_way.let_the_window_go_first()
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(ahead).result() == (min(before + right_of_way.LEVELS, 19) if has_window else before)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
