"""The log of a device: bounded, filtered, copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.widgets.live import DeviceLog, LogLine, LogLineKind
from stepscope.widgets.live.log_item_model import MOST_LINES, SPARE, LogItemModel, clock_words, line_words

DONE, SAID, NEWS, PROBLEM = LogLineKind.DONE, LogLineKind.SAID, LogLineKind.NEWS, LogLineKind.PROBLEM
NOON = 1_700_000_000.0
LINES = (
    LogLine(NOON, NEWS, "Mirror by scrcpy"),
    LogLine(NOON + 1.25, DONE, "Tap Buy now at 512, 1880"),
    LogLine(NOON + 1.5, SAID, "Answered in 120 ms"),
    LogLine(NOON + 2, PROBLEM, "The UI tree could not be read", "could not get idle state\nretried once"),
)


@pytest.fixture
def log(show) -> DeviceLog:
    return show(DeviceLog(), 372, 500)


def test_an_empty_log_says_so(log) -> None:
    assert log._empty.isVisible() and not log.save.isEnabled() and not log.copy.isEnabled()


def test_lines_come_with_times_to_the_millisecond(log) -> None:
    for line in LINES:
        log.add(line)
    assert log.shown() == LINES and log._count.text() == "4 lines"
    assert clock_words(NOON + 1.25).endswith(".250") and len(clock_words(NOON)) == len("14:03:05.120")
    assert log.text().splitlines()[1] == f"{clock_words(NOON + 1.25)}  done     Tap Buy now at 512, 1880"
    assert log.text().splitlines()[-1] == "    retried once"


def test_the_filter_takes_words_and_kinds(log) -> None:
    log.set_lines(LINES)
    QTest.keyClicks(log.search, "TREE idle")
    QTest.keyClick(log.search, Qt.Key.Key_Return)
    assert log.shown() == LINES[3:] and log._count.text() == "1 of 4 lines"
    log.search.empty()
    QTest.mouseClick(log.kinds._group.button(1), Qt.MouseButton.LeftButton)
    assert log.shown() == LINES[1:2]
    log.add(LogLine(NOON + 3, SAID, "not shown"))
    assert log.shown() == LINES[1:2] and "not shown" in log.text()
    QTest.keyClicks(log.search, "nowhere")
    QTest.keyClick(log.search, Qt.Key.Key_Return)
    assert log._empty.words() == "No line matches Change or clear the filter."


def test_chosen_lines_are_copied_and_without_any_all_that_are_shown(log, heard) -> None:
    log.set_lines(LINES)
    copied = heard(log.copied)
    log.copy.click()
    assert QGuiApplication.clipboard().text() == log.text()
    log.list.selectRow(1)
    QTest.keyClick(log.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(log.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == f"{line_words(LINES[1])}\n{line_words(LINES[2])}\n"
    assert len(copied) == 2


def test_the_whole_of_a_line_stands_below(log) -> None:
    log.set_lines(LINES)
    log.list.setCurrentIndex(log.list.model().index(3, 0))
    assert log._detail.isVisible() and "could not get idle state" in log._detail.text()
    log.list.setCurrentIndex(log.list.model().index(0, 0))
    assert not log._detail.isVisible()


def test_saving_is_asked_for(log, heard) -> None:
    asked = heard(log.save_requested)
    log.add(LINES[0])
    log.save.click()
    assert len(asked) == 1
    log.clear()
    assert log.text() == "" and not log.save.isEnabled()


def test_the_oldest_lines_go(qtbot, themed) -> None:
    model = LogItemModel()
    model.set_lines([LogLine(NOON + n, DONE, f"line {n}") for n in range(MOST_LINES + 10)])
    assert (model.rowCount(), model.line(0).words) == (MOST_LINES, "line 10")
    for n in range(SPARE + 1):
        model.add(LogLine(NOON, DONE, f"later {n}"))
    assert (model.rowCount(), model.line(0).words) == (MOST_LINES, f"line {10 + SPARE + 1}")


def test_the_model_keeps_its_promises(qtbot, themed, monkeypatch) -> None:
    monkeypatch.setattr("stepscope.widgets.live.log_item_model.MOST_LINES", 4)
    monkeypatch.setattr("stepscope.widgets.live.log_item_model.SPARE", 2)
    model = LogItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_filter("a", frozenset({DONE, PROBLEM}))
    for n in range(20):
        model.add(LogLine(NOON + n, (DONE, SAID, PROBLEM)[n % 3], ("tap", "bee")[n % 2]))
    model.set_filter("", frozenset(LogLineKind))
    model.set_lines(())
    assert tester.model() is model and model.rowCount() == 0


def test_new_lines_stay_in_view_unless_one_has_scrolled_up(log, qtbot) -> None:
    log.set_lines([LogLine(NOON + n, DONE, f"line {n}") for n in range(200)])
    bar = log.list.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    log.add(LINES[0])
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    bar.setValue(10)
    log.add(LINES[1])
    assert bar.value() == 10
