"""The classes of what is wrong, as a person meets them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.core.domain.goal_error import GOAL_ERRORS, GoalErrorClass
from stepscope.widgets.judge.error_chips import ErrorChips, ErrorShown


def test_a_class_is_taken_by_click_or_key_and_the_proposal_is_told(qtbot, themed) -> None:
    chips = ErrorChips()
    qtbot.addWidget(chips)
    assert chips.isHidden()
    chips.resize(320, 200)
    chips.show_error(ErrorShown("B", proposed=GoalErrorClass.INVENTED))
    chips.show()
    assert [chip.error for chip in chips.chips] == list(GOAL_ERRORS)
    assert chips._title.text() == "What is wrong with B?" and chips._note.isVisible()
    assert chips.chips[3].accessibleName() == "Invented, proposed" and "(8, or E)" in chips.chips[3].toolTip()
    said: list[GoalErrorClass] = []
    chips.chosen.connect(said.append)
    QTest.mouseClick(chips.chips[0], Qt.MouseButton.LeftButton)
    QTest.keyClick(chips.chips[4], Qt.Key.Key_Space)
    assert said == [GoalErrorClass.TOO_SPECIFIC, GoalErrorClass.NAVIGATIONAL]
    chips.show_error(ErrorShown("B", GoalErrorClass.TOO_SPECIFIC, GoalErrorClass.INVENTED))
    assert [chip.isChecked() for chip in chips.chips] == [True, False, False, False, False]
    assert not chips._note.isVisible(), "something is chosen"
    chips.show_error(None)
    assert chips.isHidden()


def test_where_there_is_little_room_the_classes_go_on_in_further_rows(qtbot, themed) -> None:
    chips = ErrorChips()
    qtbot.addWidget(chips)
    chips.show_error(ErrorShown("A"))
    chips.resize(220, 400)
    chips.show()
    qtbot.waitUntil(lambda: len({chip.y() for chip in chips.chips}) > 2)
    assert all(chip.geometry().right() < chips.width() for chip in chips.chips)
