"""A table of orders: what a click, Space, Enter and a double click tell, how it is sorted, and that nothing is cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.widgets.results.order_card import OrderCard
from stepscope.widgets.results.order_values import OrderLine, OrderSheet

HEADS = (("Category", True), ("n", False), ("PMR", False))
LINES = (
    OrderLine(("Food <b>", "20", "0.250"), ("Food <b>", 20, 0.25), "food"),
    OrderLine(("Art", "3", "–"), ("Art", 3, None), "art"),
    OrderLine(("Home", "100", "0.500"), ("Home", 100, 0.5)),
)


@pytest.fixture
def card(qtbot, themed):
    card = OrderCard("By category")
    qtbot.addWidget(card)
    QAbstractItemModelTester(card.model, QAbstractItemModelTester.FailureReportingMode.Fatal, card)
    card.set_sheet(OrderSheet("categories", "By category", HEADS, LINES, "Worst first."))
    card.resize(420, 260)
    with qtbot.waitExposed(card):
        card.show()
    return card


def first(card):
    return [card.model.index(row, 0).data() for row in range(card.model.rowCount())]


def place(card, row):
    return card.table.visualRect(card.model.index(row, 0)).center()


def test_a_click_chooses_and_a_double_click_opens_without_choosing_again(card):
    told = []
    card.chosen.connect(lambda key: told.append(("chosen", key)))
    card.opened.connect(lambda key: told.append(("opened", key)))
    view = card.table.viewport()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place(card, 1))
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=place(card, 1))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place(card, 1))
    assert told == [("chosen", "art"), ("opened", "art")]
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place(card, 2))
    assert len(told) == 2, "there are no procedures behind that row"
    card.table.setCurrentIndex(card.model.index(0, 0))
    QTest.keyClick(card.table, Qt.Key.Key_Space)
    QTest.keyClick(card.table, Qt.Key.Key_Return)
    assert told[2:] == [("chosen", "food"), ("opened", "food")]


def test_what_is_chosen_is_marked_wherever_it_goes(card):
    card.set_chosen("art")
    assert [index.row() for index in card.table.selectionModel().selectedRows()] == [1]
    header = card.table.horizontalHeader()
    for column, order in ((0, ["Art", "Food <b>", "Home"]), (0, ["Home", "Food <b>", "Art"]),
                          (2, ["Food <b>", "Home", "Art"]), (2, ["Home", "Food <b>", "Art"])):  # fmt: skip
        QTest.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(header.sectionPosition(column) + 9, 8)
        )
        assert first(card) == order, "a row without a value stands at the end either way"
    assert [index.row() for index in card.table.selectionModel().selectedRows()] == [2]
    card.set_chosen("nothing here")
    assert card.table.selectionModel().selectedRows() == []


def test_all_rows_have_their_room_and_an_empty_table_says_why(card, qtbot):
    table = card.table
    assert table.viewport().height() >= 3 * table.row_height() and not table.verticalScrollBar().isVisible()
    assert table.horizontalHeader().length() <= table.viewport().width()
    card.set_sheet(OrderSheet("categories", "By category", HEADS, (), "There are none."))
    assert table.isHidden() and card.note.isVisible() and card.note.text() == "There are none."
