from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets import theme
from stepscope.widgets.common import LinkButton, MessageBar, TaskChip, TaskProgress
from stepscope.widgets.common.thin_bar import ThinBar
from stepscope.widgets.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, themed: object) -> MessageBar:
    shown = MessageBar()
    qtbot.addWidget(shown)
    shown.resize(800, 60)
    return shown


@pytest.fixture
def chip(qtbot: QtBot, themed: object) -> TaskChip:
    shown = TaskChip()
    qtbot.addWidget(shown)
    return shown


def test_there_is_no_bar_without_a_message(bar: MessageBar) -> None:
    assert bar.isHidden()
    bar.show_message("error", "3.xml is not valid XML.", "Cannot read step 3.")
    assert not bar.isHidden()
    bar.items()[0].closed.emit()
    assert bar.isHidden()


def test_a_failure_told_twice_stands_there_once_and_the_newest_is_on_top(bar: MessageBar) -> None:
    bar.show_message("error", "Cannot read a.json.")
    bar.show_message("info", "This is the sample.")
    bar.show_message("error", "Cannot read a.json.")
    assert [item.text for item in bar.items()] == ["Cannot read a.json.", "This is the sample."]


def test_a_button_tells_its_id_and_takes_its_message_away(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("info", "Made on a simulated phone.", "This is the sample.", [("open.folder", "Open a folder")])
    with qtbot.waitSignal(bar.button_pressed) as told:
        qtbot.mouseClick(bar.items()[0].findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert told.args == ["open.folder"] and bar.items() == []


def test_the_newest_message_is_entered_and_left_by_keys(qtbot: QtBot, themed: object) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column, bar, field = QVBoxLayout(window), MessageBar(), QLineEdit()
    column.addWidget(bar)
    column.addWidget(field)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    assert not bar.enter() and field.hasFocus()
    bar.show_message("warn", "Two files were left out.")
    bar.show_message("done", "Evaluated.", "", [("show", "Show")])
    assert bar.enter() and QApplication.focusWidget() is bar.items()[0].findChild(QPushButton)
    with qtbot.waitSignal(bar.button_pressed) as told:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert told.args == ["show"] and field.hasFocus()
    assert bar.enter() and not field.hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert bar.items() == [] and field.hasFocus()


def test_messages_go_when_what_they_are_about_is_settled(bar: MessageBar) -> None:
    for number, about in enumerate(("a run", "another", None, "a run")):
        bar.show_message("warn", f"Message {number}.", about=about)
    bar.take_away("a run")
    assert [item.text for item in bar.items()] == ["Message 2.", "Message 1."]
    bar.take_away(None)
    assert len(bar.items()) == 2


def test_what_buttons_are_for_is_told_once_their_message_is_gone(bar: MessageBar, qtbot: QtBot) -> None:
    gone: list[tuple[str, ...]] = []
    bar.message_gone.connect(gone.append)
    bar.show_message("info", "One.", buttons=[("a", "A"), ("b", "B")])
    with qtbot.waitSignal(bar.button_pressed):
        qtbot.mouseClick(bar.items()[0].findChild(QPushButton), Qt.MouseButton.LeftButton)
    bar.show_message("info", "Two.", buttons=[("c", "C")])
    bar.items()[0].closed.emit()
    assert gone == [("a", "b"), ("c",)]


def test_what_was_done_goes_by_itself(bar: MessageBar, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.widgets.common.message_bar.DONE_STAYS_MS", 1)
    bar.show_message("done", "Wrote flips.csv, 683 rows.")
    bar.show_message("warn", "12 of 495 skipped.")
    qtbot.waitUntil(lambda: [item.kind for item in bar.items()] == ["warn"])


def shown(bar: MessageBar) -> list[str]:
    return [item.text for item in bar.items() if item.isVisibleTo(bar)]


def test_three_are_shown_errors_first_and_the_rest_on_demand(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("error", "Cannot read a.json.")
    for number in range(4):
        bar.show_message("info", f"Note {number}.")
    assert shown(bar) == ["Note 3.", "Note 2.", "Cannot read a.json."]
    more = bar.findChild(LinkButton)
    assert more.isVisibleTo(bar) and more.text() == "and 2 more" and more.accessibleName() == "and 2 more messages"
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert shown(bar) == ["Note 3.", "Note 2.", "Note 1.", "Note 0.", "Cannot read a.json."]
    assert more.text() == "Show fewer"
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert len(shown(bar)) == 3
    bar.items()[0].closed.emit()
    bar.items()[0].closed.emit()
    assert len(shown(bar)) == 3 and not more.isVisibleTo(bar)


def test_errors_outlive_any_number_of_notes(bar: MessageBar) -> None:
    bar.show_message("error", "Cannot read a.json.")
    for number in range(100):
        bar.show_message("info", f"Note {number}.")
    assert (
        len(bar.items()) == 30 and bar.items()[-1].text == "Cannot read a.json." and bar.items()[0].text == "Note 99."
    )


def test_what_was_done_lies_over_the_view_and_moves_nothing(bar: MessageBar, qtbot: QtBot) -> None:
    floor = QWidget()
    qtbot.addWidget(floor)
    floor.resize(800, 600)
    floor.show()
    qtbot.waitExposed(floor)
    bar.float_over(floor)
    bar.show_message("done", "Wrote flips.csv, 683 rows.")
    (item,) = bar.items()
    qtbot.waitUntil(lambda: item.isVisibleTo(floor))
    assert bar.isHidden()
    assert floor.rect().contains(item.geometry()) and item.geometry().bottom() > 560
    floor.resize(400, 300)
    assert floor.rect().contains(item.geometry())
    bar.show_message("done", "Wrote misses.csv, 12 rows.")
    qtbot.waitUntil(lambda: not item.isVisibleTo(floor) and bar.items()[0].isVisibleTo(floor))
    bar.items()[0].closed.emit()
    qtbot.waitUntil(lambda: item.isVisibleTo(floor))


def test_the_line_of_progress_says_how_far_in_the_colour_of_its_state(themed: object, qtbot: QtBot) -> None:
    line = ThinBar()
    qtbot.addWidget(line)
    line.resize(100, 6)
    line.set_progress(30, 120)
    picture, colours = line.grab().toImage(), theme.current()
    assert picture.pixelColor(20, 3).name() == QColor(colours.accent_background).name()
    assert picture.pixelColor(40, 3).name() == QColor(colours.line).name()
    line.set_progress(30, 120, "silent")
    assert line.grab().toImage().pixelColor(20, 3).name() == QColor(colours.warn).name()
    line.set_progress(5, None)
    assert line.grab().toImage().pixelColor(20, 3).name() == QColor(colours.line).name()


def test_the_chip_tells_how_far_and_how_long(chip: TaskChip) -> None:
    assert chip.isHidden()
    chip.set_tasks([TaskProgress("a", "Evaluating B", 292, 470, 0.8, 350.0), TaskProgress("b", "Indexing")])
    assert chip.words() == "Evaluating B (+1) 292 of 470 · 6 min left"
    chip.set_tasks([TaskProgress("a", "Evaluating B", 48, 120, silent=True)])
    assert chip.words() == "Evaluating B 48 of 120 · no answer for 60 s"
    chip.set_tasks([])
    assert chip.isHidden()


@pytest.mark.parametrize("percent", [100, 150, 200])
@pytest.mark.parametrize("width", [400, 320])
def test_how_long_still_is_never_cut(qtbot: QtBot, qapp: QApplication, percent: int, width: int) -> None:
    apply_theme(qapp, Theme.dark(), percent)
    try:
        chip = TaskChip()
        qtbot.addWidget(chip)
        chip.setFixedWidth(width)
        chip.set_tasks([TaskProgress("a", "Evaluating a model with a long name", 292, 470, 0.8, 350.0)])
        chip.show()
        words = chip._words
        assert words.text().endswith("6 min left") and (percent == 200 or words.text().startswith("292 of 470"))
        assert words.width() >= words.sizeHint().width() and words.geometry().right() <= chip.pause.geometry().left()
        assert chip.cancel.geometry().right() <= chip.width()
        assert "Evaluating a model with a long name" in chip.toolTip()
    finally:
        apply_theme(qapp, Theme.dark())


def test_before_the_first_item_the_chip_says_what_it_waits_for(chip: TaskChip) -> None:
    chip.set_tasks([TaskProgress("a", "Evaluating B", 0, 52, phase="loading weights")])
    assert chip.words() == "Evaluating B loading weights"
    chip.set_tasks([TaskProgress("a", "Evaluating B", 0, 52, phase="loading weights", paused=True)])
    assert chip.words() == "Evaluating B 0 of 52 · paused"


def test_the_chip_pauses_cancels_and_opens_the_list(chip: TaskChip, qtbot: QtBot) -> None:
    chip.set_tasks([TaskProgress("a", "Evaluating B", 292, 470)])
    with qtbot.waitSignal(chip.pause_toggled) as told:
        chip.pause.click()
    assert told.args == ["a"]
    with qtbot.waitSignal(chip.cancel_requested) as told:
        chip.cancel.click()
    assert told.args == ["a"]
    with qtbot.waitSignal(chip.clicked):
        qtbot.keyClick(chip, Qt.Key.Key_Return)


def test_buttons_stand_below_the_words_where_there_is_little_room(bar: MessageBar, qtbot: QtBot) -> None:
    buttons = [("a", "Open a folder"), ("b", "Connect a phone"), ("c", "Tour")]
    bar.show_message("info", "Made by this project; its runs are no finding.", "This is the sample.", buttons)
    item = bar.items()[0]
    bar.resize(1100, 200)
    bar.show()
    for width, below in ((1000, False), (440, True), (300, True), (1000, False)):
        bar.resize(width, 200)
        qtbot.waitUntil(lambda wide=width: item.width() == wide)
        item.layout().activate()
        shown = item.findChildren(QPushButton)
        words = max(label.geometry().bottom() for label in item.findChildren(QLabel) if label.text())
        assert (shown[0].mapTo(item, QPoint()).y() > words) == below
        assert all(one.width() >= one.sizeHint().width() for one in shown), "no words are cut"
        assert len({one.y() for one in shown}) == (2 if width == 300 else 1), "they go on in the next row"
        assert all(item.rect().contains(QRect(one.mapTo(item, QPoint()), one.size())) for one in shown)


def test_what_passes_lies_above_a_bar_at_the_foot_while_there_is_one(qtbot: QtBot) -> None:
    floor = QWidget()
    qtbot.addWidget(floor)
    floor.resize(800, 400)
    bar, foot = MessageBar(floor), QWidget(floor)
    foot.setGeometry(12, 340, 776, 48)
    foot.hide()
    bar.float_over(floor)
    bar.keep_clear(foot)
    floor.show()
    bar.show_message("done", "Tagged.", "", [("undo", "Undo")])
    (item,) = bar.items()
    qtbot.waitUntil(lambda: item.isVisible() and item.geometry().bottom() > 340)
    foot.show()
    qtbot.waitUntil(lambda: item.geometry().bottom() < 340)
    foot.move(12, 240)
    qtbot.waitUntil(lambda: item.geometry().bottom() < 240)
    foot.hide()
    qtbot.waitUntil(lambda: item.geometry().bottom() > 340)
    foot.deleteLater()
    bar.show_message("done", "Tagged again.")
    qtbot.waitUntil(lambda: bar.items()[0].isVisible())
