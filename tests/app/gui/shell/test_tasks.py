"""Tasks: exactly one ending, newest progress first, nothing left running."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from stepscope.app.gui.shell.tasks import BackgroundTask, TaskRunner
from stepscope.core.progress import CancelToken
from tests.patience import PATIENCE


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[TaskRunner]:
    runner = TaskRunner()
    yield runner
    runner.stop_all()
    runner.deleteLater()


def endings(task: BackgroundTask) -> list[str]:
    heard: list[str] = []
    task.succeeded.connect(lambda value: heard.append(f"succeeded {value}"))
    task.failed.connect(lambda error: heard.append(f"failed {error}"))
    task.cancelled.connect(lambda: heard.append("cancelled"))
    return heard


def test_a_value_comes_back_on_the_gui_thread(qtbot: QtBot, runner: TaskRunner) -> None:
    where: list[threading.Thread] = []
    task = runner.start("sum", lambda token: 2 + 3)
    heard = endings(task)
    task.succeeded.connect(lambda _value: where.append(threading.current_thread()))
    with qtbot.waitSignal(task.finished):
        pass
    assert heard == ["succeeded 5"]
    assert where == [threading.main_thread()]
    assert runner.tasks == ()


def test_an_exception_is_an_ending_not_a_loss(qtbot: QtBot, runner: TaskRunner) -> None:
    task = runner.start("break", lambda token: 1 // 0)
    heard = endings(task)
    with qtbot.waitSignal(task.finished):
        pass
    assert heard == ["failed integer division or modulo by zero"]


def test_a_generator_reports_and_returns(qtbot: QtBot, runner: TaskRunner) -> None:
    def count(token: CancelToken) -> Generator[int, None, str]:
        yield from range(1000)
        return "counted"

    task = runner.start("count", count)
    heard = endings(task)
    seen: list[int] = []
    task.progressed.connect(seen.append)
    with qtbot.waitSignal(task.finished):
        pass
    assert heard == ["succeeded counted"]
    assert seen[-1] == 999
    assert seen == sorted(seen)


def test_cancelling_ends_after_the_current_item(qtbot: QtBot, runner: TaskRunner) -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[int] = []

    def work(token: CancelToken) -> Generator[int, None, None]:
        for item in range(3):
            if token.cancelled:
                return
            begun.set()
            go_on.wait(PATIENCE)
            done.append(item)
            yield item

    task = runner.start("wait", work)
    heard = endings(task)
    assert begun.wait(PATIENCE)
    task.cancel()
    go_on.set()
    with qtbot.waitSignal(task.finished):
        pass
    assert heard == ["cancelled"]
    assert done == [0]


def test_a_task_cancelled_before_it_began_does_no_work(qtbot: QtBot, runner: TaskRunner) -> None:
    hold = threading.Event()
    first = runner.start("hold", lambda token: hold.wait(PATIENCE), lane="run")
    worked: list[int] = []
    second = runner.start("never", lambda token: worked.append(1), lane="run")
    heard = endings(second)
    second.cancel()
    with qtbot.waitSignals([first.finished, second.finished]):
        hold.set()
    assert heard == ["cancelled"]
    assert worked == []


def test_stopping_everything_waits_for_the_threads(qtbot: QtBot, runner: TaskRunner) -> None:
    running = threading.Event()
    ended: list[str] = []

    def work(token: CancelToken) -> None:
        running.set()
        while not token.cancelled:
            token.wait_if_paused()
        ended.append("ended")

    runner.start("spin", work)
    assert running.wait(PATIENCE)
    runner.stop_all()
    assert ended == ["ended"]


def test_a_task_may_be_gone_before_its_thread_is_through_with_telling_the_end(qtbot: QtBot, runner: TaskRunner) -> None:
    told, go_on = threading.Event(), threading.Event()

    def stay(*_end: object) -> None:
        told.set()
        go_on.wait(PATIENCE)

    runner._ended.connect(stay, Qt.ConnectionType.DirectConnection)
    task = runner.start("sum", lambda token: 2 + 3)
    heard = endings(task)
    assert told.wait(PATIENCE)
    qtbot.waitUntil(lambda: not isValid(task))
    assert heard == ["succeeded 5"] and runner.tasks == ()
    go_on.set()
    runner.stop_all()


def test_a_slot_that_breaks_keeps_no_task(qtbot: QtBot, runner: TaskRunner) -> None:
    task = runner.start("sum", lambda token: 2 + 3)
    task.succeeded.connect(lambda _value: 1 // 0)
    with qtbot.captureExceptions() as caught, qtbot.waitSignal(task.finished):
        pass
    assert [kind for kind, *_ in caught] == [ZeroDivisionError]
    qtbot.waitUntil(lambda: runner.tasks == ())


def test_work_that_outlives_its_window_ends_in_silence(qtbot: QtBot) -> None:
    """pytest-qt fails a test in which an override of Qt's raises."""
    runner, gone, ended = TaskRunner(), threading.Event(), list[bool]()
    runner.destroyed.connect(gone.set)
    runner.start("late", lambda token: ended.append(gone.wait(PATIENCE)))
    delete(runner)
    assert ended == [True]
