"""When garbage is collected, told to a collector that only notes what it is asked for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell import garbage
from stepscope.app.gui.shell.garbage import AWAY_LOOKS, DUE, FEW, NEVER, PUT_ASIDE, GarbageKeeper


class NotedCollector:
    """Stands in for the module `gc`."""

    def __init__(self) -> None:
        self.threshold = (700, 10, 10)
        self.young = self.objects = 0
        self.done: list[str] = []

    def get_threshold(self) -> tuple[int, int, int]:
        return self.threshold

    def set_threshold(self, *threshold: int) -> None:
        self.threshold = threshold

    def get_count(self) -> tuple[int, int, int]:
        return 0, 0, self.young

    def get_objects(self, generation: int) -> list[int]:
        assert generation == 2
        return [0] * self.objects

    def collect(self) -> None:
        self.done.append("collect")

    def freeze(self) -> None:
        self.done.append("freeze")
        self.young = 0

    def unfreeze(self) -> None:
        self.done.append("unfreeze")


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> NotedCollector:
    noted = NotedCollector()
    monkeypatch.setattr(garbage, "gc", noted)
    return noted


@pytest.fixture
def keeper(qapp: QApplication, collector: NotedCollector) -> GarbageKeeper:
    return GarbageKeeper(qapp, lambda: len(collector.done))


def test_python_looks_through_everything_by_itself_only_without_a_keeper(
    keeper: GarbageKeeper, collector: NotedCollector
) -> None:
    keeper.begin()
    keeper.begin()
    assert collector.threshold == (700, 10, NEVER)
    keeper.end()
    assert collector.threshold == (700, 10, 10)


def test_new_objects_are_looked_through_once_and_put_aside(keeper: GarbageKeeper, collector: NotedCollector) -> None:
    collector.young = DUE - 1
    keeper._look()
    assert collector.done == []
    collector.young, collector.objects = DUE, FEW
    keeper._look()
    assert collector.done == ["collect", "freeze"]


def test_what_came_in_one_go_stays(keeper: GarbageKeeper, collector: NotedCollector) -> None:
    collector.young, collector.objects = DUE, FEW + 1
    keeper._look()
    assert collector.done == ["freeze"]


def test_everything_is_looked_through_when_the_person_is_away(keeper: GarbageKeeper, collector: NotedCollector) -> None:
    for _ in range(PUT_ASIDE):
        collector.young = DUE
        keeper._look()
    before = len(collector.done)
    for _ in range(AWAY_LOOKS - 1):
        keeper._look()
    assert len(collector.done) == before, "a person who rests for less than a minute waits for nothing"
    keeper._look()
    assert collector.done[before:] == ["unfreeze", "collect", "freeze"]
    for _ in range(2 * AWAY_LOOKS):
        keeper._look()
    assert collector.done[before + 3 :] == [], "nothing was put aside since"
