"""The drop-down lists of a page, which the window shows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepscope.core.webtask.page import PageOption
from stepscope.widgets.webtask import PageView
from tests.widgets.webtask.page_parts import box, heard, is_kept, key, page_view

pytestmark = pytest.mark.usefixtures("themed")

Key = Qt.Key
SPEAKERS = (
    PageOption("", "Choose one", False),
    PageOption("f", "Family", False),
    PageOption("c", "A  colleague\nat work", True),
    PageOption("s", "Stranger", False),
    PageOption("friend", "", False),
)


@pytest.fixture
def view(qtbot: QtBot) -> PageView:
    """With the list of the field at (100, 200) open."""
    view = page_view(qtbot)
    view.show_list(SPEAKERS, box(100, 200, 300, 240), "speaker")
    qtbot.waitUntil(view.list.isVisible)
    return view


def test_a_list_opens_under_its_box_at_the_item_that_is_chosen(view: PageView) -> None:
    corner = view.mapToGlobal(QPoint(16 + 100, 16 + 240))
    place = view.list.geometry()
    assert place.left() == corner.x()
    assert 0 <= place.top() - corner.y() <= 2
    assert place.width() >= 200
    assert view.list.currentItem().text() == "A colleague at work"
    assert [view.list.item(row).text() for row in (0, 4)] == ["Choose one", "friend"]
    assert view.list.accessibleName() == "Items of speaker"


def test_words_of_a_page_stay_as_they_are(view: PageView) -> None:
    view.show_list([PageOption("a", '<img src="file:///x.png">', False)], box(100, 200, 300, 240))
    assert view.list.item(0).text() == '<img src="file:///x.png">'
    assert view.list.item(0).toolTip() == '<img src="file:///x.png">', "drawn as plain text: test_plain_words"


def test_at_the_foot_of_the_display_it_opens_above(view: PageView) -> None:
    room = QGuiApplication.primaryScreen().availableGeometry()
    below = QRect(room.left() + 5, room.bottom() - 30, 150, 20)
    view.list.open(SPEAKERS, "speaker", below)
    assert view.list.geometry().bottom() < below.top()
    assert room.contains(view.list.geometry())


def test_letters_find_an_item_and_enter_takes_it(view: PageView) -> None:
    taken, closed = heard(view.list_chosen), heard(view.list_closed)
    QTest.keyClicks(view.list, "st")
    assert view.list.currentItem().text() == "Stranger"
    key(view.list, Key.Key_Return)
    assert taken == [("s",)]
    assert closed == []
    assert not view.list.isVisible()


def test_arrows_go_on_and_a_click_takes(view: PageView) -> None:
    taken = heard(view.list_chosen)
    key(view.list, Key.Key_Up)
    assert view.list.currentItem().text() == "Family"
    place = view.list.visualItemRect(view.list.item(3)).center()
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert taken == [("s",)]


def test_esc_closes_and_takes_nothing(view: PageView) -> None:
    taken, closed = heard(view.list_chosen), heard(view.list_closed)
    key(view.list, Key.Key_Escape)
    assert (taken, closed) == ([], [()])


def test_no_shortcut_comes_between_the_letters(view: PageView) -> None:
    assert is_kept(view.list, Key.Key_U, text="u")


def test_a_list_goes_with_its_page(view: PageView) -> None:
    closed = heard(view.list_closed)
    view.show_lost("The process ended.")
    assert not view.list.isVisible()
    assert closed == [()]
    view.show_list(SPEAKERS, box(100, 200, 300, 240))
    assert not view.list.isVisible()


def test_a_long_list_has_a_dozen_rows_at_once(view: PageView) -> None:
    view.show_list([PageOption(str(number), "", False) for number in range(300)], box(100, 200, 300, 240))
    row = view.list.visualItemRect(view.list.item(0)).height()
    assert 12 * row <= view.list.height() < 13 * row


def test_the_page_keeps_the_keyboard_behind_its_list(view: PageView) -> None:
    view.enter()
    view.list.hide()
    assert view.is_inside
