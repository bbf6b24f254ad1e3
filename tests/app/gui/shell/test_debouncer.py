"""What comes after a step is painted waits for who hurries, unless it looks itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell import debouncer
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.scrub_predictor import STAYS_MS


@pytest.mark.parametrize(("waits", "pause"), [(True, STAYS_MS), (False, 0)])
def test_who_asks_for_the_next_turn_at_once_gets_it_unless_it_waits(qtbot: QtBot, waits: bool, pause: int) -> None:
    owner = QObject()
    called: list[int] = []
    work = Debouncer(owner, lambda: called.append(1), waits=waits)
    work.ask()
    qtbot.waitUntil(lambda: called == [1])
    work.ask()
    assert work.is_waiting
    assert work._timer.interval() == pause
    qtbot.waitUntil(lambda: called == [1, 1])


class TurnEnd(QObject):
    over = Signal()


@pytest.mark.parametrize(("seconds", "order"), [(0.0, ["one", "turn", "other"]), (60.0, ["one", "other", "turn"])])
def test_what_a_turn_has_no_time_for_comes_in_the_next_one(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, seconds: float, order: list[str]
) -> None:
    monkeypatch.setattr(debouncer, "TURN_SECONDS", seconds)
    owner = TurnEnd()
    called: list[str] = []
    owner.over.connect(lambda: called.append("turn"), Qt.ConnectionType.QueuedConnection)

    def first() -> None:
        called.append("one")
        owner.over.emit()

    one, other = Debouncer(owner, first), Debouncer(owner, lambda: called.append("other"))
    one.ask()
    other.ask()
    qtbot.waitUntil(lambda: len(called) == 3)
    assert called == order


def test_what_is_waited_for_comes_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debouncer, "LONGEST_HELD", 3600.0)
    monkeypatch.setattr(debouncer._turn, "held_until", 0.0)  # nor after a failure longer than this test
    monkeypatch.setattr(debouncer, "HELD_MS", 0)
    owner = TurnEnd()
    called: list[str] = []
    work = Debouncer(owner, lambda: called.append("work"))
    debouncer.hold_back()
    work.ask()

    def came() -> None:
        called.append("what is waited for")
        debouncer.go_on()

    turns = iter(range(20))

    def next_turn() -> None:
        if next(turns, None) is None:
            came()
        else:
            owner.over.emit()

    owner.over.connect(next_turn, Qt.ConnectionType.QueuedConnection)
    owner.over.emit()
    qtbot.waitUntil(lambda: len(called) == 2)
    assert called == ["what is waited for", "work"]


def test_nothing_is_held_back_for_long(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debouncer, "LONGEST_HELD", 0.0)
    owner = QObject()
    called: list[str] = []
    work = Debouncer(owner, lambda: called.append("work"))
    debouncer.hold_back()
    work.ask()
    qtbot.waitUntil(lambda: called == ["work"])
