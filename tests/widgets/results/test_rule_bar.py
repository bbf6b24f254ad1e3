"""The row of pages and protocol: nothing of it is cut where there is room for it in one row or two."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QBoxLayout
from pytestqt.qtbot import QtBot

from stepscope.widgets.results.result_rows import RuleChoice
from stepscope.widgets.results.rule_bar import RULES, SETTINGS, RuleBar

LONG = "AndroidControl, candidate × 1.2 or whatever else is long"


@pytest.mark.parametrize("width", [700, 919, 1080, 1400])
def test_neither_pages_nor_the_rule_are_cut(qtbot: QtBot, themed: object, width: int) -> None:
    bar = RuleBar()
    qtbot.addWidget(bar)
    bar.set_rules([RuleChoice("a", LONG, own=True), RuleChoice("b", "B")], "a")
    bar.resize(width, bar.sizeHint().height())
    bar.show()
    qtbot.waitExposed(bar)
    bar.resize(width, bar.sizeHint().height())
    pages = sum(bar.tabs.tabRect(place).width() for place in range(bar.tabs.count()))
    assert bar.tabs.width() >= pages
    needed = bar._rules.fontMetrics().horizontalAdvance(bar._rules.currentText())
    below = bar._row.direction() is QBoxLayout.Direction.TopToBottom
    assert bar._rules.width() >= min(needed, 400) and below == (width < 1080)


def test_the_chosen_page_which_is_bold_has_its_room(qtbot: QtBot, themed: object) -> None:
    bar = RuleBar()
    qtbot.addWidget(bar)
    bar.set_rules([RuleChoice("a", "goal_text", own=True)], "a")
    bar.resize(1000, bar.sizeHint().height())
    bar.show()
    qtbot.waitUntil(lambda: bar.tabs.width() == bar.tabs.sizeHint().width())
    for page in (RULES, SETTINGS):
        bar.set_page(page)
        QApplication.processEvents()
    assert bar._row.direction() is QBoxLayout.Direction.LeftToRight
    qtbot.waitUntil(lambda: bar.tabs.width() >= bar.tabs.sizeHint().width())
