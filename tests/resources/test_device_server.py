"""The parts of the simulated phone's process that need no browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from stepscope.resources.sample.steps import GeneratorRun, Steps


class Ear:
    """Hears how a run ends."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, Exception | None]] = []

    def __call__(self, value: Any, error: Exception | None) -> None:
        self.heard.append((value, error))


def test_each_yield_is_worth_what_it_was_answered() -> None:
    later: list[Callable[[Any], None]] = []

    def steps() -> Steps:
        one = yield later.append
        two = yield later.append
        return one + two

    ear = Ear()
    GeneratorRun(steps(), ear).start()
    later[0](20)
    assert ear.heard == []
    later[1](22)
    assert ear.heard == [(42, None)]


def test_an_answer_may_come_at_once() -> None:
    def steps() -> Steps:
        values = []
        for number in range(3):
            values.append((yield lambda resume, number=number: resume(number)))
        return values

    ear = Ear()
    GeneratorRun(steps(), ear).start()
    assert ear.heard == [([0, 1, 2], None)]


def test_what_a_step_raises_is_heard() -> None:
    def steps() -> Steps:
        yield lambda resume: resume(None)
        raise ValueError("no")

    ear = Ear()
    GeneratorRun(steps(), ear).start()
    assert [(value, str(error)) for value, error in ear.heard] == [(None, "no")]


def test_a_failure_is_seen_where_it_waits_and_a_late_answer_is_nobody_s() -> None:
    later: list[Callable[[Any], None]] = []

    def steps() -> Steps:
        try:
            yield later.append
        except OSError:
            return (yield later.append)

    ear = Ear()
    run = GeneratorRun(steps(), ear)
    run.start()
    run.fail(OSError("gone"))
    later[0]("too late")
    assert ear.heard == []
    later[1]("here")
    run.fail(OSError("again"))
    later[1]("twice")
    assert ear.heard == [("here", None)]


@pytest.mark.parametrize(
    ("start", "way", "expected"),
    [
        (500, 1, (500, 940)),  # 1000 is behind the edge
        (300, 1, (300, 800)),
        (900, 1, (440, 940)),  # no room: the finger starts where it has some
        (100, -1, (560, 60)),
        (700, -1, (700, 200)),
    ],
)
def test_a_scrolling_finger_has_room(start: float, way: int, expected: tuple[float, float]) -> None:
    commands = pytest.importorskip("stepscope.resources.sample.device_commands")
    found = commands.finger_path(start, 1000, way)
    assert found == pytest.approx(expected)
