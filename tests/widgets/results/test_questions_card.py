"""Follow-up questions beside those of the annotators: cells, order, what opens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.widgets.results.questions_card import QuestionsCard
from stepscope.widgets.results.questions_item_model import ANNOTATORS, APP, ASKED, COSINE, GOAL, METEOR
from stepscope.widgets.results.reason_values import QuestionRow

ROWS = (
    QuestionRow("one", "Buy <b>tea</b>", "Shop", "unclear", "Which tea?", ("Which one?", "Green?"), 0.5, 0.25),
    QuestionRow("two", "Call", annotators=("Whom?",)),
)


@pytest.fixture
def card(qtbot):
    card = QuestionsCard()
    qtbot.addWidget(card)
    card.resize(900, 240)
    QAbstractItemModelTester(card.model, QAbstractItemModelTester.FailureReportingMode.Fatal, card)
    card.model.page_wanted.connect(lambda offset, limit: card.model.set_page(offset, ROWS[offset : offset + limit]))
    card.set_total(2, "the model asks 1")
    with qtbot.waitExposed(card):
        card.show()
    qtbot.waitUntil(lambda: card.model.peek(1) is not None)
    return card


def words(card, row):
    return [card.model.index(row, column).data() for column in range(card.model.columnCount())]


def test_cells_say_what_is_there(card):
    assert words(card, 0) == [
        "Buy <b>tea</b>", "Shop", "unclear", "Which tea?", "Which one? · Green?", "0.500", "0.250",
    ]  # fmt: skip
    assert words(card, 1) == ["Call", "–", "–", "–", "Whom?", "–", "–"]
    assert card.model.index(0, ANNOTATORS).data(Qt.ItemDataRole.ToolTipRole) == "Which one?\nGreen?"
    assert card.detail.text() == "the model asks 1"


def test_a_head_sorts_once_up_and_once_down_where_it_can(card, qtbot):
    asked = []
    card.sort_wanted.connect(lambda order, descending: asked.append((order, descending)))
    header = card.table.horizontalHeader()
    for column in (COSINE, COSINE, APP, GOAL, ASKED, METEOR):
        place = QPoint(header.sectionViewportPosition(column) + 12, 8)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked == [("cos_sim", False), ("cos_sim", True), ("app", False), ("meteor", False)]
    assert header.isSortIndicatorShown() and header.sortIndicatorSection() == METEOR


def test_enter_and_a_double_click_open_a_row(card, qtbot):
    opened = []
    card.opened.connect(opened.append)
    card.table.setCurrentIndex(card.model.index(1, 0))
    QTest.keyClick(card.table, Qt.Key.Key_Return)
    place = card.table.visualRect(card.model.index(0, ASKED)).center()
    QTest.mouseClick(card.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(card.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == ["two", "one"]


def test_without_any_it_says_why(card):
    card.set_total(0, "Nobody asks.")
    assert card.table.isHidden() and card._none.isVisible() and card._none.text() == "Nobody asks."
