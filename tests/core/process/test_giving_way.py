"""Children that let a window go first."""

from __future__ import annotations

import os
import sys

import pytest

from stepscope.core.process import children


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    given: list[int] = []
    monkeypatch.setattr(os, "nice", given.append, raising=False)
    monkeypatch.setattr(children, "_for_a_window", False)
    return given


def test_a_child_of_a_command_gives_way_to_nobody(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["child", *children.way_words()])
    children.give_way(5)
    assert levels == []


def test_a_child_of_a_window_gives_way(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    children.work_for_a_window()
    monkeypatch.setattr(sys, "argv", ["child", *children.way_words()])
    children.give_way(5)
    assert levels == [5]
