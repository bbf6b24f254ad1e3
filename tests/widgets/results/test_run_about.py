from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from stepscope.core.domain.run import RunLabels
from stepscope.widgets.results.run_about import RunAbout


@pytest.fixture
def about(qtbot: QtBot, themed: object) -> RunAbout:
    shown = RunAbout()
    qtbot.addWidget(shown)
    shown.show()
    qtbot.waitActive(shown)
    shown.set_labels("1", RunLabels("Mine", "why", ("old",), pinned=True))
    return shown


def test_what_is_typed_is_told_when_its_field_is_left(about: RunAbout, qtbot: QtBot) -> None:
    assert (about.name.text(), about.tags.text(), about.remark.toPlainText()) == ("Mine", "old", "why")
    about.tags.setFocus()
    qtbot.keyClicks(about.tags, ", camera ready")
    with qtbot.waitSignal(about.edited) as told:
        qtbot.keyClick(about.tags, Qt.Key.Key_Tab)
    run, labels = told.args
    assert run == "1" and labels.tidied() == RunLabels("Mine", "why", ("old", "camera ready"), pinned=True)
    about.set_labels("1", labels.tidied())
    with qtbot.assertNotEmitted(about.edited):
        qtbot.keyClick(about.remark, Qt.Key.Key_Tab)


def test_what_is_being_typed_outlives_another_run_and_the_same_one_read_again(about: RunAbout, qtbot: QtBot) -> None:
    about.remark.setFocus()
    qtbot.keyClicks(about.remark, "! ")
    about.set_labels("1", RunLabels("Mine", "why", ("old",), pinned=True))
    assert about.remark.toPlainText() == "! why"
    with qtbot.waitSignal(about.edited) as told:
        about.set_labels("2", RunLabels())
    assert told.args[0] == "1" and told.args[1].remark == "! why"
    assert about.remark.toPlainText() == ""
